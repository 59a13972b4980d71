"""What the catalogue holds, once it is read: inputs, choices and their records, sourced figures, examples and presets."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from commcost.units import PERCENT, Unit, in_base_unit

EXAMPLE = "example"  # the override that stands for a whole example
OTHER = "other"  # the choice that stands for the partner of the one chosen


@dataclass(frozen=True)
class SourcedFigure:
    """One physical figure: its value in the base unit, what it is, and the document it was read in."""

    name: str
    label: str
    symbol: str
    unit: Unit
    value: float
    what: str
    source: str
    url: str
    checked: date


@dataclass(frozen=True)
class Record:
    """One accelerator or one link, and ``where`` it stands. ``name`` is None where another choice's record names it (its own link)."""

    where: str
    id: str
    name: str | None
    other: str
    details: Mapping[str, str]
    figures: Mapping[str, SourcedFigure]


@dataclass(frozen=True)
class Input:
    """What a reader may set: a number within bounds, or (``unit`` is None) a choice among records."""

    name: str
    label: str
    symbol: str
    unit: Unit | None
    default: float | str
    low: float = -math.inf
    low_is_open: bool = False
    high: float = math.inf
    step: float = 1.0  # what an arrow key moves the field by
    whole: bool = False
    field: str = ""  # what stands beside the field in which people type: "billion", "%"
    slider: str = ""
    slider_max: float = 1.0

    @property
    def field_exponent(self) -> int | None:
        """Return the power of ten of what is typed ("30" billion); None for a word that is no prefix of the unit."""
        powers = {prefix.word: prefix.exponent for prefix in self.unit.prefixes} if self.unit else {}
        return {"%": PERCENT, **powers}.get(self.field)

    @property
    def rule(self) -> str:
        """Return the bounds in words, for messages."""
        low = f"{'above' if self.low_is_open else 'at least'} {self.low:,.16g}"
        return f"must be {'a whole number, ' if self.whole else ''}{low} and at most {self.high:,.16g}"

    def accepts(self, value: float) -> bool:
        """Tell whether ``value`` is within the bounds; NaN never is."""
        above = value > self.low if self.low_is_open else value >= self.low
        return above and value <= self.high and math.isfinite(value) and (not self.whole or value == math.floor(value))

    def slides_to(self, end: float) -> bool:
        """Tell whether a slider can end at ``end``: a linear one counts in what is typed, a doubling one in powers of two."""
        if end <= 1 or end != math.floor(end):
            return False
        if self.slider == "doubling":
            return math.frexp(end)[0] == 0.5 and self.accepts(end)
        return self.accepts(in_base_unit(end, self.field_exponent or 0))


@dataclass(frozen=True)
class Example:
    """Named overrides of inputs, for the text."""

    name: str
    label: str
    overrides: Mapping[str, float | str]


@dataclass(frozen=True)
class Multiple:
    """A what-if: one input as a multiple of what it is, such as a tenth more; ``of`` are the inputs of which that makes sense."""

    name: str
    label: str
    factor: float
    of: tuple[str, ...]


@dataclass(frozen=True)
class Preset:
    """A published run: every input, and the document it was read in."""

    name: str
    label: str
    what: str
    source: str
    url: str
    checked: date
    settings: Mapping[str, float | str]


@dataclass(frozen=True)
class FigureKind:
    """A figure that each record of a choice may give: its meaning is the same in all of them."""

    name: str
    label: str
    symbol: str
    unit: Unit


@dataclass(frozen=True)
class Catalog:
    """Everything that is written down rather than computed; records overlay in the order of ``choices``.

    ``prose`` are the labels and the texts about what was read, by file and key.
    """

    inputs: Mapping[str, Input]
    choices: Mapping[str, Mapping[str, Record]]
    kinds: Mapping[str, FigureKind]
    constants: Mapping[str, SourcedFigure]
    examples: Mapping[str, Example]
    multiples: Mapping[str, Multiple]
    presets: Mapping[str, Preset]
    prose: Mapping[str, str]


Entry: TypeAlias = SourcedFigure | FigureKind | Input
Setting: TypeAlias = float | str
