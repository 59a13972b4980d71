"""The card and the ledger as a reader uses them: by touch, by keyboard, on paper, without scripts, and with a run of their own."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page

from commcost import load
from hooks import project
from hooks.live.links import address as address_of
from hooks.live.render import render
from hooks.live.values import Values
from tests.browser.reader import CONTRASTS, Reader
from tests.support import ROOT, pages

COST = "cost-of-communication/"
LANES = "work-it-out/"
CATALOG = tomllib.loads((ROOT / "commcost" / "catalog.toml").read_text(encoding="utf-8"))
FOCUSED = "document.activeElement"
BOX = "(one) => { const { top, bottom, left, right } = one.getBoundingClientRect(); return { top, bottom, left, right }; }"


class Card:
    """The card of a number, as a reader handles it."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.page = reader, reader.page

    @property
    def box(self) -> Locator:
        return self.page.locator(".card")

    def is_open(self) -> bool:
        return self.box.is_visible()

    def opens_at(self, number: Locator) -> None:
        number.scroll_into_view_if_needed()
        (number.tap if self.page.evaluate("'ontouchstart' in window") else number.click)()
        assert self.is_open()

    def reads(self) -> str:
        return " ".join(unicodedata.normalize("NFKC", self.box.inner_text()).split())

    def row(self) -> str:
        return str(self.box.locator(".ledger-row").get_attribute("id"))

    def closes(self) -> None:
        self.page.keyboard.press("Escape")
        assert not self.is_open()


def number(page: Page, name: str, overrides: str = "") -> Locator:
    """Return the first number of a name that stands in the text."""
    return page.locator(f"article data.q[data-q={name}][data-set='{overrides}']:not(.ledger *, .card *)").first


def in_ledger(page: Page) -> dict[str, str]:
    """Return the rows of the ledger as they read, by id."""
    rows = page.locator(".ledger .ledger-row").evaluate_all(
        "all => all.map((one) => [one.id, [...one.querySelectorAll('p')].map((p) => p.textContent).join(' | ')])"
    )
    return {id: " ".join(text.split()) for id, text in rows}


