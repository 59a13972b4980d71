"""A formula in one line: with the values of a run it is the worked line, with labels what is read aloud."""

import ast
from collections.abc import Callable, Mapping
from decimal import Decimal
from html import escape

SIGNS = {
    ast.Add: "+", ast.Sub: "\N{MINUS SIGN}", ast.Mult: "×", ast.Div: "÷", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥",
    ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
# Functions that are read as words behind what they are applied to.
BEHIND = {"abs": "without its sign", "ceil": "rounded up", "floor": "rounded down"}
TIGHT = (ast.Mult, ast.Div)


def in_line(node: ast.expr, texts: Mapping[str, str], literal: Callable[[str], str]) -> str:
    """Return a formula as HTML: ``texts`` (HTML) stand for its parameters, ``literal`` writes a number that it holds."""

    def line(part: ast.expr) -> str:
        return in_line(part, texts, literal)

    def factor(part: ast.expr, *, loose: bool) -> str:
        return f"({line(part)})" if loose else line(part)

    match node:
        case ast.Name(id=name):
            return texts[name]
        case ast.Constant(value=int() | float() as value):
            return literal(decimal(value))
        case ast.UnaryOp(operand=operand):
            return f"{SIGNS[ast.Sub]}{factor(operand, loose=isinstance(operand, ast.BinOp))}"
        case ast.BinOp(left=left, op=op, right=right):
            tight = isinstance(op, TIGHT)
            before = factor(left, loose=tight and _is_sum(left))
            after = factor(right, loose=(tight and isinstance(right, ast.BinOp)) or (isinstance(op, ast.Sub) and _is_sum(right)))
            return f"{before} {SIGNS[type(op)]} {after}"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"{line(left)} {escape(SIGNS[type(op)])} {line(right)}"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            # In brackets, so that what stands before or behind it belongs to all of it.
            return f"({line(body)} if {line(test)}, otherwise {line(orelse)})"
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in BEHIND:
            return f"({line(argument)}, {BEHIND[name]})"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(line(argument) for argument in arguments)})"
    raise TypeError(f"no line for {ast.unparse(node)!r}; the formulas' subset and this function belong together")


def decimal(value: float) -> str:
    """Return a number that a formula holds as a plain decimal."""
    return format(Decimal(repr(value)), "f")


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and not isinstance(node.op, TIGHT)
