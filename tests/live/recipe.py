"""A second model, which has nothing to do with the site: bread for guests. The engine must render it as well."""

import sys

from commcost.catalog import catalog_from
from commcost.model import Model
from commcost.quantity import at, predicate, quantity
from commcost.units import NUMBER, ONLY, SECONDS, UP, Unit

GRAMS = Unit("g", "g", "gram", "grams", "dimensionless", "significant(3)", (ONLY, UP[0]))
READ = {"what": "per loaf", "source": "Grandmother's book, page 12", "url": "https://example.org/bread", "checked": "2026-11-29"}
TABLES = {
    "inputs": {
        "guests": {"label": "guests", "symbol": "n", "unit": "1", "default": 6, "min": 1, "max": 40, "whole": True},
        "slice_grams": {"label": "flour a slice", "symbol": "s", "unit": "1", "default": 62.5, "min": 1, "max": 500},
        "oven": {"label": "oven", "symbol": "o", "default": "gas"},
    },
    "figures": {"baking_seconds": {"label": "baking", "symbol": "b", "unit": "s"}},
    "ovens": {},
    "examples": {"party": {"label": "a party", "guests": 24}},
}
