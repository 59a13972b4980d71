"""What a reader does with the run, and sees of it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page

KEPT = 4
READY = "document.documentElement.classList.contains('run-ready')"
DEFAULT = {"params": "30", "bytes_per_param": "2", "tokens": "1", "gpus": "64", "accelerator": "h100", "link": "infiniband", "mfu": "40"}
# The contrast of each text in a part of the page with what is behind it, by its words.
CONTRASTS = """
(part) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = (...colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
    return ["white", ...layers];
  };
  return [...document.querySelectorAll(`${part} *`)]
    .filter((one) => one.checkVisibility() && !one.matches("option, script, output.run-said"))
    .filter((one) => one.matches("input, select") || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => {
      const under = behind(one);
      const [a, b] = [luminance(painted(...under, getComputedStyle(one).color)), luminance(painted(...under))];
      return [one.textContent.trim() || one.value || one.name, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
}
"""


_profiles: dict[tuple[Browser, str], tuple[BrowserContext, Page]] = {}


@contextmanager
def new_tab(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """Open a tab at one of a few profiles that are kept from test to test; whatever it stores and may do ends with it.

    To start a profile and its first process takes longer than most tests. The process lives as long as a page of it is open,
    here one that says that nothing is there; so what the scripts compile to is kept as well.
    """
    key = browser, repr(sorted(options.items()))
    if key not in _profiles:
        if len(_profiles) == KEPT:
            _profiles.pop(next(iter(_profiles)))[0].close()
        context = browser.new_context(**options)
        first = context.new_page()
        first.goto(address + "kept-open")
        _profiles[key] = context, first
    context, first = _profiles[key] = _profiles.pop(key)  # the last one used
    try:
        yield context.new_page()
    finally:
        for page in context.pages:
            if page != first:
                page.close()
        context.clear_permissions()
        session = context.new_cdp_session(first)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        session.detach()


@dataclass
class Reader:
    """A reader with a page of their own. Whatever the page throws or complains of, and a request to elsewhere, ends the test."""

    page: Page
    address: str
    problems: list[str] = field(default_factory=list)

    @classmethod
    @contextmanager
    def at(cls, browser: Browser, address: str, **options: Any) -> Iterator["Reader"]:
        with new_tab(browser, address, **{"viewport": {"width": 1280, "height": 800}, **options}) as page:
            yield (reader := cls(page, address))
        assert not reader.problems, reader.problems

    def __post_init__(self) -> None:
        note = self.problems.append
        self.page.on("pageerror", lambda error: note(str(error)))
        self.page.on("console", lambda one: note(f"{one.text} {one.location['url']}") if one.type in ("error", "warning") else None)
        inside = (self.address, "data:", "blob:")
        self.page.on("request", lambda request: None if request.url.startswith(inside) else note(f"a request to {request.url}"))

    def provoked(self, what: str) -> None:
        """Wait for problems that the test has made itself, and forget them: ``what`` is a pattern that each of them has."""
        for _ in range(100):
            if self.problems:
                break
            self.page.wait_for_timeout(100)
        others = [problem for problem in self.problems if not re.search(what, problem)]
        assert self.problems
        assert not others, others
        self.problems.clear()

    def scrolls_sideways(self) -> bool:
        """Return whether the page is wider than the screen; what a phone says of its window grows with what overflows."""
        assert self.page.viewport_size
        return bool(self.page.evaluate("document.documentElement.scrollWidth") > self.page.viewport_size["width"])

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def goes_to(self, path: str) -> None:
        self.page.goto(self.address + path)
        self.waits_for_the_run()

    def reads(self, query: str) -> None:
        """Come to another address of the same page, as by the history: what opens a link reads this one as well."""
        self.page.evaluate("(query) => { history.replaceState(null, '', query); dispatchEvent(new PopStateEvent('popstate')); }", query)

    def waits_for_the_run(self) -> None:
        self.page.wait_for_function(READY)

    def opens_everything(self) -> None:
        """Open what can be opened in the text, and see every figure drawn."""
        self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for box in self.page.locator(".figure-chart").all():
            box.scroll_into_view_if_needed()
            box.locator("svg.main-svg").first.wait_for(timeout=15_000)

    def opens_the_sheet(self) -> None:
        self.page.locator(".run-open").click()

    def field(self, name: str) -> Locator:
        return self.page.locator(f"[name={name}]")

    def sets(self, **texts: str) -> None:
        """Type into fields and choose from lists, as one does with the sheet open, and let it settle."""
        if not self.page.locator(".run-sheet").is_visible():
            self.opens_the_sheet()
        for name, text in texts.items():
            if name in ("accelerator", "link"):
                self.field(name).select_option(text)
            else:
                self.field(name).fill(text)
        self.waits_until_settled()

    def waits_until_settled(self) -> None:
        # In the page's own time: however slow the machine is, what settles sooner comes first.
        self.page.evaluate("new Promise((done) => setTimeout(done, 550))")

    def run(self) -> dict[str, str]:
        """Return what stands in the fields, by name."""
        return dict(self.page.locator(".run [name]").evaluate_all("all => all.map((one) => [one.name, one.value])"))

    def changed(self) -> dict[str, str]:
        """Return what stands in the fields that are not the default's."""
        return {name: text for name, text in self.run().items() if text != DEFAULT[name]}

    def line(self) -> str:
        return self.text_of(".run-text").replace("\u00a0", " ")

    def notices(self) -> list[str]:
        return self.page.locator(".run-notice").all_inner_texts()

    def search(self) -> str:
        return str(self.page.evaluate("location.search"))

    def numbers(self) -> list[tuple[str, str]]:
        """Return each number of the page: its double and its text."""
        got = self.page.locator("data.q").evaluate_all("all => all.map((one) => [one.value, one.textContent])")
        return [(value, text) for value, text in got]

    def text_of(self, selector: str) -> str:
        return " ".join(self.page.locator(selector).first.inner_text().split())
