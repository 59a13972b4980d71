"""What each figure shows, against arithmetic written out."""

import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from commcost import Model, load
from hooks.figures import ring_factor
from hooks.figures.ring_states import gradients_of
from hooks.live.charts import Drawing, Pen
from hooks.live.prose import Vocabulary
from hooks.live.tables import Fragment, Table
from hooks.live.values import Values

from .conftest import RUNS, TERMS

Draw = Callable[..., Drawing]


def bars(drawing: Drawing) -> list[list[float]]:
    assert drawing.chart is not None
    return [trace["x"] for trace in drawing.chart["data"]]


def test_transfer_times_are_passes_of_all_parameters(drawn: Draw) -> None:
    summed, copied, copied_again = bars(drawn("transfer_times", {}))
    assert summed == copied == pytest.approx([60 / 450, 60 / 450, 60 / 50, 60 / 50])
    assert copied_again == pytest.approx([60 / 450, 60 / 50])


@pytest.mark.parametrize("run", RUNS)
def test_hidden_and_exposed_make_up_the_exchange(model: Model, drawn: Draw, run: str) -> None:
    *_, hidden, exposed = bars(drawn("hidden_exposed", RUNS[run]))
    exchange = [model.run(**RUNS[run]).with_(accelerator=card).value("quoted_all_reduce_seconds") for card in ("h100", "b200")]
    assert [a + b for a, b in zip(hidden, exposed, strict=True)] == pytest.approx(exchange)


def test_ratio_has_a_bar_for_every_accelerator(model: Model, drawn: Draw) -> None:
    (ratios,) = bars(drawn("ratio_by_card", {}))
    assert len(ratios) == len(model.choices["accelerator"])
    assert ratios[1] == pytest.approx(2.4 / (180e15 / (64 * 989e12 * 0.4)))


def test_ring_factor_is_drawn_below_its_asymptote(drawn: Draw) -> None:
    drawing = drawn("ring_factor", {"gpus": 1})  # the curve does not follow the run
    assert drawing.chart is not None
    asymptote, curve, marked = (trace["y"] for trace in drawing.chart["data"])
    assert asymptote == [2, 2]
    assert curve[0] == 0
    assert curve == sorted(curve)
    assert max(curve) < 2
    assert marked == [1.5, 1.75, 1.96875]


def test_ring_factor_is_drawn_from_small_to_large_whatever_a_run_file_adds(tmp_path: Path) -> None:
    sizes = {"row": 12, "again": 64, "hall": 1e9}
    examples = "".join(f'[examples.{name}]\nlabel = "a {name}"\ngpus = {gpus}\n' for name, gpus in sizes.items())
    (tmp_path / "run.toml").write_text(examples, encoding="utf-8")
    model = load(tmp_path / "run.toml")
    drawing = ring_factor.draw(Pen(Values(model, model.run()), Vocabulary(TERMS, model.texts), "figure"))
    assert drawing.chart is not None
    _, curve, _ = drawing.chart["data"]
    assert curve["x"] == [1, 2, 4, 8, 12, 16, 32, 64, 128, 256, 512, 1024, 1e9]
    assert curve["y"] == [2 * (gpus - 1) / gpus for gpus in curve["x"]]
    assert drawing.chart["layout"]["xaxis"]["range"] == [1, 1e9]
    assert isinstance(drawing.table, Table)
    forms = [re.findall(r"\| (\S+) ", cell) for _, cell in drawing.table.rows]
    assert [form for [form] in forms[-4:-1]] == ["fixed(3)", "fixed(3)", "fixed(9)"]  # none reads as the limit


TRANSFERS = [f"{link}-{traffic}" for link in ("nvlink", "infiniband") for traffic in ("quoted_all_reduce", "quoted_sharded")]
COMPUTING, EXCHANGING = ([f"{card}-{lane}" for card in ("h100", "b200")] for lane in ("compute", "exchange"))


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("transfer_times", [TRANSFERS, TRANSFERS, TRANSFERS[1::2]]),
        ("hidden_exposed", [COMPUTING, EXCHANGING, COMPUTING, EXCHANGING, EXCHANGING]),
        ("lanes", [["compute"], ["network"], ["network"]]),
    ],
)
def test_every_bar_stands_in_its_row(drawn: Draw, name: str, rows: list[list[str]]) -> None:
    drawing = drawn(name, {})
    assert drawing.chart is not None
    assert [trace["y"] for trace in drawing.chart["data"]] == rows


def test_the_passes_of_a_card_end_at_its_line(drawn: Draw) -> None:
    drawing = drawn("hidden_exposed", {})
    assert drawing.chart is not None
    forward, _, backward, *_ = bars(drawing)
    ends = [shape["x0"] for shape in drawing.chart["layout"]["shapes"]]
    assert ends == pytest.approx([180e15 / (64 * 989e12 * 0.4), 3.125])
    assert [a + b for a, b in zip(forward, backward, strict=True)] == pytest.approx(ends)


