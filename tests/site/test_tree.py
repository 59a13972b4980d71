"""The rendered Markdown tree is the site: another generator can build it without the hook."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hooks.trim import SHEETS
from tests.support import CLUSTER, build, copy_project, mkdocs

pytestmark = pytest.mark.xdist_group("trees")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("tree") / "project")


@pytest.fixture(scope="module")
def tree(project: Path) -> Path:
    return rendered(project, project.parent / "tree")


def rendered(project: Path, tree: Path, **environment: str) -> Path:
    done = subprocess.run(
        [sys.executable, "-m", "hooks", "render", str(tree)], cwd=project, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return tree


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a site, but for what the hook makes of what mkdocs has written: the headers, and the theme's trimmed sheets."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name: (folder / name).read_bytes() for name in names if name != "_headers" and not name.startswith(SHEETS)}


def differing(with_hook: Path, without: Path) -> list[str]:
    one, other = files(with_hook), files(without)
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def test_the_tree_builds_without_the_hook_to_the_same_bytes(project: Path, tree: Path) -> None:
    assert not {"hooks", "watch"} & yaml.safe_load((tree / "mkdocs.yml").read_text()).keys()
    # Neither copy has a commit; the hook then takes the beginning of time for the pages' date.
    with_hook, without = build(project), build(tree, SOURCE_DATE_EPOCH="0")
    assert {"numbers.json", "javascripts/plotly.min.js", "javascripts/run.js", "javascripts/model.js"} <= files(with_hook).keys()
    assert differing(with_hook, without) == []


def test_the_tree_of_another_run_and_another_address_is_that_site_too(project: Path) -> None:
    asked = {"RUN_FILE": str(CLUSTER), "SITE_URL": "https://example.org/ours"}
    with_hook = build(copy_project(project.parent / "ours"), **asked)
    without = build(rendered(project, project.parent / "our tree", **asked), SOURCE_DATE_EPOCH="0")
    assert "What waiting costs in the harbour" in (without / "index.html").read_text()
    assert differing(with_hook, without) == []


def test_a_tree_without_the_small_bundle_says_what_that_costs(project: Path) -> None:
    bare = copy_project(project.parent / "bare")
    (bare / "node_modules").unlink(missing_ok=True)
    command = [sys.executable, "-m", "hooks", "render", str(bare / "tree")]
    done = subprocess.run(command, cwd=bare, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr.startswith("hooks: plotly's basic bundle is not installed; each reader of a figure loads the full one, ")
    assert (bare / "tree" / "docs" / "javascripts" / "plotly.min.js").stat().st_size > 2_000_000


def test_no_mark_of_the_page_language_is_left_in_the_tree(tree: Path) -> None:
    for path in (tree / "docs").rglob("*.md"):
        assert "{{" not in path.read_text(), path
        assert "{%" not in path.read_text(), path


def test_the_tree_is_written_to_a_new_folder_only(project: Path) -> None:
    taken = project.parent / "taken"
    taken.mkdir()
    (taken / "mine.txt").write_text("mine")
    done = subprocess.run([sys.executable, "-m", "hooks", "render", str(taken)], cwd=project, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [f"hooks: {taken}: is not empty; name a new folder"]
    assert [path.name for path in taken.iterdir()] == ["mine.txt"]


def test_the_hook_refuses_a_dirty_build(project: Path) -> None:
    done = mkdocs(project, "build", "--dirty")
    assert done.returncode != 0
    assert "--dirty keeps old numbers" in done.stderr
