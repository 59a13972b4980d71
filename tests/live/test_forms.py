"""Forms: what a value looks like, against words written out and against a rounding that shares no code."""

import json
import random
import re
import shutil
import struct
import subprocess
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from commcost.units import BYTES, GPUS, NUMBER, PARAMETERS, SECONDS, TOKENS, UNITS
from hooks.live.errors import LiveError
from hooks.live.forms import form_of, js_number, show

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
# What "about" says, and the number that it stands for.
FRACTIONS = {"a quarter": 0.25, "a third": 1 / 3, "half": 0.5, "two thirds": 2 / 3, "three quarters": 0.75}
HALVES = {f"{WORDS[n]} and a half": n + 0.5 for n in range(1, 20)}
CANDIDATES = sorted({**FRACTIONS, **{WORDS[n]: float(n) for n in range(1, 21)}, **HALVES}.items(), key=lambda item: item[1])
DOUBLES = st.floats(allow_nan=False, allow_infinity=False).filter(bool)


def shown(value, form, unit=NUMBER):
    return show(value, unit, form_of(form))


# -- rounding


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.125, "fixed(2)", "0.13"),
        (-0.125, "fixed(2)", "−0.13"),
        (0.375, "fixed(2)", "0.38"),
        (5.525, "fixed(2)", "5.53"),  # the double is just below; the decimal that gives it is the tie
        (2.675, "fixed(2)", "2.68"),
        (2.5, "fixed(0)", "3"),
        (-2.5, "fixed(0)", "−3"),
        (0.5, "fixed(0)", "1"),
        (1.5, "fixed(0)", "2"),
        (1234.5, "fixed(0)", "1,235"),
        (2.5, "significant(1)", "3"),
        (0.00025, "significant(1)", "0.0003"),
        (0.125, "percent", "13 %"),
        (0.005, "percent", "1 %"),
        (0.0125, "percent(1)", "1.3 %"),
        (1.25, "times", "1.3×"),
    ],
)
def test_ties_go_away_from_zero(value, form, text):
    assert shown(value, form) == text


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.0, "fixed(2)", "0.00"),
        (-0.0, "fixed(2)", "0.00"),
        (-0.0, "significant(3)", "0"),
        (0.004, "fixed(2)", "0.004"),
        (-0.004, "fixed(2)", "−0.004"),
        (0.0096, "fixed(1)", "0.01"),
        (0.00004, "percent", "0.004 %"),
        (9.996, "significant(3)", "10"),
        (999999.0, "significant(3)", "999,999"),
        (1e21, "fixed(0)", "1,000,000,000,000,000,000,000"),
        (1e-7, "significant(3)", "0.0000001"),
        (-1234567.891, "fixed(2)", "−1,234,567.89"),
    ],
)
def test_no_zero_for_what_is_not_zero_and_no_exponent(value, form, text):
    assert shown(value, form) == text


def rounded(value, places):
    """Round the shortest decimal of ``value`` to ``places``, half away from zero, in whole numbers."""
    scaled = Fraction(repr(abs(value))) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Fraction(whole, 10**places) * (-1 if value < 0 else 1)


def read_back(text):
    """Return the number in a text, and refuse anything but a plain decimal with thousands separated."""
    assert re.fullmatch(r"−?(0|[1-9]\d{0,2}(,\d{3})*)(\.\d+)?", text), text
    return Fraction(text.replace(",", "").replace("−", "-"))


@settings(deadline=None)
@given(DOUBLES, st.integers(0, 12))
@example(5e-324, 12)
@example(-1.7976931348623157e308, 0)
def test_fixed_is_the_shortest_decimal_rounded_or_its_first_digit(value, digits):
    text = shown(value, f"fixed({digits})")
    wanted = rounded(value, digits)
    if wanted:
        assert read_back(text) == wanted
        assert len(text.partition(".")[2]) == digits
    else:
        assert abs(read_back(text) - Fraction(repr(value))) <= abs(Fraction(repr(value))) / 2
        assert len(re.sub(r"[^1-9]", "", text)) == 1


