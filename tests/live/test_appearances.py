"""A table can say on which pages names appear: the other pages are rendered first, once, and in whatever order they are asked for."""

import ast
import itertools
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hooks.live import site
from hooks.live.errors import LiveError
from hooks.live.site import Site
from hooks.live.tables import Appearances, Listing
from hooks.live.values import Values
from tests.live._engine import draw_flour, refusal

CONFIG = """\
site_name: Bread
nav:
  - More:
      - Baking & more: deep/baking.md
      - index.md
  - Rolls: rolls.md
  - Where: deep/where.md
extra: {model: tests.live.recipe}
markdown_extensions: [attr_list, pymdownx.blocks.html]
"""
PAGES = {
    "index.md": "# Bread\n\n{{ guests }} eat.\n",
    "rolls.md": "# Rolls\n\n{% claim one_loaf_is_enough %}\nA loaf, {{ flour_grams }}.\n{% otherwise %}\n{{ loaves }}.\n{% endclaim %}\n",
    "deep/baking.md": '# Baking\n\n{% figure flour %}\n{{ share(example="party") }}\n{% endfigure %}\n',
    "deep/where.md": "# Where\n\n{% table where %}\n",
    "hidden.md": "# Hidden\n\n{{ guests | words }} eat.\n",
}
# Where each name appears, as deep/where.md links to it: in the order of the navigation, and then by path.
HOME, ROLLS, BAKING, HIDDEN = (
    ("index.md", "../../"),
    ("Rolls", "../../rolls/"),
    ("Baking & more", "../baking/"),
    ("hidden.md", "../../hidden/"),
)
WHERE = {
    "guests": [HOME, HIDDEN],
    "flour_grams": [BAKING, ROLLS],  # in a sentence that does not hold, too, and in a chart
    "loaves": [ROLLS],
    "one_loaf_is_enough": [ROLLS],
    "share": [BAKING],
}


def where(values: Values) -> Listing:
    """List each name with the pages on which it appears."""

    def html(appearances: Appearances) -> str:
        found = [(name, [(page.title, page.href) for page in pages]) for name, pages in sorted(appearances.items())]
        return "".join(f"<p><code>{name}: {pages!r}</code> {{{{ guests }}}}</p>" for name, pages in found)

    return Listing(html)


@pytest.fixture
def bakery(tmp_path: Path) -> Callable[..., Site]:
    """A site about bread, with pages that another text may stand for."""

    def load(**pages: str) -> Site:
        texts = {**PAGES, **{path.replace("__", "/") + ".md": text for path, text in pages.items()}}
        for path, text in texts.items():
            (tmp_path / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "docs" / path).write_text(text, encoding="utf-8")
        (tmp_path / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
        return site.load(tmp_path / "mkdocs.yml", {"flour": draw_flour}, {"where": where})

    return load


def rendered(bakery: Site, order: Sequence[str]) -> dict[str, str]:
    return {path: bakery.render_file(path, bakery.docs / path).markdown for path in order}


def listed(markdown: str) -> dict[str, object]:
    return {name: ast.literal_eval(pages) for name, pages in re.findall(r"<code>(\w+): (\[.*?\])</code>", markdown)}


def test_a_name_appears_in_text_claims_either_sentence_and_charts(bakery: Callable[..., Site]) -> None:
    assert listed(rendered(bakery(), ["deep/where.md"])["deep/where.md"]) == WHERE


def test_the_order_in_which_pages_are_asked_for_changes_nothing(bakery: Callable[..., Site]) -> None:
    first, *others = ({**rendered(bakery(), order)} for order in itertools.permutations(PAGES))
    assert all(other == first for other in others)
    assert listed(first["deep/where.md"]) == WHERE


def test_a_page_is_rendered_once_and_not_kept(bakery: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    once = Site.render
    monkeypatch.setattr(Site, "render", lambda self, path, text: made.append(path) or once(self, path, text))
    one = bakery()
    rendered(one, ["deep/where.md", *sorted(PAGES.keys() - {"deep/where.md"})])
    assert sorted(made) == sorted(PAGES)
    assert one.early == {}
    assert len(one.pages) == len(PAGES)


def test_pages_that_list_are_listed_on_none(bakery: Callable[..., Site]) -> None:
    for order in (["deep/where.md", "rolls.md", "list.md"], ["list.md", "deep/where.md", "rolls.md"]):
        pages = rendered(bakery(list=PAGES["deep/where.md"]), order)
        assert listed(pages["deep/where.md"]) == WHERE
        assert listed(pages["list.md"]).keys() == WHERE.keys()


def test_what_is_wrong_on_another_page_is_told_at_its_own_line(bakery: Callable[..., Site]) -> None:
    one = bakery(rolls="# Rolls\n\n{{ loavez }}\n")
    assert (
        refusal(one.render_file, "deep/where.md", one.docs / "deep/where.md")
        == "docs/rolls.md:3: unknown quantity 'loavez'; did you mean 'loaves'?"
    )


def test_what_is_wrong_in_the_table_is_told_at_the_page_s_line(bakery: Callable[..., Site]) -> None:
    one = bakery()
    one.engine = site.replace(one.engine, tables={"where": lambda values: Listing(lambda appearances: "{{ loavez }}")})
    with pytest.raises(LiveError, match=r"^docs/deep/where\.md:3: table where: unknown quantity 'loavez'"):
        one.render_file("deep/where.md", one.docs / "deep/where.md")
