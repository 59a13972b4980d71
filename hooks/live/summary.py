"""What sums up a site: ``numbers.json``, and the census of its numbers."""

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hooks.live.forms import Form, js_number, show
from hooks.live.links import address
from hooks.live.model import Figure, Model, Preset, Quantity
from hooks.live.render import Page

EXACT = Form("significant", 15)  # as many digits as any decimal keeps in a double


def numbers_json(
    name: str, model: Model, inputs: Mapping[str, float | str], bar: Page, pages: Mapping[str, Page], terms: Mapping[str, str]
) -> Iterator[str]:
    """Yield ``numbers.json`` in pieces: the run, the bar, each page's numbers in reading order, its claims, and what they come from.

    Stable, a line an entry. Formulas, sources and terms are there for whoever compares two sites.
    """
    run = ", ".join(f"{json.dumps(name)}: {_value(value)}" for name, value in inputs.items())
    read = [(address(path), page) for path, page in sorted(pages.items())]
    yield f'{{"schema": 1,\n"model": {json.dumps(name)},\n"run": {{{run}}}'
    parts = {
        "bar": _lists((("numbers", bar.numbers), ("claims", bar.claims))),
        "pages": _lists((name, page.numbers) for name, page in read),
        "claims": _lists((name, page.claims) for name, page in read),
        "terms": _texts(sorted(terms.items())),
        "formulas": _texts((quantity.name, _formula(quantity)) for quantity in model.quantities.values()),
        "sources": _texts(_sources(model)),
    }
    for name, part in parts.items():
        yield f',\n"{name}": '
        yield from part
    yield "}\n"


def _formula(quantity: Quantity) -> str:
    """Return a formula with what its parameters stand for where that is a name at other choices."""
    parts = {name: ", ".join(f"{key}={value}" for key, value in part.overrides) for name, part in quantity.parameters.items()}
    where = [f"{name} = {quantity.parameters[name].name}({at})" for name, at in parts.items() if at]
    return " where ".join(filter(None, (ast.unparse(quantity.formula), ", ".join(where))))


def _sources(model: Model) -> Iterator[tuple[str, str]]:
    """Yield everything of the model that was read, with its value, what it is, its source and the day it was checked."""
    records = ((f"{choice}.{id}.{name}", figure) for choice, ids in model.choices.items() for id, record in ids.items()
               for name, figure in record.figures.items())  # fmt: skip
    for name, figure in (*model.constants.items(), *records):
        yield name, f"{show(figure.value, figure.unit, EXACT)}; {_read(figure)}"
    for name, preset in model.presets.items():
        yield f"preset.{name}", f"{preset.label}; {_read(preset)}"


def _read(reading: Figure | Preset) -> str:
    return f"{reading.what}; {reading.source}; {reading.url}; checked {reading.checked.isoformat()}"


def census(pages: Iterable[Page], labels: Counter[str]) -> str:
    """Return the count of numbers by kind, with the terms in the site's ``labels``. None is typed: a typed one stops the build."""
    pages = tuple(pages)
    computed = sum(len(page.numbers) for page in pages)
    terms = sum((Counter(page.terms) for page in pages), labels).total()
    claims = sum(len(page.claims) for page in pages)
    return f"{computed + terms} numbers: {computed} computed, {terms} terms, 0 typed; {claims} claims"


def _texts(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = [f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(text, ensure_ascii=False)}" for name, text in entries]
    yield f"{{{_lines(lines)}}}"


def _lists(entries: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield an object of lists, a list at a time: those of a large site together would weigh."""
    yield "{"
    for at, (name, lines) in enumerate(entries):
        yield f"{',' + chr(10) if at else ''}{json.dumps(name)}: [{_lines(lines)}]"
    yield "}"


def _lines(lines: Sequence[str]) -> str:
    return "\n" + ",\n".join(lines) + "\n" if lines else ""


def _value(value: float | str) -> str:
    return json.dumps(value) if isinstance(value, str) else js_number(value)
