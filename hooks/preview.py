"""What a preview shows where a page, or the whole site, cannot be built."""

from html import escape

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
