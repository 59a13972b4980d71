"""Figures and tables as HTML: what Python draws, written with the same numbers and the same checks as a page."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html import escape, unescape

from jinja2 import Environment
from markupsafe import Markup

from hooks.live.charts import Drawing, chart_json, numbers_in
from hooks.live.errors import LiveError
from hooks.live.places import TAG
from hooks.live.prose import Vocabulary, check
from hooks.live.tables import Fragment, Table
from hooks.live.values import Values

# Only Python code makes these: what a simulation gave, a formula, and a name or a title that the model gives.
COMPUTED = re.compile(r'<data class="illustration" value="[^"]*">[^<]*</data>|<math\b.*?</math>|<(dfn|cite|code)>[^<]*</\1>', re.DOTALL)


@dataclass
class Used:
    """What a page has shown so far: lines of ``numbers.json`` in reading order, and how often each term."""

    numbers: list[str] = field(default_factory=list)
    terms: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Hand:
    """Writes what Python made, under the overrides of one figure or table; ``where`` names it in messages."""

    values: Values
    vocabulary: Vocabulary
    templates: Environment
    used: Used
    where: str

    def figure(self, id: str, name: str, caption: str, drawing: Drawing) -> tuple[str, str | None]:
        """Return the figure as HTML that Markdown takes as one block, and its chart as JSON."""
        chart = None
        if drawing.chart is not None:
            chart = chart_json(drawing.chart, self.vocabulary, self.where)
            self.used.numbers += [shown.record for shown in numbers_in(drawing.chart)]
        html = self.templates.get_template("figure.html").render(
            id=id,
            name=name,
            caption=Markup(caption),
            takeaway=words_of(caption),
            height=drawing.height,
            has_chart=chart is not None,
            table=Markup(self.made(drawing.table)),
        )
        return one_block(html), chart

    def made(self, made: Table | Fragment) -> str:
        """Return a table or a fragment as HTML."""
        if isinstance(made, Fragment):
            return self._cell(Markup(made.html))
        return self.templates.get_template("table.html").render(
            head=[self._cell(text) for text in made.head],
            rows=[[self._cell(text) for text in row] for row in made.rows],
            caption=self._cell(made.caption),
            numeric=made.numeric,
        )

    def _cell(self, text: str) -> Markup:
        """Return page text as HTML: its words checked, and escaped unless they are HTML already."""
        is_html = isinstance(text, Markup)
        findings, terms = check(COMPUTED.sub("", text) if is_html else text, self.vocabulary)
        self.used.terms.update(terms)
        if findings:
            raise LiveError(str(findings[0]), self.where)
        out: list[str] = []
        at = 0
        for tag in TAG.finditer(text):
            words = str(text)[at : tag.start()]
            try:
                shown = self.values.shown((tag[1] or "").strip())
            except LiveError as error:
                raise LiveError(error.what, self.where) from None
            self.used.numbers.append(shown.record)
            out += [words if is_html else escape(words), shown.html]
            at = tag.end()
        rest = str(text)[at:]
        return Markup("".join(out) + (rest if is_html else escape(rest)))


def words_of(html: str) -> str:
    """Return the words of an HTML fragment."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def one_block(html: str) -> str:
    """Return HTML without blank lines, which Markdown takes as one block."""
    return re.sub(r"\n\s*\n+", "\n", html.strip()) + "\n"
