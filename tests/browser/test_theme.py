"""A page looks as with the theme's whole style sheets: what is trimmed from them was not in use."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import material
import pytest
from playwright.sync_api import Browser, Page

from hooks.trim import SHEETS

PAGE = "terminology/"  # without a figure, which may be drawn a frame later
LOOK = """
() => {
  const of = (style) => ["color", "background-color", "font", "display", "margin", "padding", "border", "box-shadow", "opacity", "content",
    "mask-image", "transform", "visibility"].map((name) => style.getPropertyValue(name)).join();
  return [...document.querySelectorAll("body, body *")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const parts = [null, "::before", "::after"].map((part) => of(getComputedStyle(one, part)));
    return [one.localName, one.className, x, y, width, height, ...parts].join();
  });
}
"""
BOXES = """
() => [...document.querySelectorAll("body *")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.className, x, y, width, height].join();
}).join()
"""
STILL = "*, ::before, ::after { transition: none !important; animation: none !important }"
ALIKE = 5
PATIENCE = 60.0  # seconds


def settled(page: Page) -> list[str]:
    """Return the look of every element, once it stays: the theme places sidebar, header and results some frames later."""
    alike, boxes, end = 0, "", time.monotonic() + PATIENCE
    while alike < ALIKE:
        page.wait_for_timeout(50)
        last, boxes = boxes, page.evaluate(BOXES)
        alike = alike + 1 if boxes == last else 0
        assert time.monotonic() < end, "something still moves"
    look: list[str] = page.evaluate(LOOK)
    return look


def looks(page: Page, url: str) -> list[str]:
    """Return the look of every element: as the page comes, while something is searched, and on paper."""
    page.goto(url)
    page.add_style_tag(content=STILL)
    page.wait_for_function("document.querySelector('.run-open')")
    look = settled(page)
    page.keyboard.press("/")
    page.keyboard.type("ring")
    page.locator(".md-search-result__item").first.wait_for(state="attached")
    look += settled(page)
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    look += settled(page)
    page.emulate_media(media="screen")
    return look


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_trimmed_theme_looks_like_the_whole_one(
    width: int, scheme: str, browser: Browser, site: Path, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    whole = shutil.copytree(site, tmp_path / "whole")
    for sheet in (whole / SHEETS).glob("*.css"):
        original = Path(material.__file__).parent / "templates" / SHEETS / sheet.name
        assert original.stat().st_size > 1.5 * sheet.stat().st_size
        shutil.copy2(original, sheet)
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light")
    one, other = (looks(page, serve(folder) + PAGE) for folder in (site, whole))
    assert len(one) > 500
    assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == []
    page.close()
