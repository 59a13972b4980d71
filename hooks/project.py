"""What this project adds to the engine: its figures and its tables, found by the names of their files."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from hooks.live import site


def load(config: Path, run_file: Path | None = None) -> site.Site:
    """Return the site that the mkdocs configuration at ``config`` describes, for the default run of ``run_file``.

    Raises: LiveError, one line, for a configuration, a model, a figure or a table that makes no sense.
    """
    return site.load(config, _by_name("hooks.figures", "draw"), _by_name("hooks.tables", "make"), run_file)


def _by_name(package: str, function: str) -> dict[str, Callable[[Any], Any]]:
    """Map the name of each file of ``package`` to its ``function``; plotly is loaded by the first figure that is drawn."""
    names = sorted(entry.name for entry in iter_modules(import_module(package).__path__) if not entry.name.startswith("_"))
    return {name: _later(f"{package}.{name}", function) for name in names}


def _later(module: str, function: str) -> Callable[[Any], Any]:
    def call(argument: Any) -> Any:
        return getattr(import_module(module), function)(argument)

    return call
