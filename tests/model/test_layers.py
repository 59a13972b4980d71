"""Imports follow the arrow from the model to the pages, and powers of ten stand where numbers enter and leave."""

import ast
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODEL = sorted((ROOT / "commcost").rglob("*.py"))
HOOKS = sorted((ROOT / "hooks").rglob("*.py"))
LIVE = sorted(path for path in (ROOT / "hooks" / "live").rglob("*") if path.is_file() and path.suffix != ".pyc")
FORMULAS = {"compute.py", "links.py", "collectives.py", "sharding.py", "overlap.py"}

# Apart from units.py and the terminal's formatter: where a power of ten stands in the model, and why.
POWERS_OF_TEN = {
    ("quantity.py", "e"),  # the steps of an axis, written as decimals
    ("overlap.py", "1e-09"),  # the tolerance of a claim that two doubles are equal
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """Return the packages that a module imports, wherever in it; one of its own siblings is "."."""
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else str(node.module).split(".")[0])
    return names


def is_power_of_ten(value: object) -> bool:
    """Tell whether a literal is ten, a hundred, a thousand …, or a tenth, a hundredth …"""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0 or value == 1:
        return False
    return float(value) == float(f"1e{round(math.log10(value))}")


def powers_of_ten(path: Path) -> Iterator[str]:
    """Yield what raises ten to a power: literals, ``**``, ``scaleb``, and decimals put together from text."""
    for node in ast.walk(parsed(path)):
        match node:
            case ast.Constant(value=value) if is_power_of_ten(value):
                yield repr(value)
            case ast.BinOp(op=ast.Pow()):
                yield "**"
            case ast.Call(func=ast.Name(id="pow") | ast.Attribute(attr="pow" | "scaleb" | "ldexp")):
                yield "pow"
            case ast.JoinedStr(values=parts):
                for part in parts:
                    if isinstance(part, ast.Constant) and re.search(r"(^|\d)[eE][+-]?$", str(part.value)):
                        yield "e"


def test_the_rooms_are_there() -> None:
    assert {path.name for path in MODEL} >= {*FORMULAS, "units.py", "catalog.py", "quantity.py", "model.py", "ring.py"}
    assert {name_of(path) for path in HOOKS} >= {"hooks/pages.py", "hooks/live/model.py"}
    assert len(LIVE) > 10
    assert any(path.parent.name == "figures" for path in HOOKS)


@pytest.mark.parametrize("path", MODEL, ids=name_of)
def test_model_imports_the_standard_library_only(path: Path) -> None:
    assert imported(path) <= sys.stdlib_module_names | {"commcost"}


def test_simulated_ring_imports_nothing_of_the_model() -> None:
    assert imported(ROOT / "commcost" / "ring.py") <= sys.stdlib_module_names


@pytest.mark.parametrize("path", MODEL, ids=name_of)
def test_model_knows_no_page(path: Path) -> None:
    """No generator, no plotting, no markup."""
    text = path.read_text(encoding="utf-8").lower()
    assert not re.search(r"mkdocs|plotly|jinja|html|</|hooks", text)


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_formulas_import_units_and_declarations_only(name: str) -> None:
    tree = parsed(ROOT / "commcost" / name)
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules <= {"commcost.quantity", "commcost.units", "commcost.formula"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


def test_powers_of_ten_stand_in_units_and_in_the_terminals_formatter() -> None:
    found = {path.name: set(powers_of_ten(path)) for path in MODEL}
    assert found.pop("units.py")
    assert found.pop("__main__.py") == {"**", "10.0"}
    elsewhere = {(name, power) for name, powers in found.items() for power in powers}
    assert elsewhere == POWERS_OF_TEN


@pytest.mark.parametrize("path", LIVE, ids=name_of)
def test_engine_never_names_the_model(path: Path) -> None:
    assert "commcost" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", LIVE, ids=name_of)
def test_engine_imports_no_room_but_its_own(path: Path) -> None:
    if path.suffix == ".py":
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) hooks(?!\.live\b)", text, re.MULTILINE)


def test_one_file_imports_mkdocs() -> None:
    importers = [name_of(path) for path in HOOKS if imported(path) & {"mkdocs", "material"}]
    assert importers == ["hooks/pages.py"]


def test_plotly_is_imported_where_figures_are_made() -> None:
    importers = [path for path in HOOKS if "plotly" in imported(path)]
    assert importers
    assert {path.relative_to(ROOT).parts[:2] for path in importers} == {("hooks", "figures")}
