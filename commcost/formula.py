"""Formulas: the pure subset of Python that reads the same in every language.

Only doubles, ``+ - * /``, comparisons, ``min max abs ceil floor`` and the conditional expression are allowed.
Powers, logarithms, ``//`` and ``%`` are refused because Python and V8 differ on some of them in the last bit.
"""

import ast
import inspect
import math
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from commcost.errors import ModelError, nearest

FUNCTIONS = frozenset({"min", "max", "abs", "ceil", "floor"})
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
ALLOWED = "+ - * /, min max abs ceil floor, a if b > c else d, parameters, and one comparison on top"


def ceil(x: float) -> float:
    """Return the smallest whole number not below x, as a double."""
    return float(math.ceil(x))


def floor(x: float) -> float:
    """Return the largest whole number not above x, as a double."""
    return float(math.floor(x))


def formula_of(function: Callable[..., object]) -> ast.expr:
    """Return the syntax tree of the expression that ``function`` returns.

    The body is a docstring and one ``return``: an intermediate value is a quantity of its own.

    Raises: ModelError with file and line for anything outside the pure subset.
    """
    file = inspect.getsourcefile(function) or "<unknown>"
    line = function.__code__.co_firstlineno
    definitions = _definitions(file)
    definition = definitions.get(line)
    if definition is None:
        raise ModelError(f"{file}:{line}: {function.__name__} has no readable source; define it with def in a file")
    where = f"{_short(file)}:{definition.lineno}"
    first = next((other for other in definitions.values() if other.name == definition.name), definition)
    if first is not definition and not definition.col_offset:  # Python has forgotten the first one; its source has not
        raise ModelError(f"{where}: {definition.name} is declared twice; first at {_short(file)}:{first.lineno}")
    arguments = definition.args
    defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    if defaults or arguments.posonlyargs or arguments.vararg or arguments.kwarg:
        raise ModelError(f"{where}: {definition.name}: a parameter is a name of the model, without a default, *args or /")
    if not ast.get_docstring(definition):
        raise ModelError(f"{where}: {function.__name__} has no docstring; say what it returns, in which unit, and its assumption")
    body = definition.body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        raise ModelError(f"{where}: {function.__name__} must be a docstring and one return; make each intermediate value a quantity")
    parameters = {argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)}
    expression = body[0].value
    check = _check_comparison if isinstance(expression, ast.Compare) else _check
    check(expression, parameters, _short(file), function.__name__)
    return expression


def _check(node: ast.expr, parameters: set[str], file: str, name: str) -> None:
    match node:
        case ast.Name(id=parameter) if parameter in parameters:
            return
        case ast.Name(id=other):
            known = nearest(other, parameters)
            raise ModelError(f"{file}:{node.lineno}: {name}: {other!r} is no parameter of the formula{known}")
        case ast.Constant(value=bool()):
            raise _outside(node, file, name)
        case ast.Constant(value=int() | float()):
            return
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, OPERATORS):
            return _check_all((left, right), parameters, file, name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _check(operand, parameters, file, name)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            _check_comparison(test, parameters, file, name)
            return _check_all((body, orelse), parameters, file, name)
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as arguments, keywords=[]):
            return _check_all(arguments, parameters, file, name)
        case ast.Call(func=ast.Name(id="abs" | "ceil" | "floor"), args=[argument], keywords=[]):
            return _check(argument, parameters, file, name)
    raise _outside(node, file, name)


def _check_comparison(node: ast.expr, parameters: set[str], file: str, name: str) -> None:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, COMPARISONS):
            return _check_all((left, right), parameters, file, name)
    raise _outside(node, file, name)


def _check_all(nodes: Iterable[ast.expr], parameters: set[str], file: str, name: str) -> None:
    for node in nodes:
        _check(node, parameters, file, name)


def _outside(node: ast.expr, file: str, name: str) -> ModelError:
    what = f"{ast.unparse(node)!r} is outside the formulas' subset"
    return ModelError(f"{file}:{node.lineno}: {name}: {what}; allowed: {ALLOWED}")


@cache
def _definitions(file: str) -> dict[int, ast.FunctionDef]:
    """Map the first line of each function in ``file`` (its first decorator, as Python counts) to its definition.

    One parse a file: ``inspect.getsource`` reads the file again for every function.
    """
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except OSError:
        return {}
    definitions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {min([node.lineno, *(d.lineno for d in node.decorator_list)]): node for node in definitions}


def _short(file: str) -> str:
    path = Path(file)
    return f"{path.parent.name}/{path.name}"
