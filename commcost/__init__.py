"""What communication costs in distributed training, as a model of plain functions.

Read in this order: ``units``, ``catalog.toml`` and ``catalog``, ``formula`` and ``quantity``, the formulas
(``compute``, ``links``, ``collectives``, ``sharding``, ``overlap``), ``model`` and ``run`` (evaluating by name), ``ring`` (the simulation).
"""

from pathlib import Path

import commcost.fault  # noqa: F401 - before the others, since it says what is broken in them

# isort: split
from commcost import collectives, compute, links, overlap, sharding
from commcost.catalog import read
from commcost.errors import ModelError
from commcost.model import Model
from commcost.run import Run

__all__ = ["Model", "ModelError", "Run", "load"]

CATALOG = Path(__file__).with_name("catalog.toml")


def load(run_file: Path | None = None, catalog: Path = CATALOG) -> Model:
    """Return the model over the catalogue, with what ``run_file`` adds: another default run, presets, cards, links.

    Raises: ModelError, one line, for a catalogue, a run file or a formula that makes no sense.
    """
    model = Model(read(catalog, run_file), compute, links, collectives, sharding, overlap)
    if run_file:
        model.check_runs(run_file.name)
    return model
