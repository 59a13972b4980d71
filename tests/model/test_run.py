"""A run: what it refuses, what it resolves, and what it can say about a value."""

import math
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from types import ModuleType

import pytest

from commcost import Model, ModelError
from commcost.quantity import Quantity
from commcost.records import FigureKind, Input, SourcedFigure
from commcost.run import Explanation

WHOLE = "must be a whole number, at least 1 and at most 1,000,000,000"
SHARE = "must be above 0 and at most 1"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"gpus": 0}, f"invalid gpus; {WHOLE}: 0"),
        ({"gpus": 1.5}, f"invalid gpus; {WHOLE}: 1.5"),
        ({"gpus": -1}, f"invalid gpus; {WHOLE}: -1"),
        ({"gpus": 10**9 + 1}, f"invalid gpus; {WHOLE}: 1000000001"),
        ({"gpus": math.nan}, f"invalid gpus; {WHOLE}: nan"),
        ({"gpus": math.inf}, f"invalid gpus; {WHOLE}: inf"),
        ({"gpus": 10**400}, f"invalid gpus; {WHOLE}: 1000"),
        ({"gpus": "64"}, "invalid gpus; must be a number: '64'"),
        ({"gpus": "other"}, "invalid gpus; must be a number: 'other'"),
        ({"gpus": True}, "invalid gpus; must be a number: True"),
        ({"gpus": None}, "invalid gpus; must be a number: None"),
        ({"gpus": 1 + 0j}, "invalid gpus; must be a number: (1+0j)"),
        ({"mfu": 0}, f"invalid mfu; {SHARE}: 0"),
        ({"mfu": -0.0}, f"invalid mfu; {SHARE}: -0.0"),
        ({"mfu": -0.1}, f"invalid mfu; {SHARE}: -0.1"),
        ({"mfu": 1.0001}, f"invalid mfu; {SHARE}: 1.0001"),
        ({"mfu": 40}, f"invalid mfu; {SHARE}: 40"),
        ({"params": 0}, "invalid params; must be a whole number, at least 1 and at most 1,000,000,000,000,000: 0"),
        ({"bytes_per_param": 0.25}, "invalid bytes_per_param; must be at least 0.5 and at most 8: 0.25"),
        ({"link": "infinband"}, "unknown link 'infinband'; did you mean 'infiniband'?"),
        ({"link": "carrier pigeon"}, "unknown link 'carrier pigeon'; known: ethernet_400g, infiniband, "),
        ({"link": 3}, "unknown link '3'; known: "),
        ({"accelerator": "H100"}, "unknown accelerator 'H100'; did you mean 'h100'?"),
        ({"example": "cluter"}, "unknown example 'cluter'; did you mean 'cluster'?"),
        ({"gpu": 8}, "unknown input 'gpu'; did you mean 'gpus'?"),
        ({"exmaple": "node"}, "unknown input 'exmaple'; did you mean 'example'?"),
    ],
    ids=lambda part: repr(part)[:40] if isinstance(part, dict) else None,
)
def test_run_refuses_what_makes_no_sense_in_one_line(model: Model, override: dict, message: str) -> None:
    for setting in (model.run, model.run().with_):
        with pytest.raises(ModelError) as refused:
            setting(**override)
        assert str(refused.value).startswith(message)
        assert "\n" not in str(refused.value)


def test_truth_is_refused_after_a_number_equal_to_it(model: Model) -> None:
    """True == 1 in Python, and a run remembers the runs made of it."""
    run = model.run()
    assert run.with_(gpus=1).value("gpus") == 1
    with pytest.raises(ModelError, match="invalid gpus; must be a number: True"):
        run.with_(gpus=True)


def test_unknown_quantity_is_refused_with_the_nearest(model: Model) -> None:
    for question in (model.run().value, model.run().explain):
        with pytest.raises(ModelError, match=r"^unknown quantity 'ring_facto'; did you mean 'ring_factor'\?$"):
            question("ring_facto")


