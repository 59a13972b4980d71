"""The ring's bill: a block for every hop, copper while gradients are summed, cream while they are only copied."""

from typing import Any

import plotly.graph_objects as go

from hooks.figures import _style as style
from hooks.live.charts import Drawing, Number, Pen, Text, blocks
from hooks.live.tables import Table

HEIGHT = 266
STRIP, HALVES, WHOLE, TOP = 1.0, 1.3, 2.5, 3.2  # places above the axis, in heights of the strip


def draw(pen: Pen) -> Drawing:
    """Return the strip with what one block, one part and the whole ring weigh."""
    middle, end = pen.number("ring_half_seconds"), pen.number("ring_all_reduce_seconds")
    block = pen.number("drawn_block_seconds")
    reducing, gathering = blocks(end=middle, width=block), blocks(start=middle, end=end, width=block)
    chart = style.chart(
        [_blocks(*reducing, style.ARITHMETIC), _blocks(*gathering, style.COPYING)],
        height=HEIGHT,
        margin={**style.MARGIN, "b": 66},
        xaxis=style.seconds_axis(
            end, showgrid=False,
            title=style.title(pen.text("each block: {{ drawn_block_hops }},<br>{{ drawn_block_bytes }}, {{ drawn_block_seconds }}")),
        ),
        yaxis={"range": [-0.06, TOP], "fixedrange": True, "visible": False},
        shapes=[_outline(middle, end), *_span(0, middle, HALVES), *_span(middle, end, HALVES), *_span(0, end, WHOLE)],
        annotations=[
            _label(pen.text("<b>reduce-scatter</b><br>sums {{ ring_half_bytes }}<br>in {{ ring_half_seconds }}"), HALVES, "left"),
            _label(pen.text("<b>all-gather</b><br>copies {{ ring_half_bytes }}<br>in {{ ring_half_seconds }}"), HALVES, "right"),
            _label(pen.text("<b>whole ring</b>: {{ ring_all_reduce_bytes }}, {{ ring_all_reduce_seconds }}"), WHOLE, "center"),
        ],
    )  # fmt: skip
    half = ("{{ half_hops }}", "{{ ring_half_bytes }}", "{{ ring_half_seconds }}")
    table = Table(
        ("part", "hops", "bytes", "time"),
        (
            ("a block", "{{ drawn_block_hops }}", "{{ drawn_block_bytes }}", "{{ drawn_block_seconds }}"),
            ("reduce-scatter", *half),
            ("all-gather", *half),
            ("whole ring", "{{ hops }}", "{{ ring_all_reduce_bytes }}", "{{ ring_all_reduce_seconds }}"),
        ),
    )
    return Drawing(chart, table, height=HEIGHT)


def _blocks(x: list[Any], y: list[Any], color: str) -> go.Scatter:
    """Return one shape for a whole row of blocks: a bar for each would take seconds to draw on a phone.

    Unless it is told not to, plotly leaves out corners that are a pixel apart, and blocks lean.
    """
    return go.Scatter(x=x, y=y, mode="lines", fill="toself", fillcolor=color, line={"width": 0, "simplify": False})


def _outline(start: Number, end: Number) -> dict[str, Any]:
    """Return what shows between cream blocks and around them: a line of its own would hide blocks of a pixel or so."""
    edge = style.COPYING_EDGE
    return {
        "type": "rect", "layer": "below", "x0": start, "x1": end, "y0": 0, "y1": STRIP,
        "fillcolor": edge, "line": {"color": edge, "width": 1},
    }  # fmt: skip


def _span(start: Number | int, end: Number, at: float) -> list[dict[str, Any]]:
    """Return a dimension line from ``start`` to ``end``, with a tick at both ends."""
    line = {"type": "line", "line": {"color": style.MUTED, "width": 1}}
    ticks = [{**line, "x0": x, "x1": x, "y0": at - 0.1, "y1": at + 0.1} for x in (start, end)]
    return [{**line, "x0": start, "x1": end, "y0": at, "y1": at}, *ticks]


def _label(text: Text, at: float, side: str) -> dict[str, Any]:
    place = {"left": 0, "center": 0.5, "right": 1}[side]
    return {
        **style.LABEL, "align": side, "xref": "paper", "x": place, "xanchor": side, "y": at, "yanchor": "bottom", "yshift": 3, "text": text,
    }  # fmt: skip
