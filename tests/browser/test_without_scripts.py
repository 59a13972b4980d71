"""Without scripts and without images a page has its whole content, nothing that waits for a script, and no empty box."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from hooks.live.links import address as address_of
from tests.support import pages

VISIBLE = "(one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })"
# What a script would have to answer; the theme's label of the drawer, and what opens a <details>, need none.
DEAD = f"""
() => [...document.querySelectorAll("button, select, output, [role=button], label[for=__search], input:not(.md-toggle, .md-nav__toggle)")]
  .filter({VISIBLE})
  .map((one) => one.outerHTML.slice(0, 80))
"""
# A room without a word or a drawing in it.
EMPTY = f"""
() => [...document.querySelectorAll("article *, .run, .run *")]
  .filter({VISIBLE})
  .filter((one) => !one.textContent.trim() && !one.matches("svg, svg *, hr, td, th, br") && one.offsetHeight > 4 && one.offsetWidth > 4)
  .map((one) => one.outerHTML.slice(0, 80))
"""
FIGURES = """
() => [...document.querySelectorAll(".figure")].map((figure) => ({
  caption: figure.querySelector("figcaption").innerText.trim(),
  gap: (figure.querySelector(".figure-box")?.offsetHeight ?? 0) - (figure.querySelector(".figure-missing")?.offsetHeight ?? 0),
  rows: [...figure.querySelectorAll("tbody tr")].filter((row) => row.checkVisibility()).length,
}))
"""


@pytest.fixture(params=[(320, 568), (1280, 800)], ids=["phone", "desk"])
def plain(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page in a browser that runs no script and loads no image."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=False)
    context.route("**/*.{png,svg,ico,webp,jpg,gif}", blocked)
    yield context.new_page()
    context.close()


def blocked(route: Route) -> None:
    route.abort()


def test_nothing_is_dead_nothing_is_empty_and_nothing_is_lost(plain: Page, address: str) -> None:
    figures = states = 0
    for path in map(address_of, pages()):
        plain.goto(address + path)
        assert plain.locator("noscript, article img").count() == 0, path
        assert plain.evaluate("document.documentElement.scrollWidth - innerWidth") == 0, path
        assert plain.evaluate(DEAD) == [], path
        assert plain.evaluate(EMPTY) == [], path
        for figure in plain.evaluate(FIGURES):
            figures += 1
            assert figure["caption"], path
            assert figure["rows"] >= 2, path
            assert figure["gap"] == 0, path
        states += plain.locator(".steps-state >> visible=true").count()
        assert plain.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        plain.locator(".ledger > summary").click()
        assert plain.locator(".ledger-row").last.is_visible(), path
    assert figures == 9
    assert states == 7
