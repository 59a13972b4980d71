"""The same sources become the same bytes, whoever builds them, where, when and after what."""

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tests.support import ROOT, build, copy_project

pytestmark = pytest.mark.xdist_group("determinism")

# As `sitecustomize`, Python reads it first: a clock that is a year and a bit ahead.
LATER = """\
import datetime, time

ahead = datetime.timedelta(days=400, hours=7, seconds=11)
now, now_ns, gmtime, localtime = time.time, time.time_ns, time.gmtime, time.localtime
time.time = lambda: now() + ahead.total_seconds()
time.time_ns = lambda: now_ns() + int(ahead.total_seconds()) * 10**9
time.gmtime = lambda seconds=None: gmtime(time.time() if seconds is None else seconds)
time.localtime = lambda seconds=None: localtime(time.time() if seconds is None else seconds)


class Later(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + ahead


datetime.datetime = Later
"""


def files(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which nothing was ever built."""
    return copy_project(tmp_path_factory.mktemp("here") / "project")


@pytest.fixture(scope="module")
def clean(here: Path) -> dict[str, bytes]:
    """The files of its first build."""
    return files(build(here, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8"))


def test_another_folder_user_time_zone_locale_clock_and_hash_seed_leave_no_trace(clean: dict[str, bytes], tmp_path: Path) -> None:
    there, home, first = copy_project(tmp_path / "another" / "place, and a long one"), tmp_path / "home", tmp_path / "first"
    for path in sorted(there.rglob("*"), reverse=True):
        os.utime(path, (10**9, 10**9), follow_symlinks=False)
    home.mkdir(mode=0o700)
    first.mkdir()
    (first / "sitecustomize.py").write_text(LATER, encoding="utf-8")
    other = {
        "PYTHONPATH": str(first), "HOME": str(home), "USER": "somebody", "LOGNAME": "a", "PYTHONHASHSEED": "4242",
        "TZ": "Asia/Tokyo", "LC_ALL": "C", "LANG": "tr_TR.UTF-8", "COLUMNS": "40",
    }  # fmt: skip
    years = "import datetime, time; print(datetime.datetime.now().year - int({!r}), time.gmtime().tm_year - int({!r}))"
    year = subprocess.run(["date", "+%Y"], capture_output=True, text=True, check=True).stdout.strip()
    ahead = subprocess.run([sys.executable, "-c", years.format(year, year)], env={**os.environ, **other}, capture_output=True, text=True)
    assert set(ahead.stdout.split()) <= {"1", "2"}
    before = os.umask(0o077)
    try:
        assert differing(clean, files(build(there, **other))) == []
    finally:
        os.umask(before)


def test_what_was_built_before_leaves_no_trace(clean: dict[str, bytes], here: Path) -> None:
    page, catalog = here / "docs" / "terminology.md", here / "commcost" / "catalog.toml"
    texts = {path: path.read_text(encoding="utf-8") for path in (page, catalog)}
    page.write_text(texts[page] + "\nA kingfisher.\n", encoding="utf-8")
    catalog.write_text(texts[catalog].replace("default = 64", "default = 72"), encoding="utf-8")
    (here / "docs" / "gone.md").write_text("# Gone\n", encoding="utf-8")
    between = differing(clean, files(build(here)))
    assert {"gone/index.html", "terminology/index.html", "numbers.json", "search/search_index.json"} <= set(between)
    (here / "docs" / "gone.md").unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    assert differing(clean, files(build(here))) == []


def test_a_clean_set_up_builds_what_one_with_the_tests_packages_builds(clean: dict[str, bytes], tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    for name in re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE):
        try:
            package = distribution(name)
        except PackageNotFoundError:  # it is for another system
            continue
        for top in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(str(package.locate_file(top)))
    # Without its own packages (-S), so that only those of the first set-up are there.
    python = [str(Path(sys.executable).resolve()), "-S"]
    bare = {"PYTHONPATH": str(packages), "PATH": os.environ["PATH"], "NO_MKDOCS_2_WARNING": "1"}
    assert subprocess.run([*python, "-c", "import pytest"], env=bare, capture_output=True).returncode == 1
    there = copy_project(tmp_path / "project")
    done = subprocess.run([*python, "-m", "mkdocs", "build"], cwd=there, env=bare, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert differing(clean, files(there / "site")) == []
