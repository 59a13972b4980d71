"""A ring all-reduce, moved chunk by chunk: the walkthrough's states, and the oracle for bytes and hops.

Nothing here is computed from a formula of the model: bytes are counted as they are sent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Grid = tuple[tuple[float, ...], ...]
Cell = tuple[int, int]  # a GPU and a chunk

START, REDUCE_SCATTER, ALL_GATHER = "start", "reduce-scatter", "all-gather"


@dataclass(frozen=True)
class State:
    """The ring after a hop.

    ``held[gpu]`` are the numbers a GPU holds. ``arrived`` are the (gpu, chunk) pairs that this hop brought,
    ``finished`` those that hold the sum over every GPU, ``sent_numbers[gpu]`` how many numbers it has sent so far.
    """

    hop: int
    phase: str
    held: Grid
    arrived: frozenset[Cell]
    finished: frozenset[Cell]
    sent_numbers: tuple[int, ...]


def chunks_of(numbers: int, gpus: int) -> list[slice]:
    """Return where each of ``gpus`` chunks of a gradient of ``numbers`` lies; sizes differ by one at most."""
    edges = [numbers * chunk // gpus for chunk in range(gpus + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges)]


def ring_all_reduce(gradients: Sequence[Sequence[float]]) -> Iterator[State]:
    """Yield the ring's state before the first hop and after each one.

    ``gradients[gpu]`` is one GPU's gradient; all have the same length. Every GPU sends one chunk in every hop,
    all at once, to its neighbour. In reduce-scatter the receiver adds it; in all-gather it replaces its own.

    Raises: ValueError for no GPUs or for gradients of different lengths.
    """
    gpus = len(gradients)
    if gpus < 1 or len({len(gradient) for gradient in gradients}) != 1:
        raise ValueError(f"a ring needs at least one GPU and gradients of one length: {[len(g) for g in gradients]}")
    held = [list(gradient) for gradient in gradients]
    addends = [[{gpu} for _ in range(gpus)] for gpu in range(gpus)]  # whose gradients each chunk contains
    chunk = chunks_of(len(held[0]), gpus)
    sent = [0] * gpus

    def state(hop: int, phase: str, arrived: set[Cell]) -> State:
        finished = frozenset((gpu, c) for gpu in range(gpus) for c in range(gpus) if len(addends[gpu][c]) == gpus)
        return State(hop, phase, tuple(map(tuple, held)), frozenset(arrived), finished, tuple(sent))

    yield state(0, START, set())
    for hop in range(1, 2 * gpus - 1):
        phase = REDUCE_SCATTER if hop < gpus else ALL_GATHER
        # In hop h of reduce-scatter GPU g passes on chunk g − h + 1; all-gather goes on from the chunk just finished.
        on_the_wire = []
        for gpu in range(gpus):
            c = (gpu - hop + 1) % gpus
            on_the_wire.append(((gpu + 1) % gpus, c, held[gpu][chunk[c]], addends[gpu][c].copy()))
            sent[gpu] += len(held[gpu][chunk[c]])
        for receiver, c, numbers, of_gpus in on_the_wire:
            if phase == REDUCE_SCATTER:
                held[receiver][chunk[c]] = [mine + theirs for mine, theirs in zip(held[receiver][chunk[c]], numbers, strict=True)]
                addends[receiver][c] |= of_gpus
            else:
                held[receiver][chunk[c]] = numbers
                addends[receiver][c] = of_gpus
        yield state(hop, phase, {(receiver, c) for receiver, c, _, _ in on_the_wire})
