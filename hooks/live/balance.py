"""What is opened is closed: in a page, since its end comes below; in a sentence of a claim, since another may take its place."""

import re

from hooks.live.errors import LiveError

TAG = re.compile(r"""<(/?)([A-Za-z][\w-]*)(?:[^<>"']|"[^"]*"|'[^']*')*?(/?)>""")
VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
# What is no text of the sentence: code, and the numbers and names in it.
LITERAL = re.compile(r"<(code|pre|data)\b.*?</\1>", re.DOTALL)
# What is left of emphasis or of a link whose other end stands elsewhere.
LEFT_OVER = re.compile(r"(?<=\S)\*+|\*+(?=\S)|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)|\]\(")
# With one of these a mark that is left may be meant.
ESCAPED = re.compile(r"\\[*_\]]")


def balanced(html: str, sentence: str) -> str:
    """Return the ``html`` of a ``sentence`` that closes what it opens, and nothing else.

    Raises: LiveError
    """
    loose = loose_tag(html)
    if not loose and not ESCAPED.search(sentence):
        mark = LEFT_OVER.search(TAG.sub("", LITERAL.sub("", html)))
        loose = mark[0] if mark else ""
    if loose:
        raise LiveError(f"{loose!r} in a sentence of a claim has its other end elsewhere; open and close it within the sentence")
    return html


def loose_tag(html: str) -> str:
    """Return an end without a beginning, or a beginning without an end, whichever shows first; "" where there is none."""
    opened: list[str] = []
    for end, written, closed in TAG.findall(html):
        name = written.lower()
        if closed or name in VOID:
            continue
        if not end:
            opened.append(name)
        elif name not in opened:
            return f"</{name}>"
        elif (last := opened.pop()) != name:
            return f"<{last}>"
    return f"<{opened[0]}>" if opened else ""
