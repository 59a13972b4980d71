"""The catalogue's constants: figures that no reader sets."""

from typing import cast

from commcost import Model
from hooks.live.tables import Fragment
from hooks.live.values import Values
from hooks.tables import _parts as parts


def make(values: Values) -> Fragment:
    """Return the constants as one list, in the catalogue's order."""
    constants = cast(Model, values.model).catalog.constants.values()
    figures = "".join(parts.sourced(figure.name, figure) for figure in constants)
    return Fragment(f'<div class="entries"><section class="entry" id="constants-list"><dl>{figures}</dl></section></div>')
