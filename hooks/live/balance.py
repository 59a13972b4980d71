"""A sentence closes what it opens: where the browser puts another in its place, nothing around it may change."""

import re
from html.parser import HTMLParser

from hooks.live.errors import LiveError

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
# What is left of emphasis or of a link whose other end stands elsewhere.
LEFT_OVER = re.compile(r"(?<=\S)\*+|\*+(?=\S)|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)|\]\(")
ESCAPED = re.compile(r"\\[*_\]]")


def balanced(html: str, sentence: str) -> str:
    """Return the ``html`` of a ``sentence`` that closes what it opens, and nothing else: the browser puts another in its place.

    Raises: LiveError
    """
    reader = _Ends()
    reader.feed(html)
    reader.close()
    loose = reader.loose or next((f"<{tag}>" for tag in reader.open), "")
    if not loose and not ESCAPED.search(sentence) and (mark := LEFT_OVER.search("".join(reader.text))):
        loose = mark[0]
    if loose:
        raise LiveError(f"{loose!r} in a sentence of a claim has its other end elsewhere; open and close it within the sentence")
    return html


class _Ends(HTMLParser):
    """What a fragment leaves ``open``, the first end without a beginning, and the text that is neither code nor a name."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loose = ""
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """What is written ``<br/>`` opens nothing."""

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1:] == [tag]:
            self.open.pop()
        elif tag not in VOID:
            self.loose = self.loose or f"</{tag}>"

    def handle_data(self, data: str) -> None:
        if not {"code", "pre", "data"}.intersection(self.open):
            self.text.append(data)
