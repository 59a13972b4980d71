"""mkdocs in, mkdocs out: the only file that imports mkdocs. It stays thin, since `mkdocs serve` loads it once and keeps it."""

import hashlib
import logging
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from rjsmin import jsmin

log = logging.getLogger("mkdocs.hooks.live")

ROOT = Path(__file__).resolve().parent.parent
# An edit of the same size within a second would load the stale bytecode of the file before it.
sys.dont_write_bytecode = True


class _Build:
    """The build under way: its site, and where it is written before it is swapped in."""

    command = "build"
    site: Any = None
    code = ""
    target: Path | None = None
    aside: Path | None = None


def on_startup(command: str, dirty: bool) -> None:
    """Refuse a dirty build: it would keep old numbers on pages whose source did not change."""
    if dirty:
        raise PluginError("--dirty keeps old numbers on pages that did not change; build without it")
    _Build.command = command


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Load the site, and write this build beside the old one."""
    _Build.site = _load(Path(config.config_file_path), str(config.extra.get("model")))
    config.extra["run_bar"] = _run_bar()
    config.extra["run_inputs"] = " ".join(_Build.site.run.inputs)
    config.site_name = _Build.site.name
    os.environ.setdefault("SOURCE_DATE_EPOCH", _commit_time())
    if os.environ.get("SITE_URL"):
        config.site_url = os.environ["SITE_URL"].rstrip("/") + "/"
    if _Build.command == "build":
        _Build.target = Path(config.site_dir)
        _Build.aside = _Build.target.with_name(f".{_Build.target.name}-{os.getpid()}")
        config.site_dir = str(_Build.aside)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add plotly, one local copy that only pages with figures load, and the scripts for the reader's browser.

    They go out without their comments: on a phone each kilobyte of them is read before the first change.
    """
    modules = {Path(file.src_uri).stem: file for file in files if file.src_uri.startswith("javascripts/") and file.src_uri.endswith(".js")}
    try:
        scripts = _Build.site.scripts({name: file.content_string for name, file in modules.items()})
    except ValueError as error:
        raise PluginError(str(error)) from None
    for file in modules.values():
        files.remove(file)
    for name, text in scripts.items():
        files.append(File.generated(config, f"javascripts/{name}.js", content=jsmin(text)))
    files.append(File.generated(config, "javascripts/plotly.min.js", abs_src_path=str(_plotly())))
    return files


def on_page_read_source(page: Page, config: MkDocsConfig) -> str:
    """Render the page before mkdocs reads it."""
    path = Path(page.file.abs_src_path or "")
    try:
        return str(_Build.site.render(page.file.src_uri, path.read_text(encoding="utf-8")).markdown)
    except (ValueError, OSError) as error:
        raise PluginError(f"docs/{page.file.src_uri}: not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)) from None


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    """Write what sums up the pages, now that all are rendered."""
    try:
        _Build.site.finish()
    except ValueError as error:
        raise PluginError(str(error)) from None
    files.append(File.generated(config, "numbers.json", content=_Build.site.numbers_json()))
    return env


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Let no page out with a mark of the page language in it."""
    _check(page.file.dest_uri, output)
    return output


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Let neither the sitemap nor the error page out with such a mark."""
    _check(template_name, output_content)
    return output_content


def on_post_build(config: MkDocsConfig) -> None:
    """Check what other plugins wrote, say the census, and swap the new site in."""
    search = Path(config.site_dir) / "search" / "search_index.json"
    if search.exists():
        _check("search/search_index.json", search.read_text(encoding="utf-8"))
    log.info(_Build.site.census())
    if _Build.target and _Build.aside:
        old = _Build.target.with_name(f".{_Build.target.name}-old-{os.getpid()}")
        if _Build.target.exists():
            _Build.target.rename(old)
        _Build.aside.rename(_Build.target)
        shutil.rmtree(old, ignore_errors=True)


def on_build_error(error: Exception) -> None:
    """Leave nothing half-written behind."""
    if _Build.aside:
        shutil.rmtree(_Build.aside, ignore_errors=True)


def _load(config: Path, model: str) -> Any:
    """Load the site; when its code or its catalogue changed since the last build, load that code anew."""
    packages = ("hooks", model)
    code = _fingerprint(packages)
    if code != _Build.code:
        for name in [name for name in sys.modules if name.split(".")[0] in packages]:
            del sys.modules[name]
    _Build.code = code
    sys.path.insert(0, str(ROOT))
    try:
        from hooks.project import load

        run_file = os.environ.get("RUN_FILE")
        return load(config, Path(run_file) if run_file else None)
    except (ValueError, SyntaxError) as error:
        raise PluginError(" ".join(str(error).split())) from None
    finally:
        sys.path.remove(str(ROOT))


def _run_bar() -> str:
    try:
        return str(_Build.site.run_bar())
    except ValueError as error:
        raise PluginError(str(error)) from None


def _fingerprint(packages: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for folder in packages:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".html"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _commit_time() -> str:
    """Return the time of the commit, so that two builds of it are the same bytes; 0 where there is no git."""
    git = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True) if shutil.which("git") else None
    return git.stdout.strip() if git and git.returncode == 0 and git.stdout.strip() else "0"


def _plotly() -> Path:
    basic = ROOT / "node_modules" / "plotly.js-basic-dist-min" / "plotly-basic.min.js"
    if basic.exists():
        return basic
    package = find_spec("plotly")
    assert package is not None  # plotly is pinned in requirements.txt
    assert package.origin is not None
    full = Path(package.origin).parent / "package_data" / "plotly.min.js"
    size = full.stat().st_size // 1000
    log.info("plotly's basic bundle is not installed; each reader of a figure loads the full one, %d kB", size)
    return full


def _check(name: str, text: str) -> None:
    try:
        _Build.site.check_output(name, text)
    except ValueError as error:
        raise PluginError(str(error)) from None
