"""The catalogue's links: every figure with what it counts, what it is taken for, where it was read, and when."""

from collections.abc import Sequence
from typing import cast

from commcost import Model
from commcost.records import Record
from hooks.live.tables import Table
from hooks.live.values import Values
from hooks.tables import _parts as parts

BITS = parts.Mistake("bits against bytes", "bits_per_byte")
DIRECTIONS = parts.Mistake("both directions against one", "link_directions")


def make(values: Values) -> Sequence[Table]:
    """Return a table for each link that has figures of its own; an accelerator's own link stands with the accelerator."""
    return [_table(link) for link in cast(Model, values.model).choices["link"].values() if link.figures]


def _table(link: Record) -> Table:
    figures = [(f'{name}(link="{link.id}")', figure) for name, figure in link.figures.items()]
    mistake = BITS if "headline_bits_per_second" in link.figures else DIRECTIONS
    return parts.sourced(f"link-{link.id}", f'<b>{{{{ link(link="{link.id}") }}}}</b>', figures, {"link_bytes_per_second": mistake})
