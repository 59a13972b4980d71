"""The ledger: what a page's numbers come from, a row for each quantity and its overrides, down to inputs and sources.

Every number in it is a number like those of the text and follows the reader's run. A row that another one needs
stands in the same ledger, and each row names the sources that it rests on, so that a reader walks from a number
to a data sheet by links alone, in three steps. The rows of a quantity share its formula.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from hooks.live.as_html import one_block
from hooks.live.expressions import Expression, Overrides
from hooks.live.in_line import in_line
from hooks.live.mathml import mathml
from hooks.live.model import EXAMPLE, OTHER, Figure, Preset, Quantity
from hooks.live.row_keys import Key, key_of, named_in, parts_of, unmultiplied
from hooks.live.values import Shown, Values

INPUT = "An input: the bar that states the run sets it."
NAMED = "A choice of the catalogue that this page names."
PARTNER = "What the catalogue sets beside the run's own choice, for comparison."
FIXED = "Fixed by this example, whatever the run."


@dataclass(frozen=True)
class Row:
    """A row as its template shows it. ``follows`` says that another choice of the reader's gives another source."""

    key: Key
    at: Markup
    worked: Markup
    value: Markup
    note: str
    inputs: tuple[Markup, ...]
    sources: tuple[Markup, ...]
    follows: bool


@dataclass(frozen=True)
class Written:
    """A row as HTML, the rows that it needs, those with a source that it rests on, and the figure whose source follows the run."""

    key: Key
    html: str
    needs: tuple[Key, ...]
    sources: tuple[Key, ...]
    follows: str


@dataclass(frozen=True)
class Ledger:
    """A page's ledger as HTML, with what the browser needs beside it.

    ``rows`` maps "quantity|overrides", as a number carries them, to the row where not all of the overrides matter.
    ``sources`` holds, for each figure that a choice gives, the source of every record: "accelerator.h100" → HTML.
    """

    html: str
    rows: dict[str, str]
    sources: dict[str, dict[str, str]]


def ledger(used: Iterable[Shown], values: Values, templates: Environment) -> Ledger:
    """Return the ledger of what a page used."""
    keys: dict[Key, None] = {}
    rows: dict[str, str] = {}
    for shown in used:
        asked = Key(shown.name, unmultiplied(shown.set, values))
        key = key_of(asked.name, asked.overrides, values)
        keys[key] = None
        if key != asked:
            rows[asked.id] = key.id
    pending = list(keys)
    entries: dict[str, list[Written]] = {}
    while pending:
        written = _written(pending.pop(0), values, templates)
        entries.setdefault(written.key.name, []).append(written)
        fresh = [needed for needed in written.needs if needed not in keys]
        keys.update(dict.fromkeys(fresh))
        pending += fresh
    sources = {row.follows: _sources(row.follows, values) for entry in entries.values() for row in entry if row.follows}
    written_out = [(_head(name, values, templates), [Markup(row.html) for row in entry]) for name, entry in entries.items()]
    html = one_block(templates.get_template("ledger.html").render(entries=written_out)) if entries else ""
    return Ledger(html, rows, sources)


def _head(name: str, values: Values, templates: Environment) -> Markup:
    """Return what the rows of a name share: its label, its meaning and its formula."""
    known = values.kept.get(name)
    if known is None:
        quantity = values.model.quantities.get(name)
        known = values.kept[name] = Markup(
            templates.get_template("ledger_head.html").render(
                label=values.model.names[name].label,
                meaning=_meaning(quantity) if quantity else "",
                formula=Markup(mathml(quantity, values.model.names)) if quantity else "",
            )
        )
    assert isinstance(known, Markup)
    return known


def _written(key: Key, values: Values, templates: Environment) -> Written:
    """Return a row; many pages of a run share it, so it is written once."""
    known = values.kept.get(key)
    if known is None:
        parts = tuple(part for part in dict.fromkeys(parts_of(key, values).values()) if part)
        below = dict.fromkeys(source for part in parts for source in _written(part, values, templates).sources)
        row = _row(key, parts, tuple(source for source in below if source not in parts), values)
        known = values.kept[key] = Written(
            key,
            templates.get_template("ledger_row.html").render(row=row),
            needs=parts + named_in(key, values),
            sources=(key,) if _sourced(key, values) else tuple(below),
            follows=key.name if row.follows else "",
        )
    assert isinstance(known, Written)
    return known


