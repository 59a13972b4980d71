"""Pieces that the reference tables share: HTML with page expressions where numbers stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from commcost.records import Preset, SourcedFigure
from hooks.live.tables import Table


@dataclass(frozen=True)
class Mistake:
    """What a figure is usually taken for, and an expression of the factor by which that is wrong."""

    words: str
    factor: str


def name(text: str) -> Markup:
    """Return a name or a definition that the model gives; it may hold digits, since no page typed it."""
    return Markup(f"<dfn>{escape(text, quote=False)}</dfn>")


def maker(text: str) -> Markup:
    """Return a maker's name for a caption, where a definition may not stand."""
    return Markup(f"<bdi>{escape(text, quote=False)}</bdi>")


def source(read: SourcedFigure | Preset) -> Markup:
    """Return where a figure was read, and when."""
    title = f"<cite>{escape(read.source, quote=False)}</cite>"
    day = read.checked.isoformat()
    return Markup(f'<a href="{escape(read.url)}">{title}</a>, checked <time datetime="{day}">{day}</time>')


def sourced(id: str, caption: str, figures: Iterable[tuple[str, SourcedFigure]], mistakes: Mapping[str, Mistake]) -> Table:
    """Return a table of figures, each with the expression that shows it: what it counts, what it is taken for, where it was read."""
    rows = tuple(
        (name(figure.label), f"{{{{ {expression} }}}}", name(figure.what), _mistake(mistakes.get(figure.name)), source(figure))
        for expression, figure in figures
    )
    return Table(("Figure", "Value", "What it counts", "Usual mistake", "Read in"), rows, Markup(caption), numeric=False, id=id)


def _mistake(mistake: Mistake | None) -> str:
    return f"{mistake.words}: {{{{ {mistake.factor} | times(3) }}}}" if mistake else ""
