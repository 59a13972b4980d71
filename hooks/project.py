"""What this project adds to the engine: its figures and tables, found by the names of their files, and the bar's text."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from hooks.live import faults, site
from hooks.live.charts import Drawing
from hooks.live.errors import LiveError
from hooks.live.tables import Fragment, Listing, Table

ROOT = Path(__file__).resolve().parent.parent
BAR = site.TEMPLATES / "run.md"
TABLES = (Table, list, tuple, Fragment, Listing)


def load(config: Path, run_file: Path | None = None) -> site.Site:
    """Return the site that the mkdocs configuration at ``config`` describes, for the default run of ``run_file``.

    Raises: LiveError, one line, for a configuration, a model, a figure or a table that makes no sense.
    """
    figures, tables = _by_name("hooks.figures", "draw", Drawing), _by_name("hooks.tables", "make", *TABLES)
    return site.load(config, figures, tables, bar=BAR, run_file=run_file)


def asked_for() -> Path | None:
    """Return the run file that the environment names."""
    name = os.environ.get("RUN_FILE")
    return Path(name) if name else None


def settings(of: site.Site) -> Mapping[str, Any]:
    """Return the mkdocs settings that a build changes: the name, the address if the environment gives one, what the theme shows."""
    address = os.environ.get("SITE_URL")
    shown = {"run_bar": of.run_bar(), "run_inputs": " ".join(of.run.inputs), "preview": os.environ.get("PREVIEW", "")}
    return {
        "site_name": of.name,
        **({"site_url": address.rstrip("/") + "/"} if address else {}),
        "extra": {**(of.settings.get("extra") or {}), **shown},
    }


def commit_time() -> str:
    """Return the time of the commit, so that two builds of it are the same bytes; 0 where there is no git."""
    git = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True) if shutil.which("git") else None
    return git.stdout.strip() if git and git.returncode == 0 and git.stdout.strip() else "0"


def _by_name(package: str, function: str, *kinds: type) -> dict[str, Callable[[Any], Any]]:
    """Map the name of each file of ``package`` to its ``function``; plotly is loaded by the first figure that is drawn."""
    with faults.telling(ROOT):
        paths = import_module(package).__path__
    names = sorted(entry.name for entry in iter_modules(paths) if not entry.name.startswith("_"))
    return {name: _later(f"{package}.{name}", function, kinds) for name in names}


def _later(module: str, function: str, kinds: tuple[type, ...]) -> Callable[[Any], Any]:
    file = f"{module.replace('.', '/')}.py"

    def call(argument: Any) -> Any:
        with faults.telling(ROOT):
            made = getattr(import_module(module), function, None)
            if made is None:
                raise LiveError(f"has no function {function}; it makes what the page names", file)
            result = made(argument)
            if not isinstance(result, kinds):
                raise LiveError(f"{function} must return a {kinds[0].__name__}, not {type(result).__name__}", file)
            return result

    return call
