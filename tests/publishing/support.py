"""What the publishing tests share: the program as a workflow calls it, small sites, and artifacts as zip files and folders."""

import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.support import ROOT

PROGRAM = ROOT / ".github" / "publishing"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER_COMMIT = "fedcba9876543210fedcba9876543210fedcba98"
NOINDEX = '<meta name="robots" content="noindex">'
SITE = {"index.html": "<p>home", "404.html": "<p>not here", "numbers.json": "{}", "sitemap.xml.gz": "packed", "a/index.html": "<p>a"}


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program and return what it said."""
    return subprocess.run(
        [sys.executable, "-I", str(PROGRAM), *map(str, arguments)],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
    )


def done(*arguments: object, **environment: str) -> str:
    """Run the program, which shall succeed, and return its output."""
    finished = run(*arguments, **environment)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def refused(*arguments: object, **environment: str) -> str:
    """Run the program, which shall refuse in one line, and return that line."""
    finished = run(*arguments, **environment)
    assert finished.returncode == 1, finished.stdout
    (line,) = finished.stderr.splitlines()
    assert line.startswith("publishing: refused: "), line
    return line.removeprefix("publishing: refused: ")


def previewed(pull: int = 12, commit: str = COMMIT, **more: str) -> dict[str, str]:
    """Return the files of a preview's artifact."""
    head = f"{NOINDEX}<p>Preview of pull request {pull}, commit {commit[:12]}."
    site = {f"site/{name}": head + text if name.endswith(".html") else text for name, text in SITE.items()}
    return {**site, "changes.md": "Nothing moved.\n", **more}


def folder(files: Mapping[str, str], at: Path) -> Path:
    """Write the files into a new folder and return it."""
    for name, text in files.items():
        path = at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return at


def zipped(files: Mapping[str, str], at: Path) -> Path:
    """Write the files into a zip file and return it."""
    with zipfile.ZipFile(at, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return at


def tree_of(at: Path) -> dict[str, str]:
    """Return the texts of all files below a folder, by name."""
    return {path.relative_to(at).as_posix(): path.read_text() for path in at.rglob("*") if path.is_file() and ".git" not in path.parts}
