"""What the charts draw, read back from plotly and from the page's own shapes, against what their tables say.

For each figure its marks are written out from the cells of its table, in order. So a mark in a wrong row, a mark too many
or too few, a wrong value, and a number of the table that is neither drawn nor labelled all show.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.reader import READY, Reader, new_tab
from tests.support import SITES

PAGES = {
    "bill": "walkthrough-to-bill/",
    "hidden_exposed": "cost-of-communication/",
    "lanes": "work-it-out/",
    "ratio_by_card": "cost-of-communication/",
    "ring_factor": "where-2p-comes-from/",
    "transfer_times": "cost-of-communication/",
}
RUNS = ("?", "?gpus=100000&accelerator=a100&link=infiniband_edr&params=7000000000", "?gpus=1&accelerator=mi300x&link=nvlink")
TERMS = re.compile(r"\b[23]P\b")

# Bars as plotly stacked them (row, start, length) and as they were painted (start, end, in values); other traces as points.
DRAWN = """
(box) => {
  const { xaxis, yaxis, shapes, annotations } = box._fullLayout;
  const painted = Array.from(box.querySelectorAll(".trace.bars"), (bars) => Array.from(bars.querySelectorAll("path"), (path) => {
    const { x, width } = path.getBBox();
    return [xaxis.p2d(x), xaxis.p2d(x + width)];
  }));
  const bars = box._fullData.flatMap((trace, at) => (trace.type === "bar" ? [box.calcdata[at].map(({ p, b, s }) => [p, b, s])] : []));
  const lines = box._fullData.filter((trace) => trace.type !== "bar");
  return {
    hidden: box._fullData.filter(({ visible, opacity }, at) => box.data[at].x.length && (visible !== true || opacity === 0)).length,
    rows: yaxis._categories ?? [],
    bars,
    painted,
    pixel: Math.abs(xaxis.p2d(1) - xaxis.p2d(0)),
    corners: Array.from(box.querySelectorAll("path.js-fill"), (fill) => fill.getAttribute("d").match(/[MLHV]/g).length),
    lines: lines.map(({ x, y }) => Array.from(x, (place, at) => [place, y[at]])),
    texts: lines.map(({ text }) => [text ?? []].flat().filter(Boolean)),
    shapes: shapes.filter(({ visible }) => visible === true).map(({ x0, x1, y0, y1 }) => [x0, x1, y0, y1]),
    labels: annotations.filter(({ visible }) => visible).map(({ text, xref, x, y }) => [text, xref === "paper" ? null : x, y]),
    title: xaxis.title.text ?? "",
    range: xaxis.type === "log" ? xaxis.range.map((end) => 10 ** end) : xaxis.range,
    top: yaxis.range,
  };
}
"""
CELLS = """
(figure) => {
  const heads = Array.from(figure.querySelectorAll(".figure-data thead th"), (head) => head.textContent.trim());
  const cells = (row) => Array.from(row.cells, (cell) => {
    const number = cell.querySelector("data.q");
    return number && [number.dataset.q, number.dataset.set, number.value, number.textContent];
  });
  return { heads, rows: Array.from(figure.querySelectorAll(".figure-data tbody tr"), cells) };
}
"""


@dataclass(frozen=True)
class Cell:
    """A number of a table, or a name."""

    quantity: str
    set: str
    value: str
    text: str

    def __float__(self) -> float:
        return float(self.value)


class Said:
    """The numbers of a figure's table, and which of them are accounted for."""

    def __init__(self, figure: Locator) -> None:
        read = figure.evaluate(CELLS)
        self.heads: list[str] = read["heads"]
        self.rows = [[cell and Cell(*cell) for cell in row] for row in read["rows"]]
        self.used: set[tuple[int, int]] = set()

    def __call__(self, row: int, head: str) -> Cell:
        column = self.heads.index(head)
        cell = self.rows[row][column]
        assert cell is not None, (row, head)
        self.used.add((row, column))
        return cell

    def column(self, head: str) -> list[Cell]:
        return [self(row, head) for row in range(len(self.rows)) if self.rows[row][self.heads.index(head)]]

    def unused(self) -> list[Cell]:
        cells = ((row, column) for row, found in enumerate(self.rows) for column in range(len(found)))
        return [cell for at in cells if at not in self.used and (cell := self.rows[at[0]][at[1]])]


