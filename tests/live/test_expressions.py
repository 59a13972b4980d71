"""The page language is small: whatever else Python could mean by it is refused, in one line and at once."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooks.live.errors import LiveError
from hooks.live.expressions import LONGEST, claim_of, expression_of
from hooks.live.forms import Form
from tests.live._engine import refusal

OUTSIDE = [
    "", " \n ", "a.b", "a[0]", "a['b']", "1", "-1", "a + b", "a * 2", "a | 2", "-a", "not a", "a and b", "a if b else c",
    "lambda: 1", "lambda x: x", "f'{a}'", "f'a'", "'a'", 'b"a"', "(a := 1)", "a := 1", "a(1)", "a(b)", "a('b')", "a(b=1)", "a(b=c)",
    "a(b=None)", "a(**b)", "a(*b)", "a(b='c', **d)", "a()", "a(b='c')(d='e')", "a(b=c(d='e'))", "a.b(c='d')", "a < b", "a == b",
    "a < b < c", "a in b", "a is b", "(a, b)", "[a]", "{a}", "{a: b}", "[a for a in b]", "await a", "yield a", "*a", "a; b", "a = b",
    "import os", "del a", "...", "True", "None", "a(b='c', b='d')", "a # 64", "a(b='c\\x41')", "a\\", "\uff41", "ª", "a\0", "a\u2028b",
    "a | fixed(2) | words", "a | words | about", "a | b.c", "a | fixed(1 + 1)", "a | fixed('2')", "a | fixed(digits=2)",
    "a | [fixed]", "a | -words", "a || words", "a |", "| words", "a |> words", "a | words()", "__import__('os')", "a b", "a,",
]  # fmt: skip


@pytest.mark.parametrize("text", OUTSIDE)
def test_what_is_outside_the_language_is_refused_in_one_line(text):
    with pytest.raises(LiveError) as error:
        expression_of(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    "text",
    [text for text in OUTSIDE if text not in ("not a", "a and b")]
    + ["a | words", "a and 1", "a or b | words", "not", "a and", "a xor b", "not (a, b)"],
)
def test_what_is_outside_a_claim_is_refused_in_one_line(text):
    with pytest.raises(LiveError) as error:
        claim_of(text)
    assert "\n" not in str(error.value)


HUGE = {
    "brackets": "(" * 10_000,
    "brackets around a name": "(" * 10_000 + "a" + ")" * 10_000,
    "calls": "a(b=" * 10_000,
    "nots": "not " * 10_000 + "a",
    "minuses": "a | " + "-" * 10_000 + "1",
    "just long enough to be deep": "not " * (LONGEST // 4),
    "deep minuses": "a | " + "-" * (LONGEST - 5) + "1",
    "a megabyte of a name": "a" * 1_000_000,
    "a megabyte of ands": " and ".join(["a"] * 150_000),
    "a megabyte of digits": "a | fixed(" + "9" * 1_000_000 + ")",
    "a megabyte of spaces": "a" + " " * 1_000_000 + "b",
    "a megabyte of a string": "a(b='" + "c" * 1_000_000 + "')",
}


@pytest.mark.parametrize("of", [expression_of, claim_of])
@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_what_is_huge_is_refused_at_once(of, text):
    start = time.process_time()
    with pytest.raises(LiveError) as error:
        of(text)
    assert time.process_time() - start < 1
    assert len(str(error.value)) < 400


@settings(deadline=None)
@given(st.text(max_size=60) | st.text("ab|()=',\"not dr{}%.#\\\n", max_size=60))
def test_any_text_is_an_expression_or_a_refusal(text):
    for of in (expression_of, claim_of):
        assert "\n" not in refusal(of, text)


def test_the_language():
    assert expression_of("loaves") == expression_of("  loaves\n")
    assert expression_of("loaves").form is None
    assert expression_of("loaves | fixed(2)").form == Form("fixed", 2)
    assert expression_of("loaves|percent").form == Form("percent", 0)
    assert expression_of("loaves(\n  oven='wood',\n  example=\"party\",\n)\n| words").overrides == (("example", "party"), ("oven", "wood"))


def test_overrides_are_sorted_by_name_whatever_their_order_on_the_page():
    first = expression_of('loaves(oven="wood", example="party")')
    second = expression_of('loaves(example="party", oven="wood")')
    assert first == second
    assert first.set == "example=party;oven=wood"
    assert expression_of("loaves").set == ""


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a", "a"),
        ('a(oven="wood",example="party")', "a(example=party, oven=wood)"),
        ("a and b or c", "(a and b) or c"),
        ("a or b and c", "a or (b and c)"),
        ("(a or b) and c", "(a or b) and c"),
        ("a and (b and c)", "a and (b and c)"),
        ("a and b and c", "a and b and c"),
        ("not a and b", "not a and b"),
        ("not (a and b)", "not (a and b)"),
        ("not not a", "not not a"),
        ("not a or not (b or c)", "not a or not (b or c)"),
        ("  a\n  and   b ", "a and b"),
        ("((a))", "a"),
    ],
)
def test_a_claim_has_one_canonical_text(text, canonical):
    assert str(claim_of(text)) == canonical


def test_a_canonical_text_means_the_same_claim():
    for text in ("a and b or c", "not (a and b) or c and not d", "a and (b and (c or d))", "not not (a or b)"):
        assert claim_of(str(claim_of(text))) == claim_of(text)
