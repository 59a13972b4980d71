"""The catalogue's constants: figures that no reader sets."""

from typing import cast

from commcost import Model
from hooks.live.tables import Table
from hooks.live.values import Values
from hooks.tables import _parts as parts

MISTAKES = {
    "node_gpus": parts.Mistake("a whole node against one GPU", "node_peak_factor"),
    "node_ports": parts.Mistake("a whole node against one port", "node_network_factor"),
}


def make(values: Values) -> Table:
    """Return the constants as one table, in the catalogue's order."""
    constants = cast(Model, values.model).catalog.constants
    return parts.sourced("constants-list", "Figures that no reader sets", constants.items(), MISTAKES)
