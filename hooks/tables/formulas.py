"""Every quantity and every predicate: symbol, meaning, assumption, unit, formula, inputs, value, sensitivity, and where it is used."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape

from hooks.live.mathml import mathml, symbol, symbol_of
from hooks.live.model import Part, Quantity
from hooks.live.tables import Appearances, Listing
from hooks.live.values import Values
from hooks.tables import _parts as parts


def make(values: Values) -> Listing:
    """Return an entry for each quantity, in the model's reading order, with the id ``formula-NAME``."""

    users: dict[str, list[str]] = defaultdict(list)
    for quantity in values.model.quantities.values():
        for name in {part.name for part in quantity.parameters.values()}:
            users[name].append(_linked(quantity))

    def html(appearances: Appearances) -> str:
        entries = (_entry(values, quantity, users[quantity.name], appearances) for quantity in values.model.quantities.values())
        return f'<div class="entries entries-live">{" ".join(entries)}</div>'

    return Listing(html)


def meaning(doc: str) -> str:
    """Return the first paragraph of a docstring as a sentence about the quantity, not about the function."""
    return re.sub(r"^Return (\w)", lambda found: found[1].upper(), _paragraphs(doc)[0])


def assumption(doc: str) -> str:
    """Return the paragraph of a docstring that says what its formula assumes; "" where there is none."""
    return next((paragraph for paragraph in _paragraphs(doc) if paragraph.startswith("Assumes ")), "")


def _paragraphs(doc: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in doc.split("\n\n")]


def _entry(values: Values, quantity: Quantity, users: Sequence[str], appearances: Appearances) -> str:
    # What a predicate compares is its name; whether that holds is said by claims, on the pages that make them.
    title, said = str(parts.name(quantity.label)), ""
    if not quantity.is_predicate:
        title = f'<span><math>{symbol(quantity.symbol)}</math> {title}</span> <b class="entry-value">{{{{ {quantity.name} }}}}</b>'
        said = f' <p class="entry-what">{escape(meaning(quantity.doc), quote=False)}</p>'
    used = {(part.name, part.overrides): part for part in quantity.parameters.values()}
    inputs = " ".join(f"<li>{_input(values, quantity, part)}</li>" for part in used.values())
    return (
        f'<section class="entry" id="formula-{quantity.name}"><p class="entry-title">{title}</p>{said} '
        f'<div class="entry-formula">{mathml(quantity, values.model)}</div> {f"<ul>{inputs}</ul> " if inputs else ""}'
        f"<dl>{' '.join(_facts(values, quantity, users, appearances))}</dl> "
        f'<p class="entry-source"><code>{quantity.name}</code>, {_kind(quantity)}</p></section>'
    )


def _facts(values: Values, quantity: Quantity, users: Sequence[str], appearances: Appearances) -> Iterator[str]:
    """Yield what else is known of a quantity, each as a term with its descriptions."""
    lines = {
        "Assumes": [escape(assumption(quantity.doc).removeprefix("Assumes "), quote=False)] if assumption(quantity.doc) else [],
        "With more of one input": list(_sensitivities(values, quantity)),
        "Used by": [", ".join(users)],
        "On the pages": [", ".join(f'<a href="{page.href}">{escape(page.title)}</a>' for page in appearances.get(quantity.name, ()))],
    }
    for term, descriptions in lines.items():
        if any(descriptions):
            yield " ".join((f"<dt>{term}</dt>", *(f"<dd>{description}</dd>" for description in descriptions)))


def _sensitivities(values: Values, quantity: Quantity) -> Iterator[str]:
    """Yield what a multiple of each input does to a quantity that depends on it."""
    if quantity.is_predicate:
        return
    reached = values.model.settable(quantity.name)
    for multiple in values.model.multiples.values():
        for name in (name for name in multiple.of if name in reached):
            overrides = f'({name}="{multiple.name}")'
            yield f"{_multiplied(values, name, overrides)}: {{{{ {quantity.name} }}}} → {{{{ {quantity.name}{overrides} }}}}"


def _multiplied(values: Values, name: str, overrides: str) -> str:
    """Return an input's value, multiplied, as the field shows it in which it is typed; one without a noun of its own is named."""
    entry = values.model.inputs[name]
    shown = f"{{{{ {name}{overrides}{' | percent' if entry.field == '%' else ''} }}}}"
    return shown if entry.unit and entry.unit.plural else f"{shown} {parts.name(entry.label)}"


def _linked(quantity: Quantity) -> str:
    return f'<a href="#formula-{quantity.name}">{parts.name(quantity.label)}</a>'


def _kind(quantity: Quantity) -> str:
    if quantity.is_predicate:
        return "holds or does not"
    unit = quantity.unit.symbol or quantity.unit.plural
    return (f"in {escape(unit)}" if unit else "a plain number") + (", raised to the next step of an axis" if quantity.ladder else "")


def _input(values: Values, quantity: Quantity, part: Part) -> str:
    """Return what a symbol in a quantity's formula stands for, with its value; factors that are compared may differ in a late digit."""
    names, quantities = values.model.names, values.model.quantities
    label = _linked(quantities[part.name]) if part.name in quantities else parts.name(names[part.name].label)
    overrides = ", ".join(f'{name}="{value}"' for name, value in part.overrides)
    expression = f"{part.name}({overrides})" if overrides else part.name
    unit = names[part.name].unit
    form = " | significant(6)" if quantity.is_predicate and unit and not (unit.symbol or unit.plural) else ""
    return f"<math>{symbol(symbol_of(part, values.model))}</math>: {label}, {{{{ {expression}{form} }}}}"
