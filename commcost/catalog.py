"""The catalogue: inputs, choices, constants, examples and multiples, read from TOML and refused where they make no sense."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from commcost.errors import ModelError, nearest
from commcost.quantity import is_reserved
from commcost.records import EXAMPLE, OTHER, Catalog, Example, FigureKind, Input, Multiple, Preset, Record, SourcedFigure
from commcost.toml_table import Table
from commcost.units import GPUS, LEAST, MOST, PORTS, in_base_unit

ROOT = Path(__file__).parent.parent
COME_WHOLE = (GPUS, PORTS)


def read(path: Path, run_file: Path | None = None) -> Catalog:
    """Return the catalogue in the TOML file at ``path``, with what ``run_file`` adds to it.

    A run file sets the default run (``[run]``) and adds presets, examples and records of choices.

    Raises: ModelError, one line that names file, key and rule.
    """
    file = _called(path)
    added = (_parsed(run_file, run_file.name), run_file.name) if run_file else ()
    return catalog_from(_parsed(path, file), file, *added)


def catalog_from(tables: Mapping[str, Any], file: str, added: Mapping[str, Any] = MappingProxyType({}), added_file: str = "") -> Catalog:
    """Return the catalogue that ``tables`` (parsed TOML) hold and ``added`` extends; the files' names are for messages.

    Raises: ModelError, one line that names file, key and rule.
    """
    root, more = Table(tables, file), Table(added, added_file)
    inputs = {table.name: _input(table) for table in root.tables("inputs")}
    if not inputs:
        raise ModelError(f"{file}: has no inputs; give one as [inputs.its_name]")
    kinds = {table.name: _kind(table) for table in root.tables("figures")}
    named = [f"{name}s" for name, entry in inputs.items() if entry.unit is None]
    root.only("inputs", "figures", "constants", "examples", "multiples", "presets", *named)
    more.only("run", "site", "examples", "presets", *named)
    _check_names(root, more)
    _check_site(more.table("site"))
    choices = {name: _records(root, more, name, inputs, kinds) for name, entry in inputs.items() if entry.unit is None}
    _check_records_are_named(choices)
    run = more.table("run")
    run.only(*inputs)
    for name, entry in inputs.items():
        table, key = (run, name) if name in run.entries else (root.table("inputs", name), "default")
        inputs[name] = replace(entry, default=_setting(table, key, entry, choices.get(name, {})))
    constants = {table.name: _constant(table) for table in root.tables("constants")}
    _check_headlines(root, choices, constants)
    return Catalog(
        inputs=MappingProxyType(inputs),
        choices=MappingProxyType(choices),
        kinds=MappingProxyType(kinds),
        constants=MappingProxyType(constants),
        examples=MappingProxyType({table.name: _example(table, inputs, choices) for table in _both(root, more, "examples")}),
        multiples=MappingProxyType({table.name: _multiple(table, inputs) for table in root.tables("multiples")}),
        presets=MappingProxyType({table.name: _preset(table, inputs, choices) for table in _both(root, more, "presets")}),
        prose=MappingProxyType(dict((*_prose(root), *_prose(more)))),
    )


def _prose(table: Table) -> Iterator[tuple[str, str]]:
    """Yield each label, and each text about what was read, after its file and key; but no label of a multiple, which says its factor."""
    for key, entry in table.entries.items():
        if isinstance(entry, Mapping) and key != "multiples":
            yield from _prose(table.table(key))
        elif key in ("label", "what"):
            yield table.where(key), table.text(key)


def _called(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def _parsed(path: Path, file: str) -> Mapping[str, Any]:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ModelError(f"{file}: is no file")  # and would perhaps be read for ever
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ModelError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{file}: not readable as TOML: {error}") from None
    except ValueError:
        raise ModelError(f"{file}: a number has thousands of digits; write it with an exponent, 1e9") from None
    except RecursionError:
        raise ModelError(f"{file}: lists or tables in one another without end") from None


def _both(root: Table, more: Table, key: str) -> list[Table]:
    """Return the tables below ``key`` of the catalogue and then those of the run file, which may add but not replace."""
    known, added = root.tables(key), more.tables(key)
    for table in added:
        if any(table.name == other.name for other in known):
            raise table.fail("", f"is in {root.file} already; choose another id")
    return [*known, *added]


def _input(table: Table) -> Input:
    table.only("label", "symbol", "unit", "default", "min", "above", "max", "step", "whole", "field", "slider", "slider_max")
    label, symbol = table.text("label"), table.text("symbol")
    if "unit" not in table.entries:
        return Input(table.name, label, symbol, None, table.text("default", "must name one of the choice's records"))
    if ("min" in table.entries) is ("above" in table.entries):
        raise table.fail("min", "give a lower bound as either min or above")
    low = table.number("above") if "above" in table.entries else table.number("min")
    entry = Input(
        name=table.name,
        label=label,
        symbol=symbol,
        unit=table.unit()[0],
        default=table.number("default"),
        low=low,
        low_is_open="above" in table.entries,
        high=table.number("max"),
        step=table.number("step", 1.0),
        whole=table.flag("whole"),
        field=table.text("field") if "field" in table.entries else "",
        slider=table.text("slider") if "slider" in table.entries else "",
        slider_max=table.number("slider_max", 1.0),
    )
    if entry.step <= 0:
        raise table.fail("step", f"must be above 0: {entry.step!r}")
    if entry.slider not in ("", "doubling", "linear"):
        raise table.fail("slider", f"must be doubling or linear: {entry.slider!r}")
    if entry.field and entry.field_exponent is None:
        raise table.fail("field", f"must be % or a prefix of {entry.name}: {entry.field!r}")
    if entry.slider and not entry.slides_to(entry.slider_max):
        steps = "a power of two" if entry.slider == "doubling" else "a whole number"
        raise table.fail("slider_max", f"must be {steps} above one, and a value that the input takes: {entry.slider_max!r}")
    return entry


def _setting(table: Table, key: str, entry: Input, records: Mapping[str, Record]) -> float | str:
    """Return what ``table`` sets an input to: a number within its bounds, or one of its records."""
    if entry.unit is None:
        id = table.text(key)
        if id not in records:
            raise table.fail(key, f"unknown {entry.name} {id!r}{nearest(id, records)}")
        return id
    value = table.number(key)
    if not entry.accepts(value):
        raise table.fail(key, f"{entry.rule}: {value!r}")
    return value


def _kind(table: Table) -> FigureKind:
    table.only("label", "symbol", "unit", "headline_of", "times")
    return FigureKind(table.name, table.text("label"), table.text("symbol"), table.unit()[0])


def _figure(table: Table, kind: FigureKind, *more_keys: str) -> SourcedFigure:
    table.only("value", "unit", "what", "source", "url", "checked", *more_keys)
    unit, written = kind.unit, table.text("unit")
    known = {f"{prefix.symbol}{unit.symbol}" if unit.symbol else unit.name: prefix.exponent for prefix in unit.prefixes}
    if written not in known:
        raise table.fail("unit", f"must be {' or '.join(known)}: {written!r}")
    value = table.number("value")
    in_base = in_base_unit(value, known[written])
    if not LEAST <= in_base <= MOST:
        raise table.fail("value", f"must be at least {LEAST!r} and at most {MOST!r} {unit.name}: {value!r} {written}")
    if unit in COME_WHOLE and not in_base.is_integer():
        raise table.fail("value", f"must be a whole number of {unit.name}: {value!r}")
    return SourcedFigure(
        name=kind.name,
        label=kind.label,
        symbol=kind.symbol,
        unit=unit,
        value=in_base,
        what=table.text("what", "must say what the figure counts (dense or sparse, one way or both, per GPU or per node)"),
        source=table.text("source", "must name the document it was read in"),
        url=table.url("url"),
        checked=table.on_day("checked"),
    )


def _constant(table: Table) -> SourcedFigure:
    kind = FigureKind(table.name, table.text("label"), table.text("symbol"), table.unit()[0])
    return _figure(table, kind, "label", "symbol")


def _records(root: Table, more: Table, choice: str, inputs: Mapping[str, Input], kinds: Mapping[str, FigureKind]) -> Mapping[str, Record]:
    key = f"{choice}s"
    keys = (
        "name",
        "other",
        "maker",
        "label",
        *(f"{name}_name" for name, entry in inputs.items() if entry.unit is None),
    )
    records: dict[str, Record] = {}
    tables = _both(root, more, key)
    offered = {entry for table in root.tables(key) for entry in table.entries if entry in kinds}
    for table in tables:
        if not re.fullmatch("[a-z0-9][a-z0-9_]*", table.name) or table.name == OTHER:
            raise table.fail("", f"an id is lower-case letters, digits and _, and not {OTHER!r}: {table.name!r}")
        figures, details = {}, {}
        for entry, value in table.entries.items():
            if entry in kinds and entry not in offered:
                raise table.fail(entry, f"no {choice} of {root.file} has this figure; known: {', '.join(sorted(offered))}")
            if entry in kinds:
                figures[entry] = _figure(table.table(entry), kinds[entry])
            elif entry not in keys:
                what = "figure" if isinstance(value, Mapping) else "key"
                raise table.fail(entry, f"unknown {what}{nearest(entry, (*keys, *kinds))}")
            elif entry not in ("name", "other"):
                details[entry] = table.text(entry)
        name = table.text("name") if "name" in table.entries else None
        for detail, text in {"name": name or "a name", **details}.items():
            if not any(letter.isalpha() for letter in text):
                raise table.fail(detail, f"must hold a letter, since a page may write it wherever it stands: {text!r}")
        for earlier in records.values():
            if name is not None and name == earlier.name:
                raise table.fail("name", f"is already the name of {key}.{earlier.id}: {name!r}")
        other = table.text("other", f"must name the {key[:-1]} that a reader compares with")
        where = f"{table.file}: {table.path}"
        records[table.name] = Record(where, table.name, name, other, MappingProxyType(details), MappingProxyType(figures))
    for table, record in zip(tables, records.values(), strict=True):
        if record.other == record.id and len(records) > 1:
            raise table.fail("other", f"must name another {key[:-1]}: {record.other!r}")
        if record.other not in records:
            raise table.fail("other", f"unknown {key[:-1]} {record.other!r}{nearest(record.other, records)}")
    if not records:
        raise root.fail(key, "is missing; a choice needs at least one record")
    return MappingProxyType(records)


def _example(table: Table, inputs: Mapping[str, Input], choices: Mapping[str, Mapping[str, Record]]) -> Example:
    table.only("label", *inputs)
    label = table.text("label")
    overrides = {name: _setting(table, name, inputs[name], choices.get(name, {})) for name in table.entries if name != "label"}
    if not overrides:
        raise table.fail("", f"must set an input: {', '.join(inputs)}")
    return Example(table.name, label, MappingProxyType(overrides))


def _multiple(table: Table, inputs: Mapping[str, Input]) -> Multiple:
    table.only("label", "factor", "of")
    factor = table.number("factor")
    if factor <= 0:
        raise table.fail("factor", f"must be above 0: {factor!r}")
    numbers = [name for name, entry in inputs.items() if entry.unit is not None]
    of = table.texts("of", "must list the inputs that may be multiplied, each once")
    for name in of:
        if name not in numbers:
            raise table.fail("of", f"{name!r} is no input that is a number{nearest(name, numbers)}")
    return Multiple(table.name, table.text("label"), factor, of)


def _preset(table: Table, inputs: Mapping[str, Input], choices: Mapping[str, Mapping[str, Record]]) -> Preset:
    table.only("name", "what", "source", "url", "checked", *inputs)
    settings = {name: _setting(table, name, entry, choices.get(name, {})) for name, entry in inputs.items()}
    return Preset(
        name=table.name,
        label=table.text("name"),
        what=table.text("what", "must say what was read and what follows from it"),
        source=table.text("source", "must name the document it was read in"),
        url=table.url("url"),
        checked=table.on_day("checked"),
        settings=MappingProxyType(settings),
    )


def _check_names(root: Table, more: Table) -> None:
    """Refuse a name that a page cannot write, or that would mean two things."""
    for groups in (("inputs", "figures", "constants"), ("examples", "presets"), ("multiples",)):
        seen: dict[str, Table] = {}
        for table in (table for part in (root, more) for group in groups for table in part.tables(group)):
            name = table.name
            if not (name.isidentifier() and name.isascii()) or name in (EXAMPLE, OTHER, "label"):
                raise table.fail("", f"a name is ASCII letters, digits and _, and not {EXAMPLE!r}, {OTHER!r} or 'label': {name!r}")
            if is_reserved(name):
                raise table.fail("", f"{name!r} is a reserved word; choose another name")
            if name in seen:
                raise table.fail("", f"the name is already taken by {seen[name].path} of {seen[name].file}; choose another")
            seen[name] = table


def _check_site(site: Table) -> None:
    """Refuse what a run file says of the site, but for its name."""
    site.only("name")
    if site.entries:
        site.text("name")


def _check_records_are_named(choices: Mapping[str, Mapping[str, Record]]) -> None:
    """Refuse a record without a name; one without figures may have it from each record of another choice, as its own link."""
    for choice, records in choices.items():
        key = f"{choice}_name"
        giving = [others.values() for name, others in choices.items() if name != choice and any(key in o.details for o in others.values())]
        for record in (record for record in records.values() if record.name is None):
            if record.figures or not giving:
                raise ModelError(f"{record.where}.name: is missing; a record has a name, unless it has no figures and others give {key}")
            for other in (other for others in giving for other in others if key not in other.details):
                raise ModelError(f"{other.where}.{key}: is missing; {choice} {record.id!r} has no other name")


def _check_headlines(root: Table, choices: Mapping[str, Mapping[str, Record]], constants: Mapping[str, SourcedFigure]) -> None:
    """Refuse a headline below the figure that it is mistaken for, ``times`` a constant where the two have different units."""
    records = [record for records in choices.values() for record in records.values()]
    for kind in (table for table in root.tables("figures") if "headline_of" in table.entries):
        of, times = kind.text("headline_of"), kind.text("times") if "times" in kind.entries else ""
        if of not in root.table("figures").entries:
            raise kind.fail("headline_of", f"unknown figure {of!r}{nearest(of, root.table('figures').entries)}")
        if times and times not in constants:
            raise kind.fail("times", f"unknown constant {times!r}{nearest(times, constants)}")
        factor = constants[times].value if times else 1
        for record in (record for record in records if kind.name in record.figures and of in record.figures):
            headline, least = record.figures[kind.name].value, factor * record.figures[of].value
            if headline < least:
                rule = f"must be at least {least!r} {record.figures[kind.name].unit.name}, which is {of}{f' × {times}' if times else ''}"
                raise ModelError(f"{record.where}.{kind.name}: {rule}: {headline!r}")
