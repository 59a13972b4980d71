"""The simulated ring is the oracle: it counts what the formulas claim, and shares no code with them."""

import ast
import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from commcost import Model, ring
from commcost.ring import ALL_GATHER, REDUCE_SCATTER, START, State, chunks_of, ring_all_reduce

BYTES_PER_PARAM = 2


@dataclass(frozen=True)
class Simulated:
    """A ring whose gradients divide into equal chunks, moved to its end."""

    gpus: int
    length: int
    states: list[State]

    @property
    def after_reduce_scatter(self) -> State:
        return self.states[self.gpus - 1]

    @property
    def end(self) -> State:
        return self.states[-1]


def gradients_of(gpus: int, length: int) -> list[list[int]]:
    """Return whole numbers, all different, so that a sum is exact and a number out of place shows."""
    return [[(gpu + 1) * 10_007 + number * 31 for number in range(length)] for gpu in range(gpus)]


def sum_of(gradients: list[list[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*gradients, strict=True)))


# One worker has all tests of a ring, which is simulated once.
@pytest.fixture(scope="module", params=[pytest.param(gpus, marks=pytest.mark.xdist_group(f"ring of {gpus}")) for gpus in range(1, 65)])
def simulated(request: pytest.FixtureRequest) -> Simulated:
    gpus = request.param
    return Simulated(gpus, 3 * gpus, list(ring_all_reduce(gradients_of(gpus, 3 * gpus))))


def exactly(model: Model, name: str, **inputs: Fraction) -> Fraction:
    """Return a quantity in fractions: its formulas are plain functions and know no type."""
    if name in inputs:
        return inputs[name]
    parts = model.quantities[name].parameters
    return model.quantities[name].function(**{parameter: exactly(model, parameter, **inputs) for parameter in parts})


def test_every_gpu_ends_with_the_sum(simulated: Simulated) -> None:
    assert simulated.end.held == (sum_of(gradients_of(simulated.gpus, simulated.length)),) * simulated.gpus


def test_hops_are_the_models(model: Model, simulated: Simulated) -> None:
    run = model.run(gpus=simulated.gpus)
    phases = [state.phase for state in simulated.states]
    half = simulated.gpus - 1
    assert [state.hop for state in simulated.states] == list(range(2 * half + 1))
    assert phases == [START] + [REDUCE_SCATTER] * half + [ALL_GATHER] * half
    assert (run.value("half_hops"), run.value("hops")) == (half, 2 * half)


def test_bytes_counted_are_the_models(model: Model, simulated: Simulated) -> None:
    inputs = {"params": simulated.length, "bytes_per_param": BYTES_PER_PARAM, "gpus": simulated.gpus}
    exact = exactly(model, "ring_all_reduce_bytes", **{name: Fraction(value) for name, value in inputs.items()})
    for numbers in simulated.end.sent_numbers:
        assert numbers * BYTES_PER_PARAM == exact
        # Doubles round the ring's factor and then the product, each by half a unit in the last place.
        assert numbers * BYTES_PER_PARAM == pytest.approx(model.run(**inputs).value("ring_all_reduce_bytes"), rel=4e-16)


@pytest.mark.parametrize("gpus", [1, 2, 4, 8, 16, 32, 64])
def test_bytes_counted_are_the_models_to_the_last_bit_for_powers_of_two(model: Model, gpus: int) -> None:
    *_, end = ring_all_reduce(gradients_of(gpus, 5 * gpus))
    run = model.run(params=5 * gpus, bytes_per_param=BYTES_PER_PARAM, gpus=gpus)
    assert {numbers * BYTES_PER_PARAM for numbers in end.sent_numbers} == {run.value("ring_all_reduce_bytes")}


def test_ring_falls_short_of_the_quoted_by_one_nth_of_it(simulated: Simulated) -> None:
    quoted = 2 * simulated.length
    for numbers in simulated.end.sent_numbers:
        assert quoted - numbers == Fraction(quoted, simulated.gpus)


def test_half_is_sent_by_the_end_of_reduce_scatter(simulated: Simulated) -> None:
    assert [2 * numbers for numbers in simulated.after_reduce_scatter.sent_numbers] == list(simulated.end.sent_numbers)


