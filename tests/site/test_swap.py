"""A build takes the place of the old site in one step, or leaves it as it was, whatever happens at whatever moment."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hooks import swap
from tests.support import ROOT, build, copy_project, mkdocs

pytestmark = pytest.mark.xdist_group("swap")

# Writes sites of thirty files that all say the same, one after the other, and tells when each stands.
WRITER = """
import sys
from pathlib import Path
from hooks import swap

site, count, exchanges = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "True"
if not exchanges:
    swap.exchange = lambda one, other: False
for number in range(count):
    build = swap.begin(site)
    for file in [swap.MARK, *map(str, range(29))]:
        (build.folder / file).write_text(f"{sys.argv[2]} {number}")
    swap.take_place(build)
    print(number, flush=True)
"""
OLD = {"index.html": b"the old site", "numbers.json": b"{}"}


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def beside(site: Path) -> list[str]:
    """Return what stands beside a site under its name."""
    return sorted(path.name for path in site.parent.iterdir() if path.name.startswith(f".{site.name}"))


def write(site: Path, content: dict[str, bytes]) -> Path:
    for name, text in content.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(text)
    return site


def put(site: Path, content: dict[str, bytes]) -> None:
    begun = swap.begin(site)
    write(begun.folder, content)
    swap.take_place(begun)


def writer(site: Path, count: int, *, exchanges: bool) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(site), str(count), str(exchanges)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def is_whole(site: Path) -> bool:
    return len(files(site)) == 30 and len(set(files(site).values())) == 1


# --- What stays of the old site


def test_what_is_hidden_stays_and_all_else_goes(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {**OLD, ".git/HEAD": b"ref", ".git/objects/a/b": b"\0", ".nojekyll": b"", "gone/page.html": b""})
    (site / ".latest").symlink_to("nowhere")
    site.chmod(0o750)
    put(site, {"index.html": b"new", ".well-known/new.txt": b"new"})
    assert files(site) == {
        "index.html": b"new", ".well-known/new.txt": b"new", ".git/HEAD": b"ref", ".git/objects/a/b": b"\0", ".nojekyll": b"",
    }  # fmt: skip
    assert os.readlink(site / ".latest") == "nowhere"
    assert site.stat().st_mode & 0o777 == 0o750
    assert beside(site) == []


def test_what_the_build_makes_hides_what_was_hidden(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {".well-known/a": b"old", ".well-known/b": b"old"})
    put(site, {".well-known/a": b"new"})
    assert files(site) == {".well-known/a": b"new", ".well-known/b": b"old"}


def test_a_link_stays_a_link_to_the_folder_that_is_replaced(tmp_path: Path) -> None:
    real = write(tmp_path / "disk" / "real", OLD)
    link = tmp_path / "site"
    link.symlink_to(real)
    put(link, {"index.html": b"new"})
    assert link.is_symlink()
    assert files(real) == {"index.html": b"new"}
    assert (beside(link), beside(real)) == ([], [])


def test_a_git_worktree_is_still_one_after_a_build(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(tmp_path / "repository"), *arguments], capture_output=True, check=True, text=True)
        return done.stdout

    (tmp_path / "repository").mkdir()
    git("init", "--quiet", "--initial-branch=main")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "--message=start")
    published = tmp_path / "published"
    git("worktree", "add", "--quiet", "--detach", str(published))
    (published / ".nojekyll").touch()
    done = mkdocs(copy_project(tmp_path / "project", light=True), "build", "-d", str(published))
    assert done.returncode == 0, done.stderr
    status = subprocess.run(["git", "-C", str(published), "status", "--short"], capture_output=True, check=True, text=True).stdout
    assert {"?? .nojekyll", "?? index.html", "?? numbers.json"} <= set(status.splitlines())
    assert beside(published) == []


def test_a_file_where_the_site_should_stand_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(NotADirectoryError):
        swap.begin(tmp_path / "site")
    assert (tmp_path / "site").read_text() == "mine"


# --- Builds that end too early


def test_what_is_no_site_is_not_replaced(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine", {"thesis.tex": b"years"})
    with pytest.raises(FileExistsError, match="holds something else than a site; name a new folder"):
        swap.begin(mine)
    assert (files(mine), beside(mine)) == ({"thesis.tex": b"years"}, [])


def test_a_warning_leaves_the_old_site(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project", light=True)
    site = write(project / "site", OLD)
    (project / "docs" / "README.md").write_text("# Read me\n", encoding="utf-8")
    done = mkdocs(project, "build")
    assert done.returncode == 1
    assert "Excluding 'README.md' from the site because it conflicts with 'index.md'" in done.stderr
    assert "Aborted with 1 warnings in strict mode!" in done.stdout
    assert (files(site), beside(site)) == (OLD, [])
    assert mkdocs(project, "build", "--no-strict").returncode == 0
    assert set(OLD) < set(files(site))


def test_where_the_last_step_fails_the_old_site_comes_back(tmp_path: Path) -> None:
    site = write(tmp_path / "site", OLD)
    with pytest.raises(FileNotFoundError):
        swap.replace(tmp_path / "never built", site)
    assert files(site) == OLD
    assert beside(site) == []


def test_an_abandoned_build_leaves_nothing(tmp_path: Path) -> None:
    site = write(tmp_path / "site", OLD)
    swap.abandon(swap.begin(site))
    assert (files(site), beside(site)) == (OLD, [])


def has_begun(aside: list[Path]) -> bool:
    return bool(aside)


def has_a_page(aside: list[Path]) -> bool:
    return any((folder / "index.html").exists() for folder in aside)


def has_numbers(aside: list[Path]) -> bool:
    return any((folder / "numbers.json").exists() for folder in aside)


def has_a_search(aside: list[Path]) -> bool:
    return any((folder / "search" / "search_index.json").exists() for folder in aside)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("swap") / "project", light=True)


@pytest.fixture(scope="module")
def whole(project: Path) -> dict[str, bytes]:
    return files(build(project))


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        *((moment, signal.SIGKILL) for moment in (has_begun, has_a_page, has_numbers, has_a_search)),
        *((moment, signal.SIGINT) for moment in (has_begun, has_a_search)),
    ],
)
def test_a_build_ended_at_any_moment_leaves_a_whole_site(
    project: Path, whole: dict[str, bytes], moment: Callable[[list[Path]], bool], end: signal.Signals
) -> None:
    site = write(project / "site", {"old.html": b"old"})
    old = files(site)
    with subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build", "--quiet"],
        cwd=project,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stderr=subprocess.PIPE,
    ) as process:
        while process.poll() is None and not moment(list(project.glob(".site-*"))):
            time.sleep(0.001)  # else it takes a processor from what it waits for
        process.send_signal(end)
    assert files(site) in (old, whole)
    assert end == signal.SIGKILL or beside(site) == []
    assert files(build(project)) == whole
    assert beside(site) == []


@pytest.mark.parametrize("exchanges", [True, False], ids=["exchange", "two steps"])
def test_a_swap_killed_at_any_moment_leaves_a_whole_site(tmp_path: Path, exchanges: bool) -> None:
    site = tmp_path / "site"
    for lines in range(1, 21):
        with writer(site, 10**6, exchanges=exchanges) as process:
            assert process.stdout is not None
            for _ in range(lines):
                process.stdout.readline()
            process.kill()
        # Without an exchange no site may stand for a moment; whoever builds next brings the old one back first.
        begun = swap.begin(site)
        assert is_whole(site)
        swap.abandon(begun)
        assert beside(site) == []


# --- Two at once


@pytest.mark.parametrize("exchanges", [True, False], ids=["exchange", "two steps"])
def test_builds_at_once_take_turns(tmp_path: Path, exchanges: bool) -> None:
    site = tmp_path / "site"
    writers = [writer(site, count, exchanges=exchanges) for count in (60, 61, 62)]
    for process in writers:
        process.communicate()
    assert [process.returncode for process in writers] == [0, 0, 0]
    assert is_whole(site)
    assert beside(site) == []


def test_two_mkdocs_at_once_build_one_whole_site(project: Path, whole: dict[str, bytes]) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    both = [subprocess.Popen(command, cwd=project, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert files(project / "site") == whole
    assert beside(project / "site") == []


def test_what_a_live_build_writes_is_not_swept_away(tmp_path: Path) -> None:
    site = write(tmp_path / "site", OLD)
    first, second = swap.begin(site), swap.begin(site)
    write(first.folder, {"index.html": b"first"})
    write(second.folder, {"index.html": b"second"})
    swap.take_place(second)
    assert files(site) == {"index.html": b"second"}
    swap.take_place(first)
    assert files(site) == {"index.html": b"first"}
    assert beside(site) == []
