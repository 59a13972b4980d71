"""The rendered Markdown tree is the site: another generator can build it without the hook."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support import article_text, build, copy_project, mkdocs

pytestmark = pytest.mark.xdist_group("trees")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("tree") / "project")


@pytest.fixture(scope="module")
def tree(project: Path) -> Path:
    tree = project.parent / "tree"
    done = subprocess.run([sys.executable, "-m", "hooks", "render", str(tree)], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return tree


def test_the_tree_builds_without_the_hook_to_the_same_articles(project: Path, tree: Path) -> None:
    assert "hooks" not in yaml.safe_load((tree / "mkdocs.yml").read_text())
    with_hook, without = build(project), build(tree)
    names = sorted(path.relative_to(with_hook).as_posix() for path in with_hook.rglob("*.html"))
    assert len(names) >= 10
    for name in names:
        assert article_text((with_hook / name).read_text()) == article_text((without / name).read_text()), name
    assert (with_hook / "numbers.json").read_bytes() == (without / "numbers.json").read_bytes()


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
