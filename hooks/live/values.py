"""What page expressions are worth for one run: numbers, names and the truth of claims."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from hooks.live.errors import LiveError, nearest
from hooks.live.expressions import Claim, Expression, Overrides, claim_of, expression_of
from hooks.live.forms import form_of, js_number, show
from hooks.live.model import Entry, Model, Quantity, Run

# Characters that Markdown or HTML reads inside an element, so that a value never becomes markup.
MARKUP = {ord(character): f"&#{ord(character)};" for character in "\\`*_{}[]|~^<>&$\"'\n"}


@dataclass(frozen=True)
class Shown:
    """An expression with its value in the base unit and the text a reader sees. A choice's value is its id."""

    name: str
    set: str
    form: str
    value: float | str
    unit: str
    text: str

    @cached_property
    def value_text(self) -> str:
        """Return the value as JavaScript's ``String(x)`` writes it."""
        return self.value if isinstance(self.value, str) else js_number(self.value)

    @cached_property
    def html(self) -> str:
        """Return the element that carries the number, safe in HTML and in Markdown."""
        attributes = f'value="{escape(self.value_text)}" data-q="{self.name}" data-set="{escape(self.set)}" data-as="{self.form}"'
        return f'<data class="q" {attributes}>{self.text.translate(MARKUP)}</data>'

    @cached_property
    def reference(self) -> dict[str, str]:
        """Return what the browser needs to evaluate the expression again."""
        return {"q": self.name, "set": self.set, "as": self.form}

    @cached_property
    def record(self) -> str:
        """Return the line of ``numbers.json``."""
        entry = {
            "q": self.name,
            "set": dict(part.split("=", 1) for part in self.set.split(";")) if self.set else {},
            "as": self.form,
            "value": self.value,
            "unit": self.unit,
            "text": self.text,
        }
        # JavaScript's digits, so that a whole double is written 64 and not 64.0.
        return json.dumps(entry, ensure_ascii=False).replace(f'"value": {json.dumps(self.value)}', f'"value": {self._json_value}', 1)

    @property
    def _json_value(self) -> str:
        return json.dumps(self.value) if isinstance(self.value, str) else self.value_text


@dataclass(frozen=True)
class Values:
    """Evaluates a page's expressions for one run; every text is evaluated once.

    Raises: LiveError, one line, for a name, an override or a form that does not exist or does not fit.
    """

    model: Model
    run: Run
    base: Overrides = ()
    _shown: dict[str, Shown] = field(default_factory=dict, repr=False, compare=False)

    def under(self, overrides: Overrides) -> "Values":
        """Return the values of a figure or table that is drawn under ``overrides``; an expression's own override wins."""
        self._check(overrides)
        return Values(self.model, self.run, tuple(sorted({**dict(self.base), **dict(overrides)}.items()))) if overrides else self

    def shown(self, text: str) -> Shown:
        """Return what the expression ``text`` shows."""
        found = self._shown.get(text)
        if found is None:
            found = self._shown[text] = self.evaluate(expression_of(text))
        return found

    def evaluate(self, expression: Expression) -> Shown:
        """Return what ``expression`` shows."""
        overrides = self._merged(expression)
        entry = self._entry(expression.name)
        run = self._run(overrides)
        set_text = Expression(expression.name, overrides).set
        if expression.name in self.model.choices:
            if expression.form:
                raise LiveError(f"{expression.name} is a name and takes no form")
            id, name = run.value(expression.name), run.name_of(expression.name)
            return Shown(expression.name, set_text, "name", str(id), "", name)
        assert entry.unit is not None
        form = expression.form or form_of(entry.unit.form)
        value = self._number(expression.name, run)
        return Shown(expression.name, set_text, str(form), value, entry.unit.name, show(value, entry.unit, form))

    def number(self, expression: Expression) -> float:
        """Return the double of ``expression`` in its base unit."""
        self._entry(expression.name)
        return self._number(expression.name, self._run(self._merged(expression)))

    def holds(self, claim: Claim | Expression) -> bool:
        """Tell whether ``claim`` is true for the run."""
        if isinstance(claim, Expression):
            return bool(self._value(self._predicate(claim).name, self._run(self._merged(claim))))
        truths = [self.holds(part) for part in claim.parts]
        return not truths[0] if claim.operator == "not" else all(truths) if claim.operator == "and" else any(truths)

    def claim(self, text: str) -> Claim | Expression:
        """Return the claim ``text``, each of whose parts is a predicate."""
        claim = claim_of(text)
        for part in _leaves(claim):
            self._predicate(part)
            self._check(part.overrides)
        return claim

    def settable(self, claim: Claim | Expression) -> frozenset[str]:
        """Return the inputs that a reader may set and that could turn ``claim``."""
        return frozenset[str]().union(*(self.model.settable(part.name, self._merged(part)) for part in _leaves(claim)))

    def _predicate(self, expression: Expression) -> Quantity:
        entry = self._entry(expression.name, predicate=True)
        quantity = self.model.quantities.get(entry.name)
        if quantity is None or not quantity.is_predicate:
            predicates = [name for name, entry in self.model.quantities.items() if entry.is_predicate]
            near = nearest(expression.name, predicates)
            raise LiveError(f"{expression.name!r} is a number, not a predicate; a claim takes a predicate{near}")
        if expression.form:
            raise LiveError(f"a claim takes no form: {expression.name}")
        return quantity

    def _entry(self, name: str, *, predicate: bool = False) -> Entry:
        entry = self.model.names.get(name)
        if entry is None:
            wanted: Mapping[str, object] = self.model.names
            raise LiveError(f"unknown {'predicate' if predicate else 'quantity'} {name!r}{nearest(name, wanted)}")
        if not predicate and name in self.model.quantities and self.model.quantities[name].is_predicate:
            raise LiveError(f"{name!r} is a predicate; write it as {{% claim {name} %}}")
        return entry

    def _merged(self, expression: Expression) -> Overrides:
        return tuple(sorted({**dict(self.base), **dict(expression.overrides)}.items())) if self.base else expression.overrides

    def _check(self, overrides: Overrides) -> None:
        try:
            self.model.check_overrides(overrides)
        except ValueError as error:
            raise LiveError(str(error)) from None

    def _run(self, overrides: Overrides) -> Run:
        self._check(overrides)
        try:
            return self.run.with_(**dict(overrides)) if overrides else self.run
        except ValueError as error:
            raise LiveError(str(error)) from None

    def _number(self, name: str, run: Run) -> float:
        if name in self.model.choices:
            raise LiveError(f"{name!r} is a choice, not a number")
        value = self._value(name, run)
        assert isinstance(value, float)
        return value

    def _value(self, name: str, run: Run) -> float | bool | str:
        try:
            return run.value(name)
        except ValueError as error:
            raise LiveError(str(error)) from None


def _leaves(claim: Claim | Expression) -> list[Expression]:
    return [claim] if isinstance(claim, Expression) else [leaf for part in claim.parts for leaf in _leaves(part)]
