"""What page expressions are worth for one run: numbers, names and the truth of claims."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from hooks.live.errors import LiveError, nearest
from hooks.live.expressions import Claim, Expression, Overrides, claim_of, expression_of
from hooks.live.forms import form_of, js_number, show
from hooks.live.model import Entry, Model, Run

EXAMPLE, OTHER = "example", "other"  # the override that names an example, and the choice that is another one's partner
# Characters that Markdown or HTML reads inside an element, so that a value never becomes markup.
MARKUP = {ord(character): f"&#{ord(character)};" for character in "\\`*_{}[]|~^<>&$\"'\n"}
LONGER_THAN = 14  # characters; a longer number may break at the edge of a page, here and in bind.js


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
        may_break = ' data-long=""' if len(self.text) > LONGER_THAN else ""
        return f'<data class="q" {attributes}{may_break}>{self.text.translate(MARKUP)}</data>'

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
    """Evaluates a page's expressions for one run; every text is evaluated once. ``kept`` is what others make of them once.

    Raises: LiveError, one line, for a name, an override or a form that does not exist or does not fit.
    """

    model: Model
    run: Run
    base: Overrides = ()
    kept: dict[object, object] = field(default_factory=dict, repr=False, compare=False)
    _shown: dict[str, Shown] = field(default_factory=dict, repr=False, compare=False)

    def under(self, overrides: Overrides) -> "Values":
        """Return the values of a figure or table that is drawn under ``overrides``; an expression's own override wins."""
        self._check(overrides)
        return Values(self.model, self.run, self._on_base(overrides, frozenset(self.model.inputs))) if overrides else self

    def shown(self, text: str) -> Shown:
        """Return what the expression ``text`` shows."""
        found = self._shown.get(text)
        if found is None:
            found = self._shown[text] = self.evaluate(expression_of(text))
        return found

    def evaluate(self, expression: Expression) -> Shown:
        """Return what ``expression`` shows."""
        entry = self._entry(expression.name)
        overrides = self._merged(expression)
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
        try:
            text = show(value, entry.unit, form)
        except LiveError as error:
            raise LiveError(f"{expression.name}: {error}") from None
        return Shown(expression.name, set_text, str(form), value, entry.unit.name, text)

    def number(self, expression: Expression) -> float:
        """Return the double of ``expression`` in its base unit."""
        self._entry(expression.name)
        return self._number(expression.name, self._run(self._merged(expression)))

    def holds(self, claim: Claim | Expression) -> bool:
        """Tell whether ``claim``, as ``Values.claim`` gave it, is true for the run."""
        if isinstance(claim, Expression):
            return bool(self._value(claim.name, self._run(claim.overrides)))
        truths = [self.holds(part) for part in claim.parts]
        return not truths[0] if claim.operator == "not" else all(truths) if claim.operator == "and" else any(truths)

    def claim(self, text: str) -> Claim | Expression:
        """Return the claim ``text``, each of whose parts is a predicate, with a figure's overrides written out."""
        return self._placed(claim_of(text))

    def settable(self, claim: Claim | Expression) -> frozenset[str]:
        """Return the inputs that a reader may set and that could turn ``claim``, as ``Values.claim`` gave it."""
        if isinstance(claim, Expression):
            return self.model.settable(claim.name, claim.overrides)
        return frozenset[str]().union(*(self.settable(part) for part in claim.parts))

    def _placed(self, claim: Claim | Expression) -> Claim | Expression:
        if isinstance(claim, Claim):
            return Claim(claim.operator, tuple(self._placed(part) for part in claim.parts))
        self._check_predicate(claim)
        self._check(claim.overrides)
        return Expression(claim.name, self._merged(claim))

    def _check_predicate(self, expression: Expression) -> None:
        entry = self._entry(expression.name, predicate=True)
        quantity = self.model.quantities.get(entry.name)
        if quantity is None or not quantity.is_predicate:
            near = nearest(expression.name, self._predicates)
            raise LiveError(f"{expression.name!r} is a number, not a predicate; a claim takes a predicate{near}")

    @property
    def _predicates(self) -> list[str]:
        return [name for name, entry in self.model.quantities.items() if entry.is_predicate]

    def _entry(self, name: str, *, predicate: bool = False) -> Entry:
        entry = self.model.names.get(name)
        if entry is None:
            wanted = self._predicates if predicate else self.model.names
            raise LiveError(f"unknown {'predicate' if predicate else 'quantity'} {name!r}{nearest(name, wanted)}")
        if not predicate and name in self.model.quantities and self.model.quantities[name].is_predicate:
            raise LiveError(f"{name!r} is a predicate; write it as {{% claim {name} %}}")
        return entry

    def _merged(self, expression: Expression) -> Overrides:
        """Return the overrides of ``expression`` with those of the figure where it has none."""
        return self._on_base(expression.overrides, self.model.settable(expression.name)) if self.base else expression.overrides

    def _on_base(self, overrides: Overrides, reached: frozenset[str]) -> Overrides:
        """Return ``overrides`` on top of the base, as far as they matter to what depends on the inputs ``reached``.

        What the base fixes is fixed for an example and for ``"other"`` too: an example replaces the settings that it has
        in common with the base, and the partner of a choice that the base fixes is written by its id.
        """
        self._check(overrides)
        own, base = dict(overrides), dict(self.base)
        examples = self.model.examples
        of_example = examples[base[EXAMPLE]].overrides if EXAMPLE in base else {}
        fixed = {**of_example, **{key: base[key] for key in base if key != EXAMPLE}}
        if EXAMPLE in own:
            fixed = {name: value for name, value in fixed.items() if name not in examples[own[EXAMPLE]].overrides}
            numbers = sorted(reached & fixed.keys() & of_example.keys() - self.model.choices.keys())
            if numbers:
                raise LiveError(
                    f"example {own[EXAMPLE]!r} leaves {', '.join(numbers)} open, which the figure's example {base[EXAMPLE]!r} sets; "
                    "one example at a time: let one of them set both"
                )
            base = {name: value for name, value in fixed.items() if isinstance(value, str)}
        for name in [name for name, value in own.items() if value == OTHER and name in fixed]:
            if fixed[name] == OTHER:
                raise LiveError(f"{name} is the other one in the whole figure already; name a choice: {name}={OTHER!r}")
            own[name] = self.model.choices[name][str(fixed[name])].other
        return tuple(sorted({**base, **own}.items()))

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
