"""Charts: plotly's JSON in which every number is a reference to a quantity, with its value resolved.

A figure's file builds an ordinary plotly figure from ``Number`` and ``Text``; both survive plotly's own copying.
The browser evaluates the references again for the reader's run; no figure has JavaScript of its own.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hooks.live.errors import LiveError
from hooks.live.places import TAG
from hooks.live.prose import Vocabulary, check
from hooks.live.tables import Fragment, Table
from hooks.live.values import Shown, Values

# Where plotly's JSON holds marks: an array of these must be made of quantities, or of category names.
MARKS = frozenset({"x", "y", "base", "width", "values", "error_x", "error_y"})
# Where it holds words that a reader sees.
WORDS = frozenset({"text", "name", "ticktext", "hovertext", "customdata", "title", "labels"})


class Number(float):
    """A value that knows which quantity it is. Copies as itself, since plotly copies what it is given."""

    shown: Shown

    def __new__(cls, shown: Shown) -> "Number":
        number = super().__new__(cls, float(shown.value))
        number.shown = shown
        return number

    def __deepcopy__(self, memo: dict[int, object]) -> "Number":
        return self


class Text(str):
    """Words with quantities in them. ``parts`` are strings and what the quantities show."""

    parts: tuple[str | Shown, ...]

    def __new__(cls, parts: tuple[str | Shown, ...]) -> "Text":
        text = super().__new__(cls, "".join(part if isinstance(part, str) else part.text for part in parts))
        text.parts = parts
        return text

    def __deepcopy__(self, memo: dict[int, object]) -> "Text":
        return self


class Steps(float):
    """One element of a data array that unfolds into the outline of a row of blocks, drawn as one shape.

    Blocks of ``width`` stand from ``start`` to ``end`` (the last may be cut), each with a gap to the next.
    ``axis`` says whether the element stands for the outline's places along the row or for its heights.
    """

    start: Number
    end: Number
    width: Number
    axis: str

    def __new__(cls, start: Number, end: Number, width: Number, axis: str) -> "Steps":
        steps = super().__new__(cls, float(end))
        steps.start, steps.end, steps.width, steps.axis = start, end, width, axis
        return steps

    def __deepcopy__(self, memo: dict[int, object]) -> "Steps":
        return self


@dataclass(frozen=True)
class Drawing:
    """What a figure's file returns: plotly's figure as a dict, the table of the same values, and its height in pixels.

    A figure that is words and tables alone has no chart; its fragment is then the figure.
    """

    chart: Mapping[str, Any] | None
    table: Table | Fragment
    height: int = 320


@dataclass(frozen=True)
class Pen:
    """What a figure's file draws with: the values of one run, under the figure's overrides."""

    values: Values
    vocabulary: Vocabulary
    where: str

    def number(self, expression: str) -> Number:
        """Return the value of a page expression, such as ``compute_seconds(accelerator="h100")``."""
        return Number(self._shown(expression))

    def text(self, template: str) -> Text:
        """Return ``template`` with each ``{{ expression }}`` replaced by what it shows.

        Raises: LiveError for a number, number word or comparison typed in it.
        """
        findings, _ = check(template, self.vocabulary)
        if findings:
            raise LiveError(str(findings[0]), self.where)
        parts: list[str | Shown] = []
        at = 0
        for tag in TAG.finditer(template):
            parts += [template[at : tag.start()], self._shown(tag[1] or "")]
            at = tag.end()
        return Text(tuple(part for part in (*parts, template[at:]) if part != ""))

    def steps(self, *, start: Number, end: Number, width: Number) -> tuple[list[Steps], list[Steps]]:
        """Return the x and y arrays of one row of blocks."""
        return [Steps(start, end, width, "x")], [Steps(start, end, width, "y")]

    def _shown(self, expression: str) -> Shown:
        try:
            return self.values.shown(expression.strip())
        except LiveError as error:
            raise LiveError(error.what, self.where) from None


def chart_json(chart: Mapping[str, Any], vocabulary: Vocabulary, where: str) -> str:
    """Return the chart as JSON that names the quantity of every number.

    A reference is ``{"q", "set", "as", "v"}``, a text with quantities ``{"t": [...]}``, blocks ``{"blocks", ...}``.

    Raises: LiveError for a bare number among the marks and for a typed number among the words.
    """
    return json.dumps(_encoded(chart, "", vocabulary, where), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def numbers_in(chart: object) -> list[Shown]:
    """Return what every reference of ``chart`` shows, in order."""
    match chart:
        case Number():
            return [chart.shown]
        case Text():
            return [part for part in chart.parts if isinstance(part, Shown)]
        case Steps():
            return [chart.start.shown, chart.end.shown, chart.width.shown] if chart.axis == "x" else []
        case Mapping():
            return [shown for value in chart.values() for shown in numbers_in(value)]
        case list() | tuple():
            return [shown for value in chart for shown in numbers_in(value)]
    return []


def _encoded(node: object, key: str, vocabulary: Vocabulary, where: str) -> object:
    match node:
        case Number():
            return {**node.shown.reference, "v": float(node)}
        case Text():
            return {"t": [part if isinstance(part, str) else {**part.reference, "v": part.text} for part in node.parts]}
        case Steps():
            ends = {name: _encoded(getattr(node, name), key, vocabulary, where) for name in ("start", "end", "width")}
            return {"blocks": node.axis, **ends}
        case Mapping():
            return {str(name): _encoded(value, str(name), vocabulary, where) for name, value in node.items()}
        case list() | tuple():
            if key in MARKS and any(isinstance(value, (int, float)) and not isinstance(value, (Number, Steps)) for value in node):
                raise LiveError(f"a bare number among the marks of {key!r}; draw quantities: {node!r:.80}", where)
            return [_encoded(value, key, vocabulary, where) for value in node]
        case str():
            findings = check(node, vocabulary)[0] if key in WORDS else []
            if findings:
                raise LiveError(str(findings[0]), where)
            return str(node)
        case None | bool() | int() | float():
            return node
    raise LiveError(f"a chart cannot hold {type(node).__name__}: {node!r:.80}", where)
