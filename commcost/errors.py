"""The one error of the model, and the nearest match that its message offers."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 800  # characters of a message; a key of TOML may hold megabytes


class ModelError(ValueError):
    """What the model refuses, in one line: where, what, the rule, the value, the nearest match.

    The line shows what a terminal would obey or nobody would see, such as a line break in a key of TOML.
    """

    def __init__(self, message: str) -> None:
        shown = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in message[:LONGEST])
        super().__init__(shown + " …" * (len(message) > LONGEST))


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest of ``names``; where none is close, the names, if they are few."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(known)}" if 0 < len(known) <= 24 else ""
