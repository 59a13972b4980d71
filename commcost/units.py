"""Units: what a number counts. The only powers of ten in the model stand here.

A value is always a double in the base unit (bytes, seconds, FLOP).
Prefixes appear twice: when the catalogue is read and when a number is shown.
"""

from dataclasses import dataclass, replace
from decimal import Decimal


@dataclass(frozen=True)
class Prefix:
    """A power of ten with the symbol put before a unit's symbol and the word put before its noun."""

    exponent: int
    symbol: str
    word: str


@dataclass(frozen=True)
class Unit:
    """What a value is measured in.

    ``symbol`` follows the digits ("2.40 s"); a unit without one is a count and is followed by its noun ("64 GPUs").
    ``dimension`` is the unit written for a dimensional analysis; ``form`` is how a page shows it when it names no form.
    """

    name: str
    symbol: str
    singular: str
    plural: str
    dimension: str
    form: str
    prefixes: tuple[Prefix, ...] = (Prefix(0, "", ""),)


ONLY = Prefix(0, "", "")
DOWN = tuple(
    Prefix(exponent, symbol, word)
    for exponent, symbol, word in (
        (-15, "f", "femto"),
        (-12, "p", "pico"),
        (-9, "n", "nano"),
        (-6, "µ", "micro"),
        (-3, "m", "milli"),
    )
)
UP = tuple(
    Prefix(exponent, symbol, word)
    for exponent, symbol, word in (
        (3, "k", "kilo"),
        (6, "M", "mega"),
        (9, "G", "giga"),
        (12, "T", "tera"),
        (15, "P", "peta"),
        (18, "E", "exa"),
    )
)
# Every physical figure lies far within these in its base unit; what lies beyond is a slip of the pen.
LEAST, MOST = 1e-9, 1e24
PERCENT = -2  # a share is typed and shown in hundredths
LARGE_COUNTS = (Prefix(6, "", "million"), Prefix(9, "", "billion"), Prefix(12, "", "trillion"))

NUMBER = Unit("1", "", "", "", "dimensionless", "significant(3)")
SECONDS = Unit("s", "s", "second", "seconds", "second", "fixed(2)", (*DOWN, ONLY))
BYTES = Unit("B", "B", "byte", "bytes", "byte", "significant(3)", (ONLY, *UP))
FLOPS = Unit("FLOP", "FLOP", "FLOP", "FLOPs", "flop", "significant(3)", (ONLY, *UP))
# Peaks are compared with each other in teraFLOP/s; "989 TFLOP/s against 2.25 PFLOP/s" would hide the factor.
FLOPS_PER_SECOND = Unit("FLOP/s", "FLOP/s", "FLOP per second", "FLOPs per second", "flop / second / gpu", "significant(4)", (ONLY, *UP[:4]))
BYTES_PER_SECOND = Unit("B/s", "B/s", "byte per second", "bytes per second", "byte / second", "significant(4)", (ONLY, *UP))
BITS_PER_SECOND = Unit("bit/s", "bit/s", "bit per second", "bits per second", "bit / second", "significant(4)", (ONLY, *UP))
BITS_PER_BYTE = Unit("bit/B", "", "", "", "bit / byte", "significant(3)")
BYTES_PER_PARAM = Unit("B/param", "", "byte per parameter", "bytes per parameter", "byte / parameter", "significant(3)")
FLOPS_PER_PARAM_TOKEN = Unit(
    "FLOP/param/token",
    "",
    "FLOP per parameter and token",
    "FLOPs per parameter and token",
    "flop / parameter / token",
    "significant(3)",
)
PARAMETERS = Unit("parameters", "", "parameter", "parameters", "parameter", "significant(3)", (ONLY, *LARGE_COUNTS))
TOKENS = Unit("tokens", "", "token", "tokens", "token", "significant(3)", (ONLY, *LARGE_COUNTS))
TOKENS_PER_GPU = Unit("tokens/GPU", "", "token per GPU", "tokens per GPU", "token / gpu", "significant(3)", (ONLY, *LARGE_COUNTS))
GPUS = Unit("GPUs", "", "GPU", "GPUs", "gpu", "significant(3)")
PORTS = Unit("ports", "", "port", "ports", "dimensionless", "significant(3)")
# A ring of N GPUs passes a chunk on N − 1 times: a hop is counted in GPUs, and what one hop takes is per GPU.
HOPS = Unit("hops", "", "hop", "hops", "gpu", "significant(3)")
BLOCKS = Unit("blocks", "", "block", "blocks", "dimensionless", "significant(3)")
BYTES_OF_A_HOP = replace(BYTES, dimension="byte / gpu")
SECONDS_OF_A_HOP = replace(SECONDS, dimension="second / gpu")

UNITS = {
    unit.name: unit
    for unit in (
        NUMBER, SECONDS, BYTES, FLOPS, FLOPS_PER_SECOND, BYTES_PER_SECOND, BITS_PER_SECOND, BITS_PER_BYTE,
        BYTES_PER_PARAM, FLOPS_PER_PARAM_TOKEN, PARAMETERS, TOKENS, TOKENS_PER_GPU, GPUS, PORTS, HOPS, BLOCKS,
    )
}  # fmt: skip


def unit_named(name: str) -> tuple[Unit, int]:
    """Return the unit that the catalogue calls ``name`` and the power of ten of its prefix ("TFLOP/s" → FLOP/s, 12).

    Raises: ValueError for a name that is no unit with or without a prefix.
    """
    if name in UNITS:
        return UNITS[name], 0
    for unit in UNITS.values():
        for prefix in unit.prefixes:
            if unit.symbol and prefix.symbol + unit.symbol == name:
                return unit, prefix.exponent
    raise ValueError(f"unknown unit {name!r}; known: {', '.join(UNITS)}, with an SI prefix where one fits")


def in_base_unit(value: float, exponent: int) -> float:
    """Return the double nearest to ``value`` × 10^``exponent``, from the decimal that was written."""
    return float(Decimal(repr(value)).scaleb(exponent))
