"""The gate: whatever Markdown makes of a page, its numbers and claims come out as elements or the page does not come out."""

import pytest

from hooks.live.errors import LiveError
from hooks.live.gate import check_page
from hooks.live.render import render
from tests.live._engine import ENGINE, body, converter

CLAIM = "{% claim one_loaf_is_enough %}\nYes.\n{% otherwise %}\nNo.\n{% endclaim %}"


def through_the_gate(text: str) -> str:
    markdown = body(render(text, "page.md", ENGINE).markdown)
    html = converter(toc=True).convert(markdown)
    check_page("docs/page.md", text, markdown, html)
    return html


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("??? note\n    {{ guests }}\n    - item\n\n        {{ loaves }}", ":5", "{{ loaves }} for code"),
        (f"---\ntitle: a\n---\n`{{% claim %}}`\n\n<div>\n\n{CLAIM}\n\n</div>\n\n{CLAIM}", ":8", "a number or a claim for code"),
        ("[r {{ guests }}][]\n\n[r {{ guests }}]: index.md", "", "a number or a claim for code"),
    ],
)
def test_what_becomes_no_element_is_refused(text: str, line: str, what: str) -> None:
    with pytest.raises(LiveError) as error:
        through_the_gate(text)
    assert str(error.value).startswith(f"docs/page.md{line}: Markdown takes {what}, or drops it; put blank lines around what holds it")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ guests }} in a <textarea> here.", ":1: '<textarea>' is not closed"),
        ("words\n\n<details><summary>{{ guests }}</summary>", ":3: '<details>' is not closed"),
        ("words\n\n<div>\n\nwords\n", ":3: '<div>' is not closed"),
        ("{{ guests }}\n\n<p>words</p></article>", ":3: '</article>' closes nothing"),
        ("<div>a</div>\n\n<div>b", ": '<div>' is not closed"),
        ("words\n\nSee [the ring][nowhere], {{ guests }}.", ":3: '][nowhere],' is left of a link"),
        ("A \\_ and a \\] beside [the ring][] of {{ guests }}.", ":1: '][]' is left of a link"),
        ("a\n\nb\n\nSee [the ring](page.md and {{ guests }}.", ":5: '](page.md' is left of a link"),
    ],
)
def test_an_element_or_a_link_of_which_an_end_is_missing_is_refused_at_its_line(text: str, said: str) -> None:
    with pytest.raises(LiveError) as error:
        through_the_gate(text)
    assert str(error.value).startswith(f"docs/page.md{said}")


@pytest.mark.parametrize(
    "text",
    [
        "[a][b], [b], [b][] and [c](d.md) for {{ guests }}.\n\n[b]: d.md",
        "`a[i][j]` and a \\[b\\](c) beside {{ guests }}, a note [i] (of many).",
        "<details><summary>a</summary>{{ guests }}<br><hr/></details>",
        "`<div>` and <!-- <div> --> {{ guests }}",
        "```\n<div>\n```\n\n{{ guests }}",
        "{{ guests }} and {{ guests }}\n\n" + CLAIM,
        '`<data class="q" value="six">` is how {{ guests }} looks.\n\n```\n<data class="q" data-q="guests">\n/// html | div.claim[a]\n```',
        "!!! note\n    - item\n\n        {% claim one_loaf_is_enough %}{{ guests }}{% otherwise %}no{% endclaim %}\n\n        {{ loaves }}",
        '![{{ guests }} at a table](a.png "{{ loaves }}")',
        "- a\n\n    - b {{ guests }}\n\n        | c |\n        | --- |\n        | {{ loaves }} |",
    ],
)
def test_what_becomes_an_element_passes(text: str) -> None:
    html = through_the_gate(text)
    assert '&lt;data class="q" value="6"' not in html
    assert "///" not in html.partition("<pre")[0]
