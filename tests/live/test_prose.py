"""The prose check: what a reader would read as a number or a comparison is found, what they never see is not."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hooks.live.prose import Vocabulary, check, visible

VOCABULARY = Vocabulary(
    {"2P": "the traffic of an all-reduce", "2P + 1": "a longer one", "16-bit": "a precision", "ZeRO-2": "a strategy"},
    frozenset({"H100", "H100 NVL", "Kiln 9"}),
)


def found(text, claims=()):
    return [finding.word for finding in check(text, VOCABULARY, claims)[0]]


def terms(text):
    return dict(check(text, VOCABULARY)[1])


# -- what is found


@pytest.mark.parametrize(
    "digits",
    ["7", "0.4", "64,000", "٧", "७", "７", "𝟕", "½", "⅓", "²", "₂", "①", "⑿", "❼", "Ⅻ", "〇",
     "㊿", "&#55;", "&#x37;", "&frac12;", "&half;", "&sup2;"],
)  # fmt: skip
def test_digits_of_any_script_are_found(digits):
    assert found(f"It takes {digits} of them.")
    assert found(f"It takes x{digits}.")


NUMBER_WORDS = """
two three four five six seven eight nine ten eleven twelve thirteen nineteen twenty ninety hundred thousands million billion trillions zero
half halves halved third thirds quarter quarters fifth tenths hundredth thousandths twice thrice double doubled doubling triple dozen dozens
percent percentage twofold tenfold hundredfold twenty-one forty-two
halve halving quintuple sextupled trebled doubly eleventh twelfths thirteenth twentieth hundredths trillionth quadrillion quintillions
twelvefold percentile permille quartered
""".split()


@pytest.mark.parametrize("word", NUMBER_WORDS)
def test_number_words_are_found(word):
    for text in (word, word.upper(), word.title(), f"_{word}_", f"**{word}**", f"({word})", f"{word}-way", f"\n{word}\n", f"“{word}”"):
        assert [found_word.lower() for found_word in found(f"About {text} of it.")] == [word]


@pytest.mark.parametrize(
    "text",
    [
        "per cent",
        "per\ncent",
        "a couple of",
        "pairs of",
        "orders of magnitude",
        "dual",
        "zeroth",
        "two-thirds",
        "two thirds",
        "ten to the fourth",
    ],
)
def test_number_phrases_are_found(text):
    assert found(f"That is {text} of it.")


COMPARISONS = """
faster slower shorter longer higher lower larger smaller greater cheaper fastest slowest bigger heaviest fewer
exceeds exceed exceeded outweighs dwarfs surpasses grows grow grew shrinks shrunk increases decreasing
better worse best worst sooner costlier steeper rises rose falls fallen drops dropped beats beaten outperforms overtakes climbs
shortened slows
""".split()
PHRASES = ["more than", "less than", "at least", "at most", "as fast as", "as many as", "as long as", "above one", "below one", "under one",
           "as quickly as", "as heavy as", "more bytes", "less time", "more memory", "less bandwidth", "the most traffic", "more slowly",
           "more expensive", "costs more", "takes less", "more and more", "speeds up"]  # fmt: skip


@pytest.mark.parametrize("words", COMPARISONS + PHRASES)
def test_comparisons_are_found_unless_a_claim_computes_them(words):
    text = f"It is {words} that."
    for spelled in (text, text.upper(), text.replace(words, f"_{words}_"), text.replace(words, words.replace(" ", "\n"))):
        assert [word.lower() for word in found(spelled)] == [spelled[6:].lower().replace("_", "")[: len(words)]]
        assert found(spelled, claims=[(0, len(spelled))]) == []
    assert found(text.replace(words, words.replace(" ", "&nbsp;")))


def test_a_number_is_found_inside_a_claim_too():
    assert found("It takes 7 or seven.", claims=[(0, 100)]) == ["7", "seven"]


@pytest.mark.parametrize(
    "text",
    [
        "tender",
        "often",
        "atone",
        "heighten",
        "lowered",
        "grower",
        "someone",
        "one",
        "highly",
        "behalf",
        "headquarters",
        "no-longer",
        "the network",
        "newer",
        "sixtyish",
        "secondly",
    ],
)
def test_words_that_only_hold_such_a_word_are_not_found(text):
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "It is no longer needed.", "Nothing is added any more: it is copied.", "one more card", "once more", "rather than", "as soon as",
        "as well as", "as far as", "more important", "more precisely", "the most common", "more or less", "N less one hops", "a newer card",
        "sooner or later", "gives rise to", "falls back", "a drop-in", "lower case", "a lower-level call", "best practice",
        "a\nlist of more\n\nBytes follow.", "| more | bytes |",
    ],
)  # fmt: skip
def test_what_compares_no_quantities_is_not_found(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It takes no longer on the other.", ["longer"]),
        ("It takes no longer.", ["longer"]),
        ("no longer than", ["longer"]),
        ("any more than that", ["more than"]),
        ("ever-faster cards", ["faster"]),
        ("more **bytes**", ["more **bytes"]),
        ("_more_ bytes", ["more_ bytes"]),
        ("as\nquickly as", ["as\nquickly as"]),
        ("It falls to {{ x }}.", ["falls"]),
        ("a third better", ["third", "better"]),
    ],
)
def test_what_compares_is_found_beside_its_idioms(text, words):
    assert found(text) == words


# -- what is not seen


@pytest.mark.parametrize(
    "text",
    [
        "[words](https://example.org/7/8?a=9)", "[words](page-7.md#part-8)", "[words](a_(7)_8.md)", "![words](figure-7.png)",
        "<https://example.org/7>",
        "https://example.org/7", "[words][ref]\n\n[ref]: https://example.org/7", "[ref7]: https://example.org/7 'words'",
        '<a id="part-7" href="x8.md" class="w9">words</a>', "<h7>", '<td colspan="2" data-start="2">', "## Words {#part-7}",
        "words\n{: .w7 #p8 }", "*words*{ .w7 }", "| words | words { .w7 } |", "> ## Words { .w7 }",
        "![words](a.png){ width=300 }", '![words](a.png){: width="300" }', "words&nbsp;&ndash;&#8211;&#x2013;words", "words[^note]",
        "1. words\n2. words\n3. words", "1. words\n\n    1. words\n    2. words\n\n2. words", "1. words\n1. words", "- 1. words",
        "> 1. words", "words\n\n1. words\nwords\n2. words\n\n    words\n3. words", "# Words\n1. words", "- words\n    1. words",
        "{{ name(input=\"a7\") | fixed(2) }} words", "{% claim fits(a=\"b7\") %}words", "<br/>words<hr>",
    ],
)  # fmt: skip
def test_what_a_reader_does_not_see_is_not_found(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('![the 7 of them](a.png "and 8")', ["7", "8"]),
        ('[words](a.md "twice")', ["twice"]),
        ('<img alt="7" src="8.png" title=\'nine\'>', ["7", "nine"]),
        ("<img alt=7>", ["7"]),
        ('<p aria-label="seven">', ["seven"]),
        ('<input placeholder="64">', ["64"]),
        ('<ol start="5">', ["5"]),
        ('words\n{: #id7 title="8 of them" }', ["8"]),
        ("the group {gpus=64} is meant, {.n65}", ["64", "n65"]),
        ("words {: .w7 }", ["w7"]),
        ("words[^7]\n\n[^7]: https://example.org", ["7"]),
        ("[words](64 and so on", ["64"]),
        ('<li VALUE="64">', ["64"]),
        ('<p aria-valuetext="64" aria-description="seven">', ["64", "seven"]),
        ("The number of cards is\n1. So each waits.", ["1"]),
        ("1. words\n\nThe number of cards is\n2. So each waits.", ["2"]),
        ('[ref]: https://example.org/7 "the 8"', ["8"]),
        ("[7]: words that go on", ["7"]),
        ("7. The list starts at seven", ["7", "seven"]),
        ("1. a\n2. b\n4. c", ["4"]),
        ("2) is no marker", ["2"]),
        ("a {.5 of it}", ["5"]),
        ("a < 7 > b", ["7"]),
        ("&two;", ["two"]),
        ("**7**th", ["7"]),
    ],
)
def test_what_a_reader_does_see_is_found(text, words):
    assert found(text) == words


# -- terms


def test_terms_are_whole_words_and_the_longest_is_taken():
    assert (found("2P and 2P + 1."), terms("2P and 2P + 1.")) == ([], {"2P": 1, "2P + 1": 1})
    assert (found("An H100 NVL beside an H100."), terms("H100 NVL, H100, H100")) == ([], {"H100 NVL": 1, "H100": 2})
    assert found("_2P_ (2P) **2P**, 2P-traffic, “2P”. Then 2P.") == []


@pytest.mark.parametrize(
    "text", ["12P", "2Ps", "2.2P", "2P.5", "2p", "H1000", "XH100", "16-bits", "116-bit", "ZeRO-21", "ZeRO-2.5", "H 100"]
)
def test_a_term_inside_another_word_is_no_term(text):
    assert found(f"The {text} of it.")
    assert terms(f"The {text} of it.") == {}


def test_names_of_the_catalogue_and_dates_are_terms_by_themselves():
    assert terms("Kiln 9, read on 2026-11-29.") == {"Kiln 9": 1, "2026-11-29": 1}
    assert found("Kiln 9, read on 2026-11-29.") == []


@pytest.mark.parametrize("text", ["2026-13-01", "2026-00-10", "2026-11-32", "12026-11-29", "2026-11-291", "2026-11", "1234-56-78"])
def test_what_is_no_date_is_found(text):
    assert found(f"Read {text}.")


# -- places


def test_a_finding_points_at_its_word():
    text = '---\nÜber — “quotes” &nbsp; `x` <b title="no">in</b>\n[a](b7.md) then seven.\n'
    [finding] = check(text, VOCABULARY)[0]
    assert text[finding.offset :].startswith("seven")
    assert finding.kind == "number word"
    assert str(finding) == (
        "typed number word 'seven'; write a quantity in words, {{ name | words }} or {{ name | about }}, "
        "or declare a term with its reason (extra.terms)"
    )


@pytest.mark.parametrize(
    ("text", "word"), [("with ZeRO-4 on", "ZeRO-4"), ("a GPT-4 run", "GPT-4"), ("zero-based", "zero"), ("at −5 or -5", "5")]
)
def test_a_finding_names_the_whole_name_that_holds_a_number(text, word):
    assert check(text, VOCABULARY)[0][0].word == word


PIECES = st.sampled_from(
    ["7", "two", "faster", "more than", "2P", "H100", " ", "\n", "`", "<!--", "-->", "<a ", ">", "[", "](", ")", "{{", "}}", "{%", "%}",
     '"', "&", ";", "#",
     "{: .", "}", "1. ", "https://", "[^", "]: ", "alt=", "½", "é", "&#55;"]
)  # fmt: skip


@settings(deadline=None)
@given(st.text() | st.lists(PIECES, max_size=40).map("".join), st.booleans())
@example("&#x110000;", False)
@example("&" + "a" * 40 + ";", True)
def test_any_text_is_checked_and_each_finding_is_where_it_says(text, in_claim):
    assert len(visible(text)) == len(text)
    findings, _ = check(text, VOCABULARY, [(0, len(text))] if in_claim else [])
    offsets = [finding.offset for finding in findings]
    assert offsets == sorted(offsets)
    for finding in findings:
        assert finding.kind != "comparison" or not in_claim
        if finding.kind != "number":
            assert visible(text)[finding.offset :].startswith(finding.word)
        assert "\n" not in repr(finding.word)


UNITS = {
    "a word": "a", "digits": "7", "underscores": "_", "dots": "7.", "hyphens": "a-", "commas": "7,", "braces": "{{", "tags": "<a ",
    "alts": "alt= ",
    "quotes": '<a title="', "entities": "&a", "hashes": "&#7", "brackets": "[", "links": "[a](", "parentheses": "](((",
    "definitions": "[a]:",
    "footnotes": "[^", "attributes": "{: .", "lists": "1. ", "quoted lists": "> - 1. ", "addresses": "https://", "comparisons": "more ",
    "twos": "two-",
    "dates": "2026-11-29-", "terms": "2P ", "spaces": " ", "lines": "\n", "blank lines": "\n   ", "percents": "per ", "ases": "as long ",
}  # fmt: skip


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
def test_a_hundred_thousand_characters_take_no_longer_than_a_second(unit):
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    check(text, VOCABULARY)
    assert time.process_time() - start < 1
