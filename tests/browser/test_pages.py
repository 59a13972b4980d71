"""Every page as a reader meets it: at phone and desktop width, light and dark."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from hooks.live.render import address as address_of
from tests.support import pages

SIZES = ((390, 844), (1280, 800))
READ_BACK = """
(box) => {
  const numbers = (values) => Array.from(values ?? []).filter((value) => typeof value === "number");
  return box.data.flatMap((trace) => [...numbers(trace.x), ...numbers(trace.y)]);
}
"""


class Visit:
    """One page, opened, with what went wrong while it was."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.problems = page, []
        page.on("console", lambda message: self.problems.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self.check(request, origin))

    problems: list[str]

    def check(self, request: Request, origin: str) -> None:
        if not request.url.startswith((origin, "data:", "blob:")):
            self.problems.append(f"a request left the origin: {request.url}")

    def scroll_through(self) -> None:
        """Show every part of the page, so that every figure comes near."""
        for box in self.page.locator(".figure-chart").all():
            box.scroll_into_view_if_needed()
            box.locator("svg.main-svg").first.wait_for(timeout=15_000)


@pytest.fixture(params=[(size, scheme) for size in SIZES for scheme in ("light", "dark")], ids=lambda given: f"{given[0][0]}-{given[1]}")
def opened(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    (width, height), scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", pages())
def test_a_page_is_whole(path: str, opened: Page, address: str) -> None:
    visit = Visit(opened, address)
    opened.goto(address + address_of(path))
    visit.scroll_through()
    assert visit.problems == []
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    dark = opened.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert opened.evaluate("document.body.dataset.mdColorScheme") == ("slate" if dark else "default")


@pytest.mark.parametrize("path", [path for path in pages() if "reference" not in path])
def test_what_a_chart_draws_is_what_its_table_says(path: str, browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + address_of(path))
    Visit(page, address).scroll_through()
    for figure in page.locator("figure:has(.figure-chart)").all():
        drawn = set(figure.locator(".figure-chart").evaluate(READ_BACK))
        said = {float(value) for value in figure.locator(".figure-data data.q").evaluate_all("all => all.map((one) => one.value)") if is_number(value)}
        name = figure.get_attribute("data-figure")
        if name == "bill":
            # The strip's outline has a step for every block; its ends are the numbers of the table.
            assert max(drawn) == pytest.approx(max(value for value in said if value < 1e3), rel=0.2)
        else:
            assert drawn - {0, 1} <= said | sums(said), name
    page.close()


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def sums(values: set[float]) -> set[float]:
    """Return the parts of stacked marks: a half of an exchange is drawn twice."""
    return {value / 2 for value in values}


def test_the_shown_numbers_are_those_of_numbers_json(browser: Browser, address: str, site: Path) -> None:
    told: dict[str, Any] = json.loads((site / "numbers.json").read_text(encoding="utf-8"))
    page = browser.new_page(java_script_enabled=False)
    for name, entries in told["pages"].items():
        page.goto(address + name)
        shown = page.locator("article data.q").evaluate_all("all => all.map((one) => [one.dataset.q, one.value, one.textContent])")
        known = {(entry["q"], entry["text"]) for entry in entries}
        assert {(q, text) for q, _, text in shown} <= known, name
    page.close()
