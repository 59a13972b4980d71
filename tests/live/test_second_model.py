"""The engine renders any model: a recipe for bread costs thirty lines, and the engine knows nothing of the first model."""

import ast
import builtins
import json
import re
from pathlib import Path

import pytest

from hooks.live import site
from hooks.live.errors import LiveError
from hooks.live.site import Site
from tests.live import recipe
from tests.live._engine import ROOT, draw_flour, list_ovens

ENGINE = sorted((ROOT / "hooks" / "live").glob("*.py"))
# "link" and "node" are words of Markdown and of syntax trees too.
FOREIGN = frozenset(
    "gpu gpus accelerator accelerators nvlink infiniband byte bytes flop flops param params token tokens mfu bandwidth ring reduce gather "
    "shard shards collective commcost".split()
)
PAGE = """\
---
description: "Bread for {{ guests | words }}."
---
# Bread

For {{ guests }} it takes {{ flour_grams }}: {{ loaves | fixed(1) }}, in a {{ oven }} for {{ baking_seconds }}.
At a party it takes {{ loaves(example="party") | words }}, and the {{ oven(oven="other") }} saves {{ spare_seconds }}.

{% claim one_loaf_is_enough and not one_loaf_is_enough(example="party") %}
A loaf is enough, but not at a party.
{% otherwise %}
A loaf is not enough.
{% endclaim %}

{% figure flour %}
It takes {{ flour_grams }}.
{% endfigure %}

{% table ovens %}
"""


BAR = """\
{{ guests | times }}&nbsp;guests, {{ oven }}. {% claim one_loaf_is_enough %}{{ loaves }} will do{% otherwise %}Bake more{% endclaim %}.
"""
CONFIG = """\
site_name: Bread
nav:
  - Bread: bread.md
  - By letter:
      - Type 550: flour.md
extra:
  model: tests.live.recipe
  terms: {Type 550: the name of a flour}
markdown_extensions: [attr_list, pymdownx.blocks.html]
"""


def test_a_second_model_costs_at_most_thirty_lines():
    lines = Path(recipe.__file__).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 140


@pytest.fixture
def bakery(tmp_path: Path) -> Site:
    """A site about bread, with a bar of its own."""
    (tmp_path / "bar.md").write_text(BAR, encoding="utf-8")
    config = tmp_path / "mkdocs.yml"
    config.write_text(CONFIG, encoding="utf-8")
    return site.load(config, {"flour": draw_flour}, {"ovens": list_ovens}, bar=tmp_path / "bar.md")


def test_a_site_about_bread(bakery):
    markdown = bakery.render("bread.md", PAGE).markdown
    words = re.sub(r"<script.*?</script>|<[^>]*>", "", markdown, flags=re.DOTALL)
    assert "description: Bread for six." in words
    assert "For 6 it takes 375 g: 0.8 loaves, in a gas oven for 2,400.00 s." in words
    assert "At a party it takes four loaves, and the Kiln 9 saves 2,399.75 s." in words
    assert "A loaf is enough, but not at a party." in words
    summed_up = json.loads(bakery.numbers_json())
    assert (summed_up["model"], summed_up["run"]) == ("tests.live.recipe", {"guests": 6, "oven": "gas"})
    assert summed_up["claims"]["bread/"] == [
        {
            "claim": "one_loaf_is_enough and not one_loaf_is_enough(example=party)",
            "holds": True,
            "text": "A loaf is enough, but not at a party.",
        }
    ]
    texts = [number["text"] for number in summed_up["pages"]["bread/"]]
    assert texts == [
        "six", "6", "375 g", "0.8 loaves", "gas oven", "2,400.00 s", "four loaves", "Kiln 9", "2,399.75 s", "375 g", "375 g", "375 g",
        "375 g",
        "gas oven", "2,400.00 s", "Kiln 9", "0.25 s",
    ]  # fmt: skip
    assert bakery.census() == "21 numbers: 20 computed, 1 terms, 0 typed; 2 claims"


def test_a_bar_about_bread(bakery):
    words = re.sub(r"<script.*?</script>|<[^>]*>", "", bakery.run_bar(), flags=re.DOTALL)
    assert words.strip() == "6×&nbsp;guests, gas oven. 0.75 loaves will do."
    bar = json.loads(bakery.numbers_json())["bar"]
    assert [number["text"] for number in bar["numbers"]] == ["6×", "gas oven", "0.75 loaves"]
    assert bar["claims"] == [{"claim": "one_loaf_is_enough", "holds": True, "text": "0.75 loaves will do"}]


def test_a_site_without_a_bar_has_none(bakery, tmp_path):
    bare = site.load(tmp_path / "mkdocs.yml", {}, {})
    assert bare.run_bar() == ""
    assert json.loads(bare.numbers_json())["bar"] == {"numbers": [], "claims": []}
    assert bare.census() == "1 numbers: 0 computed, 1 terms, 0 typed; 0 claims"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nThere are 6 guests.", "bar.md:2: typed number '6'; write a quantity"),
        ("{{ guestz }}", "bar.md:1: unknown quantity 'guestz'; did you mean 'guests'?"),
        (None, "bar.md: cannot be read as text: "),
    ],
)
def test_a_bar_is_refused_at_its_line(bakery, tmp_path, text, said):
    bar = tmp_path / "bar.md"
    bar.unlink() if text is None else bar.write_text(text)
    with pytest.raises(LiveError, match=re.escape(said)):
        site.load(tmp_path / "mkdocs.yml", {}, {}, bar=bar)


def test_a_term_of_the_navigation_is_used(bakery, tmp_path):
    bakery.finish()
    config = tmp_path / "mkdocs.yml"
    config.write_text(CONFIG.replace("- Type 550: ", "- Flour: "), encoding="utf-8")
    with pytest.raises(LiveError, match=re.escape("term 'Type 550' (the name of a flour) is used on no page")):
        site.load(config, {}, {}).finish()


def test_a_term_of_the_model_s_own_words_is_used_on_whatever_page_they_come_to_stand(bakery, tmp_path, monkeypatch):
    words = type(recipe.load()).prose
    monkeypatch.setattr(
        type(recipe.load()), "prose", property(lambda model: {**words.fget(model), "recipe.toml: note": "stone-ground T65"})
    )
    config = tmp_path / "mkdocs.yml"
    with pytest.raises(LiveError, match=re.escape("recipe.toml: note: typed number 'T65'; say it without, or declare a term")):
        site.load(config, {}, {})
    config.write_text(CONFIG.replace("terms: {", "terms: {T65: the name of a flour, "), encoding="utf-8")
    site.load(config, {}, {}).finish()


def test_a_model_of_bread_is_handed_to_the_browser_too(bakery):
    module = bakery.javascript()
    for name in ("guests", "oven", "flour_grams", "loaves", "one_loaf_is_enough", "party"):
        assert name in module
    assert not re.search("gpu|accelerator|nvlink|commcost", module)


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_has_no_word_of_communication_and_imports_no_model(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        value
        for node in ast.walk(tree)
        for field in ("id", "attr", "arg", "name", "module")
        if isinstance(value := getattr(node, field, None), str)
    }
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names -= set(dir(builtins))
    assert {name for name in names if not FOREIGN.isdisjoint(re.findall("[a-z]+", name.lower()))} == set()


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_imports_neither_mkdocs_nor_plotly_nor_what_the_site_adds(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not [name for name in imported if re.match(r"(commcost|mkdocs|plotly|hooks\.(?!live))", name)]
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))
