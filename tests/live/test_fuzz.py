"""Pages made at random: each is refused in one line at a line that it has, or comes out with every number and claim as an element.

`FUZZ=30000 .venv/bin/python -m pytest tests/live/test_fuzz.py` looks harder, each time elsewhere.
"""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hooks.live.errors import LiveError
from hooks.live.gate import check_output, check_page
from hooks.live.links import BESIDE
from hooks.live.prose import Vocabulary, check, visible
from hooks.live.render import Page, render
from tests.live._engine import converter, engine, refusal

HARD = int(os.environ.get("FUZZ", "0"))
fuzz = settings(max_examples=HARD or 120, derandomize=not HARD, deadline=None, suppress_health_check=list(HealthCheck))

ENGINE = replace(engine(terms={"2P": "a name"}), has_ledger=False, files=frozenset({"page.md", "index.md"}))
MARKDOWN = converter(toc=True)

NUMBERS = st.sampled_from(
    ["{{ guests }}", "{{ loaves | about }}", "{{ oven }}", "{{ share | percent(1) }}", '{{ baking_seconds(oven="wood") }}']
)
WORDS = st.sampled_from(
    ["word", "Words.", "é", "`code`", "`` ` ``", "*b*", "**c**", "_d_", "a_b_c", "[l](index.md)", "<b>x</b>", "<br>", "&amp;", "&",
     "\\*", "\\", "2P", "![alt {{ guests }}](x.md)", '[t](index.md "t {{ guests }}")', "[^a]",
     "*", "_", "`", "<", "[", "]", "(", ")", "|", "~",
     "^", '"', "'", "<!-- c -->", '<span title="a">b</span>', "{.c}", "{#i}", "{: .c }", "http://a/_b_", "<i", "!", "#", ":", "-", "+",
     "---", "$"]
)  # fmt: skip
LINES = st.one_of(*(st.lists(NUMBERS | WORDS | WORDS, min_size=1, max_size=6).map(joint.join) for joint in (" ", "")))


def claimed(sentences: tuple[str, str], gap: str = "") -> str:
    said, unsaid = (f"{gap}{sentence}{gap}" for sentence in sentences)
    return f"{{% claim one_loaf_is_enough %}}{said}{{% otherwise %}}{unsaid}{{% endclaim %}}"


def under(holder: str) -> Any:
    return lambda block: holder + "\n".join(f"    {line}" if line else line for line in block.split("\n"))


TEXTS = st.one_of(LINES, st.tuples(LINES, LINES).map(claimed), st.tuples(LINES, st.tuples(LINES, LINES).map(claimed)).map(" ".join))
BLOCKS = st.recursive(
    st.one_of(
        TEXTS, *(TEXTS.map(before.__add__) for before in ("- ", "1. ", "> ", "term\n:   ", "## ", "[^a]: ")),
        LINES.map(lambda line: f"| a | b |\n| --- | --- |\n| {line.replace('|', '/')} | c |"),
        LINES.map(lambda line: f"{{% figure flour %}}\n{line}\n{{% endfigure %}}"),
        LINES.map(lambda line: f"<div markdown>\n\n{line}\n\n</div>"),
        st.sampled_from(["```\n{{ x }}\n```", "~~~ py\n{% x %}\n~~~", "<pre>{{ x }}</pre>", "{% table ovens %}",
             "<div>\nx\n</div>", "---"]),
    ),
    lambda blocks: st.one_of(
        *(blocks.map(under(holder)) for holder in ("- item\n\n", "!!! note\n", "??? note\n", '=== "Tab"\n\n')),
        st.tuples(blocks, blocks).map(lambda both: claimed(both, "\n")), st.tuples(blocks, blocks).map("\n".join),
        st.tuples(blocks, blocks).map("\n\n".join),
    ),
    max_leaves=5,
)  # fmt: skip
YAML = st.sampled_from(
    ["title", "description", "tags", "a", ": ", ":", "\n", "\n  ", "\n- ", "[", "]", "{", "}", "'", '"', "&a ", "*a", "!!int ", "!!bool ",
     "!!timestamp ", "!!float ", "!!binary ", "!!python/object:os.system ", "!x ", "|", ">-\n  ", "#", "<<: ", "? ", "%YAML 1.1\n", "---",
     "...", "2026-01-01", "2026-13-45", "12:30:45", "1e999", "1" * 5000, "~", "yes", "=", "@", "{{ guests }}", "{{", "%}", "word ", "seven",
     "7", "\x1f", "\x85", "\u2028", "\ufeff", "\t", "é", "\u202e", '"\\ud800"', ", "]
)  # fmt: skip


