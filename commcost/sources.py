"""The documents that the catalogue was read in, and whether a reading is still good."""

from collections.abc import Iterator
from datetime import date

from commcost.records import Catalog, Preset, SourcedFigure

SHELF_LIFE = 365  # days


def readings(catalog: Catalog) -> Iterator[tuple[str, SourcedFigure | Preset]]:
    """Yield everything that was read in a document, by its key in the catalogue."""
    for name, constant in catalog.constants.items():
        yield f"constants.{name}", constant
    for choice, records in catalog.choices.items():
        for id, record in records.items():
            for name, figure in record.figures.items():
                yield f"{choice}s.{id}.{name}", figure
    for name, preset in catalog.presets.items():
        yield f"presets.{name}", preset


def is_fresh(checked: date, today: date, shelf_life: int) -> bool:
    """Tell whether a reading of the day ``checked`` is at most ``shelf_life`` days old ``today``; one of a later day is a slip."""
    # Where it was entered the next day may have begun.
    return -1 <= (today - checked).days <= shelf_life
