"""The theme's style sheets without what no page can use: a phone loads them before it paints anything."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import tinycss2
from tinycss2.ast import AtRule, Declaration, HashToken, IdentToken, Node, QualifiedRule, SquareBracketsBlock

SHEETS = "assets/stylesheets"
BARE = {"skip_comments": True, "skip_whitespace": True}
NESTING = ("media", "supports", "layer", "container")
ATTRIBUTE = re.compile(r'\s(class|id|for|dir|data-md-[\w-]+)="?([^">]*)')
COLOURS = "data-md-color-"  # no script gives the theme a colour that no page names
WORD = re.compile(r"[\w-]+")
CUSTOM = re.compile(r"--[\w-]+")
READ = re.compile(r"var\(\s*(--[\w-]+)")


class Custom(NamedTuple):
    """A custom property as a sheet declares it."""

    name: str
    text: str


def trim(site: Path) -> None:
    """Trim the theme's style sheets in the folder of a built site; whatever a script names counts as used.

    Raises: OSError
    """
    sheets = sorted((site / SHEETS).glob("*.css"))
    pages = _read(site.rglob("*.html"))
    scripts = _read((site / "assets" / "javascripts").rglob("*.js"))
    own = _read(path for path in site.rglob("*.css") if path not in sheets)
    named: dict[str, set[str]] = {}
    for attribute, value in set(ATTRIBUTE.findall(pages)):
        named.setdefault(attribute, set()).update(WORD.findall(value))
    used = set(WORD.findall(scripts)).union(*named.values())
    texts = trimmed([path.read_text(encoding="utf-8") for path in sheets], used, named, set(CUSTOM.findall(own + pages + scripts)))
    for path, text in zip(sheets, texts, strict=True):
        path.write_text(text, encoding="utf-8")


def trimmed(sheets: Sequence[str], used: set[str], named: dict[str, set[str]], read: set[str]) -> list[str]:
    """Return the ``sheets`` without the selectors and the custom properties that nothing asks for.

    A selector asks for its classes, ids and attributes: all of them must be ``used`` words, its colours and direction ``named`` in pages.
    A custom property, which may hold a whole picture, must be among those that others ``read``, or be read in what is kept of the sheets.
    """
    kept = [list(_rules(tinycss2.parse_stylesheet(css, **BARE), used, named)) for css in sheets]
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


def _rules(rules: Sequence[Node], used: set[str], named: dict[str, set[str]]) -> Iterator[str | Custom]:
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            selectors = [selector for selector in _selectors(rule.prelude) if all(_uses(selector, used, named))]
            if selectors:
                yield ",".join(tinycss2.serialize(selector).strip() for selector in selectors) + "{"
                yield from _declarations(rule.content)
                yield "}"
        elif isinstance(rule, AtRule) and rule.lower_at_keyword in NESTING and rule.content:
            within = list(_rules(tinycss2.parse_rule_list(rule.content, **BARE), used, named))
            if within:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{"
                yield from within
                yield "}"
        else:
            yield rule.serialize()


def _declarations(content: Sequence[Node]) -> Iterator[str | Custom]:
    if not any(isinstance(token, IdentToken) and token.value.startswith("--") for token in content):
        yield tinycss2.serialize(content)
        return
    for one in tinycss2.parse_blocks_contents(content, **BARE):
        text = one.serialize().removesuffix(";") + ";"
        yield Custom(one.name, text) if isinstance(one, Declaration) and one.name.startswith("--") else text


def _selectors(prelude: Sequence[Node]) -> list[list[Node]]:
    selectors: list[list[Node]] = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        else:
            selectors[-1].append(token)
    return selectors


def _uses(selector: Sequence[Node], used: set[str], named: dict[str, set[str]]) -> Iterator[bool]:
    """Yield for each name in the selector whether it is used; of what stands in ``:not(…)`` and its kin nothing is asked."""
    for before, token in zip((None, *selector), selector, strict=False):
        if isinstance(token, HashToken) or (isinstance(token, IdentToken) and before == "."):
            yield token.value in used
        if isinstance(token, SquareBracketsBlock):
            name, *value = (part.value for part in token.content if part.type in ("ident", "string"))
            if name == "dir" or name.startswith(COLOURS):
                yield named.get(name, set()).issuperset(value)


def _read(paths: Iterator[Path]) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))
