"""Links: those of captions and of sentences that do not hold are resolved by the engine, and none of a built site leads nowhere."""

import json
from dataclasses import replace

import pytest

from hooks.live.links import dead, resolved
from hooks.live.render import render
from hooks.project import load
from tests.live._engine import DATA, ENGINE, ROOT, converter, page, refusal

FILES = frozenset(["index.md", "page.md", "other.md", "folder/page.md", "folder/a b.png", "pics/a.png", "folder/index.md"])
CHECKED = replace(ENGINE, files=FILES)
CLAIM, OTHERWISE, END = "{% claim one_loaf_is_enough %}", "{% otherwise %}", "{% endclaim %}"


@pytest.mark.parametrize(
    ("path", "written", "leads"),
    [
        ("page.md", 'href="other.md"', 'href="../other/"'),
        ("page.md", "href='other.md#a'", 'href="../other/#a"'),
        ("page.md", 'href="folder/index.md"', 'href="../folder/"'),
        ("index.md", 'href="folder/page.md"', 'href="folder/page/"'),
        ("index.md", 'href="index.md?a=b&amp;c=d"', 'href="./?a=b&amp;c=d"'),
        ("page.md", 'src="pics/a.png"', 'src="../pics/a.png"'),
        ("index.md", 'src="pics/a.png"', 'src="pics/a.png"'),
        ("folder/index.md", 'src="../pics/a.png"', 'src="../pics/a.png"'),
        ("folder/page.md", 'src="../pics/a.png"', 'src="../../pics/a.png"'),
        ("folder/page.md", 'src="a%20b.png"', 'src="../a%20b.png"'),
        ("folder/page.md", 'href="a b.png"', 'href="../a%20b.png"'),
        *(("page.md", same, same) for same in (
            'href="#a"', 'href="https://example.org/a.md"', 'href="/a.md"', 'href="//example.org/a"', 'href="mailto:a@example.org"',
            'href=""', 'href="?a"', 'src="data:image/png;base64,AA"', 'data-href="gone.md"', 'title="href=gone.md"',
        )),
    ],
)  # fmt: skip
def test_a_link_leads_from_the_page_s_address(path, written, leads):
    assert resolved(f"<a {written} class='a'>b</a>", path, FILES, str) == f"<a {leads} class='a'>b</a>"


def test_what_only_looks_like_a_link_is_left_alone():
    text = '<!-- <a href="gone.md"> --><code>&lt;a href="gone.md"&gt;</code> say href="gone.md"'
    assert resolved(text, "page.md", FILES, str) == text


@pytest.mark.parametrize(
    ("link", "missing"),
    [
        ("[a](gone.md)", "docs/gone.md"),
        ("[a](gone.md#part)", "docs/gone.md"),
        ("[a](othre.md)", "docs/othre.md; did you mean 'other.md'?"),
        ("[a](../other.md)", "docs/../other.md"),
        ("[a](other/)", "docs/other; did you mean 'other.md'?"),
        ("![a](pics/gone.png)", "docs/pics/gone.png"),
        ("![{{ guests }}](pics/gone.png)", "docs/pics/gone.png"),
        ('<img src="pics/gone.png">', "docs/pics/gone.png"),
    ],
)
def test_a_link_to_nothing_is_refused_at_its_line(link, missing):
    texts = {
        4: f"{{% figure flour %}}\n{{{{ guests }}}}\n\n{link}\n{{% endfigure %}}",
        6: f"{CLAIM}\nA.\n{OTHERWISE}\nB.\n\n{link}\n{END}",
        3: f"{CLAIM}\nA\n{link}.\n{OTHERWISE}\nB.\n{END}",
    }
    for line, text in texts.items():
        said = refusal(page, text, "page.md", CHECKED)
        assert said.startswith(f"docs/page.md:{line}: a link to '")
        assert f", but there is no {missing}" in said
        assert refusal(page, text) == ""  # with no files known, none is checked


def test_a_link_by_reference_to_nothing_is_refused_where_it_leads():
    text = f"{CLAIM}A{OTHERWISE}[b][c]{END} end\n\n[c]: gone.md\n"
    assert refusal(page, text, "page.md", CHECKED).startswith("docs/page.md:3: a link to 'gone.md'")