class Elements(HTMLParser):
    """The numbers of a page as elements, and the ids of its claims and of its texts in attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers, self.claims, self.texts = Counter[tuple[str, ...]](), set[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "data":
            self.numbers[found["data-q"], found["data-set"], found["data-as"]] += 1
        self.claims |= {found["data-claim"]} if "data-claim" in found else set()
        self.texts |= {found["data-live"]} if "data-live" in found else set()


def references(node: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the references to numbers in a part of the page's JSON."""
    if isinstance(node, dict) and "as" in node:
        yield node["q"], node["set"], node["as"]
    elif isinstance(node, dict | list):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from references(inner)


def rendered(text: str) -> Page | None:
    """Return a page; nothing where it is refused, as it should be: in one line that can be read, at a line that it has."""
    start, page, refused = time.process_time(), None, ""
    try:
        page = render(text, "page.md", ENGINE)
    except LiveError as error:
        refused = str(error)
    assert time.process_time() - start < 2
    if page is None:
        said = re.fullmatch(r"docs/page\.md:(\d+): .+", refused)
        assert said, repr(refused)
        assert said[0].isprintable()
        assert 1 <= int(said[1]) <= len(re.split("\r\n|\r|\n", text))
    return page


@fuzz
@given(st.lists(BLOCKS, min_size=1, max_size=3).map("\n\n".join))
def test_each_number_and_claim_of_a_page_is_an_element_of_it(text: str) -> None:
    page = rendered(text)
    if page is None:
        return
    html = MARKDOWN.reset().convert(page.markdown)
    if refusal(check_page, "docs/page.md", text, page.markdown, html) or refusal(check_output, "page/index.html", html):
        return
    elements, data = Elements(), json.loads((BESIDE.search(html) or ["", "{}"])[1])
    elements.feed(BESIDE.sub("", html))
    wanted = Counter(
        (one["q"], ";".join("=".join(item) for item in one["set"].items()), one["as"]) for one in map(json.loads, page.numbers)
    )
    texts = [parts for id, parts in data.get("texts", {}).items() if id in elements.texts]
    assert elements.numbers + Counter(references([texts, data.get("charts", {})])) == wanted
    assert elements.claims == data.get("claims", {}).keys()


@fuzz
@given(st.sampled_from(["", "title: ", "description: ", "tags:\n- ", "a: b\n"]), st.lists(YAML, max_size=12).map("".join))
def test_any_front_matter_is_refused_at_its_line_or_read_again_as_it_is_written(first: str, rest: str) -> None:
    page = rendered(f"---\n{first}{rest}\n---\n# Title\n")
    front = re.match(r"---\n(.*?)\n---\n", page.markdown, re.DOTALL) if page else None
    assert front is None or isinstance(yaml.safe_load(front[1]), dict)


VOCABULARY = Vocabulary({"2P": "a name"}, frozenset({"H100"}))
PLAIN = st.sampled_from(
    ["bread", "the", "oven", ";", ",", ".", "(", ")", "—", "“", "”", "\n", "\n\n", "*", "_", "**", "a_b", "é", "\u00a0", "-", "–", "/",
     "one", "2P", "H100", "&amp;", "\\", "|", "'", "[link](index.md)", '![alt](a.png "title")', "<b>", "</b>", "<br>", "{{ guests }}",
     "{.c}", "{#id}", "# ", "> ", "- ", "^", "~", "!", "[^a]", "[a]: b.md\n", "`", "[", "]", "&", " ", "\t", "http://a.b/c ", "=", "+",
     "%", "$", "x. ", "once"]
)  # fmt: skip
TYPED = st.sampled_from(
    ["7", "3.5", "seven", "Twice", "half", "dozen", "٣", "½", "²", "Ⅳ", "faster", "more than", "at least", "percent", "twenty-one",
     "&#55;", "&frac12;"]
)  # fmt: skip


@fuzz
@given(st.lists(PLAIN, max_size=30).map("".join), TYPED, st.lists(PLAIN, max_size=30).map("".join))
def test_what_is_typed_among_any_words_is_found_where_it_stands(before: str, typed: str, after: str) -> None:
    text = f"{before} {typed} {after}"
    assert len(visible(text)) == len(text)
    findings, _ = check(text, VOCABULARY)
    assert [finding for finding in findings if len(before) <= finding.offset <= len(before) + len(typed)]
