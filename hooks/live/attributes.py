"""Alt texts and titles with numbers in them: plain text on the page, their parts beside it for the browser."""

import re

from hooks.live.draft import Draft
from hooks.live.errors import LiveError
from hooks.live.values import MARKUP, Values


def written(draft: Draft, link: re.Match[str], values: Values) -> str:
    """Return an image or link whose alt text or title holds numbers."""
    text, title, quote = link["text"], link["title"] or "", link["quote"]
    if "{%" in text + title:
        raise LiveError("a claim cannot stand in an alt text, or in a link with a number in its title; say it in the text")
    parts: dict[str, list[str | dict[str, str]]] = {}
    if link["image"]:
        inner = _plain(draft, "alt", text, values, parts)
    else:
        inner = "".join(part if isinstance(part, str) else part.html for part in draft.parts(text, values))
    title = _plain(draft, "title", title, values, parts)
    id = draft.id("t")
    draft.data.setdefault("texts", {})[id] = parts
    quoted = f" {quote}{title}{quote}" if title else ""
    attributes = f'data-live="{id}" {(link["attributes"] or "").strip()}'.strip()
    return f"{link['image'] or ''}[{inner}]({link['address']}{quoted}){{: {attributes} }}"


def _plain(draft: Draft, attribute: str, text: str, values: Values, into: dict[str, list[str | dict[str, str]]]) -> str:
    """Return ``text`` with its numbers as plain text; note its parts where it holds one."""
    parts = draft.parts(text, values)
    if any(not isinstance(part, str) for part in parts):
        into[attribute] = [part if isinstance(part, str) else part.reference for part in parts]
    return "".join(part if isinstance(part, str) else part.text.translate(MARKUP) for part in parts)
