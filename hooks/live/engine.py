"""What rendering needs beside a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment

from hooks.live.charts import Drawing, Pen
from hooks.live.prose import Vocabulary
from hooks.live.tables import Appearances, Fragment, Listing, Table
from hooks.live.values import Shown, Values

DrawFigure = Callable[[Pen], Drawing]
MakeTable = Callable[[Values], Table | Sequence[Table] | Fragment | Listing]


@dataclass(frozen=True)
class Engine:
    """The values of a run and what the site adds to the engine.

    ``files`` are all files below docs/, to which a link can lead; none means that links are not checked.
    ``has_ledger`` says whether each page ends with its ledger; ``appearances`` finds where names appear, for the page at a path;
    ``stated`` are numbers that stand on every page beside its own.
    """

    values: Values
    vocabulary: Vocabulary
    figures: Mapping[str, DrawFigure]
    tables: Mapping[str, MakeTable]
    templates: Environment
    markdown: Callable[[str], str]
    files: frozenset[str] = frozenset()
    has_ledger: bool = True
    appearances: Callable[[str], Appearances] = lambda path: {}
    stated: tuple[Shown, ...] = ()
