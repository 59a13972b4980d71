"""The engine's one error: a line that says what is wrong, where, and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 1000


class LiveError(ValueError):
    """What the engine refuses. ``where`` ("docs/page.md:12") is added by whoever knows it.

    The line shows what a terminal would obey or a reader would not see, such as a colour or a new line in a file's name.
    """

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(_printable(f"{where}: {what}" if where else what))
        self.what = what
        self.where = where


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest of ``names``, or a short list of them where none is close."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(known)}" if 0 < len(known) <= 24 else ""


def _printable(text: str) -> str:
    """Return ``text`` in one line of at most a thousand characters."""
    shown = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text[:LONGEST])
    return shown + " …" * (len(text) > LONGEST)
