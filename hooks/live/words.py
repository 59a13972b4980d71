"""The English of numbers and of comparisons, built from stems so that no member of a family is forgotten.

What compares in age ("newer") or in judgement ("more important") is no quantity and may be written.
"""

import re
from collections.abc import Iterator
from string import ascii_lowercase

# Each byte that is a small letter as it is, and a space for any other.
LETTERS = bytes(code if chr(code) in ascii_lowercase else ord(" ") for code in range(256))
WORD = re.compile(r"[^\W_]+")

_ONES = "two three four five six seven eight nine ten eleven twelve".split()
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = "hundred thousand million billion trillion quadrillion quintillion".split()
_CARDINALS = [*_ONES, *_TEENS, *_TENS, *_SCALES]
_ORDINALS = {"three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
# A second is a unit, and what comes first is no quantity.
_PARTS = [_ORDINALS.get(word) or (f"{word[:-1]}ieth" if word in _TENS else f"{word}th") for word in _CARDINALS if word != "two"]
_MULTIPLES = [
    f"{stem}{end}" for stem in "doubl tripl trebl quadrupl quintupl sextupl septupl octupl".split() for end in "e es ed ing y".split()
]
NUMBER_WORDS = frozenset(
    [
        *_CARDINALS, *(f"{word}s" for word in (*_SCALES, *_PARTS)), *_PARTS, *_MULTIPLES, *(f"{word}fold" for word in _CARDINALS),
        *"half halve halves halved halving quarter quarters quartered quartering zero zeros".split(),
        *"twice thrice dozen dozens percent percentage percentages percentile percentiles permille".split(),
        *"zeroth nought dual trio trios quartet quartets quintet quintets decade decades umpteen".split(),
    ]
)  # fmt: skip

_DEGREES = (
    "fast slow short long high low larg small great cheap strong weak tall wid narrow deep shallow quick tight loos brief bigg heavi light "
    "few dens thick thinn costli steep soon busi"
).split()
_GRADED = [f"{stem}{end}" for stem in _DEGREES for end in ("er", "est")] + ["better", "best", "worse", "worst"]
_REGULAR = "exceed outweigh outpace outperform outstrip dwarf surpass climb shorten lengthen increase decrease".split()
_IRREGULAR = (
    "grow grows grew grown growing outgrow outgrows outgrew outgrown shrink shrinks shrank shrunk shrinking rise rises rose risen rising "
    "fall falls fell fallen falling drop drops dropped dropping beat beats beaten beating outdo outdoes outdid outrun outruns outran "
    "overtake overtakes overtook overtaken slows slowed slowing"
).split()


def _inflected(verb: str) -> list[str]:
    stem = verb.removesuffix("e")
    return [verb, f"{verb}es" if verb.endswith("s") else f"{verb}s", f"{stem}ed", f"{stem}ing"]


COMPARATIVES = frozenset([*_GRADED, *_IRREGULAR, *(form for verb in _REGULAR for form in _inflected(verb))])

# Between the words of a phrase: white space and emphasis, but no end of a paragraph.
_GAP = r"(?:(?!\n[ \t]*\n)[\s*_])++"
_POSITIVE = (
    "many|much|few|little|long|short|fast|slow|quick|high|low|large|big|small|great|heavy|light|cheap|costly|expensive|strong|weak|wide|"
    "narrow|deep|tall|often"
)
# What follows "more" and "less" where they measure nothing: a word of grammar, an adverb of manner, a judgement.
_NOT_MEASURED = (
    "of|or|and|but|on|about|in|to|at|is|are|was|were|be|as|for|from|with|by|if|when|where|while|that|this|these|the|a|an|it|so|then|here|"
    "there|now|yet|still|also|again|one|once|"
    "accurate|careful|common|complex|complicated|convenient|detailed|exact|formal|general|important|interesting|likely|natural|precise|"
    "readable|recent|specific|subtle|useful"
)
_SLOWLY = "quickly|slowly|cheaply|heavily|strongly|tightly|densely|steeply"
_SPENDS = (
    "cost costs take takes need needs send sends weigh weighs pay pays wait waits move moves carry carries use uses last lasts "
    "spend spends hold holds"
).split()
_PHRASES = (
    "(?:more|less) than",
    "(?:more and more|less and less)",
    rf"(?:more|less|the most|the least) (?!(?:{_NOT_MEASURED})\b)(?!(?!(?:{_SLOWLY})\b)[^\W\d_]+ly\b)[^\W\d_]+",
    rf"(?:{'|'.join(_SPENDS)}) (?:more|less)",
    "at (?:least|most)",
    rf"as (?:{_POSITIVE}|[^\W\d_]+ly) as",
    "(?:above|below|under|over) one",
    "(?:speeds?|speeding|sped) up",
)
_IDIOMS = (
    r"no(?:-| )longer(?! (?:than|on|over|with|by|in|for|at|when|if|and|or|but)\b)(?=-| [^\W\d_]|\Z)",
    "(?:one|once|any|nothing) more(?! than)",
    "(?:sooner or later|more or less)",
    "(?:give|gives|given|giving|gave) rise to",
    "(?:fall|falls|fell|falling|fallen) (?:back|into|apart|through)",
    "drop-(?:in|out|down)",
    "lower(?:-| )case",
    "(?:high|low)er(?:-| )(?:level|order)",
    "best practices?",
)
_BEGINNINGS = (
    "couple pair pairs order orders per more less the at as above below under over speed speeds speeding sped "
    "no one once any nothing sooner give gives given giving gave "
    "fall falls fell falling fallen drop lower higher best"
).split()


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(alternatives)})(?![^\W_])".replace(" ", _GAP), re.IGNORECASE)


COMPOUND_NUMBER = _pattern(rf"(?:{'|'.join(_TENS)})-(?:one|{'|'.join(_ONES)})", "per cent", "(?:couple|pairs?) of", "orders? of magnitude")
COMPARISON = _pattern(*_PHRASES)
IDIOM = _pattern(*_IDIOMS)
# Each word with which any of this begins. "the", "no" and the like stand in every text; what they begin has a rarer word.
BEGINNINGS = NUMBER_WORDS | COMPARATIVES | frozenset([*_BEGINNINGS, *_SPENDS])
RARE = frozenset(word.encode() for word in (BEGINNINGS - {"the", "at", "no", "one", "any", *_SPENDS}) | {"most", "least"})


def found(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the kind of each number word and each comparison in ``text``."""
    # One look at the words of a text is far cheaper than a match at each of them, and bytes are split faster than any pattern finds words.
    if RARE.isdisjoint(text.lower().encode("ascii", "replace").translate(LETTERS).split()):
        return
    at = 0
    for word in WORD.finditer(text):
        start, lower = word.start(), word[0].lower()
        if start < at or lower not in BEGINNINGS:
            continue
        number, idiom, comparison = (pattern.match(text, start) for pattern in (COMPOUND_NUMBER, IDIOM, COMPARISON))
        at = (number or idiom or comparison or word).end()
        if number or lower in NUMBER_WORDS:
            yield start, at, "number word"
        elif not idiom and (comparison or lower in COMPARATIVES):
            yield start, at, "comparison"
