"""Front matter: the description is computed; nothing else in it may hold a number, since it is copied where nothing updates it."""

import re
from collections.abc import Iterator
from html import escape

import yaml

from hooks.live.draft import Draft
from hooks.live.errors import LiveError
from hooks.live.places import MARK, stray
from hooks.live.source import Source

TEXT = "tag:yaml.org,2002:str"
# What names a file, an icon or a template is no text: icon: material/numeric-2-box.
FILE = re.compile(r"[\w.\-]+(?:/[\w.\-]+)+|[\w\-]+\.[a-z]\w+")


def front_matter(draft: Draft) -> str:
    """Return the front matter with its description computed.

    Raises: LiveError, at its line, for a number, number word or comparison in any text of it.
    """
    source = draft.source
    if not source.front:
        return ""
    node, meta = _parsed(source)
    if not isinstance(node, yaml.MappingNode) or not isinstance(meta, dict):
        raise LiveError("front matter must be names with values", f"{source.where}:1")
    for name, value in list(node.value):
        if name.value in ("title", "description"):
            meta[name.value] = _line(draft, name.value, meta[name.value], _place(source, value.start_mark.index))
        else:
            for text in _texts(value, set()):
                _check(draft, text.value, _place(source, text.start_mark.index))
    return f"---\n{yaml.safe_dump(meta, allow_unicode=True, sort_keys=False, width=10**6)}---\n"


def _parsed(source: Source) -> tuple[yaml.Node | None, object]:
    """Return the front matter as nodes, which know their lines, and as data."""
    try:
        loader = yaml.SafeLoader(source.front)
        node = loader.get_single_node()
        return node, loader.construct_document(node) if node else None
    except Exception as error:  # PyYAML lets through what its parts raise: a KeyError for !!bool, a ValueError for a thirteenth month
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or error
        where = _place(source, mark.index if mark else getattr(error, "position", 0))
        raise LiveError(f"front matter is not YAML: {' '.join(str(problem).split())}", where) from None


def _place(source: Source, index: int) -> str:
    """Return the place of a character of the front matter; YAML's own lines end in more ways than a file's."""
    return f"{source.where}:{source.front.count(chr(10), 0, index) + 2}"


def _texts(node: yaml.Node, seen: set[int]) -> Iterator[yaml.ScalarNode]:
    """Yield the texts in ``node``, and whatever stands in a list, such as a tag that YAML takes for a number."""
    if id(node) in seen:  # an alias, perhaps of what it stands in
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode) and node.tag == TEXT:
        yield node
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _texts(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        yield from (value for value in node.value if isinstance(value, yaml.ScalarNode))
        for value in node.value:
            yield from () if isinstance(value, yaml.ScalarNode) else _texts(value, seen)


def _check(draft: Draft, text: str, where: str) -> None:
    if not FILE.fullmatch(text):
        draft.check(text, lambda _: where)
    if MARK.search(text):
        raise LiveError("of the front matter only the description is computed; say it there, or in the text", where)


def _line(draft: Draft, name: str, text: object, where: str) -> str:
    """Return the title or the description as plain text: it is copied into the page's head."""
    if not isinstance(text, str):
        raise LiveError(f"the {name} must be a text, in quotes: {text!r}", where)
    draft.check(text, lambda _: where)
    if name == "title" and MARK.search(text):
        raise LiveError("a title holds no numbers, since it is copied to places where nothing updates it", where)
    mark = stray(text)
    if mark:
        raise LiveError(f"{mark[0]!r} without its partner; close it, or leave it out", where)
    try:
        parts = draft.parts(text, draft.engine.values)
    except LiveError as error:
        raise LiveError(error.what, where) from None
    # It becomes an attribute as it is.
    return "".join(part.replace('"', "&quot;") if isinstance(part, str) else escape(part.text) for part in parts)
