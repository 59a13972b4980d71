"""Every quantity and every predicate of the model: symbol, meaning, unit, formula and value."""

import re
from html import escape

from hooks.live.mathml import mathml, symbol
from hooks.live.model import Part, Quantity
from hooks.live.tables import Fragment
from hooks.live.values import Values
from hooks.tables import _parts as parts


def make(values: Values) -> Fragment:
    """Return an entry for each quantity, in the model's reading order, with the id ``formula-NAME``."""
    quantities = values.model.quantities.values()
    return Fragment(f'<div class="entries">{"".join(_entry(values, quantity) for quantity in quantities)}</div>')


def meaning(doc: str) -> str:
    """Return the first paragraph of a docstring as a sentence about the quantity, not about the function."""
    words = " ".join(doc.split("\n\n")[0].split())
    return re.sub(r"^Return (\w)", lambda found: found[1].upper(), words)


def _entry(values: Values, quantity: Quantity) -> str:
    # What a predicate compares is its name; whether that holds is said by claims, on the pages that make them.
    title, left, said = parts.name(quantity.label), "", ""
    if not quantity.is_predicate:
        title = f'<span><math>{symbol(quantity.symbol)}</math> {title}</span><b class="entry-value">{{{{ {quantity.name} }}}}</b>'
        left = quantity.symbol
        said = f'<p class="entry-what">{escape(meaning(quantity.doc), quote=False)}</p>'
    formula = mathml(left, quantity.formula, lambda parameter: _symbol(values, quantity.parameters[parameter]))
    used = {(part.name, part.overrides): part for part in quantity.parameters.values()}
    inputs = "".join(f"<li>{_input(values, part)}</li>" for part in used.values())
    return (
        f'<section class="entry" id="formula-{quantity.name}"><p class="entry-title">{title}</p>'
        f'{said}<div class="entry-formula">{formula}</div>{f"<ul>{inputs}</ul>" if inputs else ""}'
        f'<p class="entry-source"><code>{quantity.name}</code>, {_kind(quantity)}</p></section>'
    )


def _kind(quantity: Quantity) -> str:
    if quantity.is_predicate:
        return "holds or does not"
    unit = quantity.unit.symbol or quantity.unit.plural
    return (f"in {escape(unit)}" if unit else "a plain number") + (", raised to the next step of an axis" if quantity.ladder else "")


def _input(values: Values, part: Part) -> str:
    """Return what a symbol in a formula stands for, with its value."""
    label = parts.name(values.model.names[part.name].label)
    if part.name in values.model.quantities:
        label = f'<a href="#formula-{part.name}">{label}</a>'
    overrides = ", ".join(f'{name}="{value}"' for name, value in part.overrides)
    expression = f"{part.name}({overrides})" if overrides else part.name
    return f"<math>{symbol(_symbol(values, part))}</math>: {label}, {{{{ {expression} }}}}"


def _symbol(values: Values, part: Part) -> str:
    """Return the symbol of what ``part`` stands for; at another choice or example, with that in its index."""
    own = values.model.names[part.name].symbol
    others = ",".join(value for _, value in part.overrides)
    return own + ("," if "_" in own else "_") + others if others else own
