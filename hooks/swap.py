"""A build is written beside the site that stands, and takes its place when it is complete.

A build that fails or is killed, at any moment, leaves the old site whole; what it left beside it, the next build sweeps away.
"""

import ctypes
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EEXIST, ENOTDIR
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not everywhere; two builds at once are then not kept apart, and nothing is swept
    fcntl = None

MARK = "numbers.json"  # by which a folder is known for a site
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of Linux


@dataclass(frozen=True)
class Beside:
    """A build under way: where the site stands, the folder that takes its place, and the lock by which others know it is alive."""

    target: Path
    folder: Path
    lock: int | None


def begin(site: Path) -> Beside:
    """Return a new, empty folder beside ``site``; what builds that were killed left there is removed.

    Raises: OSError, also where something else than a site stands at ``site``: it would be lost.
    """
    target = site.resolve()  # a link stays a link, to the folder that is replaced
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone(target.parent):  # also to look: another build's two steps would show half of a site
        if target.exists() and not target.is_dir():
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(target))
        if target.exists() and not (target / MARK).exists() and any(not entry.name.startswith(".") for entry in target.iterdir()):
            raise FileExistsError(EEXIST, "holds something else than a site; name a new folder", str(target))
        _sweep(target)
        folder = _name(target, "new")
        folder.mkdir()
        return Beside(target, folder, _lock(folder))


def take_place(build: Beside) -> None:
    """Put the complete build where the old site stands; what is hidden in it (.git, .nojekyll) stays, as with mkdocs alone.

    Raises: OSError; the old site then stands as before.
    """
    old = build.folder
    with _alone(build.target.parent):
        if not build.target.exists():
            build.folder.rename(build.target)
        else:
            for entry in build.target.iterdir():
                if entry.name.startswith("."):
                    _carry(entry, build.folder / entry.name)
            shutil.copymode(build.target, build.folder)
            if not exchange(build.folder, build.target):
                old = replace(build.folder, build.target)
    shutil.rmtree(old, ignore_errors=True)
    _unlock(build.lock)


def abandon(build: Beside) -> None:
    """Remove a build that will not be complete."""
    shutil.rmtree(build.folder, ignore_errors=True)
    _unlock(build.lock)


def exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; return whether the platform could."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return bool(renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0)


def replace(folder: Path, target: Path) -> Path:
    """Put ``folder`` where ``target`` is, in two steps, and return where ``target`` went.

    Raises: OSError; ``target`` is then where it was. A process that is killed between the steps leaves that to the next `begin`.
    """
    old = _name(target, "old")
    target.rename(old)
    try:
        folder.rename(target)
    except BaseException:
        old.rename(target)
        raise
    return old


def _name(target: Path, kind: str) -> Path:
    return target.with_name(f".{target.name}-{kind}-{secrets.token_hex(4)}")


def _sweep(target: Path) -> None:
    """Remove what dead builds left; where one was killed while no site stood, the old one comes back."""
    left = re.compile(rf"\.{re.escape(target.name)}-(new|old)-[0-9a-f]{{8}}")
    for folder in [entry for entry in target.parent.iterdir() if left.fullmatch(entry.name)]:
        lock = _lock(folder)
        if lock is None:
            continue  # its build is alive, or nobody can tell
        if "-old-" in folder.name and not target.exists():
            folder.rename(target)
        shutil.rmtree(folder, ignore_errors=True)
        _unlock(lock)


def _carry(entry: Path, to: Path) -> None:
    """Link ``entry``, with all that it holds, to ``to``, except what the build made; so the old site keeps it until it is gone."""
    if entry.is_dir() and not entry.is_symlink():
        to.mkdir(exist_ok=True)
        for inner in entry.iterdir():
            _carry(inner, to / inner.name)
        shutil.copystat(entry, to)
    elif not os.path.lexists(to):
        try:
            os.link(entry, to, follow_symlinks=False)
        except OSError:  # a file system without links
            shutil.copy2(entry, to, follow_symlinks=False)


@contextmanager
def _alone(parent: Path) -> Iterator[None]:
    """Let one build at a time change what stands in ``parent``."""
    lock = _lock(parent, wait=True)
    try:
        yield
    finally:
        _unlock(lock)


def _lock(folder: Path, *, wait: bool = False) -> int | None:
    """Return a lock on ``folder``, which ends with the process at the latest; None where it cannot be had."""
    if fcntl is None:
        return None
    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # someone else holds it, or the file system has no locks
        _unlock(handle)
        return None
    return handle


def _unlock(lock: int | None) -> None:
    if lock is not None:
        with suppress(OSError):
            os.close(lock)
