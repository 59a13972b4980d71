"""Each cell of a table that is typed in Markdown knows the head of its column, which a phone shows beside it."""

import re
from dataclasses import replace
from html import unescape

import pytest

from hooks.live.render import render

from ._engine import converter, engine

CELL = re.compile(r"<td[^>]*>")
HEAD = re.compile(r"data-head=\"([^\"]*)\"")


def html_of(page: str) -> str:
    return converter(toc=False).convert(render(page, "page.md", replace(engine(), has_ledger=False)).markdown)


def heads_of(page: str) -> list[str]:
    return [head[1] if (head := HEAD.search(cell)) else "" for cell in CELL.findall(html_of(page))]


def test_a_cell_that_heads_no_row_has_the_words_of_its_column_s_head() -> None:
    page = "| oven | *baking* time | what `it` is, [linked](page.md) |\n| --- | ---: | --- |\n"
    page += "| gas | {{ baking_seconds }} | a \\| b |\n| wood | | **bold** |\n"
    assert heads_of(page) == ["", "baking time", "what it is, linked", "", "", "what it is, linked"]
    assert "{ data-head" not in html_of(page)


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("use \\| waste", "use | waste"),
        ("R&amp;D & x", "R&D & x"),
        ("so<br>far", "so far"),
        ('a "b"', 'a "b"'),
        ("*a* \\* b", "a b"),
        ("[a][b]", "a"),
    ],
)
def test_a_head_is_said_as_it_is_read(head: str, label: str) -> None:
    page = html_of(f"| oven | {head} |\n| --- | --- |\n| gas | yes |\n\n[b]: page.md\n")
    assert [unescape(found) for found in HEAD.findall(page)] == [label]


def test_a_cell_keeps_attributes_of_its_own() -> None:
    page = html_of("| oven | time |\n| --- | --- |\n| gas | {{ baking_seconds }} { .wide } |\n| wood | yes {: #it title='so' } |\n")
    assert "{" not in re.sub("<script.*?</script>", "", page)
    assert 'class="wide" data-head="time"' in page
    assert 'data-head="time" id="it" title="so"' in page


def test_a_table_in_a_sentence_that_does_not_hold_has_them_too() -> None:
    table = "| oven | time |\n| --- | --- |\n| gas | {} |\n"
    claim = "{% claim one_loaf_is_enough %}\n" + table.format("long") + "{% otherwise %}\n" + table.format("short") + "{% endclaim %}\n"
    assert len(HEAD.findall(html_of(claim).replace("\\", ""))) == 2


@pytest.mark.parametrize(
    "page",
    [
        "| oven | {{ baking_seconds }} |\n| --- | --- |\n| gas | yes |\n",  # what the head says would not follow the run
        "```\n| oven | time |\n| --- | --- |\n| gas | yes |\n```\n",
        "<pre>\n| oven | time |\n| --- | --- |\n| gas | yes |\n</pre>\n",
        "| oven | time |\n| --- | --- |\n| `gas | oven` | yes |\n",
        "| oven | time |\n| gas | yes |\n",
        "Words.\n| oven | time |\n| --- | --- |\n| gas | yes |\n",
    ],
)
def test_what_is_no_such_cell_stays_as_it_is(page: str) -> None:
    assert "data-head" not in html_of(page)
