from collections.abc import Callable, Mapping

import pytest

from commcost import Model, load
from hooks.figures import bill, hidden_exposed, lanes, ratio_by_card, ring_factor, ring_states, transfer_times
from hooks.live.charts import Drawing, Pen
from hooks.live.expressions import Overrides
from hooks.live.prose import Vocabulary
from hooks.live.values import Values

TERMS = {"2P": "the traffic of an all-reduce as people quote it", "3P": "the traffic of sharded parameters as people quote it"}
FIGURES = {module.__name__.rpartition(".")[2]: module.draw for module in (
    bill, hidden_exposed, lanes, ratio_by_card, ring_factor, ring_states, transfer_times)}  # fmt: skip

# What a reader may set, at its edges: a lone GPU, a pair, a blocks' remainder, the largest runs and the smallest.
RUNS: Mapping[str, Mapping[str, float | str]] = {
    "default": {},
    "lone": {"gpus": 1},
    "pair": {"gpus": 2},
    "remainder": {"gpus": 66},
    "large": {"gpus": 100_000},
    "largest": {"gpus": 1e9, "params": 1e15, "tokens": 1e12, "bytes_per_param": 8},
    "smallest": {"gpus": 1e9, "params": 1, "tokens": 1, "bytes_per_param": 0.5},
    "other maker": {"accelerator": "mi300x", "link": "nvlink"},
}  # fmt: skip


@pytest.fixture(scope="session")
def model() -> Model:
    return load()


@pytest.fixture(scope="session")
def vocabulary(model: Model) -> Vocabulary:
    return Vocabulary(TERMS, model.texts)


@pytest.fixture(scope="session")
def drawn(model: Model, vocabulary: Vocabulary) -> Callable[..., Drawing]:
    """Draw a figure for a run, under the overrides that a page gives it."""

    def draw(name: str, inputs: Mapping[str, float | str], overrides: Overrides = ()) -> Drawing:
        values = Values(model, model.run(**inputs)).under(overrides)
        return FIGURES[name](Pen(values, vocabulary, f"figure {name}"))

    return draw
