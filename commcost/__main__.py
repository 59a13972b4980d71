"""The model in a terminal: ``python -m commcost show | explain QUANTITY | bill [--set name=value]… | sources [--today DATE]``."""

import argparse
import os
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from commcost import Model, ModelError, Run, load
from commcost.records import Preset, SourcedFigure
from commcost.run import Explanation
from commcost.sources import SHELF_LIFE, is_fresh, readings
from commcost.units import Unit

BILL = (
    "gradient_bytes", "hops", "chunk_bytes", "hop_seconds", "half_hops", "ring_half_bytes", "ring_half_seconds",
    "ring_all_reduce_bytes", "ring_all_reduce_seconds", "quoted_all_reduce_bytes", "quoted_all_reduce_seconds",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status: 1 where the model refuses something, in one line, and where a source is stale."""
    parser = argparse.ArgumentParser(prog="python -m commcost", description="The cost model of communication in distributed training.")
    commands = parser.add_subparsers(dest="command", required=True)
    adding = argparse.ArgumentParser(add_help=False)
    adding.add_argument("--run", type=Path, metavar="FILE", help="another default run, more cards, links and presets (TOML)")
    setting = argparse.ArgumentParser(add_help=False, parents=[adding])
    setting.add_argument("--set", action="append", default=[], metavar="name=value", help="an input of the run; may be repeated")
    commands.add_parser("show", parents=[setting], help="the inputs and every quantity")
    commands.add_parser("explain", parents=[setting], help="a quantity down to its sources").add_argument("quantity")
    commands.add_parser("bill", parents=[setting], help="the bytes and seconds of a ring's hops")
    listing = commands.add_parser("sources", parents=[adding], help="what the catalogue was read in; fails if some of it is stale")
    listing.add_argument("--shelf-life", type=int, default=SHELF_LIFE, metavar="DAYS", help="how long a reading is good: %(default)s days")
    listing.add_argument("--today", default=date.today().isoformat(), metavar="DATE", help="the day to judge by; without it, today")
    chosen = parser.parse_args(arguments)
    try:
        model = load(chosen.run)
        if chosen.command == "sources":
            lines, status = _sources(model, _day(chosen.today), chosen.shelf_life)
        else:
            run, status = model.run(**_settings(model, chosen.set)), 0
            if chosen.command == "show":
                lines = [_line(run, name) for name in (*model.inputs, *model.quantities)]
            elif chosen.command == "explain":
                lines = list(_tree(run.explain(chosen.quantity), chosen.quantity, ""))
            else:
                lines = [_line(run, name) for name in BILL]
    except ModelError as error:
        print(f"commcost: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return status


def _settings(model: Model, texts: Iterable[str]) -> dict[str, float | str]:
    settings: dict[str, float | str] = {}
    for name, value in (_setting(model, text) for text in texts):
        if name in settings:
            raise ModelError(f"invalid --set; {name} is given twice")
        settings[name] = value
    return settings


def _setting(model: Model, text: str) -> tuple[str, float | str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ModelError(f"invalid --set; must be name=value: {text!r}")
    if name not in model.inputs or name in model.choices:
        return name, value
    try:
        return name, float(value)
    except ValueError:
        raise ModelError(f"invalid {name}; must be a number: {value!r}") from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ModelError(f"invalid --today; must be a date such as 2026-11-29: {text!r}") from None


def _sources(model: Model, today: date, shelf_life: int) -> tuple[list[str], int]:
    """Return a line for every reading, the oldest last, beside the count of the stale ones, and the exit status."""
    if shelf_life < 0:
        raise ModelError(f"invalid --shelf-life; must be at least 0: {shelf_life}")
    found = sorted(readings(model.catalog), key=lambda reading: reading[1].checked, reverse=True)
    stale = [name for name, reading in found if not is_fresh(reading.checked, today, shelf_life)]
    lines = [f"{'stale' if name in stale else 'fresh'}  {_reading(name, reading)}" for name, reading in found]
    count = f"{len(found)} readings, {len(stale)} of them stale on {today} (older than {shelf_life} days, or dated later)"
    return [*lines, count], 1 if stale else 0


def _reading(name: str, reading: SourcedFigure | Preset) -> str:
    read = _shown(reading.value, reading.unit) if isinstance(reading, SourcedFigure) else reading.label
    return f"{reading.checked}  {name} = {read}  {reading.source}  {reading.url}"


def _line(run: Run, name: str) -> str:
    entry = run.model.names[name]
    value = run.name_of(name) if name in run.model.choices else _shown(run.value(name), getattr(entry, "unit", None))
    return f"{name:30} {value:>24}  {entry.label}"


def _tree(explanation: Explanation, parameter: str, indent: str) -> list[str]:
    entry = explanation.entry
    note = "".join(f" at {name}={value}" for name, value in explanation.overrides)
    lines = [f"{indent}{parameter} = {_shown(explanation.value, entry.unit)}{note}  ({entry.label})"]
    formula = getattr(entry, "source_text", None)
    if formula:
        lines.append(f"{indent}  = {formula}")
    if explanation.source:
        source = explanation.source
        lines.append(f"{indent}  {source.what}; {source.source}, {source.url}, checked {source.checked}")
    for name, part in explanation.inputs.items():
        lines.extend(_tree(part, name, indent + "    "))
    return lines


def _shown(value: float | bool | str, unit: Unit | None) -> str:
    if isinstance(value, (bool, str)) or unit is None:
        return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    fitting = [prefix for prefix in unit.prefixes if abs(value) >= 10.0**prefix.exponent] if value else []
    prefix = fitting[-1] if fitting else unit.prefixes[0] if value else next(p for p in unit.prefixes if not p.exponent)
    scaled = value / 10.0**prefix.exponent
    digits = f"{scaled:,.6g}"
    if "e+" in digits:
        digits = f"{scaled:,.0f}"
    counted = unit.singular if digits == "1" and not prefix.word else unit.plural
    noun = prefix.symbol + unit.symbol if unit.symbol else f"{prefix.word} {counted}"
    return f"{digits} {noun.strip()}".strip()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # Whoever read has read enough; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
