"""A page while it is written: its source, what it has shown so far, and what travels beside its text as JSON."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from hooks.live.engine import Engine
from hooks.live.errors import LiveError
from hooks.live.places import TAG
from hooks.live.prose import check
from hooks.live.source import Source, show_code
from hooks.live.values import Shown, Values


@dataclass
class Draft:
    """``shown`` are the numbers in reading order, ``used`` those in either sentence of a claim, each once, for the ledger;
    ``claims`` are lines of ``numbers.json``, ``predicates`` the names in them, and ``data`` is what the browser needs, by id.

    ``prefix`` stands before the page's ids, where a text is no page but stands on every page.
    """

    source: Source
    path: str
    engine: Engine
    prefix: str = ""
    shown: list[Shown] = field(default_factory=list)
    used: dict[tuple[str, str, str], Shown] = field(default_factory=dict)
    terms: Counter[str] = field(default_factory=Counter)
    claims: list[str] = field(default_factory=list)
    predicates: set[str] = field(default_factory=set)
    data: dict[str, dict[str, Any]] = field(default_factory=dict)
    _ids: Counter[str] = field(default_factory=Counter)

    def number(self, expression: str, values: Values) -> Shown:
        """Return what ``expression`` shows, and note that the page shows it."""
        shown = values.shown(expression.strip())
        self.note([shown])
        return shown

    def note(self, shown: Iterable[Shown]) -> None:
        """Note that the page shows numbers; what a sentence that does not hold shows stays ``used``, for the ledger."""
        for one in shown:
            self.shown.append(one)
            self.used.setdefault((one.name, one.set, one.form), one)

    def parts(self, text: str, values: Values) -> list[str | Shown]:
        """Return ``text`` in parts: the words as they are, and what each expression among them shows."""
        parts: list[str | Shown] = []
        at = 0
        for tag in TAG.finditer(text):
            parts += [text[at : tag.start()], self.number(tag[1] or "", values)]
            at = tag.end()
        return [part for part in (*parts, text[at:]) if part]

    def check(self, text: str, at: Callable[[int], str], claims: Iterable[tuple[int, int]] = ()) -> None:
        """Refuse what is typed in ``text``, ``at`` the place of its offset, and note which terms it uses."""
        findings, terms = check(text, self.engine.vocabulary, claims)
        self.terms.update(terms)
        if findings:
            raise LiveError(str(findings[0]), at(findings[0].offset))

    def id(self, letter: str) -> str:
        """Return the next id of its kind: c1, c2 for claims, f1 for figures, t1 for texts of attributes."""
        self._ids[letter] += 1
        return f"{self.prefix}{letter}{self._ids[letter]}"

    def data_element(self) -> str:
        """Return the page's JSON as the element in which the browser finds it."""
        if not self.data:
            return ""
        # "</script>" in a text must not end the element.
        text = json.dumps(self.data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return f'<script type="application/json" class="live-data">{show_code(text)}</script>'


@dataclass
class Frame:
    """A tag that is open, or the page itself: what has been said in it, and the values that hold there.

    ``start`` is the place of the tag, ``inner`` that of what stands in it.
    """

    values: Values
    start: int = 0
    inner: int = 0
    said: list[str] = field(default_factory=list)
