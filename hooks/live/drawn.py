"""Figures and tables as HTML: what Python draws, written with the same numbers and the same checks as a page."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from hooks.live.as_html import as_html, one_block, words_of
from hooks.live.charts import Pen, chart_json, numbers_in, terms_in
from hooks.live.draft import Draft, Frame
from hooks.live.errors import LiveError
from hooks.live.expressions import Expression
from hooks.live.tables import Fragment, Listing, Table
from hooks.live.values import Values

# Only Python code makes these: what a simulation gave, a formula, and a name or a title that the model gives.
COMPUTED = re.compile(r'<data class="illustration" value="[^"]*">[^<]*</data>|<math\b.*?</math>|<(bdi|dfn|cite|code)>[^<]*</\1>', re.DOTALL)


@dataclass(kw_only=True)
class OpenFigure(Frame):
    """A figure whose caption is being read, under the figure's overrides."""

    expression: Expression


def figure(frame: OpenFigure, draft: Draft, end: int) -> str:
    """Return a figure whose caption ends at ``end`` as HTML that Markdown takes as one block; its chart goes to the page's data."""
    name, caption = frame.expression.name, "".join(frame.said).strip()
    if 'class="q"' not in caption:
        raise LiveError(f"figure {name} needs a caption with a computed takeaway before {{% endfigure %}}")
    id = draft.id("f")
    caption = as_html(draft, caption, (frame.start, end), inline=True)
    pen = Pen(frame.values, draft.engine.vocabulary, f"figure {name}")
    drawing = draft.engine.figures[name](pen)
    if drawing.chart is not None:
        draft.data.setdefault("charts", {})[id] = json.loads(chart_json(drawing.chart, pen.vocabulary, pen.where))
        draft.note(numbers_in(drawing.chart))
        draft.terms += terms_in(drawing.chart, pen.vocabulary)
    html = draft.engine.templates.get_template("figure.html").render(
        id=id,
        name=name,
        caption=Markup(caption),
        takeaway=words_of(caption),
        height=drawing.height,
        has_chart=drawing.chart is not None,
        key=[(swatch, _cell(words, draft, pen.values, pen.where)) for swatch, words in drawing.key],
        table=_table(drawing.table, draft, pen.values, pen.where),
    )
    return one_block(html)


def table(expression: Expression, draft: Draft) -> str:
    """Return the table that ``expression`` names as HTML that Markdown takes as one block."""
    values = draft.engine.values.under(expression.overrides)
    return one_block(_table(draft.engine.tables[expression.name](values), draft, values, f"table {expression.name}"))


def _table(content: Table | Sequence[Table] | Fragment | Listing, draft: Draft, values: Values, where: str) -> Markup:
    def cell(text: str) -> Markup:
        return _cell(text, draft, values, where)

    if isinstance(content, Listing):
        return cell(Markup(content.html(draft.engine.appearances(draft.path))))
    if isinstance(content, Fragment):
        return cell(Markup(content.html))
    if not isinstance(content, Table):
        return Markup().join(_table(table, draft, values, where) for table in content)
    html = draft.engine.templates.get_template("table.html").render(
        id=content.id,
        head=[cell(text) for text in content.head],
        rows=[[cell(text) for text in row] for row in content.rows],
        caption=cell(content.caption),
        numeric=content.numeric,
    )
    return Markup(html)


def _cell(text: str, draft: Draft, values: Values, where: str) -> Markup:
    """Return page text as HTML: its words checked, and escaped unless they are HTML already."""
    is_html = isinstance(text, Markup)
    draft.check(COMPUTED.sub("", text) if is_html else text, lambda _: where)
    try:
        parts = draft.parts(str(text), values)
    except LiveError as error:
        raise LiveError(error.what, where) from None
    return Markup("".join(part.html if not isinstance(part, str) else part if is_html else escape(part) for part in parts))
