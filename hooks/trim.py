"""The theme's style sheets without what no page can use: a phone loads them before it paints anything.

A reading of style sheets that knows strings and brackets and no more: a parser's tree of these takes more time and memory than
the numbers of two hundred pages.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SHEETS = "assets/stylesheets"
NESTING = ("@media", "@supports", "@layer", "@container")
# In a page or a script of the site.
ATTRIBUTE = re.compile(r'\s(class|id|for|dir|data-md-[\w-]+)="?([^">]*)')
COLOURS = "data-md-color-"  # no script gives the theme a colour that no page names
WORD = re.compile(r"[\w-]+")
CUSTOM = re.compile(r"--[\w-]+")
READ = re.compile(r"var\(\s*(--[\w-]+)")
# In a sheet: what hides a sign, what nests and what ends something.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|/\*.*?\*/|\\.|[(\[{]|[)\]}]|[,;]', re.DOTALL)
# In a selector.
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
LEADING = re.compile(r"\A(?:\s|/\*.*?\*/)*", re.DOTALL)
PARENTHESES = re.compile(r"\([^()]*\)")
ASKED_ATTRIBUTE = re.compile(r"""\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*))?[^\]]*\]""")
ASKED_NAME = re.compile(r"[.#]([\w-]+)(?![\w\\-])")  # one with an escape in it, which no page writes so, is not asked for


class Custom(NamedTuple):
    """A custom property as a sheet declares it."""

    name: str
    text: str


def trim(site: Path) -> None:
    """Trim the theme's style sheets in the folder of a built site; whatever a script names counts as used.

    Raises: OSError
    """
    sheets = sorted((site / SHEETS).glob("*.css"))
    own = set(site.rglob("*.css")).difference(sheets)
    scripts = list((site / "assets" / "javascripts").glob("*.js"))  # below are those of the search, which touch no page
    pages = sorted(site.rglob("*.html"))
    named: dict[str, set[str]] = {}
    for attribute, value in _found(ATTRIBUTE, _fresh(pages)):
        named.setdefault(attribute, set()).update(WORD.findall(value))
    used = _found(WORD, map(_read, scripts)).union(*named.values())
    read = _found(CUSTOM, _fresh(pages)) | _found(CUSTOM, map(_read, (*own, *scripts)))
    texts = [_read(path) for path in sheets]
    # A script makes a name out of such a beginning and what it knows: tabbed-control--next.
    made = tuple(word for word in used if word.endswith("--"))
    used |= {name for name in _found(ASKED_NAME, texts) if name.startswith(made)}
    texts = trimmed(texts, used, named, read)
    for path, text in zip(sheets, texts, strict=True):
        path.write_text(text, encoding="utf-8")


def trimmed(sheets: Sequence[str], used: set[str], named: dict[str, set[str]], read: set[str]) -> list[str]:
    """Return the ``sheets`` without the selectors and the custom properties that nothing asks for.

    A selector asks for its classes, ids and attributes: all of them must be ``used`` words, its colours and direction ``named`` in pages.
    A custom property, which may hold a whole picture, must be among those that others ``read``, or be read in what is kept of the sheets.
    """
    kept = [list(_rules(css, used, named)) for css in sheets]
    parts = [part for sheet in kept for part in sheet]
    values: dict[str, str] = {}
    for part in parts:
        if isinstance(part, Custom):
            values[part.name] = values.get(part.name, "") + part.text
    live, asked = set[str](), read | set(READ.findall("".join(part for part in parts if isinstance(part, str))))
    while asked:
        live |= asked
        asked = {name for one in asked for name in READ.findall(values.get(one, ""))} - live
    return ["".join(part if isinstance(part, str) else part.text if part.name in live else "" for part in sheet) for sheet in kept]


def _rules(css: str, used: set[str], named: dict[str, set[str]]) -> Iterator[str | Custom]:
    for rule in _split(css, ";", "}"):
        before, brace, block = _opened(rule)
        start = LEADING.sub("", before)
        if start.startswith(NESTING):
            within = list(_rules(block, used, named))
            if within:
                yield before + brace
                yield from within
                yield "}"
        elif start.startswith("@") or not brace:
            yield rule
        else:
            selectors = [selector for selector in _split(before, ",") if all(_uses(selector.removesuffix(","), used, named))]
            if selectors:
                yield "".join(selectors).removesuffix(",") + brace
                yield from _declarations(block)
                yield "}"


def _opened(rule: str) -> tuple[str, str, str]:
    brace = next((token for token in TOKEN.finditer(rule) if token[0] == "{"), None)
    return (rule[: brace.start()], "{", rule[brace.end() :].removesuffix("}")) if brace else (rule, "", "")


def _declarations(block: str) -> Iterator[str | Custom]:
    if "--" not in block:
        yield block
        return
    for one in _split(block, ";"):
        name = CUSTOM.match(one)
        yield Custom(name[0], one) if name else one


def _uses(selector: str, used: set[str], named: dict[str, set[str]]) -> Iterator[bool]:
    """Yield for each name in the selector whether it is used; of what stands in ``:not(…)`` and its kin nothing is asked."""
    selector = COMMENT.sub("", selector)
    while PARENTHESES.search(selector):
        selector = PARENTHESES.sub("", selector)
    for name, value in ASKED_ATTRIBUTE.findall(selector):
        if name == "dir" or name.startswith(COLOURS):
            yield named.get(name, set()).issuperset(WORD.findall(value))
    for name in ASKED_NAME.findall(ASKED_ATTRIBUTE.sub("", selector)):
        yield name in used


def _split(css: str, *ends: str) -> Iterator[str]:
    """Yield the parts of ``css``, each with the sign that ends it, where that stands outside strings and other brackets."""
    depth = start = 0
    for token in TOKEN.finditer(css):
        depth += (token[0] in "([{") - (token[0] in ")]}")
        if not depth and token[0] in ends:
            yield css[start : token.end()]
            start = token.end()
    if start < len(css):
        yield css[start:]


def _found(pattern: re.Pattern[str], texts: Iterable[str]) -> set[Any]:
    return {found for text in texts for found in pattern.findall(text)}


def _fresh(pages: Iterable[Path]) -> Iterator[str]:
    """Yield of each page the tags, with the text before them, that the page before it had not: most of a page is its frame.

    One page at a time, since those of a large site together would weigh.
    """
    last: set[str] = set()
    for path in pages:
        tags = set(_read(path).split(">"))
        yield ">".join(tags - last)
        last = tags


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
