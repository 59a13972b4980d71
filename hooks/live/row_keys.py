"""Keys of the ledger's rows: a name at the overrides that matter to it, and what it is made of."""

from dataclasses import dataclass

from hooks.live.expressions import Expression, Overrides
from hooks.live.model import EXAMPLE, OTHER
from hooks.live.values import Values


@dataclass(frozen=True)
class Key:
    """A name at the overrides that matter to it."""

    name: str
    overrides: Overrides

    @property
    def set(self) -> str:
        """Return the overrides as ``data-set`` holds them."""
        return Expression(self.name, self.overrides).set

    @property
    def id(self) -> str:
        """Return the id of the row, in which the browser finds what a number is of."""
        return f"{self.name}|{self.set}"


def unmultiplied(text: str, values: Values) -> Overrides:
    """Return the overrides of a number without multiples of an input: what these make of it is told by a copy of its row."""
    parts = (part.partition("=") for part in text.split(";") if part)
    return tuple((name, value) for name, _, value in parts if name == EXAMPLE or name in values.model.choices)


def key_of(name: str, overrides: Overrides, values: Values) -> Key:
    """Keep the overrides that reach the name: the arithmetic of a step does not care for the link."""
    reached = _reached(name, dict(overrides), values)
    examples = values.model.examples
    kept = [(key, value) for key, value in overrides if key in reached or (key == EXAMPLE and reached & examples[value].overrides.keys())]
    return Key(name, tuple(kept))


def parts_of(key: Key, values: Values) -> dict[str, Key | None]:
    """Return what each parameter of a row stands for; None where no row says it (a partner's partner, a multiple)."""
    quantity = values.model.quantities.get(key.name)
    parameters = quantity.parameters if quantity else {}
    return {name: _inner(part.name, part.overrides, key.overrides, values) for name, part in parameters.items()}


def named_in(key: Key, values: Values) -> tuple[Key, ...]:
    """Return the choices of a row whose names follow the run or another choice, so that they are values themselves."""
    return tuple(
        key_of(name, key.overrides, values)
        for name, value in key.overrides
        if name not in (key.name, EXAMPLE) and (value == OTHER or values.model.choices[name][value].name is None)
    )


def _inner(name: str, overrides: Overrides, outer: Overrides, values: Values) -> Key | None:
    around, own = dict(outer), dict(overrides)
    if (EXAMPLE in around and EXAMPLE in own) or not own.keys() <= {EXAMPLE, *values.model.choices}:
        return None
    for choice in [choice for choice, value in own.items() if value == OTHER and choice in around]:
        if around[choice] == OTHER:
            return None
        own[choice] = values.model.choices[choice][around[choice]].other
    return key_of(name, tuple(sorted({**around, **own}.items())), values)


def _reached(name: str, overrides: dict[str, str], values: Values) -> frozenset[str]:
    """Return the inputs that a name depends on; what a record without a name is called depends on every choice."""
    records = values.model.choices.get(name)
    if records is None:
        return values.model.settable(name)
    chosen = records.get(overrides.get(name, ""))
    may_be_nameless = any(record.name is None for record in ([chosen] if chosen else records.values()))
    return frozenset({name, *values.model.choices} if may_be_nameless else {name})
