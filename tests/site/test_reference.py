"""The formulas page names the pages on which each quantity stands; what a tenth more of an input does adds no row to its ledger."""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import unescape
from posixpath import normpath

import pytest

from commcost import Model, load
from hooks import project
from hooks.live.links import address
from tests.support import ROOT, pages

FORMULAS = "reference/formulas.md"
DATA = re.compile(r'<script type="application/json" class="live-data">(.*?)</script>', re.DOTALL)
LEDGER = re.compile(r'<details class="ledger".*?</details>', re.DOTALL)


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


@pytest.fixture(scope="module")
def rendered() -> Mapping[str, str]:
    """Every page's Markdown, the formulas first, as no generator happens to ask for them."""
    site = project.load(ROOT / "mkdocs.yml")
    paths = sorted(pages(), key=lambda path: path != FORMULAS)
    return {path: site.render_file(path, ROOT / "docs" / path).markdown for path in paths}


def names(markdown: str) -> Iterator[str]:
    """Yield the names of what a page shows: in its text, in sentences that do not hold, in its charts, and in its claims."""
    text = LEDGER.sub("", markdown)
    for block in DATA.findall(text):
        data = json.loads(block)
        yield from re.findall(r'"q": "(\w+)"', json.dumps({kind: data.get(kind) for kind in ("claims", "charts", "texts")}))
        for claim in data.get("claims", {}).values():
            yield from re.findall(r'data-q="(\w+)"', claim.get("unsaid", ""))
    yield from re.findall(r'data-q="(\w+)"', DATA.sub("", text))


def entry(markdown: str, quantity: str) -> str:
    found = re.search(rf'<section class="entry" id="formula-{quantity}">.*?</section>', markdown)
    assert found
    return found[0]


def test_a_quantity_links_to_exactly_the_pages_that_show_it(rendered: Mapping[str, str], model: Model) -> None:
    shown = defaultdict(set)
    for path, markdown in rendered.items():
        for name in names(markdown) if path != FORMULAS else ():
            shown[name].add(address(path))
    for quantity in model.quantities:
        on = entry(rendered[FORMULAS], quantity).partition("<dt>On the pages</dt>")[2]
        links = [normpath(address(FORMULAS) + unescape(href)) for href in re.findall(r'href="(\.[^"]*)"', on)]
        assert {f"{link}/" if link != "." else "" for link in links} == shown[quantity], quantity
        assert len(links) == len(shown[quantity])


def test_quantities_of_the_text_stand_on_the_pages_that_explain_them(rendered: Mapping[str, str]) -> None:
    pages_of = {
        "ring_half_seconds": "From the walkthrough to the bill",
        "leaving_factor": "Terminology",
        "sparsity_factor": "Hardware",
        "quoted_sharded_bytes": "The cost of communication",
    }
    for quantity, page in pages_of.items():
        assert f">{page}</a>" in entry(rendered[FORMULAS], quantity)


def test_a_multiple_adds_no_row_to_the_ledger(rendered: Mapping[str, str], model: Model) -> None:
    ledger = LEDGER.search(rendered[FORMULAS])
    assert ledger
    assert "tenth_more" not in ledger[0]
    assert not any("tenth_more" in block for block in DATA.findall(rendered[FORMULAS]))
    raised = re.findall(r'data-q="(\w+)" data-set="(\w+)=tenth_more"', rendered[FORMULAS])
    wanted = {(name, input) for name, q in model.quantities.items() if not q.is_predicate
              for input in model.settable(name) & {"params", "bytes_per_param", "tokens", "mfu"}}  # fmt: skip
    assert {(name, input) for name, input in raised if name != input} == wanted
    assert len(wanted) > 60


def test_the_formulas_page_is_no_heavier_than_it_has_to_be(rendered: Mapping[str, str]) -> None:
    """What stands beside a formula: its sensitivities, uses, pages and assumptions, in 21 bytes each."""
    page = rendered[FORMULAS].encode()
    bare = re.sub(rb"<dl>.*?</dl>", b"", page)
    assert len(gzip.compress(page, mtime=0)) - len(gzip.compress(bare, mtime=0)) < 21 * page.count(b"<dd>")
