"""The catalogue's links: every figure with what it counts, where it was read, and when."""

from typing import cast

from commcost import Model
from hooks.live.tables import Fragment
from hooks.live.values import Values
from hooks.tables import _parts as parts


def make(values: Values) -> Fragment:
    """Return a card for each link that has figures of its own; an accelerator's own link stands with the accelerator."""
    model = cast(Model, values.model)
    cards = []
    for link in model.choices["link"].values():
        if link.figures:
            figures = [parts.sourced(f'{name}(link="{link.id}")', figure) for name, figure in link.figures.items()]
            cards.append(parts.entry(f"link-{link.id}", f'{{{{ link(link="{link.id}") }}}}', figures))
    return Fragment(f'<div class="entries">{"".join(cards)}</div>')
