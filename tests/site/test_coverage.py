"""Coverage is complete: whatever counts on a built page is a number, a term, a formula, a control, an axis tick or a date.

The words that count are listed here anew and not taken from the prose check, so that what one list forgot the other finds.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from hooks.live.links import address
from tests.support import ROOT, SITES, pages

# Attributes that are shown or read aloud; a phone shows `data-head` before a cell.
SAID = "alt aria-description aria-label aria-roledescription aria-valuetext data-head label placeholder summary title".split()
CONTROLS = ("input", "option", "output", "select", "textarea")
VOID = "area base br col embed hr img input link meta source track wbr".split()

_ONES = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion quadrillion"
_PARTS = "half halves third fourth quarter fifth sixth seventh eighth ninth tenth eleventh twelfth hundredth thousandth millionth"
_TIMES = "twice thrice double doubling triple tripling quadruple quintuple halve halving dozen percent permille zero nought"
WORDS = "|".join(f"{_ONES} {_TENS} {_PARTS} {_TIMES}".split())
COUNTS = re.compile(rf"[^\W_]*\d[\w.,%]*|[%‰]|(?<![^\W_])(?:{WORDS})(?:s|d|fold|age)?(?![^\W_])|per\s+cent\b", re.IGNORECASE)
COLOUR = re.compile(r"#[0-9a-f]{3,8}|rgba?\([\d., ]+\)")
FORMATS = {",~%", "~s"}  # by which plotly writes the values of an axis: per cent, and with a prefix; nothing of them is shown
DAY = re.compile(r"\d{4}-\d\d-\d\d")
# What a chart puts on an axis: the categories of its ticks.
TICKS = {"x", "y", "categoryarray", "ticktext", "ticksuffix"}
REFERENCE = {"q", "set", "as"}


@dataclass
class Declared:
    """What may hold digits without being a number: terms and names of the catalogue, names of quantities, titles of sources."""

    names: re.Pattern[str]
    quantities: frozenset[str]
    titles: frozenset[str]

    def typed(self, text: str) -> list[str]:
        """Return what counts in ``text`` and is no name."""
        text = self.names.sub(" ", text)
        return COUNTS.findall(text) + [sign for sign in text if sign.isnumeric() and not sign.isdecimal()]


@cache
def declared() -> Declared:
    """Return what the project's files declare; read from the files, not through the project's code."""
    catalogs = [tomllib.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "commcost").glob("*.toml")]
    terms = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["extra"]["terms"]
    modules = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "commcost").glob("*.py"))
    records = [record for catalog in catalogs for kind in ("accelerators", "links", "presets") for record in catalog[kind].values()]
    names = {str(record[key]) for record in records for key in ("name", "maker", "link_name") if key in record} | terms.keys()
    cited = re.findall(r"^    Source: (.*?)\n(?:\n|    \"\"\")", modules, re.MULTILINE | re.DOTALL)
    return Declared(
        re.compile("|".join(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in sorted(names, key=len, reverse=True))),
        frozenset(re.findall(r"^def (\w+)\(", modules, re.MULTILINE)),
        frozenset([*_values(catalogs, "source"), *(" ".join(text.split()) for text in cited)]),
    )


def _values(node: Any, key: str) -> Iterator[str]:
    """Yield every text that stands under ``key`` in nested tables."""
    for name, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        if name == key and isinstance(value, str):
            yield value
        yield from _values(value, key)


@dataclass(eq=False)
class Walk(HTMLParser):
    """A walk through HTML that collects in ``found`` what is typed, with where it stands.

    ``computed`` are patterns of the attributes that hold computed text, by where they stand: their groups are what is not computed.
    """

    computed: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []

    def check(self, where: str, text: str) -> None:
        pattern = self.computed.get(where)
        literal = pattern.fullmatch(text) if pattern else None
        rest = " ".join(literal.groups()) if literal else text
        self.found += [f"{where}: {word} in {' '.join(text.split())[:160]}" for word in declared().typed(rest)]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attributes}
        if tag == "meta" and (held.get("name") == "description" or held.get("property", "").endswith(("title", "description"))):
            self.check("description", held.get("content", ""))
        if tag != "math" and not self.is_counted():
            for name in SAID:
                self.check(f"{name}{held.get('data-live', '')}", held.get(name, ""))
        if tag not in VOID:
            self._flush()
            self.open.append((tag, held))

    def handle_endtag(self, tag: str) -> None:
        if any(tag == name for name, _ in self.open):
            self._flush()
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def close(self) -> None:
        super().close()
        self._flush()

    def is_counted(self) -> bool:
        """Tell whether what stands here is a number, a formula or a control."""
        return any(tag in ("math", *CONTROLS) or (tag == "data" and held.get("class") in ("q", "illustration")) for tag, held in self.open)

    def _flush(self) -> None:
        text, self.text = "".join(self.text), []
        tag, held = self.open[-1] if self.open else ("", {})
        if held.get("class") == "live-data":
            self._check_json(json.loads(text))
        elif not (
            tag in ("script", "style")
            or self.is_counted()
            or (tag == "time" and DAY.fullmatch(text))
            or (tag == "cite" and " ".join(text.split()) in declared().titles)
            or (tag == "code" and text in declared().quantities)
        ):
            self.check(tag, text)

    def _check_json(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        for claim in data.get("claims", {}).values():
            self.found += typed(claim.get("unsaid", ""))
        for records in data.get("sources", {}).values():
            for html in records.values():
                self.found += typed(html)
        for texts in data.get("texts", {}).values():
            for parts in texts.values():
                self.check("text of an attribute", " ".join(part for part in parts if isinstance(part, str)))
        self._check_chart("charts", data.get("charts", {}))

    def _check_chart(self, where: str, node: Any) -> None:
        """Check what charts say; their bare numbers are places on the paper."""
        if isinstance(node, dict) and not node.keys() >= REFERENCE:
            for key, value in node.items():
                if key not in TICKS or isinstance(value, dict):
                    self._check_chart(f"{where}.{key}", value)
        elif isinstance(node, list):
            for value in node:
                self._check_chart(where, value)
        elif isinstance(node, str) and node not in FORMATS and not COLOUR.fullmatch(node):
            self.check(where, re.sub(r"<[^>]*>", " ", node))


def typed(html: str, computed: Mapping[str, re.Pattern[str]] | None = None) -> list[str]:
    """Return what is typed in ``html``."""
    walk = Walk(computed or {})
    walk.feed(html)
    walk.close()
    return walk.found


def computed(page: Path, html: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of what a page's attributes say: its description by its source, live ones by the page's JSON."""
    patterns: dict[str, re.Pattern[str]] = {}
    for block in re.findall(r'<script type="application/json" class="live-data">(.*?)</script>', html, re.DOTALL):
        for id, texts in json.loads(block).get("texts", {}).items():
            patterns |= {
                f"{name}{id}": _pattern(part if isinstance(part, str) else None for part in parts) for name, parts in texts.items()
            }
    source = next(path for path in pages() if Path(address(path), "index.html") == page)
    said = re.search(r'^description: *"(.*)"$', (ROOT / "docs" / source).read_text(encoding="utf-8"), re.MULTILINE)
    if said:
        patterns["description"] = _pattern(None if part.startswith("{{") else part for part in re.split(r"(\{\{.*?\}\})", said[1]))
    return patterns