def test_figure_that_the_chosen_records_do_not_give_is_refused(model: Model) -> None:
    assert model.run(link="infiniband").value("headline_bits_per_second") == 400e9
    with pytest.raises(ModelError, match=r"^headline_bits_per_second is given by none of h100, nvlink$"):
        model.run(link="nvlink").value("headline_bits_per_second")


def test_one_gpu_computes_alone_and_sends_nothing(model: Model) -> None:
    run = model.run(gpus=1)
    assert run.value("compute_seconds") == pytest.approx(6 * 30e9 * 1e6 / (1 * 989e12 * 0.4), rel=1e-15)
    assert run.value("quoted_all_reduce_bytes") == 0
    assert run.value("ring_all_reduce_bytes") == 0
    assert run.value("hops") == 0


def test_a_thousand_million_gpus_are_within_bounds(model: Model) -> None:
    run = model.run(gpus=10**9)
    assert run.value("compute_seconds") == pytest.approx(6 * 30e9 * 1e6 / (1e9 * 989e12 * 0.4), rel=1e-15)
    assert run.value("chunk_bytes") == 60e9 / 1e9
    assert run.value("ring_factor") == 2 * (10**9 - 1) / 10**9 < 2


def test_full_utilisation_is_within_bounds(model: Model) -> None:
    assert model.run(mfu=1).value("compute_seconds") == pytest.approx(6 * 30e9 * 1e6 / (64 * 989e12), rel=1e-15)


def test_values_are_doubles_claims_truths_and_choices_ids(model: Model) -> None:
    run = model.run(gpus=8, accelerator="b200")
    assert [type(run.value(name)) for name in ("gpus", "hops", "has_peers", "accelerator")] == [float, float, bool, str]
    assert run.value("accelerator") == "b200"


def test_run_is_frozen_and_with_makes_another(model: Model) -> None:
    run = model.run()
    before = run.value("quoted_all_reduce_seconds")
    assert run.with_(link="nvlink").value("quoted_all_reduce_seconds") != before
    assert run.value("quoted_all_reduce_seconds") == before
    assert run.inputs["link"] == "infiniband"
    with pytest.raises(FrozenInstanceError):
        run.inputs = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        run.inputs["gpus"] = 8  # type: ignore[index]


def test_run_without_overrides_is_itself(model: Model) -> None:
    run = model.run()
    assert run.with_() is run
    assert run.with_(link="nvlink") is run.with_(link="nvlink")
    assert model.run(link="nvlink") == run.with_(link="nvlink")


# Partners.


def test_other_is_the_partner_of_what_is_chosen(model: Model) -> None:
    run = model.run(accelerator="other", link="other")
    assert (run.value("accelerator"), run.value("link")) == ("b200", "nvlink")
    back = run.with_(accelerator="other", link="other")
    assert (back.value("accelerator"), back.value("link")) == ("h100", "infiniband")
    assert model.run(accelerator="mi300x").with_(accelerator="other").value("accelerator") == "mi355x"


def test_other_beside_an_example_is_the_partner_of_what_the_example_fixes(model: Model) -> None:
    mine = model.run(accelerator="mi300x", link="pcie_gen5")
    assert mine.with_(example="small_model", accelerator="other").value("accelerator") == "b200"
    assert mine.with_(example="node", accelerator="other").value("accelerator") == "mi355x"


def test_other_inside_a_formula_is_the_partner_of_what_an_example_fixes(model: Model) -> None:
    mine = model.run(accelerator="mi300x")
    assert mine.value("other_card_speedup") == 2500e12 / 1307e12
    assert mine.with_(example="small_model").value("other_card_speedup") == 2250e12 / 989e12


# Examples.


def test_example_fixes_what_it_names_and_leaves_the_rest_to_the_reader(model: Model) -> None:
    mine = model.run(gpus=512, params=7e9, link="nvlink")
    node = mine.with_(example="node")
    assert (node.value("gpus"), node.value("params"), node.value("link")) == (8, 7e9, "nvlink")
    assert node.value("ring_all_reduce_bytes") == 14 / 8 * 7e9 * 2


