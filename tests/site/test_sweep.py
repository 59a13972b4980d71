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
from hooks.live.engine import Engine
from hooks.live.render import render
from hooks.live.values import Values
from tests.support import ROOT, SITES, corner_runs, pages, random_runs

DATA = re.compile(r'<script type="application/json" class="live-data">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> Engine:
    return project.load(ROOT / "mkdocs.yml", SITES[getattr(request, "param", "default")]).engine


@pytest.fixture(scope="module")
def model(engine: Engine) -> Model:
    return cast(Model, engine.values.model)


@pytest.mark.parametrize(("engine", "runs"), [("default", 200), ("cluster", 20)], indirect=["engine"], ids=SITES)
@pytest.mark.parametrize("path", pages())
def test_a_page_renders_for_every_run_and_each_claim_is_seen_both_ways(path: str, runs: int, model: Model, engine: Engine) -> None:
    text = (ROOT / "docs" / path).read_text(encoding="utf-8")
    seen: dict[str, set[bool]] = defaultdict(set)
    claims: dict[str, Any] = {}
    corners = corner_runs()
    for at, inputs in enumerate([*corners, *random_runs(model, runs)]):
        # The ledger takes as long as its page, shows the same values, and has random runs of its own.
        of_run = replace(engine, values=Values(model, model.run(**inputs)), has_ledger=at < len(corners))
        for id, claim in claims_of(render(text, path, of_run).markdown):
            claims[id] = claim["if"]
            seen[id].add(claim["holds"])
    turnable = [id for id, claim in claims.items() if settable(claim, model)]
    assert [claims[id] for id in turnable if len(seen[id]) < 2] == []


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
