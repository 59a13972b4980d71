"""A compute lane and a network lane on one axis, each with a ghost where its other option would land."""

from hooks.figures import _style as style
from hooks.live.charts import Drawing, Pen
from hooks.live.tables import Table

HEIGHT = 250
ROWS = ["compute", "network"]
COMPUTING = {"color": style.COMPUTE, "line": {"color": style.COMPUTE, "width": 1}}
BAR, GHOST, LABEL = (-0.14, 0.2), (-0.19, 0.4), 0.24  # where bar and ghost start and end in a row, and the ghost's label starts
FAINT = 0.6
GHOSTS = ('compute_seconds(accelerator="other")', 'quoted_all_reduce_seconds(link="other")')


def draw(pen: Pen) -> Drawing:
    """Return both lanes; the axis ends at a step that covers both cards on both links, so that between partners it stays where it is."""
    place = {"offset": BAR[0], "width": BAR[1] - BAR[0]}
    half = pen.number("quoted_half_seconds")
    labels = (
        "computing on {{ accelerator }}: <b>{{ compute_seconds }}</b>",
        "all-reduce over {{ link }}: <b>{{ quoted_all_reduce_seconds }}</b>",
    )
    options = ('{{ accelerator(accelerator="other") }}', '{{ link(link="other") }}')
    chart = style.chart(
        [
            style.bar([pen.number("compute_seconds")], ROWS[:1], COMPUTING, **place),
            style.bar([half], ROWS[1:], style.REDUCING, **place),
            style.bar([half], ROWS[1:], style.GATHERING, **place),
        ],
        height=HEIGHT,
        xaxis=style.seconds_axis(pen.number("lane_limit_seconds")),
        yaxis=style.rows_axis(ROWS),
        shapes=[
            {**style.upright(pen.number(ghost), row + GHOST[0], row + GHOST[1]), "opacity": FAINT} for row, ghost in enumerate(GHOSTS)
        ],
        annotations=[
            *(style.row_label(pen.text(label), row, lift=-GHOST[0]) for row, label in enumerate(labels)),
            *(
                {
                    **style.LABEL, "x": pen.number(ghost), "xanchor": "auto", "y": row + LABEL, "yanchor": "top",
                    "text": pen.text(f"with {option}: {{{{ {ghost} }}}}"), "font": {"size": style.SMALL, "color": style.MUTED},
                }
                for row, (ghost, option) in enumerate(zip(GHOSTS, options, strict=True))
            ),
        ],
    )  # fmt: skip
    table = Table(
        ("lane", "option", "time", "either part", "other option", "its time"),
        (
            ("computing", "{{ accelerator }}", "{{ compute_seconds }}", "–", options[0], f"{{{{ {GHOSTS[0]} }}}}"),
            (
                "all-reduce",
                "{{ link }}",
                "{{ quoted_all_reduce_seconds }}",
                "{{ quoted_half_seconds }}",
                options[1],
                f"{{{{ {GHOSTS[1]} }}}}",
            ),
        ),
    )
    return Drawing(chart, table, height=HEIGHT, key=(("compute", "computing"), *style.EXCHANGE_KEY))
