"""Laws of the model, over random runs drawn evenly in the logarithm between each input's bounds."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from commcost import Model, Run
from commcost.quantity import AXIS

LOWEST_MFU = 1e-6  # the bound itself is open at zero
UNITS_LAST_PLACE = 4e-16  # one rounding, twice

law = settings(max_examples=150, deadline=None)


def evenly_in_logarithm(low: float, high: float, *, whole: bool) -> st.SearchStrategy[float]:
    def drawn(exponent: float) -> float:
        value = min(max(math.exp(exponent), low), high)
        return float(round(value)) if whole else value

    return st.floats(math.log(low), math.log(high)).map(drawn)


@st.composite
def inputs_within_bounds(draw: st.DrawFn, model: Model) -> dict[str, float | str]:
    inputs: dict[str, float | str] = {}
    for name, entry in model.inputs.items():
        if entry.unit is None:
            inputs[name] = draw(st.sampled_from(list(model.choices[name])))
        else:
            low = LOWEST_MFU if entry.low_is_open else entry.low
            inputs[name] = draw(evenly_in_logarithm(low, entry.high, whole=entry.whole))
    return inputs


@st.composite
def runs(draw: st.DrawFn, model: Model) -> Run:
    return model.run(**draw(inputs_within_bounds(model)))


def names_in(model: Model, unit: str) -> list[str]:
    return [name for name, quantity in model.quantities.items() if quantity.unit.name == unit]


@law
@given(data=st.data())
def test_every_quantity_is_finite_and_not_negative(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    for name, quantity in model.quantities.items():
        value = run.value(name)
        if quantity.is_predicate:
            assert type(value) is bool
        else:
            assert type(value) is float
            assert 0 <= value < math.inf, name


@law
@given(data=st.data())
def test_twice_the_parameters_are_twice_the_bytes(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    assume(2 * run.value("params") <= model.inputs["params"].high)
    twice = run.with_(params=2 * run.value("params"))
    for name in names_in(model, "B"):
        assert twice.value(name) == 2 * run.value(name), name


@law
@given(data=st.data(), params=evenly_in_logarithm(1, 1e15, whole=True))
def test_ratio_does_not_depend_on_the_parameters(model: Model, data: st.DataObject, params: float) -> None:
    run = data.draw(runs(model))
    ratio = run.value("communication_to_compute")
    assert run.with_(params=params).value("communication_to_compute") == pytest.approx(ratio, rel=1e-14, abs=0)


@law
@given(data=st.data())
def test_ratio_is_inverse_to_the_tokens_per_gpu(model: Model, data: st.DataObject) -> None:
    """Given cards and link, the tokens each GPU works on decide it, however many GPUs share how many tokens."""
    run = data.draw(runs(model))
    other = data.draw(inputs_within_bounds(model))
    assume(run.value("gpus") > 1)
    assume(other["gpus"] != 1)
    elsewhere = run.with_(tokens=other["tokens"], gpus=other["gpus"])
    products = [r.value("communication_to_compute") * r.value("tokens_per_gpu") for r in (run, elsewhere)]
    assert products[1] == pytest.approx(products[0], rel=1e-14, abs=0)


@law
@given(data=st.data(), gpus=evenly_in_logarithm(1, 1e6, whole=True), more=evenly_in_logarithm(1, 1e6, whole=True))
def test_ring_factor_grows_with_the_gpus_and_stays_below_two(model: Model, data: st.DataObject, gpus: float, more: float) -> None:
    run = data.draw(runs(model))
    factor = run.with_(gpus=gpus).value("ring_factor")
    assert factor < run.with_(gpus=gpus + more).value("ring_factor") < 2
    assert factor <= run.with_(gpus=1e9).value("ring_factor") < 2


@law
@given(data=st.data())
def test_ring_sends_less_than_quoted_wherever_there_are_peers(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    if run.value("has_peers"):
        assert run.value("ring_all_reduce_bytes") < run.value("quoted_all_reduce_bytes")
        assert run.value("ring_sharded_bytes") < run.value("quoted_sharded_bytes")
    assert run.value("quoted_all_reduce_bytes") <= run.value("quoted_sharded_bytes")


@law
@given(data=st.data())
def test_hidden_and_exposed_are_the_exchange(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    parts = run.value("hidden_seconds") + run.value("exposed_seconds")
    assert parts == pytest.approx(run.value("quoted_all_reduce_seconds"), rel=UNITS_LAST_PLACE, abs=0)
    assert run.value("hidden_seconds") <= run.value("backward_seconds")
    assert run.value("fits_under_backward") is (run.value("exposed_seconds") == 0)


@law
@given(data=st.data())
def test_the_backward_pass_hides_the_exchange_from_the_tokens_on_that_are_said(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    tokens, enough = run.value("tokens_per_gpu"), run.value("hiding_tokens_per_gpu")
    assume(abs(tokens - enough) > 1e-9 * enough)
    assert run.value("fits_under_backward") is (tokens >= enough)


@law
@given(data=st.data())
def test_a_sharded_optimizer_leaves_no_more_exposed(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    rounding = UNITS_LAST_PLACE * run.value("quoted_all_reduce_seconds")
    assert run.value("sharded_exposed_seconds") <= run.value("exposed_seconds") + rounding


@law
@given(data=st.data())
def test_all_reduce_is_reduce_scatter_then_all_gather(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    assert run.value("hops") == 2 * run.value("half_hops")
    assert run.value("quoted_all_reduce_seconds") == 2 * run.value("quoted_half_seconds")
    for unit in ("bytes", "seconds"):
        halves = 2 * run.value(f"ring_half_{unit}")
        assert halves == pytest.approx(run.value(f"ring_all_reduce_{unit}"), rel=1e-14, abs=0)


@law
@given(data=st.data())
def test_forward_and_backward_are_the_whole_computation(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    passes = run.value("forward_seconds") + run.value("backward_seconds")
    assert passes == pytest.approx(run.value("compute_seconds"), rel=1e-14, abs=0)
    assert run.value("backward_share") == 4 / 6


def pairs(model: Model, choice: str) -> list[tuple[str, str]]:
    """Return the records of a choice that are each other's partners."""
    records = model.choices[choice]
    return [(id, record.other) for id, record in records.items() if records[record.other].other == id]