def test_every_gpu_sends_one_chunk_in_every_hop(simulated: Simulated) -> None:
    for state in simulated.states:
        assert state.sent_numbers == (state.hop * simulated.length // simulated.gpus,) * simulated.gpus


def test_each_gpu_owns_one_finished_chunk_after_reduce_scatter(simulated: Simulated) -> None:
    finished = simulated.after_reduce_scatter.finished
    assert sorted(gpu for gpu, _ in finished) == list(range(simulated.gpus))
    assert sorted(chunk for _, chunk in finished) == list(range(simulated.gpus))
    assert not any(state.finished for state in simulated.states[: simulated.gpus - 1])
    assert len(simulated.end.finished) == simulated.gpus**2


def test_what_is_called_finished_holds_the_sum(simulated: Simulated) -> None:
    total = sum_of(gradients_of(simulated.gpus, simulated.length))
    chunks = chunks_of(simulated.length, simulated.gpus)
    for state in simulated.states:
        for gpu, chunk in state.finished:
            assert state.held[gpu][chunks[chunk]] == total[chunks[chunk]]


def test_a_hop_brings_every_gpu_one_chunk_and_changes_nothing_else(simulated: Simulated) -> None:
    chunks = chunks_of(simulated.length, simulated.gpus)
    for before, after in pairwise(simulated.states):
        assert sorted(gpu for gpu, _ in after.arrived) == list(range(simulated.gpus))
        for gpu, (old, new) in enumerate(zip(before.held, after.held, strict=True)):
            if old != new:
                assert {(gpu, c) for c, chunk in enumerate(chunks) if old[chunk] != new[chunk]} <= after.arrived


@pytest.mark.parametrize("gpus", range(1, 65))
def test_gradients_that_do_not_divide_end_with_the_sum_too(gpus: int) -> None:
    """Chunks differ by one number, so what a GPU sends differs a little; on average it is the model's."""
    length = 2 * gpus + 1 if gpus % 2 else max(1, gpus - 1)  # the second leaves a chunk empty
    gradients = gradients_of(gpus, length)
    *_, end = ring_all_reduce(gradients)
    assert end.held == (sum_of(gradients),) * gpus
    assert Fraction(sum(end.sent_numbers), gpus) == Fraction(2 * (gpus - 1), gpus) * length
    assert max(end.sent_numbers) - min(end.sent_numbers) <= 2  # each half misses one chunk


def test_the_walkthrough_finishes_a_column_each_and_then_copies() -> None:
    """A digit a GPU: 3303 holds what the first, third and fourth put in."""
    states = list(ring_all_reduce([[n * 10**gpu for n in (1, 2, 3, 4)] for gpu in range(4)]))
    assert [len(state.finished) for state in states] == [0, 0, 0, 4, 8, 12, 16]
    assert states[3].held == (
        (1, 2222, 3303, 4004),
        (11, 20, 3333, 4044),
        (111, 220, 300, 4444),
        (1111, 2220, 3300, 4000),
    )
    assert states[6].held == ((1111, 2222, 3333, 4444),) * 4


def test_one_gpu_sends_nothing() -> None:
    (only,) = ring_all_reduce([[3.0, 4.0]])
    assert (only.hop, only.sent_numbers, only.held, only.finished) == (0, (0,), ((3.0, 4.0),), {(0, 0)})


@pytest.mark.parametrize("gpus", range(1, 65))
def test_chunks_cover_the_gradient_and_differ_by_one_at_most(gpus: int) -> None:
    for length in (0, 1, gpus, 3 * gpus + 1):
        chunks = chunks_of(length, gpus)
        assert [number for chunk in chunks for number in range(length)[chunk]] == list(range(length))
        sizes = [chunk.stop - chunk.start for chunk in chunks]
        assert len(sizes) == gpus
        assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("gradients", [[], [[1.0], [1.0, 2.0]]])
def test_no_gpus_and_gradients_of_two_lengths_are_refused(gradients: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="at least one GPU and gradients of one length"):
        next(ring_all_reduce(gradients))


def test_oracle_imports_nothing_of_the_model() -> None:
    tree = ast.parse(Path(ring.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported
    assert {module.split(".")[0] for module in imported} <= sys.stdlib_module_names
