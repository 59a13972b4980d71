"""The files of the site that nobody writes: the reader's scripts and style sheet, plotly, and ``numbers.json``."""

import logging
import re
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hooks.live import scripts
from hooks.live.errors import LiveError
from hooks.live.site import Site

# It is not built for Apple silicon, where scripts and sheet go out as they are written.
minify: Any = import_module("minify") if find_spec("minify") else None

# mkdocs shows what is logged below its own name.
log = logging.getLogger("mkdocs.hooks.live")

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = "javascripts"
SHEETS = "stylesheets"
OWN = (f"{SCRIPTS}/model.js", f"{SCRIPTS}/plotly.min.js", "numbers.json")
IMPORT = re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE)
MISTAKE = re.compile(r"(.*) on line (\d+) and column \d+.*", re.DOTALL)
BASIC = ROOT / "node_modules" / "plotly.js-basic-dist-min" / "plotly-basic.min.js"


def generated(site: Site, docs: Path) -> Mapping[str, bytes | Path]:
    """Return the generated files of a site whose pages are all rendered, by their paths: what is in each, or the file to copy.

    Scripts and style sheets take the place of those in ``docs``, joined and minified: a phone loads each kilobyte of them before it
    shows anything.

    Raises: LiveError
    """
    for path in OWN:
        if (docs / path).exists():
            raise LiveError("the build writes a file of this name; choose another", f"docs/{path}")
    modules = {path.stem: _text(path) for path in sorted((docs / SCRIPTS).glob("*.js"))}
    texts = {f"{SCRIPTS}/{name}.js": text for name, text in scripts.for_readers(modules, site.javascript()).items()}
    texts[f"{SHEETS}/index.css"] = _sheet(docs / SHEETS)
    sources = {f"docs/{SCRIPTS}/{name}.js": text for name, text in modules.items()}
    return {
        **{path: _minified(path, text, sources).encode() for path, text in texts.items()},
        f"{SCRIPTS}/plotly.min.js": plotly(),
        "numbers.json": site.numbers_json(),
    }


def is_source(path: str) -> bool:
    """Return whether the file at ``path`` below the docs folder is a module or a sheet, which goes out only within a generated file."""
    folder, _, name = path.rpartition("/")
    return (folder, name.rpartition(".")[2]) in ((SCRIPTS, "js"), (SHEETS, "css"))


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


def _sheet(folder: Path) -> str:
    """Return the sheets that ``index.css`` imports as one, in their order."""
    index = folder / "index.css"
    if not index.exists():
        return ""
    return IMPORT.sub(lambda found: _text(folder / found[1]), _text(index))


def _minified(path: str, text: str, sources: Mapping[str, str]) -> str:
    """Return what is to be at ``path``, minified; an error in it is said of the one of the ``sources`` that has it."""
    if minify is None:
        return text
    try:
        return str(minify.string("text/css" if path.endswith(".css") else "text/javascript", text))
    except minify.MinifyError as error:
        for source, own in sources.items() if path not in sources else ():
            _minified(source, own, sources)
        mistake = MISTAKE.fullmatch(str(error))
        what, where = (mistake[1], f"{path}:{mistake[2]}") if mistake else (" ".join(str(error).split()), path)
        raise LiveError(what, where) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise LiveError(f"cannot be read: {error.strerror}", path.name) from None
    except UnicodeDecodeError:
        raise LiveError("is not UTF-8 text", path.name) from None
