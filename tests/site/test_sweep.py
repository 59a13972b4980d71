"""Every page is right for every run: it renders, and each of its claims turns both ways somewhere."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from commcost import Model
from hooks import project
from hooks.live.charts import Drawing
from hooks.live.engine import Engine
from hooks.live.render import render
from hooks.live.tables import Fragment
from hooks.live.values import Values
from tests.support import ROOT, SITES, corner_runs, pages, random_runs

DATA = re.compile(r'<script type="application/json" class="live-data">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> Engine:
    return project.load(ROOT / "mkdocs.yml", SITES[getattr(request, "param", "default")]).engine


@pytest.fixture(scope="module")
def model(engine: Engine) -> Model:
    return cast(Model, engine.values.model)


@pytest.mark.parametrize(("engine", "runs"), [("default", 40), ("cluster", 10)], indirect=["engine"], ids=SITES)
@pytest.mark.parametrize("path", pages())
def test_a_page_renders_for_every_run_and_each_claim_is_seen_both_ways(path: str, runs: int, model: Model, engine: Engine) -> None:
    text = (ROOT / "docs" / path).read_text(encoding="utf-8")
    seen: dict[str, set[bool]] = defaultdict(set)
    claims: dict[str, Any] = {}
    whole = len(corner_runs()) + 5
    words_alone = replace(engine, has_ledger=False, figures=dict.fromkeys(engine.figures, undrawn))
    for at, inputs in enumerate([*corner_runs(), *random_runs(model, runs)]):
        # Ledger and figures take as long as their page each, and show the same values: they stand in the first runs alone.
        of_run = replace(engine if at < whole else words_alone, values=Values(model, model.run(**inputs)))
        for id, claim in claims_of(render(text, path, of_run).markdown):
            claims[id] = claim["if"]
            seen[id].add(claim["holds"])
    turnable = [id for id, claim in claims.items() if settable(claim, model)]
    assert [claims[id] for id in turnable if len(seen[id]) < 2] == []


def undrawn(_: object) -> Drawing:
    return Drawing(None, Fragment("<p>A figure.</p>"))


def claims_of(markdown: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the claims of a rendered page as the browser gets them."""
    for data in DATA.findall(markdown):
        yield from json.loads(data).get("claims", {}).items()


def settable(claim: Any, model: Model) -> frozenset[str]:
    """Return the inputs that a reader may set and that could turn a claim: a predicate, or an operator with its parts."""
    if isinstance(claim, dict):
        overrides = [part.split("=") for part in claim["set"].split(";") if part]
        return model.settable(claim["q"], [(name, value) for name, value in overrides])
    return frozenset[str]().union(*(settable(part, model) for part in claim[1:]))


def test_a_claim_of_any_shape_is_read(model: Model) -> None:
    first, second = {"q": "has_peers", "set": "example=node"}, {"q": "fits_under_step", "set": "accelerator=h100;example=small_model"}
    assert settable(["or", ["and", first, ["not", second]], first], model) == frozenset()
    assert settable(["or", ["and", first, second], {"q": "has_peers", "set": ""}], model) == {"gpus"}