@settings(deadline=None)
@given(DOUBLES, st.integers(1, 15))
def test_significant_is_within_half_of_its_last_digit(value, digits):
    exact = Fraction(repr(value))
    text = shown(value, f"significant({digits})")
    number = read_back(text)
    # The exponent of the first digit, counted in whole numbers.
    exponent = 0
    while abs(exact) >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while abs(exact) < Fraction(10) ** exponent:
        exponent -= 1
    places = max(0, digits - 1 - exponent)
    assert number == rounded(value, places)
    assert "." not in text or not text.endswith("0")


@settings(deadline=None)
@given(
    DOUBLES,
    st.sampled_from(["fixed(0)", "fixed(2)", "significant(1)", "significant(3)"]),
    st.sampled_from([SECONDS, BYTES, PARAMETERS, TOKENS]),
)
def test_a_prefix_keeps_the_value(value, form, unit):
    text = shown(value, form, unit)
    digits, _, noun = text.partition(" ")
    scale = {}
    for prefix in unit.prefixes:
        scale[prefix.symbol + unit.symbol if unit.symbol else f"{prefix.word} {unit.plural}".strip()] = prefix.exponent
        if not unit.symbol:
            scale[f"{prefix.word} {unit.singular}".strip()] = prefix.exponent
    number = read_back(digits) * Fraction(10) ** scale[noun]
    exact = Fraction(repr(value))
    assert number != 0
    assert (number < 0) == (value < 0)
    assert abs(number - exact) <= abs(exact)  # half a unit becomes a whole one at worst


@settings(deadline=None)
@given(st.sampled_from(list(UNITS.values())), st.sampled_from(["words", "about", "fixed(2)", "significant(3)"]), st.data())
def test_no_form_fails_or_shows_an_exponent(unit, form, data):
    value = data.draw(st.just(0.0) | DOUBLES)
    text = shown(value, form, unit)
    assert not re.search(r"\d[eE][+-]?\d|nan|inf(?!in)|-\d", text)
    assert value == 0 or not re.match(r"−?0(\.0*)?(?![\d.])", text)
    assert value == 0 or not text.startswith(("zero", "about zero"))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_is_refused(value):
    for form in ("fixed(2)", "significant(3)", "percent", "times", "words", "about"):
        with pytest.raises(LiveError, match="not finite"):
            shown(value, form)


# -- prefixes


@pytest.mark.parametrize(
    ("value", "unit", "form", "text"),
    [
        (999.0, BYTES, "significant(3)", "999 B"),
        (999.4, BYTES, "significant(3)", "999 B"),
        (999.5, BYTES, "significant(3)", "1 kB"),
        (1000.0, BYTES, "significant(3)", "1 kB"),
        (999_499.0, BYTES, "significant(3)", "999 kB"),
        (999_500.0, BYTES, "significant(3)", "1 MB"),
        (999.5e6, BYTES, "significant(3)", "1 GB"),
        (999.5e9, BYTES, "significant(3)", "1 TB"),
        (999.5e12, BYTES, "significant(3)", "1 PB"),
        (999.5e15, BYTES, "significant(3)", "1 EB"),
        (999.5e18, BYTES, "significant(3)", "1,000 EB"),
        (999.994e6, BYTES, "fixed(2)", "999.99 MB"),
        (999.995e6, BYTES, "fixed(2)", "1.00 GB"),
        (120e9, BYTES, "significant(3)", "120 GB"),
        (0.27, SECONDS, "fixed(2)", "0.27 s"),
        (0.1, SECONDS, "fixed(2)", "0.10 s"),
        (0.09, SECONDS, "fixed(2)", "90.00 ms"),
        (0.0009995, SECONDS, "significant(3)", "1 ms"),
        (0.000_999_4, SECONDS, "significant(3)", "999 µs"),
        (999.5e-9, SECONDS, "significant(3)", "1 µs"),
        (999.5e-12, SECONDS, "significant(3)", "1 ns"),
        (999.5e-15, SECONDS, "significant(3)", "1 ps"),
        (1e-18, SECONDS, "fixed(2)", "0.001 fs"),
        (4000.0, SECONDS, "fixed(2)", "4,000.00 s"),
        (0.2, SECONDS, "fixed(0)", "200 ms"),
        (999_999.0, PARAMETERS, "significant(3)", "999,999 parameters"),
        (600_000.0, PARAMETERS, "significant(3)", "600,000 parameters"),
        (1e6, TOKENS, "significant(3)", "1 million tokens"),
        (999.5e6, TOKENS, "significant(3)", "1 billion tokens"),
        (30e9, PARAMETERS, "significant(3)", "30 billion parameters"),
        (1.0, GPUS, "significant(3)", "1 GPU"),
        (64.0, GPUS, "significant(3)", "64 GPUs"),
        (1.0, GPUS, "fixed(1)", "1.0 GPUs"),
        (0.0, BYTES, "significant(3)", "0 B"),
        (0.0, SECONDS, "fixed(2)", "0.00 s"),
        (-2.5e9, BYTES, "significant(3)", "−2.5 GB"),
    ],
)
def test_prefix(value, unit, form, text):
    assert shown(value, form, unit) == text


