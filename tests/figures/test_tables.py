"""The reference tables: nothing of the model or the catalogue is left out, and every figure has its source and date."""

import re

import pytest

from commcost import Model
from hooks.live.places import TAG
from hooks.live.tables import Fragment
from hooks.live.values import Values
from hooks.tables import accelerators, constants, formulas, links
from hooks.tables.formulas import meaning


@pytest.fixture(scope="module")
def values(model: Model) -> Values:
    return Values(model, model.run())


def test_every_quantity_has_an_entry_that_can_be_linked(model: Model, values: Values) -> None:
    html = formulas.make(values).html
    assert re.findall(r'id="formula-(\w+)"', html) == list(model.quantities)
    assert set(re.findall(r'href="#formula-(\w+)"', html)) <= set(model.quantities)
    assert html.count('<math display="block">') == len(model.quantities)


def test_every_sourced_figure_has_value_source_and_date(model: Model, values: Values) -> None:
    made = {"accelerator": accelerators.make(values), "link": links.make(values)}
    for choice, fragment in made.items():
        figures = [figure for record in model.choices[choice].values() for figure in record.figures.values()]
        assert_sourced(fragment, len(figures))
    assert_sourced(constants.make(values), len(model.catalog.constants))


def assert_sourced(fragment: Fragment, figures: int) -> None:
    assert figures
    for part in (r'<b class="entry-value">\{\{', r'<a href="https?://', "<cite>", r'<time datetime="\d{4}-\d\d-\d\d">'):
        assert len(re.findall(part, fragment.html)) == figures


def test_every_expression_of_the_tables_has_a_value(values: Values) -> None:
    for table in (accelerators, constants, formulas, links):
        for tag in TAG.finditer(table.make(values).html):
            assert values.shown(tag[0][2:-2].strip()).text


def test_meaning_speaks_of_the_quantity() -> None:
    assert meaning("Return the time, in\n    seconds.\n\n    Assumes much.") == "The time, in seconds."
