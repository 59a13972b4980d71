"""Tables typed in Markdown: each cell learns the head of its column, which a phone shows beside it where it stacks the cells of a row."""

import re
from html import escape, unescape

from hooks.live.source import CODE

RULE = r"\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*\n"
ROW = r"\|[^\n]*\|[ \t]*(?:\n|\Z)"
# Right below a line of text it would be no table; below one that opens the sentence of a claim it is.
TABLE = re.compile(rf"(?<![^\]\n]\n)^(?P<head>{ROW}){RULE}(?P<rows>(?:{ROW})+)", re.MULTILINE)
SEPARATOR = re.compile(r"(?<!\\)\|")
OWN_ATTRIBUTES = re.compile(r"\{:?[ \t]*([#.\w][^{}]*)\}[ \t]*\Z")
LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
BREAK = re.compile(r"<br[^>]*>")
MARKUP = re.compile(r"<[^>]*>|[*_`\\\[\]{}]")


def labelled(markdown: str) -> str:
    """Return ``markdown`` with the attribute ``data-head`` on the cells of its tables, but for those that head a row or are empty.

    A head with a number in it labels nothing, since an attribute does not follow the run; nor is a row labelled that has other
    cells than the head.
    """
    if not TABLE.search(markdown):
        return markdown
    code = [span.span() for span in CODE.finditer(markdown)]

    def label(table: re.Match[str]) -> str:
        if any(start <= table.start() < end for start, end in code):
            return table[0]
        heads = [_label(head) for head in _cells(table["head"])]
        above = table[0].removesuffix(table["rows"])
        return above + "".join(_row(row, heads) for row in table["rows"].splitlines(keepends=True))

    return TABLE.sub(label, markdown)


def _row(row: str, heads: list[str]) -> str:
    cells = _cells(row)
    if len(cells) != len(heads):
        return row
    return f"|{'|'.join((cells[0], *map(_with_label, cells[1:], heads[1:])))}|\n"


def _with_label(cell: str, head: str) -> str:
    if not head or not cell.strip():
        return cell
    own = OWN_ATTRIBUTES.search(cell)
    text = cell[: own.start()] if own else cell
    return f'{text.rstrip()} {{ {own[1].rstrip() + " " if own else ""}data-head="{head}" }} '


def _cells(row: str) -> list[str]:
    return SEPARATOR.split(row.strip()[1:-1])


def _label(head: str) -> str:
    if "<data" in head:
        return ""
    words = unescape(MARKUP.sub("", BREAK.sub(" ", LINK.sub(r"\1", head))))
    return escape(" ".join(words.split())).replace("|", "&#124;")
