"""Everyone can read and use the site: axe-core finds nothing, and what it cannot see is checked beside it."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from hooks.live.links import address as address_of
from tests.browser.reader import CONTRASTS, Reader
from tests.support import pages

PATHS = [*map(address_of, pages())]
FIGURES = {
    "bill": "walkthrough-to-bill/",
    "hidden_exposed": "cost-of-communication/",
    "lanes": "work-it-out/",
    "ratio_by_card": "cost-of-communication/",
    "ring_factor": "where-2p-comes-from/",
    "ring_states": "ring-walkthrough/",
    "transfer_times": "cost-of-communication/",
}
# The rules that look at colours are asked apart: they take long, and find other things in the dark.
VIOLATIONS = """
async ([within, kind]) => {
  const colours = ["color-contrast", "link-in-text-block"];
  const others = { rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])) };
  const options = { resultTypes: ["violations"], ...(kind === "colours" ? { runOnly: colours } : others) };
  const { violations } = await axe.run(within, options);
  return violations.flatMap(({ id, nodes }) => nodes.map((one) => `${id}: ${one.target.join(" ")}: ${one.html.slice(0, 120)}`));
}
"""
# Takes out all but one of the parts that are made alike and stand alike: their colours are the same, and to look at each takes minutes.
# The number whose card is looked at, and what that card shows, stay.
KEEP_ONE_OF_EACH = """
() => {
  // A multiple's row is a copy of the row that its id begins with.
  const { id } = document.querySelector(".card .ledger-row");
  document.querySelector(".card").hidePopover();
  const entry = [...document.querySelectorAll(".ledger-row")].find((row) => id.startsWith(row.id)).closest("section");
  const stays = (one) => one.contains(asked) || one.contains(entry) || entry.contains(one);
  const shapeOf = (one) => one.matches("math, script, svg") ? one.localName
    : `${one.localName}.${one.className}(${[...new Set([...one.children].map(shapeOf))].sort()})`;
  const placeOf = (one) => one.matches("article") ? "" : `${placeOf(one.parentElement)} ${one.localName}.${one.className}`;
  const seen = new Set();
  for (const one of document.querySelectorAll("article :is(section, p, li, tr, td, dt, dd, h2, h3):not(.figure-missing)")) {
    if (!one.isConnected || stays(one)) continue;
    const kind = placeOf(one) + shapeOf(one);
    if (seen.has(kind)) one.remove();
    seen.add(kind);
  }
}
"""
# Opens the card of the first number of the page that a formula gives, or of any if there is none, and says what it shows.
OPEN_CARD = """
async () => {
  const card = document.querySelector(".card");
  const numbers = [...document.querySelectorAll("article data.q:not(.ledger *, .card *, :is(a, button, summary, label) *)")];
  for (const number of globalThis.asked ? [asked] : numbers) {
    card.hidePopover();
    number.click();
    globalThis.asked = number;
    if (card.querySelector("math")) break;
  }
  for (let frames = 2; frames--; ) await new Promise(requestAnimationFrame); // by then what is too wide can be scrolled by keys
  return card.innerText;
}
"""
HEADINGS = """
() => [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")].map((one) => Number(one.localName[1]))
"""
FIGURE_FACTS = """
(figure) => {
  const chart = figure.querySelector(".figure-chart");
  const name = document.getElementById(chart?.getAttribute("aria-labelledby")) ?? figure.querySelector("figcaption");
  const stops = "a[href], button, input, select, summary, [tabindex='0']";
  return {
    role: chart?.role ?? "figure",
    name: name.textContent.trim(),
    takeaway: figure.querySelectorAll("figcaption data.q").length,
    rows: figure.querySelectorAll("table tbody tr").length,
    stops: [...figure.querySelectorAll(stops)].filter((one) => !one.closest("details > :not(summary)")).length,
  };
}
"""
# The contrast of each label of the charts with the paper behind it.
CHART_CONTRASTS = """
() => {
  const linear = (x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    if (!one) return "rgb(255, 255, 255)";
    const colour = getComputedStyle(one).backgroundColor;
    return colour.endsWith(", 0)") ? behind(one.parentElement) : colour;
  };
  return [...document.querySelectorAll(".figure-chart svg text")].filter((one) => one.textContent.trim()).map((one) => {
    const box = one.closest(".annotation")?.querySelector("rect.bg");
    const [a, b] = [getComputedStyle(one).fill, box ? getComputedStyle(box).fill : behind(one.closest(".figure-chart"))].map(luminance);
    return [one.textContent, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
}
"""
SCHEMES = ("slate", "default")
# What each part of a chart looks like, row by row as the bars lie beside each other; what the key says of it.
LOOKS = """
(figure) => {
  const box = figure.querySelector(".figure-chart");
  const rows = {};
  for (const { type, marker, y } of box._fullData) {
    if (type !== "bar" || marker.color.startsWith("rgba")) continue;
    for (const row of y) (rows[row] ??= []).push([marker.color, marker.pattern?.shape ?? "", marker.line.width ? marker.line.color : ""]);
  }
  const key = [...figure.querySelectorAll(".figure-swatch:not(.figure-swatch-upright)")].map((one) => one.textContent);
  return { rows: Object.values(rows), key, words: box.textContent };
}
"""
STOP = """
async () => {
  const at = document.activeElement;
  const shown = at.matches(".md-option") ? at.nextElementSibling : at;
  const isInSight = () => {
    const { top, bottom, left, right } = shown.getBoundingClientRect();
    const isThere = shown.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return isThere && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  };
  // The theme's script opens the search some frames after it has the focus.
  for (let frame = 0; frame < 2 || (frame < 60 && !isInSight()); frame += 1) await new Promise(requestAnimationFrame);
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  return {
    what: at === document.body ? "" : `${at.localName} ${at.ariaLabel ?? at.textContent.trim().slice(0, 40)}`,
    inSight: isInSight(),
    ringed: (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || at.matches(".md-search__input"), // the caret stands in it
  };
}
"""
# What a mouse can use: the theme's labels among it, but for those of a control that can be reached itself.
USABLE = """
() => {
  globalThis.met = new Set();
  addEventListener("focusin", ({ target }) => met.add(target));
  const all = [...document.querySelectorAll("a[href], button, input, select, summary, label.md-nav__link")];
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  globalThis.usable = all.filter((one) => isShown(one) && one.getBoundingClientRect().width && !one.closest(".md-search"));
}
"""
MOVING = """
() => [...document.querySelectorAll("*")].filter((one) => {
  const { transitionProperty, transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
  const moves = transitionProperty !== "none" && transitionDuration.split(", ").some((time) => parseFloat(time) > 0);
  return moves || animationName !== "none" || scrollBehavior === "smooth";
}).map((one) => `${one.localName} ${one.className}`)
"""
AT_REST = "* { content-visibility: visible !important; transition: none !important; animation: none !important; }"


@pytest.fixture
def anyone(browser: Browser, address: str, width: int) -> Iterator[Reader]:
    """A reader of a width, with a finger if it is a phone's."""
    is_phone = width < 600
    with Reader.at(browser, address, viewport={"width": width, "height": 844}, has_touch=is_phone, is_mobile=is_phone) as reader:
        yield reader


def put_on(page: Page, scheme: str) -> None:
    """Switch to a colour scheme with the theme's own button."""
    page.evaluate("(scheme) => document.querySelector(`[name=__palette][data-md-color-scheme=${scheme}]`).click()", scheme)
    page.wait_for_function("(scheme) => document.body.dataset.mdColorScheme === scheme", arg=scheme)


def violations(page: Page, part: str, kind: str) -> list[str]:
    return list(page.evaluate(VIOLATIONS, [part, kind]))


def over_the_page(anyone: Reader) -> Iterator[str]:
    """Open what lies over the page, one after the other, and give its selector."""
    anyone.opens_the_sheet()
    anyone.page.locator("[name=gpus]").fill("0")
    yield ".run"
    anyone.page.keyboard.press("Escape")
    anyone.page.evaluate(OPEN_CARD)
    yield ".card"
    anyone.page.keyboard.press("Escape")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_no_violation(path: str, width: int, anyone: Reader) -> None:
    anyone.goes_to(path)
    page = anyone.page
    page.add_style_tag(content=AT_REST)
    anyone.opens_everything()
    assert page.evaluate("document.body.dataset.mdColorScheme") == "default"
    assert not anyone.scrolls_sideways()
    assert_headings_are_in_order(page.evaluate(HEADINGS))
    for figure in page.locator("figure").all():
        assert_figure_says_what_it_shows(figure.evaluate(FIGURE_FACTS))
    page.evaluate(AXE_SCRIPT)
    found = violations(page, "html", "others")
    for part in over_the_page(anyone):
        found += violations(page, part, "others")
    card = page.evaluate(OPEN_CARD)
    page.evaluate(KEEP_ONE_OF_EACH)
    assert page.evaluate(OPEN_CARD) == card
    page.keyboard.press("Escape")
    for scheme in SCHEMES:
        put_on(page, scheme)
        for part in over_the_page(anyone):
            found += violations(page, part, "colours")
        found += violations(page, "html", "colours")
    assert found == []


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_where_there_is_no_page(
    width: int, browser: Browser, site: Path, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    (tmp_path / "commcost").symlink_to(site)  # this page alone says where the site stands, since it is shown at any address
    with Reader.at(browser, serve(tmp_path) + "commcost/", viewport={"width": width, "height": 844}) as anyone:
        anyone.goes_to("404.html")
        anyone.page.add_style_tag(content=AT_REST)
        anyone.page.evaluate(AXE_SCRIPT)
        found = violations(anyone.page, "html", "others")
        for scheme in SCHEMES:
            put_on(anyone.page, scheme)
            found += violations(anyone.page, "html", "colours")
        assert found == []


def assert_headings_are_in_order(levels: list[int]) -> None:
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def assert_figure_says_what_it_shows(facts: dict[str, Any]) -> None:
    assert facts["role"] in ("img", "figure")
    assert len(facts["name"]) > 20
    assert facts["takeaway"] >= 1
    assert facts["rows"] >= 1
    assert facts["stops"] <= 3


@pytest.mark.parametrize("width", [390])
@pytest.mark.parametrize("path", sorted({*FIGURES.values()}))
def test_a_figure_can_be_read_in_every_light(path: str, width: int, anyone: Reader) -> None:
    anyone.page.set_viewport_size({"width": width, "height": 9000})
    anyone.goes_to(path)
    anyone.opens_everything()
    for scheme in SCHEMES:
        put_on(anyone.page, scheme)
        assert {text: contrast for text, contrast in anyone.page.evaluate(CHART_CONTRASTS) if contrast < 4.5} == {}
        assert {text: contrast for text, contrast in anyone.page.evaluate(CONTRASTS, ".figure") if contrast < 4.5} == {}


@pytest.mark.parametrize("width", [390])
@pytest.mark.parametrize("path", ["cost-of-communication/", "work-it-out/"])
def test_no_colour_tells_parts_apart_alone(path: str, width: int, anyone: Reader) -> None:
    anyone.goes_to(path)
    anyone.opens_everything()
    figures = [name for name, page in FIGURES.items() if page == path]
    assert figures
    for name in figures:
        seen = anyone.page.locator(f"figure[data-figure={name}]").evaluate(LOOKS)
        looks = {tuple(look[:2]) for row in seen["rows"] for look in row}
        assert len(seen["key"]) == (len(looks) if len(looks) > 1 else 0)
        for row in seen["rows"]:
            for (colour, pattern, edge), (beside, other, other_edge) in pairwise(row):
                assert pattern != other or edge or other_edge or contrast(colour, beside) >= 3


def contrast(*colours: str) -> float:
    """Return the contrast of two colours as WCAG defines it."""
    levels = [[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in colours]
    linear = [[x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in level] for level in levels]
    dark, light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in linear)
    return (light + 0.05) / (dark + 0.05)


def test_the_bill_names_its_colours_in_words(browser: Browser, address: str) -> None:
    with Reader.at(browser, address) as reader:
        reader.goes_to(FIGURES["bill"])
        reader.opens_everything()
        for figure in reader.page.locator("figure[data-figure=bill]").all():
            said = figure.evaluate(LOOKS)["words"]
            assert "reduce-scattersums" in said
            assert "all-gathercopies" in said


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", ["ring-walkthrough/", "work-it-out/"])
def test_the_tab_key_reaches_whatever_can_be_used_and_shows_where_it_is(path: str, width: int, anyone: Reader) -> None:
    anyone.goes_to(path)
    page = anyone.page
    page.add_style_tag(content=AT_REST)
    page.evaluate(USABLE)
    stops = []
    for _ in range(100):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if not stop["what"]:
            break
        stops.append(stop)
    assert len(stops) > 12
    assert [stop["what"] for stop in stops if not (stop["inSight"] and stop["ringed"])] == []
    assert page.evaluate("usable.filter((one) => !met.has(one)).map((one) => one.outerHTML.slice(0, 100))") == []


@pytest.mark.parametrize("width", [390])
def test_on_a_phone_the_keyboard_opens_navigation_contents_and_search(width: int, anyone: Reader) -> None:
    anyone.goes_to("work-it-out/")
    page = anyone.page
    page.add_style_tag(content=AT_REST)
    page.get_by_role("button", name="Navigation").press("Enter")
    page.locator("label.md-nav__link[for=__toc]").press("Enter")
    page.locator(".md-nav--secondary").get_by_role("link", name="The verdict").press("Enter")
    page.wait_for_url("**/work-it-out/#the-verdict")
    page.wait_for_function("!document.querySelector('[data-md-toggle=drawer]').checked")
    page.get_by_role("button", name="Search", exact=True).press("Enter")
    page.keyboard.type("reduce-scatter")
    page.locator(".md-search-result__link").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "work-it-out" not in url)


def test_chromium_s_accessibility_tree_has_names_for_numbers_sliders_and_strip(browser: Browser, address: str) -> None:
    with Reader.at(browser, address) as reader:
        reader.goes_to("walkthrough-to-bill/")
        reader.opens_everything()
        reader.opens_the_sheet()
        nodes = reader.page.context.new_cdp_session(reader.page).send("Accessibility.getFullAXTree")["nodes"]
        heard = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
        by_role: dict[str, list[str]] = {}
        for role, name in heard:
            by_role.setdefault(role, []).append(" ".join(name.split()))
        numbers = {" ".join(text.split()) for text in reader.page.locator("article data.q:not(.ledger *)").all_inner_texts()}
        assert len(numbers) > 20
        assert numbers <= set(by_role["StaticText"])
        assert by_role["slider"] == ["GPUs, slider", "utilisation, slider"]
        assert [name for name in by_role["image"] if name] == [
            "The run's strip: 126 hops, 1.18 s of copper and 1.18 s of cream.",
            "With 8 GPUs on InfiniBand the cream moves 52.5 GB in 1.05 s, and not one addition is done in it.",
        ]
        assert all(name for role in ("button", "link", "combobox", "textbox", "slider") for name in by_role[role])


def test_with_reduced_motion_nothing_on_the_site_moves(browser: Browser, address: str) -> None:
    with Reader.at(browser, address, reduced_motion="reduce") as reader:
        reader.goes_to("ring-walkthrough/")
        reader.opens_the_sheet()
        assert reader.page.evaluate(MOVING) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_with_forced_colours_text_figures_and_signs_can_be_seen(scheme: str, browser: Browser, address: str) -> None:
    tall = {"width": 1280, "height": 4000}
    with Reader.at(browser, address, viewport=tall, forced_colors="active", color_scheme=scheme) as reader:
        reader.goes_to("work-it-out/")
        reader.opens_everything()
        reader.opens_the_sheet()
        page = reader.page
        assert {text: found for text, found in page.evaluate(CHART_CONTRASTS) if found < 4.5} == {}
        assert {text: found for text, found in page.evaluate(CONTRASTS, "body") if found < 4.5} == {}
        canvas = page.evaluate("getComputedStyle(document.body).backgroundColor")
        before, after = (f"(one) => getComputedStyle(one, '::{place}').backgroundColor" for place in ("before", "after"))
        swatches = page.locator(".figure-swatch").evaluate_all(f"all => all.map({before})")
        signs = page.locator(".ledger > summary, .md-nav__icon").evaluate_all(f"all => all.map({after})")
        assert len(set(swatches)) == 3
        assert canvas not in signs
