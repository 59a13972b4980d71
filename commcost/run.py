"""A run: the inputs of one case. It evaluates quantities by name, overrides inputs, and explains where a value comes from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from commcost.errors import ModelError, nearest
from commcost.quantity import Ladder, Quantity
from commcost.records import EXAMPLE, OTHER, Entry, Record, Setting, SourcedFigure

if TYPE_CHECKING:
    from commcost.model import Model


@dataclass(frozen=True)
class Explanation:
    """A value with its formula and the values that went into it, down to inputs and sourced figures."""

    entry: "Entry | Quantity"
    overrides: tuple[tuple[str, str], ...]
    value: float | bool | str
    inputs: Mapping[str, "Explanation"]
    source: SourcedFigure | None


@dataclass(frozen=True)
class Run:
    """The inputs of one case. Evaluates by name; every value is kept, since a run never changes.

    Inputs are checked where they are set (``with_``); a multiple of one may pass its bounds, since it only says what would be.
    """

    model: "Model"
    inputs: Mapping[str, Setting]
    _values: dict[str, float | bool] = field(default_factory=dict, repr=False, compare=False)
    _runs: "dict[tuple[tuple[str, type, Setting], ...], Run]" = field(default_factory=dict, repr=False, compare=False)
    _figures: dict[str, SourcedFigure] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", MappingProxyType(dict(self.inputs)))
        for choice in self.model.choices:
            self._figures.update(self.record(choice).figures)

    def value(self, name: str) -> float | bool | str:
        """Return the value of ``name`` in its base unit: a double, the truth of a predicate, or the id of a choice.

        Raises: ModelError for an unknown name, a division by zero or a result that is not finite.
        """
        if name in self.inputs:
            return self.inputs[name]
        if name not in self._values:
            self._values[name] = self._evaluate(name)
        return self._values[name]

    def with_(self, **overrides: Setting) -> "Run":
        """Return this run with inputs set anew: numbers or multiples, ids or ``"other"`` for a choice's partner, ``example="name"``.

        An example comes first, so that an override beside it wins.

        Raises: ModelError for an unknown name or a value outside its bounds.
        """
        if not overrides:
            return self
        # With the type, because True and 1 are equal, and only one of them is a number of GPUs.
        key = tuple(sorted((name, type(value), value) for name, value in overrides.items()))
        if key not in self._runs:
            self._runs[key] = Run(self.model, self._overridden(overrides))
        return self._runs[key]

    def record(self, choice: str) -> Record:
        """Return the record chosen for ``choice``."""
        return self.model.record(choice, str(self.inputs[choice]))

    def name_of(self, choice: str) -> str:
        """Return what the chosen record is called; where it has no name, what another choice's record calls it."""
        record = self.record(choice)
        if record.name is not None:
            return record.name
        return next(
            self.record(other).details[f"{choice}_name"] for other in self.model.choices if f"{choice}_name" in self.record(other).details
        )

    def figure(self, name: str) -> SourcedFigure | None:
        """Return the sourced figure behind ``name``: a constant, or what the chosen records give."""
        return self.model.catalog.constants.get(name) or self._figures.get(name)

    def explain(self, name: str, overrides: tuple[tuple[str, str], ...] = ()) -> Explanation:
        """Return the tree of values behind ``name``, down to inputs and sourced figures."""
        entry = self._entry(name)
        run = self.with_(**dict(overrides))
        parts = entry.parameters if isinstance(entry, Quantity) else {}
        return Explanation(
            entry=entry,
            overrides=overrides,
            value=run.value(name),
            inputs={parameter: run.explain(part.name, part.overrides) for parameter, part in parts.items()},
            source=run.figure(name),
        )

    def _entry(self, name: str) -> "Entry | Quantity":
        if name not in self.model.names:
            raise ModelError(f"unknown quantity {name!r}{nearest(name, self.model.names)}")
        return self.model.names[name]

    def _evaluate(self, name: str) -> float | bool:
        entry = self._entry(name)
        if not isinstance(entry, Quantity):
            figure = self.figure(name)
            if figure is None:
                chosen = ", ".join(str(self.inputs[choice]) for choice in self.model.choices)
                raise ModelError(f"{name} is given by none of {chosen}")
            return figure.value
        arguments = {parameter: self.with_(**dict(part.overrides)).value(part.name) for parameter, part in entry.parameters.items()}
        try:
            value = entry.function(**arguments)
        except ZeroDivisionError:
            raise ModelError(f"{name}: division by zero in this run: {_listed(arguments)}") from None
        except (OverflowError, ValueError):  # ceil and floor of what is not finite
            raise ModelError(f"{name} is not finite in this run: {_listed(arguments)}") from None
        if entry.is_predicate:
            return bool(value)
        number = float(value)
        if not math.isfinite(number):
            raise ModelError(f"{name} is not finite in this run: {_listed(arguments)}")
        return _step(number, entry.name, entry.ladder) if entry.ladder else number

    def _overridden(self, overrides: Mapping[str, Setting]) -> dict[str, Setting]:
        inputs = dict(self.inputs)
        for name, value in self.model.in_order(overrides):
            if name not in inputs:
                raise ModelError(f"unknown input {name!r}{nearest(name, (*inputs, EXAMPLE))}")
            inputs[name] = self._set(name, value, inputs[name])
        return inputs

    def _set(self, name: str, value: Setting, before: Setting) -> Setting:
        """Return what ``value`` sets an input to that was ``before``."""
        entry = self.model.inputs[name]
        if entry.unit is None:
            return self.model.record(name, str(before)).other if value == OTHER else self.model.record(name, str(value)).id
        multiple = self.model.multiple(name, value)
        if multiple is not None:
            return float(before) * multiple.factor
        if isinstance(value, (bool, str)) or not isinstance(value, (int, float)):
            raise ModelError(f"invalid {name}; must be a number: {value!r}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not entry.accepts(number):
            raise ModelError(f"invalid {name}; {entry.rule}: {value!r}")
        return number


def _listed(arguments: Mapping[str, float | bool | str]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in arguments.items())


def _step(value: float, name: str, ladder: Ladder) -> float:
    step = next((step for step in ladder.steps if step >= value), None)
    if step is None:
        raise ModelError(f"{name} is beyond its last step {ladder.steps[-1]!r}: {value!r}")
    return step