def _row(key: Key, parts: tuple[Key, ...], sources: tuple[Key, ...], values: Values) -> Row:
    quantity = values.model.quantities.get(key.name)
    figure = _sourced(key, values)
    return Row(
        key,
        at=_at(key, key.overrides, values),
        worked=_worked(key, quantity, values) if quantity else Markup(),
        value=_value(key, values),
        note=_source(figure) if figure else _cited(quantity) if quantity else _set_by(key, values),
        inputs=tuple(_link(part, key, values) for part in parts),
        sources=tuple(_link(source, key, values) for source in sources),
        follows=figure is not None and bool(values.model.settable(key.name, key.overrides)),
    )


def _sources(name: str, values: Values) -> dict[str, str]:
    """Return the source of a figure in every record that gives it."""
    return {
        f"{choice}.{id}": str(_source(record.figures[name]))
        for choice, records in values.model.choices.items()
        for id, record in records.items()
        if name in record.figures
    }


def _sourced(key: Key, values: Values) -> Figure | Preset | None:
    """Return what says where the value of ``key`` was read: its figure, or the published run that is its example."""
    overrides = dict(key.overrides)
    is_of_example = key.name in values.run.inputs and key.name not in overrides
    preset = values.model.presets.get(overrides.get(EXAMPLE, "")) if is_of_example else None
    return preset or values.run.with_(**overrides).figure(key.name)


def _source(read: Figure | Preset) -> Markup:
    return Markup('{}; <a href="{}"><cite>{}</cite></a>, checked <time>{}</time>').format(read.what, read.url, read.source, read.checked)


def _cited(quantity: Quantity) -> Markup:
    """Return the source that a formula's docstring names."""
    cited = re.search(r"\bSource: (.*)", quantity.doc, re.DOTALL)
    return Markup("After <cite>{}</cite>").format(" ".join(cited[1].split())) if cited else Markup()


def _set_by(key: Key, values: Values) -> str:
    """Return what sets an input."""
    overrides = dict(key.overrides)
    if key.name in overrides:
        return PARTNER if overrides[key.name] == OTHER else NAMED
    is_fixed = EXAMPLE in overrides and key.name in values.model.examples[overrides[EXAMPLE]].overrides
    return FIXED if is_fixed else INPUT


def _worked(key: Key, quantity: Quantity, values: Values) -> Markup:
    """Return the formula with this run's values in it; what no overrides can say is left open."""
    texts = {name: _value(part, values) if part else "…" for name, part in parts_of(key, values).items()}
    line = in_line(quantity.formula, texts, lambda digits: f"<math><mn>{digits}</mn></math>")
    return Markup(f"{line}, raised to the next step of the axis," if quantity.ladder else line)


def _value(key: Key, values: Values) -> Markup:
    return Markup(values.evaluate(Expression(key.name, key.overrides)).html)


def _link(key: Key, row: Key, values: Values) -> Markup:
    """Return a link from one row to another; what holds for both need not be said."""
    at = _at(key, tuple(override for override in key.overrides if override not in row.overrides), values)
    return Markup('<a href="#{}">{}{}</a>').format(key.id, values.model.names[key.name].label, Markup(", {}").format(at) if at else "")


def _at(key: Key, overrides: Overrides, values: Values) -> Markup:
    """Return those ``overrides`` of a row in words: the names of choices, and the labels of examples."""
    named = {name.name: _value(name, values) for name in named_in(key, values)}
    words = [
        values.model.examples[value].label if name == EXAMPLE else named.get(name) or str(values.model.choices[name][value].name)
        for name, value in overrides
        if name != key.name
    ]
    return Markup(" · ").join(words)


def _meaning(quantity: Quantity) -> str:
    words = " ".join(quantity.doc.split("\n\n")[0].split())
    return re.sub(r"^Return (\w)", lambda found: found[1].upper(), words)
