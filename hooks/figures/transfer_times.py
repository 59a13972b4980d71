"""Transfer time by link and payload: four divisions, bytes over bytes per second."""

from hooks.figures import _style as style
from hooks.live.charts import Drawing, Pen
from hooks.live.tables import Table

LINKS = ("nvlink", "infiniband")
# The payload's words, its time, and its passes of all parameters over the link: one is summed, the others are copied.
PAYLOADS = (("data parallel (2P)", "quoted_all_reduce", 1), ("sharded (3P)", "quoted_sharded", 2))


def draw(pen: Pen) -> Drawing:
    """Return a bar for each payload on each link, one part for each pass over the link."""
    bars = [(link, *payload) for link in LINKS for payload in PAYLOADS]
    rows = [f"{link}-{name}" for link, _, name, _ in bars]
    passes = [pen.number(f'quoted_half_seconds(link="{link}")') for link, *_ in bars]
    twice = [row for row, (*_, gathers) in enumerate(bars) if gathers > 1]
    chart = style.chart(
        [
            style.bar(passes, rows, style.REDUCING),
            style.bar(passes, rows, style.GATHERING),
            style.bar([passes[row] for row in twice], [rows[row] for row in twice], style.GATHERING),
        ],
        height=280,
        xaxis=style.seconds_axis(pen.number("transfer_limit_seconds")),
        yaxis=style.rows_axis(rows),
        annotations=[
            style.row_label(pen.text(f'{{{{ link(link="{link}") }}}}, {words}: <b>{{{{ {name}_seconds(link="{link}") }}}}</b>'), row)
            for row, (link, words, name, _) in enumerate(bars)
        ],
    )
    table = Table(
        ("link", "payload", "each pass", "time"),
        tuple(
            (
                f'{{{{ link(link="{link}") }}}}', words, f'{{{{ quoted_half_seconds(link="{link}") }}}}',
                f'{{{{ {name}_seconds(link="{link}") }}}}',
            )
            for link, words, name, _ in bars
        ),
    )  # fmt: skip
    return Drawing(chart, table, height=280, key=style.EXCHANGE_KEY)
