"""The prose check: no number, number word or comparison is typed.

It reads the source of a text, so that each finding has its true line.
What a reader does not see (code, addresses, tags, attributes) is blanked first, at the same length.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

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
_LARGE = "hundred|hundreds|thousand|thousands|million|millions|billion|billions|trillion|trillions"
_PARTS = "half|halves|halved|halving|third|thirds|fourth|fourths|quarter|quarters|fifth|fifths|sixth|sixths|seventh|sevenths"
_SMALL_PARTS = "eighth|eighths|ninth|ninths|tenth|tenths"
_TIMES = "twice|thrice|double|doubles|doubled|doubling|triple|triples|tripled|tripling|quadruple|quadruples|quadrupled|dozen|dozens"
_FOLD = "twofold|threefold|fourfold|fivefold|sixfold|sevenfold|eightfold|ninefold|tenfold|hundredfold"
_NUMBER_WORDS = "|".join((_ONES, _TEENS, _TENS, _LARGE, _PARTS, _SMALL_PARTS, _TIMES, _FOLD, "zero|percent|percentage"))
NUMBER_WORD = re.compile(rf"(?<!\w)(?:(?:{_TENS})-(?:one|{_ONES})|{_NUMBER_WORDS}|per[ ]cent)(?!\w)", re.IGNORECASE)
# Decimal digits of any script, fractions, superscripts and subscripts, Roman numerals that Unicode has as numbers.
DIGIT = re.compile(r"[\d\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u2150-\u2189][\w.,]*")
_DEGREES = (
    "fast slow short long high low larg small great cheap strong weak tall wid narrow deep quick tight brief bigg heavi light few"
).split()
_GRADED = "|".join(f"{stem}er|{stem}est" for stem in _DEGREES)
_VERBS = (
    "exceed|exceeds|exceeded|exceeding|outweigh|outweighs|outgrow|outgrows|outgrown|outpace|outpaces|outpaced|dwarf|dwarfs|dwarfed|"
    "surpass|surpasses|surpassed|grow|grows|grown|growing|grew|shrink|shrinks|shrinking|shrank|shrunk|"
    "increase|increases|increased|increasing|decrease|decreases|decreased|decreasing"
)
_PHRASES = r"(?:more|less) than|at (?:least|most)|as (?:many|much|long|fast|large|high) as|(?:above|below|under|over) one"
COMPARATIVE = re.compile(rf"(?<![\w-])(?:{_GRADED}|{_VERBS}|{_PHRASES})(?!\w)", re.IGNORECASE)
WORD = re.compile(r"[a-z]+")
TRIGGERS = frozenset(WORD.findall(f"{_NUMBER_WORDS} per {_GRADED} {_VERBS} more less at as above below under over")) - {"at", "as"}
TRIGGERS |= {"least", "most", "many", "much"}  # "at" and "as" begin too many phrases to be a sign of one
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
    def known(self) -> tuple[str, ...]:
        """Return every term and name, longest first."""
        return tuple(sorted({*self.terms, *self.names}, key=lambda term: (-len(term), term)))

    def pattern(self, text: str) -> re.Pattern[str] | None:
        """Return a pattern of the terms that ``text`` holds, each as a word of its own; None where it holds none."""
        # Few terms stand in one text, and looking for a plain string is fast.
        present = tuple(term for term in self.known if term in text)
        return _pattern(present) if present else None


@lru_cache(maxsize=256)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<![\w.]){re.escape(term)}(?!\w|\.\d)" for term in terms))


def check(text: str, vocabulary: Vocabulary, claims: Iterable[tuple[int, int]] = ()) -> tuple[list[Finding], Counter[str]]:
    """Return what is typed in ``text`` (code already blanked) and how often each term is used.

    ``claims`` are the spans of claim sentences: a comparison may stand there, since the claim computes it; a number may not.
    """
    text = visible(text)
    used: Counter[str] = Counter()

    def note(match: re.Match[str]) -> str:
        used[match[0]] += 1
        return BLANK * len(match[0])

    pattern = vocabulary.pattern(text)
    if pattern:
        text = pattern.sub(note, text)
    findings: list[Finding] = []
    if DIGIT.search(text):
        text = DATE.sub(note, text)
        findings += [Finding(match.start(), _word_at(text, match), "number") for match in DIGIT.finditer(text)]
    # One look at the words of a text is far cheaper than trying every alternative at every place.
    if not TRIGGERS.isdisjoint(WORD.findall(text.lower())):
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
