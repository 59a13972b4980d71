"""Pieces that the reference tables share: HTML with page expressions where numbers stand."""

from collections.abc import Iterable
from html import escape

from commcost.records import Preset, SourcedFigure


def name(text: str) -> str:
    """Return a name or a definition that the model gives; it may hold digits, since no page typed it."""
    return f"<dfn>{escape(text, quote=False)}</dfn>"


def source(figure: SourcedFigure | Preset) -> str:
    """Return where a figure was read, and when."""
    title = f"<cite>{escape(figure.source, quote=False)}</cite>"
    day = figure.checked.isoformat()
    return f'<a href="{escape(figure.url)}">{title}</a>, checked <time datetime="{day}">{day}</time>'


def sourced(expression: str, figure: SourcedFigure) -> str:
    """Return one figure as an entry of a list: its label and value, what it counts, where it was read."""
    return (
        f'<div class="entry-figure"><dt>{name(figure.label)}<b class="entry-value">{{{{ {expression} }}}}</b></dt>'
        f'<dd class="entry-what">{name(figure.what)}</dd><dd class="entry-source">{source(figure)}</dd></div>'
    )


def entry(id: str, title: str, figures: Iterable[str], note: str = "") -> str:
    """Return a card with a title and its figures."""
    head = f'<p class="entry-title"><b>{title}</b><span>{note}</span></p>'
    return f'<section class="entry" id="{id}">{head}<dl>{"".join(figures)}</dl></section>'
