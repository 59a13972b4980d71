"""Tables built in Python: cells are inline page text, so that their numbers are computed like any other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup, escape

from hooks.live.forms import js_number


@dataclass(frozen=True)
class Table:
    """A table. The first cell of each row is its heading; ``caption`` says what the table shows.

    ``numeric`` tables align their cells to the right. Cells are page text: ``{{ name | form }}`` and words, or such text in HTML.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    numeric: bool = True
    id: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"a row of {len(row)} cells below a head of {len(self.head)}: {row!s:.80}")


@dataclass(frozen=True)
class Fragment:
    """A piece of a generated page that is more than a table: page text in HTML, with ``{{ name }}`` where numbers stand."""

    html: str


@dataclass(frozen=True)
class Appearance:
    """A page on which a name appears: its title, and where it lies from the page that lists it."""

    title: str
    href: str


Appearances: TypeAlias = Mapping[str, tuple[Appearance, ...]]


@dataclass(frozen=True)
class Listing:
    """A fragment that says on which pages names appear, and so is written when the other pages are rendered."""

    html: Callable[[Appearances], str]


def simulated(value: float) -> Markup:
    """Return a number that a simulation gave: an illustration, which does not follow the run."""
    text = js_number(value)
    return Markup('<data class="illustration" value="{}">{}</data>').format(text, escape(text))
