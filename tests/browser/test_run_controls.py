"""The controls of the run: under a thumb, at a desk, by keyboard alone, and as they are heard."""

import re

import pytest
from playwright.sync_api import Browser

from commcost import load
from tests.browser.reader import DEFAULT, Reader
from tests.support import pages

LANES = "work-it-out/"
QUIET = "terminology/"
# Everything that a finger or a key can reach in the bar, with its name and its box.
REACHABLE = """
() => [...document.querySelectorAll(".run :is(a, button, input, select, summary, [tabindex])")]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const { width, height } = one.getBoundingClientRect();
    const name = one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent;
    return { tag: one.localName, type: one.type, name, width, height };
  })
"""
BACKGROUND = "(one) => getComputedStyle(one).backgroundColor"
CLEAR = "rgba(0, 0, 0, 0)"
BOX = "(one) => { const { top, bottom, left, right } = one.getBoundingClientRect(); return { top, bottom, left, right }; }"


def test_every_input_has_a_native_control_with_a_name(reader: Reader) -> None:
    reader.goes_to(QUIET)
    reader.opens_the_sheet()
    assert reader.run() == DEFAULT
    controls = reader.page.evaluate(REACHABLE)
    assert {control["tag"] for control in controls} == {"button", "input", "select"}
    assert [control["name"] for control in controls] == [
        "Published run", "accelerator", "link", "GPUs", "GPUs, slider", "utilisation", "utilisation, slider", "parameters",
        "bytes per parameter", "tokens per step", "Close", "Reset", "Copy link",
    ]  # fmt: skip
    for name, kind in (("accelerator", "combobox"), ("link", "combobox"), ("GPUs, slider", "slider"), ("parameters", "textbox")):
        assert reader.page.get_by_role(kind, name=name, exact=True).count() == 1  # type: ignore[arg-type]
    assert reader.page.get_by_role("textbox", name="parameters", exact=True).get_attribute("aria-describedby") == (
        "run-params-unit run-params-problem"
    )


@pytest.mark.parametrize("height", [844, 664])
def test_on_a_phone_the_sheet_leaves_the_figure_in_view(height: int, phone: Reader) -> None:
    phone.page.set_viewport_size({"width": 390, "height": height})
    phone.goes_to(LANES)
    figure = phone.page.locator("figure[data-figure=lanes] .figure-chart")
    phone.page.locator(".run-open").tap()
    figure.evaluate("(box) => scrollTo(0, box.getBoundingClientRect().top + scrollY - 60)")
    figure.locator("svg.main-svg").first.wait_for()
    sheet = phone.page.locator(".run").evaluate(BOX)
    assert (sheet["bottom"], sheet["left"], sheet["right"]) == (height, 0, 390)
    header = phone.page.locator(".md-header").evaluate(BOX)["bottom"]
    assert sheet["top"] - header >= 0.4 * height
    chart = figure.evaluate(BOX)
    assert header <= chart["top"] < chart["top"] + 150 < sheet["top"]
    for control in phone.page.locator(".run-buttons button").all():
        assert control.evaluate(BOX)["bottom"] <= height
    before = figure.inner_text()
    phone.page.get_by_label("accelerator", exact=True).select_option("b200")
    phone.waits_until_settled()
    assert figure.inner_text() != before


def test_on_a_phone_the_end_of_the_page_can_be_read_above_the_sheet(phone: Reader) -> None:
    phone.goes_to(QUIET)
    phone.opens_the_sheet()
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert phone.page.locator(".md-footer-meta__inner").evaluate(BOX)["bottom"] <= phone.page.locator(".run").evaluate(BOX)["top"]


