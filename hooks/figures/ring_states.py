"""A ring all-reduce state by state: words and tables from the simulation, an illustration that follows no run."""

from itertools import pairwise

from commcost.ring import ALL_GATHER, REDUCE_SCATTER, START, State, ring_all_reduce
from hooks.live.charts import Drawing, Pen
from hooks.live.tables import Fragment, simulated

# What a hop does, after its number.
DONE = {
    START: "Each GPU holds its own gradient.",
    REDUCE_SCATTER: "reduce-scatter: what arrives is added.",
    ALL_GATHER: "all-gather: what arrives is copied.",
}
KEY = (
    '<p class="ring-key">An illustration from a simulated ring with small whole numbers; it does not follow the run. '
    '<span class="ring-added">added</span> '
    '<span class="ring-copied">copied</span> '
    '<span class="ring-finished">finished</span></p>'
)


def draw(pen: Pen) -> Drawing:
    """Return every state of the example ring, from the gradients alone to the sum on every GPU."""
    gpus = int(pen.number('gpus(example="walkthrough")'))
    states = list(ring_all_reduce(gradients_of(gpus)))
    sections = [_section(state, None, len(states) - 1) for state in states[:1]]
    sections += [_section(state, before, len(states) - 1) for before, state in pairwise(states)]
    track = f'<div class="steps-track" tabindex="0" role="group" aria-label="states of the ring">{" ".join(sections)}</div>'
    html = f'{KEY} <div class="steps"><div class="steps-controls"></div> {track}</div>'
    return Drawing(None, Fragment(html))


def gradients_of(gpus: int) -> list[list[int]]:
    """Return one gradient a GPU, a number a column: small, and different enough that each sum shows where it came from."""
    return [[1 + (4 * gpu + 7 * column) % 9 for column in range(gpus)] for gpu in range(gpus)]


def _section(state: State, before: State | None, hops: int) -> str:
    columns = range(len(state.held[0]))
    head = " ".join(f'<th scope="col">{_letter(column)}</th>' for column in columns)
    rows = " ".join(
        f'<tr><th scope="row">{_gpu(gpu)}</th> {" ".join(_cell(state, before, gpu, column) for column in columns)}</tr>'
        for gpu in range(len(state.held))
    )
    step = simulated(state.hop)
    said = f"<b>Hop {step} of {simulated(hops)}</b>, {DONE[state.phase]}" if before else f"<b>Before the first hop</b>. {DONE[START]}"
    return (
        f'<section class="steps-state" data-step="{state.hop}">'
        f'<table class="ring-table"><caption>{said}</caption> '
        f'<thead><tr><th scope="col">GPU</th> {head}</tr></thead> <tbody>{rows}</tbody></table></section>'
    )


def _cell(state: State, before: State | None, gpu: int, column: int) -> str:
    """Return a cell with what happened to it in words, so that its colour says nothing alone."""
    value = simulated(state.held[gpu][column])
    is_finished, has_arrived = (gpu, column) in state.finished, (gpu, column) in state.arrived
    note, classes = "", []
    if before and has_arrived:
        mine, sender = before.held[gpu][column], before.held[gpu - 1][column]
        adds = state.phase == REDUCE_SCATTER
        classes.append("ring-added" if adds else "ring-copied")
        done = f"= {simulated(mine)} + {simulated(sender)}" if adds else f"from {_gpu(gpu - 1, len(state.held))}"
        note = f" <small>{done}</small>"
    if is_finished:
        classes.append("ring-finished")
    name = f' class="{" ".join(classes)}"' if classes else ""
    word = '<span class="ring-word">, finished</span>' if is_finished else ""
    return f"<td{name}><b>{value}</b>{note}{word}</td>"


def _gpu(gpu: int, gpus: int = 0) -> str:
    return str(simulated((gpu % gpus if gpus else gpu) + 1))


def _letter(column: int) -> str:
    return chr(ord("a") + column)
