"""The site on a phone: at every width, and with letters twice as large, nothing is cut, too small for a finger, or in the way."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from hooks.live.links import address as address_of
from tests.browser.reader import Reader
from tests.support import pages

CHARTS = ["cost-of-communication/", "where-2p-comes-from/", "walkthrough-to-bill/", "work-it-out/"]
SIZES = [(320, 568), (360, 640), (390, 844), (768, 1024), (844, 390)]
LETTERS = {"as usual": 16, "twice as large": 32}  # the reader's own size of text, in pixels
RUNS = [
    "",
    "?gpus=1&accelerator=mi300x&link=nvlink",
    "?gpus=1000000000",
    "?params=1000000000000000&gpus=2",
    "?params=1000000000000000&gpus=1000000000&bytes_per_param=8&link=infiniband_edr",
    "?params=1000000000000000&gpus=999999999&bytes_per_param=8&tokens=1",
    f"?mfu=0.{'0' * 29}1&params=1000000000000000",
    f"?mfu=0.{'0' * 59}1&params=1000000000000000",
]

SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value;
}).observe({ type: "layout-shift", buffered: true });
"""
# Jumps to the ledger, which ends a page, and says where it is some frames later.
AT_THE_END = """
async () => {
  const end = document.querySelector(".ledger > summary");
  end.scrollIntoView({ block: "center", behavior: "instant" });
  for (let frames = 5; frames--; ) await new Promise(requestAnimationFrame);
  const { top, bottom } = end.getBoundingClientRect();
  return [top, bottom, innerHeight];
}
"""
# Small parts of all tests: what a reader sees, what scrolls by itself, where something stands.
COMMON = """
globalThis.isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
globalThis.boxOf = (one) => one.getBoundingClientRect();
globalThis.wordsOf = (one) => `${one.localName} ${one.className}: ${(one.ariaLabel ?? one.textContent).trim().slice(0, 40)}`;
"""
# What makes the page wider than the screen, and what of its words and numbers is cut. A formula and the ring's states scroll by themselves.
CUT = """
() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const cut = scrollWidth > clientWidth || innerWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : [];
  const words = "article :is(p, li, dt, dd, th, td, h1, h2, h3, summary, data, caption, figcaption)";
  for (const one of document.querySelectorAll(`${words}, .run *, .card *, .md-header__button, footer *`)) {
    if (!isSeen(one) || one.closest(".steps-track, math, option, thead, .run-said")) continue;
    const { left, right, width } = boxOf(one);
    if (width && (left < -1 || right > clientWidth + 1)) cut.push(wordsOf(one));
  }
  for (const one of document.querySelectorAll("article *")) {
    if (one.scrollWidth <= one.clientWidth + 1 || !isSeen(one) || one.matches(".steps-track, math, :has(> math)")) continue;
    if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) cut.push(wordsOf(one));
  }
  return cut;
}
"""
# A cell that a phone puts below its row's first one, and that does not say of what column it is.
UNNAMED = """
() => [...document.querySelectorAll("article :is(.values, table:not([class])) tbody :is(th, td):not(:first-child)")]
  .filter((one) => one.textContent.trim() && getComputedStyle(one, "::before").content === "none")
  .map(wordsOf)
"""
# What a finger can touch, with the size of it. Words of a sentence are as high as their line; they are told apart by what lies between.
SMALL = """
() => [...document.querySelectorAll("a[href], button, input, select, summary, label")]
  .filter((one) => isSeen(one) && !(getComputedStyle(one).display === "inline" && one.closest("p, li, dt, dd, td, caption, figcaption")))
  .filter((one) => one.localName !== "label" || !isSeen(one.control))
  .filter((one) => { const { width, height } = boxOf(one); return width && (width < 44 || height < 44); })
  .map((one) => `${wordsOf(one)}: ${Math.round(boxOf(one).width)} by ${Math.round(boxOf(one).height)}`)
"""
CLOSE = """
() => {
  const targets = [...document.querySelectorAll("article :is(data.q, a[href])")].filter(isSeen).map((one) => {
    const { x, y, width, height } = one.getClientRects()[0];
    return { one, x: x + width / 2, y: y + height / 2 };
  });
  targets.sort((a, b) => a.y - b.y);
  const close = [];
  targets.forEach((a, at) => {
    for (const b of targets.slice(at + 1)) {
      if (b.y - a.y >= 24) break;
      if (Math.hypot(a.x - b.x, a.y - b.y) < 24 && !a.one.contains(b.one)) close.push(`${wordsOf(a.one)} and ${wordsOf(b.one)}`);
    }
  });
  return close;
}
"""
LABELS = """
() => [...document.querySelectorAll(".figure-chart")].flatMap((box) => {
  const room = boxOf(box);
  const labels = [...box.querySelectorAll("svg text")].filter((one) => isSeen(one) && one.textContent.trim());
  const boxes = labels.map((one) => [one.textContent, boxOf(one)]);
  const isOut = ({ left, right, top, bottom }) =>
    left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1;
  const shared = (a, b, start, end) => Math.min(a[end], b[end]) - Math.max(a[start], b[start]);
  const isOver = (a, b) => shared(a, b, "left", "right") > 1 && shared(a, b, "top", "bottom") > 2;
  return [
    ...(labels.length ? [] : ["no labels"]),
    ...labels.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 12).map((one) => `small: ${one.textContent}`),
    ...boxes.filter(([, at]) => isOut(at)).map(([text]) => `outside: ${text}`),
    ...boxes.flatMap(([text, a], at) => boxes.slice(at + 1).filter(([, b]) => isOver(a, b)).map(([other]) => `${text} over ${other}`)),
  ];
})
"""
# What is shown only as long as a mouse hovers: made visible by a rule for :hover, and not seen without it.
HOVERED = """
() => {
  const rulesOf = (list) => [...list].flatMap((rule) => [rule, ...rulesOf(rule.cssRules ?? [])]);
  return [...document.styleSheets].flatMap((sheet) => rulesOf(sheet.cssRules))
    .filter(({ style }) => style && ["opacity", "display", "visibility"].some((name) => style[name]))
    .flatMap(({ selectorText }) => selectorText?.split(",").filter((one) => one.includes(":hover")) ?? [])
    .flatMap((selector) => [...document.querySelectorAll(selector.replaceAll(":hover", ":is(*)").replace(/::?(before|after)/, ""))])
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && getComputedStyle(one).opacity === "0" && !one.closest("form"))
    .map(wordsOf);
}
"""
WIDE_AS_ITS_BOX = "[...document.querySelectorAll('.figure-chart')].every((box) => box.layout.width === box.clientWidth)"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@contextmanager
def on_a_phone(browser: Browser, address: str, **options: Any) -> Iterator[Reader]:
    with Reader.at(browser, address, **{**PHONE, **options}) as phone:
        phone.page.add_init_script(COMMON)
        yield phone


