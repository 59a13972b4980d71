"""Links of captions and of sentences that do not hold: nobody but the engine reads these, so it resolves and checks them."""

import json
from dataclasses import replace

import pytest

from hooks.live.links import resolved
from hooks.project import load
from tests.live._engine import DATA, ENGINE, ROOT, page, refusal

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
