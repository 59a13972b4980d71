"""The one error of the model, and the nearest match that its message offers."""

from collections.abc import Iterable
from difflib import get_close_matches


class ModelError(ValueError):
    """What the model refuses, in one line: where, what, the rule, the value, the nearest match."""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest of ``names``; where none is close, the names, if they are few."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(known)}" if len(known) <= 24 else ""
