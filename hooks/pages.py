"""mkdocs in, mkdocs out: the only file that imports mkdocs.

`mkdocs serve` loads it once and keeps it, so what may change stands elsewhere.
"""

import hashlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, MkDocsException, PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import CountHandler, clean_directory
from mkdocs.utils.templates import TemplateContext

log = logging.getLogger("mkdocs.hooks.live")

ROOT = Path(__file__).resolve().parent.parent


class _Build:
    """The build under way: its command, its sources as they were, its code's fingerprint and modules, its site, and where it is written.

    ``ends`` is by page what stands after its words, until it is built; ``failed`` are the pages in whose place a preview shows
    what is wrong; ``error`` is what stopped the build; ``compiled`` are the templates, which a preview keeps.
    """

    command = "build"
    sources: frozenset[tuple[Path, int, int]] = frozenset()
    code = ""
    ends: dict[str, str]
    failed: frozenset[str] = frozenset()
    error = ""
    project: Any = None
    assets: Any = None
    swap: Any = None
    headers: Any = None
    trim: Any = None
    preview: Any = None
    compiled: Any = None
    site: Any = None
    beside: Any = None


def on_startup(command: str, dirty: bool) -> None:
    """Note the command, and refuse a dirty build: it would keep old numbers on pages whose source did not change."""
    if dirty:
        raise PluginError("--dirty keeps old numbers on pages that did not change; build without it")
    _Build.command = command
    # An edit of the same size within a second would find the bytecode of the file before it, and the value would be the old formula's.
    sys.dont_write_bytecode = True


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Load the site, and write this build beside the old one; `mkdocs serve` has a folder of its own."""
    with _one_line():
        _Build.sources, _Build.ends, _Build.failed = _stamps(config), {}, frozenset()
        _load(config)
        config.update(_Build.project.settings(_Build.site))
        os.environ.setdefault("SOURCE_DATE_EPOCH", _Build.project.commit_time())
        if _Build.command != "serve":
            _Build.beside = _Build.swap.begin(Path(config.site_dir))
            config.site_dir = str(_Build.beside.folder)
    return config


def on_page_read_source(page: Page, config: MkDocsConfig) -> str:
    """Render the page before mkdocs reads it."""
    path = page.file.src_uri
    with _one_line():
        try:
            rendered = _Build.site.render_file(path, Path(page.file.abs_src_path or ""))
        except Exception as error:
            return _in_place(path, error)
    _Build.ends[path] = rendered.end
    return str(rendered.words)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let no number pass that Markdown took for code."""
    path = page.file.src_uri
    with _one_line():
        try:
            if path not in _Build.failed:
                _Build.site.check_page(path, page.file.content_string, page.markdown, html, str(page.title))
        except Exception as error:
            return _in_place(path, error)
    return html


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    """See where the links lead, and add the generated files, now that all pages are rendered."""
    pages = {file.src_uri: file.page for file in files.documentation_pages() if file.page}
    with _one_line():
        if not _Build.failed:
            html = {path: f"{page.content}\n{_Build.ends.get(path, '')}" for path, page in pages.items()}
            for path, error in _Build.site.dead_links(
                html, lambda path: pages[path].file.content_string, [file.dest_uri for file in files]
            ):
                pages[path].content = _in_place(path, error)
            _Build.site.finish()
        generated = _Build.assets.generated(_Build.site, Path(config.docs_dir))
    for file in [file for file in files if _Build.assets.is_source(file.src_uri)]:
        files.remove(file)
    for path, made in generated.items():
        files.append(File.generated(config, path, **({"abs_src_path": str(made)} if isinstance(made, Path) else {"content": made})))
    # For the next build of this process, be it a preview's or one of many.
    env.bytecode_cache = _Build.compiled = _Build.compiled or _Build.preview.Compiled()
    return env


@event_priority(-100)  # after the search, which has no use for the end of a page
def on_page_context(context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation) -> TemplateContext:
    """Put the end of the page below its words. Markdown and the search would take most of a build to read it."""
    page.content = f"{page.content}\n{_Build.ends.pop(page.file.src_uri, '')}"
    return context


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
        if _Build.command == "serve":
            for counter in _counters():  # a preview goes on in spite of a warning
                counter.counts.clear()
        elif not any(counter.get_counts() for counter in _counters()):
            _check_unchanged(config)
            _Build.swap.take_place(_Build.beside)
            config.site_dir = str(_Build.beside.target)
            _Build.beside = None


def on_build_error(error: Exception) -> None:
    """Leave nothing half-written behind, and say in one line what somebody else's code raised."""
    on_shutdown()
    _Build.error = str(error) if isinstance(error, MkDocsException) else _told(error)
    if not isinstance(error, MkDocsException):
        raise PluginError(_Build.error) from None


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: Callable[[], None]) -> LiveReloadServer:
    """While the site cannot be built, answer every address with the reason; mkdocs by itself would answer none."""

    def build() -> None:
        _Build.error = ""
        try:
            builder()
        except Exception as error:
            said = _Build.error or " ".join(str(error).split())
            if not isinstance(error, Abort):  # which mkdocs has told already
                log.error(said)
            clean_directory(config.site_dir)
            Path(config.site_dir, "404.html").write_text(_Build.preview.document(said), encoding="utf-8")

    server.builder = build
    return server


def on_shutdown() -> None:
    """Leave nothing half-written behind, also where the build was interrupted."""
    if _Build.beside:
        _Build.swap.abandon(_Build.beside)
        _Build.beside = None


def _in_place(path: str, error: Exception) -> str:
    """Return what a preview shows in place of the page at ``path``; a build stops there."""
    if _Build.command != "serve":
        raise error
    said = _told(error)
    log.error(said)
    _Build.failed |= {path}
    _Build.ends.pop(path, None)
    return str(_Build.preview.page(said))


def _counters() -> list[CountHandler]:
    """Return what counts the warnings of a strict build: only after its last event does mkdocs look at it."""
    return [handler for handler in logging.getLogger("mkdocs").handlers if isinstance(handler, CountHandler)]


def _check_unchanged(config: MkDocsConfig) -> None:
    """Refuse a build during which one of its sources changed: a part of it would be old and another new."""
    changed = sorted(path for path, *_ in _Build.sources - _stamps(config))
    if changed:
        raise PluginError(f"{os.path.relpath(changed[0], ROOT)}: changed while the site was built; build it again")


def _stamps(config: MkDocsConfig) -> frozenset[tuple[Path, int, int]]:
    """Return each source of the site with its time and size."""
    folders = (Path(config.docs_dir), ROOT / "hooks", ROOT / str(config.extra.get("model")))
    found = [path for folder in folders for path in folder.rglob("*") if not path.name.startswith(".") and path.suffix != ".pyc"]
    named = [Path(name) for name in (config.config_file_path, os.environ.get("RUN_FILE")) if name]
    stats = ((path, path.stat()) for path in (*named, *found) if path.is_file())
    return frozenset((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)


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
        for name in ("project", "assets", "swap", "headers", "trim", "preview"):
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
    except PluginError:
        raise
    except Exception as error:
        raise PluginError(_told(error)) from None


def _told(error: Exception) -> str:
    try:
        return str(import_module("hooks.live.faults").told(error, ROOT))
    except Exception:  # what tells errors is broken itself
        return " ".join(f"{type(error).__name__}: {error}".split())
