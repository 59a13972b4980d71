"""The reference tables: nothing of the model or the catalogue is left out, and every figure has its source, its date and its mistake."""

import re
from collections.abc import Mapping, Sequence

import pytest

from commcost import Model
from hooks.live.places import TAG
from hooks.live.tables import Appearance, Table
from hooks.live.values import Values
from hooks.tables import accelerators, constants, formulas, links
from hooks.tables.formulas import assumption, meaning

APPEARANCES = {
    "compute_seconds": (Appearance("Work & wait", "../../work/"), Appearance("Home", "../../")),
    "has_peers": (Appearance("Home", "../../"),),
}


@pytest.fixture(scope="module")
def values(model: Model) -> Values:
    return Values(model, model.run())


@pytest.fixture(scope="module")
def html(values: Values) -> str:
    return formulas.make(values).html(APPEARANCES)


@pytest.fixture(scope="module")
def entries(html: str) -> Mapping[str, str]:
    """The entry of each quantity, by its name."""
    return dict(re.findall(r'<section class="entry" id="formula-(\w+)">(.*?)</section>', html))


@pytest.fixture(scope="module")
def tables(values: Values) -> Mapping[str, Table]:
    """The tables of figures, by their ids."""
    made: Sequence[Table] = [*accelerators.make(values), *links.make(values), constants.make(values)]
    return {table.id: table for table in made}


def facts(entry: str) -> Mapping[str, list[str]]:
    """Return what an entry says beside its formula: the descriptions of each term."""
    found = re.findall(r"<dt>(.*?)</dt>((?: <dd>.*?</dd>)+)", entry)
    return {term: re.findall(r"<dd>(.*?)</dd>", described) for term, described in found}


def test_every_quantity_has_an_entry_that_can_be_linked(model: Model, html: str) -> None:
    assert re.findall(r'id="formula-(\w+)"', html) == list(model.quantities)
    assert set(re.findall(r'href="#formula-(\w+)"', html)) <= set(model.quantities)
    assert html.count('<math display="block"') == len(model.quantities)


def test_an_entry_links_to_what_uses_it_at_another_choice_too(entries: Mapping[str, str]) -> None:
    (used_by,) = facts(entries["compute_seconds"])["Used by"]
    assert re.findall(r'href="#formula-(\w+)"', used_by) == [
        "communication_to_compute",
        "whole_node_to_compute",
        "sharded_to_compute",
        "unhidden_step_seconds",
        "passes_limit_seconds",  # on the H100 and on the B200
        "lane_limit_seconds",  # also on the other card
        "fits_under_step",
    ]
    assert "Used by" not in facts(entries["exposed_seconds"])


def test_what_uses_what_is_what_is_used_by_it(model: Model, entries: Mapping[str, str]) -> None:
    uses = {(name, part.name) for name, quantity in model.quantities.items() for part in quantity.parameters.values()}
    said = {
        (other, name)
        for name, entry in entries.items()
        for line in facts(entry).get("Used by", [])
        for other in re.findall(r'href="#formula-(\w+)"', line)
    }
    assert said == {(other, name) for other, name in uses if name in model.quantities}


def test_an_entry_links_to_the_pages_on_which_it_stands(entries: Mapping[str, str]) -> None:
    assert facts(entries["compute_seconds"])["On the pages"] == ['<a href="../../work/">Work &amp; wait</a>, <a href="../../">Home</a>']
    assert facts(entries["has_peers"])["On the pages"] == ['<a href="../../">Home</a>']
    assert "On the pages" not in facts(entries["ring_factor"])


@pytest.mark.parametrize(
    ("quantity", "said"),
    [
        # 6 × 30e9 × 1e6 ÷ (64 × 989e12 × 0.4) is 7.109 s: a tenth more above is 7.82 s, below 6.463 s.
        (
            "compute_seconds",
            ["33 billion parameters: 7.11 s → 7.82 s", "1.1 million tokens: 7.11 s → 7.82 s", "44 % utilisation: 7.11 s → 6.46 s"],
        ),
        ("quoted_all_reduce_seconds", ["33 billion parameters: 2.40 s → 2.64 s", "2.2 bytes per parameter: 2.40 s → 2.64 s"]),
        # The number of parameters cancels.
        (
            "communication_to_compute",
            [
                "33 billion parameters: 0.338 → 0.338",
                "2.2 bytes per parameter: 0.338 → 0.371",
                "1.1 million tokens: 0.338 → 0.307",
                "44 % utilisation: 0.338 → 0.371",
            ],
        ),
        ("fp32_reduce_factor", ["2.2 bytes per parameter: 2 → 1.82"]),
        ("ring_factor", []),  # of GPUs, which come in whole numbers
        ("leaving_factor", []),
        ("fits_under_step", []),  # a comparison has no value to raise
    ],
)
def test_an_entry_says_what_a_tenth_more_of_each_input_does(
    values: Values, entries: Mapping[str, str], quantity: str, said: list[str]
) -> None:
    lines = facts(entries[quantity]).get("With more of one input", [])
    shown = [TAG.sub(lambda tag: values.shown(tag[1].strip()).text, line) for line in lines]
    assert [re.sub("<[^>]*>", "", line) for line in shown] == said


