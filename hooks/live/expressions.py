"""Page expressions: parsed, never executed.

``{{ name }}``, ``{{ name(input="choice", example="node") | form(2) }}``; in claims ``and``, ``or``, ``not`` between predicates.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from hooks.live.errors import LiveError
from hooks.live.forms import Form, form_of

Overrides: TypeAlias = tuple[tuple[str, str], ...]
CLAIMS = 'predicates, name or name(input="choice"), joined by and, or, not'
LANGUAGE = 'name, name(input="choice", example="name"), and | form(digits)'
LONGEST = 1000  # characters; far above any expression, and far below what makes Python's parser slow or its stack deep
# What Python would read past: other alphabets' letters, comments, escapes.
FOREIGN = re.compile(r"[^ -~]|[#\\;]")


@dataclass(frozen=True)
class Expression:
    """A name of the model under overrides, in a form (None: the one of its unit)."""

    name: str
    overrides: Overrides = ()
    form: Form | None = None

    @property
    def set(self) -> str:
        """Return the overrides as ``data-set`` holds them."""
        return ";".join(f"{name}={value}" for name, value in self.overrides)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value}' for name, value in self.overrides)})" if self.overrides else self.name


@dataclass(frozen=True)
class Claim:
    """Predicates joined by ``and``, ``or`` (any number of parts) or ``not`` (one part)."""

    operator: str
    parts: "tuple[Claim | Expression, ...]"

    def __str__(self) -> str:
        inner = [f"({part})" if isinstance(part, Claim) and part.operator != "not" else str(part) for part in self.parts]
        return f"not {inner[0]}" if self.operator == "not" else f" {self.operator} ".join(inner)


@cache
def expression_of(text: str) -> Expression:
    """Return the expression that ``text`` holds.

    Raises: LiveError for anything outside the page language.
    """
    node = _parsed(text)
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)):
        return _named(node, text)
    if isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.BitOr):
        raise LiveError(f"one form at most: {text!r:.200}")
    named = _named(node.left, text)
    return Expression(named.name, named.overrides, form_of(_squeezed(text)[node.right.col_offset : node.right.end_col_offset]))


@cache
def claim_of(text: str) -> Claim | Expression:
    """Return the claim that ``text`` holds: predicates joined by ``and``, ``or``, ``not``.

    Raises: LiveError for anything outside the page language.
    """
    return _claim(_parsed(text, CLAIMS), text)


def _claim(node: ast.expr, text: str) -> Claim | Expression:
    match node:
        case ast.BoolOp(op=op, values=values):
            return Claim("and" if isinstance(op, ast.And) else "or", tuple(_claim(value, text) for value in values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Claim("not", (_claim(operand, text),))
    return _named(node, text, CLAIMS)


def _named(node: ast.expr, text: str, language: str = LANGUAGE) -> Expression:
    match node:
        case ast.Name(id=name):
            return Expression(name)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if keywords:
            overrides = {}
            for keyword in keywords:
                match keyword:
                    case ast.keyword(arg=str(key), value=ast.Constant(value=str(value))) if key not in overrides:
                        overrides[key] = value
                    case ast.keyword(value=ast.Constant(value=int() | float())):
                        raise LiveError(f'an override is no number; name an example that sets it, {name}(example="…"): {text!r:.200}')
                    case _:
                        raise LiveError(f'an override is written input="choice", each input once: {text!r:.200}')
            return Expression(name, tuple(sorted(overrides.items())))
    raise LiveError(f"{text!r:.200} is outside the page language; allowed: {language}")


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _parsed(text: str, language: str = LANGUAGE) -> ast.expr:
    if len(text) > LONGEST:
        raise LiveError(f"an expression of {len(text)} characters, {text[:40]!r} …; at most {LONGEST}")
    text = _squeezed(text)
    if not text:
        raise LiveError(f"an empty expression; allowed: {language}")
    if FOREIGN.search(text):
        raise LiveError(f"{text!r:.200} is outside the page language; allowed: {language}")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # ast.parse raises any of these for text that is not Python, such as deep nesting.
        raise LiveError(f"{text!r:.200} is outside the page language; allowed: {language}") from None