def _pattern(parts: Iterator[str | None]) -> re.Pattern[str]:
    """Return the pattern of a text of literal parts, which are its groups, and of computed ones (None)."""
    return re.compile("".join(".+?" if part is None else f"({re.escape(part)})" for part in parts), re.DOTALL)


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, built_site: Callable[[str], Path]) -> Path:
    """One of the sites, built."""
    return built_site(request.param)


@pytest.mark.parametrize("site", SITES, indirect=True)
def test_nothing_on_a_built_page_is_typed(site: Path) -> None:
    found = {}
    for path in sorted(site.rglob("*.html")):
        page, html = path.relative_to(site), path.read_text(encoding="utf-8")
        found[page.as_posix()] = typed(html, computed(page, html) if page.name == "index.html" else None)
    assert len(found) == 10
    assert {page: words for page, words in found.items() if words} == {}


# Each typed into a copy of a page, at a place of which a reader sees or hears something.
PLANTED = {
    "prose": ("<h2", "<p>It takes 5 s.</p><h2", "p: 5 in"),
    "a word": ("<h2", "<p>A thirdly thing, and a third.</p><h2", "p: third in"),
    "a word in capitals": ("<h2", "<p>Twice as much</p><h2", "p: Twice in"),
    "a word behind a dash": ("<h2", "<p>a two-way link</p><h2", "p: two in"),
    "a fraction": ("<h2", "<p>½ of it</p><h2", "p: ½ in"),
    "another script's digit": ("<h2", "<p>٣ of them</p><h2", "p: ٣ in"),
    "a digit beside a number": ("</data>", "</data>0", "0 in"),
    "a digit in a name": ("<h2", "<p>the H101</p><h2", "p: H101 in"),
    "an undeclared term": ("<h2", "<p>ZeRO-4</p><h2", "in ZeRO-4"),
    "a heading": ("</h2>", " in 2 steps</h2>", "2 in"),
    "the title": ("</title>", " 2</title>", "title: 2 in"),
    "a caption": ('-caption">', '-caption">Some 7 % ', "figcaption: 7 in"),
    "a cell": ("</td>", " (8)</td>", "td: 8 in"),
    "a cell's head on a phone": ('data-head="', 'data-head="2 ', "data-head: 2 in"),
    "the navigation": ('<span class="md-ellipsis">', '<span class="md-ellipsis">Part 2: ', "span: 2 in"),
    "an alternative text": ("<h2", '<img src="a.png" alt="three cards"><h2', "alt: three in"),
    "a hint": ("<h2", '<p title="3 of them">…</p><h2', "title: 3 in"),
    "a name that is heard": ('aria-label="The run"', 'aria-label="The run of 64"', "aria-label: 64 in"),
    "the description": ('content="What a', 'content="3 times what a', "description: 3 in"),
    "another number in the description": ("120 GB per GPU over", "120 GB per 2 GPUs over", "description: 120 in"),
    "a chart's label": (", sharded (3P): ", ", sharded (3P, 180 GB): ", "text.t: 180 in"),
    "a sentence that does not hold": ('"unsaid":"', '"unsaid":"Half of it: ', "Half in"),
    "a meaning in the ledger": ("<p>The time ", "<p>The 2 times ", "p: 2 in"),
    "what a source says": ("dense 16-bit, one GPU, without", "dense 16-bit, all 8 GPUs, without", "p: 8 in"),
    "a title of no source": ("<cite>Jacob", "<cite>42 Jacob", "cite: 42 in"),
    "a name of no quantity": ("<h2", "<p><code>32_bit</code></p><h2", "code: 32_bit in"),
    "a time of day": ("<h2", "<p><time>at 12:30</time></p><h2", "time: 12 in"),
    "a value that is no number": ("<h2", '<p><data value="9">9</data></p><h2', "data: 9 in"),
}


@pytest.mark.parametrize("site", ["default"], indirect=True)
@pytest.mark.parametrize("place", PLANTED)
def test_what_is_planted_is_found(place: str, site: Path) -> None:
    page = Path("cost-of-communication/index.html")
    right, wrong, message = PLANTED[place]
    html = (site / page).read_text(encoding="utf-8")
    assert right in html
    planted = html.replace(right, wrong, 1)
    found = typed(planted, computed(page, planted))
    assert found
    assert message in found[0]


@pytest.mark.parametrize("site", ["default"], indirect=True)
def test_a_number_planted_in_a_live_attribute_is_found(site: Path) -> None:
    data = {"texts": {"t1": {"title": ["moves ", {"q": "params", "set": "", "as": "words"}, " there"]}}}
    block = f'<script type="application/json" class="live-data">{json.dumps(data)}</script>'
    for text, is_found in (("moves 30 billion parameters there", False), ("moves 30 billion parameters in 2 s", True)):
        html = f'<p title="{text}" data-live="t1">…</p>{block}'
        assert bool(typed(html, computed(Path("index.html"), html))) is is_found
