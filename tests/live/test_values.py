"""What an expression is worth under a figure's overrides: its own win, and a partner is the partner of what the figure draws."""

import pytest

from commcost.catalog import catalog_from
from commcost.model import Model
from hooks.live.expressions import Expression
from hooks.live.values import LONGER_THAN, Values
from tests.live import recipe
from tests.live._engine import data, draw_flour, engine, html, refusal
from tests.support import ROOT

EXAMPLES = {
    "party": {"label": "a party", "guests": 32},
    "kiln": {"label": "in the kiln", "oven": "wood"},
    "feast": {"label": "a feast", "guests": 100, "oven": "wood"},
}
MULTIPLES = {"half_more": {"label": "half as many again", "factor": 1.5, "of": ["guests"]}}
MODEL = Model(catalog_from(recipe.TABLES | {"examples": EXAMPLES, "multiples": MULTIPLES}, "bakery"), recipe)
VALUES = Values(MODEL, MODEL.run())  # six guests, the gas oven


@pytest.mark.parametrize(
    ("base", "expression", "set_text", "value"),
    [
        ("oven=gas", "oven", "oven=gas", "gas"),
        ("oven=wood", 'oven(oven="gas")', "oven=gas", "gas"),
        # The partner of what the figure draws, not of what the run has.
        ("oven=wood", 'oven(oven="other")', "oven=gas", "gas"),
        ("oven=gas", 'oven(oven="other")', "oven=wood", "wood"),
        ("example=kiln", 'oven(oven="other")', "example=kiln;oven=gas", "gas"),
        ("example=party", 'oven(oven="other")', "example=party;oven=other", "wood"),
        ("", 'oven(oven="other")', "oven=other", "wood"),
        # What an example sets, it sets; what it leaves open is the figure's.
        ("oven=gas", 'oven(example="kiln")', "example=kiln", "wood"),
        ("oven=gas", 'oven(example="kiln", oven="other")', "example=kiln;oven=other", "gas"),
        ("oven=wood", 'oven(example="party")', "example=party;oven=wood", "wood"),
        ("oven=other", 'oven(example="party")', "example=party;oven=other", "wood"),
        ("example=kiln", 'guests(example="party")', "example=party;oven=wood", 32),
        ("example=feast", 'guests(example="party")', "example=party;oven=wood", 32),
        ("example=feast", 'oven(example="kiln")', "example=kiln", "wood"),
        # A multiple is of what is set before it, by the run or by an example.
        ("", 'guests(guests="half_more")', "guests=half_more", 9),
        ("", 'guests(example="party", guests="half_more")', "example=party;guests=half_more", 48),
        ("guests=half_more", "guests", "guests=half_more", 9),
        ("guests=half_more", 'guests(example="kiln")', "example=kiln;guests=half_more", 9),
        ("guests=half_more", 'guests(example="party")', "example=party", 32),
        ("example=party", 'guests(guests="half_more")', "example=party;guests=half_more", 48),
        ("oven=wood", 'oven(guests="half_more")', "guests=half_more;oven=wood", "wood"),
    ],
)
def test_an_expression_under_a_figure_s_overrides(base, expression, set_text, value):
    overrides = tuple(tuple(part.split("=")) for part in base.split(";") if part)
    shown = VALUES.under(overrides).shown(expression)
    assert (shown.set, shown.value) == (set_text, value)


@pytest.mark.parametrize(
    ("base", "expression", "what"),
    [
        (("oven", "other"), 'oven(oven="other")', "oven is the other one in the whole figure already; name a choice: oven='other'"),
        (("example", "feast"), 'guests(example="kiln")', "example 'kiln' leaves guests open, which the figure's example 'feast' sets; "),
        (
            ("oven", "gas"),
            'guests(guests="half_mor")',
            "guests is a number, not a choice; name an example that sets it, or a multiple of it: ",
        ),
        (("oven", "gas"), 'oven(example="kilm")', "unknown example 'kilm'; did you mean 'kiln'?"),
        (("oven", "gas"), 'ovem(oven="other")', "unknown quantity 'ovem'; did you mean 'oven'?"),
    ],
)
def test_what_no_overrides_can_say_is_refused(base, expression, what):
    assert refusal(VALUES.under((base,)).shown, expression).startswith(what)


def test_an_example_does_not_lose_what_a_multiple_was_of():
    figure = VALUES.under((("example", "feast"), ("guests", "half_more")))
    assert (figure.shown("guests").set, figure.shown("guests").value) == ("example=feast;guests=half_more", 150)
    assert refusal(figure.shown, 'guests(example="kiln")').startswith(
        "example 'kiln' leaves guests open, which the figure's example 'feast' sets"
    )


def test_a_claim_holds_under_a_figure_s_overrides():
    party = VALUES.under((("example", "party"),))
    claim = party.claim("one_loaf_is_enough")
    assert claim == Expression("one_loaf_is_enough", (("example", "party"),))
    assert not party.holds(claim)
    assert party.settable(claim) == frozenset()
    assert VALUES.settable(VALUES.claim("not one_loaf_is_enough")) == {"guests"}
    assert VALUES.holds(VALUES.claim("one_loaf_is_enough"))


def test_a_figure_of_a_choice_draws_that_choice_s_partner():
    bakery = engine(MODEL, figures={"flour": draw_flour})
    text = '{% figure flour(oven="wood") %}\n{{ oven }}, or {{ oven(oven="other") }}\n{% endfigure %}'
    assert 'data-set="oven=gas" data-as="name">gas oven' in html(text, engine=bakery)
    assert data(text, bakery)["charts"]["f1"]["data"][0]["x"][0]["set"] == "oven=wood"


def test_a_number_may_break_at_the_same_length_here_and_in_the_browser() -> None:
    bind = (ROOT / "docs" / "javascripts" / "bind.js").read_text(encoding="utf-8")
    assert f"const LONGER_THAN = {LONGER_THAN};" in bind