@pytest.mark.parametrize("way", ["button", "Escape", "Escape from the page"])
def test_focus_goes_into_the_sheet_and_returns(way: str, phone: Reader) -> None:
    phone.goes_to(QUIET)
    opener = phone.page.get_by_role("button", name="Set run")
    assert opener.get_attribute("aria-expanded") == "false"
    assert opener.get_attribute("aria-controls") == "run-sheet"
    opener.tap()
    assert phone.page.evaluate("document.activeElement.id") == "run-preset"
    assert phone.page.locator("#run-sheet").is_visible()
    if way == "Escape from the page":
        phone.page.locator("h1").tap()
    if way == "button":
        phone.page.get_by_role("button", name="Close").tap()
    else:
        phone.page.keyboard.press("Escape")
    assert not phone.page.locator("#run-sheet").is_visible()
    assert phone.page.evaluate("document.activeElement.classList.contains('run-open')") is (way != "Escape from the page")


def test_at_a_desk_the_controls_stand_beside_the_text_and_do_not_move_it(reader: Reader) -> None:
    reader.goes_to(LANES)
    article = reader.page.locator("article").evaluate(BOX)
    reader.opens_the_sheet()
    assert reader.page.locator("article").evaluate(BOX) == article
    for scrolled in (0, 900):
        reader.page.evaluate(f"scrollTo(0, {scrolled})")
        bar = reader.page.locator(".run").evaluate(BOX)
        assert article["right"] <= bar["left"] < bar["right"] <= 1280
        assert 48 <= bar["top"] < bar["bottom"] <= 800
        assert reader.page.get_by_role("button", name="Close").evaluate(BOX)["bottom"] <= 800


