"""A TOML table that knows where it stands, so that whatever is refused names file, key and rule."""

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from commcost.errors import ModelError, nearest
from commcost.units import Unit, unit_named


class Table:
    """A TOML table that knows where it stands, so that each refusal names file and key."""

    def __init__(self, entries: Mapping[str, Any], file: str, path: str = "", name: str = "") -> None:
        self.entries, self.file, self.path, self.name = entries, file, path, name

    def fail(self, key: str, rule: str) -> ModelError:
        """Return the error that ``key`` breaks ``rule``."""
        return ModelError(f"{self.where(key)}: {rule}")

    def where(self, key: str) -> str:
        """Return the place of ``key``, after its file."""
        return f"{self.file}: {'.'.join(part for part in (self.path, key) if part)}"

    def tables(self, key: str) -> list["Table"]:
        """Return the tables below ``key``, in the file's order."""
        return [self.table(key, name) for name in self._mapping(key)]

    def table(self, *keys: str) -> "Table":
        """Return the table at the path ``keys``; an absent one is empty."""
        inner: Table = self
        for key in keys:
            inner = Table(inner._mapping(key), self.file, ".".join(part for part in (inner.path, key) if part), key)
        return inner

    def _mapping(self, key: str) -> Mapping[str, Any]:
        entry = self.entries.get(key, {})
        if not isinstance(entry, Mapping):
            raise self.fail(key, f"must be a table: {_shown(entry)}")
        return entry

    def only(self, *known: str) -> None:
        """Refuse a key that is not ``known``."""
        for key in self.entries:
            if key not in known:
                raise self.fail(key, f"unknown key{nearest(key, known)}")

    def text(self, key: str, rule: str = "must be a text that is not empty") -> str:
        """Return a text that is not empty, of one line that can be read, and without what begins an expression of a page."""
        value = self.entries.get(key)
        if value is None:
            raise self.fail(key, f"is missing; {rule}")
        if not isinstance(value, str) or not value.strip():
            raise self.fail(key, f"{rule}: {_shown(value)}")
        if len(value.strip().splitlines()) > 1 or not "".join(value.split()).isprintable() or "{{" in value or "{%" in value:
            raise self.fail(key, f"must be one line without {{{{ and {{%: {_shown(value)}")
        return value.strip()

    def texts(self, key: str, rule: str) -> tuple[str, ...]:
        """Return a list of texts, each once."""
        value = self.entries.get(key)
        if value is None:
            raise self.fail(key, f"is missing; {rule}")
        if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value) or len(set(value)) < len(value):
            raise self.fail(key, f"{rule}: {_shown(value)}")
        return tuple(value)

    def number(self, key: str, default: float | None = None) -> float:
        """Return a finite double."""
        value = self.entries.get(key, default)
        if value is None:
            raise self.fail(key, "is missing; must be a number")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.fail(key, f"must be a number: {_shown(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fail(key, f"must be finite: {number!r}")
        return number

    def flag(self, key: str) -> bool:
        """Return true or false; false where it is absent."""
        value = self.entries.get(key, False)
        if not isinstance(value, bool):
            raise self.fail(key, f"must be true or false: {_shown(value)}")
        return value

    def unit(self) -> tuple[Unit, int]:
        """Return the unit and the power of ten of its prefix."""
        try:
            return unit_named(self.text("unit"))
        except ModelError:
            raise
        except ValueError as error:
            raise self.fail("unit", str(error)) from None

    def on_day(self, key: str) -> date:
        """Return a date."""
        value, rule = self.entries.get(key), "must be a date such as 2026-11-29, without quotes"
        if value is None:
            raise self.fail(key, f"is missing; {rule}")
        if not isinstance(value, date) or isinstance(value, datetime):
            raise self.fail(key, f"{rule}: {_shown(value)}")
        return value

    def url(self, key: str) -> str:
        """Return an address."""
        address = self.text(key, "must be the address of the document it was read in")
        if not re.fullmatch(r"https?://[^\s/]\S*", address):
            raise self.fail(key, f"must start with https:// and hold no space: {address!r}")
        return address


def _shown(value: object) -> str:
    """Return a value as it is written; one that Python will not write, a number of thousands of digits or a nest of tables, by its kind."""
    try:
        return f"{value!r:.200}"
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} without end"
