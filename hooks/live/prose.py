"""The prose check: no number, number word or comparison is typed.

It reads the source of a text, so that each finding has its true line.
What a reader does not see (code, addresses, tags, attributes) is blanked first, at the same length.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html import unescape
from string import digits

from hooks.live import words
from hooks.live.places import TAG

# What stands in a source but not in the text, by what each holds: addresses and their definitions.
# Most texts hold few of these, and to look for a plain string is far faster than a pattern.
UNSEEN = {
    "](": re.compile(r"\]\((?:[^\s()]|\([^\s()]*\))+(?=\)|\s+[\"'(])"),
    "]:": re.compile(r"^[ ]{0,3}\[[^\[\]\n]+\]:[ \t]*\S+(?=[ \t]*(?:[\"'(].*)?$)", re.MULTILINE),
    "://": re.compile(r"https?://[^\s<>)\"]+"),
}
# HTML tags and what may be attribute lists, of which a reader sees some attributes.
HTML_TAG = re.compile(r"</?[A-Za-z][^<>]*>|\{:?[ \t]*[#.][A-Za-z][^{}\n]*\}|\{:?[ \t]*[\w-]+=[^{}\n]*\}")
HTML_TEXT = re.compile(
    r"""(?<![\w-])(?:alt|title|aria-(?:label|description|valuenow|valuetext|roledescription)|label|placeholder|start|value|srcdoc)\s*=\s*"""
    r"""("[^"]*"|'[^']*'|[^\s"'>}]+)""",
    re.IGNORECASE,
)
# What an attribute list belongs to stands right before it, or is the heading or the whole block that it ends.
ELEMENT_ENDS = tuple(")]*_`~^=>")
HEADING = re.compile(r"[ \t>]*#")
ENTITY = re.compile(r"&#?\w{1,32};")
LIST_MARKER = re.compile(r"^[ \t>]*(?:[-*+][ \t]+)*([0-9]{1,9})\.(?=[ \t])", re.MULTILINE)
# Right below such a line a list may begin without a blank line between.
LIST_ABOVE = re.compile(r"[ \t>]*(?:[-*+][ \t]|[0-9]{1,9}\.[ \t]|#|!!!|\?\?\?|===)")
DATE = re.compile(r"(?<![\w-])[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![\w-])")

# Decimal digits of any script; fractions, superscripts, circled and Roman numerals are among the other characters.
DIGIT = re.compile(r"\d[\w.,]*")
VERSION = re.compile(r"-\d\w*")
OTHER_CHARACTER = re.compile(r"[^\x00-\x7f]")
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

    @property
    def outright(self) -> str:
        """The finding where no expression can stand, as in a title or a label."""
        return f"typed {self.kind} {self.word!r}; say it without, or declare a term with its reason (extra.terms)"


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
    # An underscore is no part of a word: _2P_ is emphasised. What may not stand before a term is looked at behind it:
    # a pattern that begins with plain characters is found many times as fast.
    words = map(re.escape, terms)
    return re.compile("|".join(rf"{word}(?<![^\W_]{word})(?<!\.{word})(?![^\W_]|\.\d)" for word in words))


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
    if _holds_digit(text):
        text = DATE.sub(note, text)
        findings += [Finding(match.start(), _word_at(text, match), "number") for match in DIGIT.finditer(text)]
    if not text.isascii():
        signs = (match for match in OTHER_CHARACTER.finditer(text) if match[0].isnumeric() and not match[0].isdecimal())
        findings += [Finding(match.start(), match[0], "number") for match in signs]
    claims = tuple(claims)
    findings += [
        Finding(start, text[start : _end_of_name(text, end)], kind)
        for start, end, kind in words.found(text)
        if kind != "comparison" or not any(first <= start < last for first, last in claims)
    ]
    return sorted(findings, key=lambda finding: finding.offset), used


def _holds_digit(text: str) -> bool:
    return any(digit in text for digit in digits) if text.isascii() else DIGIT.search(text) is not None


def _end_of_name(text: str, end: int) -> int:
    """Return where a word that ends at ``end`` ends for the message: a name such as ZeRO-3 is named whole."""
    version = VERSION.match(text, end)
    return version.end() if version else end


def _word_at(text: str, match: re.Match[str]) -> str:
    """Return the word around a digit, for the message; a long one is cut."""
    before = re.search(r"(?:\w[\w.,-]{0,19})?\Z", text[max(0, match.start() - 20) : match.start()])
    return ((before[0] if before else "") + match[0][:20]).strip(".,")


def visible(text: str) -> str:
    """Return ``text`` with everything a reader does not see blanked, at the same length."""
    text = TAG.sub(_blank, text)
    if "<" in text or "{" in text:
        text = HTML_TAG.sub(_blank_tag, text)
    for sign, pattern in UNSEEN.items():
        if sign in text:
            text = pattern.sub(_blank, text)
    if _holds_digit(text):
        text = _without_list_markers(text)
    return ENTITY.sub(_character, text)


def _without_list_markers(text: str) -> str:
    """Return ``text`` without the numbers that count list items; a list that starts elsewhere than at one shows a typed number."""
    last = 0

    def blank(marker: re.Match[str]) -> str:
        nonlocal last
        if int(marker[1]) > last + 1 or not _can_begin_list(text, marker):
            return marker[0]
        last = max(last, int(marker[1]))
        return _blank(marker)

    return LIST_MARKER.sub(blank, text)


def _can_begin_list(text: str, marker: re.Match[str]) -> bool:
    """Tell whether an item can stand here: below the words of a paragraph it is part of them."""
    end = marker.start() - 1
    while end >= 0:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if not line.strip(" \t>"):
            return end == marker.start() - 1
        if LIST_ABOVE.match(line) or len(line) - len(line.lstrip()) > len(marker[0]) - len(marker[0].lstrip()):
            return True
        end = start - 1
    return marker.start() == 0


def _is_attribute_list(braces: re.Match[str]) -> bool:
    """Tell whether Markdown reads what stands in braces; elsewhere it is text."""
    text = braces.string
    before = text[text.rfind("\n", 0, braces.start()) + 1 : braces.start()]
    end = text.find("\n", braces.end())
    after = text[braces.end() : end if end >= 0 else None]
    if before.endswith(ELEMENT_ENDS) or after.lstrip().startswith("|"):
        return True
    return not after.strip() and (not before.strip(" \t>") or HEADING.match(before) is not None)


def _character(entity: re.Match[str]) -> str:
    """Return the character that an entity shows, so that ``&frac12;`` is seen; one that shows none is no entity."""
    return unescape(entity[0])[: len(entity[0])].ljust(len(entity[0]))


def _blank(match: re.Match[str]) -> str:
    text = match[0]
    return re.sub(r"[^\n]", BLANK, text) if "\n" in text else BLANK * len(text)


def _blank_tag(match: re.Match[str]) -> str:
    if match[0].startswith("{") and not _is_attribute_list(match):
        return match[0]
    blanked = list(_blank(match))
    for text in HTML_TEXT.finditer(match[0]):
        blanked[text.start(1) : text.end(1)] = text[1]
    return "".join(blanked)
