"""The ledger: what a page's numbers come from, a row for each quantity and its overrides, down to inputs and sources.

Every number in it is a number like those of the text and follows the reader's run. A row that another one needs
stands in the same ledger, so that a reader walks from a number to a data sheet by links alone.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from jinja2 import Environment
from markupsafe import Markup

from hooks.live.drawn import one_block
from hooks.live.expressions import Expression, Overrides
from hooks.live.mathml import mathml
from hooks.live.model import Part, Quantity, Sourced
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
class Row:
    """A row as its template shows it; every text is HTML."""

    id: str
    label: str
    at: str
    value: Markup
    formula: Markup
    worked: Markup
    meaning: str
    parts: tuple[tuple[str, str, Markup], ...]
    source: Sourced | None
    is_input: bool


def ledger(used: Iterable[Shown], values: Values, templates: Environment) -> tuple[str, dict[str, str]]:
    """Return the ledger of what a page used as HTML, and the row of each number whose own overrides do not name it.

    The second part maps "quantity|overrides" as a number carries them to the id of its row.
    """
    wanted = {(shown.name, _parsed(shown.set)): None for shown in used}
    keys: dict[Key, None] = {}
    rows: dict[str, str] = {}
    for name, overrides in wanted:
        key = _key(name, overrides, values)
        keys[key] = None
        if key.overrides != overrides:
            rows[f"{name}|{Expression(name, overrides).set}"] = key.id
    pending = list(keys)
    while pending:
        for _, part in _parts(pending.pop(0), values):
            if part is not None and part not in keys:
                keys[part] = None
                pending.append(part)
    if not keys:
        return "", {}
    html = templates.get_template("ledger.html").render(rows=[_row(key, values) for key in keys])
    return one_block(html), rows


def _row(key: Key, values: Values) -> Row:
    entry = values.model.names[key.name]
    quantity = values.model.quantities.get(key.name)
    parts = dict(_parts(key, values))
    worked = Markup("")
    formula = Markup("")
    if quantity is not None:
        symbols = {parameter: _symbol(part, values) for parameter, part in quantity.parameters.items()}
        left = "" if quantity.is_predicate else entry.symbol
        formula = Markup(mathml(left, quantity.formula, lambda parameter: symbols[parameter]))
        worked = Markup(_worked(quantity.formula, {parameter: _value(part, values) for parameter, part in parts.items()}))
    listed = {part: None for part in parts.values() if part is not None}
    return Row(
        id=key.id,
        label=entry.label,
        at=_at(key.overrides, values),
        value=_value(key, values) if quantity is None or not quantity.is_predicate else Markup(""),
        formula=formula,
        worked=worked,
        meaning=_first_paragraph(quantity) if quantity else "",
        parts=tuple((part.id, _label(part, values), _value(part, values)) for part in listed),
        source=values.sourced(key.name, key.overrides),
        is_input=key.name in values.run.inputs,
    )


def _parts(key: Key, values: Values) -> list[tuple[str, Key | None]]:
    """Return what each parameter of a row stands for; None where no overrides can say it (a partner's partner)."""
    quantity = values.model.quantities.get(key.name)
    if quantity is None:
        return []
    return [(parameter, _inner(part, key.overrides, values)) for parameter, part in quantity.parameters.items()]


def _inner(part: Part, outer: Overrides, values: Values) -> Key | None:
    merged = {**dict(outer), **dict(part.overrides)}
    clash = [name for name, value in part.overrides if dict(outer).get(name) == value == "other"]
    return None if clash or ("example" in dict(outer) and "example" in dict(part.overrides)) else _key(part.name, tuple(sorted(merged.items())), values)


def _key(name: str, overrides: Overrides, values: Values) -> Key:
    """Keep the overrides that reach the quantity: the arithmetic of a step does not care for the link."""
    reached = values.model.settable(name)
    examples = values.model.examples
    kept = [(key, value) for key, value in overrides if key in reached or (key == "example" and reached & examples[value].overrides.keys())]
    return Key(name, tuple(kept))


def _worked(node: ast.expr, shown: dict[str, Markup]) -> str:
    """Return the formula with this run's values in it."""

    def inner(part: ast.expr) -> str:
        return _worked(part, shown)

    def factor(part: ast.expr, *, loose: bool) -> str:
        return f"({inner(part)})" if loose else inner(part)

    match node:
        case ast.Name(id=name):
            return shown[name]
        case ast.Constant(value=value):
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
    return Markup(values.evaluate(Expression(key.name, key.overrides)).html) if key else Markup("…")


def _label(key: Key, values: Values) -> str:
    at = _at(key.overrides, values)
    return values.model.names[key.name].label + (f", {at}" if at else "")


def _at(overrides: Overrides, values: Values) -> str:
    """Return overrides in words: the names of choices and the labels of examples."""
    return ", ".join(values.override_label(name, value) for name, value in overrides)


def _symbol(part: Part, values: Values) -> str:
    own = values.model.names[part.name].symbol
    others = ",".join(value for _, value in part.overrides)
    return own + ("," if "_" in own else "_") + others if others else own


def _first_paragraph(quantity: Quantity) -> str:
    words = " ".join(quantity.doc.split("\n\n")[0].split())
    return words.removeprefix("Return ").removeprefix("Tell ")


def _parsed(text: str) -> Overrides:
    return tuple((name, value) for name, _, value in (part.partition("=") for part in text.split(";"))) if text else ()