def test_override_beside_an_example_wins(model: Model) -> None:
    run = model.run()
    assert run.with_(example="node", gpus=32).value("gpus") == 32
    assert run.with_(gpus=32, example="node").value("gpus") == 32
    assert run.with_(example="small_model", link="nvlink").value("link") == "nvlink"


@pytest.mark.parametrize(("example", "gpus"), [("walkthrough", 4), ("node", 8), ("cluster", 64), ("single", 1)])
def test_examples_of_the_text(model: Model, example: str, gpus: int) -> None:
    assert model.run(gpus=3).with_(example=example).value("gpus") == gpus


# Multiples.


def test_multiple_of_an_input_is_a_tenth_more_of_what_it_is(model: Model) -> None:
    run = model.run(tokens=2e6)
    assert run.with_(tokens="tenth_more").value("tokens") == 2.2e6
    assert run.with_(tokens="tenth_more").value("compute_seconds") == pytest.approx(6 * 30e9 * 2.2e6 / (64 * 989e12 * 0.4), rel=1e-15)
    assert run.value("tokens") == 2e6


@pytest.mark.parametrize(("name", "value"), [("mfu", 0.95), ("mfu", 1), ("params", 1e15), ("tokens", 1), ("bytes_per_param", 8)])
def test_multiple_may_pass_the_bounds_and_be_no_whole_number(model: Model, name: str, value: float) -> None:
    run = model.run(**{name: value}).with_(**{name: "tenth_more"})
    assert run.value(name) == value * 1.1 != value
    assert run.with_(link="nvlink").value("compute_seconds") > 0
    with pytest.raises(ModelError, match=f"invalid {name}; must be"):
        model.run(**{name: value * 1.1})


def test_multiple_is_of_what_an_example_beside_it_sets(model: Model) -> None:
    run = model.run(params=1e9)
    assert run.with_(example="small_model", params="tenth_more").value("params") == 7e9 * 1.1
    assert run.with_(params="tenth_more").with_(example="small_model").value("params") == 7e9
    assert run.with_(params="tenth_more").with_(example="node").value("params") == 1e9 * 1.1


def test_multiple_reaches_what_a_formula_reads_at_another_choice(model: Model) -> None:
    raised = model.run(mfu=0.5).with_(mfu="tenth_more")
    assert raised.with_(accelerator="other").value("compute_seconds") == pytest.approx(6 * 30e9 * 1e6 / (64 * 2250e12 * 0.55), rel=1e-15)
    assert raised.value("passes_limit_seconds") == 10


def test_multiple_moves_only_what_depends_on_its_input(model: Model) -> None:
    run = model.run()
    for multiple in model.multiples.values():
        for name in multiple.of:
            raised = run.with_(**{name: multiple.name})
            fixed = [quantity for quantity in model.quantities if name not in model.settable(quantity)]
            assert [quantity for quantity in fixed if raised.value(quantity) != run.value(quantity)] == []
            assert raised.value("ring_factor") == run.value("ring_factor")
    assert model.multiples["tenth_more"].of == ("params", "bytes_per_param", "tokens", "mfu")


def test_multiple_of_gpus_is_refused(model: Model) -> None:
    with pytest.raises(ModelError, match="invalid gpus; must be a number: 'tenth_more'"):
        model.run(gpus="tenth_more")
    with pytest.raises(ModelError, match=r"^gpus is a number, not a choice; name an example that sets it: 'tenth_more'$"):
        model.check_overrides([("gpus", "tenth_more")])


def test_no_formula_of_a_number_stands_at_an_example(model: Model) -> None:
    """So that what a multiple makes of a number shows when every number of its formula is multiplied: a reader's card does that."""
    numbers = [quantity for quantity in model.quantities.values() if not quantity.is_predicate]
    assert [q.name for q in numbers for part in q.parameters.values() if "example" in dict(part.overrides)] == []


# The accelerator's own link.


