"""A second model, about bread, in the thirty lines that a model may cost at most: so it is neither formatted nor spaced."""

# ruff: noqa: E702, I001
# fmt: off
import sys
from datetime import date
from commcost.catalog import catalog_from
from commcost.model import Model
from commcost.quantity import at, predicate, quantity
from commcost.units import NUMBER, ONLY, SECONDS, UP, Unit
GRAMS = Unit("g", "g", "gram", "grams", "dimensionless", "significant(3)", (ONLY, UP[0]))
LOAVES = Unit("loaves", "", "loaf", "loaves", "dimensionless", "significant(3)")
READ = {"unit": "s", "what": "a loaf", "source": "Grandmother", "url": "https://example.org", "checked": date(2026, 11, 29)}
GUESTS = {"label": "guests", "symbol": "n", "unit": "1", "default": 6, "min": 1, "max": 400, "whole": True}
TABLES = {"inputs": {"guests": GUESTS, "oven": {"label": "oven", "symbol": "o", "default": "gas"}},
          "figures": {"baking_seconds": {"label": "baking", "symbol": "b", "unit": "s"}},
          "ovens": {"gas": {"name": "gas oven", "other": "wood", "baking_seconds": {"value": 2400, **READ}},
                    "wood": {"name": "Kiln 9", "other": "gas", "baking_seconds": {"value": 0.25, **READ}}},
          "examples": {"party": {"label": "a party", "guests": 32}, "lone": {"label": "alone", "guests": 1}}}
@quantity(label="flour", symbol="F", unit=GRAMS)
def flour_grams(guests): "What all eat."; return 62.5 * guests
@quantity(label="loaves", symbol="L", unit=LOAVES)
def loaves(flour_grams): "By weight."; return flour_grams / 500
@quantity(label="share", symbol="q", unit=NUMBER)
def share(guests): "Of one."; return 1 / guests
@quantity(label="spare time", symbol="t", unit=SECONDS, other_seconds=at("baking_seconds", oven="other"))
def spare_seconds(baking_seconds, other_seconds): "How much sooner."; return baking_seconds - other_seconds
@predicate(label="a loaf is enough")
def one_loaf_is_enough(loaves): "True for a few guests."; return loaves <= 1
def load(run_file=None): return Model(catalog_from(TABLES, "recipe"), sys.modules[__name__])
