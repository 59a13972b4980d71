"""Rendering: a page's source in, Markdown with every number computed out. A pure function of source, run and site.

The tags of a page are read in order; claims, captions and the page itself are frames that collect what stands in them.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from posixpath import normpath, relpath
from typing import Any

import yaml
from jinja2 import Environment

from hooks.live import source as sources
from hooks.live.charts import Drawing, Pen
from hooks.live.drawn import Hand, Used, one_block, words_of
from hooks.live.errors import LiveError, nearest
from hooks.live.expressions import Claim, Expression, expression_of
from hooks.live.places import HEADING, TAG, Places
from hooks.live.prose import Vocabulary, check
from hooks.live.tables import Fragment, Table
from hooks.live.values import MARKUP, Shown, Values

# Where a reference link leads; what travels as HTML needs it as well.
DEFINITION = re.compile(r"^[ ]{0,3}\[(?!\^)[^\[\]\n]+\]:[^\n]*$", re.MULTILINE)
PAGE_LINK = re.compile(r'(?<= href=")(?![a-z]+:|/)([^"#]*?\.md)(?=["#])')

DrawFigure = Callable[[Pen], Drawing]
MakeTable = Callable[[Values], Table | Fragment]


@dataclass(frozen=True)
class Engine:
    """What rendering needs beside a page: the values of a run and what the site adds to the engine."""

    values: Values
    vocabulary: Vocabulary
    figures: Mapping[str, DrawFigure]
    tables: Mapping[str, MakeTable]
    templates: Environment
    markdown: Callable[[str], str]


@dataclass(frozen=True)
class Page:
    """A rendered page. ``numbers`` and ``claims`` are lines of ``numbers.json``, kept as text to stay small."""

    markdown: str
    numbers: tuple[str, ...]
    claims: tuple[str, ...]
    terms: Mapping[str, int]


def render(text: str, path: str, engine: Engine, *, where: str = "", prefix: str = "") -> Page:
    """Return the page ``text`` at ``path`` below docs/ with every expression, claim, table and figure written out.

    A text that is no page but stands on every page says ``where`` it was read and puts ``prefix`` before its ids.

    Raises: LiveError, one line "docs/path:LINE: what; what would be right".
    """
    page = sources.read(text, where or f"docs/{path}")
    writer = _Writer(page, path, engine, prefix)
    front = writer.front_matter()
    body = writer.body()
    return Page(
        # mkdocs takes lines such as "Note: …" at the very top for metadata; a blank line before them prevents that.
        markdown=(front or "\n") + sources.show_code(body) + writer.page_data(),
        numbers=tuple(writer.used.numbers),
        claims=tuple(writer.claims),
        terms=writer.used.terms,
    )


def address(path: str) -> str:
    """Return the address of the page at ``path``: "" for the home page, "reference/formulas/" for one below a folder."""
    folder, _, name = path.removesuffix(".md").rpartition("/")
    return "".join(f"{part}/" for part in (folder, "" if name == "index" else name) if part)


@dataclass
class _Frame:
    """A tag that is open. ``said`` collects what stands in it; a claim keeps its first sentence in ``first``."""

    kind: str
    tag: re.Match[str] | None = None
    said: list[str] = field(default_factory=list)
    first: str | None = None
    # Where the numbers of each sentence begin: those of the one that does not hold are not shown.
    numbers: list[int] = field(default_factory=list)
    claim: Claim | Expression | None = None
    expression: Expression | None = None


class _Writer:
    """Walks one page once."""

    def __init__(self, page: sources.Source, path: str, engine: Engine, prefix: str) -> None:
        self.page, self.path, self.engine, self.prefix = page, path, engine, prefix
        self.text = page.hidden
        self.definitions = DEFINITION.findall(page.body)
        self.used = Used()
        self.claims: list[str] = []
        self.claim_spans: list[tuple[int, int]] = []
        self.figures = 0
        self.data: dict[str, dict[str, Any]] = {}
        self.frames = [_Frame("page")]

    def front_matter(self) -> str:
        """Return the front matter with its description computed; nothing else in it may hold a number."""
        front = self.page.front
        if not front:
            return ""
        try:
            meta = yaml.safe_load(front)
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date such as 2026-13-45 is a ValueError
            mark = getattr(error, "problem_mark", None)
            problem = " ".join(str(getattr(error, "problem", error)).split())
            raise LiveError(f"front matter is not YAML: {problem}", f"{self.page.where}:{mark.line + 2 if mark else 1}") from None
        if not isinstance(meta, dict):
            raise LiveError("front matter must be names with values", f"{self.page.where}:1")
        for name in ("title", "description"):
            if name in meta:
                meta[name] = self._plain_line(name, meta[name])
        return f"---\n{yaml.safe_dump(meta, allow_unicode=True, sort_keys=False, width=10**6)}---\n"

    def body(self) -> str:
        """Return the body with its tags written out."""
        stray = Places.stray(self.text)
        if stray:
            raise LiveError(f"{stray[0]!r} without its partner; close it, or put it into code to show it", self.page.at(stray.start()))
        self.places = Places.of(self.text)
        self._check_code()
        at = 0
        for tag in TAG.finditer(self.text):
            if tag.start() < at:
                continue
            try:
                attribute = self.places.attribute(tag)
                start = attribute.start() if attribute else tag.start()
                self._say(self.text[at:start])
                at = attribute.end() if attribute else tag.end()
                self._write(tag, attribute)
            except LiveError as error:
                # What a figure or a table refuses names itself, but not the page.
                is_placed = error.where.startswith(self.page.where)
                raise error if is_placed else LiveError(str(error), self.page.at(tag.start())) from None
        open_tag = self.frames[-1].tag
        if open_tag:
            kind = self.frames[-1].kind
            raise LiveError(f"{{% {kind} %}} is not closed; add {{% end{kind} %}}", self.page.at(open_tag.start()))
        self._say(self.text[at:])
        self._check_prose()
        return "".join(self.frames[0].said)

    def page_data(self) -> str:
        """Return the page's JSON: the sentences that do not hold, the charts, the texts of attributes."""
        if not self.data:
            return ""
        # "</script>" in a text must not end the element.
        text = json.dumps(self.data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return f'\n\n<script type="application/json" class="live-data">{sources.show_code(text)}</script>\n'

    def _write(self, tag: re.Match[str], attribute: re.Match[str] | None) -> None:
        self.places.refuse(tag)
        if attribute:
            self._say(self._link(attribute))
            return
        if tag[1] is not None:
            self._say(self._number(tag[1]).html)
            return
        keyword, rest = (*tag[2].strip().split(None, 1), "", "")[:2]
        if rest and keyword in ("otherwise", "endclaim", "endfigure"):
            raise LiveError(f"{{% {keyword} %}} takes nothing: {rest.strip()!r:.80}")
        match keyword:
            case "claim":
                self._open_claim(tag, rest)
            case "otherwise":
                frame = self._innermost("claim", keyword)
                if frame.first is not None:
                    raise LiveError("a second {% otherwise %} in one claim; keep one")
                frame.first, frame.said = "".join(frame.said), []
                frame.numbers.append(len(self.used.numbers))
            case "endclaim":
                self._end_claim(tag)
            case "figure":
                self._check_margin(tag, keyword)
                self.frames.append(_Frame("figure", tag, expression=self._drawn(rest, keyword, self.engine.figures)))
            case "endfigure":
                self._end_figure()
            case "table":
                self._check_margin(tag, keyword)
                expression = self._drawn(rest, keyword, self.engine.tables)
                hand = self._hand(expression, keyword)
                self._say(one_block(hand.made(self.engine.tables[expression.name](hand.values))))
            case _:
                known = ("claim", "otherwise", "endclaim", "figure", "endfigure", "table")
                raise LiveError(f"unknown tag {keyword!r}{nearest(keyword, known)}")

    # -- claims

    def _open_claim(self, tag: re.Match[str], text: str) -> None:
        if self.frames[-1].kind == "claim":
            raise LiveError("a claim cannot stand in a claim; join predicates with and, or, not")
        self.frames.append(_Frame("claim", tag, claim=self.engine.values.claim(text), numbers=[len(self.used.numbers)]))

    def _end_claim(self, tag: re.Match[str]) -> None:
        frame = self._innermost("claim", "endclaim")
        assert frame.claim is not None
        assert frame.tag is not None
        self.frames.pop()
        self.claim_spans.append((frame.tag.end(), tag.start()))
        try:
            said, unsaid, holds = self._chosen(frame)
            start = frame.tag.start()
            block = self.places.stands_alone(start, tag.end()) and not self.places.is_in_definition(start)
            if not block and any(re.search(r"\n[ \t]*\n", part.strip()) for part in (said, unsaid or "")):
                raise LiveError("a claim inside a paragraph or a definition holds one paragraph; put blank lines around the claim")
        except LiveError as error:
            raise LiveError(error.what, self.page.at(frame.tag.start())) from None
        id = f"{self.prefix}c{len(self.claims) + 1}"
        if block:
            indent = self.places.indent(frame.tag.start())
            self._say(f"/// html | div.claim[data-claim='{id}']\n{said.strip(chr(10))}\n{indent}///")
        else:
            self._say(f'<span class="claim" data-claim="{id}">{said.strip()}</span>')
        entry: dict[str, Any] = {"if": _structure(frame.claim), "holds": holds}
        if unsaid is not None:
            entry["unsaid"] = self._as_html(unsaid, inline=not block)
        self.data.setdefault("claims", {})[id] = entry
        text = words_of(self._as_html(said, inline=not block))
        self.claims.append(json.dumps({"claim": str(frame.claim), "holds": holds, "text": text}, ensure_ascii=False))

    def _chosen(self, frame: _Frame) -> tuple[str, str | None, bool]:
        """Return the sentence that holds, the other one, and whether the claim does; drop the other one's numbers."""
        assert frame.claim is not None
        if_true, if_false = ("".join(frame.said), None) if frame.first is None else (frame.first, "".join(frame.said))
        values = self.engine.values
        holds, settable = values.holds(frame.claim), values.settable(frame.claim)
        if if_false is None and settable:
            inputs = ", ".join(sorted(settable))
            raise LiveError(f"claim {frame.claim} depends on {inputs}, which a reader may set; add {{% otherwise %}} with what holds then")
        if if_false is None and not holds:
            raise LiveError(f"claim {frame.claim} is false; rewrite the sentence, or add {{% otherwise %}}")
        numbers = self.used.numbers
        start, middle = frame.numbers[0], frame.numbers[-1] if if_false is not None else len(numbers)
        numbers[start:] = numbers[start:middle] if holds else numbers[middle:]
        return (if_true, if_false, True) if holds else (if_false or "", if_true, False)

    # -- figures and tables

    def _end_figure(self) -> None:
        frame = self._innermost("figure", "endfigure")
        assert frame.expression is not None
        self.frames.pop()
        name, caption = frame.expression.name, "".join(frame.said).strip()
        if 'class="q"' not in caption:
            raise LiveError(f"figure {name} needs a caption with a computed takeaway before {{% endfigure %}}")
        self.figures += 1
        id = f"{self.prefix}f{self.figures}"
        hand = self._hand(frame.expression, "figure")
        drawing = self.engine.figures[name](Pen(hand.values, self.engine.vocabulary, hand.where))
        html, chart = hand.figure(id, name, self._as_html(caption, inline=True), drawing)
        if chart is not None:
            self.data.setdefault("charts", {})[id] = json.loads(chart)
        self._say(html)

    def _hand(self, expression: Expression, kind: str) -> Hand:
        engine = self.engine
        values = engine.values.under(expression.overrides)
        return Hand(values, engine.vocabulary, engine.templates, self.used, f"{kind} {expression.name}")

    def _drawn(self, text: str, kind: str, known: Mapping[str, object]) -> Expression:
        expression = expression_of(text)
        if expression.form:
            raise LiveError(f"a {kind} takes no form: {expression.name}")
        if expression.name not in known:
            raise LiveError(f"unknown {kind} {expression.name!r}{nearest(expression.name, known)}")
        self.engine.values.under(expression.overrides)  # refuses here, not where the figure closes
        return expression

    def _check_margin(self, tag: re.Match[str], kind: str) -> None:
        if len(self.frames) > 1:
            raise LiveError(f"a {kind} cannot stand in a {self.frames[-1].kind}; move it below")
        if not self.places.is_at_margin(tag):
            raise LiveError(f"a {kind} starts at the margin, on a line of its own")

    def _innermost(self, kind: str, keyword: str) -> _Frame:
        if self.frames[-1].kind != kind:
            raise LiveError(f"{{% {keyword} %}} closes nothing; open {{% {kind} … %}} before it")
        return self.frames[-1]

    # -- numbers and words

    def _number(self, text: str) -> Shown:
        shown = self.engine.values.shown(text.strip())
        self.used.numbers.append(shown.record)
        return shown

    def _link(self, link: re.Match[str]) -> str:
        """Return an image or link whose alt text or title holds numbers: plain text there, its parts beside it for the browser."""
        parts: dict[str, list[str | dict[str, str]]] = {}
        text, title, quote = link["text"], link["title"] or "", link["quote"]
        if "{%" in text + title:
            raise LiveError("a claim cannot stand in an alt text, or in a link with a number in its title; say it in the text")
        in_link = self._attribute("alt", text, parts) if link["image"] else TAG.sub(lambda tag: self._number(tag[1] or "").html, text)
        title = self._attribute("title", title, parts)
        id = f"{self.prefix}t{len(self.data.get('texts', ())) + 1}"
        self.data.setdefault("texts", {})[id] = parts
        quoted = f" {quote}{title}{quote}" if title else ""
        attributes = f'data-live="{id}" {(link["attributes"] or "").strip()}'.strip()
        return f"{link['image'] or ''}[{in_link}]({link['address']}{quoted}){{: {attributes} }}"

    def _attribute(self, attribute: str, template: str, into: dict[str, list[str | dict[str, str]]]) -> str:
        """Return ``template`` as plain text; note its parts where it holds a number."""
        plain: list[str] = []
        parts: list[str | dict[str, str]] = []
        at = 0
        for tag in TAG.finditer(template):
            shown = self._number(tag[1] or "")
            plain += [template[at : tag.start()], shown.text.translate(MARKUP)]
            parts += [template[at : tag.start()], shown.reference]
            at = tag.end()
        if parts:
            into[attribute] = [part for part in (*parts, template[at:]) if part]
        return "".join((*plain, template[at:]))

    def _plain_line(self, name: str, text: object) -> str:
        """Return a line of the front matter as plain text: it is copied into the page's head."""
        line = next((n for n, row in enumerate(self.page.front.split("\n"), start=2) if row.startswith(f"{name}:")), 1)
        where = f"{self.page.where}:{line}"
        if not isinstance(text, str):
            raise LiveError(f"the {name} must be a text, in quotes: {text!r}", where)
        findings, used = check(text, self.engine.vocabulary)
        self.used.terms.update(used)
        if findings:
            raise LiveError(str(findings[0]), where)
        if name == "title" and TAG.search(text):
            raise LiveError("a title holds no numbers, since it is copied to places where nothing updates it", where)
        try:
            return TAG.sub(lambda tag: self._number(tag[1] or "").text, text)
        except LiveError as error:
            raise LiveError(error.what, where) from None

    def _check_code(self) -> None:
        """Refuse a heading that shows a tag as code: where a heading is copied to, it is code no more."""
        for code in self.page.code:
            line_start = self.page.body.rfind("\n", 0, code.start()) + 1
            if HEADING.match(self.page.body, line_start, code.start()) and TAG.search(code[0]):
                raise LiveError("a heading cannot show a tag, even as code; show it in the text", self.page.at(code.start()))

    def _check_prose(self) -> None:
        findings, used = check(self.page.blanked, self.engine.vocabulary, self.claim_spans)
        self.used.terms.update(used)
        if findings:
            raise LiveError(str(findings[0]), self.page.at(findings[0].offset))

    def _as_html(self, markdown: str, *, inline: bool) -> str:
        """Return what travels as HTML (a caption, an unsaid sentence), with its links to pages resolved."""
        lines = sources.show_code(markdown).strip("\n").split("\n")
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        text = "\n".join((*(line[indent:] for line in lines), "", *self.definitions))
        html = self.engine.markdown(text).strip()
        paragraph = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.DOTALL)
        return PAGE_LINK.sub(self._page_link, paragraph[1] if inline and paragraph else html)

    def _page_link(self, link: re.Match[str]) -> str:
        folder = self.path.rpartition("/")[0]
        target = address(normpath(f"{folder}/{link[1]}" if folder else link[1]))
        return relpath(target or ".", address(self.path) or ".") + "/"

    def _say(self, text: str) -> None:
        self.frames[-1].said.append(text)


def _structure(claim: Claim | Expression) -> object:
    """Return a claim as JSON that the browser evaluates: a name with overrides, or an operator with parts."""
    if isinstance(claim, Expression):
        return {"q": claim.name, "set": claim.set}
    return [claim.operator, *(_structure(part) for part in claim.parts)]
