"""Rendering: a page's source in, Markdown with every number computed out. A pure function of source, run and site.

The tags of a page are read in order; claims, captions and the page itself are frames that collect what stands in them.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

import yaml
from jinja2 import Environment
from markupsafe import Markup

from hooks.live import source as sources
from hooks.live.charts import Drawing, Pen, chart_json, numbers_in
from hooks.live.errors import LiveError, nearest
from hooks.live.expressions import Claim, Expression, expression_of
from hooks.live.prose import Finding, Vocabulary, check
from hooks.live.tables import Fragment, Table
from hooks.live.values import Shown, Values

TAG = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}", re.DOTALL)
HEADING = re.compile(r"^[ \t]{0,3}#{1,6}(?:[ \t].*|)$|^[^\n]*\S[^\n]*\n[ \t]{0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
QUOTED = re.compile(r"[ \t]*>")
# [text](address "title") and ![alt](address "title"); an expression may stand in text, alt and title.
LINK = re.compile(
    r"(?P<image>!)?\[(?P<text>(?:\{\{.*?\}\}|[^\[\]\n])*)\]\((?P<address>[^)\s\"]*)(?:[ \t]+\"(?P<title>(?:\{\{.*?\}\}|[^\"\n])*)\")?\)"
)
HTML_TAG = re.compile(r"<[A-Za-z/](?:\{\{.*?\}\}|[^<>])*>")
SIMULATED = re.compile(r'<data class="illustration" value="[^"]*">[^<]*</data>')  # only Python code makes these
OTHER_MARKS = re.compile(r"\{\{|\}\}|\{%|%\}")

DrawFigure = Callable[[Pen], Drawing]
DrawTable = Callable[[Values], Table | Fragment]


@dataclass(frozen=True)
class Engine:
    """What rendering needs beside a page: the values of a run and what the site adds to the engine."""

    values: Values
    vocabulary: Vocabulary
    figures: Mapping[str, DrawFigure]
    tables: Mapping[str, DrawTable]
    templates: Environment
    markdown: Callable[[str], str]


@dataclass(frozen=True)
class Page:
    """A rendered page. ``numbers`` and ``claims`` are lines of ``numbers.json``, kept as text to stay small."""

    markdown: str
    numbers: tuple[str, ...]
    claims: tuple[str, ...]
    terms: Mapping[str, int]
    literals: frozenset[str]


def render(text: str, where: str, engine: Engine) -> Page:
    """Return the page ``text`` with every expression, claim, table and figure written out.

    Raises: LiveError, one line "where:LINE: what; what would be right".
    """
    page = sources.read(text, where)
    writer = _Writer(page, engine)
    front = writer.front_matter()
    body = writer.body()
    return Page(
        markdown=front + sources.show_code(body) + writer.page_data(),
        numbers=tuple(writer.numbers),
        claims=tuple(writer.claims),
        terms=writer.terms,
        literals=frozenset(match[0] for code in sources.CODE.finditer(page.body) for match in TAG.finditer(code[0])),
    )


@dataclass
class _Frame:
    """A tag that is open. ``said`` collects what stands in it; a claim keeps its first sentence in ``first``."""

    kind: str
    start: int = 0
    tag_end: int = 0
    said: list[str] = field(default_factory=list)
    first: str | None = None
    # Where the numbers of each sentence begin: those of the one that does not hold are not shown.
    numbers: list[int] = field(default_factory=list)
    claim: Claim | Expression | None = None
    expression: Expression | None = None


class _Writer:
    """Walks one page once."""

    def __init__(self, page: sources.Source, engine: Engine) -> None:
        self.page, self.engine = page, engine
        self.text = sources.hide_code(page.body)
        self.numbers: list[str] = []
        self.claims: list[str] = []
        self.terms: Counter[str] = Counter()
        self.claim_spans: list[tuple[int, int]] = []
        self.data: dict[str, dict[str, Any]] = {}
        self.figures = 0
        self.frames = [_Frame("page")]

    # -- the page, piece by piece

    def front_matter(self) -> str:
        """Return the front matter with its description computed; nothing else in it may hold a number."""
        front = self.page.front
        if not front:
            return ""
        try:
            meta = yaml.safe_load(front)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise LiveError(f"front matter is not YAML: {getattr(error, 'problem', error)}", f"{self.page.where}:{mark.line + 2 if mark else 1}") from None
        if not isinstance(meta, dict):
            raise LiveError("front matter must be names with values", f"{self.page.where}:1")
        for name in ("title", "description"):
            if isinstance(meta.get(name), str):
                meta[name] = self._plain_line(name, meta[name])
        return f"---\n{yaml.safe_dump(meta, allow_unicode=True, sort_keys=False, width=10**6)}---\n"

    def body(self) -> str:
        at = 0
        self._check_marks()
        links = [link for link in LINK.finditer(self.text) if TAG.search(link[0])]
        for tag in TAG.finditer(self.text):
            if tag.start() < at:
                continue
            attribute = next((link for link in links if self._in_attribute(link, tag)), None)
            try:
                if attribute:
                    self._say(self.text[at : attribute.start()])
                    self._say(self._link(attribute))
                    at = attribute.end()
                    continue
                self._check_place(tag)
                self._say(self.text[at : tag.start()])
                at = tag.end()
                if tag[1] is not None:
                    self._say(self._number(tag[1]).html)
                else:
                    self._statement(tag)
            except LiveError as error:
                raise error if error.where else LiveError(error.what, self.page.at(tag.start())) from None
        if len(self.frames) > 1:
            open_frame = self.frames[-1]
            raise LiveError(f"{{% {open_frame.kind} %}} is not closed; add {{% end{open_frame.kind} %}}", self.page.at(open_frame.start))
        self._say(self.text[at:])
        self._check_prose()
        return "".join(self.frames[0].said)

    def page_data(self) -> str:
        """Return the page's JSON: the sentences that do not hold, the charts, the texts of attributes."""
        if not self.data:
            return ""
        # "</script>" in a text must not end the element.
        text = json.dumps(self.data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return f'\n\n<script type="application/json" id="live">{text}</script>\n'

    # -- what tags do

    def _statement(self, tag: re.Match[str]) -> None:
        keyword, _, rest = tag[2].strip().partition(" ")
        match keyword:
            case "claim":
                if self.frames[-1].kind == "claim":
                    raise LiveError("a claim cannot stand in a claim; join predicates with and, or, not")
                claim = self.engine.values.claim(rest)
                self.frames.append(_Frame("claim", tag.start(), tag.end(), claim=claim, numbers=[len(self.numbers)]))
            case "otherwise":
                frame = self._innermost("claim", "{% otherwise %}")
                if frame.first is not None:
                    raise LiveError("a second {% otherwise %} in one claim; keep one")
                frame.first, frame.said = "".join(frame.said), []
                frame.numbers.append(len(self.numbers))
            case "endclaim":
                self._end_claim(tag)
            case "figure":
                if len(self.frames) > 1:
                    raise LiveError(f"a figure cannot stand in a {self.frames[-1].kind}; move it below")
                self._check_margin(tag)
                self.frames.append(_Frame("figure", tag.start(), tag.end(), expression=self._drawn(rest, "figure", self.engine.figures)))
            case "endfigure":
                self._end_figure()
            case "table":
                if len(self.frames) > 1:
                    raise LiveError(f"a table cannot stand in a {self.frames[-1].kind}; move it below")
                self._check_margin(tag)
                self._say(self._table(self._drawn(rest, "table", self.engine.tables)))
            case _:
                known = ("claim", "otherwise", "endclaim", "figure", "endfigure", "table")
                raise LiveError(f"unknown tag {keyword!r}{nearest(keyword, known)}")

    def _end_claim(self, tag: re.Match[str]) -> None:
        frame = self._innermost("claim", "{% endclaim %}")
        assert frame.claim is not None
        self.frames.pop()
        self.claim_spans.append((frame.tag_end, tag.start()))
        values = self.engine.values
        if_true, if_false = ("".join(frame.said), None) if frame.first is None else (frame.first, "".join(frame.said))
        holds = values.holds(frame.claim)
        settable = values.settable(frame.claim)
        if if_false is None and settable:
            raise LiveError(
                f"claim {frame.claim} depends on {', '.join(sorted(settable))}, which a reader may set; add {{% otherwise %}} with what holds then",
                self.page.at(frame.start),
            )
        if if_false is None and not holds:
            raise LiveError(f"claim {frame.claim} is false; rewrite the sentence, or add {{% otherwise %}}", self.page.at(frame.start))
        said, unsaid = (if_true, if_false) if holds else (if_false or "", if_true)
        start, middle = frame.numbers[0], frame.numbers[-1] if if_false is not None else len(self.numbers)
        self.numbers[start:] = self.numbers[start:middle] if holds else self.numbers[middle:]
        id = f"c{len(self.claims) + 1}"
        is_block = self._stands_alone(frame.start, tag.end())
        if not is_block and any("\n\n" in re.sub(r"[ \t]+\n", "\n", part.strip()) for part in (said, unsaid or "")):
            raise LiveError("a claim inside a paragraph holds one paragraph; put blank lines around the claim", self.page.at(frame.start))
        if is_block:
            indent = re.search(r"[ \t]*$", self.text[: frame.start])
            self._say(f"/// html | div.claim[data-claim='{id}']\n{said.strip(chr(10))}\n{indent[0] if indent else ''}///")
        else:
            self._say(f'<span class="claim" data-claim="{id}">{said.strip()}</span>')
        entry: dict[str, Any] = {"if": _structure(frame.claim), "holds": holds}
        if unsaid is not None:
            entry["unsaid"] = self._as_html(unsaid, inline=not is_block)
        self.data.setdefault("claims", {})[id] = entry
        text = " ".join(_text(self._as_html(said, inline=not is_block)).split())
        self.claims.append(json.dumps({"claim": str(frame.claim), "holds": holds, "text": text}, ensure_ascii=False))

    def _end_figure(self) -> None:
        frame = self._innermost("figure", "{% endfigure %}")
        assert frame.expression is not None
        self.frames.pop()
        engine, name = self.engine, frame.expression.name
        caption = "".join(frame.said).strip()
        if 'class="q"' not in caption:
            raise LiveError(f"figure {name} needs a caption with a computed takeaway; write it before {{% endfigure %}}", self.page.at(frame.start))
        self.figures += 1
        where = f"figure {name}"
        values = engine.values.under(frame.expression.overrides)
        drawing = engine.figures[name](Pen(values, engine.vocabulary, where))
        id = f"f{self.figures}"
        if drawing.chart is not None:
            chart = chart_json(drawing.chart, engine.vocabulary, where)
            self.numbers += [shown.record for shown in numbers_in(drawing.chart)]
            self.data.setdefault("charts", {})[id] = json.loads(chart)
        caption_html = self._as_html(caption, inline=True)
        html = engine.templates.get_template("figure.html").render(
            id=id, name=name, caption=Markup(caption_html), takeaway=_text(caption_html), height=drawing.height,
            has_chart=drawing.chart is not None, table=Markup(self._made(drawing.table, values, where)),
        )  # fmt: skip
        self._say(_without_blank_lines(html))

    def _table(self, expression: Expression) -> str:
        values = self.engine.values.under(expression.overrides)
        return _without_blank_lines(self._made(self.engine.tables[expression.name](values), values, f"table {expression.name}"))

    def _made(self, made: Table | Fragment, values: Values, where: str) -> str:
        if isinstance(made, Fragment):
            return self._cell(made.html, values, where, is_html=True)
        return self._table_html(made, values, where)

    def _table_html(self, table: Table, values: Values, where: str) -> str:
        def cell(text: str) -> Markup:
            return Markup(self._cell(text, values, where, is_html=isinstance(text, Markup)))

        return self.engine.templates.get_template("table.html").render(
            head=[cell(text) for text in table.head],
            rows=[[cell(text) for text in row] for row in table.rows],
            caption=cell(table.caption),
            numeric=table.numeric,
        )

    def _cell(self, text: str, values: Values, where: str, *, is_html: bool) -> str:
        """Return page text built in Python as HTML; words are escaped unless they are HTML already."""
        words = SIMULATED.sub("", text) if is_html else text
        self._refuse(check(words, self.engine.vocabulary), lambda _: where)
        out: list[str] = []
        at = 0
        for tag in TAG.finditer(text):
            words = text[at : tag.start()]
            try:
                shown = values.shown((tag[1] or "").strip())
            except LiveError as error:
                raise LiveError(error.what, where) from None
            self.numbers.append(shown.record)
            out += [str(words) if is_html else escape(words), shown.html]
            at = tag.end()
        return "".join(out) + (str(text[at:]) if is_html else escape(text[at:]))

    def _number(self, text: str) -> Shown:
        shown = self.engine.values.shown(text.strip())
        self.numbers.append(shown.record)
        return shown

    def _link(self, link: re.Match[str]) -> str:
        """Return an image or link whose alt text or title holds numbers: plain text there, its parts beside it for the browser."""
        id = f"t{len(self.data.get('texts', ())) + 1}"
        parts: dict[str, list[str | dict[str, str]]] = {}
        texts = {"text": link["text"], "title": link["title"]}
        for attribute, group in (("alt", "text"), ("title", "title")):
            if texts[group] and TAG.search(texts[group]) and (group == "title" or link["image"]):
                texts[group], parts[attribute] = self._attribute(texts[group])
            elif texts[group]:
                texts[group] = TAG.sub(lambda tag: self._number(tag[1]).html, texts[group])
        self.data.setdefault("texts", {})[id] = parts
        title = f' "{texts["title"]}"' if texts["title"] else ""
        return f'{link["image"] or ""}[{texts["text"]}]({link["address"]}{title}){{: data-live="{id}" }}'

    def _attribute(self, template: str) -> tuple[str, list[str | dict[str, str]]]:
        parts: list[str | dict[str, str]] = []
        plain: list[str] = []
        at = 0
        for tag in TAG.finditer(template):
            shown = self._number(tag[1] or "")
            plain += [template[at : tag.start()], shown.text]
            parts += [template[at : tag.start()], shown.reference]
            at = tag.end()
        return "".join((*plain, template[at:])), [part for part in (*parts, template[at:]) if part]

    # -- where tags may stand

    def _check_place(self, tag: re.Match[str]) -> None:
        start = tag.start()
        line_start = self.text.rfind("\n", 0, start) + 1
        if tag[2] is not None and QUOTED.match(self.text, line_start, start):
            raise LiveError("a claim, figure or table cannot stand in a block quote; move it out")
        if any(heading.start() <= start < heading.end() for heading in self._headings):
            raise LiveError("a heading holds no numbers, since it is copied to places where nothing updates it; say it in the text below")
        for span in (*self._html_tags, *self._addresses):
            if span[0] < start < span[1]:
                raise LiveError("an expression cannot stand inside an HTML tag or an address; write it in the text, an alt text or a title")

    def _check_marks(self) -> None:
        """Refuse a mark that opens or closes nothing, and note where tags may not stand."""
        rest = TAG.sub(lambda tag: " " * len(tag[0]), self.text)
        stray = OTHER_MARKS.search(rest)
        if stray:
            raise LiveError(f"{stray[0]!r} without its partner; close it, or put it into code to show it", self.page.at(stray.start()))
        flat = TAG.sub(lambda tag: re.sub(r"[^\n]", "x", tag[0]), self.text)
        self._headings = list(HEADING.finditer(flat))
        self._html_tags = [tag.span() for tag in HTML_TAG.finditer(flat)]
        self._addresses = [link.span("address") for link in LINK.finditer(flat)]

    def _check_margin(self, tag: re.Match[str]) -> None:
        if self.text[: tag.start()].rpartition("\n")[2]:
            raise LiveError("a figure or table starts at the margin, on a line of its own")

    def _stands_alone(self, start: int, end: int) -> bool:
        """Tell whether a claim has blank lines around it, so that it is a block and not part of a paragraph."""
        before, after = self.text[:start].rstrip(" \t"), self.text[end:].lstrip(" \t")
        return (not before or before.endswith("\n\n") or bool(re.search(r"\n[ \t]*\n$", before))) and bool(
            not after or re.match(r"\n(?:[ \t]*\n|[ \t]*\Z)", after)
        )

    def _in_attribute(self, link: re.Match[str], tag: re.Match[str]) -> bool:
        for group in ("text", "title"):
            start, end = link.span(group)
            if start <= tag.start() < end and (group == "title" or link["image"]):
                return True
        # A link whose title holds a number is written as a whole, its text included.
        return bool(link["title"] and TAG.search(link["title"]) and link.start() <= tag.start() < link.end())

    def _innermost(self, kind: str, tag: str) -> _Frame:
        if self.frames[-1].kind != kind:
            raise LiveError(f"{tag} closes nothing; open {{% {kind} … %}} before it")
        return self.frames[-1]

    def _drawn(self, text: str, kind: str, known: Mapping[str, object]) -> Expression:
        expression = expression_of(text)
        if expression.form:
            raise LiveError(f"a {kind} takes no form: {expression.name}")
        if expression.name not in known:
            raise LiveError(f"unknown {kind} {expression.name!r}{nearest(expression.name, known)}")
        return expression

    # -- words

    def _check_prose(self) -> None:
        seen = sources.blank_code(self.page.body)
        self._refuse(check(seen, self.engine.vocabulary, self.claim_spans), lambda finding: self.page.at(finding.offset))

    def _plain_line(self, name: str, text: str) -> str:
        """Return a line of the front matter as plain text: it is copied into the page's head."""
        line = next((n for n, row in enumerate(self.page.front.split("\n"), start=2) if row.startswith(f"{name}:")), 1)
        where = f"{self.page.where}:{line}"
        self._refuse(check(text, self.engine.vocabulary), lambda _: where)
        if name == "title" and TAG.search(text):
            raise LiveError("a title holds no numbers, since it is copied to places where nothing updates it", where)
        try:
            return TAG.sub(lambda tag: self._number(tag[1] or "").text, text)
        except LiveError as error:
            raise LiveError(error.what, where) from None

    def _refuse(self, checked: tuple[list[Finding], Counter[str]], where: Callable[[Finding], str]) -> None:
        findings, used = checked
        self.terms.update(used)
        if findings:
            raise LiveError(str(findings[0]), where(findings[0]))

    def _as_html(self, markdown: str, *, inline: bool) -> str:
        lines = sources.show_code(markdown).strip("\n").split("\n")
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        html = self.engine.markdown("\n".join(line[indent:] for line in lines)).strip()
        paragraph = re.fullmatch(r"<p>(.*)</p>", html, re.DOTALL)
        return paragraph[1] if inline and paragraph and "<p>" not in paragraph[1] else html

    def _say(self, text: str) -> None:
        self.frames[-1].said.append(text)


def _structure(claim: Claim | Expression) -> object:
    """Return a claim as JSON that the browser evaluates: a name with overrides, or an operator with parts."""
    if isinstance(claim, Expression):
        return {"q": claim.name, "set": claim.set}
    return [claim.operator, *(_structure(part) for part in claim.parts)]


def _text(html: str) -> str:
    """Return the words of an HTML fragment."""
    return unescape(re.sub(r"<[^>]*>", "", html))


def _without_blank_lines(html: str) -> str:
    """Return HTML that Markdown takes as one block."""
    return re.sub(r"\n\s*\n+", "\n", html.strip()) + "\n"
