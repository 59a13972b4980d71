"""Forms: how a value is shown. One rule of rounding: half away from zero, on the shortest decimal that gives the double.

No form prints zero for a value that is not zero: it takes a smaller prefix or more digits instead.
"""

import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache, lru_cache
from operator import attrgetter

from hooks.live.errors import LiveError, nearest
from hooks.live.model import Prefix, Unit

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
FRACTIONS = ((1 / 4, "a quarter"), (1 / 3, "a third"), (1 / 2, "half"), (2 / 3, "two thirds"), (3 / 4, "three quarters"))
ABOUT = tuple(value for value, _ in FRACTIONS) + tuple(halves / 2 for halves in range(2, 41))
TOLERANCE = 0.07  # "about" may be this far from what it says
KEPT_BASE = 0.1  # the base unit is kept down to a tenth: 0.27 s rather than 267 ms

# Digits a form takes: its least, most and default count; without a default the count must be given.
DIGITS = {"fixed": (0, 12, None), "significant": (1, 15, None), "percent": (0, 12, 0), "times": (1, 15, 2)}
FORMS = (*DIGITS, "words", "about")
MINUS = "\N{MINUS SIGN}"

EXPONENT = attrgetter("exponent")
# A double has up to 309 places before the point and 324 after it, a few more in a large prefix.
EXACT = Context(prec=700)


@dataclass(frozen=True)
class Form:
    """A form and, for digits, how many."""

    name: str
    digits: int | None = None

    def __str__(self) -> str:
        return self.name if self.digits is None else f"{self.name}.{self.digits}"


@cache
def form_of(text: str) -> Form:
    """Return the form written as ``fixed(2)`` or ``percent``.

    Raises: LiveError for an unknown form or a count of digits that it does not take.
    """
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(?:\(\s*([0-9]{0,3})\s*\))?\s*", text)
    if not match or match[1] not in FORMS:
        raise LiveError(f"unknown form {text.strip()!r:.80}{nearest(match[1] if match else text, FORMS)}")
    name, digits = match[1], match[2]
    if name not in DIGITS:
        if digits is not None:
            raise LiveError(f"form {name} takes no digits: {text.strip()!r}")
        return Form(name)
    least, most, default = DIGITS[name]
    count = int(digits) if digits else default
    if count is None or not least <= count <= most:
        raise LiveError(f"form {name} takes {least} to {most} digits, such as {name}(2): {text.strip()!r}")
    return Form(name, count)


def show(value: float, unit: Unit, form: Form) -> str:
    """Return the text of ``value`` (in the base unit) with its unit.

    Raises: LiveError for a value that is not finite and for a form that does not fit the unit.
    """
    if not math.isfinite(value):
        raise LiveError(f"a value that is not finite cannot be shown: {value!r}")
    if form.name == "words":
        return _words(value, unit) or show(value, unit, form_of(unit.form))
    if form.name == "about":
        return _about(value, unit) or show(value, unit, form_of(unit.form))
    digits = form.digits or 0
    if form.name == "percent":
        if unit.symbol or unit.plural:
            raise LiveError(f"percent needs a plain number, not {unit.name}")
        return _plain(value, 2, digits, digits) + " %"
    if form.name == "times":
        if unit.symbol:
            raise LiveError(f"times needs a number or a count, not {unit.name}")
        # A factor stands close, "9×"; so many of what is named next are set apart, "64 × H100".
        return _plain(value, 0, *_places(value, 0, form)) + (" ×" if unit.plural else "×")
    return _with_unit(value, unit, form)


def _with_unit(value: float, unit: Unit, form: Form) -> str:
    at = _natural_prefix(value, unit)
    while True:
        prefix = unit.prefixes[at]
        least, most = _places(value, prefix.exponent, form)
        rounded = _rounded(value, -prefix.exponent, most)
        if rounded and at + 1 < len(unit.prefixes) and rounded.adjusted() >= unit.prefixes[at + 1].exponent - prefix.exponent:
            at += 1  # 999.9996 MB rounds to a thousand, and so is one GB
            continue
        if not rounded and value and at > 0:
            at -= 1
            continue
        text = _digits(rounded if rounded or not value else _never_zero(value, -prefix.exponent), least)
        return " ".join(part for part in (text, noun(unit, prefix, text)) if part)


def _natural_prefix(value: float, unit: Unit) -> int:
    """Return the index of the largest prefix that leaves a digit before the point."""
    base = bisect_left(unit.prefixes, 0, key=EXPONENT)
    if not value:
        return base
    natural = max(0, bisect_right(unit.prefixes, _exponent(value), key=EXPONENT) - 1)
    return base if natural < base and abs(value) >= KEPT_BASE else natural


