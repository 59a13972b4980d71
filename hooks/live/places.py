"""Where in a page's text a tag may stand: not in a heading or a title, an HTML tag, an address or a block quote."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from hooks.live.errors import LiveError

# Without braces inside, so that a mark that is not closed is found at once and does not take the next tag's end.
TAG = re.compile(r"\{\{([^{}]*)\}\}|\{%([^{}]*?)%\}")
MARKS = ("{{", "}}", "{%", "%}")
MARK = re.compile("|".join(MARKS))
# A heading, also inside a list or a quote and without a space, as Markdown reads it; the title of an admonition or a tab.
_BEFORE = r"(?:[ \t>]|[-*+][ \t]|\d+\.[ \t])*"
HEADING = re.compile(rf"{_BEFORE}(?:#|(?:!!!|\?\?\?\+?|===[!+]?)[ \t])")
UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*(?:\n|\Z)")
# A heading as an element; one that is not closed runs to the end.
HEADING_ELEMENT = re.compile(r"<(h[1-6])(?=[\s>]).*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
ANY_HEADING = re.compile(rf"^{_BEFORE}#|^[^\S\n]*\S[^\n]*\n[ \t>]*(?:=+|-+)[ \t]*$|<h[1-6][\s>]", re.MULTILINE | re.IGNORECASE)
# A definition of an address or an abbreviation: what follows becomes an attribute.
DEFINITION = re.compile(r"[ ]{0,3}\*?\[(?!\^)[^\[\]\n]+\]:")
# What a reader does not see, and where it begins: HTML tags, addresses of links, attribute lists. Each also where it is not closed.
UNSEEN = {
    "<": re.compile(r"<[A-Za-z/](?:=\s*(?:\"[^\"]*\"|'[^']*')|[^<>])*+"),
    "](": re.compile(r"\]\((?:[^\s()]|\([^\s()]*\))*+(?:\([^\s()]*)?"),
    "{": re.compile(r"\{:?[ \t]*(?:[#.][A-Za-z]|[\w-]+=)[^{}\n]*"),
}
FILL = "x"  # what stands for a character of a tag while the rest of a text is looked at
QUOTED = re.compile(r"[ \t]*>")
# What holds the lines below that are indented by four: an item of a list, a definition, an admonition, a tab, a footnote.
HOLDER = re.compile(r"(?P<item>[-*+][ \t]|\d+\.[ \t])|:[ \t]|!!!|\?\?\?|===|\[\^")
# [text](address "title"){ attributes } and ![alt](…); an expression may stand in text, alt and title.
# No character fits two ways: a pattern with a choice at each number tries them all in a text that is no link.
LINK = re.compile(
    r"(?P<image>!)?\[(?P<text>[^\[\]]*)\]"
    r"\((?P<address>(?:[^()\s\"'{}]|\([^()\s{}]*\))*)"
    r"(?:\s+(?P<quote>[\"'])(?P<title>(?:\{\{[^{}]*\}\}|(?!(?P=quote))[^{}])*)(?P=quote))?\s*\)"
    r"(?:\{(?!%):?(?P<attributes>[^{}\n]*)\})?"
)
BLANK_AFTER = re.compile(r"[ \t]*(?:\n[ \t]*(?:\n|\Z)|\Z)")


def stray(text: str) -> re.Match[str] | None:
    """Return the first mark of the page language that has no partner."""
    return _mark(_without_tags(text))


def heading_in(text: str, start: int, end: int) -> int | None:
    """Return where a heading begins between two places of ``text`` (code already blanked)."""
    found = ANY_HEADING.search(text[start:end])
    return start + found.start() if found else None


def _mark(text: str) -> re.Match[str] | None:
    # As for nearly every text, there is none; to look for plain strings is far faster than the pattern.
    return MARK.search(text) if any(mark in text for mark in MARKS) else None


def _without_tags(text: str) -> str:
    """Return ``text`` with its tags filled, at the same length."""
    return TAG.sub(lambda tag: FILL * len(tag[0]), text)


@dataclass(frozen=True)
class Places:
    """The places of a text (code already hidden) that matter to its tags."""

    text: str

    @cached_property
    def filled(self) -> str:
        """Return the text with its tags filled, at the same length."""
        return _without_tags(self.text)

    @property
    def stray(self) -> re.Match[str] | None:
        """Return the first mark of the page language that has no partner."""
        return _mark(self.filled)

    @cached_property
    def links(self) -> Mapping[int, re.Match[str]]:
        """Map the place of a tag to the image or link around it whose alt text or title holds a number: it is written as a whole."""
        links = LINK.finditer(self.text) if "](" in self.text else ()
        held = (link for link in links if _holds_number_in_attribute(link))
        return {tag.start(): link for link in held for tag in TAG.finditer(self.text, *link.span())}

    def refuse(self, tag: re.Match[str]) -> None:
        """Raise LiveError if ``tag`` may not stand where it does."""
        start = tag.start()
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", tag.end())
        if tag[2] is not None and QUOTED.match(self.text, line_start, start):
            raise LiveError("a claim, figure or table cannot stand in a block quote; move it out")
        is_heading = HEADING.match(self.text, line_start, start) or (line_end >= 0 and UNDERLINE.match(self.text, line_end + 1))
        if is_heading or start in self._in_heading_element:
            raise LiveError("a heading or title holds no numbers, since it is copied where nothing updates it; say it in the text")
        if self.text[line_start] in " \t>" and line_start in self._indented_code:
            raise LiveError(
                "indented by four spaces under nothing that holds it, this is code; "
                "indent it less, put a blank line above the list that shall hold it, or fence it to show it"
            )
        if start in self._unseen or DEFINITION.match(self.text, line_start, start):
            raise LiveError("an expression cannot stand inside an HTML tag or an address; write it in text, an alt text or a title")

    @cached_property
    def _in_heading_element(self) -> frozenset[int]:
        return frozenset(self._tags_in(HEADING_ELEMENT, "<h", "<H"))

    @cached_property
    def _unseen(self) -> frozenset[int]:
        """Return where the tags stand that would be written into an HTML tag, an address or an attribute list."""
        return frozenset(place for sign, pattern in UNSEEN.items() for place in self._tags_in(pattern, sign))

    def _tags_in(self, pattern: re.Pattern[str], *signs: str) -> Iterator[int]:
        """Yield where the tags stand inside what ``pattern`` finds, each of which holds one of ``signs``."""
        if not any(sign in self.filled for sign in signs):
            return
        for found in pattern.finditer(self.filled):
            first = bisect_left(self._starts, found.start())
            yield from self._starts[first : bisect_left(self._starts, found.end())]

    @cached_property
    def _starts(self) -> list[int]:
        return [tag.start() for tag in TAG.finditer(self.text)]

    @cached_property
    def _indented_code(self) -> frozenset[int]:
        """Return where the lines begin that Markdown takes for code: below a blank line, four deeper than what holds them."""
        found: set[int] = set()
        holders: list[int] = []
        at, below_blank, in_quote, words_at = 0, True, False, -1
        for raw in self.text.split("\n"):
            quote = QUOTED.match(raw)
            below_blank |= bool(quote) and not in_quote
            in_quote = bool(quote)
            line = raw[quote.end() :].removeprefix(" ") if quote else raw
            words = line.lstrip()
            if words:
                indent = len(line.expandtabs(4)) - len(words.expandtabs(4))
                holder = HOLDER.match(words)
                # Below the words of a paragraph an item of a list is part of them.
                holds = holder is not None and not (holder["item"] and 0 <= words_at <= indent and not below_blank)
                if below_blank or holds:
                    words_at = -1 if holds or words.startswith("#") else indent
                while (below_blank or holds) and holders and holders[-1] >= indent:
                    holders.pop()
                if below_blank and indent >= 4 * (len(holders) + 1):
                    found.add(at)
                elif holds:
                    holders.append(indent)
            # A line of code is followed by code without a blank line between.
            below_blank = not words or at in found
            at += len(raw) + 1
        return frozenset(found)

    def is_at_margin(self, tag: re.Match[str]) -> bool:
        """Tell whether nothing stands before ``tag`` on its line."""
        return tag.start() == 0 or self.text[tag.start() - 1] == "\n"

    def stands_alone(self, start: int, end: int) -> bool:
        """Tell whether what lies between has blank lines around it, so that it is a block and not part of a paragraph."""
        line_start = self.text.rfind("\n", 0, start) + 1
        line_above = self.text.rfind("\n", 0, max(0, line_start - 1)) + 1
        return not self.text[line_above:start].strip() and BLANK_AFTER.match(self.text, end) is not None

    def is_in_definition(self, start: int) -> bool:
        """Tell whether a definition (``:   words``) holds the line of ``start``; Markdown ends no block inside one."""
        indent = len(self.indent(start))
        for line in reversed(self.text[:start].split("\n")[:-1]):
            words = line.lstrip()
            if not indent:
                return False
            if words and len(line) - len(words) < indent:
                indent = len(line) - len(words)
                if words.startswith(":"):
                    return True
        return False

    def indent(self, start: int) -> str:
        """Return the white space before ``start`` on its line."""
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return line[: len(line) - len(line.lstrip())]


def _holds_number_in_attribute(link: re.Match[str]) -> bool:
    in_alt = link["image"] is not None and TAG.search(link["text"]) is not None
    return in_alt or (link["title"] is not None and TAG.search(link["title"]) is not None)