@pytest.mark.parametrize(
    ("accelerator", "bandwidth", "name"),
    [
        ("a100", 300e9, "NVLink"),
        ("h100", 450e9, "NVLink"),
        ("b200", 900e9, "NVLink"),
        ("mi300x", 448e9, "Infinity Fabric"),
    ],
)
def test_nvlink_is_the_accelerators_own_link_by_its_makers_name(model: Model, accelerator: str, bandwidth: float, name: str) -> None:
    run = model.run(accelerator=accelerator, link="nvlink")
    assert run.value("link_bytes_per_second") == bandwidth
    assert run.name_of("link") == name


def test_other_links_are_the_networks_whatever_the_accelerator(model: Model) -> None:
    for accelerator in model.choices["accelerator"]:
        run = model.run(accelerator=accelerator, link="infiniband")
        assert (run.value("link_bytes_per_second"), run.name_of("link")) == (50e9, "InfiniBand")


def test_every_choice_has_a_name_in_every_run(model: Model) -> None:
    for accelerator in model.choices["accelerator"]:
        for link in model.choices["link"]:
            run = model.run(accelerator=accelerator, link=link)
            assert run.name_of("accelerator").lower() == accelerator
            assert run.name_of("link")


def test_names_of_the_catalogue_may_stand_in_texts(model: Model) -> None:
    assert {"H100", "MI300X", "NVLink", "Infinity Fabric", "PCIe 5.0 ×16"} <= model.texts


# What a reader can still move.


@pytest.mark.parametrize(
    ("name", "overrides", "open_inputs"),
    [
        ("gpus", {}, {"gpus"}),
        ("gpus", {"example": "node"}, set()),
        ("ring_factor", {}, {"gpus"}),
        ("ring_factor", {"example": "node"}, set()),
        ("bits_per_byte", {}, set()),
        ("peak_flops_per_second", {}, {"accelerator"}),
        ("peak_flops_per_second", {"accelerator": "h100"}, set()),
        ("peak_flops_per_second", {"accelerator": "other"}, {"accelerator"}),
        # The link decides while it is open, and where it may be the accelerator's own, so does the accelerator.
        ("link_bytes_per_second", {}, {"link", "accelerator"}),
        ("link_bytes_per_second", {"link": "infiniband"}, set()),
        ("link_bytes_per_second", {"link": "nvlink"}, {"accelerator"}),
        ("link_bytes_per_second", {"link": "other"}, {"link", "accelerator"}),
        ("link_bytes_per_second", {"accelerator": "h100"}, {"link"}),
        ("link_bytes_per_second", {"accelerator": "h100", "link": "nvlink"}, set()),
        ("leaving_factor", {}, {"accelerator"}),
        ("compute_seconds", {}, {"params", "tokens", "gpus", "accelerator", "mfu"}),
        ("compute_seconds", {"accelerator": "b200", "example": "node"}, {"params", "tokens", "mfu"}),
        ("quoted_all_reduce_seconds", {"link": "infiniband"}, {"params", "bytes_per_param", "gpus"}),
        ("fits_under_step", {"example": "small_model"}, set()),
        ("fits_under_step", {"example": "small_model", "accelerator": "other"}, set()),
        ("size_cancels", {}, set()),
        ("ring_factor_grows", {}, set()),
        ("switch_reads_above_wire", {}, set()),
        ("compute_seconds", {"tokens": "tenth_more"}, {"params", "tokens", "gpus", "accelerator", "mfu"}),
        ("tokens", {"example": "small_model", "tokens": "tenth_more"}, set()),
        ("newer_card_waits_more", {}, {"params", "bytes_per_param", "tokens", "gpus", "link", "mfu"}),
    ],
)
def test_settable_is_what_a_reader_can_still_move(model: Model, name: str, overrides: dict[str, str], open_inputs: set[str]) -> None:
    assert model.settable(name, tuple(overrides.items())) == open_inputs


def test_what_is_not_settable_does_not_move_the_value(model: Model) -> None:
    moved = {"params": 7e9, "bytes_per_param": 4, "tokens": 3e6, "gpus": 16, "accelerator": "mi300x",
             "link": "pcie_gen4", "mfu": 0.5}  # fmt: skip
    for overrides in ({}, {"example": "node"}, {"link": "nvlink"}, {"accelerator": "other", "link": "infiniband"}):
        for name in model.quantities:
            is_open = model.settable(name, tuple(overrides.items()))
            elsewhere = model.run(**{i: value for i, value in moved.items() if i not in is_open})
            assert elsewhere.with_(**overrides).value(name) == model.run(**overrides).value(name), name


