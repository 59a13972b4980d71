"""A model: its catalogue and its quantities, checked once."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType

from commcost.errors import ModelError, nearest
from commcost.quantity import Quantity, declared_in
from commcost.records import EXAMPLE, OTHER, Catalog, Entry, Example, Input, Multiple, Record, Setting
from commcost.run import Run


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
        # A published run can be named by a page as an example is.
        published = {preset.name: Example(preset.name, preset.label, preset.settings) for preset in catalog.presets.values()}
        self.examples: Mapping[str, Example] = MappingProxyType({**catalog.examples, **published})
        self.multiples = catalog.multiples
        self.presets = catalog.presets
        self.quantities: Mapping[str, Quantity] = MappingProxyType(declared_in(*modules))
        self.names: Mapping[str, Entry | Quantity] = MappingProxyType(self._named())
        self._check_parameters()
        self._check_figures()
        self._check_symbols()
        for example in self.examples.values():
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

    @property
    def prose(self) -> Mapping[str, str]:
        """Return the texts that stand on pages beside computed numbers, by their places; where a formula was read is no prose."""
        spoken = {
            f"{quantity.where}: {quantity.name}": "\n\n".join((quantity.label, *_without_source(quantity.doc)))
            for quantity in self.quantities.values()
        }
        return {**self.catalog.prose, **spoken}

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
            if self.multiple(name, value):
                continue  # what is open stays open, and what is fixed stays fixed
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

    def _named(self) -> dict[str, Entry | Quantity]:
        names: dict[str, Entry | Quantity] = {**self.inputs, **self.catalog.kinds, **self.catalog.constants}
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
        """Refuse a figure that a formula needs and that a record leaves out; a formula may name the one record that it reads.

        A record without a name stands for what another choice's record gives; one with a name would silently take it.
        """
        parts = {part for quantity in self.quantities.values() for part in quantity.parameters.values() if part.name in self.kinds}
        for figure, overrides in sorted((part.name, part.overrides) for part in parts):
            giving = {
                choice: records for choice, records in self.choices.items() if any(figure in record.figures for record in records.values())
            }
            gaps = [
                record.where
                for choice, records in giving.items()
                for record in records.values()
                if dict(overrides).get(choice, OTHER) in (OTHER, record.id)
                if figure not in record.figures and (record.name is not None or len(giving) == 1)
            ]
            if gaps or not giving:
                raise ModelError(f"{gaps[0] if gaps else 'commcost/catalog.toml: no record'}.{figure}: is missing; a formula uses it")

    def check_runs(self, file: str) -> None:
        """Refuse a default run or a published run in which some quantity has no value; the message names the run ``file``."""
        runs = {"run": self.run(), **{f"presets.{name}": self.run(**preset.settings) for name, preset in self.presets.items()}}
        for key, run in runs.items():
            for name in self.quantities:
                try:
                    run.value(name)
                except ModelError as error:
                    raise ModelError(f"{file}: {key}: {error}") from None

    def _check_symbols(self) -> None:
        """Refuse a symbol that would stand for two things."""
        symbols: dict[str, str] = {}
        for name, entry in self.names.items():
            if entry.symbol and symbols.setdefault(entry.symbol, name) != name:
                where = entry.where if isinstance(entry, Quantity) else "commcost/catalog.toml"
                raise ModelError(f"{where}: {name}: the symbol {entry.symbol!r} already stands for {symbols[entry.symbol]}")

    def check_overrides(self, overrides: Iterable[tuple[str, str]]) -> None:
        """Refuse an override of a page or a formula that is no choice, no partner, no multiple and no example."""
        for name, value in overrides:
            if name == EXAMPLE:
                if value not in self.examples:
                    raise ModelError(f"unknown example {value!r}{nearest(value, self.examples)}")
            elif name not in self.inputs:
                raise ModelError(f"unknown input {name!r}{nearest(name, (*self.inputs, EXAMPLE))}")
            elif name not in self.choices:
                if not self.multiple(name, value):
                    known = [multiple.name for multiple in self.multiples.values() if name in multiple.of]
                    rule = f"name an example that sets it{', or a multiple of it' if known else ''}: {value!r}"
                    raise ModelError(f"{name} is a number, not a choice; {rule}{nearest(value, known) if known else ''}")
            elif value != OTHER:
                self.record(name, value)

    def multiple(self, name: str, value: Setting) -> Multiple | None:
        """Return the multiple that ``value`` names, if the input ``name`` may be multiplied so."""
        found = self.multiples.get(value) if isinstance(value, str) else None
        return found if found and name in found.of else None

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


def _without_source(doc: str) -> list[str]:
    return [paragraph for paragraph in doc.split("\n\n") if not paragraph.lstrip().startswith("Source: ")]
