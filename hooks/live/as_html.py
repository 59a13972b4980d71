"""What travels as HTML, since the site generator never reads it: captions, and the sentences that do not hold."""

import re
from html import unescape

from hooks.live.cells import labelled
from hooks.live.draft import Draft
from hooks.live.errors import LiveError
from hooks.live.links import resolved
from hooks.live.source import show_code


def as_html(draft: Draft, markdown: str, span: tuple[int, int], *, inline: bool) -> str:
    """Return ``markdown``, which stands at ``span`` of the page's body, as HTML whose links lead from the page's address.

    Raises: LiveError, at its line, for a link that leads to no file, and for what Markdown cannot read.
    """
    lines = show_code(markdown).strip("\n").split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    text = "\n".join((*(line[indent:] for line in lines), "", *draft.source.definitions))
    try:
        html = draft.engine.markdown(labelled(text)).strip()
    except RecursionError:
        raise LiveError("nested too deeply for Markdown", draft.source.at(span[0])) from None
    paragraph = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.DOTALL)

    def place(target: str) -> str:
        body = draft.source.body
        found = body.find(target, *span)
        # A link by reference has its address elsewhere; one with entities is written otherwise.
        return draft.source.at(found if found >= 0 else max(body.find(target), 0) or span[0])

    return resolved(paragraph[1] if inline and paragraph else html, draft.path, draft.engine.files, place)


def words_of(html: str) -> str:
    """Return the words of an HTML fragment."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def one_block(html: str) -> str:
    """Return HTML without blank lines, which Markdown takes as one block."""
    return re.sub(r"\n\s*\n+", "\n", html.strip()) + "\n"