# Explanations.


def leaves(explanation: Explanation) -> Iterator[Explanation]:
    if not explanation.inputs:
        yield explanation
    for part in explanation.inputs.values():
        yield from leaves(part)


def test_explanation_ends_in_inputs_and_sourced_figures(model: Model) -> None:
    """Or in a definition: a formula of bare numbers, which names its source itself."""
    run = model.run()
    for name in model.quantities:
        for leaf in leaves(run.explain(name)):
            if isinstance(leaf.entry, Input):
                assert leaf.source is None
                assert leaf.entry.unit is not None
            elif isinstance(leaf.entry, Quantity):
                assert "Source: " in leaf.entry.doc
            else:
                assert isinstance(leaf.entry, (SourcedFigure, FigureKind))
                assert leaf.source is not None
                assert leaf.source.value == leaf.value
                assert leaf.source.url.startswith("https://")


def test_explanation_holds_formula_values_and_overrides(model: Model) -> None:
    explanation = model.run().explain("other_card_speedup")
    assert explanation.value == 2250 / 989
    assert explanation.entry is model.quantities["other_card_speedup"]
    other, mine = explanation.inputs["other_peak"], explanation.inputs["peak_flops_per_second"]
    assert (other.value, other.overrides) == (2250e12, (("accelerator", "other"),))
    assert (mine.value, mine.overrides) == (989e12, ())
    assert other.source == model.choices["accelerator"]["b200"].figures["peak_flops_per_second"]


def test_explanation_is_of_the_run_and_the_overrides(model: Model) -> None:
    explanation = model.run(params=7e9).explain("ring_all_reduce_bytes", (("example", "node"),))
    assert explanation.value == 14 / 8 * 7e9 * 2
    assert explanation.inputs["ring_factor"].inputs["gpus"].value == 8


# What a formula can do to a run. Two quantities make a model.


SMALL = '''
@quantity(label="first", symbol="x", unit=NUMBER)
def first(params, gpus):
    """Return something."""
    return {first}


@quantity(label="second", symbol="y", unit=NUMBER)
def second(first, gpus):
    """Return something of it."""
    return {second}
'''


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("gpus - 64", "gpus / first", "second: division by zero in this run: first = 0.0, gpus = 64.0"),
        ("params / (gpus - gpus)", "first", "first: division by zero in this run: params = 30000000000.0, gpus = 64.0"),
        ("params * 1e300", "first", "first is not finite in this run: params = 30000000000.0, gpus = 64.0"),
        ("params", "first * 1e300 - first * 1e300", "second is not finite in this run: first = 30000000000.0, gpus"),
        ("params", "ceil(first * 1e300)", "second is not finite in this run: first = 30000000000.0, gpus = 64.0"),
        ("params", "floor(first * 1e300 - first * 1e300)", "second is not finite in this run: first = "),
    ],
)
def test_division_by_zero_and_what_is_not_finite_are_refused(
    model: Model, written: Callable[..., ModuleType], first: str, second: str, message: str
) -> None:
    run = Model(model.catalog, written(SMALL.format(first=first, second=second))).run()
    with pytest.raises(ModelError) as refused:
        run.value("second")
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


def test_quantity_with_steps_is_the_first_that_covers_it(model: Model, written: Callable[..., ModuleType]) -> None:
    stepped = SMALL.format(first="gpus", second="first").replace(
        "unit=NUMBER", "unit=NUMBER, ladder=Ladder(digits=(1, 2, 5), lowest=0, highest=0)", 1
    )
    small = Model(model.catalog, written(stepped))
    assert [small.run(gpus=gpus).value("second") for gpus in (1, 2, 3, 5)] == [1, 2, 5, 5]
    with pytest.raises(ModelError, match=r"^first is beyond its last step 5\.0: 6\.0$"):
        small.run(gpus=6).value("second")
