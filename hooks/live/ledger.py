"""The ledger: what a page's numbers come from, a row for each quantity and its overrides, down to inputs and sources.

Every number in it is a number like those of the text and follows the reader's run. A row that another one needs
stands in the same ledger, so that a reader walks from a number to a data sheet by links alone.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from jinja2 import Environment
from markupsafe import Markup

from hooks.live.as_html import one_block
from hooks.live.expressions import Expression, Overrides
from hooks.live.mathml import mathml
from hooks.live.model import EXAMPLE, OTHER, Figure, Quantity
from hooks.live.values import Shown, Values

SIGNS = {
    ast.Add: "+", ast.Sub: "\N{MINUS SIGN}", ast.Mult: "×", ast.Div: "÷", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥",
    ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
TIGHT = (ast.Mult, ast.Div)


@dataclass(frozen=True)
class Key:
    """A name at the overrides that matter to it."""

    name: str
    overrides: Overrides

    @property
    def id(self) -> str:
        """Return the id of the row."""
        return "-".join(("row", self.name, *(f"{name}-{value}" for name, value in self.overrides)))


@dataclass(frozen=True)
class Part:
    """What a parameter of a row stands for, by the id of its own row; its value stands in the worked line."""

    id: str
    label: str
    at: Markup


@dataclass(frozen=True)
class Row:
    """A row as its template shows it. ``follows`` says that another choice of the reader's gives another source."""

    id: str
    name: str
    set: str
    label: str
    at: Markup
    value: Markup
    formula: Markup
    worked: Markup
    is_stepped: bool
    meaning: str
    parts: tuple[Part, ...]
    source: Markup
    follows: bool
    is_input: bool


@dataclass(frozen=True)
class Ledger:
    """A page's ledger as HTML, with what the browser needs beside it.

    ``rows`` maps "quantity|overrides", as a number carries them, to its row where the overrides alone do not name it.
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
        key = _key(shown.name, _parsed(shown.set), values)
        keys[key] = None
        if Expression(key.name, key.overrides).set != shown.set:
            rows[f"{shown.name}|{shown.set}"] = key.id
    pending = list(keys)
    made: list[Written] = []
    while pending:
        written = _written(pending.pop(0), values, templates)
        made.append(written)
        fresh = [part for part in written.parts if part not in keys]
        keys.update(dict.fromkeys(fresh))
        pending += fresh
    sources = {row.follows: _sources(row.follows, values) for row in made if row.follows}
    html = one_block(templates.get_template("ledger.html").render(rows=[Markup(row.html) for row in made])) if made else ""
    return Ledger(html, rows, sources)


@dataclass(frozen=True)
class Written:
    """A row as HTML, the rows that it needs, and the figure whose source follows the reader's choices ("" for none)."""

    html: str
    parts: tuple[Key, ...]
    follows: str


def _written(key: Key, values: Values, templates: Environment) -> Written:
    """Return a row; many pages of a run share it, so it is written once."""
    known = values.kept.get(key)
    if known is None:
        row = _row(key, values)
        parts = tuple(part for part in dict.fromkeys(_parts(key, values).values()) if part is not None)
        html = templates.get_template("ledger_row.html").render(row=row)
        known = values.kept[key] = Written(html, parts, row.name if row.follows else "")
    assert isinstance(known, Written)
    return known


def _row(key: Key, values: Values) -> Row:
    entry = values.model.names[key.name]
    quantity = values.model.quantities.get(key.name)
    parts = _parts(key, values)
    listed = {part: None for part in parts.values() if part is not None}
    run = values.run.with_(**dict(key.overrides))
    figure = run.figure(key.name)
    return Row(
        id=key.id,
        name=key.name,
        set=Expression(key.name, key.overrides).set,
        label=entry.label,
        at=_at(key, values),
        value=_value(key, values),
        formula=Markup(_formula(quantity, values)) if quantity else Markup(""),
        worked=Markup(_worked(quantity.formula, {name: _value(part, values) for name, part in parts.items()})) if quantity else Markup(""),
        is_stepped=quantity is not None and quantity.ladder is not None,
        meaning=_meaning(quantity) if quantity else "",
        parts=tuple(Part(part.id, values.model.names[part.name].label, _at(part, values)) for part in listed),
        source=_source(figure) if figure else Markup(""),
        follows=figure is not None and bool(values.model.settable(key.name, key.overrides)),
        is_input=key.name in values.run.inputs,
    )


