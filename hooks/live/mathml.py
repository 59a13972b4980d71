"""A formula's syntax tree as MathML, with the symbols of its parameters; what is read aloud has their labels."""

import ast
from collections.abc import Mapping
from html import escape

from hooks.live.in_line import decimal, in_line
from hooks.live.model import EXAMPLE, OTHER, Model, Part, Quantity

SIGNS = {
    ast.Add: "+", ast.Sub: "\N{MINUS SIGN}", ast.Mult: "\N{MIDDLE DOT}", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥",
    ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
NO_BREAK = "\N{NO-BREAK SPACE}"
FENCES = {"abs": ("|", "|"), "ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋")}


def mathml(quantity: Quantity, model: Model) -> str:
    """Return the formula of ``quantity``; that of a predicate has no left side."""
    labels = {name: escape(_label(part, model)) for name, part in quantity.parameters.items()}
    said = in_line(quantity.formula, labels, str)
    shown = _math(quantity.formula, {name: symbol(symbol_of(part, model)) for name, part in quantity.parameters.items()})
    if not quantity.is_predicate:
        said, shown = f"{escape(quantity.label)} = {said}", f"{symbol(quantity.symbol)}{_sign('=')}{shown}"
    return f'<math display="block" aria-label="{said}">{shown}</math>'


def symbol(text: str) -> str:
    """Return a symbol such as ``t_c``, ``MFU`` or ``2P`` as MathML; a word of several letters is one element."""
    base, _, index = text.partition("_")
    # A single letter is italic by default, a word upright; both are one element, so that they are read as one.
    letter = f"<mi>{escape(base)}</mi>"
    return f"<msub>{letter}<mi>{escape(index)}</mi></msub>" if index else letter


def symbol_of(part: Part, model: Model) -> str:
    """Return the symbol of what ``part`` stands for; at another choice or example, with that in its index."""
    own = model.names[part.name].symbol
    at = ",".join(_index(name, value, model) for name, value in part.overrides)
    return own + ("," if "_" in own else "_") + at if at else own


def _index(name: str, value: str, model: Model) -> str:
    """Return a record or an example as an index; a record that another one names has its id."""
    if value == OTHER:
        return f"{model.names[name].symbol}\N{PRIME}"
    return model.examples[value].label if name == EXAMPLE else model.choices[name][value].name or value


def _label(part: Part, model: Model) -> str:
    own = model.names[part.name].label
    at = " and ".join(_spoken(name, value, model) for name, value in part.overrides)
    return f"{own} with {at}" if at else own


def _spoken(name: str, value: str, model: Model) -> str:
    """Return a record or an example as a sentence names it; a record that another one names may have a label."""
    if value == OTHER:
        return f"the other {model.names[name].label}"
    record = None if name == EXAMPLE else model.choices[name][value]
    return _index(name, value, model) if record is None or record.name else record.details.get("label", value)


def _math(node: ast.expr, symbols: Mapping[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return symbols[name]
        case ast.Constant(value=int() | float() as value):
            return f"<mn>{decimal(value)}</mn>"
        case ast.UnaryOp(operand=operand):
            return _sign("\N{MINUS SIGN}") + _factor(operand, symbols)
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            above = _bracketed(left, symbols) if _is_loose(left) else _math(left, symbols)
            below = _bracketed(right, symbols) if _is_loose(right) or isinstance(right, ast.BinOp) else _math(right, symbols)
            return f"<mfrac><mrow>{above}{_unseen('÷')}</mrow><mrow>{below}</mrow></mfrac>"
        case ast.BinOp(op=ast.Mult() as op, left=left, right=right):
            return _factor(left, symbols) + _sign(SIGNS[type(op)]) + _factor(right, symbols)
        case ast.BinOp(op=op, left=left, right=right):
            subtrahend = _factor if isinstance(op, ast.Sub) else _math
            return _math(left, symbols) + _sign(SIGNS[type(op)]) + subtrahend(right, symbols)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _math(left, symbols) + _sign(SIGNS[type(op)]) + _math(right, symbols)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            condition = f"{_text(' if ')}{_math(test, symbols)}{_text(', ')}"
            cases = ((body, condition), (orelse, _text(" otherwise")))
            rows = "".join(f"<mtr><mtd>{_math(value, symbols)}</mtd><mtd>{condition}</mtd></mtr>" for value, condition in cases)
            return f"<mrow>{_sign('{')}<mtable>{rows}</mtable></mrow>"
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            opening, closing = FENCES[name]
            return _fenced(opening, _math(argument, symbols), closing)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"<mi>{name}</mi>" + _fenced("(", _sign(",").join(_math(argument, symbols) for argument in arguments), ")")
    raise TypeError(f"no MathML for {ast.unparse(node)!r}; the formulas' subset and this function belong together")


def _factor(node: ast.expr, symbols: Mapping[str, str]) -> str:
    """Return a factor, in brackets where it is a sum or depends on a condition."""
    if _is_loose(node):
        return _fenced("(", _math(node, symbols), ")")
    is_fraction = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
    return _bracketed(node, symbols) if is_fraction else _math(node, symbols)


def _is_loose(node: ast.expr) -> bool:
    return isinstance(node, ast.IfExp) or (isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mult | ast.Div))


def _bracketed(node: ast.expr, symbols: Mapping[str, str]) -> str:
    """Return a formula in brackets that a fraction's line spares the eye."""
    return _unseen("(") + _math(node, symbols) + _unseen(")")


def _fenced(opening: str, inner: str, closing: str) -> str:
    """Return ``inner`` between fences, in a row of their own, so that they grow with it and with nothing beside it."""
    return f"<mrow>{_sign(opening)}{inner}{_sign(closing)}</mrow>"


def _sign(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"


def _text(text: str) -> str:
    return f"<mtext>{text.replace(' ', NO_BREAK)}</mtext>"


def _unseen(sign: str) -> str:
    """Return a sign for whoever reads the bare text: a text browser, a search; the style sheet hides it."""
    return f'<mtext class="math-unseen">{sign}</mtext>'
