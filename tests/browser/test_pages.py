"""Every page as a reader meets it: at phone and desktop width, light and dark."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request

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


def said_by(figure: Locator) -> dict[str, float]:
    """Return the values of the figure's table by quantity and overrides."""
    told = figure.locator(".figure-data data.q").evaluate_all("all => all.map((one) => [one.dataset.q + ' ' + one.dataset.set, one.value])")
    return {key.strip(): float(value) for key, value in told if value.replace(".", "").replace("e-", "").isdigit()}


@pytest.mark.parametrize("path", [path for path in pages() if "reference" not in path])
def test_what_a_chart_draws_is_what_its_table_says(path: str, browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + address_of(path))
    Visit(page, address).scroll_through()
    for figure in page.locator("figure:has(.figure-chart)").all():
        said = set(said_by(figure).values())
        drawn = set(figure.locator(".figure-chart").evaluate(READ_BACK))
        if figure.get_attribute("data-figure") != "bill":
            # An exchange is stacked from its two parts, which are equal.
            assert drawn - {0, 1} <= said | {value / 2 for value in said}, figure.get_attribute("data-figure")
    page.close()


def test_the_strip_draws_a_block_for_each_group_of_hops(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "walkthrough-to-bill/")
    Visit(page, address).scroll_through()
    strips = page.locator("figure[data-figure=bill]").all()
    assert len(strips) == 2
    for figure in strips:
        said = {key.split()[0]: value for key, value in said_by(figure).items()}
        copper, cream = figure.locator(".figure-chart").evaluate("(box) => box.data.map((trace) => Array.from(trace.x))")
        for places, start in ((copper, 0.0), (cream, said["ring_half_seconds"])):
            lefts = [block[0] for block in zip(*[iter(places)] * 6, strict=True)]
            assert len(lefts) == math.ceil(said["half_hops"] / said["drawn_block_hops"])
            assert lefts == pytest.approx([start + at * said["drawn_block_seconds"] for at in range(len(lefts))])
        assert said["ring_all_reduce_seconds"] == pytest.approx(2 * said["ring_half_seconds"])
    page.close()


def test_the_shown_numbers_are_those_of_numbers_json(browser: Browser, address: str, site: Path) -> None:
    told: dict[str, Any] = json.loads((site / "numbers.json").read_text(encoding="utf-8"))
    page = browser.new_page(java_script_enabled=False)
    for name, entries in told["pages"].items():
        page.goto(address + name)
        shown = page.locator("article data.q").evaluate_all("all => all.map((one) => [one.dataset.q, one.value, one.textContent])")
        known = {(entry["q"], entry["text"]) for entry in entries}
        assert {(q, text) for q, _, text in shown} <= known, name
    page.close()