def test_captions_and_unsaid_sentences_lead_where_the_text_leads():
    link = "![a](../pics/a.png) [b](../other.md)"
    text = f"{{% figure flour %}}\n{{{{ guests }}}} {link}\n{{% endfigure %}}\n\n{CLAIM}A{OTHERWISE}{link}{END} end"
    written = page(text, "folder/page.md", CHECKED).markdown
    unsaid = json.loads(DATA.search(written)[1])["claims"]["c1"]["unsaid"]
    for html in (written, unsaid):
        assert 'src="../../pics/a.png"' in html
        assert 'href="../../other/"' in html


def test_the_site_knows_its_files():
    assert {"index.md", "reference/formulas.md", "stylesheets/site.css"} <= load(ROOT / "mkdocs.yml").engine.files


SITE = {
    "index.md": '<h1 id="top">',
    "page.md": '<h1 id="part"><h2 id="a&amp;b"><a name="old">',
    "folder/deep.md": "<p id='quoted'>",
    "folder/index.md": "",
}
BUILT = ("index.html", "page/index.html", "folder/deep/index.html", "pics/a b.png", "numbers.json")


def complaints(path: str, source: str, html: str) -> list[str]:
    return [str(error) for _, error in dead({**SITE, path: html}, {path: source}.__getitem__, BUILT)]


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("page.md", link) for link in (
            "", "#", "./", "#part", "?a=b", "?a=b#part", "../", "..", "../#top", "../folder/", "../folder/deep/#quoted", "../page/#old",
            "#a%26b", "../pics/a%20b.png", "../index.html", "https://a.b/c.md#d", "//a.b/c", "mailto:a@b.c", "data:,a", "#:~:text=part",
        )
    ] + [("index.md", link) for link in ("page/#part", "./folder/deep/", "pics/a b.png", "numbers.json?a")]
    + [("folder/deep.md", link) for link in ("../", "../../page/#part", ".././deep/#quoted")],
)  # fmt: skip
def test_a_link_that_leads_somewhere_is_let_be(path: str, link: str) -> None:
    assert complaints(path, "", f'{SITE[path]}<a class="a" href="{link}">b</a>') == []


@pytest.mark.parametrize(
    ("link", "what"),
    [
        ("gone.md", "there is no docs/gone.md"),
        ("pgae.md", "there is no docs/pgae.md; did you mean 'page.md'?"),
        ("../gone/#part", "there is no docs/../gone"),
        ("../page", "there is no docs/../page"),
        ("../../page/", "there is no docs/../../page"),
        ("../pics/b.png", "there is no docs/../pics/b.png"),
        ("#prat", "docs/page.md has no such place; did you mean 'part'?"),
        ("../folder/#a", "docs/folder/index.md has no such place"),
        ("../folder/deep/?a=b#part", "docs/folder/deep.md has no such place"),
        ("/page/", "it starts at the root of whatever host; write it from this file"),
    ],
)
def test_a_link_of_the_built_page_that_leads_nowhere_is_told_at_its_line(link: str, what: str) -> None:
    for element in (f'<a href="{link}">', f"<a class='b' href='{link}' id='c'>", f'<img alt="b" src="{link}">'):
        (said,) = complaints("page.md", f"# Page\n\nSee\n[this]({link}).", f'<h1 id="part">{element}')
        assert said.startswith(f"docs/page.md:4: a link to {link!r}, but {what}")


def test_captions_and_unsaid_sentences_are_looked_at_too_and_comments_and_code_are_not() -> None:
    link = "[b](../page.md#prat)"
    text = f'{{% figure flour %}}\n{{{{ guests }}}} {link}\n{{% endfigure %}}\n\n{CLAIM}A{OTHERWISE}{link}{END} end\n\n`<a href="gone">`'
    html = converter(toc=True).convert(render(text, "folder/deep.md", replace(CHECKED, has_ledger=False)).markdown)
    said = complaints("folder/deep.md", text, f'{html}<!-- <a href="gone"> -->')
    assert said == ["docs/folder/deep.md:2: a link to '../../page/#prat', but docs/page.md has no such place; did you mean 'part'?"] * 2
