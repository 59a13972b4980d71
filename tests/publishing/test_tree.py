"""The tree that is served: main at the root, previews below preview/, and neither undoes the other."""

from pathlib import Path

import pytest

from tests.publishing.support import COMMIT, NOINDEX, OTHER_COMMIT, SITE, done, folder, previewed, refused, run, tree_of, zipped
from tests.support import ROOT


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    made = tmp_path / "tree"
    made.mkdir()
    return made


def preview(tree: Path, pull: int, commit: str = COMMIT, **more: str) -> None:
    artifact = zipped(previewed(pull, commit, **more), tree.parent / f"{pull}.zip")
    done("preview", artifact, tree, "--pull", pull, "--commit", commit)


def test_publishing_replaces_the_root_and_leaves_previews_and_the_domain(tree: Path, tmp_path: Path) -> None:
    folder({"CNAME": "example.org", "old.html": "old", "a": "a file where a folder comes"}, tree)
    preview(tree, 12)
    before = tree_of(tree / "preview")
    site = {**SITE, "_headers": "/*"}
    done("publish", folder(site, tmp_path / "site"), tree)
    assert tree_of(tree / "preview") == before
    root = {name: text for name, text in tree_of(tree).items() if not name.startswith("preview/")}
    assert root == {**site, "CNAME": "example.org", ".nojekyll": ""}


def test_a_preview_replaces_its_own_and_no_other(tree: Path) -> None:
    preview(tree, 12, **{"site/old.html": f"{NOINDEX} pull request 12, commit {COMMIT[:12]}"})
    preview(tree, 1)
    other = tree_of(tree / "preview" / "1")
    preview(tree, 12, OTHER_COMMIT)
    assert tree_of(tree / "preview" / "1") == other
    assert sorted(tree_of(tree / "preview" / "12")) == sorted(SITE)


def test_cleaning_takes_one_preview_away_and_is_content_with_none(tree: Path, tmp_path: Path) -> None:
    done("publish", folder(SITE, tmp_path / "site"), tree)
    preview(tree, 1)
    rest = tree_of(tree)
    preview(tree, 12)
    for _ in range(2):
        done("clean", tree, "--pull", 12)
        assert tree_of(tree) == rest


def test_a_preview_that_may_be_indexed_is_refused(tree: Path, tmp_path: Path) -> None:
    artifact = zipped(previewed(**{"site/b.html": f"Preview of pull request 12, commit {COMMIT[:12]}."}), tmp_path / "a.zip")
    assert "'b.html' is a preview without <meta" in refused("preview", artifact, tree, "--pull", 12, "--commit", COMMIT)


def test_a_preview_that_says_it_is_another_is_refused(tree: Path, tmp_path: Path) -> None:
    for pull, commit in ((13, COMMIT), (12, OTHER_COMMIT)):
        artifact = zipped(previewed(pull, commit), tmp_path / "a.zip")
        line = refused("preview", artifact, tree, "--pull", 12, "--commit", COMMIT)
        assert f"does not say what it previews: pull request 12, commit {COMMIT[:12]}" in line
    assert tree_of(tree) == {}


def test_a_preview_is_not_published_as_the_site(tree: Path, tmp_path: Path) -> None:
    site = folder({**SITE, "a/index.html": NOINDEX}, tmp_path / "site")
    assert "is this a preview?" in refused("publish", site, tree)


def test_a_site_that_would_cover_previews_is_refused(tree: Path, tmp_path: Path) -> None:
    for name in ("preview/12/index.html", "Preview/index.html"):
        assert "among the previews" in refused("publish", zipped({**SITE, name: "mine"}, tmp_path / "a.zip"), tree)


@pytest.mark.parametrize("pull", ["0", "-1", "1/..", "../1", "1 2", "", "١٢", "1e3", "9" * 10])
def test_a_number_that_is_none_is_refused(pull: str, tree: Path) -> None:
    finished = run("clean", tree, f"--pull={pull}")
    assert finished.returncode == 2
    assert "must be the number of a pull request" in finished.stderr


def test_addresses_follow_the_site_s() -> None:
    (site,) = (line.removeprefix("site_url: ") for line in (ROOT / "mkdocs.yml").read_text().splitlines() if line.startswith("site_url: "))
    assert done("address") == f"{site}\n"
    assert done("address", "--pull", 12) == f"{site}preview/12/\n"
