"""On an axis with a scale no place is typed; rows, paper coordinates and pixels are layout."""

from collections.abc import Mapping
from typing import Any

import pytest

from commcost import Model
from hooks.figures import _style as style
from hooks.live.charts import Most, Pen, chart_json
from hooks.live.errors import LiveError
from hooks.live.prose import Vocabulary
from hooks.live.values import Values


@pytest.fixture
def pen(model: Model, vocabulary: Vocabulary) -> Pen:
    return Pen(Values(model, model.run()), vocabulary, "figure any")


def chart(pen: Pen, layout: Mapping[str, Any] | None = None, **xaxis: object) -> dict[str, Any]:
    """Return a bar of the computing time, with something more in its layout or on its axis of seconds."""
    axes = {"xaxis": style.seconds_axis(pen.number("lane_limit_seconds"), **xaxis), "yaxis": style.rows_axis(["row"])}
    bars = [style.bar([pen.number("compute_seconds")], ["row"], style.EXCHANGING)]
    return style.chart(bars, height=100, **{**axes, **(layout or {})})


def refusal(pen: Pen, drawing: Mapping[str, Any]) -> str:
    with pytest.raises(LiveError) as refused:
        chart_json(drawing, pen.vocabulary, pen.where)
    return refused.value.what


TYPED = {
    "shapes[0].x0": {"shapes": [{"type": "line", "x0": 2.5, "x1": 1, "y0": 0, "y1": 0.2}]},
    "shapes[0].x1": {"shapes": [{"type": "line", "x0": 0, "x1": 7, "y0": 0, "y1": 0.2}]},
    "shapes[0].path": {"shapes": [{"type": "path", "path": "M 0 0 L 7 0"}]},
    "annotations[1].x": {"annotations": [{"x": 1, "y": 0.3, "text": "a"}, {"x": 7.11, "y": 0, "text": "b"}]},
}


@pytest.mark.parametrize("place", TYPED)
def test_a_typed_place_on_a_scale_is_refused(pen: Pen, place: str) -> None:
    assert refusal(pen, chart(pen, TYPED[place])).startswith(f"a bare number at {place}; draw a quantity: ")


@pytest.mark.parametrize(
    ("key", "value"), [("range", [0, 10]), ("range", [0, 2.25]), ("tickvals", [0, 5]), ("dtick", 0.5), ("tick0", 2), ("maxallowed", 9)]
)
def test_a_typed_limit_or_tick_is_refused(pen: Pen, key: str, value: object) -> None:
    assert f"a bare number at xaxis.{key}; draw a quantity" in refusal(pen, chart(pen, **{key: value}))


@pytest.mark.parametrize("axis", [{}, {"type": "linear"}, {"autorange": True}, {"visible": True}])
def test_an_axis_whose_limits_plotly_would_choose_is_refused(pen: Pen, axis: dict[str, object]) -> None:
    assert refusal(pen, chart(pen, {"xaxis": axis})) == "the xaxis has no range; its limits are quantities"


def test_a_second_axis_is_held_to_the_same_rule(pen: Pen) -> None:
    drawing = chart(pen, {"xaxis2": {"range": [0, 3]}, "shapes": [{"xref": "x2", "x0": 3, "x1": 3, "yref": "paper", "y0": 0.2, "y1": 0.4}]})
    assert "shapes[0].x0" in refusal(pen, drawing)


@pytest.mark.parametrize(
    "layout",
    [
        {"shapes": [{"x0": 0, "x1": 1, "y0": -0.4, "y1": 0.4}]},
        {"shapes": [{"xref": "paper", "x0": 0.3, "x1": 0.6, "y0": 0, "y1": 1}]},
        {"shapes": [{"xref": "x domain", "x0": 0.3, "x1": 0.6, "y0": 0, "y1": 1}]},
        {"annotations": [{"xref": "paper", "x": 0.5, "y": 0.31, "text": "a", "xshift": 4}]},
    ],
)
def test_layout_is_no_place(pen: Pen, layout: dict[str, Any]) -> None:
    assert chart_json(chart(pen, layout), pen.vocabulary, pen.where)


def test_an_invisible_axis_has_no_scale(pen: Pen) -> None:
    layout = {"yaxis": {"range": [-0.06, 3.2], "visible": False}, "annotations": [{"x": 0, "y": 2.5, "text": "a"}]}
    assert chart_json(chart(pen, layout), pen.vocabulary, pen.where)


def test_most_is_the_largest_of_its_numbers_and_names_them_all(pen: Pen) -> None:
    most = pen.most('compute_seconds(accelerator="h100")', 'compute_seconds(accelerator="b200")')
    assert isinstance(most, Most)
    assert most == max(most.numbers) == pytest.approx(180e15 / (64 * 989e12 * 0.4))
    assert '"range":[0,{"most":[{"q":"compute_seconds"' in chart_json(chart(pen, range=[0, most]), pen.vocabulary, pen.where)
