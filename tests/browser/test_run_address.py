"""A run is a link: what an address may say, what is made of the rest, and where the run goes from there."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from commcost import load
from hooks.live.javascript import module
from hooks.live.links import address as address_of
from tests.browser.reader import DEFAULT, Reader
from tests.support import ROOT, corner_runs, pages, random_runs

QUIET = "terminology/"  # a page of words
EACH = {
    "params": ("7000000000.0", "7"),
    "bytes_per_param": ("0.5", "0.5"),
    "tokens": ("4587520", "4.58752"),
    "gpus": ("0512", "512"),
    "accelerator": ("mi300x", "mi300x"),
    "link": ("pcie_gen5", "pcie_gen5"),
    "mfu": ("0.473", "47.3"),
}
# The largest run within the bounds on hardly any card: a step that no double holds, and steps that no axis may reach.
ENDLESS, *LONG = (f"params=1000000000000000&tokens=1000000000000&gpus=2&mfu=0.{'0' * zeros}1" for zeros in (300, 100, 60, 20))


def test_each_key_stands_alone(reader: Reader) -> None:
    for name, (text, typed) in EACH.items():
        reader.goes_to(f"{QUIET}?{name}={text}")
        assert reader.changed() == {name: typed}
        assert reader.notices() == []


NOT_PLAIN = (
    "", "abc", "8e1", "1E3", "-8", "+8", "%2B8", "%208", "8%20", "8%0A", "8.", ".5", "0x10", "Infinity", "NaN", "1,000", "1_000", "8.0.0",
    "%D9%A8", "%EF%BC%98", "%E0%A5%AE", "%00", "8%00", "<b>8</b>", "undefined", "null", "[]", "%", "%ZZ", "9" * 2000,
)  # fmt: skip
OUT_OF_BOUNDS = ("0", "1.5", "1000000001", "0.9999999999", "64.0000001", "9" * 300)


def test_a_value_that_is_no_plain_number_within_the_bounds_is_noticed_and_left_out(reader: Reader) -> None:
    reader.goes_to(QUIET)
    for text in NOT_PLAIN + OUT_OF_BOUNDS:
        reader.reads(f"?gpus={text}&mfu=0.3")
        assert reader.changed() == {"mfu": "30"}, text
        (notice,) = reader.notices()
        rule = "must be digits, such as 64 or 0.5" if text in NOT_PLAIN else "must be a whole number, at least 1 and at most 1,000,000,000"
        assert notice == f"In the address, “gpus” {rule}. Here it is the default."
        assert reader.page.locator(".run-notice").is_visible()


def test_a_repeated_value_is_noticed_and_left_out(reader: Reader) -> None:
    for twice in ("gpus=8&gpus=16", "gpus=8&gpus=8", "gpus=&gpus=8", "gpus=8&%67pus=8"):
        reader.goes_to(f"{QUIET}?{twice}&link=nvlink")
        assert reader.changed() == {"link": "nvlink"}
        assert reader.notices() == ["In the address, “gpus” is given more than once. Here it is the default."]


def test_a_choice_that_is_none_is_noticed_and_left_out(reader: Reader) -> None:
    reader.goes_to(QUIET)
    for choice in ("", "H100", "h100%20", "b100", "other", "__proto__", "constructor", "toString", "hasOwnProperty"):
        reader.reads(f"?accelerator={choice}&link={choice}&gpus=8")
        assert reader.changed() == {"gpus": "8"}
        assert reader.notices() == [
            "In the address, “accelerator” is not one of the choices. Here it is the default.",
            "In the address, “link” is not one of the choices. Here it is the default.",
        ]


NEAR = {
    "gpu": "gpus", "Gpus": "gpus", "gpuss": "gpus", "xgpus": "gpus", "gqus": "gpus", "gpsu": "gpus", "pgus": "gpus",
    "PARAMS": "params", "praams": "params", "mf": "mfu", "lin<": "link",
}  # fmt: skip


def test_a_key_that_is_nearly_an_input_is_noticed(reader: Reader) -> None:
    reader.goes_to(QUIET)
    for key, meant in NEAR.items():
        reader.reads(f"?{key}=8&tokens=2000000")
        assert reader.changed() == {"tokens": "2"}
        assert reader.notices() == [f"In the address, “{key}” is not an input. Perhaps “{meant}” is meant."]


FOREIGN = (
    "h=ring", "utm_source=a&ref=b", "gp=8", "gpxx=8", "gpusss=8", "GPU=8", "=8", "&&", "?",
    "__proto__=8&constructor=8&toString=8&valueOf=8&hasOwnProperty=8",
)  # fmt: skip


def test_other_keys_are_ignored(reader: Reader) -> None:
    reader.goes_to(QUIET)
    for query in FOREIGN:
        reader.reads(f"?{query}")
        assert (reader.changed(), reader.notices()) == ({}, [])
        assert reader.text_of(".run-whose") == "Default run"


def test_megabytes_of_address_are_read_and_no_more_than_noticed(reader: Reader, site: Path) -> None:
    text = (site / QUIET / "index.html").read_text(encoding="utf-8")
    reader.page.route(f"**/{QUIET}?*", lambda route: route.fulfill(body=text, content_type="text/html"))
    many = "".join(f"&gpu{chr(at)}=1&a{at}=1" for at in range(0x4E00, 0x4E00 + 20_000))
    reader.goes_to(f"{QUIET}?gpus={'9' * 600_000}{many}&{'x' * 300_000}=1&mfu=0.3")
    assert reader.changed() == {"mfu": "30"}
    assert len(reader.notices()) == 2


def test_nothing_of_an_address_becomes_markup(reader: Reader) -> None:
    before = "document.querySelectorAll('*').length"
    reader.goes_to(f"{QUIET}?gpus=a&gpu=b&link=c")
    clean = reader.page.evaluate(before)
    evil = "%3Cimg%20src=x%20onerror=%22document.title='evil'%22%3E"
    reader.goes_to(f"{QUIET}?gpus={evil}&gpu%3C={evil}&link={evil}&{evil}={evil}#{evil}")
    assert reader.page.evaluate(before) == clean
    assert "“gpu<”" in reader.notices()[2]
    assert "evil" not in reader.page.title()


def test_only_what_differs_from_the_default_is_written_in_base_units(reader: Reader) -> None:
    reader.goes_to(QUIET)
    reader.sets(params="7", mfu="47.3", link="nvlink", gpus="64", bytes_per_param="2.0")
    assert reader.search() == "?params=7000000000&link=nvlink&mfu=0.473"
    reader.sets(params="30", link="infiniband", mfu="40")
    assert reader.search() == ""


def test_what_else_stands_in_an_address_stays_to_the_letter(reader: Reader) -> None:
    reader.goes_to(f"{QUIET}?h=leaving%20node&x=%7e&flag&gpus=0016&y=a+b&gpu=9#leaving-the-node")
    assert reader.notices() == ["In the address, “gpu” is not an input. Perhaps “gpus” is meant."]
    reader.sets(mfu="50")
    assert reader.search() == "?h=leaving%20node&x=%7e&flag&gpus=16&y=a+b&gpu=9&mfu=0.5"
    assert reader.page.url.endswith("#leaving-the-node")
    reader.page.get_by_role("button", name="Reset").click()
    reader.waits_until_settled()
    assert reader.search() == "?h=leaving%20node&x=%7e&flag&y=a+b&gpu=9"
    assert reader.page.url.endswith("#leaving-the-node")
    assert reader.changed() == {}


def test_every_run_can_be_written_and_read_again(browser: Browser, serve: Callable[[Path], str], tmp_path: Path) -> None:
    model = load()
    for name in ("url.js", "evaluate.js", "format.js"):
        shutil.copy(ROOT / "docs" / "javascripts" / name, tmp_path / name)
    (tmp_path / "model.js").write_text(module(model), encoding="utf-8")
    (tmp_path / "index.html").write_text("<!doctype html><title>modules</title>")
    tiny = [{"mfu": 5e-324}, {"mfu": 1.2345678901234567e-308}, {"mfu": 0.1 + 0.2}, {"bytes_per_param": 0.7000000000000001}]
    runs = [dict(model.run(**run).inputs) for run in (*corner_runs(), *tiny, *random_runs(model, 2000))]
    page = browser.new_page()
    page.goto(serve(tmp_path))
    written = page.evaluate(
        """async (runs) => {
          const { read, write } = await import("/url.js");
          return runs.map((run) => {
            const search = write("", run);
            return [search, { ...read(search) }];
          });
        }""",
        json.loads(json.dumps(runs)),
    )
    for run, (search, read) in zip(runs, written, strict=True):
        assert read == {"settings": run, "notices": []}, search
        assert re.fullmatch(r"|\?(\w+=(\d+(\.\d+)?|[a-z]\w*)(&|$))+", search), search
    page.close()


@pytest.mark.parametrize("path", pages())
def test_a_link_restores_the_run_on_every_page(path: str, reader: Reader) -> None:
    reader.goes_to(f"{address_of(path)}?gpus=8&accelerator=b200&link=nvlink&params=7000000000")
    assert reader.line().startswith("Your run 7 billion parameters · 8 × B200 · NVLink · 40 %")
    assert reader.changed() == {"gpus": "8", "accelerator": "b200", "link": "nvlink", "params": "7"}
    assert carried(reader) == {"?params=7000000000&gpus=8&accelerator=b200&link=nvlink"}


def test_the_error_page_keeps_the_run(reader: Reader) -> None:
    def from_the_root(route: Route) -> None:
        route.continue_(url=route.request.url.replace("/commcost/", "/"))

    reader.page.route("**/commcost/**", from_the_root)  # where the site will stand
    reader.address += "commcost/"
    reader.goes_to("404.html?gpus=8")
    assert reader.line().startswith("Your run 30 billion parameters · 8 × H100")
    assert carried(reader) == {"?gpus=8"}


def carried(reader: Reader) -> set[str]:
    """Return the queries of all links to pages of the site: in the navigation, on the logo, in text and footer."""
    links = reader.page.locator("a[href]").evaluate_all("all => all.map((link) => [link.getAttribute('href'), link.href, link.search])")
    inside = [search for href, url, search in links if url.startswith(reader.address) and not href.startswith("#")]
    assert len(inside) > 8
    return set(inside)


def test_links_follow_each_change_and_lead_to_the_run(reader: Reader) -> None:
    reader.goes_to(QUIET)
    reader.opens_the_sheet()
    reader.field("gpus").fill("4096")
    reader.page.locator(".md-footer__link--next").click()  # before the change has settled
    reader.page.wait_for_url("**/cost-of-communication/?gpus=4096")
    reader.waits_for_the_run()
    assert reader.changed() == {"gpus": "4096"}
    reader.page.go_back()
    reader.page.wait_for_url(f"**/{QUIET}?gpus=4096")
    reader.waits_for_the_run()
    assert reader.changed() == {"gpus": "4096"}
    reader.sets(gpus="64")
    assert "?" not in (reader.page.locator(".md-footer__link--next").get_attribute("href") or "")


def test_back_and_forward_work(reader: Reader) -> None:
    reader.goes_to(QUIET)
    default = reader.numbers()
    reader.sets(gpus="8")
    first = reader.numbers()
    reader.sets(gpus="16", link="nvlink")
    assert reader.search() == "?gpus=16&link=nvlink"
    reader.page.go_back()
    assert (reader.search(), reader.changed(), reader.numbers()) == ("?gpus=8", {"gpus": "8"}, first)
    reader.page.go_back()
    assert (reader.search(), reader.changed(), reader.numbers()) == ("", {}, default)
    assert reader.text_of(".run-whose") == "Default run"
    reader.page.go_forward()
    reader.page.go_forward()
    assert reader.changed() == {"gpus": "16", "link": "nvlink"}


def test_an_anchor_keeps_the_run_even_one_that_has_not_settled(reader: Reader) -> None:
    reader.goes_to(f"{QUIET}?link=nvlink")
    reader.opens_the_sheet()
    reader.field("gpus").fill("8")
    reader.page.locator(".md-nav a[href='#leaving-the-node']").first.click()
    reader.waits_until_settled()
    assert reader.page.url.endswith("?link=nvlink&gpus=8#leaving-the-node")
    assert reader.changed() == {"gpus": "8", "link": "nvlink"}


def test_search_results_carry_the_run(reader: Reader) -> None:
    reader.goes_to("?gpus=8")
    reader.page.locator(".md-search__input").click()
    reader.page.keyboard.type("infiniband")
    result = reader.page.locator(".md-search-result__link[href*='cost-of-communication/?h=infiniband']").first
    result.wait_for()
    result.click()
    reader.page.wait_for_url("**/cost-of-communication/?h=infiniband&gpus=8*")
    reader.waits_for_the_run()
    assert reader.changed() == {"gpus": "8"}


def test_a_searched_word_inside_a_number_does_not_keep_the_number_from_changing(reader: Reader) -> None:
    reader.goes_to("cost-of-communication/?gpus=16&link=nvlink&params=7000000000")
    wanted = reader.numbers()
    reader.goes_to("cost-of-communication/?h=billion+parameters+NVLink+100+GPUs")
    reader.page.locator("data.q mark").first.wait_for()
    reader.sets(gpus="16", link="nvlink", params="7")
    assert reader.numbers() == wanted
    assert "h=billion+parameters+NVLink+100+GPUs" in reader.search()


def test_copy_link_copies_the_run_at_once(reader: Reader) -> None:
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.goes_to(QUIET)
    reader.opens_the_sheet()
    reader.field("gpus").fill("8")
    reader.page.get_by_role("button", name="Copy link").click()
    reader.page.get_by_text("Copied.").wait_for()
    assert reader.page.evaluate("navigator.clipboard.readText()") == f"{reader.address}{QUIET}?gpus=8"


def test_without_a_clipboard_the_link_can_be_copied_by_hand(phone: Reader) -> None:
    phone.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    phone.goes_to(f"{QUIET}?gpus=8")
    phone.opens_the_sheet()
    phone.page.get_by_role("button", name="Copy link").click()
    box = phone.page.get_by_label("Copy this address")
    assert box.input_value() == f"{phone.address}{QUIET}?gpus=8"
    assert phone.page.evaluate("String(getSelection())") == box.input_value()


def test_a_run_that_cannot_be_computed_leaves_the_page_whole(reader: Reader) -> None:
    path = "work-it-out/"
    reader.goes_to(f"{path}?gpus=8")
    wanted = reader.numbers()
    reader.goes_to(f"{path}?{ENDLESS}")
    assert "cannot be computed" in " ".join(reader.notices())
    assert reader.text_of(".run-whose") == "Default run"
    reader.page.locator("svg.main-svg").first.wait_for()
    reader.opens_the_sheet()
    reader.page.get_by_role("button", name="Reset").click()
    reader.waits_until_settled()
    reader.sets(gpus="8")
    assert (reader.notices(), reader.changed(), reader.numbers()) == ([], {"gpus": "8"}, wanted)
    reader.sets(params="1000000", tokens="1000000", mfu=f"0.{'0' * 300}1")
    assert "cannot be computed" in " ".join(reader.notices())
    assert reader.run()["mfu"].endswith("01")  # what was typed stays to be mended
    reader.sets(mfu="40", params="30", tokens="1")
    assert (reader.notices(), reader.numbers(), reader.search()) == ([], wanted, "?gpus=8")


@pytest.mark.parametrize("query", LONG)
def test_a_run_is_shown_whole_or_not_at_all(query: str, reader: Reader) -> None:
    path = "work-it-out/"
    reader.goes_to(path)
    default = reader.numbers()
    reader.goes_to(f"{path}?{query}")
    reader.page.locator(".figure-chart").first.scroll_into_view_if_needed()
    reader.page.locator("svg.main-svg").first.wait_for()
    if reader.notices():
        assert (reader.numbers(), reader.text_of(".run-whose")) == (default, "Default run")
    else:
        assert reader.text_of(".run-whose") == "Your run"


def test_a_notice_can_be_dismissed_and_goes_with_the_first_change(phone: Reader) -> None:
    phone.goes_to(f"{QUIET}?gpus=x")
    phone.page.get_by_role("button", name="Dismiss").click()
    assert phone.notices() == []
    phone.goes_to(f"{QUIET}?gpus=y")
    assert len(phone.notices()) == 1
    phone.sets(mfu="50")
    assert (phone.notices(), phone.search()) == ([], "?mfu=0.5")
    assert phone.run() == {**DEFAULT, "mfu": "50"}


@pytest.mark.parametrize("settled", [True, False])
def test_the_keys_of_the_theme_take_the_run_along(settled: bool, reader: Reader) -> None:
    reader.goes_to("cost-of-communication/")
    reader.opens_the_sheet()
    reader.field("gpus").fill("128")
    if settled:
        reader.waits_until_settled()
    reader.page.get_by_role("button", name="Close").focus()
    reader.page.keyboard.press("n")
    reader.page.wait_for_url(lambda url: "cost-of-communication" not in url)
    assert reader.search() == "?gpus=128"
    assert reader.line().startswith("Your run 30 billion parameters · 128 × H100")


def test_what_the_search_shows_says_whose_numbers_they_are(reader: Reader) -> None:
    reader.goes_to("terminology/?gpus=8")
    note = "getComputedStyle(document.querySelector('.md-search-result__meta'), '::after').content"
    assert reader.page.evaluate(note) == '" (with the numbers of the default run)"'
    reader.goes_to("terminology/")
    assert reader.page.evaluate(note) == "none"


def test_many_notices_stand_below_each_other(phone: Reader) -> None:
    phone.goes_to("terminology/?params=x&mfu=5&link=no&gpus=0")
    notices = phone.page.locator(".run-notices > .run-notice")
    boxes = [notices.nth(at).bounding_box() for at in range(notices.count())]
    assert len(boxes) == 4
    assert len({(box["x"], box["width"]) for box in boxes}) == 1
    assert boxes[0]["width"] > 200
