"""Quantities: a formula with its unit, symbol, label and meaning.

A quantity is a plain function whose parameters are names of other quantities or inputs.
The decorators only note the declaration; ``declared_in`` reads and checks it when a model loads.
"""

import ast
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import TypeVar

from commcost.errors import ModelError
from commcost.formula import FUNCTIONS, formula_of
from commcost.units import NUMBER, Unit

Formula = TypeVar("Formula", bound=Callable[..., object])
NOTE = "__quantity__"

# A name is also one of the reader's JavaScript, where every object has those of the last line. A list would be mostly quotes.
JAVASCRIPT_WORDS = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum eval "
    "export extends false finally for function if implements import in instanceof interface let new null package "
    "private protected public return static super switch this throw true try typeof undefined var void while with "
    "yield NaN Infinity "
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf".split()
)


@dataclass(frozen=True)
class At:
    """A quantity at another choice or example: what a parameter of that name stands for."""

    name: str
    overrides: tuple[tuple[str, str], ...]


def at(name: str, **overrides: str) -> At:
    """Return the quantity ``name`` under ``overrides``: choices, ``"other"`` (a choice's partner) or an example."""
    return At(name, tuple(sorted(overrides.items())))


@dataclass(frozen=True)
class Ladder:
    """Steps at the same ``digits`` in every power of ten from ``lowest`` to ``highest``, ascending."""

    digits: tuple[int, ...]
    lowest: int
    highest: int

    @property
    def steps(self) -> tuple[float, ...]:
        """Return every step, each the double of its decimal."""
        return tuple(float(f"{digit}e{power}") for power in range(self.lowest, self.highest + 1) for digit in self.digits)


# Where the axis of a chart may end: a few readable steps in every power of ten, so that it stays put in a comparison.
AXIS = Ladder(digits=(1, 2, 5), lowest=-21, highest=40)


@dataclass(frozen=True)
class Quantity:
    """A formula with its declaration.

    ``parameters`` maps each parameter to the quantity or input that it stands for.
    With a ``ladder`` the value is its first step not below the formula.
    """

    name: str
    label: str
    symbol: str
    unit: Unit
    doc: str
    formula: ast.expr
    function: Callable[..., float | bool]
    parameters: Mapping[str, At]
    where: str
    ladder: Ladder | None = None
    is_predicate: bool = False

    @property
    def source_text(self) -> str:
        """Return the formula as it is written in Python."""
        return ast.unparse(self.formula)


@dataclass(frozen=True)
class _Note:
    label: str
    symbol: str
    unit: Unit | None
    variants: Mapping[str, At] = field(default_factory=dict)
    ladder: Ladder | None = None
    is_predicate: bool = False


def quantity(
    *, label: str, symbol: str, unit: Unit | None = None, ladder: Ladder | None = None, **variants: At
) -> Callable[[Formula], Formula]:
    """Declare a function as a quantity; ``variants`` name parameters that stand for a quantity at another choice."""
    return _noting(_Note(label, symbol, unit, variants, ladder))


def predicate(*, label: str, **variants: At) -> Callable[[Formula], Formula]:
    """Declare a function as a predicate: one comparison on top, so that both sides can be shown."""
    return _noting(_Note(label, "", NUMBER, variants, is_predicate=True))


def is_reserved(name: str) -> bool:
    """Return whether ``name`` means something else already, to Python, to JavaScript or in a formula."""
    return name in JAVASCRIPT_WORDS or name in FUNCTIONS or keyword.iskeyword(name) or name.startswith("__")


def declared_in(*modules: ModuleType) -> dict[str, Quantity]:
    """Return the quantities that ``modules`` declare, by name, in reading order.

    Raises: ModelError for a formula outside the subset, a missing unit or docstring, a name used twice or not usable.
    """
    found: dict[str, Quantity] = {}
    for module in modules:
        for function in vars(module).values():
            note = getattr(function, NOTE, None)
            if note is None or function.__module__ != module.__name__:
                continue
            declared = _read(function, note)
            if declared.name in found:
                raise ModelError(f"{declared.where}: {declared.name} is declared twice; first at {found[declared.name].where}")
            found[declared.name] = declared
    return found


def _noting(note: _Note) -> Callable[[Formula], Formula]:
    def annotate(function: Formula) -> Formula:
        setattr(function, NOTE, note)
        return function

    return annotate


def _read(function: Callable[..., float | bool], note: _Note) -> Quantity:
    formula = formula_of(function)
    code = function.__code__
    path = code.co_filename.replace("\\", "/").split("/")
    where = f"{'/'.join(path[-2:])}:{code.co_firstlineno}"
    name = function.__name__
    if not isinstance(note.unit, Unit):
        given = "no unit" if note.unit is None else f"a unit that is none, {note.unit!r}"
        raise ModelError(f"{where}: {name} has {given}; give one of commcost/units.py, NUMBER for a plain number")
    if not note.label.strip():
        raise ModelError(f"{where}: {name} has no label; give the words that a table shows for it")
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    for word in (name, *parameters):
        if is_reserved(word):
            raise ModelError(f"{where}: {name}: {word!r} is a reserved word; choose another name")
        if not word.isascii():
            raise ModelError(f"{where}: {name}: {word!r} cannot be written on a page; a name takes a to z, digits and _")
    if isinstance(formula, ast.Compare) is not note.is_predicate:
        rule = "a predicate is one comparison" if note.is_predicate else "a comparison is declared with @predicate"
        raise ModelError(f"{where}: {name}: {rule}: {ast.unparse(formula)!r}")
    for parameter in note.variants:
        if parameter not in parameters:
            raise ModelError(f"{where}: {name}: {parameter} is given a meaning but is no parameter of the formula")
    return Quantity(
        name=name,
        label=note.label,
        symbol=note.symbol,
        unit=note.unit,
        doc=(function.__doc__ or "").strip(),
        formula=formula,
        function=function,
        parameters=MappingProxyType({parameter: note.variants.get(parameter, At(parameter, ())) for parameter in parameters}),
        where=where,
        ladder=note.ladder,
        is_predicate=note.is_predicate,
    )
