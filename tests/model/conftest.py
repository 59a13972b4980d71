"""The model that the tests question, and a way to load formulas that were never meant for it."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from commcost import Model, load

HEADER = """\
from commcost.formula import ceil, floor
from commcost.quantity import Ladder, at, predicate, quantity
from commcost.units import BYTES, NUMBER, SECONDS
"""


@pytest.fixture(scope="session")
def model() -> Model:
    """The model over the project's own catalogue."""
    return load()


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., ModuleType]:
    """Write formulas to a file, as an author would, and import it."""

    def write(source: str, name: str = "formulas") -> ModuleType:
        file = tmp_path / f"{name}.py"
        file.write_text(HEADER + source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return write