def test_the_keyboard_alone_does_everything(reader: Reader) -> None:
    reader.goes_to(QUIET)
    press = reader.page.keyboard.press
    for _ in range(40):
        press("Tab")
        if reader.page.evaluate("document.activeElement.classList.contains('run-open')"):
            break
    press("Enter")
    names, rings = [], set()
    for _ in range(14):
        if reader.page.evaluate("!document.activeElement.closest('.run-sheet')"):
            break
        names.append(reader.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.id"))
        rings.add(
            reader.page.evaluate(
                "(({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`)(getComputedStyle(document.activeElement))"
            )
        )
        match names[-1]:
            case "run-accelerator" | "GPUs, slider":
                press("ArrowDown" if names[-1] == "run-accelerator" else "ArrowRight")
            case "run-params":
                press("Control+a")
                reader.page.keyboard.type("7")
        press("Tab")
    assert len(names) == 13
    assert rings == {"solid 3px"}
    reader.waits_until_settled()
    assert reader.changed() == {"accelerator": "h200", "gpus": "128", "params": "7"}
    assert reader.search() == "?params=7000000000&gpus=128&accelerator=h200"
    for _ in range(2):
        press("Shift+Tab")
    press("Enter")  # Reset
    reader.waits_until_settled()
    assert (reader.changed(), reader.search()) == ({}, "")
    press("Escape")
    assert reader.page.evaluate("document.activeElement.textContent") == "Set run"


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_targets_are_large_enough_for_a_thumb(width: int, reader: Reader) -> None:
    reader.page.set_viewport_size({"width": width, "height": 700})
    reader.goes_to(f"{QUIET}?gpu=8")
    small = []
    for act in (lambda: None, reader.opens_the_sheet, lambda: reader.page.locator("#run-preset").select_option("llama3_405b")):
        act()
        small += [one for one in reader.page.evaluate(REACHABLE) if min(one["width"], one["height"]) < 44]
    assert small == []


def test_nothing_scrolls_sideways_on_a_narrow_phone(browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True) as phone:
        fits = "() => document.documentElement.scrollWidth <= 320 && document.querySelector('.run').scrollWidth <= 320"
        phone.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        for path in pages():
            phone.goes_to(path.removesuffix("index.md").removesuffix(".md") + "?params=999999999999999&gpus=999999999&mfux=1&link=no")
            assert phone.page.evaluate(fits), path
            phone.opens_the_sheet()
            assert phone.page.evaluate(fits), path
        phone.page.locator("#run-preset").select_option("gpt2_1558m")
        phone.field("gpus").fill("many")
        phone.page.get_by_role("button", name="Copy link").click()
        phone.page.locator(".run-address").wait_for()
        assert phone.page.evaluate(fits)


def test_sliders_speak_values_with_units(reader: Reader) -> None:
    reader.goes_to(f"{QUIET}?gpus=100&mfu=0.333")
    reader.opens_the_sheet()
    gpus, mfu = (reader.page.get_by_role("slider", name=name) for name in ("GPUs", "utilisation"))
    assert [gpus.get_attribute("aria-valuetext"), mfu.get_attribute("aria-valuetext")] == ["100 GPUs", "33.3 %"]
    gpus.press("ArrowRight")
    mfu.press("ArrowLeft")
    reader.waits_until_settled()
    assert [gpus.get_attribute("aria-valuetext"), mfu.get_attribute("aria-valuetext")] == ["256 GPUs", "32 %"]
    assert reader.changed() == {"gpus": "256", "mfu": "32"}
    gpus.press("Home")
    reader.waits_until_settled()
    assert gpus.get_attribute("aria-valuetext") == "1 GPU"
    gpus.press("End")
    reader.waits_until_settled()
    assert gpus.get_attribute("aria-valuetext") == "131,072 GPUs"


GOOD = {
    "params": [
        ("3", "3000000000"),
        ("30.", ""),
        ("0.5", "500000000"),
        ("1,000", "1000000000000"),
        ("2 000.5", "2000500000000"),
        (" 7 ", "7000000000"),
        (".5", "500000000"),
        ("7 billion", "7000000000"),
        ("13billion ", "13000000000"),
    ],
    "gpus": [("8", "8"), ("008", "8"), ("16,384", "16384"), ("131\u202f072", "131072")],
    "mfu": [("47.3", "0.473"), ("35 %", "0.35"), ("36%", "0.36"), ("100", "1"), ("0.1", "0.001")],
}
BAD = {
    "params": [
        "",
        "1e3",
        "-5",
        "0",
        "abc",
        "1,5",
        "1,00",
        "3 0",
        "1 00",
        "1  000",
        "1000 000",
        "٣",
        "30 thousand",
        "billion",
        "1000001",
        "0.0000000001",
        ".",
    ],
    "gpus": ["", "0", "1.5", "1e3", "-5", "+5", "1000000001", "0x10", "8.5"],
    "mfu": ["0", "101", "-40", "40 %%", "Infinity", "1e1"],
}


@pytest.mark.parametrize("name", GOOD)
def test_a_field_takes_what_people_type(name: str, reader: Reader) -> None:
    reader.goes_to(QUIET)
    for text, base in GOOD[name]:
        reader.sets(**{name: text})
        assert reader.search() == (f"?{name}={base}" if base else "")
        assert reader.field(name).input_value() == text  # and leaves it as it was typed
        assert reader.field(name).get_attribute("aria-invalid") == "false"


def test_a_text_that_is_no_value_is_told_beside_its_field_and_changes_nothing(reader: Reader) -> None:
    reader.goes_to(QUIET)
    numbers, line = reader.numbers(), reader.line()
    reader.opens_the_sheet()
    for name, texts in BAD.items():
        field, problem = reader.field(name), reader.page.locator(f"#run-{name}-problem")
        for text in texts:
            field.fill(text)
            reader.page.evaluate("new Promise(requestAnimationFrame)")
            assert field.get_attribute("aria-invalid") == "true", (name, text)
            assert problem.inner_text().lower().startswith("must be "), (name, text)
            assert 0 <= problem.evaluate(BOX)["top"] - field.evaluate(BOX)["bottom"] < 12
            assert field.input_value() == text
        reader.waits_until_settled()
        assert (reader.line(), reader.numbers(), reader.search()) == (line, numbers, "")
        reader.page.get_by_role("button", name="Reset").click()
        reader.waits_until_settled()
        assert (reader.run(), field.get_attribute("aria-invalid"), problem.is_visible()) == (DEFAULT, "false", False)


def test_a_rule_is_told_in_the_units_of_its_field(reader: Reader) -> None:
    reader.goes_to(QUIET)
    reader.sets(params="0", gpus="0", mfu="0", tokens="x")
    said = [reader.text_of(f"#run-{name}-problem") for name in ("params", "gpus", "mfu", "tokens")]
    assert [text.lower() for text in said] == [
        "must be a whole number of parameters, at least 0.000000001 and at most 1,000,000 billion",
        "must be a whole number, at least 1 and at most 1,000,000,000",
        "must be above 0 and at most 100 %",
        "must be digits, such as 64 or 0.5",
    ]


def test_a_field_is_not_rewritten_while_one_types_in_it(reader: Reader) -> None:
    reader.goes_to(QUIET)
    reader.opens_the_sheet()
    field = reader.field("params")
    field.fill("")
    for typed, so_far in (("3", "3"), (".", "3."), ("0", "3.0"), ("5", "3.05")):
        field.press_sequentially(typed)
        reader.waits_until_settled()
        assert field.input_value() == so_far
    assert reader.search() == "?params=3050000000"
    # One text and, before the frame that shows its run, the next.
    value = field.evaluate(
        """async (field) => {
          for (const text of ["6", ""]) {
            field.value = text;
            field.dispatchEvent(new Event("input", { bubbles: true }));
          }
          await new Promise((done) => setTimeout(done, 700));
          return field.value;
        }"""
    )
    assert value == ""
    assert reader.line().startswith("Your run 6 billion")


def test_a_preset_sets_every_input_and_shows_its_source(reader: Reader) -> None:
    presets = load().presets
    assert len(presets) >= 5
    reader.goes_to(QUIET)
    reader.opens_the_sheet()
    choice = reader.page.get_by_label("Published run")
    assert choice.input_value() == "default"
    for id, preset in presets.items():
        reader.field("gpus").fill("")
        choice.select_option(id)
        reader.waits_until_settled()
        got = reader.run()
        powers = {"params": 1e9, "tokens": 1e6, "mfu": 0.01}
        for name, value in preset.settings.items():
            typed = got[name]
            assert typed == value if isinstance(value, str) else float(typed) * powers.get(name, 1) == pytest.approx(value), (id, name)
        source = reader.page.locator(".run-about a")
        assert (source.inner_text(), source.get_attribute("href")) == ("Where it was published", preset.url)
        assert reader.text_of(".run-whose") == "Your run"
        assert reader.search() != ""
    reader.field("tokens").fill("3")
    reader.waits_until_settled()
    assert reader.page.locator("#run-preset option:checked").inner_text() == "your own"
    assert reader.page.locator(".run-about a").count() == 0
    choice.select_option("default")
    reader.waits_until_settled()
    assert (reader.run(), reader.search(), reader.text_of(".run-whose")) == (DEFAULT, "", "Default run")


def test_a_run_that_is_not_the_default_is_plainly_the_readers_own(phone: Reader) -> None:
    phone.goes_to(QUIET)
    colours = "(one) => getComputedStyle(one).backgroundColor"
    whose = phone.page.locator(".run-whose")
    plain = whose.evaluate(colours)
    assert whose.inner_text() == "Default run"
    phone.sets(tokens="2")  # which the line does not state
    assert whose.inner_text() == "Your run"
    assert whose.evaluate(colours) != plain


def test_a_link_that_does_not_reach_is_called_hypothetical(reader: Reader) -> None:
    reader.goes_to(f"{QUIET}?link=nvlink")
    assert reader.text_of(".run-verdict").endswith("; hypothetical, as NVLink joins 8 GPUs at most.")
    reader.sets(gpus="8")
    assert "hypothetical" not in reader.line()
    reader.sets(gpus="64", accelerator="mi300x")
    assert reader.text_of(".run-verdict").endswith("; hypothetical, as Infinity Fabric joins 8 GPUs at most.")


VERDICTS = {
    "gpus=1": "A lone card exchanges nothing.",
    "gpus=64": "Communication is 34 % of computing, and the backward pass can hide it.",
    "gpus=150": "Communication is 79 % of computing, too much for the backward pass to hide.",
    "gpus=512": "Communication is 270 % of computing, so no schedule can hide all of it.",
}


@pytest.mark.parametrize(("query", "verdict"), VERDICTS.items())
def test_the_verdict_is_one_sentence(query: str, verdict: str, reader: Reader) -> None:
    reader.goes_to(f"{QUIET}?{query}")
    assert reader.text_of(".run-verdict") == verdict


def test_a_settled_change_is_said_once_and_in_one_sentence(reader: Reader) -> None:
    reader.goes_to(QUIET)
    reader.opens_the_sheet()
    reader.page.evaluate(
        """() => {
          globalThis.said = [];
          const output = document.querySelector("output.run-said");
          new MutationObserver(() => said.push(output.textContent)).observe(output, { childList: true, subtree: true });
        }"""
    )
    slider = reader.page.get_by_role("slider", name="GPUs")
    slider.evaluate(
        """async (slider) => {
          for (let at = 1; at <= 10; at += 1) {
            slider.value = at;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => setTimeout(done, 40));
          }
        }"""
    )
    reader.waits_until_settled()
    said = reader.page.evaluate("said")
    assert len(said) == 1
    assert re.fullmatch(r"Communication is [\d,]+ % of computing, [^.]+\.", said[0])
    reader.waits_until_settled()
    reader.page.locator(".md-nav a[href='#leaving-the-node']").first.click()
    reader.waits_until_settled()
    assert reader.page.evaluate("said") == said  # an anchor is no change
    reader.page.go_back()
    reader.page.go_back()
    assert len(reader.page.evaluate("said")) == 2
    assert (
        reader.page.locator("[aria-live], [role=status], [role=alert], output").evaluate_all(
            "all => all.filter((one) => one.matches('output.run-said') || one.querySelector('data.q')).length"
        )
        == 1
    )


def test_numbers_that_changed_are_marked_and_the_mark_goes_away(reader: Reader) -> None:
    reader.goes_to("cost-of-communication/?gpus=8")
    marked = reader.page.locator(".run-changed")
    assert marked.count() == 0  # a run from the address is no change
    reader.opens_the_sheet()
    reader.field("gpus").fill("4096")
    marked.first.wait_for()
    same = reader.page.locator("article data.q[data-set*='example=']:not([data-set*='link'])").first
    assert "run-changed" not in (same.get_attribute("class") or "")
    assert marked.count() > 2
    assert marked.first.evaluate(BACKGROUND) != CLEAR
    # A drag pays for no animation: the mark stands still, and fades once when it goes.
    assert reader.page.evaluate("document.getAnimations().filter((one) => one.effect.target.matches('data, [data-claim]')).length") == 0
    reader.page.wait_for_function("document.querySelectorAll('.run-changed').length === 0")
    reader.page.wait_for_function(f"[...document.querySelectorAll('article data.q')].every((one) => ({BACKGROUND})(one) === '{CLEAR}')")


def test_with_reduced_motion_nothing_is_animated(browser: Browser, address: str) -> None:
    with Reader.at(browser, address, reduced_motion="reduce") as reader:
        reader.goes_to("cost-of-communication/")
        reader.opens_the_sheet()
        reader.field("gpus").fill("4096")
        marked = reader.page.locator(".run-changed").first
        marked.wait_for()
        assert marked.evaluate(BACKGROUND) == CLEAR
        animated = "document.getAnimations().filter((one) => one.effect.target.closest('.run, article')).length"
        assert reader.page.evaluate(animated) == 0


def test_a_finger_that_scrolls_the_sheet_from_a_slider_sets_nothing(phone: Reader) -> None:
    phone.goes_to(LANES)
    phone.opens_the_sheet()
    slider = phone.page.locator(".run-slider").first
    # As a browser tells it: the touch sets the slider, then turns out to be a scroll.
    slider.dispatch_event("pointerdown")
    slider.evaluate("(one) => { one.value = 3; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    phone.page.wait_for_function("document.querySelector('.run-line').textContent.includes('8 ×')")
    slider.dispatch_event("pointercancel")
    phone.waits_until_settled()
    assert (phone.search(), slider.input_value()) == ("", "6")
    assert phone.line().startswith("Default run")