def _parts(key: Key, values: Values) -> dict[str, Key | None]:
    """Return what each parameter of a row stands for; None where no overrides can say it (a partner's partner)."""
    quantity = values.model.quantities.get(key.name)
    parameters = quantity.parameters if quantity else {}
    return {name: _inner(part.name, part.overrides, key.overrides, values) for name, part in parameters.items()}


def _inner(name: str, overrides: Overrides, outer: Overrides, values: Values) -> Key | None:
    around, own = dict(outer), dict(overrides)
    if EXAMPLE in around and EXAMPLE in own:
        return None
    if any(value == OTHER and choice in around for choice, value in own.items()):
        return None
    return _key(name, tuple(sorted({**around, **own}.items())), values)


def _key(name: str, overrides: Overrides, values: Values) -> Key:
    """Keep the overrides that reach the quantity: the arithmetic of a step does not care for the link."""
    reached = values.model.settable(name)
    examples = values.model.examples
    kept = [(key, value) for key, value in overrides if key in reached or (key == EXAMPLE and reached & examples[value].overrides.keys())]
    return Key(name, tuple(kept))


def _sources(name: str, values: Values) -> dict[str, str]:
    """Return the source of a figure in every record that gives it."""
    return {
        f"{choice}.{id}": str(_source(record.figures[name]))
        for choice, records in values.model.choices.items()
        for id, record in records.items()
        if name in record.figures
    }


def _source(figure: Figure) -> Markup:
    day = figure.checked.isoformat()
    return Markup('<dfn>{}</dfn>; <a href="{}"><cite>{}</cite></a>, checked <time datetime="{}">{}</time>').format(
        figure.what, figure.url, figure.source, day, day
    )


def _formula(quantity: Quantity, values: Values) -> str:
    def symbol(parameter: str) -> str:
        part = quantity.parameters[parameter]
        own, others = values.model.names[part.name].symbol, ",".join(value for _, value in part.overrides)
        return own + ("," if "_" in own else "_") + others if others else own

    return mathml("" if quantity.is_predicate else quantity.symbol, quantity.formula, symbol)


def _worked(node: ast.expr, shown: dict[str, Markup]) -> str:
    """Return the formula with this run's values in it."""

    def inner(part: ast.expr) -> str:
        return _worked(part, shown)

    def factor(part: ast.expr, *, loose: bool) -> str:
        return f"({inner(part)})" if loose else inner(part)

    match node:
        case ast.Name(id=name):
            return shown[name]
        case ast.Constant(value=int() | float() as value):
            return f"<math><mn>{value}</mn></math>"
        case ast.UnaryOp(operand=operand):
            return f"{SIGNS[ast.Sub]}{factor(operand, loose=isinstance(operand, ast.BinOp))}"
        case ast.BinOp(left=left, op=op, right=right):
            tight = isinstance(op, TIGHT)
            before = factor(left, loose=tight and _is_sum(left))
            after = factor(right, loose=(tight and isinstance(right, ast.BinOp)) or (isinstance(op, ast.Sub) and _is_sum(right)))
            return f"{before} {SIGNS[type(op)]} {after}"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"{inner(left)} {escape(SIGNS[type(op)])} {inner(right)}"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"{inner(body)} if {inner(test)}, otherwise {inner(orelse)}"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(inner(argument) for argument in arguments)})"
    raise TypeError(f"no worked line for {ast.unparse(node)!r}; the formulas' subset and this function belong together")


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.IfExp) or (isinstance(node, ast.BinOp) and not isinstance(node.op, TIGHT))


def _value(key: Key | None, values: Values) -> Markup:
    """Return the number of a row; a predicate has none, and what no overrides can say is left open."""
    if key is None:
        return Markup("…")
    quantity = values.model.quantities.get(key.name)
    return Markup("") if quantity and quantity.is_predicate else Markup(values.evaluate(Expression(key.name, key.overrides)).html)


def _at(key: Key, values: Values) -> Markup:
    """Return overrides in words: the names of choices, which follow the run, and the labels of examples."""
    words = [
        Markup("{}").format(values.model.examples[value].label)
        if name == EXAMPLE
        else Markup(values.evaluate(Expression(name, ((name, value),))).html)
        for name, value in key.overrides
    ]
    return Markup(" · ").join(words)


def _meaning(quantity: Quantity) -> str:
    words = " ".join(quantity.doc.split("\n\n")[0].split())
    return re.sub(r"^Return (\w)", lambda found: found[1].upper(), words)


def _parsed(text: str) -> Overrides:
    return tuple((name, value) for name, _, value in (part.partition("=") for part in text.split(";"))) if text else ()
