"""The prose check: no number, number word or comparison is typed.

It reads the source of a text, so that each finding has its true line.
What a reader does not see (code, addresses, tags, attributes) is blanked first, at the same length.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)

# What stands in a source but not in the text: addresses, attribute lists, tags (their alt and title stay), entities, list markers.
UNSEEN = (
    re.compile(r"(?<=\]\()[^\s)]+"),
    re.compile(r"^[ \t]{0,3}\[[^\]]+\]:[ \t]*\S+", re.MULTILINE),
    re.compile(r"https?://[^\s<>)\"]+"),
    re.compile(r"\{:?[ \t]*[#.][^{}\n]*\}"),
    re.compile(r"&#?\w+;"),
    re.compile(r"^[ \t]*\d+[.)](?=[ \t])", re.MULTILINE),
    re.compile(r"\[\^[^\]]+\]"),
)
HTML_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
HTML_TEXT = re.compile(r"""\b(?:alt|title|aria-label)\s*=\s*("[^"]*"|'[^']*')""")
DATE = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")

_ONES = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TEENS = "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_LARGE = "hundreds?|thousands?|millions?|billions?|trillions?"
_PARTS = "half|halves|halved|halving|thirds?|fourths?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?"
_TIMES = "twice|thrice|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|es|ed|ing)|dozens?|percent(?:age)?|per[ ]cent"
NUMBER_WORD = re.compile(
    rf"(?<!\w)(?:(?:{_ONES}|{_TEENS}|{_TENS})(?:fold|-fold)?|zero|{_LARGE}|{_PARTS}|{_TIMES})(?![\w])"
    rf"|(?<![\w])(?:{_TENS})-(?:one|{_ONES})(?![\w])",
    re.IGNORECASE,
)
# Decimal digits of any script, fractions, superscripts and subscripts, Roman numerals that Unicode has as numbers.
DIGIT = re.compile(r"[\d\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u2150-\u2189][\w.,]*")
COMPARATIVE = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(
        [
            r"(?:fast|slow|short|long|high|low|larg|small|great|few|cheap|strong|weak|tall|wid|narrow|deep|quick|tight|brief)(?:er|est)",
            r"(?:bigg|heavi|light)(?:er|est)",
            r"(?:more|less|fewer|greater|rather more) than",
            r"at (?:least|most)",
            r"(?:as|so) (?:many|much|long|fast|large|high) as",
            r"exceed(?:s|ed|ing)?|outweigh(?:s|ed|ing)?|outgrow(?:s|n)?|outpac(?:e|es|ed)|dwarf(?:s|ed)?|surpass(?:es|ed)?",
            r"grow(?:s|n|ing)?|grew|shrink(?:s|ing)?|shrank|shrunk|increas(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)",
            r"(?:above|below|under|over) one",
        ]
    )
    + r")(?!\w)",
    re.IGNORECASE,
)
BLANK = " "


@dataclass(frozen=True)
class Finding:
    """A typed number, number word or comparison, with its place in the text."""

    offset: int
    word: str
    kind: str

    def __str__(self) -> str:
        remedy = {
            "number": "write a quantity, {{ name }}",
            "number word": "write a quantity in words, {{ name | words }} or {{ name | about }}",
            "comparison": "put the sentence into {% claim predicate %}",
        }[self.kind]
        return f"typed {self.kind} {self.word!r}; {remedy}, or declare a term with its reason (extra.terms)"


@dataclass(frozen=True)
class Vocabulary:
    """What may be written although it holds digits: declared ``terms`` (each with its reason) and the catalogue's ``names``."""

    terms: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Return a pattern of every term and name, longest first, each as a word of its own."""
        known = sorted({*self.terms, *self.names}, key=lambda term: (-len(term), term))
        return re.compile("|".join(rf"(?<![\w.]){re.escape(term)}(?!\w|\.\d)" for term in known)) if known else None


def check(text: str, vocabulary: Vocabulary, claims: Iterable[tuple[int, int]] = ()) -> tuple[list[Finding], Counter[str]]:
    """Return what is typed in ``text`` (code already blanked) and how often each term is used.

    ``claims`` are the spans of claim sentences: a comparison may stand there, since the claim computes it; a number may not.
    """
    text = visible(text)
    used: Counter[str] = Counter()

    def note(match: re.Match[str]) -> str:
        used[match[0]] += 1
        return BLANK * len(match[0])

    text = DATE.sub(note, text)
    if vocabulary.pattern:
        text = vocabulary.pattern.sub(note, text)
    findings = [Finding(match.start(), _word_at(text, match), "number") for match in DIGIT.finditer(text)]
    findings += [Finding(match.start(), match[0], "number word") for match in NUMBER_WORD.finditer(text)]
    findings += list(_comparisons(text, tuple(claims)))
    return sorted(findings, key=lambda finding: finding.offset), used


def _word_at(text: str, match: re.Match[str]) -> str:
    """Return the word around a digit, for the message; a long one is cut."""
    before = re.search(r"[\w.,]{0,20}$", text[max(0, match.start() - 20) : match.start()])
    return ((before[0] if before else "") + match[0][:20]).strip(".,")


def _comparisons(text: str, claims: tuple[tuple[int, int], ...]) -> Iterator[Finding]:
    for match in COMPARATIVE.finditer(text):
        if not any(start <= match.start() < end for start, end in claims):
            yield Finding(match.start(), match[0], "comparison")


def visible(text: str) -> str:
    """Return ``text`` with everything a reader does not see blanked, at the same length."""
    text = TAG.sub(_blank, text)
    text = HTML_TAG.sub(_blank_tag, text)
    for pattern in UNSEEN:
        text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", BLANK, match[0])


def _blank_tag(match: re.Match[str]) -> str:
    blanked = list(_blank(match))
    for text in HTML_TEXT.finditer(match[0]):
        blanked[text.start(1) : text.end(1)] = text[1]
    return "".join(blanked)
