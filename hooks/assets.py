"""The files of the site that nobody writes: the reader's scripts, plotly, and ``numbers.json``."""

import logging
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from rjsmin import jsmin

from hooks.live import scripts
from hooks.live.errors import LiveError
from hooks.live.site import Site

# mkdocs shows what is logged below its own name.
log = logging.getLogger("mkdocs.hooks.live")

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = "javascripts"
BASIC = ROOT / "node_modules" / "plotly.js-basic-dist-min" / "plotly-basic.min.js"


def generated(site: Site, docs: Path) -> Mapping[str, bytes]:
    """Return the generated files of a site whose pages are all rendered, by their paths; scripts take the place of those in ``docs``.

    Scripts go out without their comments: on a phone each kilobyte of them is read before the first change.

    Raises: LiveError
    """
    modules = {path.stem: _text(path) for path in sorted((docs / SCRIPTS).glob("*.js"))}
    minified = {name: jsmin(text).encode() for name, text in scripts.for_readers(modules, site.javascript()).items()}
    return {
        **{f"{SCRIPTS}/{name}.js": script for name, script in minified.items()},
        f"{SCRIPTS}/plotly.min.js": plotly().read_bytes(),
        "numbers.json": site.numbers_json().encode(),
    }


def is_source(path: str) -> bool:
    """Return whether the file at ``path`` below the docs folder is a browser module, which goes out only within the generated scripts."""
    return path.startswith(f"{SCRIPTS}/") and path.endswith(".js")


def plotly() -> Path:
    """Return plotly's script: the small bundle if npm brought it, else the full one of the Python package."""
    if BASIC.exists():
        return BASIC
    package = find_spec("plotly")
    assert package is not None  # plotly is pinned in requirements.txt
    assert package.origin is not None
    full = Path(package.origin).parent / "package_data" / "plotly.min.js"
    size = full.stat().st_size // 1000
    log.info("plotly's basic bundle is not installed; each reader of a figure loads the full one, %d kB", size)
    return full


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise LiveError("is not UTF-8 text", path.name) from None
