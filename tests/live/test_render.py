"""What a page becomes: elements around numbers, sentences that hold, and nothing that Markdown could read in a value."""

import json
import re
import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commcost.catalog import catalog_from
from commcost.model import Model
from hooks.live.errors import LiveError
from hooks.live.links import address
from tests.live import recipe
from tests.live._engine import body, data, draw_flour, engine, html, page, refusal, without_data

SIX = '<data class="q" value="6" data-q="guests" data-set="" data-as="significant.3">6</data>'
FLOUR = '<data class="q" value="375" data-q="flour_grams" data-set="" data-as="significant.3">375 g</data>'
SET, LONE = 'data-set=""', 'data-set="example=lone"'
CLAIM, OTHERWISE, END = "{% claim one_loaf_is_enough %}", "{% otherwise %}", "{% endclaim %}"
FALSE = '{% claim one_loaf_is_enough(example="party") %}'


def numbers(text):
    return [json.loads(line) for line in page(text).numbers]


def claims(text):
    return [json.loads(line) for line in page(text).claims]


def texts(text):
    return [number["text"] for number in numbers(text)]


class Nesting(HTMLParser):
    """Notes each element that is closed by another's end, or not at all."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def nests(html):
    parser = Nesting()
    parser.feed(html)
    parser.close()
    return not parser.wrong and not parser.open


# -- the contract of a number


@pytest.mark.parametrize(
    ("expression", "element"),
    [
        ("guests", SIX),
        ("flour_grams", FLOUR),
        ("flour_grams | fixed(2)", '<data class="q" value="375" data-q="flour_grams" data-set="" data-as="fixed.2">375.00 g</data>'),
        ("guests | words", '<data class="q" value="6" data-q="guests" data-set="" data-as="words">six</data>'),
        ("oven", '<data class="q" value="gas" data-q="oven" data-set="" data-as="name">gas oven</data>'),
        (
            'baking_seconds(oven="wood") | about',
            '<data class="q" value="0.25" data-q="baking_seconds" data-set="oven=wood" data-as="about" data-long="">'
            "about a quarter of a second</data>",
        ),
        (
            'spare_seconds(oven="other", example="party")',
            '<data class="q" value="-2399.75" data-q="spare_seconds" data-set="example=party;oven=other" data-as="fixed.2">'
            "−2,399.75 s</data>",
        ),
        (
            'share(example="party") | percent',
            '<data class="q" value="0.03125" data-q="share" data-set="example=party" data-as="percent.0">3 %</data>',
        ),
        (
            'loaves(example="party") | times',
            '<data class="q" value="4" data-q="loaves" data-set="example=party" data-as="times.2">4 ×</data>',
        ),
    ],
)
def test_a_number_is_a_data_element(expression, element):
    assert without_data(page(f"A {{{{ {expression} }}}}.").markdown) == f"A {element}."


def test_numbers_json_has_a_line_for_each_number():
    assert page('{{ baking_seconds(oven="wood") }} for {{ guests }}, {{ oven }}').numbers == (
        '{"q": "baking_seconds", "set": {"oven": "wood"}, "as": "fixed.2", "value": 0.25, "unit": "s", "text": "0.25 s"}',
        '{"q": "guests", "set": {}, "as": "significant.3", "value": 6, "unit": "1", "text": "6"}',
        '{"q": "oven", "set": {}, "as": "name", "value": "gas", "unit": "", "text": "gas oven"}',
    )


# -- a number's place


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{{ guests }}. Then", f"<p>{SIX}. Then</p>"),
        ("{{ guests }} {{ guests }}", f"<p>{SIX} {SIX}</p>"),
        ("- {{ guests }}\n- x", f"<li>{SIX}</li>"),
        ("1. {{ guests }}. Then", f"<li>{SIX}. Then</li>"),
        ("**{{ guests }}** _{{ guests }}_", f"<p><strong>{SIX}</strong> <em>{SIX}</em></p>"),
        ("| a |\n| --- |\n| {{ guests | fixed(0) }} |", SIX.replace("significant.3", "fixed.0") + "</td>"),
        ("[{{ guests }} of them](a.md)", f'<a href="a.md">{SIX} of them</a>'),
        ("> {{ guests }}", f"<blockquote>\n<p>{SIX}</p>"),
        ("Term\n:   {{ guests }}", f"<dd>{SIX}</dd>"),
        ("!!! note\n    {{ guests }}", f"<p>{SIX}</p>\n</div>"),
        ('=== "Tab"\n    {{ guests }}', f"<p>{SIX}</p>"),
        ("<div>{{ guests }}</div>", f"<div>{SIX}</div>"),
        ("{{\n  guests\n}}", f"<p>{SIX}</p>"),
        ("`<x` {{ guests }} `y>`", SIX),
        ("Note: {{ guests }}", f"<p>Note: {SIX}</p>"),
        ("a < b and {{ guests }} > c", SIX),
        ("[see] {{ guests }} (there)", SIX),
        ("- item\n\n    {{ guests }} in it", f"<p>{SIX} in it</p>"),
        ("- item\nthat goes on\n\n    {{ guests }} in it", SIX),
        ("words\n    {{ guests }} go on", SIX),
    ],
)
def test_a_number_stands(text, wanted):
    assert wanted in html(text)
    assert nests(html(text))


def test_a_heading_keeps_its_own_id():
    assert '<h2 id="own">Title' in html("## Title {#own}\n\n{{ guests }}")


def test_mkdocs_finds_no_metadata_in_the_first_line_of_a_page():
    # mkdocs takes "name: value" lines for metadata up to the first blank line.
    assert page("Note: {{ guests }}").markdown.startswith("\n")
    assert page("---\ntags: [x]\n---\nNote: {{ guests }}").markdown.startswith("---\n")


def test_line_ends_and_the_byte_order_mark_of_other_systems_change_nothing():
    text = "---\ndescription: Bread.\n---\n# Title\n\n{{ guests }}\n\n" + f"{CLAIM}\nA.\n{OTHERWISE}\nB.\n{END}\n"
    for other in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text):
        assert page(other) == page(text)


# -- code is literal


@pytest.mark.parametrize(
    "code",
    [
        "`{{ guests }}`", "``{{ guests }} ` {% claim x %}``", "`a\nb {{ guests }}`", "```\n{{ guests }}\n```",
        "~~~\n```\n{{ guests }}\n~~~",
        "````\n```\n{{ guests }}\n```\n````", "- item\n\n    ```python\n    {{ guests }}\n    ```", "> ```\n> {{ guests }}\n> ```",
        "<!-- {{ guests }} -->", "<!--\n{{ guests\n-->", "<pre>{{ guests }}</pre>", "<code>{% claim x %}</code>",
        "``` { .python title=\"x\" }\n{{ guests }}\n```", "`{{ guests` and `guests }}`", "\\\\`{{ guests }}`", "a `` b {{ guests }} ` c",
        "```\n<!--\n```\n\n`{{ guests }}`\n\n```\n-->\n```",
    ],
)  # fmt: skip
def test_code_and_comments_are_literal(code):
    assert page(f"words\n\n{code}\n\nwords").markdown.strip() == f"words\n\n{code}\n\nwords"
    assert page(code).numbers == ()


@pytest.mark.parametrize(
    "text",
    [
        "\\`{{ guests }}\\`",
        "a ` b {{ guests }}",
        "- a ` b\n- {{ guests }} ` c",
        "| a | b |\n| --- | --- |\n| ` | {{ guests }} |\n| ` | b |",
        "```x``` is\n\n{{ guests }}",
    ],
)
def test_what_only_looks_like_code_is_computed(text):
    assert SIX in html(text)
    assert "{{" not in html(text)


@pytest.mark.parametrize(
    ("text", "line", "missing"),
    [
        ("a\n\n```\n{{ guests }}\n", 3, "```"),
        ("```\na\n```\n\n- b\n\n    ~~~ python\n    c\n", 7, "~~~"),
        ("````\n```\n", 1, "````"),
        ("a <!-- b\n", 1, "-->"),
        ("a\n<pre>b\n</code>\n", 2, "</pre>"),
    ],
)
def test_code_that_is_not_closed_is_refused(text, line, missing):
    with pytest.raises(LiveError, match=rf"docs/page\.md:{line}: .* is not closed; add '{re.escape(missing)}'"):
        page(text)


# -- claims


def test_a_claim_alone_is_a_block_and_another_is_inline():
    block = f"{CLAIM}\nOne.\n{OTHERWISE}\nMany.\n{END}"
    assert html(block) == '<div class="claim" data-claim="c1">\n<p>One.</p>\n</div>'
    assert html(f"It {CLAIM}is one{OTHERWISE}are many{END}.") == '<p>It <span class="claim" data-claim="c1">is one</span>.</p>'
    assert data(f"It {CLAIM}is one{OTHERWISE}are many{END}.") == {
        "claims": {"c1": {"if": {"q": "one_loaf_is_enough", "set": ""}, "holds": True, "unsaid": "are many"}}
    }


BLOCK = "{claim}\n{i}So *it* is.\n\n{i}- a\n{i}- b\n\n{i}{otherwise}\n{i}Not `it`.\n{i}{end}"


@pytest.mark.parametrize(
    ("before", "indent", "around"),
    [
        ("", "", r"{claim}"),
        ("words\n\n", "", r"<p>words</p>\n{claim}"),
        ("- item\n\n    ", "    ", r"<ul>\n<li>\n<p>item</p>\n{claim}\n<p>end</p>\n</li>\n</ul>"),
        ("1. item\n\n\t", "\t", r"<ol>\n<li>\n<p>item</p>\n{claim}\n<p>end</p>\n</li>\n</ol>"),
        ("- item\n\n    - in it\n\n        ", "        ", r"<p>in it</p>\n{claim}\n<p>end</p>\n</li>\n</ul>\n</li>\n</ul>"),
        ("!!! note\n\n    ", "    ", r'<div class="admonition note">\n<p class="admonition-title">Note</p>\n{claim}\n<p>end</p>\n</div>'),
        ('??? note\n\n    words\n\n    ', "    ",
         r'<details class="note">\n<summary>Note</summary>\n<p>words</p>\n{claim}\n<p>end</p>\n</details>'),
        ('=== "Tab"\n\n    ', "    ", r'<div class="tabbed-block">\n{claim}\n<p>end</p>\n</div>'),
        ('<div markdown="1">\n\n', "", r"<div>\n{claim}\n<p>end</p>\n</div>"),
    ],
)  # fmt: skip
def test_a_block_claim_keeps_its_markdown_and_nests(before, indent, around):
    text = before + BLOCK.format(claim=CLAIM, otherwise=OTHERWISE, end=END, i=indent) + f"\n\n{indent}end\n"
    text += "\n</div>\n" if before.startswith("<div") else ""
    claim = '<div class="claim" data-claim="c1">\n<p>So <em>it</em> is.</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</div>'
    shown = html(text)
    assert nests(shown)
    assert around.replace(r"\n", "\n").replace("{claim}", claim) in shown
    assert data(text)["claims"]["c1"]["unsaid"] == "<p>Not <code>it</code>.</p>"


@pytest.mark.parametrize(
    "text",
    [
        f"- {CLAIM}a *b*{OTHERWISE}c{END}\n- d", f"- item\n    {CLAIM}a *b*{OTHERWISE}c{END}", f"1. {CLAIM}a *b*{OTHERWISE}c{END}",
        f"| a |\n| --- |\n| {CLAIM}a *b*{OTHERWISE}c{END} |", f"**{CLAIM}a *b*{OTHERWISE}c{END}**",
        f"[{CLAIM}a *b*{OTHERWISE}c{END}](a.md)",
        f"Term\n:   {CLAIM}a *b*{OTHERWISE}c{END}", f"!!! note\n    {CLAIM}a *b*{OTHERWISE}c{END}",
        f'=== "Tab"\n    {CLAIM}a *b*{OTHERWISE}c{END}',
        f"words\n{CLAIM}\na *b*\n{OTHERWISE}\nc\n{END}\nwords", f"{CLAIM}a *b*{OTHERWISE}c{END} words",
        f"words {CLAIM}a *b*{OTHERWISE}c{END}",
    ],
)  # fmt: skip
def test_an_inline_claim_nests(text):
    assert '<span class="claim" data-claim="c1">a <em>b</em></span>' in html(text)
    assert nests(html(text))
    assert data(text)["claims"]["c1"]["unsaid"] == "c"


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        (f"It is {CLAIM}**said{OTHERWISE}not said{END} here**.", "**"),
        (f"**It is {CLAIM}said** here{OTHERWISE}not said** there{END}.", "**"),
        (f"It is {CLAIM}said{OTHERWISE}_not said{END} here_.", "_"),
        (f"It [is {CLAIM}said](page.md) here{OTHERWISE}not{END}.", "]("),
        (f"It <b>is {CLAIM}said</b> here{OTHERWISE}not</b>{END}.", "</b>"),
        (f"It is {CLAIM}said{OTHERWISE}<b>not{END} here</b>.", "<b>"),
        (f"{CLAIM}\n<div>\n{OTHERWISE}\n</div>\n{END}", "</div>"),
    ],
)
def test_what_a_claim_opens_or_closes_for_what_is_beside_it_is_refused(text: str, loose: str) -> None:
    with pytest.raises(LiveError, match=re.escape(f"page.md:1: {loose!r} in a sentence of a claim has its other end elsewhere")):
        html(text)


def test_a_claim_in_a_table_stays_in_its_cell() -> None:
    head = "| oven | time |\n| --- | --- |\n"
    with pytest.raises(LiveError, match=r"page\.md:3: a claim in a table holds a cell or a part of one"):
        html(f"{head}| {CLAIM}a | b{OTHERWISE}c | d{END} |\n")
    for rows in (f"{CLAIM}\n| a | b |\n{OTHERWISE}\n| c | d |\n{END}\n", f"{CLAIM}| a | b |{OTHERWISE}| c | d |{END}\n"):
        with pytest.raises(LiveError, match=r"page\.md:3: a claim in a table holds a cell or a part of one"):
            html(head + rows)
    assert '<span class="claim" data-claim="c1">a | b</span>' in html(f"{head}| {CLAIM}a \\| b{OTHERWISE}c{END} | d |\n")


@pytest.mark.parametrize(
    "said", ["a * b loaves_of bread", "a\\*", "`**a`", "a<br>b", "[a](page.md) *b* **c** _d_ `e_`", '<b title="a>b">a</b>']
)
def test_what_only_looks_as_if_it_went_on_passes(said: str) -> None:
    assert 'data-claim="c1"' in html(f"words {CLAIM}{said}{OTHERWISE}c{END}")


def test_a_claim_in_a_definition_is_inline_since_markdown_ends_no_block_there():
    text = f"Term\n:   words\n\n    {CLAIM}\n    a *b*\n    {OTHERWISE}\n    c\n    {END}\n\n    end\n"
    assert '<dd>\n<p>words</p>\n<p><span class="claim" data-claim="c1">a <em>b</em></span></p>\n<p>end</p>\n</dd>' in html(text)
    with pytest.raises(LiveError, match=r"docs/page\.md:4: a claim inside a paragraph or a definition holds one paragraph"):
        page(text.replace("*b*", "\n\n    *b*"))


def test_a_one_line_claim_in_a_list_stays_in_it():
    shown = html(f"- item\n\n    {CLAIM}A.{OTHERWISE}B.{END}\n\n    end\n")
    assert shown == '<ul>\n<li>\n<p>item</p>\n<div class="claim" data-claim="c1">\n<p>A.</p>\n</div>\n<p>end</p>\n</li>\n</ul>'


def test_the_sentence_that_does_not_hold_is_nowhere_but_in_the_data():
    text = f"{FALSE}\nA lonely loaf.\n{OTHERWISE}\nMany.\n{END}\n\nThis {CLAIM}holds{OTHERWISE}is a phantom{END}."
    shown = html(text)
    assert "lonely" not in shown
    assert "phantom" not in shown
    assert "template" not in shown
    assert "hidden" not in shown
    assert [entry["unsaid"] for entry in data(text)["claims"].values()] == ["<p>A lonely loaf.</p>", "is a phantom"]
    assert claims(text) == [
        {"claim": "one_loaf_is_enough(example=party)", "holds": False, "text": "Many."},
        {"claim": "one_loaf_is_enough", "holds": True, "text": "holds"},
    ]


def test_numbers_of_the_sentence_that_does_not_hold_are_not_the_page_s():
    text = "{{ guests }} A{{ loaves }}B{{ flour_grams }}C {{ oven }}"
    for claim, middle in ((CLAIM, "0.75 loaves"), (FALSE, "375 g")):
        written = text.replace("A", claim).replace("B", OTHERWISE).replace("C", END)
        assert texts(written) == ["6", middle, "gas oven"]


def test_both_sentences_carry_their_numbers():
    text = f"{CLAIM}{{{{ guests }}}} eat{OTHERWISE}*{{{{ flour_grams }}}}*{END} it."
    assert SIX in html(text)
    assert data(text)["claims"]["c1"]["unsaid"] == f"<em>{FLOUR}</em>"


def test_links_to_pages_lead_from_the_unsaid_sentence_to_the_pages_addresses():
    text = (
        f"{CLAIM}A{OTHERWISE}[a](other.md) [b](sub/other.md#part) [c](index.md) [d](https://example.org/x.md) [e](#here) [f][ref]{END} end"
    )
    text += "\n\n[ref]: ../top.md 'T'\n"

    def hrefs(path):
        found = re.search(r"json[^>]*>(.*?)</script>", page(text, path).markdown)
        return re.findall(r'href="([^"]*)"', json.loads(found[1])["claims"]["c1"]["unsaid"])

    # Relative to the page's own address: page/ for page.md, folder/page/ for folder/page.md.
    assert hrefs("page.md")[:5] == ["../other/", "../sub/other/#part", "../", "https://example.org/x.md", "#here"]
    assert hrefs("folder/page.md") == ["../other/", "../sub/other/#part", "../", "https://example.org/x.md", "#here", "../../top/"]
    assert hrefs("index.md")[:3] == ["other/", "sub/other/#part", "./"]


@pytest.mark.parametrize(
    ("path", "url"), [("index.md", ""), ("a.md", "a/"), ("b/index.md", "b/"), ("b/c.md", "b/c/"), ("reindex.md", "reindex/")]
)
def test_address_of_a_page(path, url):
    assert address(path) == url


def test_the_unsaid_sentence_is_written_with_the_site_s_own_extensions():
    text = f"{CLAIM}*So*{{ .sour }}{OTHERWISE}*Not*{{ .sour }}{END}"
    assert '<em class="sour">So</em>' in html(text)
    assert data(text)["claims"]["c1"]["unsaid"] == '<p><em class="sour">Not</em></p>'


def test_a_claim_may_go_without_otherwise_only_where_a_reader_cannot_turn_it():
    fixed = '{% claim one_loaf_is_enough(example="lone") %}So it is.{% endclaim %} end'
    assert '<span class="claim" data-claim="c1">So it is.</span> end' in html(fixed)
    assert "unsaid" not in data(fixed)["claims"]["c1"]
    assert data(fixed)["claims"]["c1"]["if"] == {"q": "one_loaf_is_enough", "set": "example=lone"}


def test_joined_claims_say_their_structure():
    text = f'{{% claim one_loaf_is_enough and not one_loaf_is_enough(example="party") or one_loaf_is_enough %}}A{OTHERWISE}B{END} end'
    plain = {"q": "one_loaf_is_enough", "set": ""}
    party = {"q": "one_loaf_is_enough", "set": "example=party"}
    assert data(text)["claims"]["c1"]["if"] == ["or", ["and", plain, ["not", party]], plain]


def test_a_closing_script_tag_in_a_text_does_not_end_the_data():
    text = f"{CLAIM}A{OTHERWISE}<b title='</script>'>B</b> `</script>`{END} end"
    written = page(text).markdown
    assert written.count("</script>") == 1
    assert data(text)["claims"]["c1"]["unsaid"] == "<b title='</script>'>B</b> <code>&lt;/script&gt;</code>"


# -- alt texts, titles and the description


def test_an_image_s_texts_are_plain_and_their_parts_are_in_the_data():
    text = '![{{ guests }} at {{ oven }}](a_(b).png "in {{ baking_seconds(oven="wood") | about }}"){ width="90%" .wide }'
    assert html(text) == (
        '<p><img alt="6 at gas oven" class="wide" data-live="t1" src="a_(b).png" title="in about a quarter of a second" width="90%" /></p>'
    )
    guests = {"q": "guests", "set": "", "as": "significant.3"}
    oven = {"q": "oven", "set": "", "as": "name"}
    baking = {"q": "baking_seconds", "set": "oven=wood", "as": "about"}
    assert data(text) == {"texts": {"t1": {"alt": [guests, " at ", oven], "title": ["in ", baking]}}}
    assert texts(text) == ["6", "gas oven", "about a quarter of a second"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[t {{ guests }}](a.md \"of {{ guests }}\")", f'<a data-live="t1" href="a.md" title="of 6">t {SIX}</a>'),
        ("[t](a.md 'of {{ guests }}')", '<a data-live="t1" href="a.md" title="of 6">t</a>'),
        ("[![{{ guests }}](a.png)](b.md)", '<a href="b.md"><img alt="6" data-live="t1" src="a.png" /></a>'),
        ("![{{ guests }}\nof them](a.png)", '<img alt="6\nof them" data-live="t1" src="a.png" />'),
        ("![`{}` {{ guests }}](a.png)", 'alt="{} 6"'),
    ],
)  # fmt: skip
def test_a_text_in_an_attribute(text, wanted):
    assert wanted in html(text).replace("<code>", "")
    assert "\ue000" not in page(text).markdown


def test_the_description_is_computed():
    rendered = page("---\ndescription: \"Bread for {{ guests | words }}: {{ baking_seconds(oven='wood') }}.\"\ntags: [a]\n---\nwords")
    assert rendered.markdown == "---\ndescription: 'Bread for six: 0.25 s.'\ntags:\n- a\n---\nwords"
    assert [json.loads(line)["text"] for line in rendered.numbers] == ["six", "0.25 s"]


# -- figures and tables


FIGURE = "{% figure flour %}\nIt takes {{ flour_grams }}.\n{% endfigure %}"


@pytest.mark.parametrize("text", [FIGURE, f"words\n{FIGURE}\nwords", f"- item\n{FIGURE}\n- item", f"> quote\n\n{FIGURE}\n\n# Title"])
def test_a_figure_has_its_caption_its_chart_and_its_values(text):
    shown = html(text)
    assert nests(shown)
    assert shown.count("<figure ") == 1
    assert 'data-figure="flour"' in shown
    assert f"It takes {FLOUR}." in shown
    assert re.search(rf"<td[^>]*>{re.escape(FLOUR)}</td>", shown)
    bar = data(text)["charts"]["f1"]["data"][0]
    reference = {"q": "flour_grams", "set": "", "as": "significant.3"}
    assert bar["x"] == [{**reference, "v": 375}]
    assert bar["text"] == [{"t": [{**reference, "v": "375 g"}, " of it"]}]


def test_a_figure_s_caption_says_what_the_figure_draws():
    text = (
        f'{{% figure flour(example="party") %}}\nIt takes {{{{ flour_grams }}}}, {CLAIM}a *loaf*{OTHERWISE}loaves{END}, '
        'and {{ flour_grams(example="lone") }} for one.\n{% endfigure %}\n\n{{ flour_grams }}'
    )
    assert '<data class="q" value="2000" data-q="flour_grams" data-set="example=party" data-as="significant.3">2 kg</data>, ' in html(text)
    assert f'<span class="claim" data-claim="c1">loaves</span>, and {FLOUR.replace("375", "62.5").replace(SET, LONE)}' in html(text)
    assert html(text).endswith(f"<p>{FLOUR}</p>")
    assert nests(html(text))
    claim = data(text)["claims"]["c1"]
    assert claim == {"if": {"q": "one_loaf_is_enough", "set": "example=party"}, "holds": False, "unsaid": "a <em>loaf</em>"}
    assert data(text)["charts"]["f1"]["data"][0]["x"] == [{"q": "flour_grams", "set": "example=party", "as": "significant.3", "v": 2000}]
    assert claims(text)[0]["claim"] == "one_loaf_is_enough(example=party)"


def test_a_term_in_a_chart_is_counted():
    def draw(pen):
        drawing = draw_flour(pen)
        chart = {**drawing.chart, "layout": {**drawing.chart["layout"], "annotations": [{"text": pen.text("9Z: {{ guests }} 9Z")}]}}
        return replace(drawing, chart={**chart, "data": [{**chart["data"][0], "name": "9Z", "y": ["9Z"]}]}, key=(("a", "8Z"),))

    terms = {"9Z": "the name of a flour", "8Z": "the name of another"}
    assert page(FIGURE, engine=engine(figures={"flour": draw}, terms=terms)).terms == {"9Z": 3, "8Z": 1}


def test_a_table_holds_its_numbers():
    shown = html("words\n{% table ovens %}\n**words**")
    assert nests(shown)
    assert "<strong>words</strong>" in shown
    assert '<data class="q" value="2400" data-q="baking_seconds" data-set="oven=gas" data-as="fixed.2">2,400.00 s</data>' in shown
    assert '<data class="q" value="wood" data-q="oven" data-set="oven=wood" data-as="name">Kiln 9</data>' in shown


# -- hostile values


HOSTILE = "a|b*c*_d_<b>$e$\"f\"'g'`h`[i](j){k}~~l~~^m^\\n&lt;**o**</data>"


@pytest.fixture(scope="module")
def hostile():
    ovens = recipe.TABLES["ovens"]
    tables = recipe.TABLES | {"ovens": ovens | {"gas": {**ovens["gas"], "name": HOSTILE}}}
    return engine(Model(catalog_from(tables, "hostile"), recipe))


@pytest.mark.parametrize(
    "text",
    ["{{ oven }}", "*{{ oven }}*", "| a | b |\n| --- | --- |\n| {{ oven }} | c |", "- {{ oven }}", "[{{ oven }}](a.md)",
     "<div>{{ oven }}</div>",
     f"x {CLAIM}{{{{ oven }}}}{OTHERWISE}B{END}", "{% table ovens %}"],
)  # fmt: skip
def test_a_value_never_becomes_markup(hostile, text):
    shown = html(text, engine=hostile)
    assert nests(shown)
    values = re.findall(r'<data class="q" value="gas"[^>]*>(.*?)</data>', shown)
    assert len(values) == 1
    seen = HTMLParser()
    out = []
    seen.handle_data = out.append
    seen.handle_starttag = lambda tag, attrs: out.append(f"<{tag}>")
    seen.feed(values[0])
    seen.close()
    assert "".join(out) == HOSTILE


def test_a_value_in_an_attribute_never_becomes_markup(hostile):
    written = html('![{{ oven }}](a.png "{{ oven }}")', engine=hostile)
    found = {}
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.update(attrs)
    parser.feed(written)
    assert found == {"alt": HOSTILE, "title": HOSTILE, "src": "a.png", "data-live": "t1"}


def test_a_value_in_an_unsaid_sentence_never_becomes_markup(hostile):
    unsaid = data(f"x {CLAIM}A{OTHERWISE}{{{{ oven }}}}{END}", engine=hostile)["claims"]["c1"]["unsaid"]
    assert "<b>" not in unsaid
    assert nests(unsaid)


# -- any text


PIECES = st.sampled_from(
    ["{{ guests }}", "{{ oven", "}}", CLAIM, OTHERWISE, END, "{% figure flour %}", "{% endfigure %}", "{% table ovens %}",
     "\n", "\n\n", "    ", "\t", "- ",
     "1. ", "> ", "# ", "`", "```", "~~~", "<!--", "-->", "<pre>", "</pre>", "<b", ">", "[", "](", ")", "![", '"', "\n---\n", "\n===\n",
     "| ", "words", "!!! note\n",
     "[a]: ", "{#id}", "\\", "\r\n", "---\n", "title: "]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=200))
def test_any_page_renders_without_a_mark_left_or_is_refused_at_a_line(text):
    said = refusal(page, text)
    assert re.fullmatch(r"(docs/page\.md:\d+: [^\n]+)?", said)
    markdown = "" if said else page(text).markdown
    assert not re.search(r"[\ue000-\ue003]", markdown)
    may_show_marks = re.search(r"`|~~~|<!--|<pre", text)
    assert may_show_marks or not re.search(r"\{\{|\{%|%\}|\}\}", without_data(body(markdown)))


SLOW = {
    "braces": "{{", "half an expression": "{{ x ", "tags": "{%", "comments": "<!--", "pre": "<pre>", "code": "<code ", "ticks": "`",
    "ticks and words": "` a",
    "fences": "```\n", "tildes": "~~~ ", "brackets": "[", "links": "[a](", "links with a title": '[a](b "',
    "numbers in a bracket": "[{{ guests }} ",
    "numbers in a title": '[a](b "{{ guests }} ', "images": "![{{ guests }}](", "HTML tags": "<a ", "HTML attributes": '<a "',
    "hashes": "#", "quotes": "> ",
    "front matter": "---\n", "indented": "    {{ guests }}\n\n", "list": "- a\n\n    {{ guests }}\n\n", "underlines": "a\n-\n",
    "words": "a", "one long line": "a ",
}  # fmt: skip


@pytest.mark.parametrize("unit", SLOW.values(), ids=SLOW.keys())
def test_a_hundred_thousand_characters_are_rendered_or_refused_in_two_seconds(unit):
    start = time.process_time()
    assert len(refusal(page, unit * (100_000 // len(unit)))) < 500
    assert time.process_time() - start < 2


@pytest.mark.parametrize("text", [CLAIM + "{}" + OTHERWISE + "b" + END, "{% figure flour %}\n{{ guests }} {}\n{% endfigure %}"])
def test_a_long_sentence_or_caption_takes_no_longer(text):
    start = time.process_time()
    page(text.replace("{}", "a" * 200_000))
    assert time.process_time() - start < 2


def test_backticks_of_every_length_take_no_time_either():
    start = time.process_time()
    page(" ".join("`" * length for length in range(1, 300)))
    assert time.process_time() - start < 2


# -- the engine and its models


def test_the_data_stand_at_the_end_of_the_page():
    written = page(f"words {CLAIM}A{OTHERWISE}B{END}\n\n- a list").markdown
    assert written.rstrip().endswith("</script>")
    assert without_data(body(written)).endswith("- a list")
