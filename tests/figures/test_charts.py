"""Charts: every mark is a quantity, every label stands in the table too, and every colour is one of the page's."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commcost import Model
from hooks.figures import _style as style
from hooks.live.charts import Drawing, Text, chart_json, numbers_in
from hooks.live.places import TAG
from hooks.live.prose import Vocabulary
from hooks.live.scales import has_scale
from hooks.live.tables import Table
from hooks.live.values import Shown, Values

from .conftest import FIGURES, RUNS

ROOT = Path(__file__).parent.parent.parent
CHARTS = sorted(set(FIGURES) - {"ring_states"})
Draw = Callable[..., Drawing]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", CHARTS)
def test_figure_is_drawn_for_every_run(drawn: Draw, vocabulary: Vocabulary, name: str, run: str) -> None:
    drawing = drawn(name, RUNS[run])
    assert json.loads(chart_json(drawing.chart or {}, vocabulary, name))["layout"]["height"] == drawing.height


@pytest.mark.parametrize("name", CHARTS)
def test_every_mark_is_a_reference(drawn: Draw, vocabulary: Vocabulary, name: str) -> None:
    chart = json.loads(chart_json(drawn(name, {}).chart or {}, vocabulary, name))
    marks = [mark for trace in chart["data"] for axis in "xy" for mark in trace[axis] if not isinstance(mark, str)]
    assert marks
    assert all("q" in mark or "blocks" in mark or "t" in mark for mark in marks)


@pytest.mark.parametrize("name", CHARTS)
def test_every_limit_of_an_axis_is_zero_or_a_reference(drawn: Draw, vocabulary: Vocabulary, name: str) -> None:
    layout = json.loads(chart_json(drawn(name, {}).chart or {}, vocabulary, name))["layout"]
    assert has_scale(layout, "x")
    for axis in "xy":
        if has_scale(layout, axis):
            start, end = layout[f"{axis}axis"]["range"]
            assert start == 0 or "q" in start
            assert "q" in end or all("q" in reference for reference in end["most"])


@pytest.mark.parametrize("name", CHARTS)
def test_two_drawings_are_the_same_text(drawn: Draw, vocabulary: Vocabulary, name: str) -> None:
    first, second = (chart_json(drawn(name, {}).chart or {}, vocabulary, name) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", CHARTS)
def test_chart_is_small_and_has_no_template(drawn: Draw, vocabulary: Vocabulary, name: str) -> None:
    text = chart_json(drawn(name, {}).chart or {}, vocabulary, name)
    assert '"template"' not in text
    assert len(text) < 8_000


@pytest.mark.parametrize("name", CHARTS)
def test_every_number_in_a_label_stands_in_the_table_in_the_same_form(model: Model, drawn: Draw, name: str) -> None:
    drawing = drawn(name, {})
    assert isinstance(drawing.table, Table)
    values = Values(model, model.run())
    cells = [values.shown(tag[0][2:-2].strip()) for row in drawing.table.rows for cell in row for tag in TAG.finditer(cell)]
    labels = [shown for text in texts_in(drawing.chart) for shown in numbers_in(text)]
    assert labels
    assert {(shown.name, shown.set, shown.form) for shown in labels} <= {(cell.name, cell.set, cell.form) for cell in cells}


@pytest.mark.parametrize("name", CHARTS)
def test_text_is_at_least_twelve_pixels(drawn: Draw, name: str) -> None:
    assert min(sizes_in(drawn(name, {}).chart)) >= 12


def test_light_colours_are_the_same_in_python_css_and_javascript() -> None:
    python = {value for name, value in vars(style).items() if name.isupper() and re.fullmatch(r"#[0-9a-f]{6}", str(value))}
    css = (ROOT / "docs/stylesheets/figures.css").read_text(encoding="utf-8").partition("}")[0]
    variables = dict(re.findall(r"(--figure-[\w-]+): (#[0-9a-f]{6})", css))
    javascript = dict(re.findall(r'"(#[0-9a-f]{6})": "(--[\w-]+)"', (ROOT / "docs/javascripts/theme.js").read_text(encoding="utf-8")))
    assert python == set(javascript)
    assert {name: light for light, name in javascript.items()} == variables


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_no_colour_of_its_own(drawn: Draw, vocabulary: Vocabulary, name: str) -> None:
    text = chart_json(drawn(name, {}).chart or {}, vocabulary, name)
    known = {value for key, value in vars(style).items() if key.isupper() and isinstance(value, str)}
    assert set(re.findall(r'"(#\w+|rgba?\([^)]*\))"', text)) <= known


def texts_in(node: object) -> Iterator[Text]:
    match node:
        case Text():
            if any(isinstance(part, Shown) for part in node.parts):
                yield node
        case dict():
            for value in node.values():
                yield from texts_in(value)
        case list() | tuple():
            for value in node:
                yield from texts_in(value)


def sizes_in(node: object, key: str = "") -> Iterator[float]:
    match node:
        case dict():
            for name, value in node.items():
                if "font" in key and name == "size":
                    yield value
                yield from sizes_in(value, name)
        case list() | tuple():
            for value in node:
                yield from sizes_in(value, key)
