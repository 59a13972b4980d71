"""The catalogue's accelerators: every figure with what it counts, where it was read, and when."""

from typing import cast

from commcost import Model
from hooks.live.tables import Fragment
from hooks.live.values import Values
from hooks.tables import _parts as parts


def make(values: Values) -> Fragment:
    """Return a card for each accelerator, in the catalogue's order."""
    model = cast(Model, values.model)
    cards = []
    for card in model.choices["accelerator"].values():
        at = f'accelerator="{card.id}", link="nvlink"'  # its own link, whatever the run has
        figures = [parts.sourced(f"{name}({at})", figure) for name, figure in card.figures.items()]
        title = f'{parts.name(card.details.get("maker", ""))} {{{{ accelerator(accelerator="{card.id}") }}}}'
        cards.append(parts.entry(f"accelerator-{card.id}", title, figures, f"own link: {{{{ link({at}) }}}}"))
    return Fragment(f'<div class="entries">{"".join(cards)}</div>')
