"""What sums up a site: ``numbers.json``, and the census of its numbers."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from hooks.live.forms import js_number
from hooks.live.links import address
from hooks.live.render import Page


def numbers_json(model: str, inputs: Mapping[str, float | str], bar: Page, pages: Mapping[str, Page]) -> str:
    """Return ``numbers.json``: the run, the bar, each page's numbers in reading order, and its claims. Stable, a line a number."""
    run = ", ".join(f"{json.dumps(name)}: {_value(value)}" for name, value in inputs.items())
    read = [(address(path), page) for path, page in sorted(pages.items())]
    parts = {
        "schema": "1",
        "model": json.dumps(model),
        "run": f"{{{run}}}",
        "bar": _lists({"numbers": bar.numbers, "claims": bar.claims}),
        "pages": _lists({name: page.numbers for name, page in read}),
        "claims": _lists({name: page.claims for name, page in read}),
    }
    return "{" + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "}\n"


def census(pages: Iterable[Page], labels: Counter[str]) -> str:
    """Return the count of numbers by kind, with the terms in the site's ``labels``. None is typed: a typed one stops the build."""
    pages = tuple(pages)
    computed = sum(len(page.numbers) for page in pages)
    terms = sum((Counter(page.terms) for page in pages), labels).total()
    claims = sum(len(page.claims) for page in pages)
    return f"{computed + terms} numbers: {computed} computed, {terms} terms, 0 typed; {claims} claims"


def _lists(entries: Mapping[str, Iterable[str]]) -> str:
    blocks = []
    for name, lines in entries.items():
        inner = ",\n".join(lines)
        blocks.append(f"{json.dumps(name)}: [{chr(10) + inner + chr(10) if inner else ''}]")
    return "{" + ",\n".join(blocks) + "}"


def _value(value: float | str) -> str:
    return json.dumps(value) if isinstance(value, str) else js_number(value)
