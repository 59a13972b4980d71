"""Claims: of two sentences the page says the one that holds; the other travels beside it for the browser."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hooks.live.as_html import as_html, words_of
from hooks.live.balance import balanced
from hooks.live.draft import Draft, Frame
from hooks.live.errors import LiveError
from hooks.live.expressions import Claim, Expression

CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(kw_only=True)
class OpenClaim(Frame):
    """A claim that is open. ``first`` is its sentence before ``{% otherwise %}``.

    How many numbers the page shows before each sentence tells which are to go: those of the sentence that does not hold.
    """

    claim: Claim | Expression
    numbers_before: int
    first: str | None = None
    numbers_before_second: int = 0


@dataclass(frozen=True)
class Sentences:
    """The sentence of a claim that holds, and the other one (None: a reader cannot turn the claim)."""

    said: str
    unsaid: str | None
    holds: bool


def otherwise(frame: OpenClaim, draft: Draft, inner: int) -> None:
    """Begin the sentence that is true where the claim does not hold."""
    if frame.first is not None:
        raise LiveError("a second {% otherwise %} in one claim; keep one")
    frame.first, frame.said = "".join(frame.said), []
    frame.numbers_before_second, frame.inner = len(draft.shown), inner


def written(frame: OpenClaim, draft: Draft, end: int, *, is_block: bool, indent: str) -> str:
    """Return a claim that ends at ``end``: its sentence that holds, in an element that the browser finds by its id."""
    sentences = _chosen(frame, draft)
    _check_place(draft, frame.start, (sentences.said, sentences.unsaid or ""), is_block=is_block)
    id = draft.id("c")
    entry: dict[str, Any] = {"if": structure(frame.claim), "holds": sentences.holds}
    span = (frame.start, end)
    if sentences.unsaid is not None:
        entry["unsaid"] = balanced(as_html(draft, sentences.unsaid, span, inline=not is_block), sentences.unsaid)
    draft.data.setdefault("claims", {})[id] = entry
    text = words_of(balanced(as_html(draft, sentences.said, span, inline=not is_block), sentences.said))
    draft.predicates.update(_predicates(frame.claim))
    draft.claims.append(json.dumps({"claim": str(frame.claim), "holds": sentences.holds, "text": text}, ensure_ascii=False))
    if is_block:
        said = sentences.said if sentences.said.startswith("\n") else indent + sentences.said.lstrip(" ")
        return f"/// html | div.claim[data-claim='{id}']\n{said.strip(chr(10))}\n{indent}///"
    return f'<span class="claim" data-claim="{id}">{sentences.said.strip()}</span>'


def _check_place(draft: Draft, start: int, sentences: tuple[str, str], *, is_block: bool) -> None:
    """Refuse sentences that end the paragraph or the cell in which a claim stands."""
    if not is_block and any(re.search(r"\n[ \t]*\n", part.strip()) for part in sentences):
        raise LiveError("a claim inside a paragraph or a definition holds one paragraph; put blank lines around the claim")
    before = draft.source.body[draft.source.body.rfind("\n", 0, start) + 1 : start]
    holds_rows = not is_block and any(part.strip().startswith("|") for part in sentences)
    if holds_rows or (before.lstrip(" >").startswith("|") and any(CELL_END.search(part) for part in sentences)):
        raise LiveError("a claim in a table holds a cell or a part of one; write a claim into each cell")


def structure(claim: Claim | Expression) -> object:
    """Return a claim as JSON that the browser evaluates: a name with overrides, or an operator with parts."""
    if isinstance(claim, Expression):
        return {"q": claim.name, "set": claim.set}
    return [claim.operator, *(structure(part) for part in claim.parts)]


def _predicates(claim: Claim | Expression) -> Iterator[str]:
    if isinstance(claim, Expression):
        yield claim.name
    for part in claim.parts if isinstance(claim, Claim) else ():
        yield from _predicates(part)


def _chosen(frame: OpenClaim, draft: Draft) -> Sentences:
    """Return which sentence holds, and drop the other one's numbers, which the page does not show."""
    last = "".join(frame.said)
    if_true, if_false = (last, None) if frame.first is None else (frame.first, last)
    holds, settable = frame.values.holds(frame.claim), frame.values.settable(frame.claim)
    if if_false is None and settable:
        inputs = ", ".join(sorted(settable))
        raise LiveError(f"claim {frame.claim} depends on {inputs}, which a reader may set; add {{% otherwise %}} with what holds then")
    if if_false is None and not holds:
        raise LiveError(f"claim {frame.claim} is false; rewrite the sentence, or add {{% otherwise %}}")
    if if_false is None:
        return Sentences(if_true, None, holds=True)
    first, second = frame.numbers_before, frame.numbers_before_second
    draft.shown[first:] = draft.shown[first:second] if holds else draft.shown[second:]
    return Sentences(if_true, if_false, holds=True) if holds else Sentences(if_false, if_true, holds=False)
