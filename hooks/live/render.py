"""Rendering: a page's source in, Markdown with every number computed out. A pure function of source, run and site.

The tags of a page are read in order; claims, captions and the page itself are frames that collect what stands in them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from hooks.live import attributes, claims, drawn, source
from hooks.live.cells import labelled
from hooks.live.claims import OpenClaim
from hooks.live.draft import Draft, Frame
from hooks.live.drawn import OpenFigure
from hooks.live.engine import Engine
from hooks.live.errors import LiveError, nearest
from hooks.live.expressions import Expression, expression_of
from hooks.live.front_matter import front_matter
from hooks.live.ledger import ledger
from hooks.live.places import HEADING, TAG, Places, heading_in
from hooks.live.values import Shown, Values

OPENS = {OpenClaim: "claim", OpenFigure: "figure"}
Open = TypeVar("Open", OpenClaim, OpenFigure)


@dataclass(frozen=True)
class Page:
    """A rendered page: its ``words``, which are Markdown, and its ``end``, HTML already: the ledger, and what the browser needs.

    ``numbers`` and ``claims`` are lines of ``numbers.json``, kept as text to stay small.
    ``used`` are the numbers in either sentence of its claims; ``names`` are theirs, and those of the claims.
    """

    words: str
    end: str
    numbers: tuple[str, ...]
    claims: tuple[str, ...]
    terms: Mapping[str, int]
    names: frozenset[str] = frozenset()
    used: tuple[Shown, ...] = ()

    @property
    def markdown(self) -> str:
        """Return all of it as one text, for a generator that knows Markdown only."""
        return f"{self.words}\n\n{self.end}\n" if self.end else self.words


def render(text: str, path: str, engine: Engine, *, where: str = "", prefix: str = "") -> Page:
    """Return the page ``text`` at ``path`` below docs/ with every expression, claim, table and figure written out.

    A text that is no page but stands on every page says ``where`` it was read and puts ``prefix`` before its ids.

    Raises: LiveError, one line "docs/path:LINE: what; what would be right".
    """
    draft = Draft(source.read(text, where or f"docs/{path}"), path, engine, prefix)
    front = front_matter(draft)
    body = labelled(source.show_code(_Walk(draft).body()))
    end = [_ledger(draft).strip()] if not prefix and engine.has_ledger else []
    return Page(
        # mkdocs takes lines such as "Note: …" at the very top for metadata; a blank line before them prevents that.
        words=(front or "\n") + body,
        end="\n".join(part for part in (*end, draft.data_element()) if part),
        numbers=tuple(shown.record for shown in draft.shown),
        claims=tuple(draft.claims),
        terms=draft.terms,
        names=frozenset(name for name, *_ in draft.used) | draft.predicates,
        used=tuple(draft.used.values()),
    )


def _ledger(draft: Draft) -> str:
    """Return the page's ledger; what the browser needs beside it goes to the page's data."""
    found = ledger((*draft.used.values(), *draft.engine.stated), draft.engine.values, draft.engine.templates)
    draft.data |= {kind: entries for kind, entries in (("rows", found.rows), ("sources", found.sources)) if entries}
    return found.html


class _Walk:
    """A walk through one page, once: what is open, and where the claims stood."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.text = draft.source.hidden
        self.places = Places(self.text)
        self.frames = [Frame(draft.engine.values)]
        self.claim_spans: list[tuple[int, int]] = []

    def body(self) -> str:
        """Return the body with its tags written out."""
        self._check_marks()
        at = 0
        for tag in TAG.finditer(self.text):
            if tag.start() < at:  # in a link that is written already
                continue
            link = self.places.links.get(tag.start())
            start, end = (link or tag).span()
            self._say(self.text[at:start])
            at = end
            try:
                self.places.refuse(tag)
                self._say(attributes.written(self.draft, link, self._values) if link else self._written(tag))
            except LiveError as error:
                raise self._placed(error, tag.start()) from None
        self._check_closed()
        self._say(self.text[at:])
        self.draft.check(self.draft.source.blanked, self.draft.source.at, self.claim_spans)
        return "".join(self.frames[0].said)

    def _written(self, tag: re.Match[str]) -> str:
        """Return what ``tag`` becomes; what it opens says nothing before it closes."""
        if tag[1] is not None:
            return self.draft.number(tag[1], self._values).html
        keyword, rest = (*tag[2].strip().split(None, 1), "", "")[:2]
        if rest and keyword in ("otherwise", "endclaim", "endfigure"):
            raise LiveError(f"{{% {keyword} %}} takes nothing: {rest.strip()!r:.80}")
        match keyword:
            case "claim":
                self._open_claim(tag, rest)
            case "otherwise":
                claim = self._innermost(OpenClaim, keyword)
                self._check_headings(claim, tag)
                claims.otherwise(claim, self.draft, tag.end())
            case "endclaim":
                return self._end_claim(tag)
            case "figure":
                self._check_margin(tag, keyword)
                expression = self._named(rest, keyword, self.draft.engine.figures)
                self.frames.append(OpenFigure(self._values.under(expression.overrides), tag.start(), tag.end(), expression=expression))
            case "endfigure":
                figure = self._innermost(OpenFigure, keyword)
                self._check_headings(figure, tag)
                self.frames.pop()
                return drawn.figure(figure, self.draft, tag.start())
            case "table":
                self._check_margin(tag, keyword)
                return drawn.table(self._named(rest, keyword, self.draft.engine.tables), self.draft)
            case "endtable":
                raise LiveError("{% endtable %} closes nothing; a table has no end tag")
            case _:
                known = ("claim", "otherwise", "endclaim", "figure", "endfigure", "table")
                raise LiveError(f"unknown tag {keyword!r}{nearest(keyword, known)}")
        return ""

    def _open_claim(self, tag: re.Match[str], text: str) -> None:
        if isinstance(self.frames[-1], OpenClaim):
            raise LiveError("a claim cannot stand in a claim; join predicates with and, or, not")
        claim = self._values.claim(text)
        self.frames.append(OpenClaim(self._values, tag.start(), tag.end(), claim=claim, numbers_before=len(self.draft.shown)))

    def _end_claim(self, tag: re.Match[str]) -> str:
        frame = self._innermost(OpenClaim, "endclaim")
        self._check_headings(frame, tag)
        self.frames.pop()
        self.claim_spans.append((frame.start, tag.start()))
        is_block = self.places.stands_alone(frame.start, tag.end()) and not self.places.is_in_definition(frame.start)
        try:
            return claims.written(frame, self.draft, tag.start(), is_block=is_block, indent=self.places.indent(frame.start))
        except LiveError as error:
            raise self._placed(error, frame.start) from None

    @property
    def _values(self) -> Values:
        return self.frames[-1].values

    def _innermost(self, kind: type[Open], keyword: str) -> Open:
        frame = self.frames[-1]
        if not isinstance(frame, kind):
            raise LiveError(f"{{% {keyword} %}} closes nothing; open {{% {OPENS[kind]} … %}} before it")
        return frame

    def _named(self, text: str, kind: str, known: Mapping[str, object]) -> Expression:
        """Return the expression that names a figure or a table."""
        expression = expression_of(text)
        if expression.form:
            raise LiveError(f"a {kind} takes no form: {expression.name}")
        if expression.name not in known:
            raise LiveError(f"unknown {kind} {expression.name!r}{nearest(expression.name, known)}")
        return expression

    def _say(self, text: str) -> None:
        self.frames[-1].said.append(text)

    # -- what is refused

    def _placed(self, error: LiveError, offset: int) -> LiveError:
        """Return ``error`` with its line; what a figure or a table refuses names itself, but not the page; another page names itself."""
        return error if error.where.startswith((self.draft.source.where, "docs/")) else LiveError(str(error), self.draft.source.at(offset))

    def _check_marks(self) -> None:
        """Refuse a mark without its partner, and a heading that shows a tag as code: where a heading is copied to, it is code no more."""
        page = self.draft.source
        stray = self.places.stray
        if stray:
            raise LiveError(f"{stray[0]!r} without its partner; close it, or put it into code to show it", page.at(stray.start()))
        for code in page.code:
            line_start = page.body.rfind("\n", 0, code.start()) + 1
            if HEADING.match(page.body, line_start, code.start()) and TAG.search(code[0]):
                raise LiveError("a heading cannot show a tag, even as code; show it in the text", page.at(code.start()))

    def _check_margin(self, tag: re.Match[str], kind: str) -> None:
        if len(self.frames) > 1:
            raise LiveError(f"a {kind} cannot stand in a {self._kind}; move it below")
        if not self.places.is_at_margin(tag):
            raise LiveError(f"a {kind} starts at the margin, on a line of its own")

    def _check_headings(self, frame: Frame, tag: re.Match[str]) -> None:
        """Refuse a heading in what ends at ``tag``: of two sentences only one is in the table of contents, and a caption never is."""
        place = heading_in(self.draft.source.blanked, frame.inner, tag.start())
        if place is not None:
            raise LiveError(f"a heading cannot stand in a {self._kind}; move it out", self.draft.source.at(place))

    def _check_closed(self) -> None:
        if len(self.frames) > 1:
            kind = self._kind
            raise LiveError(f"{{% {kind} %}} is not closed; add {{% end{kind} %}}", self.draft.source.at(self.frames[-1].start))

    @property
    def _kind(self) -> str:
        return next(kind for frame, kind in OPENS.items() if isinstance(self.frames[-1], frame))
