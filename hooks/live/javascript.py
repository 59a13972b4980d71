"""The model as one JavaScript module: every formula from its syntax tree, with inputs, choices, constants, examples and multiples.

The browser's numbers are Python's to the last bit: the same operations on the same doubles in the same order.
Nothing here knows which model it writes, and no formula is written by hand in JavaScript.
"""

import ast
import json
import re
from collections.abc import Iterable, Mapping
from string import ascii_lowercase

from hooks.live.forms import form_of, js_number
from hooks.live.model import Input, Model, Preset, Quantity, Record, Unit

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "===", ast.NotEq: "!==",
}  # fmt: skip
# Python's min and max keep the first of equals; its ceil and floor give no −0; it refuses to divide by zero.
FUNCTIONS = """\
export class NotComputable extends Error {}
const min = (first, ...rest) => rest.reduce((least, x) => (x < least ? x : least), first);
const max = (first, ...rest) => rest.reduce((most, x) => (x > most ? x : most), first);
const abs = Math.abs;
const ceil = (x) => Math.ceil(x) + 0;
const floor = (x) => Math.floor(x) + 0;
const div = (a, b) => {
  if (b === 0) throw new NotComputable("division by zero");
  return a / b;
};
"""


def module(model: Model) -> str:
    """Return the module's text: the exports ``inputs choices kinds constants examples multiples presets units quantities``."""
    units = {entry.unit.name: entry.unit for entry in model.names.values() if entry.unit is not None}
    exports = {
        "inputs": _object((name, _input(entry)) for name, entry in model.inputs.items()),
        "choices": _object((choice, _records(records)) for choice, records in model.choices.items()),
        "kinds": _object((name, _text(kind.unit.name)) for name, kind in model.kinds.items()),
        "constants": _object((name, f"[{js_number(c.value)},{_text(c.unit.name)}]") for name, c in model.constants.items()),
        "examples": _object((name, _settings(example.overrides)) for name, example in model.examples.items()),
        "multiples": _object((name, js_number(multiple.factor)) for name, multiple in model.multiples.items()),
        "presets": _object((name, _preset(preset)) for name, preset in model.presets.items()),
        "units": _object((name, _unit(unit)) for name, unit in units.items()),
        "quantities": _object((name, _quantity(quantity)) for name, quantity in model.quantities.items()),
    }
    head = "// Generated from the model at build: change the model, not this file."
    return "\n".join([head, FUNCTIONS, *(f"export const {name} = {value};" for name, value in exports.items())]) + "\n"


def formula(node: ast.expr, letters: Mapping[str, str]) -> str:
    """Return the JavaScript of a formula; every operation is bracketed, so that none is regrouped."""

    def inner(part: ast.expr) -> str:
        return formula(part, letters)

    match node:
        case ast.Name(id=name):
            return letters[name]
        case ast.Constant(value=int() | float() as value):
            return js_number(float(value))
        case ast.UnaryOp(operand=operand):
            return f"(-{inner(operand)})"
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return f"div({inner(left)}, {inner(right)})"
        case ast.BinOp(op=op, left=left, right=right):
            return f"({inner(left)} {OPERATORS[type(op)]} {inner(right)})"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"({inner(left)} {OPERATORS[type(op)]} {inner(right)})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"({inner(test)} ? {inner(body)} : {inner(orelse)})"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(map(inner, arguments))})"
    raise TypeError(f"no JavaScript for {ast.unparse(node)!r}; the formulas' subset and this function belong together")


def _quantity(quantity: Quantity) -> str:
    """Parameters, formula, unit and ladder: ``[of, f, unit, ladder]``, as far as there are any.

    A parameter that stands for a quantity elsewhere is written with what it stands for: ``[name, overrides]``.
    In the formula parameters are single letters, in order, since their names stand beside it.
    """
    of = ",".join(
        f"[{_text(part.name)},{_text(';'.join('='.join(pair) for pair in part.overrides))}]" if part.overrides else _text(part.name)
        for part in quantity.parameters.values()
    )
    letters = dict(zip(quantity.parameters, ascii_lowercase, strict=False))
    parts = [f"[{of}]", f"({','.join(letters.values())})=>{formula(quantity.formula, letters)}"]
    if not quantity.is_predicate:
        parts.append(_text(quantity.unit.name))
    if quantity.ladder:
        digits = ",".join(map(str, quantity.ladder.digits))
        parts.append(f"[[{digits}],{quantity.ladder.lowest},{quantity.ladder.highest}]")
    return f"[{','.join(parts)}]"


def _input(entry: Input) -> str:
    if entry.unit is None:
        return "{" + f"label:{_text(entry.label)},default:{_text(str(entry.default))}" + "}"
    assert not isinstance(entry.default, str)
    properties = {
        "label": _text(entry.label),
        "unit": _text(entry.unit.name),
        "as": _text(str(form_of(entry.unit.form))),
        "default": js_number(entry.default),
        "low": js_number(entry.low),
        "high": js_number(entry.high),
        "open": _text(entry.low_is_open),
        "whole": _text(entry.whole),
        "field": _text(entry.field),
        "power": str(entry.field_exponent or 0),
        "slider": _text(entry.slider),
        "most": js_number(entry.slider_max) if entry.slider else "0",
    }
    # What is false, empty or zero is as good as absent, but for the bounds.
    kept = {name: value for name, value in properties.items() if value not in ("false", '""', "0") or name in ("low", "power")}
    return "{" + ",".join(f"{name}:{value}" for name, value in kept.items()) + "}"


def _preset(preset: Preset) -> str:
    # Its inputs stand among the examples, under the same id.
    return "{" + f"name:{_text(preset.label)},url:{_text(preset.url)}" + "}"


def _records(records: Mapping[str, Record]) -> str:
    return _object((id, _record(record)) for id, record in records.items())


def _record(record: Record) -> str:
    # Its own name, and what it calls another choice's record that has none.
    named = {key: value for key, value in {"name": record.name, **record.details}.items() if value and key.endswith("name")}
    figures = _object((name, js_number(figure.value)) for name, figure in record.figures.items())
    return "{" + f"other:{_text(record.other)},named:{_object((key, _text(name)) for key, name in named.items())},figures:{figures}" + "}"


def _settings(overrides: Mapping[str, float | str]) -> str:
    return _object((name, _text(value) if isinstance(value, str) else js_number(float(value))) for name, value in overrides.items())


def _unit(unit: Unit) -> str:
    prefixes = ",".join(f"[{prefix.exponent},{_text(prefix.symbol)},{_text(prefix.word)}]" for prefix in unit.prefixes)
    return f"[{_text(unit.symbol)},{_text(unit.singular)},{_text(unit.plural)},{_text(str(form_of(unit.form)))},[{prefixes}]]"


def _object(entries: Iterable[tuple[str, str]]) -> str:
    return "{" + ",\n".join(f"{_property(name)}:{value}" for name, value in entries) + "}"


def _property(name: str) -> str:
    """Return a property's name; an id of the catalogue need not be an identifier."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else _text(name)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