@law
@given(data=st.data())
def test_lanes_axis_covers_a_pair_of_cards_on_a_pair_of_links_and_is_the_same_for_all_four(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    cards, links = pairs(model, "accelerator"), pairs(model, "link")
    assert (("h100", "b200") in cards) & (("infiniband", "nvlink") in links)
    for both_cards in cards:
        for both_links in links:
            four = [run.with_(accelerator=card, link=link) for card in both_cards for link in both_links]
            (limit,) = {each.value("lane_limit_seconds") for each in four}
            longest = max(each.value(lane) for each in four for lane in ("compute_seconds", "quoted_all_reduce_seconds"))
            assert_is_first_step(model, "lane_limit_seconds", longest, limit)
            assert all(each.value("lane_axis_stays") for each in four)


@law
@given(data=st.data())
def test_lanes_axis_is_said_to_stay_just_where_it_does(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    switched = [run, run.with_(accelerator="other"), run.with_(link="other")]
    assert run.value("lane_axis_stays") is (len({each.value("lane_limit_seconds") for each in switched}) == 1)


@law
@given(data=st.data())
def test_every_axis_covers_what_is_drawn_on_it(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    cards = [run.with_(accelerator=card) for card in ("h100", "b200")]
    passes = [
        each.value("forward_seconds") + part
        for each in cards
        for part in map(each.value, ("backward_seconds", "quoted_all_reduce_seconds"))
    ]
    assert_is_first_step(model, "passes_limit_seconds", max(passes), run.value("passes_limit_seconds"), slack=1e-15)
    transfers = [run.with_(link=link).value("quoted_sharded_seconds") for link in ("nvlink", "infiniband")]
    one_copy = run.value("gradient_bytes") / 50e9
    assert_is_first_step(model, "transfer_limit_seconds", max(*transfers, one_copy), run.value("transfer_limit_seconds"))
    assert_is_first_step(model, "ratio_limit", max(1, run.value("communication_to_compute")), run.value("ratio_limit"))


@pytest.mark.parametrize("name", ["passes_limit_seconds", "transfer_limit_seconds"])
@law
@given(data=st.data())
def test_an_axis_of_both_cards_or_links_does_not_move_when_one_is_switched(model: Model, name: str, data: st.DataObject) -> None:
    run = data.draw(runs(model))
    switches = {"passes_limit_seconds": ("accelerator", ("h100", "b200")), "transfer_limit_seconds": ("link", tuple(model.choices["link"]))}
    choice, ids = switches[name]
    assert len({run.with_(**{"link": "infiniband", choice: id}).value(name) for id in ids}) == 1


def assert_is_first_step(model: Model, name: str, longest: float, limit: float, slack: float = 0) -> None:
    ladder = model.quantities[name].ladder
    assert ladder is not None
    below = [step for step in ladder.steps if step < limit]
    assert longest <= limit * (1 + slack)
    assert not below or below[-1] < longest * (1 + slack)


def test_an_axis_has_three_steps_in_every_power_of_ten() -> None:
    steps = AXIS.steps
    assert list(steps) == sorted(set(steps))
    assert [step for step in steps if 1 <= step < 1000] == [1, 2, 5, 10, 20, 50, 100, 200, 500]


@law
@given(data=st.data())
def test_one_gpu_sends_nothing(model: Model, data: st.DataObject) -> None:
    run = data.draw(runs(model)).with_(gpus=1)
    sizes = {"gradient_bytes", "chunk_bytes", "drawn_block_bytes"}  # of the gradients, and of what a hop would move
    sent = [name for name in names_in(model, "B") if name not in sizes]
    waits = ["quoted_all_reduce_seconds", "ring_all_reduce_seconds", "ring_half_seconds", "quoted_sharded_seconds"]
    assert len(sent) >= 6
    for name in (*sent, *waits, "hops", "ring_factor", "communication_to_compute", "exposed_seconds"):
        assert run.value(name) == 0, name
    assert run.value("has_peers") is False


@law
@given(data=st.data())
def test_a_faster_card_waits_for_a_larger_share(model: Model, data: st.DataObject) -> None:
    """The volume stays, the computing that could hide it shrinks."""
    run = data.draw(runs(model)).with_(link="infiniband")
    assume(run.value("gpus") > 1)
    assert run.value("other_card_waits_more") is run.value("other_card_is_faster")
