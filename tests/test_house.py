"""The house is tidy: style, format and types are checked wherever the tests run, and the map names every module."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("check", ["ruff check", "ruff format --check", "mypy"])
def test_the_code_passes(check: str) -> None:
    done = subprocess.run([sys.executable, "-m", *check.split()], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("room", ["commcost/*.py", "hooks/*.py", "hooks/live/*.py", "docs/javascripts/*.js"])
def test_the_map_names_every_module(room: str) -> None:
    architecture = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(architecture.partition("```\n")[2].partition("```")[0].split())
    there = {path.name for path in ROOT.glob(room)} - {"__init__.py"}
    assert there
    assert there <= named