def test_an_entry_says_what_its_formula_assumes(entries: Mapping[str, str]) -> None:
    assert facts(entries["chunk_bytes"])["Assumes"] == ["chunks of equal size."]
    assert "Assumes" not in facts(entries["gibibyte_factor"])


def test_every_time_says_what_it_assumes(model: Model) -> None:
    times = [quantity for quantity in model.quantities.values() if quantity.unit.symbol == "s" and quantity.ladder is None]
    assert len(times) > 15
    assert [quantity.name for quantity in times if not assumption(quantity.doc)] == []


def test_an_assumption_is_a_paragraph_of_its_own(model: Model) -> None:
    for quantity in model.quantities.values():
        assert len(re.findall(r"(?i)\bassum", quantity.doc)) == bool(assumption(quantity.doc)), quantity.name


def test_every_sourced_figure_has_value_source_and_date(model: Model, tables: Mapping[str, Table]) -> None:
    figures = {f"{choice}-{id}": record.figures for choice, records in model.choices.items() for id, record in records.items()}
    figures["constants-list"] = model.catalog.constants
    assert tables.keys() == {id for id, of in figures.items() if of}
    for id, table in tables.items():
        assert len(table.rows) == len(figures[id])
        for (label, value, what, _, source), figure in zip(table.rows, figures[id].values(), strict=True):
            assert (label, what) == (f"<dfn>{figure.label}</dfn>", f"<dfn>{figure.what}</dfn>")
            assert re.fullmatch(rf"{{{{ {figure.name}(\(.*\))? }}}}", value)
            assert f'<a href="{figure.url}">' in source
            assert source.endswith(f'<time datetime="{figure.checked}">{figure.checked}</time>')


@pytest.mark.parametrize(
    ("table", "figure", "mistake"),
    [
        # 1,979 of 989, 5,000 of 2,450; 900 of 450; 400 Gbit/s of 50 GB/s; 5,000 of 624; 3,200 of 400 Gbit/s.
        ("accelerator-h100", "peak of one GPU", "sparse against dense: 2×"),
        ("accelerator-gb200", "peak of one GPU", "sparse against dense: 2.04×"),
        ("accelerator-h100", "bandwidth of the link", "both directions against one: 2×"),
        ("accelerator-h100", "headline peak, with sparsity", ""),
        ("link-infiniband", "bandwidth of the link", "bits against bytes: 8×"),
        ("link-pcie_gen5", "bandwidth of the link", "both directions against one: 2×"),
        ("constants-list", "GPUs of a node", "a whole node against one GPU: 8.01×"),
        ("constants-list", "network ports of a node", "a whole node against one port: 8×"),
    ],
)
def test_the_usual_mistake_about_a_figure_is_a_computed_factor(
    values: Values, tables: Mapping[str, Table], table: str, figure: str, mistake: str
) -> None:
    (cell,) = [row[3] for row in tables[table].rows if row[0] == f"<dfn>{figure}</dfn>"]
    assert TAG.sub(lambda tag: values.shown(tag[1].strip()).text, cell).replace("\u00a0", " ") == mistake


def test_every_peak_and_every_bandwidth_has_its_mistake(tables: Mapping[str, Table]) -> None:
    rows = [
        (id, row)
        for id, table in tables.items()
        for row in table.rows
        if row[0] in ("<dfn>peak of one GPU</dfn>", "<dfn>bandwidth of the link</dfn>")
    ]
    assert len(rows) == 9 + 9 + 7
    assert [id for id, row in rows if not row[3]] == []


def test_every_expression_of_the_tables_has_a_value(values: Values, html: str, tables: Mapping[str, Table]) -> None:
    cells = [cell for table in tables.values() for row in table.rows for cell in (*row, table.caption)]
    for text in (html, *cells):
        for tag in TAG.finditer(text):
            assert values.shown(tag[0][2:-2].strip()).text


def test_meaning_and_assumption_speak_of_the_quantity() -> None:
    doc = "Return the time, in\n    seconds.\n\n    Assumes\n    much.\n\n    Source: Grandmother."
    assert (meaning(doc), assumption(doc)) == ("The time, in seconds.", "Assumes much.")
    assert assumption("Return the time.\n\n    Much is assumed.") == ""
