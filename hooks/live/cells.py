"""Tables typed in Markdown: each cell learns the head of its column, which a phone shows beside it where it stacks the cells of a row."""

import re

from hooks.live.source import CODE

RULE = r"\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*\n"
ROW = r"\|[^\n]*\|[ \t]*(?:\n|\Z)"
TABLE = re.compile(rf"^(?P<head>{ROW}){RULE}(?P<rows>(?:{ROW})+)", re.MULTILINE)
SEPARATOR = re.compile(r"(?<!\\)\|")
MARKUP = re.compile(r"<[^>]*>|[*_`\\\[\]{}<>\"&]")


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
    labels = ("", *(f' {{ data-head="{head}" }} ' if head else "" for head in heads[1:]))
    return f"|{'|'.join(cell.rstrip() + label if cell.strip() else cell for cell, label in zip(cells, labels, strict=True))}|\n"


def _cells(row: str) -> list[str]:
    return SEPARATOR.split(row.strip()[1:-1])


def _label(head: str) -> str:
    return "" if "<data" in head else " ".join(MARKUP.sub("", head).split())
