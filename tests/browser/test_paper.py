"""Every page on paper, A4 and Letter: open, light, whole to its right edge, with its figures and with the addresses that it leads to."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from hooks.live.links import address as address_of
from tests.browser.reader import Reader
from tests.support import pages

MARGIN = 20  # millimetres
PAPERS = {"A4": (210, 297), "Letter": (215.9, 279.4)}
POINTS, PIXELS = 72 / 25.4, 96 / 25.4  # a millimetre
BOX = re.compile(rb"/MediaBox \[([\d. ]+)\]")
LINK = re.compile(rb"/Rect \[([\d. ]+)\]")

# What reaches beyond the paper's right edge, or is wider than the box that it scrolls or is cut in; both by what they say.
CUT = """
() => [...document.querySelectorAll(".md-main *")]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.matches(".ring-word, .steps-output, .run-said"))
  .filter((one) => {
    const isCut = getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth;
    return isCut || one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5;
  })
  .map((one) => `${one.tagName}.${one.getAttribute("class")}: ${one.textContent.slice(0, 60)}`)
"""
FIGURES = """
() => [...document.querySelectorAll(".figure")].map((figure) => ({
  isChart: Boolean(figure.querySelector(".figure-box")),
  drawn: figure.querySelector(".figure-box")?.checkVisibility() ? figure.querySelector("svg.main-svg")?.clientWidth ?? 0 : null,
  rows: [...figure.querySelectorAll("tbody tr")].filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length,
}))
"""
CLOSED = """
() => [...document.querySelectorAll("details > :not(summary)")]
  .filter((one) => one.checkVisibility && !one.checkVisibility({ contentVisibilityAuto: true }) && !one.matches(".ledger-open, script"))
  .length
"""
# The colours of all that is printed.
COLOURS = """
() => [document.documentElement, document.body, ...document.querySelectorAll(".md-main, .md-main *")]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const { color, backgroundColor, borderTopColor, fill, stroke, colorScheme } = getComputedStyle(one);
    return [one.tagName, color, backgroundColor, borderTopColor, fill, stroke, colorScheme === "dark"].join();
  })
"""
ADDRESSES = """
() => [...document.querySelectorAll("article a[href]:not(.headerlink)")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.getAttribute("href"), getComputedStyle(one, "::after").content, Boolean(one.closest(".entry dd"))])
"""


@pytest.fixture
def dark(browser: Browser, address: str) -> Iterator[Reader]:
    """A reader with a phone and a dark scheme, who prints."""
    with Reader.at(browser, address, viewport={"width": 390, "height": 844}, color_scheme="dark") as one:
        yield one


def goes_to_paper(page: Page, paper: str) -> None:
    """Lay the page out as wide as the paper leaves room, as the printer asks for it."""
    page.set_viewport_size({"width": int((PAPERS[paper][0] - 2 * MARGIN) * PIXELS), "height": 1000})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")


def comes_back(page: Page) -> None:
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.set_viewport_size({"width": 390, "height": 844})


def boxes(pattern: re.Pattern[bytes], pdf: bytes) -> list[list[float]]:
    return [[float(number) for number in found.split()] for found in pattern.findall(pdf)]


@pytest.mark.parametrize("path", pages())
def test_a_page_is_whole_on_paper(path: str, dark: Reader) -> None:
    page, waiting = dark.page, list[Route]()
    page.route("**/javascripts/plotly.min.js", lambda route: waiting.append(route), times=1)
    dark.goes_to(address_of(path) + "?gpus=8")
    # Before plotly has arrived, a figure's table stands for it.
    goes_to_paper(page, "A4")
    assert page.evaluate(CUT) == []
    assert page.evaluate(CLOSED) == 0
    assert all(figure["drawn"] is None and figure["rows"] >= 2 for figure in page.evaluate(FIGURES))
    comes_back(page)

    # It arrives for the first figure that comes near, and the printer gets all of them.
    charts = page.locator(".figure-chart")
    if charts.count():
        charts.first.scroll_into_view_if_needed()
        for _ in range(1000):
            if waiting:
                break
            page.wait_for_timeout(20)
        waiting[0].continue_()
        charts.first.locator("svg.main-svg").first.wait_for()
    for paper in PAPERS:
        goes_to_paper(page, paper)
        assert page.evaluate(CUT) == [], paper
        assert [figure["drawn"] for figure in page.evaluate(FIGURES) if figure["isChart"]] == [640] * charts.count()
    assert page.evaluate(ADDRESSES)
    for href, shown, is_listed in page.evaluate(ADDRESSES):
        assert shown == ("none" if href.startswith("#") or is_listed else f'" ({href})"'), href

    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    printed = page.evaluate(COLOURS)
    page.evaluate("document.body.dataset.mdColorScheme = 'default'")
    assert printed == page.evaluate(COLOURS)
    assert printed[0].startswith("HTML,rgb(0, 0, 0)")  # else the sheets' margins are dark
    comes_back(page)

    assert_fits(page.pdf(format="A4"), "A4")


def assert_fits(pdf: bytes, paper: str) -> None:
    """Check that a PDF has sheets of that paper and that no link, so no line of text, stands in their margins."""
    width, height = PAPERS[paper]
    sheets, links = boxes(BOX, pdf), boxes(LINK, pdf)
    assert sheets
    assert len(links) > 10
    assert all(sheet == pytest.approx([0, 0, width * POINTS, height * POINTS], abs=1) for sheet in sheets)
    assert all(MARGIN * POINTS - 1 <= left <= right <= (width - MARGIN) * POINTS + 1 for left, _, right, _ in links)


def test_the_printer_is_told_before_it_prints(dark: Reader) -> None:
    dark.goes_to("work-it-out/")
    page = dark.page
    page.locator(".figure-chart").scroll_into_view_if_needed()
    page.locator(".figure-chart svg.main-svg").first.wait_for()
    width = page.locator("svg.main-svg").first.evaluate("(svg) => svg.clientWidth")
    page.evaluate(f"addEventListener('beforeprint', () => {{ globalThis.seen = ({FIGURES})(); }})")
    assert_fits(page.pdf(format="Letter"), "Letter")
    assert [figure["drawn"] for figure in page.evaluate("seen")] == [640]
    assert page.locator("svg.main-svg").first.evaluate("(svg) => svg.clientWidth") == width < 390


def test_without_scripts_it_is_whole_as_well(browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": 642, "height": 1000}, java_script_enabled=False) as reader:
        reader.page.emulate_media(media="print")
        for path in pages():
            reader.page.goto(address + address_of(path))
            assert reader.page.evaluate(CUT) == [], path
            assert reader.page.evaluate(CLOSED) == 0, path
            assert all(figure["rows"] >= 2 and not figure["drawn"] for figure in reader.page.evaluate(FIGURES)), path
