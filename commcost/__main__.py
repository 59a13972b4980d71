"""The model in a terminal: ``python -m commcost show | explain QUANTITY | bill [--set name=value]…``."""

import argparse
import os
import sys

from commcost import Model, ModelError, Run, load
from commcost.run import Explanation
from commcost.units import Unit

BILL = (
    "gradient_bytes", "hops", "chunk_bytes", "hop_seconds", "half_hops", "ring_half_bytes", "ring_half_seconds",
    "ring_all_reduce_bytes", "ring_all_reduce_seconds", "quoted_all_reduce_bytes", "quoted_all_reduce_seconds",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status; what the model refuses is one line on standard error."""
    parser = argparse.ArgumentParser(prog="python -m commcost", description="The cost model of communication in distributed training.")
    commands = parser.add_subparsers(dest="command", required=True)
    setting = argparse.ArgumentParser(add_help=False)
    setting.add_argument("--set", action="append", default=[], metavar="name=value", help="an input of the run; may be repeated")
    commands.add_parser("show", parents=[setting], help="the inputs and every quantity")
    commands.add_parser("explain", parents=[setting], help="a quantity down to its sources").add_argument("quantity")
    commands.add_parser("bill", parents=[setting], help="the bytes and seconds of a ring's hops")
    chosen = parser.parse_args(arguments)
    try:
        model = load()
        run = model.run(**dict(_setting(model, text) for text in chosen.set))
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
    return 0


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
