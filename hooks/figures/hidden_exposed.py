"""What the backward pass covers of the exchange, and what sticks out."""

from hooks.figures import _style as style
from hooks.live.charts import Drawing, Pen
from hooks.live.tables import Table

HEIGHT = 340
CARDS = ("h100", "b200")
PARTS = ("forward", "backward", "hidden", "exposed")
COLUMNS = ("forward", "backward", "compute", "hidden", "exposed", "quoted_all_reduce")
ROWS = ["h100-compute", "h100-exchange", "gap", "b200-compute", "b200-exchange"]
BACKWARD = {"color": style.COMPUTE, "line": {"color": style.COMPUTE, "width": 1}}
FORWARD = {"color": style.COMPUTE_PALE, "line": {"color": style.COMPUTE, "width": 1}}
EXPOSED = {"color": style.INK}
NOTHING = {"color": style.CLEAR}


def draw(pen: Pen) -> Drawing:
    """Return the passes of each card with the exchange below, from the start of the backward pass on."""
    seconds = {part: [pen.number(f'{part}_seconds(accelerator="{card}")') for card in CARDS] for part in PARTS}
    computing, exchanging = ROWS[0::3], ROWS[1::3]
    chart = style.chart(
        [
            style.bar(seconds["forward"], computing, FORWARD),
            style.bar(seconds["forward"], exchanging, NOTHING),
            style.bar(seconds["backward"], computing, BACKWARD),
            style.bar(seconds["hidden"], exchanging, style.EXCHANGING),
            style.bar(seconds["exposed"], exchanging, EXPOSED),
        ],
        height=HEIGHT,
        xaxis=style.seconds_axis(pen.number("passes_limit_seconds")),
        yaxis=style.rows_axis(ROWS, range=[len(ROWS) - 0.4, -0.6]),
        shapes=[
            style.upright(pen.number(f'compute_seconds(accelerator="{card}")'), ROWS.index(row), ROWS.index(row) + 1.6)
            for card, row in zip(CARDS, computing, strict=True)
        ],
        annotations=[
            style.row_label(pen.text(words.replace("CARD", f'(accelerator="{card}")')), ROWS.index(row))
            for card, lanes in zip(CARDS, zip(computing, exchanging, strict=True), strict=True)
            for row, words in zip(lanes, WORDS, strict=True)
        ],
    )  # fmt: skip
    table = Table(
        ("accelerator", "forward pass", "backward pass", "both passes", "hidden exchange", "exposed exchange", "whole exchange"),
        tuple(
            (f'{{{{ accelerator(accelerator="{card}") }}}}', *(f'{{{{ {name}_seconds(accelerator="{card}") }}}}' for name in COLUMNS))
            for card in CARDS
        ),
    )  # fmt: skip
    return Drawing(chart, table, height=HEIGHT, key=style.PASSES_KEY)


WORDS = (
    "<b>{{ acceleratorCARD }}</b>: forward {{ forward_secondsCARD }}, backward {{ backward_secondsCARD }}",
    "exchange: hidden {{ hidden_secondsCARD }}, <b>exposed {{ exposed_secondsCARD }}</b>",
)
