"""Transfer time by link and payload: four divisions, bytes over bytes per second."""

import plotly.graph_objects as go

from hooks.live.charts import Drawing, Pen
from hooks.live.tables import Table


def draw(pen: Pen) -> Drawing:
    """Return a bar for each payload on each link."""
    chart = go.Figure(
        go.Bar(x=[pen.number('quoted_all_reduce_seconds(link="nvlink")')], y=[pen.text('{{ link(link="nvlink") }}')], orientation="h")
    )
    return Drawing(chart.to_dict(), Table(("a", "b"), (("x", "{{ quoted_all_reduce_seconds }}"),)))
