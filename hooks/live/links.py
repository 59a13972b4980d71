"""Links: the address of a page, where a relative link of its source leads from there, and which links lead nowhere."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from html import escape, unescape
from posixpath import normpath, relpath
from urllib.parse import quote, unquote

from hooks.live.errors import LiveError, nearest

ELEMENT = re.compile(r"<!--.*?-->|<([A-Za-z])[^<>]*>", re.DOTALL)
TARGET = re.compile(r"(?<=\s)(href|src)=(?:\"([^\"]*)\"|'([^']*)')")
# Another site, the root of this one, or a place on the same page.
ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|[/#?]|\Z")
PARTS = re.compile(r"([^?#]*)(.*)", re.DOTALL)
# In a page that is built: a link or an image, a place that a link can name, the sentences that travel beside the text.
LINKED = re.compile(r"<!--.*?-->|<[A-Za-z][^<>]*?\s(?:href|src)=(?:\"([^\"]*)\"|'([^']*)')", re.DOTALL)
PLACE = re.compile(r"\s(?:id|name)=[\"']([^\"']*)")
BESIDE = re.compile(r'<script\b[^>]*\bclass="live-data"[^>]*>(.*?)</script>', re.DOTALL)


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


def dead(pages: Mapping[str, str], source: Callable[[str], str], files: Iterable[str]) -> Iterator[tuple[str, LiveError]]:
    """Yield each link that leads nowhere, as the path of its page and what is wrong, at its line.

    ``pages`` are the HTML of all pages by path, ``source`` returns a page's source, ``files`` are all paths of the built site.
    """

    @cache
    def places(path: str) -> frozenset[str]:
        return frozenset(unescape(place) for place in PLACE.findall(pages[path]))

    homes = {address(path): path for path in pages}
    known = frozenset(files)
    for path, html in pages.items():
        for link in _links(html):
            parts = re.fullmatch(r"([^?#]*)(?:\?[^#]*)?#?(.*)", link, re.DOTALL)
            assert parts is not None
            target, place = unquote(_target(path, parts[1])), unquote(parts[2])
            if link.startswith("/"):
                what, sought = "it starts at the root of whatever host; write it from this file", link
            elif target in homes:
                if not place or place in places(homes[target]) or place.startswith(":~:"):
                    continue
                what, sought = f"docs/{homes[target]} has no such place{nearest(place, places(homes[target]))}", f"#{parts[2]}"
            elif target in known:
                continue
            else:
                written = normpath(f"{path.rpartition('/')[0] or '.'}/{unquote(parts[1])}")
                what, sought = f"there is no docs/{written}{nearest(written, pages)}", parts[1]
            text = source(path)
            at = text.find(sought)
            line = f":{text.count(chr(10), 0, at) + 1}" if at >= 0 else ""
            yield path, LiveError(f"a link to {link!r:.80}, but {what}", f"docs/{path}{line}")


def _links(html: str) -> Iterator[str]:
    """Yield the links and images of a page and of its sentences that do not hold, but those that name a scheme or a host."""
    beside = (claim.get("unsaid", "") for data in BESIDE.findall(html) for claim in json.loads(data).get("claims", {}).values())
    for part in (html, *beside):
        for found in LINKED.finditer(part):
            link = unescape(found[1] or found[2] or "")
            if not re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:|//", link):
                yield link


def _target(path: str, link: str) -> str:
    """Return the address to which a relative link leads from the page at ``path``."""
    here = address(path)
    if not link:
        return here
    target = normpath(f"{here or './'}{link}")
    is_folder = link.rpartition("/")[2] in ("", ".", "..")
    return "" if target == "." else f"{target}/" if is_folder else target