def test_a_lane_s_ghost_is_its_other_option(drawn: Draw) -> None:
    drawing = drawn("lanes", {})
    assert drawing.chart is not None
    assert [shape["x0"] for shape in drawing.chart["layout"]["shapes"]] == pytest.approx([3.125, 120 / 450])


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", ["hidden_exposed", "ratio_by_card", "transfer_times"])
def test_axis_covers_every_bar(drawn: Draw, name: str, run: str) -> None:
    drawing = drawn(name, RUNS[run])
    assert drawing.chart is not None
    reach: dict[str, float] = {}
    for trace in drawing.chart["data"]:
        for row, length in zip(trace["y"], trace["x"], strict=True):
            reach[row] = reach.get(row, 0) + length
    start, end = drawing.chart["layout"]["xaxis"]["range"]
    assert start == 0
    assert max(reach.values()) <= end * (1 + 1e-15)


@pytest.mark.parametrize("run", RUNS)
def test_lanes_stay_within_their_axis(drawn: Draw, run: str) -> None:
    drawing = drawn("lanes", RUNS[run])
    assert drawing.chart is not None
    computing, reducing, copying = bars(drawing)
    ghosts = [shape["x0"] for shape in drawing.chart["layout"]["shapes"]]
    assert max([*computing, reducing[0] + copying[0], *ghosts]) <= drawing.chart["layout"]["xaxis"]["range"][1]


AXES = [
    ("lanes", ({}, {"accelerator": "b200"}, {"link": "nvlink"}, {"accelerator": "b200", "link": "nvlink"})),
    ("lanes", ({"accelerator": "mi300x"}, {"accelerator": "mi355x"}, {"accelerator": "mi355x", "link": "nvlink"})),
    ("hidden_exposed", ({}, {"accelerator": "b200"}, {"accelerator": "mi300x"})),
    ("ratio_by_card", ({}, {"accelerator": "a100"}, {"accelerator": "gb300"})),
    ("transfer_times", ({}, {"link": "nvlink"}, {"link": "pcie_gen4"})),
]


@pytest.mark.parametrize(("name", "switches"), AXES)
def test_axis_does_not_move_when_an_option_is_switched(drawn: Draw, name: str, switches: tuple[dict[str, str], ...]) -> None:
    charts = [drawn(name, inputs).chart for inputs in switches]
    assert len({float(chart["layout"]["xaxis"]["range"][1]) for chart in charts if chart}) == 1


@pytest.mark.parametrize("gpus", [2, 3, 8, 64, 65, 66, 128, 129, 130, 1000, 99_999, 100_000])
def test_drawn_blocks_can_be_told_apart_and_hold_every_hop(model: Model, gpus: int) -> None:
    hops_of_a_block = model.run(gpus=gpus).value("drawn_block_hops")
    assert isinstance(hops_of_a_block, float)
    blocks = math.ceil((gpus - 1) / hops_of_a_block)
    assert 1 <= blocks <= 64
    assert (blocks - 1) * hops_of_a_block < gpus - 1 <= blocks * hops_of_a_block


@pytest.mark.parametrize("gpus", [2, 8, 64, 65])
def test_a_block_is_one_hop_while_the_strip_has_room(model: Model, gpus: int) -> None:
    assert model.run(gpus=gpus).value("drawn_block_hops") == 1


def test_bill_of_a_lone_gpu_is_an_empty_strip(drawn: Draw) -> None:
    drawing = drawn("bill", {"gpus": 1})
    assert drawing.chart is not None
    assert [float(end) for end in drawing.chart["layout"]["xaxis"]["range"]] == [0, 0]
    assert all(blocks.end == 0 for trace in drawing.chart["data"] for blocks in trace["x"])


def test_bill_of_the_node_is_the_one_of_the_text(drawn: Draw) -> None:
    drawing = drawn("bill", {}, (("example", "node"),))
    assert drawing.chart is not None
    reducing, gathering = (trace["x"][0] for trace in drawing.chart["data"])
    assert reducing.start is None
    assert [float(reducing.end), float(reducing.width)] == pytest.approx([1.05, 0.15])
    assert [float(gathering.start), float(gathering.end), float(gathering.width)] == pytest.approx([1.05, 2.1, 0.15])


def test_ring_states_end_with_every_sum_on_every_gpu(drawn: Draw) -> None:
    states = sections(drawn)
    numbers = [int(value) for value in re.findall(r"<td[^>]*><b><data[^>]*>(\d+)</data>", states[-1])]
    sums = [sum(column) for column in zip(*gradients_of(4), strict=True)]
    assert numbers == sums * 4
    assert states[-1].count("finished</span>") == 16


def test_ring_states_mark_one_chunk_a_gpu_in_every_hop(drawn: Draw) -> None:
    states = sections(drawn)
    assert len(states) == 7
    assert [state.count('"ring-added') for state in states] == [0, 4, 4, 4, 0, 0, 0]
    assert [state.count('"ring-copied') for state in states] == [0, 0, 0, 0, 4, 4, 4]
    assert [state.count("finished</span>") for state in states] == [0, 0, 0, 4, 8, 12, 16]


def test_ring_states_do_not_follow_the_run(drawn: Draw) -> None:
    assert drawn("ring_states", {}) == drawn("ring_states", {"gpus": 1000, "params": 1e12})


def sections(drawn: Draw) -> list[str]:
    table = drawn("ring_states", {}).table
    assert isinstance(table, Fragment)
    return table.html.split("<section")[1:]
