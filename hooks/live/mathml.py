"""A formula's syntax tree as MathML, with the symbols of its parameters."""

import ast
from collections.abc import Callable
from html import escape

SIGNS = {
    ast.Add: "+", ast.Sub: "\N{MINUS SIGN}", ast.Mult: "\N{MIDDLE DOT}", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥",
    ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
LOOSE = (ast.BinOp, ast.IfExp, ast.Compare)


def mathml(left: str, formula: ast.expr, symbol_of: Callable[[str], str]) -> str:
    """Return ``left = formula`` (``left`` empty for a predicate); ``symbol_of`` gives the symbol of a parameter."""
    head = f"{symbol(left)}{_sign('=')}" if left else ""
    return f'<math display="block">{head}{_row(formula, symbol_of)}</math>'


def symbol(text: str) -> str:
    """Return a symbol such as ``t_c``, ``MFU`` or ``2P`` as MathML; a word of several letters is one element."""
    base, _, index = text.partition("_")
    # A single letter is italic by default, a word upright; both are one element, so that they are read as one.
    letter = f"<mi>{escape(base)}</mi>"
    return f"<msub>{letter}<mi>{escape(index)}</mi></msub>" if index else letter


def _row(node: ast.expr, symbol_of: Callable[[str], str]) -> str:
    return f"<mrow>{_math(node, symbol_of)}</mrow>"


def _math(node: ast.expr, symbol_of: Callable[[str], str]) -> str:
    match node:
        case ast.Name(id=name):
            return symbol(symbol_of(name))
        case ast.Constant(value=int() | float() as value):
            return f"<mn>{value}</mn>"
        case ast.UnaryOp(operand=operand):
            return _sign("\N{MINUS SIGN}") + _factor(operand, symbol_of)
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return f"<mfrac>{_row(left, symbol_of)}{_row(right, symbol_of)}</mfrac>"
        case ast.BinOp(op=ast.Mult() as op, left=left, right=right):
            return _factor(left, symbol_of) + _sign(SIGNS[type(op)]) + _factor(right, symbol_of)
        case ast.BinOp(op=op, left=left, right=right):
            subtrahend = _factor if isinstance(op, ast.Sub) else _math
            return _math(left, symbol_of) + _sign(SIGNS[type(op)]) + subtrahend(right, symbol_of)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _row(left, symbol_of) + _sign(SIGNS[type(op)]) + _row(right, symbol_of)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            cases = ((body, f"<mtext>if\N{NO-BREAK SPACE}</mtext>{_row(test, symbol_of)}"), (orelse, "<mtext>otherwise</mtext>"))
            rows = "".join(f"<mtr><mtd>{_row(value, symbol_of)}</mtd><mtd>{condition}</mtd></mtr>" for value, condition in cases)
            # In a row of its own the brace is its first sign, and so grows with the cases.
            return f"<mrow>{_sign('{')}<mtable>{rows}</mtable></mrow>"
        case ast.Call(func=ast.Name(id="abs"), args=[argument]):
            return _sign("|") + _row(argument, symbol_of) + _sign("|")
        case ast.Call(func=ast.Name(id=("ceil" | "floor") as name), args=[argument]):
            opening, closing = ("⌈", "⌉") if name == "ceil" else ("⌊", "⌋")
            return _sign(opening) + _row(argument, symbol_of) + _sign(closing)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            inside = _sign(",").join(_row(argument, symbol_of) for argument in arguments)
            return f"<mi>{name}</mi>{_sign('(')}{inside}{_sign(')')}"
    raise TypeError(f"no MathML for {ast.unparse(node)!r}; the formulas' subset and this function belong together")


def _factor(node: ast.expr, symbol_of: Callable[[str], str]) -> str:
    """Return a factor, in brackets where it is a sum."""
    loose = isinstance(node, LOOSE) and not (isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)))
    return f"{_sign('(')}{_row(node, symbol_of)}{_sign(')')}" if loose else _math(node, symbol_of)


def _sign(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"
