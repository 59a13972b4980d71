"""A text browser and the search read the pages whole, in order, and of each claim only the sentence that holds."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hooks.live.links import address
from tests.support import SITES, pages

# What w3m draws beside the text.
DRAWN = re.compile(r"[\s•□▪]")
BLOCK = re.compile(r'<script[^>]* class="live-data">(.*?)</script>', re.DOTALL)
APART = frozenset("script style title".split())
VOID = frozenset("br hr img input link meta source wbr".split())
IN_A_LINE = frozenset("a abbr b bdi button cite code data dfn em i math output small span strong sub sup time".split())
# Shorter ones are words that stand elsewhere too, for another claim.
LEAST = 12


@dataclass
class Bare(HTMLParser):
    """A page without its markup: the ``text`` within an element, and the pairs of words there that only markup keeps apart."""

    within: str
    text: str = ""
    together: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self._passed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append(tag)
        self._passed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()
        self._passed.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.within in self._open and not APART & {*self._open}:
            self._note(data)
            self.text += data
            self._passed = []

    def _note(self, data: str) -> None:
        """Note where an element in a line ends with a word and another begins with one: without markup they are one word."""
        tags = {tag.removeprefix("/") for tag in self._passed}
        is_between = any(tag.startswith("/") for tag in self._passed) and any(not tag.startswith("/") for tag in self._passed)
        if is_between and tags <= IN_A_LINE and re.match(r"\w", data) and re.search(r"\w$", self.text):
            self.together.append((self.text[-20:], data[:20]))


def bare(html: str, within: str = "body") -> Bare:
    found = Bare(within)
    found.feed(html)
    found.close()
    return found


def squeezed(text: str) -> str:
    """Return a text without what a browser may put between its words."""
    return DRAWN.sub("", text)


@pytest.fixture(scope="module", params=SITES)
def site(request: pytest.FixtureRequest, built_site: Callable[[str], Path]) -> Path:
    return built_site(request.param)


@pytest.fixture(scope="module")
def html(site: Path) -> Mapping[str, str]:
    """Each page's HTML by its address."""
    return {address(path): (site / address(path) / "index.html").read_text(encoding="utf-8") for path in pages()}


@cache
def read(html: str) -> str:
    """Return a page as w3m shows it in so wide a window that no line ends before its text does."""
    program = shutil.which("w3m") or pytest.skip("needs w3m, which site-build.sh installs where it may")
    command = [program, "-dump", "-T", "text/html", "-I", "utf-8", "-O", "utf-8", "-cols", "5000"]
    return subprocess.run(command, input=html, capture_output=True, text=True, check=True).stdout


def unsaid(html: str) -> list[str]:
    """Return the sentences of a page that do not hold."""
    claims = [claim for block in BLOCK.findall(html) for claim in json.loads(block).get("claims", {}).values()]
    return [squeezed(bare(f"<p>{claim['unsaid']}</p>", "p").text) for claim in claims if claim.get("unsaid")]


def test_a_text_browser_shows_the_whole_text_in_its_order(html: Mapping[str, str]) -> None:
    for page, source in html.items():
        article = squeezed(bare(source, "article").text)
        assert len(article) > 500
        assert article in squeezed(read(source)), page


def test_of_a_claim_only_what_holds_is_read(html: Mapping[str, str], site: Path) -> None:
    numbers = json.loads((site / "numbers.json").read_text(encoding="utf-8"))
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    searched = squeezed("".join(bare(f"<p>{entry['text']}</p>", "p").text for entry in index))
    all_hidden = all_said = 0
    for page, source in html.items():
        shown, visible = squeezed(read(source)), squeezed(bare(source).text)
        said = [squeezed(claim["text"]) for claim in numbers["claims"][page]]
        # One claim may say what another, of another card, does not.
        hidden = [sentence for sentence in unsaid(source) if len(sentence) >= LEAST and not any(sentence in other for other in said)]
        assert [sentence for sentence in hidden if any(sentence in text for text in (shown, visible, searched))] == [], page
        assert [sentence for sentence in said if not all(sentence in text for text in (shown, searched))] == [], page
        all_hidden, all_said = all_hidden + len(hidden), all_said + len(said)
    assert all_hidden >= 40
    assert all_said >= 30


def test_no_two_words_are_kept_apart_by_markup_alone(html: Mapping[str, str]) -> None:
    assert {page: found for page, source in html.items() if (found := bare(source, "article").together)} == {}


def test_the_search_reads_no_two_cells_or_items_as_one_word(html: Mapping[str, str]) -> None:
    """It takes the tags out of a text, so white space must stand between what ends and what begins."""
    for page, source in html.items():
        article = source[source.index("<article") : source.index("ledger", source.index("<article"))]
        assert re.findall(r".{30}</(?:t[dh]|li|d[td]|caption|p|section|summary|figcaption|div|[udo]l)><[a-z].{30}", article) == [], page


def test_what_layout_says_to_the_eye_is_said_in_the_text(html: Mapping[str, str]) -> None:
    formulas, ring = (squeezed(read(html[page])) for page in ("reference/formulas/", "ring-walkthrough/"))
    assert "Thetimeastep'sarithmetictakes,inseconds.tc=F÷(N·peak·MFU)" in formulas
    assert "Vq={2·PifN>1,0otherwise" in formulas
    assert "12=2+10" in ring
    assert "22=3+19,finished" in ring
    assert "22from3,finished" in ring
