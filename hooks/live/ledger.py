"""The ledger: what a page's numbers come from, a row for each quantity and its overrides, down to inputs and sources.

Every number in it is a number like those of the text and follows the reader's run. A row that another one needs
stands in the same ledger, and each row names the sources that it rests on, so that a reader walks from a number
to a data sheet by links alone, in three steps. The rows of a quantity share its formula.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from hooks.live.as_html import one_block
from hooks.live.expressions import Expression, Overrides
from hooks.live.forms import Form
from hooks.live.in_line import in_line
from hooks.live.mathml import mathml
from hooks.live.model import EXAMPLE, OTHER, Figure, Preset, Quantity
from hooks.live.row_keys import Key, key_of, named_in, parts_of, unmultiplied
from hooks.live.values import Shown, Values

INPUT = "An input: the bar that states the run sets it."
NAMED = "A choice of the catalogue that this page names."
PARTNER = "What the catalogue sets beside the run's own choice, for comparison."
FIXED = "Fixed by this example, whatever the run."

# Significant digits: what a row comes to where its page shows more than the value's own form, what it is worked from, and all that
# a double has for certain.
RESULT, OPERAND, ALL = 6, 9, 15
OWN = 0  # a value in its own form
# The digits of a form beside those that it is named by: seconds and shares have some before the point.
FEW = 3  # which every own form has
BESIDE = {"significant": 0, "times": 0, "fixed": 4, "percent": 2}


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
    widest: dict[Key, int] = {}
    for shown in used:
        asked = Key(shown.name, unmultiplied(shown.set, values))
        key = key_of(asked.name, asked.overrides, values)
        keys[key] = None
        widest[key] = max(widest.get(key, OWN), _wider(shown.form, asked, values))
        if key != asked:
            rows[asked.id] = key.id
    pending = list(keys)
    entries: dict[str, list[Written]] = {}
    while pending:
        key = pending.pop(0)
        written = _written(key, widest.get(key, OWN), values, templates)
        entries.setdefault(written.key.name, []).append(written)
        fresh = [needed for needed in written.needs if needed not in keys]
        keys.update(dict.fromkeys(fresh))
        pending += fresh
    sources = {row.follows: _sources(row.follows, values) for entry in entries.values() for row in entry if row.follows}
    written_out = [(_head(name, values, templates), [Markup(row.html) for row in entry]) for name, entry in entries.items()]
    html = one_block(templates.get_template("ledger.html").render(entries=written_out)) if entries else ""
    return Ledger(html, rows, sources)


def _wider(form: str, key: Key, values: Values) -> int:
    """Return the significant digits of a number that is shown in more of them than its own form has; of others, none."""
    kind, _, count = form.partition(".")
    if kind not in BESIDE or form == values.evaluate(Expression(key.name, key.overrides)).form:
        return OWN
    digits = int(count) + BESIDE[kind]
    return max(digits, RESULT) if digits > FEW else OWN


def _head(name: str, values: Values, templates: Environment) -> Markup:
    """Return what the rows of a name share: its label, its meaning and its formula."""
    known = values.kept.get(name)
    if known is None:
        quantity = values.model.quantities.get(name)
        known = values.kept[name] = Markup(
            templates.get_template("ledger_head.html").render(
                label=values.model.names[name].label,
                meaning=_meaning(quantity) if quantity else "",
                formula=Markup(mathml(quantity, values.model)) if quantity else "",
            )
        )
    assert isinstance(known, Markup)
    return known


def _written(key: Key, digits: int, values: Values, templates: Environment) -> Written:
    """Return a row that comes to so many digits; many pages of a run share it, so it is written once."""
    known = values.kept.get((key, digits))
    if known is None:
        parts = tuple(part for part in dict.fromkeys(parts_of(key, values).values()) if part)
        below = dict.fromkeys(source for part in parts for source in _written(part, digits, values, templates).sources)
        row = _row(key, digits, parts, tuple(source for source in below if source not in parts), values)
        known = values.kept[key, digits] = Written(
            key,
            templates.get_template("ledger_row.html").render(row=row),
            needs=parts + named_in(key, values),
            sources=(key,) if _sourced(key, values) else tuple(below),
            follows=key.name if row.follows else "",
        )
    assert isinstance(known, Written)
    return known


def _row(key: Key, digits: int, parts: tuple[Key, ...], sources: tuple[Key, ...], values: Values) -> Row:
    quantity = values.model.quantities.get(key.name)
    figure = _sourced(key, values)
    return Row(
        key,
        at=_at(key, key.overrides, values),
        worked=_worked(key, quantity, digits, values) if quantity else Markup(),
        value=_value(key, digits, values),
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


def _worked(key: Key, quantity: Quantity, digits: int, values: Values) -> Markup:
    """Return the formula with this run's values in it, from which its result's digits come out; what no overrides can say is left open."""
    of_parts = ALL if digits > RESULT or _cancels(quantity, values) else OPERAND
    texts = {name: _value(part, of_parts, values) if part else "…" for name, part in parts_of(key, values).items()}
    line = in_line(quantity.formula, texts, lambda digits: f"<math><mn>{digits}</mn></math>")
    return Markup(f"{line}, raised to the next step of the axis," if quantity.ladder else line)


def _cancels(quantity: Quantity, values: Values) -> bool:
    """Tell whether a formula subtracts what was computed: the nearer the two, the more of their digits cancel."""
    differences = [node for node in ast.walk(quantity.formula) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)]
    names = {node.id for difference in differences for node in ast.walk(difference) if isinstance(node, ast.Name)}
    return any(quantity.parameters[name].name in values.model.quantities for name in names)


def _value(key: Key, digits: int, values: Values) -> Markup:
    """Return a value in so many digits; one that was typed has few, which are all shown."""
    is_choice, is_computed = key.name in values.model.choices, key.name in values.model.quantities
    form = None if is_choice or (is_computed and digits == OWN) else Form("significant", digits if is_computed else ALL)
    return Markup(values.evaluate(Expression(key.name, key.overrides, form)).html)


def _link(key: Key, row: Key, values: Values) -> Markup:
    """Return a link from one row to another; what holds for both need not be said."""
    at = _at(key, tuple(override for override in key.overrides if override not in row.overrides), values)
    return Markup('<a href="#{}">{}{}</a>').format(key.id, values.model.names[key.name].label, Markup(", {}").format(at) if at else "")


def _at(key: Key, overrides: Overrides, values: Values) -> Markup:
    """Return those ``overrides`` of a row in words: the names of choices, and the labels of examples."""
    named = {name.name: _value(name, OWN, values) for name in named_in(key, values)}
    words = [
        values.model.examples[value].label if name == EXAMPLE else named.get(name) or str(values.model.choices[name][value].name)
        for name, value in overrides
        if name != key.name
    ]
    return Markup(" · ").join(words)


def _meaning(quantity: Quantity) -> str:
    words = " ".join(quantity.doc.split("\n\n")[0].split())
    return re.sub(r"^Return (\w)", lambda found: found[1].upper(), words)
