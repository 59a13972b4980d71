"""Charts: plotly's JSON in which every number is a reference to a quantity, with its value resolved.

A figure's file builds an ordinary plotly figure from ``Number`` and ``Text``; both survive plotly's own copying.
The browser evaluates the references again for the reader's run; no figure has JavaScript of its own.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hooks.live.errors import LiveError
from hooks.live.places import TAG
from hooks.live.prose import Vocabulary, check
from hooks.live.scales import check_scales
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


class Most(float):
    """The largest of several values: where an axis ends that covers each of them. Copies as itself."""

    numbers: tuple[Number, ...]

    def __new__(cls, numbers: tuple[Number, ...]) -> "Most":
        most = super().__new__(cls, max(numbers))
        most.numbers = numbers
        return most

    def __deepcopy__(self, memo: dict[int, object]) -> "Most":
        return self


class Blocks(float):
    """One element of a data array that unfolds into the outline of a row of blocks, drawn as one shape.

    Blocks of ``width`` stand from ``start``, or from zero, to ``end`` (the last may be cut), each with a gap to the next.
    ``axis`` says whether the element stands for the outline's places along the row or for its heights.
    """

    start: Number | None
    end: Number
    width: Number
    axis: str

    def __new__(cls, start: Number | None, end: Number, width: Number, axis: str) -> "Blocks":
        blocks = super().__new__(cls, float(end))
        blocks.start, blocks.end, blocks.width, blocks.axis = start, end, width, axis
        return blocks

    def __deepcopy__(self, memo: dict[int, object]) -> "Blocks":
        return self

    @property
    def numbers(self) -> dict[str, Number]:
        """Return what the outline is made of, by name."""
        ends = {"end": self.end, "width": self.width}
        return ends if self.start is None else {"start": self.start, **ends}


@dataclass(frozen=True)
class Drawing:
    """What a figure's file returns: plotly's figure as a dict, the table of the same values, and its height in pixels.

    ``key`` says what the colours mean: the name of a swatch in the style sheet, and its words.
    A figure that is words and tables alone has no chart; its fragment is then the figure.
    """

    chart: Mapping[str, Any] | None
    table: Table | Fragment
    height: int = 320
    key: tuple[tuple[str, str], ...] = ()


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

    def most(self, *expressions: str) -> Most:
        """Return the largest value of several page expressions."""
        return Most(tuple(self.number(expression) for expression in expressions))

    def _shown(self, expression: str) -> Shown:
        try:
            return self.values.shown(expression.strip())
        except LiveError as error:
            raise LiveError(error.what, self.where) from None


def blocks(*, end: Number, width: Number, start: Number | None = None) -> tuple[list[Blocks], list[Blocks]]:
    """Return the x and y arrays of one row of blocks, from zero where there is no ``start``."""
    return [Blocks(start, end, width, "x")], [Blocks(start, end, width, "y")]


def chart_json(chart: Mapping[str, Any], vocabulary: Vocabulary, where: str) -> str:
    """Return the chart as JSON that names the quantity of every number.

    A reference is ``{"q", "set", "as", "v"}``, a text with quantities ``{"t": [...]}``, blocks ``{"blocks", ...}``,
    the largest of several ``{"most": [...]}``.

    Raises: LiveError for a bare number among the marks or on a scale, and for a typed number among the words.
    """
    encoded = _encoded(chart, "", vocabulary, where)
    check_scales(chart, (Number, Most, Blocks), where)
    return json.dumps(encoded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def numbers_in(chart: object) -> list[Shown]:
    """Return what every reference of ``chart`` shows, in order."""
    match chart:
        case Number():
            return [chart.shown]
        case Text():
            return [part for part in chart.parts if isinstance(part, Shown)]
        case Blocks():
            return [number.shown for number in chart.numbers.values()] if chart.axis == "x" else []
        case Most():
            return [number.shown for number in chart.numbers]
        case Mapping():
            return [shown for value in chart.values() for shown in numbers_in(value)]
        case list() | tuple():
            return [shown for value in chart for shown in numbers_in(value)]
    return []


def terms_in(chart: object, vocabulary: Vocabulary, key: str = "") -> Counter[str]:
    """Return how often each term stands among the words of ``chart``."""
    match chart:
        case Text():
            return sum((check(part, vocabulary)[1] for part in chart.parts if isinstance(part, str)), Counter[str]())
        case str():
            return check(chart, vocabulary)[1] if key in WORDS else Counter[str]()
        case Mapping():
            return sum((terms_in(value, vocabulary, str(name)) for name, value in chart.items()), Counter[str]())
        case list() | tuple():
            return sum((terms_in(value, vocabulary, key) for value in chart), Counter[str]())
    return Counter[str]()


def _encoded(node: object, key: str, vocabulary: Vocabulary, where: str) -> object:
    match node:
        case Number():
            return {**node.shown.reference, "v": float(node)}
        case Text():
            return {"t": [part if isinstance(part, str) else {**part.reference, "v": part.text} for part in node.parts]}
        case Blocks():
            return {"blocks": node.axis, **{name: _encoded(number, key, vocabulary, where) for name, number in node.numbers.items()}}
        case Most():
            return {"most": [_encoded(number, key, vocabulary, where) for number in node.numbers]}
        case Mapping():
            return {str(name): _encoded(value, str(name), vocabulary, where) for name, value in node.items()}
        case list() | tuple():
            if key in MARKS and any(isinstance(value, (int, float)) and not isinstance(value, (Number, Blocks)) for value in node):
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
