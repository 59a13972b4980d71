"""A page's source: its front matter, its body, and what in the body is code and so literal."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from hooks.live.errors import LiveError

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# Fences, comments, HTML whose content is code, and code spans (which end with their paragraph, list item or table row).
# What is not closed runs to the end of the page: a new attempt at each of ten thousand marks would take minutes.
CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*(?:\n(?:.*?\n)??[ \t>]*(?P=fence)[ \t]*$|(?P<open_fence>.*\Z))"
    r"|<!--.*?(?:-->|(?P<open_comment>\Z))"
    r"|<(?P<tag>pre|code|script|style)(?=[\s/>]).*?(?:</(?P=tag)\s*>|(?P<open_tag>\Z))"
    r"|(?:(?<![`\\])(?:\\\\)*|(?<=\\`))(?P<ticks>`+(?!`)|`{1,2})(?:[^`\n]++|`++|\n(?![ \t]*(?:[\n\-*+#|>]|\d+\.)))+?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
FENCE_TITLE = re.compile(r"[ \t>]*(?:`{3}|~{3})[^\n]*?\btitle=(\"[^\"\n]*\"|'[^'\n]*')")
# Where a reference link leads; what travels as HTML needs it as well.
DEFINITION = re.compile(r"^[ ]{0,3}\[(?!\^)[^\[\]\n]+\]:[^\n]*$", re.MULTILINE)
# Private-use characters that stand, inside code, for what begins or ends a tag, a link or an HTML tag.
MARKS, PRIVATE = "{}<[", "\ue000\ue001\ue002\ue003"
HIDE = str.maketrans(MARKS, PRIVATE)
# What nobody sees in a source and what turns its lines around: with it a page would not be what its author reads.
UNREADABLE = re.compile(
    rf"[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f{PRIVATE}]"
)


@dataclass(frozen=True)
class Source:
    """A page split at its front matter. ``first_line`` is the line of the file on which ``body`` begins.

    ``code`` are the pieces of the body that are literal.
    """

    where: str
    front: str
    body: str
    first_line: int
    code: tuple[re.Match[str], ...]

    def at(self, offset: int) -> str:
        """Return "docs/page.md:LINE" for a place in the body."""
        return f"{self.where}:{self.first_line + self.body.count(chr(10), 0, offset)}"

    @cached_property
    def hidden(self) -> str:
        """Return the body with the marks in its code hidden, at the same length, so that no tag is found there."""
        return self._with_code(lambda code: code.translate(HIDE))

    @cached_property
    def blanked(self) -> str:
        """Return the body with its code blanked, at the same length; the title above a fence is no code."""

        def blank(code: str) -> str:
            blanked, title = re.sub(r"[^\n]", " ", code), FENCE_TITLE.match(code)
            return blanked[: title.start(1)] + title[1] + blanked[title.end(1) :] if title else blanked

        return self._with_code(blank)

    @cached_property
    def definitions(self) -> tuple[str, ...]:
        """Return the lines that say where reference links lead."""
        return tuple(DEFINITION.findall(self.body)) if "]:" in self.body else ()

    def _with_code(self, change: Callable[[str], str]) -> str:
        pieces, at = [], 0
        for code in self.code:
            pieces += [self.body[at : code.start()], change(code[0])]
            at = code.end()
        return "".join((*pieces, self.body[at:]))


def read(text: str, where: str) -> Source:
    """Return the page ``text`` split at its front matter.

    Raises: LiveError for a character that nobody sees or that the engine needs for itself, for code that is not closed,
    and for scripts and styles.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    unreadable = UNREADABLE.search(text)
    if unreadable:
        line = text.count("\n", 0, unreadable.start()) + 1
        raise LiveError(f"the character {unreadable[0]!r} cannot stand in a page; remove it", f"{where}:{line}")
    match = FRONT_MATTER.match(text)
    body = text[match.end() :] if match else text
    front = (match[1] or "") if match else ""
    literal = CODE.finditer(body) if any(sign in body for sign in ("`", "~~~", "<")) else ()
    page = Source(where, front, body, text.count("\n", 0, len(text) - len(body)) + 1, tuple(literal))
    for code in page.code:
        if (code["tag"] or "").lower() in ("script", "style"):
            raise LiveError(f"<{code['tag']}> cannot stand in a page; nobody checks what it shows", page.at(code.start()))
    for last in page.code[-1:]:  # what is not closed is the last
        end = {"open_fence": last["fence"], "open_comment": "-->", "open_tag": f"</{last['tag']}>"}
        missing = next((end[group] for group in end if last[group] is not None), None)
        if missing:
            start = last.end() - len(last[0].lstrip(" \t>"))
            raise LiveError(f"{body[start : start + 20].split(chr(10))[0]!r} is not closed; add {missing!r:.20}", page.at(start))
    return page


def show_code(text: str) -> str:
    """Return ``text`` with what ``Source.hidden`` hid put back."""
    for mark, private in zip(MARKS, PRIVATE, strict=True):
        text = text.replace(private, mark)  # a page is long, and translate() looks each of its characters up
    return text