Label = tuple[float, float | None, list[Cell]]


@dataclass
class Chart:
    """What a figure must draw: stacked bars, points, shapes from left to right, labels with their place and their numbers."""

    bars: list[list[tuple[int, float, float]]] = field(default_factory=list)
    lines: list[list[tuple[float, float]]] = field(default_factory=list)
    shapes: list[tuple[float, float]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    texts: list[list[list[Cell]]] = field(default_factory=list)
    title: list[Cell] = field(default_factory=list)
    # A cell that is the sum of marks, and how far these reach.
    sums: list[tuple[Cell, float]] = field(default_factory=list)
    # The rows that each shape crosses.
    crossed: list[set[int]] = field(default_factory=list)


def lanes(said: Said) -> Chart:
    computing, exchange, half = (float(said(*at)) for at in ((0, "time"), (1, "time"), (1, "either part")))
    ghosts = [said(row, "its time") for row in (0, 1)]
    return Chart(
        bars=[[(0, 0, computing)], [(1, 0, half)], [(1, half, half)]],
        shapes=[(float(ghost), float(ghost)) for ghost in ghosts],
        crossed=[{0}, {1}],
        labels=[
            *((row, None, [said(row, "option"), said(row, "time")]) for row in (0, 1)),
            *((row, float(ghost), [said(row, "other option"), ghost]) for row, ghost in enumerate(ghosts)),
        ],
        sums=[(said(1, "time"), half + half), (said(1, "time"), exchange)],
    )


def hidden_exposed(said: Said) -> Chart:
    heads = ("forward pass", "backward pass", "hidden exchange", "exposed exchange", "both passes")
    forward, backward, hidden, exposed, both = ([float(cell) for cell in said.column(head)] for head in heads)
    cards = range(len(said.rows))
    computing, exchanging = (0, 3), (1, 4)
    return Chart(
        bars=[
            [(computing[card], 0, forward[card]) for card in cards],
            [(exchanging[card], 0, forward[card]) for card in cards],
            [(computing[card], forward[card], backward[card]) for card in cards],
            [(exchanging[card], forward[card], hidden[card]) for card in cards],
            [(exchanging[card], forward[card] + hidden[card], exposed[card]) for card in cards],
        ],
        shapes=[(end, end) for end in both],
        crossed=[{0, 1}, {3, 4}],
        labels=[
            label
            for card in cards
            for label in (
                (computing[card], None, [said(card, head) for head in ("accelerator", "forward pass", "backward pass")]),
                (exchanging[card], None, [said(card, head) for head in ("hidden exchange", "exposed exchange")]),
            )
        ],
        sums=[
            *((said(card, "both passes"), forward[card] + backward[card]) for card in cards),
            *((said(card, "whole exchange"), hidden[card] + exposed[card]) for card in cards),
        ],
    )


def ratio_by_card(said: Said) -> Chart:
    ratios = said.column("communication ÷ computing")
    said.column("accelerator")
    return Chart(
        bars=[[(row, 0, float(ratio)) for row, ratio in enumerate(ratios)]],
        shapes=[(1, 1)],
        crossed=[set(range(len(ratios)))],
        labels=[(1, None, []), *((row, float(ratio), [ratio]) for row, ratio in enumerate(ratios))],
    )


def transfer_times(said: Said) -> Chart:
    passes = [float(cell) for cell in said.column("each pass")]
    assert [cell.quantity for cell in said.column("time")] == ["quoted_all_reduce_seconds", "quoted_sharded_seconds"] * 2
    thrice = (1, 3)
    return Chart(
        bars=[
            [(row, 0, each) for row, each in enumerate(passes)],
            [(row, each, each) for row, each in enumerate(passes)],
            [(row, 2 * passes[row], passes[row]) for row in thrice],
        ],
        labels=[(row, None, [said(row, "link"), said(row, "time")]) for row in range(len(passes))],
        sums=[(said(row, "time"), each * (3 if row in thrice else 2)) for row, each in enumerate(passes)],
    )


def ring_factor(said: Said) -> Chart:
    *copies, quoted = said.column("copies sent")
    rings = said.column("ring")
    curve = [(float(gpus), float(sent)) for gpus, sent in zip(rings, copies, strict=True)]
    marked = [at for at, gpus in enumerate(rings) if gpus.set in ("example=walkthrough", "example=node", "example=cluster")]
    return Chart(
        lines=[[(curve[1][0], float(quoted)), (curve[-1][0], float(quoted))], curve, [curve[at] for at in marked]],
        texts=[[[quoted]], [], [[rings[at], copies[at]] for at in marked]],
    )


def bill(said: Said) -> Chart:
    block, half, whole = (float(said(row, "time")) for row in (0, 1, 3))
    assert (said(2, "time"), said(2, "hops")) == (said(1, "time"), said(1, "hops"))
    hops_of_a_block, hops = float(said(0, "hops")), float(said(1, "hops"))
    count = math.ceil(hops / hops_of_a_block) if hops else 0
    spans = [(start, end) for start, end in ((0, half), (half, whole), (0, whole))]
    return Chart(
        lines=[outline(count, start, end, block) for start, end in spans[:2]],
        shapes=[(half, whole), *(shape for start, end in spans for shape in ((start, end), (start, start), (end, end)))] if whole else [],
        labels=[(1.3, None, [said(row, "bytes"), said(row, "time")]) for row in (1, 2)]
        + [(2.5, None, [said(3, "bytes"), said(3, "time")])],
        title=[said(0, head) for head in ("hops", "bytes", "time")],
        sums=[(said(3, "time"), half + half), (said(3, "hops"), hops + hops)],
    )


def outline(count: int, start: float, end: float, width: float) -> list[tuple[float, float]]:
    """Return the corners of a row of blocks; between blocks stands nothing, a hair's width."""
    gap = min(0.1 * width, 0.01 * (end - start))
    points: list[tuple[float, float]] = []
    for at in range(count):
        left, right = start + at * width, end if at == count - 1 else start + (at + 1) * width - gap
        points += [(left, 0), (left, 1), (right, 1), (right, 0)]
    return points


EXPECTED: dict[str, Callable[[Said], Chart]] = {
    function.__name__: function for function in (bill, hidden_exposed, lanes, ratio_by_card, ring_factor, transfer_times)
}  # fmt: skip


def same(values: object) -> Any:
    return pytest.approx(values, rel=1e-9, abs=0)


def assert_drawn_as_said(figure: Locator) -> None:
    """Compare a figure's marks with its table, both ways."""
    name = str(figure.get_attribute("data-figure"))
    drawn, said = figure.locator(".figure-chart").evaluate(DRAWN), Said(figure)
    chart = EXPECTED[name](said)
    assert said.unused() == []
    assert drawn["hidden"] == 0
    assert len(drawn["bars"]) == len(chart.bars)
    for bars, expected in zip(drawn["bars"], chart.bars, strict=True):
        assert [row for row, *_ in bars] == [row for row, *_ in expected]
        for bar, mark in zip(bars, expected, strict=True):
            assert bar[1:] == same(mark[1:])
    for painted, expected in zip(drawn["painted"], chart.bars, strict=True):
        for ends, (_, start, length) in zip(painted, expected, strict=True):
            if length:
                assert ends == pytest.approx((start, start + length), rel=0, abs=1.5 * drawn["pixel"])
    assert len(drawn["lines"]) == len(chart.lines)
    for points, expected_points in zip(drawn["lines"], chart.lines, strict=True):
        assert len(points) == len(expected_points)
        for point, place in zip(points, expected_points, strict=True):
            assert point == same(place)
    if name == "bill":
        assert drawn["corners"] == [len(points) for points in chart.lines if points]
    assert len(drawn["shapes"]) == len(chart.shapes)
    for shape, place in zip(drawn["shapes"], chart.shapes, strict=True):
        assert shape[:2] == same(place)
    if drawn["rows"]:
        assert [{row for row in range(len(drawn["rows"])) if top <= row <= bottom} for *_, top, bottom in drawn["shapes"]] == chart.crossed
    assert len(drawn["labels"]) == len(chart.labels)
    for (text, x, y), (place, at, cells) in zip(drawn["labels"], chart.labels, strict=True):
        assert abs(y - place) < 0.4
        assert (x is None) == (at is None)
        assert at is None or x == same(at)
        assert_says(text, cells)
    for texts, expected_texts in zip(drawn["texts"], chart.texts, strict=False):
        assert len(texts) == len(expected_texts)
        for text, cells in zip(texts, expected_texts, strict=True):
            assert_says(text, cells)
    assert_says(drawn["title"], chart.title)
    for cell, end in chart.sums:
        assert float(cell) == same(end)
    if name == "ratio_by_card":
        assert drawn["rows"] == [cell.text for cell in said.column("accelerator")]
    assert_covers(drawn)


def assert_says(text: str, cells: list[Cell]) -> None:
    """Check that a label shows the texts of ``cells``, in order, and no other number."""
    rest = TERMS.sub("", re.sub(r"<[^>]*>", " ", text))
    for cell in cells:
        before, found, rest = rest.partition(cell.text)
        assert found, (text, cell)
        assert not re.search(r"\d", before), text
    assert not re.search(r"\d", rest), text


def assert_covers(drawn: dict[str, Any]) -> None:
    start, end = drawn["range"]
    ends = [bar[1] + bar[2] for bars in drawn["bars"] for bar in bars]
    ends += [x for points in drawn["lines"] for x, _ in points]
    ends += [x for shape in drawn["shapes"] for x in shape[:2]]
    if ends:
        assert max(ends) <= end * (1 + 1e-9)
        assert min(ends, default=start) >= start - 1e-9 * abs(start)
    heights = [y for points in drawn["lines"] for _, y in points]
    assert max(heights, default=0) <= max(drawn["top"])


def figures_of(page: Page, name: str) -> list[Locator]:
    figures = page.locator(f"figure[data-figure={name}]").all()
    assert figures
    for figure in figures:
        figure.scroll_into_view_if_needed()
        figure.locator("svg.main-svg").first.wait_for(timeout=15_000)
    return figures


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with new_tab(browser, address) as page:
        yield page


@pytest.mark.parametrize("site", SITES, indirect=True)
@pytest.mark.parametrize("path", sorted({*PAGES.values()}))
def test_a_chart_draws_its_table_and_nothing_else(path: str, browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": 1280, "height": 9000}) as reader:  # all figures in view, so that all follow
        reader.goes_to(path)
        reader.opens_everything()
        for run in RUNS:
            reader.reads(run)
            assert reader.line().startswith("Default run" if run == "?" else "Your run")
            for name in (name for name, page in PAGES.items() if page == path):
                for figure in figures_of(reader.page, name):
                    assert_drawn_as_said(figure)


def test_a_chart_follows_the_run_with_its_table(page: Page, address: str) -> None:
    page.goto(address + PAGES["lanes"])
    page.wait_for_function(READY)
    (figure,) = figures_of(page, "lanes")
    before = figure.locator(".figure-chart").evaluate(DRAWN)
    page.locator(".run-open").click()
    page.locator("[name=gpus]").fill("512")
    page.locator("[name=link]").select_option("pcie_gen4")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert figure.locator(".figure-chart").evaluate(DRAWN) != before
    assert_drawn_as_said(figure)


def test_what_is_out_of_view_follows_the_run_when_it_comes_into_view(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    page.goto(address + PAGES["bill"])
    page.wait_for_function(READY)
    first, second = figures_of(page, "bill")
    first.scroll_into_view_if_needed()
    page.locator(".run-open").click()
    page.locator("[name=params]").fill("7")
    for figure in (second, first):
        figure.scroll_into_view_if_needed()
        page.evaluate("new Promise((done) => setTimeout(done, 400))")
        assert_drawn_as_said(figure)


# How a chart could lie, in JavaScript over its data and layout.
LIES = {
    "rows swapped": ("hidden_exposed", "[data[2].y, data[3].y] = [data[3].y, data[2].y]"),
    "cards swapped": ("hidden_exposed", "data[4].x.reverse()"),
    "spacer gone": ("hidden_exposed", "data.splice(1, 1)"),
    "end of the passes moved": ("hidden_exposed", "layout.shapes[0].x0 = layout.shapes[0].x1 = data[2].x[0]"),
    "ghosts swapped": ("lanes", "[layout.shapes[0].x0, layout.shapes[1].x0] = [layout.shapes[1].x0, layout.shapes[0].x0]"),
    "ghosts in each other's lane": ("lanes", "for (const end of ['y0', 'y1']) { layout.shapes[0][end] += 1; layout.shapes[1][end] -= 1; }"),
    "ghost gone": ("lanes", "layout.shapes.pop()"),
    "value halved": ("lanes", "data[0].x = data[0].x.map((x) => x / 2)"),
    "half for a whole": ("lanes", "data[1].x = data[1].x.map((x) => 2 * x)"),
    "mark dropped": ("lanes", "data.pop()"),
    "mark hidden": ("lanes", "data[0].visible = false"),
    "mark doubled": ("lanes", "data.push({ ...data[0] })"),
    "empty": ("lanes", "data.length = 0"),
    "axis cut": ("lanes", "layout.xaxis.range = [0, layout.xaxis.range[1] / 4]"),
    "label of another number": ("lanes", "layout.annotations[0].text = layout.annotations[1].text"),
    "label with a digit more": ("lanes", "layout.annotations[0].text += '0'"),
    "label gone": ("ratio_by_card", "layout.annotations.pop()"),
    "bars shifted": ("ratio_by_card", "data[0].x = [...data[0].x.slice(1), data[0].x[0]]"),
    "line elsewhere": ("ratio_by_card", "layout.shapes[0].x0 = 0.5"),
    "names shifted": ("ratio_by_card", "layout.yaxis.categoryarray.reverse(); data[0].y.reverse()"),
    "pass dropped": ("transfer_times", "data[2].x.pop(); data[2].y.pop()"),
    "block dropped": ("bill", "for (const axis of ['x', 'y']) data[1][axis] = data[1][axis].slice(4)"),
    "blocks lean": ("bill", "for (const trace of data) trace.line.simplify = true"),
    "copper moved": ("bill", "data[0].x = data[0].x.map((x) => 1.1 * x)"),
    "point moved": ("ring_factor", "data[1].y[3] = 2"),
    "asymptote lower": ("ring_factor", "data[0].y = [1.9, 1.9]"),
}  # fmt: skip
LIE = """
async (box, [truth, lie]) => {
  const { data, layout } = JSON.parse(truth);
  new Function("data", "layout", lie)(data, layout);
  await Plotly.react(box, data, layout, { staticPlot: true });
}
"""


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in LIES.values()))
def test_a_lying_chart_is_found(name: str, page: Page, address: str) -> None:
    page.goto(address + PAGES[name])
    page.wait_for_function(READY)
    figure = figures_of(page, name)[0]
    chart = figure.locator(".figure-chart")
    truth = chart.evaluate("({ data, layout }) => JSON.stringify({ data, layout })")
    for lie, change in ((lie, change) for lie, (of, change) in LIES.items() if of == name):
        chart.evaluate(LIE, [truth, change])
        assert not is_drawn_as_said(figure), lie
    chart.evaluate(LIE, [truth, ""])
    assert_drawn_as_said(figure)


def is_drawn_as_said(figure: Locator) -> bool:
    try:
        assert_drawn_as_said(figure)
    except (AssertionError, ValueError):
        return False
    return True