@settings(deadline=None)
@given(st.floats(1e-17, 1e22), st.sampled_from([BYTES, SECONDS]))
def test_the_next_prefix_is_taken_before_a_thousand_is_written(value, unit):
    assume(value < 999e18 and (unit is BYTES or value < 1))
    assert not re.match(r"\d{1,3},\d", shown(value, "significant(3)", unit))


# -- words


SINGULAR_PLURAL = {"s": ("second", "seconds"), "GPUs": ("GPU", "GPUs"), "parameters": ("parameter", "parameters"), "1": ("", "")}


@pytest.mark.parametrize("name", SINGULAR_PLURAL)
@pytest.mark.parametrize("number", range(21))
def test_whole_numbers_to_twenty_are_words(name, number):
    one, many = SINGULAR_PLURAL[name]
    assert shown(float(number), "words", UNITS[name]) == f"{WORDS[number]} {one if number == 1 else many}".strip()


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (21.0, GPUS, "21 GPUs"),
        (-1.0, GPUS, "−1 GPUs"),
        (2.5, GPUS, "2.5 GPUs"),
        (2e9, BYTES, "two gigabytes"),
        (1e9, BYTES, "one gigabyte"),
        (3e9, PARAMETERS, "three billion parameters"),
        (1e6, TOKENS, "one million tokens"),
        (0.002, SECONDS, "two milliseconds"),
        (1.0000000000000002, NUMBER, "1"),
    ],
)
def test_words_where_they_fit_and_digits_where_they_do_not(value, unit, text):
    assert shown(value, "words", unit) == text


# -- about


@pytest.mark.parametrize(("words", "value"), CANDIDATES)
@pytest.mark.parametrize("off", [0, 0.069, -0.069])
def test_about_says_the_nearest_word_within_seven_per_cent(words, value, off):
    meant = value * (1 + off)
    nearest = min(CANDIDATES, key=lambda candidate: abs(candidate[1] - meant))[0]
    assert shown(meant, "about") == f"about {nearest}"
    assert off or nearest == words


@pytest.mark.parametrize(("words", "value"), CANDIDATES)
@pytest.mark.parametrize("off", [0.071, -0.071])
def test_about_says_digits_where_no_word_is_within_seven_per_cent(words, value, off):
    meant = value * (1 + off)
    nearest, stands_for = min(CANDIDATES, key=lambda candidate: abs(candidate[1] - meant))
    text = shown(meant, "about")
    if abs(meant - stands_for) <= 0.07 * stands_for:  # a neighbour's reach: 1.071 × ten is nearer to ten and a half
        assert nearest != words
        assert text == f"about {nearest}"
    else:
        assert re.fullmatch(r"[\d.]+", text)


