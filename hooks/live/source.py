"""A page's source: its front matter, its body, and what in the body is code and so literal."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from hooks.live.errors import LiveError

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# Fences, code spans (within a paragraph), comments, and HTML whose content is code.
CODE = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t>]*(?P=fence)[`~]*[ \t]*$|.*\Z)"
    r"|<!--.*?-->"
    r"|<(?P<tag>pre|code|script|style)\b.*?</(?P=tag)\s*>"
    r"|(?<![`\\])(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
# Private-use characters that stand for braces inside code while the page's tags are read.
BRACES, PRIVATE = "{}", "\ue000\ue001"
HIDE, SHOW = str.maketrans(BRACES, PRIVATE), str.maketrans(PRIVATE, BRACES)


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

    @property
    def hidden(self) -> str:
        """Return the body with each brace of its code hidden, at the same length, so that no tag is found there."""
        return self._with_code(lambda code: code.translate(HIDE))

    @property
    def blanked(self) -> str:
        """Return the body with its code blanked, at the same length."""
        return self._with_code(lambda code: re.sub(r"[^\n]", " ", code))

    def _with_code(self, change: Callable[[str], str]) -> str:
        pieces, at = [], 0
        for code in self.code:
            pieces += [self.body[at : code.start()], change(code[0])]
            at = code.end()
        return "".join((*pieces, self.body[at:]))


def read(text: str, where: str) -> Source:
    """Return the page ``text`` split at its front matter.

    Raises: LiveError for a character that the engine needs for itself, or NUL.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for character in (*PRIVATE, "\0"):
        if character in text:
            line = text.count("\n", 0, text.index(character)) + 1
            raise LiveError(f"the character {character!r} cannot stand in a page; remove it", f"{where}:{line}")
    match = FRONT_MATTER.match(text)
    body = text[match.end() :] if match else text
    front = (match[1] or "") if match else ""
    return Source(where, front, body, text.count("\n", 0, len(text) - len(body)) + 1, tuple(CODE.finditer(body)))


def show_code(text: str) -> str:
    """Return ``text`` with what ``Source.hidden`` hid put back."""
    return text.translate(SHOW)
