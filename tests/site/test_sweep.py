"""Every page is right for every run: it renders, and each of its claims turns both ways somewhere."""

import json
from collections import defaultdict
from dataclasses import replace

import pytest

from commcost import Model, load
from hooks import project
from hooks.live.render import Engine, render
from hooks.live.values import Values
from tests.support import ROOT, corner_runs, pages, random_runs

RUNS = 200


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return project.load(ROOT / "mkdocs.yml").engine


@pytest.mark.parametrize("path", pages())
def test_a_page_renders_for_every_run_and_each_claim_is_seen_both_ways(path: str, model: Model, engine: Engine) -> None:
    text = (ROOT / "docs" / path).read_text(encoding="utf-8")
    seen: dict[tuple[int, str], set[bool]] = defaultdict(set)
    for inputs in [*corner_runs(), *random_runs(model, RUNS)]:
        values = Values(model, model.run(**inputs))
        for at, line in enumerate(render(text, path, replace(engine, values=values)).claims):
            claim = json.loads(line)
            seen[at, claim["claim"]].add(claim["holds"])
    fixed = {claim for _, claim in seen if not engine.values.settable(engine.values.claim(_quoted(claim)))}
    assert {claim: ways for claim, ways in seen.items() if len(ways) < 2 and claim[1] not in fixed} == {}


def _quoted(claim: str) -> str:
    """Return a claim's canonical text as a page writes it, its choices in quotes."""
    return "".join(f'="{part}' if at else part for at, part in enumerate(claim.split("="))).replace(")", '")').replace(", ", '", ')
