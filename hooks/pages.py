"""mkdocs in, mkdocs out: the only file that imports mkdocs.

`mkdocs serve` loads it once and keeps it, so what may change stands elsewhere.
"""

import hashlib
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import CountHandler

log = logging.getLogger("mkdocs.hooks.live")

ROOT = Path(__file__).resolve().parent.parent
# An edit of the same size within a second would load the stale bytecode of the file before it.
sys.dont_write_bytecode = True


class _Build:
    """The build under way: its command, a fingerprint of its code, that code's modules, its site, and where it is written."""

    command = "build"
    code = ""
    project: Any = None
    assets: Any = None
    swap: Any = None
    headers: Any = None
    trim: Any = None
    site: Any = None
    beside: Any = None


def on_startup(command: str, dirty: bool) -> None:
    """Refuse a dirty build: it would keep old numbers on pages whose source did not change."""
    if dirty:
        raise PluginError("--dirty keeps old numbers on pages that did not change; build without it")
    _Build.command = command


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Load the site, and write this build beside the old one; `mkdocs serve` has a folder of its own."""
    with _one_line():
        _load(config)
        config.update(_Build.project.settings(_Build.site))
        os.environ.setdefault("SOURCE_DATE_EPOCH", _Build.project.commit_time())
        if _Build.command != "serve":
            _Build.beside = _Build.swap.begin(Path(config.site_dir))
            config.site_dir = str(_Build.beside.folder)
    return config


def on_page_read_source(page: Page, config: MkDocsConfig) -> str:
    """Render the page before mkdocs reads it."""
    with _one_line():
        return str(_Build.site.render_file(page.file.src_uri, Path(page.file.abs_src_path or "")).markdown)


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    """Add the generated files, now that all pages are rendered."""
    with _one_line():
        _Build.site.finish()
        generated = _Build.assets.generated(_Build.site, Path(config.docs_dir))
    for file in [file for file in files if _Build.assets.is_source(file.src_uri)]:
        files.remove(file)
    for path, content in generated.items():
        files.append(File.generated(config, path, content=content))
    return env


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Let no page out with a mark of the page language in it."""
    with _one_line():
        _Build.site.check_output(page.file.dest_uri, output)
    return output


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Let neither the sitemap nor the error page out with such a mark."""
    with _one_line():
        _Build.site.check_output(template_name, output_content)
    return output_content


@event_priority(-100)  # after every plugin, since what they say may stop the build
def on_post_build(config: MkDocsConfig) -> None:
    """Check what other plugins wrote, add the headers, say the census, and swap the new site in, unless mkdocs is about to refuse it."""
    search = Path(config.site_dir) / "search" / "search_index.json"
    with _one_line():
        if search.exists():
            _Build.site.check_output("search/search_index.json", search.read_text(encoding="utf-8"))
        if _Build.command != "serve":
            _Build.trim.trim(Path(config.site_dir))
        if not config.extra.get("preview"):  # which stands below a root, and hosts read the root's
            _Build.headers.write(Path(config.site_dir))
        log.info(_Build.site.census())
        if _Build.beside and not _warnings():
            _Build.swap.take_place(_Build.beside)
            config.site_dir = str(_Build.beside.target)
            _Build.beside = None


def on_build_error(error: Exception) -> None:
    """Leave nothing half-written behind."""
    on_shutdown()


def on_shutdown() -> None:
    """Leave nothing half-written behind, also where the build was interrupted."""
    if _Build.beside:
        _Build.swap.abandon(_Build.beside)
        _Build.beside = None


def _warnings() -> bool:
    """Return whether there was a warning in a strict build: only after its last event does mkdocs look at what it counted."""
    counters = (handler for handler in logging.getLogger("mkdocs").handlers if isinstance(handler, CountHandler))
    return any(counter.get_counts() for counter in counters)


def _load(config: MkDocsConfig) -> None:
    """Load the site; when the project's code or its catalogue changed since the last build, load that code anew."""
    packages = ("hooks", str(config.extra.get("model")))
    code = _fingerprint(packages)
    if code != _Build.code:
        for name in [name for name in sys.modules if name.split(".")[0] in packages]:
            del sys.modules[name]
        invalidate_caches()
    _Build.code = code
    sys.path.insert(0, str(ROOT))
    try:
        for name in ("project", "assets", "swap", "headers", "trim"):
            setattr(_Build, name, import_module(f"hooks.{name}"))
        _Build.site = _Build.project.load(Path(config.config_file_path), _Build.project.asked_for())
    finally:
        sys.path.remove(str(ROOT))


def _fingerprint(packages: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for folder in packages:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".html"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


@contextmanager
def _one_line() -> Iterator[None]:
    """Say what goes wrong within in one line, as mkdocs says an error in a page."""
    try:
        yield
    except Exception as error:
        raise PluginError(_told(error)) from None


def _told(error: Exception) -> str:
    try:
        return str(import_module("hooks.live.faults").told(error, ROOT))
    except Exception:  # what tells errors is broken itself
        return " ".join(f"{type(error).__name__}: {error}".split())
