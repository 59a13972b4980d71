"""What differs between two built sites: numbers, claims, terms, formulas and sources, as Markdown for a pull request.

Numbers are matched by quantity, overrides, form and occurrence, so that an inserted sentence does not shift all that follow.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from hooks.live.errors import LiveError
from hooks.live.forms import MINUS

SCHEMA = 1
NOTHING = "No number, claim, term, formula or source moved."
FOREIGN = "is not the numbers.json of a built site"
EVERY_PAGE = "Every page"
# What numbers and claims come from: the part of numbers.json, its heading, and what an entry of it is called.
ORIGINS = (
    ("run", "The default run", "default run"),
    ("terms", "Terms", "term"),
    ("formulas", "Formulas", "formula"),
    ("sources", "Sources", "source"),
)
# What a number and a claim hold at least.
NUMBER = {"q": str, "set": dict, "as": str, "text": str}
CLAIM = {"claim": str, "holds": bool, "text": str}

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Said:
    """What a built site says: its numbers and claims by the heading of their page, and what they come from by its kind."""

    model: str
    numbers: Mapping[str, list[Entry]]
    claims: Mapping[str, list[Entry]]
    origins: Mapping[str, Mapping[str, object]]


def changes(old: Path, new: Path) -> str:
    """Return what differs between the sites built in ``old`` and ``new``; one line where nothing does.

    Raises: LiveError for a folder without ``numbers.json``, and for one of another model or of a later program.
    """
    before, after = read(old), read(new)
    if before.model != after.model:
        raise LiveError(f"is of another model, {after.model!r} and not {before.model!r}", str(new))
    groups = {
        page: [
            *_numbers(before.numbers.get(page, []), after.numbers.get(page, [])),
            *_claims(before.claims.get(page, []), after.claims.get(page, [])),
        ]
        for page in sorted({*before.numbers, *before.claims, *after.numbers, *after.claims}, key=lambda page: (page != EVERY_PAGE, page))
    }
    groups |= {heading: [*_origins(word, before.origins[kind], after.origins[kind])] for kind, heading, word in ORIGINS}
    # What a page says twice is told once.
    blocks = [f"### {heading}\n\n" + "\n".join(dict.fromkeys(lines)) for heading, lines in groups.items() if lines]
    return "\n\n".join(blocks or [NOTHING]) + "\n"


def read(site: Path) -> Said:
    """Return what the ``numbers.json`` of a built site says.

    Raises: LiveError
    """
    path = site / "numbers.json" if site.is_dir() else site
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise LiveError("has no numbers.json; name the folder of a built site", str(site)) from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or type(found.get("schema")) is not int or not isinstance(found.get("model"), str):
        raise LiveError(FOREIGN, str(path))
    if found["schema"] > SCHEMA:
        raise LiveError(f"has schema {found['schema']}, later than {SCHEMA}; use the program that built it", str(path))
    bar, pages, claims, *origins = (found.get(part, {}) for part in ("bar", "pages", "claims", *(kind for kind, *_ in ORIGINS)))
    if not all(isinstance(part, dict) for part in (bar, pages, claims, *origins)):
        raise LiveError(FOREIGN, str(path))
    numbers, sentences = _by_heading(bar.get("numbers", []), pages), _by_heading(bar.get("claims", []), claims)
    if not _are_lists_of(NUMBER, numbers) or not _are_lists_of(CLAIM, sentences):
        raise LiveError(FOREIGN, str(path))
    return Said(found["model"], numbers, sentences, {kind: part for (kind, *_), part in zip(ORIGINS, origins, strict=True)})


def _by_heading(bar: Any, pages: Mapping[str, Any]) -> dict[str, Any]:
    return {EVERY_PAGE: bar, **{code(page or "/"): entries for page, entries in pages.items()}}


def _are_lists_of(shape: Mapping[str, type], pages: Mapping[str, Any]) -> bool:
    if not all(isinstance(entries, list) for entries in pages.values()):
        return False
    entries = [entry for entries in pages.values() for entry in entries]
    return all(isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in shape.items()) for entry in entries)


def _numbers(before: list[Entry], after: list[Entry]) -> Iterator[str]:
    for (name, _), was, now in _differing(before, after, key=_number, reads=lambda number: number["text"]):
        share = _relative(was.get("value"), now.get("value")) if was and now else ""
        yield f"- {code(name)}: {_change(_text(was), _text(now))}{share}"


def _claims(before: list[Entry], after: list[Entry]) -> Iterator[str]:
    for claim, was, now in _differing(before, after, key=lambda claim: claim["claim"], reads=_sentence):
        if was and now and was["holds"] == now["holds"]:
            continue  # somebody wrote the sentence anew
        turned = f" {'now' if now['holds'] else 'no longer'} holds" if was and now else ""
        yield f"- claim {code(claim)}{turned}: {_change(_text(was), _text(now))}"


def _origins(word: str, before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    for name in sorted({*before, *after}):
        was, now = (str(part[name]) if name in part else None for part in (before, after))
        if was != now:
            yield f"- {word} {code(name)}: {_change(*_parts_that_differ(was, now))}"


def _differing(
    before: list[Entry], after: list[Entry], *, key: Callable[[Entry], Any], reads: Callable[[Entry], Hashable]
) -> Iterator[tuple[Any, Entry | None, Entry | None]]:
    """Yield what differs, by its key: what was there and what is; None where it came or went.

    Of one key, what reads as before has stayed; the rest is taken in order.
    """
    old, new = _grouped(before, key), _grouped(after, key)
    for name in sorted({*old, *new}):
        stayed = Counter(map(reads, old[name])) & Counter(map(reads, new[name]))
        for was, now in zip_longest(_without(old[name], stayed, reads), _without(new[name], stayed, reads)):
            yield name, was, now


def _grouped(entries: list[Entry], key: Callable[[Entry], Any]) -> defaultdict[Any, list[Entry]]:
    groups = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return groups


def _without(entries: list[Entry], stayed: Counter[Hashable], reads: Callable[[Entry], Hashable]) -> Iterator[Entry]:
    left = stayed.copy()
    for entry in entries:
        if left[reads(entry)]:
            left[reads(entry)] -= 1
        else:
            yield entry


def _number(entry: Entry) -> tuple[str, str]:
    """Return what a number is known by: its expression, and its form."""
    overrides = ", ".join(f"{name}={value}" for name, value in sorted(entry["set"].items()))
    return entry["q"] + (f"({overrides})" if overrides else ""), entry["as"]


def _sentence(entry: Entry) -> tuple[bool, str]:
    """Return what a claim's sentence is known by: whether it holds, and its words; the numbers in it are told by themselves."""
    return entry["holds"], re.sub(r"\d[\d.,]*", "#", entry["text"])


