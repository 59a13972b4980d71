"""What communication costs in distributed training, as a model of plain functions.

Read in this order: ``units``, ``catalog.toml`` and ``catalog``, ``formula`` and ``quantity``, the formulas
(``compute``, ``collectives``, ``sharding``, ``overlap``), ``model`` (evaluating by name), ``ring`` (the simulation).
"""

from pathlib import Path

from commcost import collectives, compute, overlap, sharding
from commcost.catalog import read
from commcost.errors import ModelError
from commcost.model import Model, Run

__all__ = ["Model", "ModelError", "Run", "load"]

CATALOG = Path(__file__).with_name("catalog.toml")


def load(catalog: Path = CATALOG) -> Model:
    """Return the model over a catalogue file.

    Raises: ModelError, one line, for a catalogue or a formula that makes no sense.
    """
    return Model(read(catalog), compute, collectives, sharding, overlap)
