"""Where in a page's text a tag may stand: not in a heading, an HTML tag, an address or a block quote."""

import re
from dataclasses import dataclass

from hooks.live.errors import LiveError

TAG = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}", re.DOTALL)
ATX_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)")
UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-+)[ \t]*(?:\n|\Z)")
# What stands before a place inside an HTML tag or inside the address of a link.
OPEN_TAG = re.compile(r"<[A-Za-z/][^<>]*\Z")
OPEN_ADDRESS = re.compile(r"\]\([^\s)]*\Z")
REACH = 400  # how far back an open HTML tag or address is looked for
QUOTED = re.compile(r"[ \t]*>")
# [text](address "title") and ![alt](address "title"); an expression may stand in text, alt and title.
LINK = re.compile(
    r"(?P<image>!)?\[(?P<text>(?:\{\{.*?\}\}|[^\[\]\n])*)\]"
    r"\((?P<address>[^)\s\"]*)(?:[ \t]+\"(?P<title>(?:\{\{.*?\}\}|[^\"\n])*)\")?\)"
)
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
        if ATX_HEADING.match(self.text, line_start) or (line_end >= 0 and UNDERLINE.match(self.text, line_end + 1)):
            raise LiveError("a heading holds no numbers, since it is copied to places where nothing updates it; say it in the text")
        before = TAG.sub("", self.text[max(0, start - REACH) : start])
        if OPEN_TAG.search(before) or OPEN_ADDRESS.search(before):
            raise LiveError("an expression cannot stand inside an HTML tag or an address; write it in text, an alt text or a title")

    def is_at_margin(self, tag: re.Match[str]) -> bool:
        """Tell whether nothing stands before ``tag`` on its line."""
        return tag.start() == 0 or self.text[tag.start() - 1] == "\n"

    def stands_alone(self, start: int, end: int) -> bool:
        """Tell whether what lies between has blank lines around it, so that it is a block and not part of a paragraph."""
        before = re.search(r"(?:\A|\n)[ \t]*(?:\n[ \t]*)?\Z", self.text[:start])
        blank_before = before is not None and (before.start() == 0 or before[0].count("\n") > 1)
        return blank_before and re.match(r"[ \t]*(?:\n[ \t]*(?:\n|\Z)|\Z)", self.text[end:]) is not None

    def indent(self, start: int) -> str:
        """Return the white space before ``start`` on its line."""
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return line[: len(line) - len(line.lstrip())]


def _holds_number_in_attribute(link: re.Match[str]) -> bool:
    in_alt = bool(link["image"]) and TAG.search(link["text"]) is not None
    return in_alt or (link["title"] is not None and TAG.search(link["title"]) is not None)
