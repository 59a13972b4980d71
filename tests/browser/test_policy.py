"""Served below any path under the headers that the build writes, the whole site works and nothing on it is refused."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from hooks.live.links import address as address_of
from tests.browser.reader import Reader
from tests.chromium import serving
from tests.support import pages

# As the site's promise has it, before the theme's own inline scripts.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'self'"
)
HASH = re.compile(r" '(sha256-[A-Za-z0-9+/]{43}=)'")
# The first is the address that the site was built for, which its error page needs; any other serves the pages.
PATHS = ("commcost/", "some/where else/")
LISTEN = "addEventListener('securitypolicyviolation', (event) => console.error(`${event.effectiveDirective}: ${event.blockedURI}`))"


class Inline(HTMLParser):
    """The inline scripts of a page that a browser would run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script" and not {"src", "type"} & dict(attrs).keys()

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = False


@pytest.fixture(scope="module")
def headers(site: Path) -> dict[str, str]:
    """The headers in the file that hosts read, by name."""
    first, *lines = (site / "_headers").read_text(encoding="utf-8").splitlines()
    assert first == "/*"
    return dict(line.removeprefix("  ").split(": ", 1) for line in lines)


@pytest.fixture(scope="module")
def strict(site: Path, headers: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the site is served below each of the paths, under its headers."""
    root = tmp_path_factory.mktemp("root")
    for path in PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path.rstrip("/")).symlink_to(site)
    with serving(root, headers) as address:
        yield address


@pytest.fixture
def watched(browser: Browser, strict: str) -> Iterator[Callable[[str], Reader]]:
    """A function that gives a reader below a path; whatever is refused, is missing or is complained about ends the test."""
    problems: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800}, permissions=["clipboard-read", "clipboard-write"])
    context.add_init_script(LISTEN)
    context.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("response", lambda response: problems.append(f"{response.status}: {response.url}") if response.status >= 400 else None)
    yield lambda path: Reader(context.new_page(), strict + path)
    context.close()
    assert problems == []


def draws_all(page: Page) -> int:
    """Bring each figure near, wait until it is drawn, and return how many there are."""
    charts = page.locator(".figure-chart").all()
    for chart in charts:
        chart.scroll_into_view_if_needed()
        chart.locator("svg.main-svg").first.wait_for()
    return len(charts)


def test_the_headers_are_the_promised_ones_and_the_hashes_those_of_the_theme_s_scripts(site: Path, headers: dict[str, str]) -> None:
    policy = headers.pop("Content-Security-Policy")
    assert headers == {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"}
    assert HASH.sub("", policy) == POLICY
    pages = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    scripts = {script for page in pages for script in Inline(page).scripts}
    assert HASH.findall(policy) == sorted(f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}" for script in scripts)
    # The theme's three, of which one names the way to the site's root: from each depth of page, and from the error page.
    assert len(scripts) == 2 + len({path.count("/") for path in map(address_of, globals()["pages"]())} | {"404"})


def test_no_page_is_refused_anything(watched: Callable[[str], Reader]) -> None:
    reader, figures = watched(PATHS[0]), 0
    for path in [*map(address_of, pages()), "404.html"]:
        reader.goes_to(path)
        figures += draws_all(reader.page)
    assert figures == 8


def test_whatever_a_reader_does_works_below_any_path(watched: Callable[[str], Reader]) -> None:
    reader = watched(PATHS[1])
    page = reader.page
    reader.goes_to("work-it-out/")
    assert draws_all(page) == 1
    before = page.locator(".figure-chart").inner_html()

    reader.sets(gpus="128")
    assert reader.search() == "?gpus=128"
    assert "128" in reader.line()
    assert page.locator(".figure-chart").inner_html() != before
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url

    page.locator("article p data.q").first.click()
    assert page.locator(".card").is_visible()
    page.keyboard.press("Escape")

    page.locator("label[title='Switch to the dark scheme']").click()
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")
    assert page.pdf().startswith(b"%PDF")

    page.locator("input.md-search__input").click()
    page.keyboard.type("walked")
    page.locator(".md-search-result__link").first.click()
    page.wait_for_url("**/ring-walkthrough/**")
    reader.waits_for_the_run()
    assert page.locator("mark").count()
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    assert reader.changed() == {"gpus": "128"}
    page.get_by_role("button", name="next").click()
    page.wait_for_function("document.querySelector('.steps-output').textContent.startsWith('Hop 1')")
