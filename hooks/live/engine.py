"""What rendering needs beside a page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jinja2 import Environment

from hooks.live.charts import Drawing, Pen
from hooks.live.prose import Vocabulary
from hooks.live.tables import Fragment, Table
from hooks.live.values import Values

DrawFigure = Callable[[Pen], Drawing]
MakeTable = Callable[[Values], Table | Fragment]


@dataclass(frozen=True)
class Engine:
    """The values of a run and what the site adds to the engine.

    ``files`` are all files below docs/, to which a link can lead; none means that links are not checked.
    ``has_ledger`` says whether each page ends with its ledger.
    """

    values: Values
    vocabulary: Vocabulary
    figures: Mapping[str, DrawFigure]
    tables: Mapping[str, MakeTable]
    templates: Environment
    markdown: Callable[[str], str]
    files: frozenset[str] = frozenset()
    has_ledger: bool = True
