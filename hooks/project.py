"""What this project adds to the engine: its figures and its tables, found by the names of their files."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from hooks.live import site


def load(config: Path) -> site.Site:
    """Return the site that the mkdocs configuration at ``config`` describes.

    Raises: LiveError, one line, for a configuration, a model, a figure or a table that makes no sense.
    """
    return site.load(config, _by_name("hooks.figures", "draw"), _by_name("hooks.tables", "make"))


def _by_name(package: str, function: str) -> dict[str, Any]:
    """Map the name of each file of ``package`` to its ``function``."""
    files = sorted(entry.name for entry in iter_modules(import_module(package).__path__) if not entry.name.startswith("_"))
    return {name: getattr(import_module(f"{package}.{name}"), function) for name in files}
