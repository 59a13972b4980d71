"""Links: the address of a page, and where a relative link of its source leads from there."""

import re
from collections.abc import Callable
from html import escape, unescape
from posixpath import normpath, relpath
from urllib.parse import quote, unquote

from hooks.live.errors import LiveError, nearest

ELEMENT = re.compile(r"<!--.*?-->|<([A-Za-z])[^<>]*>", re.DOTALL)
TARGET = re.compile(r"(?<=\s)(href|src)=(?:\"([^\"]*)\"|'([^']*)')")
# Another site, the root of this one, or a place on the same page.
ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|[/#?]|\Z")
PARTS = re.compile(r"([^?#]*)(.*)", re.DOTALL)


def address(path: str) -> str:
    """Return the address of the page at ``path``: "" for the home page, "reference/formulas/" for one below a folder."""
    folder, _, name = path.removesuffix(".md").rpartition("/")
    return "".join(f"{part}/" for part in (folder, "" if name == "index" else name) if part)


def resolved(html: str, path: str, files: frozenset[str], at: Callable[[str], str]) -> str:
    """Return ``html``, written for the source at ``path``, with its relative links leading from the page's address.

    Raises: LiveError, ``at`` the place of the link, for one that leads to none of ``files`` (if there are any).
    """

    def write(link: re.Match[str]) -> str:
        written = unescape(link[2] if link[2] is not None else link[3])
        if ELSEWHERE.match(written):
            return link[0]
        parts = PARTS.fullmatch(written)
        assert parts is not None
        target = normpath(f"{path.rpartition('/')[0] or '.'}/{unquote(parts[1])}")
        if files and target not in files:
            raise LiveError(f"a link to {written!r:.80}, but there is no docs/{target}{nearest(target, files)}", at(written))
        return f'{link[1]}="{escape(from_page(target, path) + parts[2])}"'

    return ELEMENT.sub(lambda element: TARGET.sub(write, element[0]) if element[1] else element[0], html)


def from_page(target: str, path: str) -> str:
    """Return where the file ``target`` lies from the address of the page at ``path``; both are below docs/."""
    here = address(path) or "."
    if target.endswith(".md"):
        return relpath(address(target) or ".", here) + "/"
    return quote(relpath(target, here), safe="/:@!$&'()*+,;=~")
