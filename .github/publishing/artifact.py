"""What a build hands over, read without trusting it: a zip file or a folder becomes a checked table of names and contents."""

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

Files = Mapping[str, bytes]

MOST_FILES = 5_000
MOST_BYTES = 100_000_000
MOST_FILE_BYTES = 20_000_000
MOST_NUMBERS_BYTES = 5_000_000
MOST_CHANGES_BYTES = 1_000_000
MOST_NAME = 200

# A name that begins with a letter or digit and goes on in these characters is no "..", no hidden file, no
# _redirects, no absolute path and no backslash; a file without one of the types below is no CNAME either.
PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
TYPES = frozenset(".css .html .js .json .map .png .svg .webp .xml".split())
COMPRESSED = "sitemap.xml.gz"
HEADERS = "_headers"  # at the root of main's site only: some hosts obey it
CHANGES = "changes.md"
NUMBERS = "numbers.json"


class RefusedError(Exception):
    """An artifact, an event or a request that is not acted upon, with the reason in one line."""


@dataclass(frozen=True)
class _Entry:
    name: str
    size: int
    read: Callable[[], bytes]


def read_site(path: Path) -> Files:
    """Return the files of the built site at ``path``, a zip file or a folder, by name.

    Raises: RefusedError, for anything that a build of this site does not write.
    """
    return _site(_read(path))


def read_preview(path: Path) -> tuple[Files, str]:
    """Return the files of the site, and the text of its changes, in the artifact at ``path``: ``site/`` and ``changes.md``.

    Raises: RefusedError.
    """
    files = _read(path)
    changes = files.get(CHANGES, b"")
    if len(changes) > MOST_CHANGES_BYTES:
        raise RefusedError(f"{CHANGES} is too large; at most {MOST_CHANGES_BYTES} bytes: {len(changes)}")
    within = {name.removeprefix("site/"): content for name, content in files.items() if name.startswith("site/")}
    if beside := sorted(files.keys() - {f"site/{name}" for name in within} - {CHANGES}):
        raise RefusedError(f"{beside[0]!a} is neither {CHANGES} nor in site/")
    return _site(within), changes.decode("utf-8", "replace")


def _site(files: Files) -> Files:
    for name in files:
        if PurePosixPath(name).suffix not in TYPES and name not in (COMPRESSED, HEADERS):
            raise RefusedError(f"{name!a} is no file of a built site; its type must be one of {', '.join(sorted(TYPES))}")
    for name in ("index.html", NUMBERS):
        if name not in files:
            raise RefusedError(f"{name} is missing; is this a built site?")
    if len(files[NUMBERS]) > MOST_NUMBERS_BYTES:
        raise RefusedError(f"{NUMBERS} is too large; at most {MOST_NUMBERS_BYTES} bytes: {len(files[NUMBERS])}")
    return files


def _read(path: Path) -> Files:
    """Return all files at ``path``. Nothing is unpacked, and nothing is read before its name and size are known to be fit."""
    try:
        if path.is_dir():
            return _contents(_checked(_of_folder(path)))
        with zipfile.ZipFile(path) as archive:
            return _contents(_checked(_of_zip(archive)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise RefusedError(f"{path.name} is no sound zip file: {error}") from None
    except OSError as error:
        raise RefusedError(f"{path.name} cannot be read: {error.strerror or error}") from None


def _checked(entries: Iterator[_Entry]) -> list[_Entry]:
    found: list[_Entry] = []
    total = 0
    for entry in entries:
        if len(found) == MOST_FILES:
            raise RefusedError(f"there are too many files; at most {MOST_FILES}")
        if entry.size > MOST_FILE_BYTES:
            raise RefusedError(f"{entry.name!a} is too large; at most {MOST_FILE_BYTES} bytes: {entry.size}")
        total += entry.size
        if total > MOST_BYTES:
            raise RefusedError(f"the files are too large together; at most {MOST_BYTES} bytes")
        found.append(entry)
    _check_collisions([entry.name for entry in found])
    return found


def _contents(entries: list[_Entry]) -> Files:
    return {entry.name: entry.read() for entry in entries}


def _check_name(name: str) -> str:
    """Return the name. Raises: RefusedError, unless it is a relative path of plain names."""
    if len(name) > MOST_NAME or not (name == HEADERS or all(PLAIN.fullmatch(part) for part in name.split("/"))):
        raise RefusedError(f"{name[:MOST_NAME]!a} is no fit name; must be a relative path of plain names, at most {MOST_NAME} characters")
    return name


def _check_collisions(names: list[str]) -> None:
    """Refuse two files that some file system or server takes for one, and a file that is also a folder."""
    spelled: dict[str, str] = {}
    folders: set[str] = set()
    for name in names:
        parts = name.split("/")
        folders |= {"/".join(parts[:end]) for end in range(1, len(parts))}
    if len(names) != len(set(names)) or folders & set(names):
        raise RefusedError(f"{min((folders & set(names)) or {n for n in names if names.count(n) > 1})!a} is there twice")
    for name in [*names, *folders]:
        if spelled.setdefault(name.casefold(), name) != name:
            raise RefusedError(f"{name!a} and {spelled[name.casefold()]!a} differ in letter case only")


def _of_zip(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    if len(archive.infolist()) > 2 * MOST_FILES:  # folders may have entries of their own
        raise RefusedError(f"there are too many files; at most {MOST_FILES}")
    for info in archive.infolist():
        if info.filename != info.orig_filename:
            raise RefusedError(f"{info.orig_filename[:MOST_NAME]!a} is no fit name; must not hold a zero byte")
        _check_name(info.filename.removesuffix("/"))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFDIR if info.is_dir() else stat.S_IFREG):
            raise RefusedError(f"{info.filename!a} is a link or a device; only files and folders are taken")
        if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RefusedError(f"{info.filename!a} is encrypted or packed in an unusual way")
        if not info.is_dir():
            # zipfile reads no more than the size that the directory states, and refuses what is shorter.
            yield _Entry(info.filename, info.file_size, lambda info=info: archive.read(info))  # type: ignore[misc]


def _of_folder(folder: Path, below: str = "") -> Iterator[_Entry]:
    for found in sorted(os.scandir(folder), key=lambda found: found.name):
        name, path = _check_name(below + found.name), Path(found.path)
        status = found.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            yield from _of_folder(path, f"{name}/")
        elif not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise RefusedError(f"{name!a} is a link or a device; only files and folders are taken")
        else:
            yield _Entry(name, status.st_size, path.read_bytes)
