"""What a preview shows where a page, or the whole site, cannot be built, and what it keeps from one build to the next."""

from html import escape

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

DOCUMENT = """\
<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="1">
<title>Not built</title>
<h1>The site cannot be built</h1>
<p><code>{error}</code></p>
<p>The terminal may say more. This page looks again every second.</p>
"""


def page(error: str) -> str:
    """Return what stands in place of a page, as HTML."""
    return f'<div class="admonition failure">\n<p class="admonition-title">Not built</p>\n<p><code>{escape(error)}</code></p>\n</div>\n'


def document(error: str) -> str:
    """Return what stands in place of every page."""
    return DOCUMENT.format(error=escape(error))


class Compiled(BytecodeCache):
    """Templates as Jinja has compiled them, which takes a fifth of a build; each counts for the text that it was compiled from."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()
