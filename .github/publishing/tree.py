"""The tree that is served: the site at its root, each pull request's preview at ``preview/NUMBER/``.

It is pushed or uploaded as a whole, so that nobody sees it half-written.
"""

import shutil
from pathlib import Path

from artifact import Files, RefusedError

PREVIEWS = "preview"
# What publishing the site leaves alone: other sites, and what belongs to the place and not to a build.
KEPT = (".git", "CNAME", PREVIEWS)
# Without it GitHub Pages would run Jekyll over the pages.
PLAIN = ".nojekyll"
NOINDEX = b'<meta name="robots" content="noindex">'


def publish(site: Files, tree: Path) -> None:
    """Put the site at the root of ``tree`` in place of the one before; previews stay.

    Raises: RefusedError, before anything is written, for a site that would hide previews or itself.
    """
    for name, content in site.items():
        if name.split("/")[0].casefold() == PREVIEWS:
            raise RefusedError(f"{name!a} would stand among the previews")
        if name.endswith(".html") and NOINDEX in content:
            raise RefusedError(f"{name!a} asks search engines to leave it out; is this a preview?")
    for old in tree.iterdir():
        if old.name not in KEPT:
            _remove(old)
    _write(site, tree)
    (tree / PLAIN).touch()


def preview(site: Files, tree: Path, *, pull: int, commit: str) -> None:
    """Put the site of a pull request at its place in ``tree``, in place of the one before.

    Raises: RefusedError, before anything is written, unless each page says what it previews and asks not to be indexed.
    """
    for name, content in site.items():
        if name.endswith(".html") and NOINDEX not in content:
            raise RefusedError(f"{name!a} is a preview without {NOINDEX.decode()}")
        if name.endswith(".html") and what(pull, commit).encode() not in content:
            raise RefusedError(f"{name!a} does not say what it previews: {what(pull, commit)}")
    clean(tree, pull=pull)
    _write(site, tree / PREVIEWS / str(pull))
    (tree / PLAIN).touch()


def clean(tree: Path, *, pull: int) -> None:
    """Take the preview of a pull request away, if there is one."""
    place = tree / PREVIEWS / str(pull)
    if place.exists():
        _remove(place)


def what(pull: int, commit: str) -> str:
    """Return what a preview shows, as its pages say it: the text of ``PREVIEW`` for the build."""
    return f"pull request {pull}, commit {commit[:12]}"


def address(site: str, pull: int | None) -> str:
    """Return where the site stands, or the preview of a pull request."""
    return site.rstrip("/") + "/" + (f"{PREVIEWS}/{pull}/" if pull else "")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _write(site: Files, folder: Path) -> None:
    for name, content in site.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
