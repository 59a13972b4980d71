"""The catalogue's accelerators: every figure with what it counts, what it is taken for, where it was read, and when."""

from collections.abc import Sequence
from typing import cast

from commcost import Model
from commcost.records import Record
from hooks.live.tables import Table
from hooks.live.values import Values
from hooks.tables import _parts as parts


def make(values: Values) -> Sequence[Table]:
    """Return a table for each accelerator, in the catalogue's order."""
    return [_table(card) for card in cast(Model, values.model).choices["accelerator"].values()]


def _table(card: Record) -> Table:
    at = f'(accelerator="{card.id}", link="nvlink")'  # its own link, whatever the run has
    maker, called = parts.maker(card.details.get("maker", "")), f'{{{{ accelerator(accelerator="{card.id}") }}}}'
    figures = [(name + at, figure) for name, figure in card.figures.items()]
    mistakes = {
        "peak_flops_per_second": parts.Mistake("sparse against dense", f'sparsity_factor(accelerator="{card.id}")'),
        "link_bytes_per_second": parts.Mistake("both directions against one", f'duplex_factor(accelerator="{card.id}")'),
    }
    return parts.sourced(f"accelerator-{card.id}", f"<b>{maker} {called}</b>, own link: {{{{ link{at} }}}}", figures, mistakes)
