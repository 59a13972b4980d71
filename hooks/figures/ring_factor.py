"""How many copies of the gradients a ring sends, over its size: from below towards the quoted two."""

from typing import cast

import plotly.graph_objects as go

from commcost import Model
from hooks.figures import _style as style
from hooks.live.charts import Drawing, Number, Pen
from hooks.live.tables import Table

MARKED = {"walkthrough": "walkthrough", "node": "one node", "cluster": "the cluster"}
CLUSTER = "cluster"


def draw(pen: Pen) -> Drawing:
    """Return the curve through the named sizes of the catalogue, with the quoted factor as its asymptote."""
    model = cast(Model, pen.values.model)
    sizes = _sizes(model)
    gpus = {name: pen.number(f'gpus(example="{name}")') for name in sizes}
    factor = {name: pen.number(f'ring_factor(example="{name}")') for name in sizes}
    quoted = pen.number(f'quoted_factor(example="{CLUSTER}")')
    copies = {name: f'{{{{ ring_factor(example="{name}") | {_form(value, quoted)} }}}}' for name, value in factor.items()}
    chart = style.chart(
        [
            go.Scatter(
                x=[gpus[size] for size in (sizes[1], sizes[-1])], y=[quoted, quoted], mode="lines+text",  # a lone GPU sends nothing
                line={"color": style.MUTED, "width": 1.5, "dash": "dash"}, textposition="top right", cliponaxis=False,
                text=[pen.text(f'as quoted, 2P: <b>{{{{ quoted_factor(example="{CLUSTER}") }}}}</b>'), ""],
            ),
            go.Scatter(
                x=list(gpus.values()), y=list(factor.values()), mode="lines+markers",
                line={"color": style.ARITHMETIC, "width": 2}, marker={"size": 5, "color": style.ARITHMETIC},
            ),
            go.Scatter(
                x=[gpus[name] for name in MARKED], y=[factor[name] for name in MARKED], mode="markers+text",
                marker={"size": 11, "color": style.COPYING, "line": {"color": style.ARITHMETIC, "width": 2}},
                textposition="bottom right", textfont={"size": style.SIZE, "color": style.INK}, cliponaxis=False,
                text=[
                    pen.text(f'{words}<br>{{{{ gpus(example="{name}") }}}}: <b>{copies[name]}</b>')
                    for name, words in MARKED.items()
                ],
            ),
        ],
        height=380,
        margin={**style.MARGIN, "l": 50, "t": 24, "b": 44},
        xaxis=_axis(
            "GPUs (logarithmic)", gpus[sizes[0]], gpus[sizes[-1]],
            type="log", tickvals=[gpus[name] for name in sizes[::2]], tickformat=",d",
        ),
        yaxis=_axis("copies sent by a GPU", 0, quoted),
    )  # fmt: skip
    rings = tuple((f'{{{{ gpus(example="{name}") }}}}', copies[name]) for name in sizes)
    table = Table(("ring", "copies sent"), (*rings, ("as quoted", f'{{{{ quoted_factor(example="{CLUSTER}") }}}}')))
    return Drawing(chart, table, height=380)


def _sizes(model: Model) -> list[str]:
    """Return the examples that set the number of GPUs alone, from small to large; one for each number, though a run file adds more."""
    examples = {name: example.overrides["gpus"] for name, example in model.examples.items() if set(example.overrides) == {"gpus"}}
    first = {gpus: name for name, gpus in reversed(examples.items())}
    return sorted(first.values(), key=lambda name: examples[name])


def _form(factor: float, limit: float) -> str:
    """Return the form of a factor: with so many digits that it does not read as the limit, which no ring reaches."""
    return f"fixed({next(digits for digits in range(2, 13) if round(factor, digits) < limit)})"


def _axis(title: str, start: Number | int, end: Number, **more: object) -> dict[str, object]:
    return style.value_axis(start, end, title=style.title(title), **more)
