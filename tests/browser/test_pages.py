"""The pages and what lies beside them agree: every link leads somewhere, and numbers.json lists what is shown."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser

from hooks.live.forms import js_number
from hooks.live.links import address as address_of
from tests.browser.reader import Reader
from tests.support import SITES, pages

# The numbers of a page without scripts: those that stand in it, and those that its charts and its attributes hold.
# A sentence that does not hold is not shown, and its numbers are not listed; nor are those of the ledger, which explains the others.
STANDING = "all => all.map((one) => [one.dataset.q, one.dataset.set, one.dataset.as, one.value, one.textContent])"
HELD = """
(blocks) => {
  const found = [];
  const walk = (node) => {
    if (node === null || typeof node !== "object") return;
    if (typeof node.q === "string") found.push([node.q, node.set, node.as]);
    Object.values(node).forEach(walk);
  };
  for (const block of blocks) {
    const { charts, texts } = JSON.parse(block.textContent);
    walk(charts);
    walk(texts);
  }
  return found;
}
"""


@pytest.mark.parametrize("site", ["cluster"], indirect=True)
def test_a_site_of_one_s_own_fits_a_narrow_screen_in_the_dark(browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": 390, "height": 844}, color_scheme="dark") as reader:
        for path in pages():
            reader.goes_to(address_of(path))
            reader.opens_everything()
            assert not reader.scrolls_sideways(), path
            assert reader.page.evaluate("document.body.dataset.mdColorScheme") == "slate", path


@pytest.mark.parametrize("site", SITES, indirect=True)
def test_every_link_leads_to_a_file_and_to_a_place_in_it(site: Path) -> None:
    # The sentences that do not hold travel in JSON, with their quotes escaped.
    texts = {path: path.read_text(encoding="utf-8").replace('\\"', '"') for path in site.rglob("index.html")}
    places = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in texts.items()}
    broken, found = [], 0
    for path, text in texts.items():
        here = f"https://here/{path.relative_to(site).as_posix()}"
        for link in map(unescape, re.findall(r'<(?:a|area|img|link|script)\b[^<>]*?\s(?:href|src)="([^"]*)"', text)):
            url = urlsplit(urljoin(here, link))
            target = site / unquote(url.path.lstrip("/"))
            target = target / "index.html" if target.is_dir() else target
            found += url.netloc == "here"
            if url.netloc == "here" and (not target.is_file() or (url.fragment and url.fragment not in places[target])):
                broken.append((here, link))
    assert found > 500
    assert broken == []


@pytest.mark.parametrize("site", SITES, indirect=True)
def test_the_shown_numbers_are_those_of_numbers_json(browser: Browser, address: str, site: Path) -> None:
    told: dict[str, Any] = json.loads((site / "numbers.json").read_text(encoding="utf-8"))
    assert set(told["pages"]) == {address_of(path) for path in pages()}
    page = browser.new_page(java_script_enabled=False)
    for name, entries in told["pages"].items():
        page.goto(address + name)
        standing = page.locator("article data.q:not(.ledger *)").evaluate_all(STANDING)
        assert standing, name
        listed = {(entry["q"], _set(entry), entry["as"], _string(entry["value"]), entry["text"]) for entry in entries}
        assert {tuple(number) for number in standing} <= listed, name
        held = page.locator("article script.live-data").evaluate_all(HELD)
        found = {tuple(number[:3]) for number in (*standing, *held)}
        assert found <= {number[:3] for number in listed}, name
        description = str(page.locator("meta[name=description]").get_attribute("content"))
        assert [number for number in listed if number[:3] not in found and number[-1] not in description] == [], name
    page.close()


def _set(entry: dict[str, Any]) -> str:
    return ";".join(f"{name}={value}" for name, value in entry["set"].items())


def _string(value: float | str) -> str:
    """Return a value as the page writes it; a choice's is its id."""
    return value if isinstance(value, str) else js_number(float(value))
