"""What differs between two built sites: numbers, claims, terms, formulas and sources, as Markdown for a pull request.

Numbers are matched by quantity, overrides, form and occurrence, so that an inserted sentence does not shift all that follow.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hooks.live.errors import LiveError
from hooks.live.forms import MINUS

SCHEMA = 1
NOTHING = "No number, claim, term, formula or source moved."
KINDS = {"terms": "term", "formulas": "formula", "sources": "source"}

Entry = Mapping[str, Any]


def changes(old: Path, new: Path) -> str:
    """Return what differs between the sites built in ``old`` and ``new``; one line where nothing does.

    Raises: LiveError for a folder without ``numbers.json``, and for one of another model or of a later program.
    """
    before, after = read(old), read(new)
    if before["model"] != after["model"]:
        raise LiveError(f"is of another model, {after['model']!r} and not {before['model']!r}", str(new))
    blocks = [block for block in (*_pages(before, after), *_run(before, after), *_rest(before, after)) if block]
    return "\n\n".join(blocks) + "\n" if blocks else NOTHING + "\n"


def read(site: Path) -> Mapping[str, Any]:
    """Return the ``numbers.json`` of a built site.

    Raises: LiveError
    """
    path = site / "numbers.json" if site.is_dir() else site
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise LiveError("has no numbers.json; name the folder of a built site", str(site)) from None
    except (ValueError, RecursionError):
        raise LiveError("is not the numbers.json of a built site", str(path)) from None
    if not isinstance(found, dict) or not isinstance(found.get("schema"), int) or "model" not in found:
        raise LiveError("is not the numbers.json of a built site", str(path))
    if found["schema"] > SCHEMA:
        raise LiveError(f"has schema {found['schema']}, later than {SCHEMA}; use the program that built it", str(path))
    return found


def _pages(before: Entry, after: Entry) -> Iterator[str]:
    for name in sorted({name for site in (before, after) for part in ("pages", "claims") for name in _part(site, part)}):
        lines = [
            *_numbers(_part(before, "pages").get(name, []), _part(after, "pages").get(name, [])),
            *_claims(_part(before, "claims").get(name, []), _part(after, "claims").get(name, [])),
        ]
        if lines:
            yield f"### {code(name or '/')}\n\n" + "\n".join(lines)


def _numbers(before: list[Entry], after: list[Entry]) -> Iterator[str]:
    old, new = _grouped(before, _number_key), _grouped(after, _number_key)
    for key in sorted({*old, *new}):
        name = code(key[0] + (f"({key[1]})" if key[1] else ""))
        pairs = list(zip(old[key], new[key], strict=False))
        moved = {(str(was["text"]), str(now["text"])): (was, now) for was, now in pairs if was["text"] != now["text"]}
        for (was_text, now_text), (was, now) in moved.items():
            yield f"- {name}: {code(was_text)} → {code(now_text)}{_relative(was.get('value'), now.get('value'))}"
        for word, gone in (("removed", old[key][len(pairs) :]), ("added", new[key][len(pairs) :])):
            for text in dict.fromkeys(str(entry["text"]) for entry in gone):
                yield f"- {name}: {word} {code(text)}"


def _claims(before: list[Entry], after: list[Entry]) -> Iterator[str]:
    old, new = _grouped(before, _claim_key), _grouped(after, _claim_key)
    for key in sorted({*old, *new}):
        pairs = list(zip(old[key], new[key], strict=False))
        for was, now in pairs:
            if was["holds"] != now["holds"]:
                turned = "now holds" if now["holds"] else "no longer holds"
                yield f"- claim {code(key[0])} {turned}: {code(was['text'])} → {code(now['text'])}"
        for word, gone in (("removed", old[key][len(pairs) :]), ("added", new[key][len(pairs) :])):
            for entry in gone:
                yield f"- claim {code(key[0])}: {word} {code(entry['text'])}"


def _run(before: Entry, after: Entry) -> Iterator[str]:
    lines = [*_entries("default run", _part(before, "run"), _part(after, "run"))]
    if lines:
        yield "### The default run\n\n" + "\n".join(lines)


def _rest(before: Entry, after: Entry) -> Iterator[str]:
    for part, word in KINDS.items():
        lines = [*_entries(word, _part(before, part), _part(after, part))]
        if lines:
            yield f"### {part.capitalize()}\n\n" + "\n".join(lines)


def _entries(word: str, before: Entry, after: Entry) -> Iterator[str]:
    for name in sorted({*before, *after}):
        was, now = _written(before.get(name)), _written(after.get(name))
        if was is None:
            yield f"- new {word} {code(name)}: {code(now or '')}"
        elif now is None:
            yield f"- removed {word} {code(name)}: {code(was)}"
        elif was != now:
            yield f"- {word} {code(name)}: {code(was)} → {code(now)}"


def code(text: object) -> str:
    """Return any text as Markdown code, whatever is in it; nothing in a name becomes markup or a mention."""
    line = " ".join(str(text).split())
    fence = "`"
    while fence in line:
        fence += "`"
    padded = f" {line} " if line.startswith("`") or line.endswith("`") or not line else line
    return f"{fence}{padded}{fence}"


def _relative(was: object, now: object) -> str:
    if not isinstance(was, (int, float)) or not isinstance(now, (int, float)) or not was:
        return ""
    share = 100 * (now - was) / abs(was)
    sign = "+" if share > 0 else MINUS
    return f" ({sign}{abs(share):.1f} %)" if abs(share) >= 0.05 else f" ({sign}less than 0.1 %)"


def _grouped(entries: list[Entry], key: Any) -> dict[tuple[str, ...], list[Entry]]:
    groups: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return groups


def _number_key(entry: Entry) -> tuple[str, ...]:
    return (str(entry["q"]), ", ".join(f"{name}={value}" for name, value in sorted(entry["set"].items())), str(entry["as"]))


def _claim_key(entry: Entry) -> tuple[str, ...]:
    return (str(entry["claim"]),)


def _part(site: Entry, name: str) -> Entry:
    part = site.get(name, {})
    return part if isinstance(part, dict) else {}


def _written(entry: object) -> str | None:
    if isinstance(entry, dict):
        return "; ".join(f"{name} {value}" for name, value in entry.items())
    return None if entry is None else str(entry)
