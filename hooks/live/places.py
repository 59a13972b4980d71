"""Where in a page's text a tag may stand: not in a heading or a title, an HTML tag, an address or a block quote."""

import re
from dataclasses import dataclass
from functools import cached_property

from hooks.live.errors import LiveError

# Without braces inside, so that a mark that is not closed is found at once and does not take the next tag's end.
TAG = re.compile(r"\{\{([^{}]*)\}\}|\{%([^{}]*?)%\}")
# A heading, also inside a list or a quote and without a space, as Markdown reads it; the title of an admonition or a tab.
HEADING = re.compile(r"(?:[ \t>]|[-*+][ \t]|\d+\.[ \t])*(?:#|(?:!!!|\?\?\?\+?|===[!+]?)[ \t])")
UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*(?:\n|\Z)")
# A definition of an address or an abbreviation: what follows becomes an attribute.
DEFINITION = re.compile(r"[ ]{0,3}\*?\[(?!\^)[^\[\]\n]+\]:")
# What stands before a place inside an HTML tag or inside the address of a link.
OPEN_TAG = re.compile(r"<[A-Za-z/][^<>]*\Z")
OPEN_ADDRESS = re.compile(r"\]\((?:[^\s()]|\([^\s()]*\))*(?:\([^\s()]*)?\Z")
REACH = 400  # how far back an open HTML tag or address is looked for
QUOTED = re.compile(r"[ \t]*>")
# What holds the lines below that are indented by four: an item of a list, a definition, an admonition, a tab, a footnote.
HOLDER = re.compile(r"[-*+:][ \t]|\d+\.[ \t]|!!!|\?\?\?|===|\[\^")
# [text](address "title"){ attributes } and ![alt](…); an expression may stand in text, alt and title.
# No character fits two ways: a pattern with a choice at each number tries them all in a text that is no link.
LINK = re.compile(
    r"(?P<image>!)?\[(?P<text>[^\[\]]*)\]"
    r"\((?P<address>(?:[^()\s\"']|\([^()\s]*\))*)"
    r"(?:\s+(?P<quote>[\"'])(?P<title>(?:\{\{[^{}]*\}\}|(?!(?P=quote))[^{}])*)(?P=quote))?\s*\)"
    r"(?:\{:?(?P<attributes>[^{}\n]*)\})?"
)
BLANK_AFTER = re.compile(r"[ \t]*(?:\n[ \t]*(?:\n|\Z)|\Z)")
MARKS = re.compile(r"\{\{|\}\}|\{%|%\}")


@dataclass(frozen=True)
class Places:
    """The places of a text (code already hidden) that matter to its tags.

    ``attributes`` are the images and links whose alt text or title holds a number.
    """

    text: str
    attributes: tuple[re.Match[str], ...]

    @classmethod
    def of(cls, text: str) -> "Places":
        """Return the places of ``text``."""
        links = LINK.finditer(text) if "](" in text else ()
        return cls(text, tuple(link for link in links if _holds_number_in_attribute(link)))

    @staticmethod
    def stray(text: str) -> re.Match[str] | None:
        """Return the first mark of the page language that has no partner."""
        return MARKS.search(TAG.sub(lambda tag: " " * len(tag[0]), text))

    def attribute(self, tag: re.Match[str]) -> re.Match[str] | None:
        """Return the image or link around ``tag`` whose alt text or title holds a number: it is written as a whole."""
        return next((link for link in self.attributes if link.start() <= tag.start() < link.end()), None)

    def refuse(self, tag: re.Match[str]) -> None:
        """Raise LiveError if ``tag`` may not stand where it does."""
        start = tag.start()
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", tag.end())
        if tag[2] is not None and QUOTED.match(self.text, line_start, start):
            raise LiveError("a claim, figure or table cannot stand in a block quote; move it out")
        if HEADING.match(self.text, line_start, start) or (line_end >= 0 and UNDERLINE.match(self.text, line_end + 1)):
            raise LiveError("a heading or title holds no numbers, since it is copied where nothing updates it; say it in the text")
        if self.text[line_start] in " \t>" and line_start in self._indented_code:
            raise LiveError("indented by four spaces under nothing that holds it, this is code; indent it less, or fence it to show it")
        before = TAG.sub("", self.text[max(0, start - REACH) : start])
        if OPEN_TAG.search(before) or OPEN_ADDRESS.search(before) or DEFINITION.match(self.text, line_start, start):
            raise LiveError("an expression cannot stand inside an HTML tag or an address; write it in text, an alt text or a title")

    @cached_property
    def _indented_code(self) -> frozenset[int]:
        """Return where the lines begin that Markdown takes for code: below a blank line, four deeper than what holds them."""
        found: set[int] = set()
        holders: list[int] = []
        at, below_blank, in_quote = 0, True, False
        for raw in self.text.split("\n"):
            quote = QUOTED.match(raw)
            below_blank |= bool(quote) and not in_quote
            in_quote = bool(quote)
            line = raw[quote.end() :].removeprefix(" ") if quote else raw
            words = line.lstrip()
            if words:
                indent = len(line.expandtabs(4)) - len(words.expandtabs(4))
                holds = HOLDER.match(words) is not None
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
