"""The one comment on a pull request. What the build says stands in a code block, where it is text and nothing else."""

import re
import unicodedata

MARK = "<!-- the preview of this pull request -->"
MOST_CHARACTERS = 30_000
# Four, and no run within the text is as long, so the text cannot end its block.
FENCE = "`" * 4


def live(changes: str, *, commit: str, link: str) -> str:
    """Return the comment for a preview that can be read at ``link``."""
    return f"{MARK}\nPreview of commit {commit}: {link}\n\n{_quoted(changes)}\n"


def waiting(changes: str, *, commit: str, label: str) -> str:
    """Return the comment for a fork's pull request: what changes, and what it takes to put the preview up."""
    return (
        f"{MARK}\nCommit {commit} is built, from a fork. A maintainer who has read that commit can put its preview up "
        f"with the label `{label}`; another commit needs the label anew.\n\n{_quoted(changes)}\n"
    )


def gone() -> str:
    """Return the comment for a pull request that is closed."""
    return f"{MARK}\nThe pull request is closed and its preview is gone.\n"


def _quoted(changes: str) -> str:
    """Return the text in a code block: no mention, link, image, markup or reference in it means anything there."""
    text = "".join(_seen(character) for character in changes.replace("\r\n", "\n")).strip()
    text = re.sub(f"{FENCE}+", FENCE[1:], text) or "The build says nothing about changes."
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS].rstrip() + "\n… and more, which is cut off here."
    return f"{FENCE}markdown\n{text}\n{FENCE}"


def _seen(character: str) -> str:
    """Return the character, or a space for a control character, one that turns the text's direction, or one that is not seen."""
    return character if character == "\n" or unicodedata.category(character)[0] not in "CZ" else " "
