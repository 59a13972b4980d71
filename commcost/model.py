"""A model: its catalogue and its quantities; and a run: the inputs of one case, which evaluates quantities by name."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import TypeAlias

from commcost.catalog import EXAMPLE, OTHER, Catalog, FigureKind, Input, Record, SourcedFigure
from commcost.errors import ModelError, nearest
from commcost.quantity import Ladder, Quantity, declared_in

Entry: TypeAlias = Quantity | SourcedFigure | FigureKind | Input
Setting: TypeAlias = float | str


@dataclass(frozen=True)
class Explanation:
    """A value with its formula and the values that went into it, down to inputs and sourced figures."""

    entry: Entry
    overrides: tuple[tuple[str, str], ...]
    value: float | bool | str
    inputs: Mapping[str, "Explanation"]
    source: SourcedFigure | None


class Model:
    """Quantities over a catalogue, checked once: every parameter is known and nothing depends on itself.

    Raises: ModelError, one line with file, line or key, rule and nearest match.
    """

    def __init__(self, catalog: Catalog, *modules: ModuleType) -> None:
        self.catalog = catalog
        self.inputs = catalog.inputs
        self.choices = catalog.choices
        self.kinds = catalog.kinds
        self.constants = catalog.constants
        self.examples = catalog.examples
        self.presets = catalog.presets
        self.quantities: Mapping[str, Quantity] = MappingProxyType(declared_in(*modules))
        self.names: Mapping[str, Entry] = MappingProxyType(self._named())
        self._check_parameters()
        self._check_figures()
        for example in catalog.examples.values():
            self.run(**example.overrides)
        self._settable: dict[tuple[str, tuple[tuple[str, Setting], ...]], frozenset[str]] = {}

    def run(self, **overrides: Setting) -> "Run":
        """Return the default run, with ``overrides`` of inputs.

        Raises: ModelError for an unknown name or a value outside its bounds.
        """
        return Run(self, {name: entry.default for name, entry in self.inputs.items()}).with_(**overrides)

    @property
    def texts(self) -> frozenset[str]:
        """Return the names that the catalogue gives to things: a page may write them although they hold digits."""
        records = [record for records in self.choices.values() for record in records.values()]
        named = {record.name for record in records if record.name}
        return frozenset(named.union(*(record.details.values() for record in records)))

    def settable(self, name: str, overrides: Iterable[tuple[str, str]] = ()) -> frozenset[str]:
        """Return the inputs that a reader may set and on which ``name`` under ``overrides`` depends."""
        return self._open(name, self._fixed({}, overrides))

    def _open(self, name: str, fixed: dict[str, Setting]) -> frozenset[str]:
        key = (name, tuple(sorted(fixed.items())))
        if key not in self._settable:
            self._settable[key] = self._find_open(name, fixed)
        return self._settable[key]

    def _find_open(self, name: str, fixed: dict[str, Setting]) -> frozenset[str]:
        if name in self.inputs:
            return frozenset() if name in fixed else frozenset({name})
        if name in self.catalog.kinds:
            return self._figure_depends_on(name, fixed)
        if name not in self.quantities:
            return frozenset()
        parts = self.quantities[name].parameters.values()
        return frozenset[str]().union(*(self._open(part.name, self._fixed(fixed, part.overrides)) for part in parts))

    def _fixed(self, fixed: Mapping[str, Setting], overrides: Iterable[tuple[str, str]]) -> dict[str, Setting]:
        """Return the inputs that stay put under ``overrides``; the partner of an open choice is open."""
        settled = dict(fixed)
        for name, value in self.in_order(dict(overrides)):
            if value != OTHER:
                settled[name] = value
            elif name in settled:
                settled[name] = self.record(name, str(settled[name])).other
        return settled

    def _figure_depends_on(self, figure: str, fixed: Mapping[str, Setting]) -> frozenset[str]:
        """The last choice whose record gives the figure decides; while it is open, so do the earlier ones."""
        found: set[str] = set()
        for choice in reversed(tuple(self.choices)):
            records = self.choices[choice].values()
            if not any(figure in record.figures for record in records):
                continue
            if choice not in fixed:
                found.add(choice)
            elif figure in self.record(choice, str(fixed[choice])).figures:
                break
            if all(figure in record.figures for record in records):
                break
        return frozenset(found)

    def _named(self) -> dict[str, Entry]:
        names: dict[str, Entry] = {**self.inputs, **self.catalog.kinds, **self.catalog.constants}
        for quantity in self.quantities.values():
            if quantity.name in names or quantity.name == EXAMPLE:
                raise ModelError(f"{quantity.where}: {quantity.name} is already a name of the catalogue")
            names[quantity.name] = quantity
        return names

    def _check_parameters(self) -> None:
        done: set[str] = set()
        for quantity in self.quantities.values():
            self._check_quantity(quantity, (), done)

    def _check_quantity(self, quantity: Quantity, path: tuple[str, ...], done: set[str]) -> None:
        if quantity.name in path:
            cycle = " → ".join((*path[path.index(quantity.name) :], quantity.name))
            raise ModelError(f"{quantity.where}: a quantity depends on itself: {cycle}")
        if quantity.name in done:
            return
        where = f"{quantity.where}: {quantity.name}"
        for parameter, part in quantity.parameters.items():
            if part.name not in self.names:
                raise ModelError(f"{where}: unknown parameter {part.name!r}{nearest(part.name, self.names)}")
            entry = self.names[part.name]
            if isinstance(entry, Input) and entry.unit is None:
                raise ModelError(f"{where}: {parameter} is a choice, not a number; use a figure of its record")
            if isinstance(entry, Quantity) and entry.is_predicate:
                raise ModelError(f"{where}: {parameter} is a predicate, not a number; compare what it compares")
            if isinstance(entry, Quantity):
                self._check_quantity(entry, (*path, quantity.name), done)
            try:
                self.check_overrides(part.overrides)
            except ModelError as error:
                raise ModelError(f"{where}: {parameter}: {error}") from None
        done.add(quantity.name)

    def _check_figures(self) -> None:
        """Refuse a figure that a formula needs and that some combination of choices does not give."""
        needed = {part.name for quantity in self.quantities.values() for part in quantity.parameters.values()}
        for figure in sorted(needed & self.catalog.kinds.keys()):
            gaps = {
                choice: [f"{choice}s.{record.id}" for record in records.values() if figure not in record.figures]
                for choice, records in self.choices.items()
            }
            if all(gaps.values()):
                partly = [gap for choice, gap in gaps.items() if len(gap) < len(self.choices[choice])]
                missing = ", ".join(record for gap in partly for record in gap) or "any record"
                raise ModelError(f"{figure} is used by a formula but not given by {missing}")

    def check_overrides(self, overrides: Iterable[tuple[str, str]]) -> None:
        """Refuse an override of a page or a formula that is no choice, no partner and no example."""
        for name, value in overrides:
            if name == EXAMPLE:
                if value not in self.examples:
                    raise ModelError(f"unknown example {value!r}{nearest(value, self.examples)}")
            elif name not in self.inputs:
                raise ModelError(f"unknown input {name!r}{nearest(name, (*self.inputs, EXAMPLE))}")
            elif name not in self.choices:
                raise ModelError(f"{name} is a number, not a choice; name an example that sets it: {value!r}")
            elif value != OTHER:
                self.record(name, value)

    def in_order(self, overrides: Mapping[str, Setting]) -> list[tuple[str, Setting]]:
        """Return each input that ``overrides`` set: first those of an example among them, then the ones that win."""
        example = overrides.get(EXAMPLE)
        if example is None:
            return list(overrides.items())
        self.check_overrides([(EXAMPLE, str(example))])
        given = [(name, value) for name, value in overrides.items() if name != EXAMPLE]
        return [*self.examples[str(example)].overrides.items(), *given]

    def record(self, choice: str, id: str) -> Record:
        """Return the record ``id`` of ``choice``.

        Raises: ModelError for an unknown one, with the nearest match.
        """
        records = self.choices[choice]
        if id not in records:
            raise ModelError(f"unknown {self.inputs[choice].label} {id!r}{nearest(str(id), records)}")
        return records[id]


@dataclass(frozen=True)
class Run:
    """The inputs of one case. Evaluates by name; every value is kept, since a run never changes.

    Raises: ModelError where the inputs make no sense.
    """

    model: Model
    inputs: Mapping[str, Setting]
    _values: dict[str, float | bool] = field(default_factory=dict, repr=False, compare=False)
    _runs: "dict[tuple[tuple[str, type, Setting], ...], Run]" = field(default_factory=dict, repr=False, compare=False)
    _figures: dict[str, SourcedFigure] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        checked = {name: self._checked(name, value) for name, value in self.inputs.items()}
        object.__setattr__(self, "inputs", MappingProxyType(checked))
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
        """Return this run with inputs set anew: numbers, ids, ``"other"`` for a choice's partner, ``example="name"``.

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

    def _entry(self, name: str) -> Entry:
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
            if value == OTHER and name in self.model.choices:
                inputs[name] = self.model.record(name, str(inputs[name])).other
            else:
                inputs[name] = value
        return inputs

    def _checked(self, name: str, value: Setting) -> Setting:
        entry = self.model.inputs[name]
        if entry.unit is None:
            return self.model.record(name, str(value)).id
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