def _places(value: float, shift: int, form: Form) -> tuple[int, int]:
    """Return the least and most decimals that ``form`` gives to ``value`` ÷ 10^``shift``."""
    digits = form.digits or 0
    if form.name == "fixed":
        return digits, digits
    return 0, max(0, digits - 1 - (_exponent(value) - shift)) if value else 0


def _plain(value: float, shift: int, least: int, most: int) -> str:
    """Return ``value`` × 10^``shift`` in digits, with ``least`` to ``most`` decimals, more where it would read as zero."""
    rounded = _rounded(value, shift, most)
    return _digits(rounded if rounded or not value else _never_zero(value, shift), least)


def _never_zero(value: float, shift: int) -> Decimal:
    """Return ``value`` × 10^``shift`` with as many decimals as it takes to show a digit."""
    return _rounded(value, shift, -(_exponent(value) + shift))


def _digits(rounded: Decimal, least: int) -> str:
    text = f"{rounded:,f}"
    whole, point, decimals = text.partition(".")
    kept = decimals[:least] + decimals[least:].rstrip("0")
    return (whole + (point + kept if kept else "")).replace("-", MINUS) if rounded else whole.lstrip("-") + (point + kept if kept else "")


def _words(value: float, unit: Unit) -> str | None:
    prefix = unit.prefixes[_natural_prefix(value, unit)]
    scaled = _rounded(value, -prefix.exponent, 340)
    if scaled != scaled.to_integral_value() or not 0 <= scaled < len(WORDS):
        return None
    word = WORDS[int(scaled)]
    return " ".join(part for part in (word, spelled(unit, prefix, one=scaled == 1)) if part)


def _about(value: float, unit: Unit) -> str | None:
    """Return "about a quarter of a second", or None where no word is near enough."""
    scale = [prefix for prefix in unit.prefixes if value >= ABOUT[0] * (1 - TOLERANCE) * _power(prefix.exponent)]
    if not scale:
        return None
    prefix = scale[-1]
    scaled = value / _power(prefix.exponent)
    near = min(ABOUT, key=lambda candidate: abs(scaled - candidate))
    if abs(scaled - near) > TOLERANCE * near:
        return None
    for fraction, words in FRACTIONS:
        if near == fraction:
            whole = _a_whole(unit, prefix)
            return f"about {words}{(' ' if words == 'half' else ' of ') + whole if whole else ''}"
    words = WORDS[int(near)] + ("" if near == int(near) else " and a half")
    return " ".join(part for part in ("about", words, spelled(unit, prefix, one=near == 1)) if part)


def _a_whole(unit: Unit, prefix: Prefix) -> str:
    """Return "a second", "a gigabyte", "a million tokens": what a fraction is a fraction of."""
    words = spelled(unit, prefix, one=True)
    if not unit.symbol and prefix.word:
        words = f"{prefix.word} {unit.plural}".strip()
    article = "an" if words[:1] in "aeiou" else "a"
    return f"{article} {words}" if words else ""


def noun(unit: Unit, prefix: Prefix, text: str) -> str:
    """Return what follows the digits ``text``: "GB", "billion parameters", "GPU"."""
    return prefix.symbol + unit.symbol if unit.symbol else spelled(unit, prefix, one=text == "1")


def spelled(unit: Unit, prefix: Prefix, *, one: bool) -> str:
    """Return the unit in words: "gigabytes", "second", "million tokens"."""
    if unit.symbol:
        return prefix.word + (unit.singular if one else unit.plural)
    return f"{prefix.word} {unit.plural}".strip() if prefix.word or not one else unit.singular


def _rounded(value: float, shift: int, places: int) -> Decimal:
    return _shortest(value).scaleb(shift, EXACT).quantize(_decimals(places), ROUND_HALF_UP, EXACT)


def _exponent(value: float) -> int:
    return _shortest(value).adjusted() if value else 0


@lru_cache(maxsize=1)
def _shortest(value: float) -> Decimal:
    """Return the shortest decimal that gives the double; kept, since a form asks several times."""
    return Decimal(repr(value))


@cache
def _decimals(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)


def _power(exponent: int) -> float:
    return float(f"1e{exponent}")


def js_number(value: float) -> str:
    """Return the double as JavaScript's ``String(x)`` writes it."""
    sign, digits, exponent = _shortest(value).normalize(EXACT).as_tuple()
    if not value:
        return "0"
    assert isinstance(exponent, int)
    figures, point = "".join(map(str, digits)), len(digits) + exponent
    if 0 < point <= 21:
        text = figures.ljust(point, "0")[:point] + ("." + figures[point:] if len(figures) > point else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + figures
    else:
        text = figures[0] + ("." + figures[1:] if len(figures) > 1 else "") + f"e{point - 1:+d}"
    return "-" * sign + text
