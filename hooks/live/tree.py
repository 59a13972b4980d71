"""The files of the docs folder: refused where one cannot go out as it stands, before any is read."""

from pathlib import Path

from hooks.live.errors import LiveError
from hooks.live.links import address


def files(docs: Path) -> frozenset[str]:
    """Return the paths of all files below ``docs``, to which links can lead; what is hidden is no part of the site.

    Raises: LiveError for what is no file, for a link out of ``docs`` or to a folder, for a name that nobody can read,
    and for two pages at one address.
    """
    found: dict[str, str] = {}
    for path in sorted(docs.rglob("*")):
        name = path.relative_to(docs).as_posix()
        if any(part.startswith(".") for part in path.relative_to(docs).parts):
            continue
        if not name.isprintable():
            raise LiveError("a file's name must be text that can be read; rename it", f"docs/{name}")
        if path.is_symlink() and not (path.is_file() and path.resolve().is_relative_to(docs.resolve())):
            raise LiveError("a symbolic link must lead to a file of this folder; copy what it leads to", f"docs/{name}")
        if path.is_dir():
            continue
        if not path.is_file():
            raise LiveError("is neither a file nor a folder; remove it", f"docs/{name}")
        other = found.setdefault(address(name) if name.endswith(".md") else name, name)
        if other != name:
            raise LiveError(f"stands at the same address as docs/{other}; remove one of them", f"docs/{name}")
    return frozenset(found.values())