def _text(entry: Entry | None) -> str | None:
    return entry["text"] if entry else None


def _change(was: str | None, now: str | None) -> str:
    shown = [code(text) if text else "nothing" for text in (was, now) if text is not None]
    return " → ".join(shown) if len(shown) > 1 else f"{'added' if was is None else 'removed'} {shown[0]}"


def _parts_that_differ(was: str | None, now: str | None) -> tuple[str | None, str | None]:
    """Return only the parts of a source that differ, such as its date; everything where it has another count of parts."""
    if was is None or now is None or was.count("; ") != now.count("; "):
        return was, now
    pairs = [(old, new) for old, new in zip(was.split("; "), now.split("; "), strict=True) if old != new]
    return "; ".join(old for old, _ in pairs), "; ".join(new for _, new in pairs)


def code(text: object) -> str:
    """Return any text as Markdown code, whatever is in it; nothing in a name becomes markup or a mention."""
    line = " ".join(str(text).split())
    fence = "`"
    while fence in line:
        fence += "`"
    padded = f" {line} " if line.startswith("`") or line.endswith("`") or not line else line
    return f"{fence}{padded}{fence}"


def _relative(was: object, now: object) -> str:
    """Return by which share a value moved; nothing from zero, and where the text alone moved."""
    if not isinstance(was, float | int) or not isinstance(now, float | int) or not was or was == now:
        return ""
    try:
        share = 100 * (now - was) / abs(was)
    except OverflowError:  # of whole numbers beyond doubles, which no build writes
        return ""
    if not math.isfinite(share):
        return ""
    sign = "+" if share > 0 else MINUS
    return f" ({sign}{abs(share):,.1f} %)" if abs(share) >= 0.05 else f" ({sign}less than 0.1 %)"
