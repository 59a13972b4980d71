"""Units: a prefix is a power of ten of the decimal that was written."""

import pytest

from commcost.units import (
    BYTES,
    BYTES_OF_A_HOP,
    GPUS,
    LARGE_COUNTS,
    NUMBER,
    SECONDS,
    SECONDS_OF_A_HOP,
    UNITS,
    Unit,
    in_base_unit,
    unit_named,
)

# The SI Brochure, 9th edition, table 7.
SI = {
    "f": (-15, "femto"), "p": (-12, "pico"), "n": (-9, "nano"), "µ": (-6, "micro"), "m": (-3, "milli"), "": (0, ""),
    "k": (3, "kilo"), "M": (6, "mega"), "G": (9, "giga"), "T": (12, "tera"), "P": (15, "peta"), "E": (18, "exa"),
}  # fmt: skip


def test_prefixes_are_the_si_ones() -> None:
    found = {prefix for unit in UNITS.values() if unit.symbol for prefix in unit.prefixes}
    assert {prefix.symbol: (prefix.exponent, prefix.word) for prefix in found} == SI


def test_large_counts_are_of_the_short_scale() -> None:
    assert [(prefix.word, 10**prefix.exponent) for prefix in LARGE_COUNTS] == [
        ("million", 1_000_000),
        ("billion", 1_000_000_000),
        ("trillion", 1_000_000_000_000),
    ]


@pytest.mark.parametrize("unit", UNITS.values(), ids=lambda unit: unit.name)
def test_prefixes_ascend_and_include_none(unit: Unit) -> None:
    exponents = [prefix.exponent for prefix in unit.prefixes]
    assert exponents == sorted(set(exponents))
    assert 0 in exponents


@pytest.mark.parametrize(
    ("name", "unit", "exponent"),
    [
        ("1", NUMBER, 0),
        ("GPUs", GPUS, 0),
        ("B", BYTES, 0),
        ("GB", BYTES, 9),
        ("s", SECONDS, 0),
        ("µs", SECONDS, -6),
        ("GB/s", UNITS["B/s"], 9),
        ("Gbit/s", UNITS["bit/s"], 9),
        ("TFLOP/s", UNITS["FLOP/s"], 12),
        ("FLOP/param/token", UNITS["FLOP/param/token"], 0),
    ],
)
def test_name_gives_unit_and_exponent(name: str, unit: Unit, exponent: int) -> None:
    assert unit_named(name) == (unit, exponent)


@pytest.mark.parametrize("name", ["GiB", "gb", "b", "Gb/s", "kGPUs", "ks", "mB", "", "G1"])
def test_name_of_no_unit_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown unit '{name}'; known: 1, s, B, FLOP, "):
        unit_named(name)


def test_prefix_moves_the_decimal_point_and_does_not_multiply() -> None:
    """64.1 × 10^9 in doubles is 64099999999.99999."""
    assert 64.1 * 10**9 != 64100000000
    assert in_base_unit(64.1, 9) == 64100000000
    assert in_base_unit(1.5, -3) == 0.0015


def test_a_hop_is_shown_as_bytes_and_seconds_and_measured_per_hop() -> None:
    for unit, shown_as in ((BYTES_OF_A_HOP, BYTES), (SECONDS_OF_A_HOP, SECONDS)):
        assert (unit.name, unit.symbol, unit.form, unit.prefixes) == (shown_as.name, shown_as.symbol, shown_as.form, shown_as.prefixes)
        assert unit.dimension == f"{shown_as.dimension} / gpu"
