"""Communication ÷ computing for every accelerator of the catalogue, with a line where the two are equal."""

from hooks.figures import _style as style
from hooks.live.charts import Drawing, Pen
from hooks.live.tables import Table

BAR = {"color": style.COMPUTE, "line": {"color": style.MUTED, "width": 1}}

# In per cent like the labels, as long as that is short enough to stand below the axis.
TICKS = [{"dtickrange": [None, 10], "value": ",~%"}, {"dtickrange": [10, None], "value": "~s"}]


def draw(pen: Pen) -> Drawing:
    """Return a bar for each accelerator, in the catalogue's order."""
    cards = list(pen.values.model.choices["accelerator"])
    names = [pen.text(f'{{{{ accelerator(accelerator="{card}") }}}}') for card in cards]
    ratios = [pen.number(f'communication_to_compute(accelerator="{card}")') for card in cards]
    height = 70 + 26 * len(cards)
    chart = style.chart(
        [style.bar(ratios, names, BAR, offset=-0.32, width=0.64)],
        height=height,
        margin={**style.MARGIN, "t": 24},
        xaxis=style.value_axis(0, pen.most(*(f'ratio_limit(accelerator="{card}")' for card in cards)), nticks=5, tickformatstops=TICKS),
        yaxis=style.rows_axis(names, visible=True, showticklabels=True, ticks="", ticklabelstandoff=4, tickfont={"size": style.SIZE}),
        shapes=[style.upright(1, -0.5, len(cards) - 0.5, dash="dash")],
        annotations=[
            {**style.LABEL, "xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": 1, "yanchor": "bottom",
             "text": "dashed line: equal times", "font": {"size": style.SMALL, "color": style.MUTED}},
            *(
                {**style.LABEL, "x": ratio, "xanchor": "auto", "y": row,
                 "text": pen.text(f'<b>{{{{ communication_to_compute(accelerator="{card}") | percent }}}}</b>')}
                for row, (card, ratio) in enumerate(zip(cards, ratios, strict=True))
            ),
        ],
    )  # fmt: skip
    table = Table(
        ("accelerator", "communication ÷ computing"),
        tuple(
            (
                f'{{{{ accelerator(accelerator="{card}") }}}}',
                f'{{{{ communication_to_compute(accelerator="{card}") | percent }}}}',
            )
            for card in cards
        ),
    )
    return Drawing(chart, table, height=height)
