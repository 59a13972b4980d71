"""What differs between two sites that were built of the same pages: every part that is ours, tag by tag and word by word."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from html.parser import HTMLParser
from pathlib import Path

from hooks.live.errors import LiveError
from hooks.live.gate import check_output

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
THEME = "assets/"
MARKED = (".html", ".xml", ".json")  # where the text of a page can get to


class Ours(HTMLParser):
    """What is ours of a page: its ``pieces``, each a tag or what stands between tags, and the ``text`` of its article."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._shown: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.text = " ".join("".join(self._shown).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._open and not _is_ours(tag, dict(attrs)):
            return
        settings = (name if value is None else f'{name}="{value}"' for name, value in attrs)
        self.pieces.append(f"<{' '.join([tag, *settings])}>")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag not in VOID:
            self._open.pop()
            self.pieces.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._open:
            return
        if words := data.split():
            self.pieces.append(" ".join(words))
        if self._open[0] == "article" and self._open[-1] not in ("script", "style"):
            self._shown.append(data)


def _is_ours(tag: str, attributes: Mapping[str, str | None]) -> bool:
    head = attributes.get("name") == "description" or attributes.get("rel") == "canonical"
    return tag in ("article", "title") or head or (tag, attributes.get("class")) == ("aside", "run")


def changes(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return, for each place where two sequences differ, what stands there in one and in the other."""
    codes = SequenceMatcher(None, old, new).get_opcodes()
    return [f"{_joined(old[a:b])} → {_joined(new[c:d])}" for code, a, b, c, d in codes if code != "equal"]


def _joined(pieces: Sequence[str]) -> str:
    return " ".join(pieces) or "nothing"


def page_differences(old: str, new: str) -> list[str]:
    """Return what differs between the HTML of two pages in what is ours."""
    one, other = Ours(old), Ours(new)
    return [f"text: {change}" for change in changes(one.text.split(), other.text.split())] + changes(one.pieces, other.pieces)


def differences(ours: Path, other: Path) -> dict[str, list[str]]:
    """Return what differs between two built sites, by file; every page and file has an entry, the theme's own files none."""
    found: dict[str, list[str]] = {}
    for name in sorted(_files(ours) | _files(other)):
        one, two = ours / name, other / name
        if not two.exists():
            found[name] = [f"{name} → nothing"]
        elif not one.exists():
            found[name] = [f"nothing → {name}"]
        elif name.endswith(".html"):
            found[name] = page_differences(one.read_text(encoding="utf-8"), two.read_text(encoding="utf-8"))
        else:
            found[name] = [] if one.read_bytes() == two.read_bytes() else [f"{name} → another {name}"]
    return found


def _files(site: Path) -> set[str]:
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    return {name for name in names if not name.startswith(THEME)}


def marks(site: Path) -> list[str]:
    """Return what the gate says of each file of a site that it would not let out."""
    said = []
    for name in sorted(name for name in _files(site) if name.endswith(MARKED)):
        try:
            check_output(name, (site / name).read_text(encoding="utf-8"))
        except LiveError as error:
            said.append(str(error))
    return said


def reason(difference: str, expected: Mapping[str, str]) -> str | None:
    """Return the reason that stands beside the pattern of a difference, None if no pattern fits the whole of it."""
    return next((reason for pattern, reason in expected.items() if re.fullmatch(pattern, difference)), None)


def wrong(found: Iterable[str], expected: Mapping[str, str]) -> list[str]:
    """Return each difference without a reason, and each pattern that fits none."""
    there = sorted(set(found))
    gone = [pattern for pattern in expected if not any(re.fullmatch(pattern, one) for one in there)]
    return [f"not expected: {one}" for one in there if not reason(one, expected)] + [f"gone: {pattern}" for pattern in gone]
