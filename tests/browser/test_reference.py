"""The reference pages in a browser: the card of what a tenth more of an input does, and tables on a narrow phone."""

import pytest
from playwright.sync_api import Browser

from commcost import Model, load
from hooks.live.expressions import Expression
from hooks.live.forms import form_of
from hooks.live.values import Values
from tests.browser.reader import Reader

FORMULAS, HARDWARE = "reference/formulas/", "reference/hardware/"
RAISED = "#formula-compute_seconds data.q[data-q=compute_seconds][data-set='tokens=tenth_more']"
# Each number of the card: what it is of, and its text.
NUMBERS = "all => all.map(({ dataset: { q, set, as }, value, textContent }) => [q, set, as, value, textContent])"


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


def said(model: Model, inputs: dict[str, float | str], q: str, set: str, as_: str) -> tuple[str, str]:
    """Return the double and the text that Python gives for a number as the page carries it."""
    overrides = tuple(tuple(part.split("=")) for part in set.split(";") if part)
    form = None if as_ == "name" else form_of(as_.replace(".", "(") + ")" if "." in as_ else as_)
    shown = Values(model, model.run(**inputs)).evaluate(Expression(q, overrides, form))
    return shown.value_text, shown.text


def assert_of_the_raised_run(reader: Reader, model: Model, inputs: dict[str, float | str]) -> None:
    numbers = reader.page.locator(".card data.q").evaluate_all(NUMBERS)
    assert len(numbers) > 1
    for q, set, as_, value, text in numbers:
        assert set.split(";")[-1] == "tokens=tenth_more"
        assert (value, text) == said(model, inputs, q, set, as_), (q, set)


def test_the_card_of_a_tenth_more_is_the_number_s_row_of_that_run(reader: Reader, model: Model) -> None:
    reader.goes_to(f"{FORMULAS}?gpus=128&accelerator=b200")
    run: dict[str, float | str] = {"gpus": 128, "accelerator": "b200"}
    page, card = reader.page, reader.page.locator(".card")
    rows = page.locator(".ledger").inner_html()
    page.locator(RAISED).click()
    # 6 × 30e9 × 1.1e6 is 198 PFLOP, over 128 × 2,250e12 × 0.4.
    assert "1.1 million tokens" in card.inner_text()
    assert "198 PFLOP ÷ (128 GPUs × 2,250 TFLOP/s × 0.4) = 1.72 s" in " ".join(card.inner_text().split())
    assert_of_the_raised_run(reader, model, run)
    card.get_by_role("link", name="arithmetic of a step").first.click()
    assert "× 1.1 million tokens = 198 PFLOP" in " ".join(card.inner_text().split())
    assert_of_the_raised_run(reader, model, run)
    card.get_by_role("button", name="Back", exact=True).click()
    assert "= 1.72 s" in card.inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".ledger").inner_html() == rows
    # The number itself has the row of the run as it is.
    page.locator("#formula-compute_seconds .entry-value data.q").click()
    assert "180 PFLOP ÷ (128 GPUs × 2,250 TFLOP/s × 0.4) = 1.56 s" in " ".join(card.inner_text().split())
    page.keyboard.press("Escape")
    # Another run moves the copy as well, with the multiple that it has.
    reader.reads("?gpus=256&accelerator=mi300x&mfu=0.95")
    page.locator(RAISED).click()
    assert_of_the_raised_run(reader, model, {"gpus": 256, "accelerator": "mi300x", "mfu": 0.95})
    page.keyboard.press("Escape")
    page.locator("#formula-communication_to_compute data.q[data-set='mfu=tenth_more'][data-q=communication_to_compute]").click()
    assert "utilisation 1.045:" in card.inner_text()  # 0.95 × 1.1, which no reader could set


@pytest.mark.parametrize("path", [FORMULAS, HARDWARE])
def test_a_narrow_phone_shows_every_number_whole(browser: Browser, address: str, path: str) -> None:
    with Reader.at(browser, address, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True) as phone:
        phone.goes_to(path)
        # What is off the screen is laid out only when it comes near.
        phone.page.add_style_tag(content=".entry { content-visibility: visible !important; }")
        cut = phone.page.locator("article data.q").evaluate_all(
            "all => all.filter((one) => one.checkVisibility()).filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)"
            ".map((one) => one.textContent)"
        )
        assert cut == []
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
