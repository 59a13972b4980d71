"""Units: each formula, evaluated on pint quantities, has the dimension that its declaration claims."""

import ast
from collections.abc import Iterable, Mapping

import pint
import pytest

from commcost import Model
from commcost.quantity import Quantity
from commcost.units import UNITS, Unit

# pint's own byte and count have no dimension. Here each is one, so that bytes are never added to parameters.
# A hop is counted in GPUs: a ring of N passes a chunk on N − 1 times.
BASE = ("second", "byte", "bit", "flop", "token", "parameter", "gpu")

units = pint.UnitRegistry(None)
for base in BASE:
    units.define(f"{base} = [{base}]")


def one(unit: Unit) -> pint.Quantity:
    return units.Quantity(1.0, unit.dimension)


def measured(node: ast.expr, parameters: Mapping[str, pint.Quantity]) -> pint.Quantity | None:
    """Return the formula's value with its unit, or None for a bare number, which takes the unit of its neighbour.

    Every parameter is one of its unit and every result is set to one again, so that a difference is not zero.

    Raises: pint.DimensionalityError where unlike things are added, compared or chosen from.
    """
    match node:
        case ast.Constant():
            return None
        case ast.Name(id=name):
            return parameters[name]
        case ast.UnaryOp(operand=operand) | ast.Call(func=ast.Name(id="abs" | "ceil" | "floor"), args=[operand]):
            return measured(operand, parameters)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            first, second = measured(left, parameters), measured(right, parameters)
            if first is None and second is None:
                return None
            first, second = (units.Quantity(1.0) if part is None else part for part in (first, second))
            return first * second if isinstance(op, ast.Mult) else first / second
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return alike((left, right), parameters)
        case ast.Call(func=ast.Name(id="min" | "max"), args=operands):
            return alike(operands, parameters)
        case ast.Compare(left=left, comparators=[right]):
            alike((left, right), parameters)
            return units.Quantity(1.0)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            measured(test, parameters)
            return alike((body, orelse), parameters)
    raise NotImplementedError(ast.dump(node))


def alike(nodes: Iterable[ast.expr], parameters: Mapping[str, pint.Quantity]) -> pint.Quantity | None:
    """Return what all of ``nodes`` are measured in."""
    parts = [part for part in (measured(node, parameters) for node in nodes) if part is not None]
    for part in parts[1:]:
        parts[0] + part  # pint refuses what cannot be added
    return parts[0] if parts else None


def parameters_of(model: Model, quantity: Quantity) -> dict[str, pint.Quantity]:
    """Return one of each parameter's unit; a quantity at another choice is measured as at this one."""
    return {parameter: one(model.names[part.name].unit) for parameter, part in quantity.parameters.items()}


def test_every_formula_has_the_dimension_it_declares(model: Model) -> None:
    for quantity in model.quantities.values():
        result = measured(quantity.formula, parameters_of(model, quantity)) or units.Quantity(1.0)
        assert result.dimensionality == one(quantity.unit).dimensionality, quantity.name


@pytest.mark.parametrize("name", UNITS)
def test_every_unit_is_made_of_the_base_units(name: str) -> None:
    assert {str(base).strip("[]") for base in one(UNITS[name]).dimensionality} <= set(BASE)


def test_every_base_unit_is_used() -> None:
    used = {str(base).strip("[]") for unit in UNITS.values() for base in one(unit).dimensionality}
    assert used == set(BASE)


@pytest.mark.parametrize(
    "formula",
    [
        "gradient_bytes + compute_seconds",
        "gradient_bytes - params",
        "max(0, gradient_bytes, compute_seconds)",
        "gradient_bytes if gpus > 1 else compute_seconds",
        "gradient_bytes if gpus > params else 0",
        "gradient_bytes < compute_seconds",
        "abs(gradient_bytes - compute_seconds) < 1",
        "2 * (gradient_bytes + 3 * (1 - gpus))",
        "chunk_bytes + gradient_bytes",
        "link_bytes_per_second + headline_bits_per_second",
    ],
)
def test_unlike_things_are_refused(model: Model, formula: str) -> None:
    parameters = {name: one(entry.unit) for name, entry in model.names.items() if entry.unit}
    with pytest.raises(pint.DimensionalityError):
        measured(ast.parse(formula, mode="eval").body, parameters)


@pytest.mark.parametrize(
    ("formula", "wrong"),
    [
        ("gradient_bytes * link_bytes_per_second", "s"),
        ("step_flops / (peak_flops_per_second * mfu)", "s"),  # forgets the number of GPUs
        ("params * tokens", "FLOP"),
        ("gradient_bytes / gpus", "B"),  # a chunk is per hop
        ("tokens / gpus", "tokens"),
        ("quoted_all_reduce_bytes / compute_seconds", "1"),
    ],
)
def test_a_formula_of_another_dimension_shows(model: Model, formula: str, wrong: str) -> None:
    parameters = {name: one(entry.unit) for name, entry in model.names.items() if entry.unit}
    result = measured(ast.parse(formula, mode="eval").body, parameters)
    assert result is not None
    assert result.dimensionality != one(UNITS[wrong]).dimensionality
