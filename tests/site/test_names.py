"""`python -m hooks names`: whatever a page can use is listed as a page writes it, and what is listed works on a page."""

import re
from pathlib import Path

import pytest

from hooks import project
from hooks.__main__ import main, names
from hooks.live.site import Site
from tests.support import ROOT

OVERRIDES = ("accelerator", "link", "params", "bytes_per_param", "tokens", "mfu", "example")
BEFORE = ("{{ name | … }}", *(f'{{{{ name({name}="…") }}}}' for name in OVERRIDES))
FORMS = ("fixed(2)", "significant(2)", "percent(2)", "percent", "times(2)", "times", "words", "about")


@pytest.fixture(scope="module")
def site() -> Site:
    return project.load(ROOT / "mkdocs.yml")


@pytest.fixture(scope="module")
def listed(site: Site) -> dict[str, str]:
    """What is said of each name."""
    lines = [line.partition("  ") for line in names(site)]
    found = {name: said for name, _, said in lines}
    assert len(found) == len(lines)
    return found


def test_a_name_stands_as_a_page_writes_it_with_value_label_unit_and_form(listed: dict[str, str]) -> None:
    said = {
        "{{ name | … }}": "a form: fixed(2) (0 to 12 digits), significant(2) (1 to 15 digits), percent(2) or percent (0 to 12 digits), "
        "times(2) or times (1 to 15 digits), words, about",
        "{{ quoted_all_reduce_seconds }}": "2.40 s  all-reduce as quoted, on the link (s, fixed(2))",
        "{{ gpus }}": "64 GPUs  GPUs (GPUs, significant(3))",
        "{{ link }}": "InfiniBand  link (a name)",
        "{{ mfu }}": "0.4  utilisation (plain number, significant(3))",
        "{% claim fits_under_step %}": "holds  the exchange is shorter than the whole computation",
        "{% figure bill %}": "The ring's bill: a block for every hop, copper while gradients are summed, cream while they are only copied.",
        "{% table constants %}": "The catalogue's constants: figures that no reader sets.",
        'example="node"': "one node: gpus = 8",
        "2P": "a term: the traffic of an all-reduce as people quote it",
    }
    assert {name: listed[name] for name in said} == said
    assert listed['{{ name(link="…") }}'].startswith("other, nvlink, infiniband, ")
    assert listed['{{ name(mfu="…") }}'] == "tenth_more, a tenth more"


def test_every_name_figure_table_example_and_term_is_listed(site: Site, listed: dict[str, str]) -> None:
    model, engine = site.engine.values.model, site.engine
    predicates = [name for name, quantity in model.quantities.items() if quantity.is_predicate]
    assert set(listed) == {
        *BEFORE,
        *(f"{{{{ {name} }}}}" for name in model.names if name not in predicates),
        *(f"{{% claim {name} %}}" for name in predicates),
        *(f"{{% figure {name} %}}" for name in engine.figures),
        *(f"{{% table {name} %}}" for name in engine.tables),
        *(f'example="{name}"' for name in model.examples),
        *engine.vocabulary.terms,
    }
    assert all(listed.values())


def test_what_is_listed_works_on_a_page(site: Site, listed: dict[str, str]) -> None:
    ends = {"{% claim": "A.{% otherwise %}B.{% endclaim %} end", "{% figure": "\n{{ gpus }}\n{% endfigure %}"}
    given = [tag for tag in listed if not listed[tag].startswith("not given in this run")]
    tags = [tag + ends.get(tag.rpartition(" ")[0].rpartition(" ")[0], "") for tag in given if tag[0] == "{" and tag not in BEFORE]
    assert re.findall(r"\w+(?:\(2\))?(?= \(|,| or |$)", listed[BEFORE[0]]) == list(FORMS)
    page = site.render("page.md", "\n\n".join(["# A", *tags, *(f"{{{{ mfu | {form} }}}}" for form in FORMS)]))
    assert len(page.claims) == sum(tag.startswith("{% claim") for tag in tags)
    assert len(page.numbers) > len(tags)


def test_a_figure_that_the_run_s_records_lack_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.toml").write_text('[run]\nlink = "nvlink"\n', encoding="utf-8")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("RUN_FILE", str(tmp_path / "run.toml"))
    assert main(["names"]) == 0
    said = "{{ headline_bits_per_second }}  not given in this run  bandwidth as it is sold, in bits (bit/s, significant(4))"
    assert said in capsys.readouterr().out.splitlines()