def comes_slowly(phone: Reader, path: str) -> None:
    """Come to a page whose scripts arrive when it has been painted, as by a slow network."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.page.route("**/run.js", hold)
    phone.page.goto(phone.address + path, wait_until="commit")
    phone.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    for route in held:
        route.continue_()
    phone.waits_for_the_run()


def letters_are(page: Page, pixels: int) -> None:
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": pixels}})


def states(phone: Reader) -> Iterator[str]:
    """Open and close what lies over the page."""
    yield "closed"
    if phone.page.locator(".run-open").count():
        phone.page.evaluate("document.querySelector('.run-open').click()")
        yield "sheet"
        phone.page.keyboard.press("Escape")
    if phone.page.locator("article data.q").count():
        phone.page.evaluate("document.querySelector('article data.q').click()")
        yield "card"
        phone.page.keyboard.press("Escape")


@pytest.mark.parametrize("path", [*map(address_of, pages())])
def test_a_page_is_made_for_a_phone(path: str, browser: Browser, address: str) -> None:
    with on_a_phone(browser, address, viewport={"width": 320, "height": 568}) as phone:
        phone.page.add_init_script(SHIFTS)
        comes_slowly(phone, path)
        phone.opens_everything()
        assert phone.page.evaluate("shifted") < 0.01
        assert phone.page.evaluate(HOVERED) == []
        assert phone.page.evaluate(UNNAMED) == []
        assert_no_figure_traps_the_scroll(phone.page)
        # What is out of sight is not laid out; here all of it is.
        phone.page.add_style_tag(content="* { content-visibility: visible !important; transition: none !important; }")
        faults = []
        for letters, pixels in LETTERS.items():
            letters_are(phone.page, pixels)
            for width, height in SIZES:
                phone.page.set_viewport_size({"width": width, "height": height})
                for state in states(phone):
                    faults += [(letters, width, state, cut) for cut in phone.page.evaluate(CUT)]
                    if letters == "as usual":
                        faults += [(width, state, small) for small in phone.page.evaluate(SMALL)]
                if letters == "as usual":
                    faults += [(width, "close", close) for close in phone.page.evaluate(CLOSE)]
        letters_are(phone.page, LETTERS["as usual"])
        phone.page.set_viewport_size({"width": 320, "height": 568})
        for run in RUNS:
            phone.reads(run or "?")
            faults += [(run, cut) for cut in phone.page.evaluate(CUT)]
        assert faults == []


def test_what_a_reader_jumps_to_stays_in_view(browser: Browser, address: str) -> None:
    """What is laid out only when it comes near would push the end of a page out of sight again."""
    with on_a_phone(browser, address, viewport={"width": 320, "height": 568}) as phone:
        for path in map(address_of, pages()):
            phone.goes_to(path)
            top, bottom, height = phone.page.evaluate(AT_THE_END)
            assert 0 <= top < bottom <= height, path


def assert_no_figure_traps_the_scroll(page: Page) -> None:
    finger = page.context.new_cdp_session(page)
    for figure in page.locator(".figure-chart, .steps-track").all():
        figure.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
        before = page.evaluate("scrollY")
        box = figure.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for kind, up in (("touchStart", 0), ("touchMove", 30), ("touchMove", 60), ("touchMove", 90)):
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - up}]})
        page.wait_for_function("(before) => scrollY > before + 30", arg=before, timeout=5_000)
        finger.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})


@pytest.mark.parametrize("path", CHARTS)
def test_labels_in_a_figure_can_be_read_whatever_the_run(path: str, browser: Browser, address: str) -> None:
    with on_a_phone(browser, address, viewport={"width": 390, "height": 9000}) as phone:
        phone.goes_to(path)
        phone.opens_everything()
        faults = []
        for width in (390, 320):
            phone.page.set_viewport_size({"width": width, "height": 9000})
            phone.page.wait_for_function(WIDE_AS_ITS_BOX)
            for run in RUNS:
                phone.reads(run or "?")
                faults += [(width, run, label) for label in phone.page.evaluate(LABELS)]
        assert faults == []


def test_the_sheet_has_room_however_large_the_letters(browser: Browser, address: str) -> None:
    """As a phone enlarges letters that leaves its own idea of their size alone, by which style sheets ask for the screen's."""
    with on_a_phone(browser, address, viewport={"width": 320, "height": 568}) as phone:
        phone.goes_to("work-it-out/")
        phone.page.add_style_tag(content="html { font-size: 250%; }")
        phone.page.locator(".run-open").tap()
        form, bar = phone.page.locator(".run-sheet").bounding_box(), phone.page.locator(".run").bounding_box()
        assert form
        assert bar
        assert form["height"] > 150
        assert bar["y"] <= form["y"]
        assert form["y"] + form["height"] <= 568


