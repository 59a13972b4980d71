"""A tag stands in text, and what it says reaches a reader: nowhere is it swallowed, copied or written into markup."""

import time

import pytest

from tests.live._engine import data, html, page, refusal

CLAIM, OTHERWISE, END = "{% claim one_loaf_is_enough %}", "{% otherwise %}", "{% endclaim %}"
LINKS = {
    "link": "[a](b.md)",
    "link with a title": '[a](b.md "c")',
    "link with a number in its title": '[a](b.md "of {{ guests }}")',
    "image": "![a](b.png)",
    "image with a number in its alt text": "![{{ guests }}](b.png)",
    "image with a number in its title": '![a](b.png "of {{ guests }}")',
    "image with attributes": "![{{ guests }}](b.png){ .wide }",
}
HEADING = "a heading or title holds no numbers"
IN_CLAIM = "a heading cannot stand in a claim; move it out"
IN_MARKUP = "an expression cannot stand inside an HTML tag or an address"


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS.keys())
def test_a_tag_right_behind_a_link_is_no_attribute_list(link):
    text = f"It {CLAIM}is {link}{OTHERWISE}are {link}{END} there, {link}{{{{ loaves }}}}"
    shown = html(text)
    assert "otherwise" not in shown
    assert "} " not in shown
    assert " there, <" in shown
    assert shown.count("<img" if link.startswith("!") else "<a ") == 2
    assert data(text)["claims"]["c1"]["unsaid"].startswith("are <")
    assert 'data-q="loaves"' in shown
    for tag in ("{% table ovens %}", "{% figure flour %}"):
        assert refusal(page, f"words {link}{tag}").endswith("starts at the margin, on a line of its own")


HEADINGS = {
    "hashes": "## A",
    "hashes without a space": "#A",
    "hashes in a list": "- # A",
    "hashes with an id": "## A {#a}",
    "an underline": "A\n===",
    "another underline": "A\n---",
    "HTML": "<h2>A</h2>",
    "HTML in capitals": '<H4 class="a">A</H4>',
}


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS.keys())
def test_a_heading_cannot_stand_in_a_claim_or_a_caption(heading):
    first = f"words\n\n{CLAIM}\n\n{heading}\n\nA.\n\n{OTHERWISE}\nB.\n{END}\n"
    second = f"words\n\n{CLAIM}\nA.\n{OTHERWISE}\n\n{heading}\n\nB.\n\n{END}\n"
    assert refusal(page, first) == f"docs/page.md:5: {IN_CLAIM}"
    assert refusal(page, second) == f"docs/page.md:7: {IN_CLAIM}"
    caption = f"{{% figure flour %}}\n{{{{ guests }}}}\n\n{heading}\n\n{{% endfigure %}}"
    assert refusal(page, caption) == f"docs/page.md:4: {IN_CLAIM.replace('claim', 'figure')}"


@pytest.mark.parametrize(
    "text", ["```\n# A\n---\n```", "| A |\n| --- |\n| b |", "a\n\n---\n\nb", "issue #A", "`<h2>`", "<hr>", "<header>A</header>"]
)
def test_what_is_no_heading_can_stand_in_a_claim(text):
    assert refusal(page, f"{CLAIM}\n{text}\n\n{OTHERWISE}\nB.\n{END}") == ""


@pytest.mark.parametrize("tag", ["{{ guests }}", f"{CLAIM}A{OTHERWISE}B{END}"])
@pytest.mark.parametrize(
    "heading",
    ["<h2>{tag}</h2>", '<h3 class="a">\nA\n{tag}\n</h3>', "<H1>A {tag}", "<div><h6>A</h6> <h5>{tag}</h5></div>"],
)
def test_a_tag_cannot_stand_in_a_heading_element(heading, tag):
    assert HEADING in refusal(page, heading.format(tag=tag))


@pytest.mark.parametrize(
    "text",
    ["<h2>A</h2>{tag}", "<header>{tag}</header>", "<hr>{tag}", "<h2>A</h2>\n<h3>B</h3>\n\n{tag}", "/// html | div\n{tag}\n///"],
)
def test_a_tag_can_stand_beside_a_heading_element(text):
    assert 'data-q="guests"' in html(text.format(tag="{{ guests }}"))


FAR = "a" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f'<b class="{FAR}" title="{{{{ guests }}}}">words</b>',
        f"<b\n{'class=a ' * 1000} title='{{{{ guests }}}}'>words</b>",
        '<b title="a > b, {{ guests }}">words</b>',
        "<b title='a < b, {{ guests }}'>words</b>",
        "<b {{ guests }}>words</b>",
        f"<b {FAR} {{{{ guests }}}}",
        f"[a]({FAR}{{{{guests}}}})",
        f"![{{{{ guests }}}}]({FAR}{{{{guests}}}}.png)",
        "[a](b({{guests}}).md)",
        'words{: title="{{ guests }}" }',
        'words{: .a title="{{ guests }}" }',
        '![{{ guests }}](a.png){ width="{{ guests }}" }',
        f"## A {{#{FAR}}}\n\n<b {CLAIM}A{OTHERWISE}B{END}>",
    ],
)
def test_a_tag_cannot_stand_in_markup_however_long_it_is(text):
    assert IN_MARKUP in refusal(page, text)


@pytest.mark.parametrize(
    "text",
    [
        f'<b title="{FAR}">{{{{ guests }}}}</b>',
        "a < b, {{ guests }} > c",
        "it's <b>{{ guests }}</b>, isn't it",
        "<b don't>{{ guests }}</b> 'a'",
        f"[{{{{ guests }}}}]({FAR})",
        "a {of {{ guests }} of them}",
        "(see [a](b.md) for {{ guests }})",
    ],
)
def test_a_tag_can_stand_beside_markup(text):
    assert 'data-q="guests"' in html(text)


@pytest.mark.parametrize(
    "unit", ["<b {{ guests }}> ", "](a{{guests}} ", "<b title='{{ guests }} ", "<h2>{{ guests }}", "{: .a {{ guests }}} "]
)
def test_ten_thousand_tags_in_markup_take_no_time(unit):
    start = time.process_time()
    assert refusal(page, f"words\n\n{{{{ guests }}}} {unit * 5_000}")
    assert time.process_time() - start < 2
