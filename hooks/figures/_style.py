"""The one look of all figures: layout, colours, axes and labels. Colours are those of the light scheme.

The browser module ``theme.js`` knows each colour by its CSS variable and puts the dark scheme's in its place.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import plotly.graph_objects as go
import plotly.io

from hooks.live.charts import Most, Number, Text

# The default template would add 6.5 kB to every figure.
plotly.io.templates.default = None

ARITHMETIC = "#a8571a"
COPYING = "#f1e3c6"
COPYING_EDGE = "#7d6233"
COMPUTE = "#7a808a"
COMPUTE_PALE = "#c3c7cd"
INK = "#22252a"
MUTED = "#5b6169"
GRID = "#e1e2e5"
PAPER = "#ffffff"
CLEAR = "rgba(0,0,0,0)"

SIZE, SMALL = 13, 12
# Labels cover the grid behind them.
LABEL = {"showarrow": False, "align": "left", "borderpad": 1, "bgcolor": PAPER}

# Room for a label at either end of an axis: for plotly to measure it at every change of the run costs as much as a bar.
MARGIN = {"l": 8, "r": 28, "t": 4, "b": 30, "autoexpand": False}

# A hop of reduce-scatter does arithmetic, a hop of all-gather only copies: full copper against outlined cream.
REDUCING = {"color": ARITHMETIC, "line": {"color": ARITHMETIC, "width": 1}}
GATHERING = {"color": COPYING, "line": {"color": COPYING_EDGE, "width": 1}}
# An exchange as a whole is both.
EXCHANGING = {
    "color": COPYING,
    "line": {"color": COPYING_EDGE, "width": 1},
    "pattern": {"shape": "/", "fgcolor": ARITHMETIC, "fillmode": "overlay", "size": 7, "solidity": 0.35},
}


def chart(traces: Iterable[object], *, height: int, **layout: Any) -> dict[str, Any]:
    """Return a plotly figure of ``traces`` in the shared layout, as a dict; ``layout`` comes on top."""
    shared: dict[str, Any] = {
        "height": height,
        "margin": MARGIN,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"size": SIZE, "color": INK},
        "barmode": "stack",
        "dragmode": False,
        "hovermode": False,
        "showlegend": False,
    }
    return dict(go.Figure(list(traces), {**shared, **layout}).to_dict())


def bar(
    x: Sequence[Number], rows: Sequence[str], marker: dict[str, Any], *, offset: float = 0.04, width: float = 0.46, **more: Any
) -> go.Bar:
    """Return horizontal bars in the lower part of their rows, under the rows' labels."""
    return go.Bar(x=list(x), y=list(rows), orientation="h", marker=marker, offset=offset, width=width, **more)


# What the colours mean, as the key above a chart shows it.
EXCHANGE_KEY = (("arithmetic", "reduce-scatter: arithmetic"), ("copying", "all-gather: copying"))
PASSES_KEY = (
    ("compute-pale", "forward pass"),
    ("compute", "backward pass"),
    ("upright", "end of both"),
    ("exchange", "hidden exchange"),
    ("ink", "exposed exchange"),
)


def value_axis(start: Number | int, end: Number | Most, **more: Any) -> dict[str, Any]:
    """Return an axis of values from ``start`` to ``end``, neither of which plotly chooses."""
    return {
        "range": [start, end],
        "fixedrange": True,
        "nticks": 6,
        "exponentformat": "SI",
        "tickfont": {"size": SMALL, "color": MUTED},
        "ticks": "outside",
        "tickcolor": GRID,
        "gridcolor": GRID,
        "zeroline": False,
        "ticklabeloverflow": "allow",  # else plotly measures every label at every change; the margins have room
        **more,
    }


def seconds_axis(end: Number | Most, **more: Any) -> dict[str, Any]:
    """Return an x axis in seconds that starts at zero."""
    return value_axis(0, end, ticksuffix=" s", showticksuffix="last", **more)


def title(text: str) -> dict[str, Any]:
    """Return the title of an axis."""
    return {"text": text, "standoff": 6, "font": {"size": SMALL, "color": MUTED}}


def rows_axis(rows: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return a y axis of ``rows`` from top to bottom; their labels stand above the bars, so that a phone has room."""
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": list(rows),
        "range": [len(rows) - 0.5, -0.5],
        "fixedrange": True,
        "visible": False,
        "showgrid": False,
        "zeroline": False,
        **more,
    }


def row_label(text: Text, row: int, *, lift: float = 0.0) -> dict[str, Any]:
    """Return the label of a row, at the left edge above its bar."""
    return {**LABEL, "xref": "paper", "x": 0, "xanchor": "left", "y": row - lift, "yanchor": "bottom", "xshift": -1, "text": text}


def upright(x: Number | float, top: float, bottom: float, *, dash: str = "dot", color: str = INK) -> dict[str, Any]:
    """Return a vertical line at ``x`` from one place on the y axis to another."""
    return {
        "type": "line", "x0": x, "x1": x, "y0": top, "y1": bottom, "line": {"color": color, "width": 1.5, "dash": dash},
    }  # fmt: skip
