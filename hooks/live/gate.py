"""The gate over every output file: none goes out with a mark of the page language in it, with a number that Markdown took for code,
or with an element or a link of which an end is missing.
"""

import re
from collections import Counter
from collections.abc import Iterable

from hooks.live.balance import TAG as HTML_TAG
from hooks.live.balance import loose_tag
from hooks.live.errors import LiveError
from hooks.live.places import TAG
from hooks.live.source import PRIVATE, read

# A tag, what the engine hides while it reads, and its own markup where Markdown took it for text.
MARKS = ("{{", "{%", "%}", *PRIVATE, "&lt;data class=", "/// html |")
# A number or a claim as the engine writes it, and as it has to come out; the second also where it came out as code.
WRITTEN = ('<data class="q" ', '<span class="claim" ', "/// html | div.claim[")
ELEMENTS = ('<data class="q" ', '<span class="claim" ', '<div class="claim" ')
CODE = re.compile(r'&lt;data class="q" [^&]*data-q="(\w+)"')
NUMBER = re.compile(r'<data class="q" [^>]*data-q="(\w+)"')
CLAIM = re.compile(r"""(?:class="claim"|div\.claim\[)\s*data-claim=["'](\w+)""")
CLAIM_ELEMENT = re.compile(r'<(?:div|span) class="claim" data-claim="(\w+)"')
# What is left of a link that Markdown took for text: one that is not closed, or one whose definition there is not.
HALF_A_LINK = re.compile(r"\](?:\(|\[[^\[\]\n]*\])\S{0,40}")
LITERAL = re.compile(r"<(pre|code|script|style)\b[^>]*>.*?</\1>|<!--.*?-->", re.DOTALL)


def check_output(name: str, text: str) -> None:
    """Refuse the output file ``name`` if a mark is left in its ``text``, outside code.

    Raises: LiveError
    """
    if not any(mark in text for mark in MARKS):  # as for nearly every file; finding what is literal takes far longer
        return
    text = LITERAL.sub("", text)
    for mark in MARKS:
        before, found, after = text.partition(mark)
        if found:
            around = " ".join(f"{before[-30:]}{found}{after[:40]}".split())
            raise LiveError(f"a mark of the page language is left in the output: …{around}…", name)


def check_page(where: str, source: str, markdown: str, html: str) -> None:
    """Refuse the page that ``source`` became ``markdown`` and then ``html`` if a number or a claim is no element, an element is not closed,
    or a link is no link.

    Raises: LiveError
    """
    missing = _count(WRITTEN, markdown) - _count(WRITTEN, source) - _count(ELEMENTS, html)
    if missing > 0:
        code = CODE.search(html)
        what = f"{{{{ {code[1]} }}}}" if code else "a number or a claim"
        raise LiveError(
            f"Markdown takes {what} for code, or drops it; put blank lines around what holds it, or indent it less",
            _place(where, source, markdown, html),
        )
    words = LITERAL.sub("", html)
    if loose := loose_tag(words):
        what = "closes nothing" if loose.startswith("</") else "is not closed"
        raise LiveError(
            f"{loose!r:.80} {what}, so that what follows the page would go into it; write both ends", _line(where, source, loose)
        )
    if "](" in words or "][" in words:
        # A name in the catalogue may read like this; what an author has meant for a link stands in the source, unescaped.
        meant = source.replace("\\]", "")
        if half := next((half for half in HALF_A_LINK.findall(HTML_TAG.sub("", words)) if half in meant), ""):
            raise LiveError(
                f"{half!r:.60} is left of a link: what it leads to is not defined, or not closed; if it is no link, make it code",
                _line(where, source, half),
            )


def _place(where: str, source: str, markdown: str, html: str) -> str:
    """Return where in ``source`` stands what is missing from ``html``; without a line if it could be on several."""
    page = read(source, where)
    tags = list(TAG.finditer(page.hidden))
    claims = [tag for tag in tags if tag[2] is not None and tag[2].split()[:1] == ["claim"]]
    there = set(CLAIM_ELEMENT.findall(html))
    lost = [tag for id, tag in zip(CLAIM.findall(markdown), claims, strict=False) if id not in there]
    if not lost:
        names = Counter(NUMBER.findall(markdown)) - Counter(NUMBER.findall(html))
        lost = [tag for tag in tags if tag[1] is not None and names[re.split(r"\W", tag[1].strip(), maxsplit=1)[0]]]
    lines = {page.at(tag.start()) for tag in lost}
    return lines.pop() if len(lines) == 1 else where


def _line(where: str, source: str, text: str) -> str:
    """Return where in ``source`` a tag or another text stands; without a line if that is not plain."""
    found = [*re.finditer(rf"{re.escape(text.rstrip('>'))}(?![\w-])", source, re.IGNORECASE)]
    return f"{where}:{source.count(chr(10), 0, found[0].start()) + 1}" if len(found) == 1 else where


def _count(marks: Iterable[str], text: str) -> int:
    return sum(text.count(mark) for mark in marks)
