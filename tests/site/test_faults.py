"""Whatever breaks while a site is built, one line says it, the old site stands whole, and the next build succeeds."""

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.support import copy_project, mkdocs

pytestmark = pytest.mark.xdist_group("faults")

OLD = {"index.html": b"the old site", "numbers.json": b"{}"}


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(folder: Path, content: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in content.items():
        (folder / name).write_bytes(text)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project; each test mends what it breaks."""
    return copy_project(tmp_path_factory.mktemp("faults") / "project", light=True)


@pytest.fixture(autouse=True)
def old_site(project: Path) -> Path:
    """An older site, anew for each test."""
    write(project / "site", OLD)
    for name in files(project / "site").keys() - OLD.keys():
        (project / "site" / name).unlink()
    return project / "site"


@contextmanager
def changed(file: Path, change: Callable[[str], str]) -> Iterator[None]:
    """Change a file, or make one, and take that back."""
    before = file.read_text(encoding="utf-8") if file.exists() else None
    file.write_text(change(before or ""), encoding="utf-8")
    try:
        yield
    finally:
        if before is None:
            file.unlink()
        else:
            file.write_text(before, encoding="utf-8")


def said(done: subprocess.CompletedProcess[str], project: Path) -> str:
    """Return the last line that a failed build said; nothing is left of the build, and all of the old site."""
    assert done.returncode == 1
    assert "Traceback" not in done.stderr + done.stdout
    assert (files(project / "site"), list(project.glob(".site-*"))) == (OLD, [])
    lines = [line for line in done.stderr.splitlines() if re.match("ERROR|Error", line)]
    return re.sub(r"^(ERROR +- |Error:) +", "", lines[-1])


def limited(project: Path, limit: int, size: int) -> subprocess.CompletedProcess[str]:
    """Build under a limit of the system, which stands for a full disk: to a program both are a write that fails."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build"], cwd=project, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True,
        text=True, preexec_fn=lambda: resource.setrlimit(limit, (size, size)),
    )  # fmt: skip


@pytest.mark.parametrize("size", [0, 2_000, 300_000], ids=["no room", "little room", "room for pages"])
def test_a_write_that_fails(project: Path, size: int) -> None:
    assert said(limited(project, resource.RLIMIT_FSIZE, size), project).endswith("File too large")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a file system")
def test_a_disk_that_is_full_and_then_is_not(project: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("not even root can mount here")
    try:
        write(disk / "site", OLD)
        done = mkdocs(project, "build", "-d", str(disk / "site"))
        assert done.returncode == 1
        assert done.stderr.rstrip().endswith("No space left on device")
        assert "Traceback" not in done.stderr
        assert (files(disk / "site"), list(disk.glob(".site-*"))) == (OLD, [])
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        assert mkdocs(project, "build", "-d", str(disk / "site")).returncode == 0
        assert (disk / "site" / "terminology" / "index.html").exists()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        done = mkdocs(project, "build", "-d", str(disk / "site"))
        assert done.returncode == 1
        assert done.stderr.rstrip().endswith("Read-only file system")
        assert (disk / "site" / "terminology" / "index.html").exists()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_source_that_changes_while_the_site_is_built(project: Path, old_site: Path) -> None:
    page = project / "docs" / "terminology.md"
    with changed(page, lambda text: text), subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build"], cwd=project, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        while process.poll() is None and not list(project.glob(".site-*")):
            pass
        page.write_text(page.read_text(encoding="utf-8") + "\nWords.\n", encoding="utf-8")
        stdout, stderr = process.communicate()
    done = subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
    assert said(done, project) == "docs/terminology.md: changed while the site was built; build it again"
    assert mkdocs(project, "build").returncode == 0
    assert OLD.keys() < files(old_site).keys()


def test_a_build_that_is_told_to_end(project: Path) -> None:
    with subprocess.Popen([sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=project, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not list(project.glob(".site-*")):
            pass
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert files(project / "site") == OLD
    assert mkdocs(project, "build").returncode == 0
    assert list(project.glob(".site-*")) == []


MAIN = "hooks/templates/theme/main.html"
WRITES = "the build writes a file of this name; choose another"
# What is added to which file, and the line that is said.
BROKEN = {
    "the theme's template": (MAIN, "{% if %}", rf"{MAIN}:\d+: TemplateSyntaxError: Expected an expression.*"),
    "what the theme asks for": (
        MAIN, "{% block fonts %}{{ nope.nope }}{% endblock %}", rf"{MAIN}:\d+: UndefinedError: 'nope' is undefined",
    ),
    "a template of a page": ("docs/odd.md", "---\ntemplate: ../../etc/passwd\n---\n# Odd\n", "TemplateNotFound: ../../etc/passwd"),
    "front matter that a plugin reads": (
        "docs/odd.md", "---\nsearch: all\n---\n# Odd\n", "AttributeError: 'str' object has no attribute 'get'",
    ),
    "a title that is a file's name": ("docs/7-ovens.md", "Words.\n", "docs/7-ovens.md: in the title, '7 ovens': typed number '7'; .*"),
    "a link to no page": ("docs/odd.md", "# Odd\n\n[a](gone.md)\n", "docs/odd.md:3: a link to 'gone.md', but there is no docs/gone.md.*"),
    "a link to no place": (
        "docs/odd.md", "# Odd\n\n[a](terminology.md#gone)\n",
        "docs/odd.md:3: a link to '../terminology/#gone', but docs/terminology.md has no such place.*",
    ),
    "a link from the root": ("docs/odd.md", "# Odd\n\n[a](/a/)\n", "docs/odd.md:3: a link to '/a/', but it starts at the root.*"),
    "a file that the build writes": ("docs/numbers.json", "{}", f"docs/numbers.json: {WRITES}"),
    "a script that the build writes": ("docs/javascripts/model.js", "", f"docs/javascripts/model.js: {WRITES}"),
    "deep nesting": ("docs/odd.md", "# Odd\n\n" + "- + " * 1000 + "a", ".*RecursionError: maximum recursion depth exceeded.*"),
}  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN)
def test_what_others_code_or_files_break(project: Path, broken: str) -> None:
    name, text, line = BROKEN[broken]
    with changed(project / name, lambda before: before + text):
        assert re.fullmatch(line, said(mkdocs(project, "build"), project))


EVIL = "<img src=x onerror=alert(document.domain)>"


class Listening(HTMLParser):
    """What in a page would run or load something on its own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [f"{tag} {name}" for name, value in attrs if name.startswith("on") or (name, value) == ("src", "x")]


def test_markup_in_the_catalogue_comes_out_as_text(project: Path, old_site: Path) -> None:
    with changed(project / "commcost" / "catalog.toml", lambda text: text.replace('label = "GPUs"', f'label = "GPUs {EVIL}"', 1)):
        done = mkdocs(project, "build")
        assert done.returncode == 0, done.stderr
    pages = {path: path.read_text(encoding="utf-8") for path in old_site.rglob("*.html")}
    assert any(escape(EVIL) in text for text in pages.values())
    for path, text in pages.items():
        listening = Listening()
        listening.feed(text)
        assert listening.found == [], path