def test_on_its_side_a_phone_has_the_sheet_beside_the_figure(browser: Browser, address: str) -> None:
    with on_a_phone(browser, address, viewport={"width": 844, "height": 390}) as phone:
        phone.goes_to("work-it-out/")
        phone.opens_everything()
        phone.page.locator(".run-open").tap()
        phone.page.wait_for_function(WIDE_AS_ITS_BOX)
        boxes = {name: phone.page.locator(name).first.bounding_box() for name in (".run", ".figure-chart", ".md-header")}
        sheet, chart, header = boxes[".run"], boxes[".figure-chart"], boxes[".md-header"]
        assert sheet
        assert chart
        assert header
        assert chart["x"] + chart["width"] <= sheet["x"]
        assert header["height"] <= chart["y"]
        assert chart["y"] + chart["height"] <= 391
        assert (sheet["y"], sheet["y"] + sheet["height"]) == (header["height"], 390)
        close = phone.page.get_by_role("button", name="Close").bounding_box()
        assert close
        assert close["y"] + close["height"] <= 390
        phone.page.get_by_role("button", name="Close").tap()
        assert phone.page.locator(".figure-chart").first.evaluate("(one) => one.clientWidth") > 700


def test_the_sheet_does_not_cover_the_figure_that_it_is_opened_for(browser: Browser, address: str) -> None:
    with on_a_phone(browser, address) as phone:
        phone.goes_to("work-it-out/")
        phone.opens_everything()
        phone.page.evaluate("document.querySelector('.figure-chart').scrollIntoView({ block: 'end' })")
        phone.page.locator(".run-open").tap()
        chart, sheet = (phone.page.locator(name).first.bounding_box() for name in (".figure-chart", ".run"))
        assert chart
        assert sheet
        assert chart["y"] > 48
        assert chart["y"] + chart["height"] <= sheet["y"]
        assert sheet["height"] <= 0.45 * 844
