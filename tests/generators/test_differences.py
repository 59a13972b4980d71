"""The comparison of two sites reads what is ours of a page whatever theme stands around it, and misses no difference in that."""

from pathlib import Path

import pytest

from tests.generators.differences import Ours, differences, marks, page_differences, wrong

HEAD = '<title>Cost</title><meta name="description" content="2.40 s"><link rel="canonical" href="https://example.org/cost/">'
BAR = '<aside class="run"><p>64 × H100</p></aside>'
BODY = """<h1>Cost</h1><p>It takes <data class="q" value="2.4">2.40 s</data> on<br>the <a href="../ring/">ring</a>.</p>
<script>{"if":"q"}</script>"""
# The same page in two themes.
ONE = f'<head>{HEAD}</head><nav><a href="../">Home</a></nav>{BAR}<article class="content">{BODY}</article><footer>Made here</footer>'
OTHER = f'<head><meta charset="utf-8">{HEAD}</head><header>Search<p></header>{BAR}\n<article class="content">\n  {BODY}\n</article>'


def test_the_text_is_that_of_the_article() -> None:
    assert Ours(ONE).text == Ours(OTHER).text == "CostIt takes 2.40 s onthe ring."


def test_the_same_page_in_another_theme_differs_in_nothing() -> None:
    assert page_differences(ONE, OTHER) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("2.40 s</data>", "2.41 s</data>", ["text: 2.40 → 2.41", "2.40 s → 2.41 s"]),
        ("It takes ", "It takes", ["text: takes 2.40 → takes2.40"]),
        ('value="2.4"', 'value="2.5"', ['<data class="q" value="2.4"> → <data class="q" value="2.5">']),
        ('"../ring/"', '"../../ring/"', ['<a href="../ring/"> → <a href="../../ring/">']),
        ('{"if":"q"}', "{}", ['{"if":"q"} → {}']),
        ("<br>", "", ["on <br> the → onthe"]),
        ("64 ×", "8 ×", ["64 × H100 → 8 × H100"]),
        ("<title>Cost", "<title>Home", ["Cost → Home"]),
        ('ion" content="2.40 s"', 'ion"', ['<meta name="description" content="2.40 s"> → <meta name="description">']),
        ('href="https://example.org/cost/"', "", ['<link rel="canonical" href="https://example.org/cost/"> → <link rel="canonical">']),
    ],
)
def test_a_difference_in_what_is_ours_is_found(old: str, new: str, found: list[str]) -> None:
    assert page_differences(ONE, OTHER.replace(old, new)) == found


def site(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_every_file_but_the_theme_s_own_is_compared(tmp_path: Path) -> None:
    ours = site(tmp_path / "ours", index_html=ONE, cost__index_html=ONE, numbers_json="{}", run_js="1", assets__theme_js="1")
    other = site(tmp_path / "other", index_html=OTHER, numbers_json="{}", run_js="2", extra_html=OTHER, assets__theme_js="2")
    assert differences(ours, other) == {
        "cost/index.html": ["cost/index.html → nothing"],
        "extra.html": ["nothing → extra.html"],
        "index.html": [],
        "numbers.json": [],
        "run.js": ["run.js → another run.js"],
    }


def test_a_mark_is_found_in_every_kind_of_file_that_a_page_gets_into(tmp_path: Path) -> None:
    built = site(
        tmp_path,
        index_html="<p>{{ gpus }}</p>",
        cost__index_html="<p>{% claim x %}</p>",
        ring__index_html="<p>\ue000</p>",
        search_json='"{{ gpus }}"',
        sitemap_xml="<loc>{{ gpus }}</loc>",
        code__index_html="<p><code>{{ gpus }}</code></p>",
        assets__theme_js="{{",
    )
    assert [said.partition(":")[0] for said in marks(built)] == [
        "cost/index.html", "index.html", "ring/index.html", "search.json", "sitemap.xml"
    ]  # fmt: skip


def test_what_is_not_expected_and_what_is_gone_is_wrong() -> None:
    expected = {r'<a href="(.*)"> → <a href="\.\./\1">': "a reason", "nothing → search.json": "another"}
    found = ['<a href="x/"> → <a href="../x/">', "nothing → search.json"]
    assert wrong(found, expected) == []
    assert wrong(found[:1], expected) == ["gone: nothing → search.json"]
    for other in ('<a href="x/"> → <a href="../../x/">', "nothing → search.json.gz"):
        assert wrong([*found, other], expected) == [f"not expected: {other}"]