@pytest.fixture(params=["phone", "desk"])
def card(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Card]:
    """A reader with a phone, or at a desk, and their card."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with Reader.at(browser, address, **(phone if request.param == "phone" else {})) as reader:
        yield Card(reader)


def test_a_tap_lifts_the_row_of_a_number_and_escape_puts_it_back(card: Card) -> None:
    card.reader.goes_to(COST)
    before = in_ledger(card.page)
    there = number(card.page, "quoted_all_reduce_seconds", "link=infiniband")
    card.opens_at(there)
    assert card.reads() == (
        "Close all-reduce as quoted, on the link The time that the quoted all-reduce keeps one GPU's link busy, in seconds. "
        "t q = V q bandwidth InfiniBand: 120 GB ÷ 50 GB/s = 2.40 s From all-reduce as quoted; bandwidth of the link"
    )
    # It is the row itself.
    assert before.keys() - in_ledger(card.page).keys() == {"quoted_all_reduce_seconds|link=infiniband"}
    box, window = card.box.evaluate(BOX), card.page.viewport_size
    assert window
    assert 0 <= box["left"] < box["right"] <= window["width"]
    assert 0.3 * window["height"] < box["top"] < box["bottom"] <= window["height"]
    assert card.page.evaluate("document.documentElement.scrollWidth") <= window["width"]
    card.closes()
    assert in_ledger(card.page) == before
    assert card.page.evaluate(f"{FOCUSED}.matches('article p data.q, article td data.q')")
    assert there.evaluate("(one) => one === document.activeElement")


def test_numbers_are_no_tab_stops_and_the_keyboard_goes_on_from_the_one_that_was_asked(reader: Reader) -> None:
    reader.goes_to(COST)
    asked = "document.querySelectorAll('article data.q').forEach((one) => { if (one.tabIndex >= 0) throw one.outerHTML })"
    reader.page.evaluate(asked)
    card = Card(reader)
    card.opens_at(number(reader.page, "ring_sharded_bytes"))
    card.closes()
    reader.page.evaluate(asked)
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate(f"{FOCUSED}.textContent") == "a ring's figure too"


@pytest.mark.parametrize("way", ["outside", "the button"])
def test_the_card_closes(way: str, card: Card) -> None:
    card.reader.goes_to(COST)
    before = in_ledger(card.page)
    card.opens_at(number(card.page, "gradient_bytes"))
    if way == "outside":
        card.page.mouse.click(150, 20)
    else:
        card.box.get_by_role("button", name="Close").click()
    assert not card.is_open()
    assert in_ledger(card.page) == before
    # And opens again, for another number too.
    for name in ("gradient_bytes", "quoted_all_reduce_bytes"):
        card.opens_at(number(card.page, name))
        assert card.row() == f"{name}|"


def test_another_number_takes_the_card_over(card: Card) -> None:
    card.reader.goes_to(COST)
    before = in_ledger(card.page)
    card.opens_at(number(card.page, "gradient_bytes"))
    card.opens_at(number(card.page, "bytes_per_param"))
    assert card.row() == "bytes_per_param|"
    assert card.reads() == "Close bytes per parameter 2 bytes per parameter An input: the bar that states the run sets it."
    card.closes()
    assert in_ledger(card.page) == before


def test_the_keyboard_reaches_the_card_through_the_ledger(reader: Reader) -> None:
    reader.goes_to(COST)
    card, press = Card(reader), reader.page.keyboard.press
    assert reader.page.locator(".ledger-open").count() == 0
    reader.page.locator(".ledger > summary").focus()
    press("Enter")
    reader.page.locator(".ledger-open").first.wait_for()
    assert reader.page.locator(".ledger-open").count() == reader.page.locator(".ledger-row").count()
    press("Tab")
    opener = str(reader.page.evaluate(f"{FOCUSED}.ariaLabel"))
    assert opener == "Open: all-reduce as quoted"
    press("Enter")
    assert card.is_open()
    assert card.reads().startswith("Close all-reduce as quoted The bytes a GPU sends in an all-reduce")
    assert reader.page.evaluate(f"{FOCUSED}.closest('.card') !== null")
    press("Tab")
    press("Enter")  # the first of the inputs
    assert card.row() == "gradient_bytes|"
    assert card.reads().startswith("Back Close one copy of the gradients")
    assert reader.page.evaluate(f"{FOCUSED}.closest('.card') !== null")
    press("Tab")
    press("Enter")
    assert card.row() == "params|"
    for row in ("gradient_bytes|", "quoted_all_reduce_bytes|"):
        press("Shift+Tab")
        press("Shift+Tab")
        assert reader.page.evaluate(f"{FOCUSED}.textContent") == "Back"
        press("Enter")
        assert card.row() == row
    assert not card.box.get_by_role("button", name="Back").is_visible()
    press("Tab")
    card.closes()
    assert reader.page.evaluate(f"{FOCUSED}.ariaLabel") == opener
    press("Tab")
    assert reader.page.evaluate(f"{FOCUSED}.closest('.ledger-row').id") == "quoted_all_reduce_bytes|"


def test_a_number_in_the_card_opens_as_its_input_does(card: Card) -> None:
    card.reader.goes_to(COST)
    card.opens_at(number(card.page, "compute_seconds", "accelerator=b200"))
    for number_of, row in (("step_flops", "step_flops|"), ("flops_per_param_token", "flops_per_param_token|")):
        card.box.locator(f"data.q[data-q={number_of}]").first.click()
        assert card.row() == row
    card.box.locator("p b data.q").click()  # its own
    assert card.row() == "flops_per_param_token|"
    for row in ("step_flops|", "compute_seconds|accelerator=b200"):
        card.box.get_by_role("button", name="Back").click()
        assert card.row() == row
    card.box.locator("data.q[data-q=step_flops]").click()
    card.closes()
    card.opens_at(number(card.page, "gradient_bytes"))
    assert not card.box.get_by_role("button", name="Back").is_visible()


def test_escape_closes_the_card_before_the_sheet(reader: Reader) -> None:
    reader.goes_to(COST)
    reader.opens_the_sheet()
    card = Card(reader)
    card.opens_at(number(reader.page, "gradient_bytes"))
    card.closes()
    assert reader.page.locator(".run-sheet").is_visible()
    reader.page.keyboard.press("Escape")
    assert not reader.page.locator(".run-sheet").is_visible()


def test_a_number_of_the_bar_opens_its_card_on_every_page(reader: Reader) -> None:
    card = Card(reader)
    for path in pages():
        reader.goes_to(address_of(path))
        reader.page.locator(".run-verdict data.q[data-q=communication_to_compute]").click()
        assert card.row() == "communication_to_compute|"
        # Work it out shows this number in more digits.
        assert re.search(r"2\.4 s ÷ 7\.10945399 s = 0\.33(8|7579)\b", card.reads())


# From each number of the text by links alone to every document that it rests on: the taps to the nearest and to the farthest.
WALK = """
async () => {
  const card = document.querySelector(".card");
  const sheets = () => [...card.querySelectorAll(".ledger-row a[href^='https:']")].map((link) => link.href);
  const tap = (one) => one.click();
  const asked = new Map();
  for (const number of document.querySelectorAll("article data.q:not(.ledger *, .card *, a *)")) {
    asked.set(`${number.dataset.q}|${number.dataset.set}`, number);
  }
  const found = {};
  for (const [key, number] of asked) {
    tap(number);
    if (!card.matches(":popover-open")) throw Error(`no card for ${key}`);
    const taps = {};
    for (const sheet of sheets()) taps[sheet] = 2;
    const first = card.querySelector(".ledger-row").id;
    for (const target of [...card.querySelectorAll(".ledger-row a[href^='#']")].map((link) => link.getAttribute("href"))) {
      tap(card.querySelector(`.ledger-row a[href='${target}']`));
      for (const sheet of sheets()) taps[sheet] ??= 3;
      tap(card.querySelector(".card-bar button"));
      if (card.querySelector(".ledger-row").id !== first) throw Error(`no way back to ${first}`);
    }
    card.hidePopover();
    found[key] = taps;
  }
  return found;
}
"""


@pytest.mark.parametrize("path", pages())
def test_a_reader_walks_from_any_number_to_a_data_sheet_in_three_taps(path: str, phone: Reader) -> None:
    phone.goes_to(address_of(path))
    walked: dict[str, dict[str, int]] = phone.page.evaluate(WALK)
    assert len(walked) >= 3
    known = {figure["url"] for figure in _figures(CATALOG)}
    assert {sheet for sheets in walked.values() for sheet in sheets} <= known
    assert max((taps for sheets in walked.values() for taps in sheets.values()), default=0) <= 3
    if path == "cost-of-communication.md":
        # Bytes rest on what the reader sets; whatever takes time, or compares times, rests on data sheets.
        timed = [key for key in walked if "seconds" in key or "compute" in key]
        assert len(timed) > 30
        assert [key for key in timed if not walked[key]] == []


def _figures(node: object) -> Iterator[dict[str, str]]:
    if isinstance(node, dict):
        if "url" in node:
            yield node
        for part in node.values():
            yield from _figures(part)


def test_three_real_taps_lead_from_a_time_to_a_data_sheet(phone: Reader) -> None:
    phone.goes_to(COST)
    card = Card(phone)
    card.opens_at(number(phone.page, "communication_to_compute", "accelerator=b200;link=infiniband"))
    card.box.get_by_role("link", name="peak of one GPU").tap()
    sheet = CATALOG["accelerators"]["b200"]["peak_flops_per_second"]
    link = card.box.get_by_role("link", name=sheet["source"])
    assert link.get_attribute("href") == sheet["url"]
    assert f"{sheet['what']}; {sheet['source']}, checked {sheet['checked']}" in card.reads()
    phone.page.route(sheet["url"], lambda route: route.fulfill(body="the data sheet"))
    link.tap()
    phone.page.wait_for_url(sheet["url"])
    phone.provoked(f"^a request to {re.escape(sheet['url'])}$")


def test_a_card_does_not_cover_the_number_that_was_touched(phone: Reader) -> None:
    phone.goes_to("work-it-out/")
    card = Card(phone)
    for one in phone.page.locator("article > p data.q").all()[:6]:
        # Where a finger finds it: low on the screen.
        one.evaluate("(one) => scrollBy({ top: one.getBoundingClientRect().bottom - innerHeight * 0.8, behavior: 'instant' })")
        one.tap()
        assert card.is_open()
        bottom, top = one.evaluate(
            "(one) => [one.getBoundingClientRect().bottom, document.querySelector('.card').getBoundingClientRect().top]"
        )
        assert bottom <= top
        card.closes()


# -- the reader's run


def test_the_open_card_follows_the_run(reader: Reader) -> None:
    reader.goes_to(COST)
    reader.opens_the_sheet()
    card = Card(reader)
    card.opens_at(number(reader.page, "quoted_all_reduce_seconds", "link=infiniband"))
    assert "120 GB ÷ 50 GB/s = 2.40 s" in card.reads()
    # A card lets the page go on behind it; the keyboard sets a field without a click that would close it.
    reader.field("params").evaluate("(field) => { field.value = '7'; field.dispatchEvent(new Event('input', { bubbles: true })); }")
    reader.waits_until_settled()
    assert card.is_open()
    assert "28 GB ÷ 50 GB/s = 0.56 s" in card.reads()
    card.closes()
    assert in_ledger(reader.page)["quoted_all_reduce_seconds|link=infiniband"].startswith("InfiniBand: 28 GB ÷ 50 GB/s = 0.56 s")


def test_sources_follow_the_card_and_the_link(reader: Reader) -> None:
    reader.goes_to(LANES)
    card = Card(reader)
    chosen = (("h100", "infiniband"), ("b200", "nvlink"), ("mi300x", "nvlink"), ("mi300x", "ethernet_400g"))
    for accelerator, link in chosen:
        reader.sets(accelerator=accelerator, link=link)
        giver = CATALOG["accelerators"][accelerator] if link == "nvlink" else CATALOG["links"][link]
        for name, figures in (("peak_flops_per_second", CATALOG["accelerators"][accelerator]), ("link_bytes_per_second", giver)):
            card.opens_at(number(reader.page, "communication_to_compute"))
            card.box.locator(f"a[href='#{name}|']").click()
            figure = figures[name]
            assert f"{figure['what']}; {figure['source']}, checked {figure['checked']}" in card.reads()
            assert card.box.locator("a[href^='https:']").get_attribute("href") == figure["url"]
            card.closes()


def test_the_ledger_of_a_run_in_the_address_is_the_one_rendered_for_it(reader: Reader, browser: Browser) -> None:
    query = "?accelerator=mi300x&link=nvlink&gpus=8&params=7000000000"
    reader.goes_to(LANES + query)
    reader.page.locator(".ledger > summary").click()
    reader.waits_until_settled()
    assert in_ledger(reader.page) == ledger_of(query, browser)


def ledger_of(query: str, browser: Browser) -> dict[str, str]:
    """Return the ledger's rows of a page rendered for the run of an address, without scripts."""
    model = load()
    said = dict(part.split("=") for part in query[1:].split("&"))
    run = model.run(**{name: value if name in model.choices else float(value) for name, value in said.items()})
    engine = project.load(ROOT / "mkdocs.yml").engine
    text = (ROOT / "docs" / "work-it-out.md").read_text(encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.set_content(render(text, "work-it-out.md", replace(engine, values=Values(model, run))).markdown)
    found = in_ledger(page)
    page.close()
    return found


def test_the_card_of_a_multiple_shows_that_run(reader: Reader) -> None:
    reader.goes_to("reference/formulas/")
    card = Card(reader)
    card.opens_at(number(reader.page, "quoted_all_reduce_bytes", "params=tenth_more"))
    assert "33 billion parameters: ( 2 × 66 GB if 64 GPUs > 1 , otherwise 0 ) = 132 GB" in card.reads()
    card.box.get_by_role("link", name="one copy of the gradients").click()
    assert "33 billion parameters × 2 bytes per parameter = 66 GB" in card.reads()
    card.box.get_by_role("button", name="Back").click()
    assert "= 132 GB" in card.reads()
    card.closes()
    assert "(2 × 60 GB if 64 GPUs > 1, otherwise 0) = 120 GB" in in_ledger(reader.page)["quoted_all_reduce_bytes|"]
    card.opens_at(number(reader.page, "compute_seconds", "mfu=tenth_more"))
    assert "utilisation 0.44: 180 PFLOP ÷ (64 GPUs × 989 TFLOP/s × 0.44) = 6.46 s" in card.reads()


def test_a_number_opened_as_soon_as_it_can_be_shows_its_own_run(reader: Reader) -> None:
    pressed = number(reader.page, "quoted_all_reduce_bytes", "params=tenth_more")
    reader.page.add_init_script(
        """
        new MutationObserver((_, observer) => {
          if (!document.documentElement.classList.contains("run-ready")) return;
          observer.disconnect();
          document.querySelector("data[data-q=quoted_all_reduce_bytes][data-set='params=tenth_more']").click();
        }).observe(document, { subtree: true, attributeFilter: ["class"] });
        """
    )
    reader.goes_to("reference/formulas/")
    card = Card(reader)
    assert "33 billion parameters: ( 2 × 66 GB" in card.reads()
    card.closes()
    card.opens_at(pressed)
    assert "33 billion parameters: ( 2 × 66 GB" in card.reads()


# -- without scripts, on paper, and how it looks


def test_without_scripts_the_ledger_is_whole_and_nothing_in_it_is_dead(browser: Browser, address: str) -> None:
    with Reader.at(browser, address, java_script_enabled=False) as reader:
        reader.page.goto(address + COST)
        rows = reader.page.locator(".ledger-row")
        assert not rows.first.is_visible()
        reader.page.locator(".ledger > summary").click()
        assert rows.first.is_visible()
        assert rows.count() > 100
        assert in_ledger(reader.page)["quoted_all_reduce_seconds|link=infiniband"].startswith("InfiniBand: 120 GB ÷ 50 GB/s = 2.40 s")
        assert reader.page.locator(".ledger :is(button, [tabindex]), .card").count() == 0
        reader.page.locator("[id='quoted_all_reduce_seconds|link=infiniband'] a").last.click()
        assert reader.page.evaluate("location.hash") == "#link_bytes_per_second|link=infiniband"
        assert reader.page.locator("[id='link_bytes_per_second|link=infiniband']").evaluate(BOX)["top"] < 500


@pytest.mark.parametrize("scripts", [True, False])
def test_on_paper_the_ledger_is_open_and_whole(scripts: bool, browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": 800, "height": 1100}, java_script_enabled=scripts) as reader:
        reader.page.goto(address + COST)
        rows = reader.page.locator(".ledger-row")
        count = rows.count()
        if scripts:
            reader.waits_for_the_run()
            Card(reader).opens_at(number(reader.page, "gradient_bytes"))
            assert rows.count() == count
        reader.page.emulate_media(media="print")
        reader.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        heights = reader.page.locator(".ledger .ledger-row").evaluate_all(
            "all => all.map((one) => one.checkVisibility({ contentVisibilityAuto: true }) ? one.getBoundingClientRect().height : 0)"
        )
        assert len(heights) == count
        assert min(heights) > 15
        assert not reader.page.locator(".card, .ledger-open").first.is_visible()


COLOURS = """
(one) => {
  const { color, backgroundColor, borderTopColor, boxShadow } = getComputedStyle(one);
  return [color, backgroundColor, borderTopColor, boxShadow, getComputedStyle(one, "::before").display];
}
"""


# What a finger can reach, with its least extent; a link is a line high and as wide as its words.
TARGETS = """
all => all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).map((one) => {
  const { width, height } = one.getBoundingClientRect();
  return [one.textContent, one.localName === "a" ? height : Math.min(width, height)];
})
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_ledger_and_the_card_can_be_read_and_reached(width: int, scheme: str, browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": width, "height": 800}, color_scheme=scheme) as reader:
        reader.goes_to(COST)
        reader.page.locator(".ledger > summary").click()
        page, card = reader.page, Card(reader)
        assert "68, 138, 255" not in str([one.evaluate(COLOURS) for one in (page.locator(".ledger"), page.locator(".ledger > summary"))])
        assert page.locator(".ledger > summary").evaluate(COLOURS)[-1] == "none"
        # A link that is no longer text loses its spaces; what is out of sight has no words until it is laid out.
        page.add_style_tag(content="* { content-visibility: visible !important; }")
        unlike = "all => all.filter((one) => one.innerText !== one.textContent).map((one) => one.innerText)"
        assert page.locator(".ledger-links a").evaluate_all(unlike) == []
        low, small = [], []
        for act in (lambda: None, lambda: card.opens_at(number(page, "communication_to_compute", "accelerator=b200;link=infiniband"))):
            act()
            assert not reader.scrolls_sideways()
            for part in (".ledger", ".card"):
                low += [found for found in page.evaluate(CONTRASTS, part) if found[1] < 4.5]
                targets = f"{part} :is(button, summary, .ledger-links a)"
                small += [found for found in page.locator(targets).evaluate_all(TARGETS) if found[1] < 43.9]
        assert low == []
        assert small == []
        assert card.box.evaluate("(one) => one.scrollWidth <= one.clientWidth")