def test_about_leaves_gaps_only_below_two_and_above_twenty():
    gaps = [(a, b) for (_, a), (_, b) in pairwise(CANDIDATES) if a * 1.07 < b * 0.93]
    assert gaps == [(0.25, 1 / 3), (1 / 3, 0.5), (0.5, 2 / 3), (0.75, 1.0), (1.0, 1.5), (1.5, 2.0), (2.0, 2.5), (2.5, 3.0), (3.0, 3.5)]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (2.4, SECONDS, "about two and a half seconds"),
        (0.25, SECONDS, "about a quarter of a second"),
        (0.5, SECONDS, "about half a second"),
        (0.66, SECONDS, "about two thirds of a second"),
        (1.02, SECONDS, "about one second"),
        (1.5, SECONDS, "about one and a half seconds"),
        (0.75e9, BYTES, "about three quarters of a gigabyte"),
        (0.5e18, BYTES, "about half an exabyte"),
        (0.5e9, TOKENS, "about half a billion tokens"),
        (2.4e9, PARAMETERS, "about two and a half billion parameters"),
        (0.5, NUMBER, "about half"),
        (1 / 3, NUMBER, "about a third"),
        (0.5, GPUS, "about half a GPU"),
        (0.2, SECONDS, "0.20 s"),
        (0.0, SECONDS, "0.00 s"),
        (-2.4, SECONDS, "−2.40 s"),
        (25.0, SECONDS, "25.00 s"),
    ],
)
def test_about_with_units(value, unit, text):
    assert shown(value, "about", unit) == text


# -- forms that do not fit, and forms that do not exist


@pytest.mark.parametrize("unit", [SECONDS, BYTES, GPUS, PARAMETERS])
def test_percent_refuses_units(unit):
    with pytest.raises(LiveError, match=re.escape(f"percent needs a plain number, not {unit.name}")):
        shown(0.5, "percent", unit)


def test_times_refuses_units_and_takes_counts():
    with pytest.raises(LiveError, match="times needs a number or a count, not s"):
        shown(2.0, "times", SECONDS)
    assert shown(2.0, "times", GPUS) == "2 ×"


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("fixd(2)", "unknown form 'fixd(2)'; did you mean 'fixed'?"),
        ("word", "unknown form 'word'; did you mean 'words'?"),
        ("percents", "unknown form 'percents'; did you mean 'percent'?"),
        ("zzz", "unknown form 'zzz'; known: about, fixed, percent, significant, times, words"),
        ("fixed", "form fixed takes 0 to 12 digits, such as fixed(2): 'fixed'"),
        ("fixed()", "form fixed takes 0 to 12 digits, such as fixed(2): 'fixed()'"),
        ("fixed(13)", "form fixed takes 0 to 12 digits, such as fixed(2): 'fixed(13)'"),
        ("significant(0)", "form significant takes 1 to 15 digits, such as significant(2): 'significant(0)'"),
        ("words(2)", "form words takes no digits: 'words(2)'"),
        ("about()", "form about takes no digits: 'about()'"),
        ("fixed(-1)", "unknown form 'fixed(-1)'; did you mean 'fixed'?"),
        ("fixed(٢)", "unknown form 'fixed(٢)'; did you mean 'fixed'?"),
    ],
)
def test_a_form_that_does_not_exist_is_named_with_the_nearest_one(form, message):
    with pytest.raises(LiveError) as error:
        form_of(form)
    assert str(error.value) == message


def test_a_count_of_digits_as_long_as_a_page_is_refused():
    with pytest.raises(LiveError, match="unknown form"):
        form_of(f"fixed({'9' * 5000})")


# -- JavaScript's String(x)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2.4, "2.4"),
        (64.0, "64"),
        (60e9, "60000000000"),
        (6.1e-05, "0.000061"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (-0.1, "-0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_a_number_is_written_as_javascript_writes_it(value, text):
    assert js_number(value) == text


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_two_thousand_doubles_are_written_as_node_writes_them():
    draw = random.Random(0)
    corners = [1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 9007199254740993.0, 999999999999999900000.0]
    powers = [m * 10.0**e for e in range(-30, 31) for m in (1, 1.5, 9.999999999999999)]
    anything = [struct.unpack("<d", draw.randbytes(8))[0] for _ in range(1900)]
    doubles = [x for x in corners + powers + anything if x == x and abs(x) != float("inf")]
    script = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0)).map(String)))"
    asked = json.dumps([repr(x) for x in doubles]).replace('"', "")
    node = subprocess.run(["node", "-e", script], input=asked, capture_output=True, text=True, check=True)
    assert [js_number(x) for x in doubles] == json.loads(node.stdout)
