"""The gate over every output file: none goes out with a mark of the page language in it."""

import re

from hooks.live.errors import LiveError

# A tag, what the engine hides while it reads, and its own markup where Markdown took it for text.
MARKS = re.compile(r"\{\{|\{%|%\}|[\ue000-\ue003]|&lt;data class=|/// html \|")
LITERAL = re.compile(r"<(pre|code|script|style)\b[^>]*>.*?</\1>|<!--.*?-->", re.DOTALL)


def check_output(name: str, text: str) -> None:
    """Refuse the output file ``name`` if a mark is left in its ``text``, outside code.

    Raises: LiveError
    """
    if not MARKS.search(text):  # as for nearly every file; finding what is literal takes far longer
        return
    text = LITERAL.sub("", text)
    mark = MARKS.search(text)
    if mark:
        around = " ".join(text[max(0, mark.start() - 30) : mark.end() + 40].split())
        raise LiveError(f"a mark of the page language is left in the output: …{around}…", name)
