"""How the bar looks and what it leaves out: contrast, paper, no scripts, and what the scripts weigh."""

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.reader import CONTRASTS, Reader

LANES = "work-it-out/"
MOST_BYTES = 15_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_text_of_the_bar_can_be_read(width: int, scheme: str, browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": width, "height": 844}, color_scheme=scheme) as reader:
        reader.goes_to(f"{LANES}?gpu=8&link=nvlink&params=405000000000")
        contrasts = dict(reader.page.evaluate(CONTRASTS, ".run"))
        reader.opens_the_sheet()
        reader.field("gpus").fill("0")
        contrasts |= dict(reader.page.evaluate(CONTRASTS, ".run"))
        reader.page.locator("#run-preset").select_option("llama3_405b")
        contrasts |= dict(reader.page.evaluate(CONTRASTS, ".run"))
    assert len(contrasts) > 20
    assert {text: contrast for text, contrast in contrasts.items() if contrast < 4.5} == {}


def test_without_scripts_the_bar_states_the_run_and_no_control_exists(browser: Browser, address: str) -> None:
    for width in (390, 1280):
        with Reader.at(browser, address, viewport={"width": width, "height": 800}, java_script_enabled=False) as reader:
            reader.page.goto(f"{address}{LANES}?gpus=8")
            assert reader.line() == (
                "Default run 30 billion parameters · 64 × H100 · InfiniBand · 40 % "
                "Communication is 34 % of computing, and the backward pass can hide it."
            )
            assert reader.page.locator(".run :is(button, input, select, form)").count() == 0
            article, bar = (reader.page.locator(one).bounding_box() for one in ("article", ".run"))
            assert article
            assert bar
            if width == 390:
                assert article["width"] > 350
                assert bar["y"] + bar["height"] <= article["y"] + 1
            else:
                assert bar["x"] >= article["x"] + article["width"]


@pytest.mark.parametrize("scripts", [True, False])
def test_paper_has_the_run_and_no_controls_and_its_full_width(scripts: bool, browser: Browser, address: str) -> None:
    with Reader.at(browser, address, viewport={"width": 800, "height": 1100}, java_script_enabled=scripts) as reader:
        reader.page.goto(f"{address}{LANES}?gpus=8&gpu=1")
        if scripts:
            reader.waits_for_the_run()
            reader.opens_the_sheet()
        reader.page.emulate_media(media="print")
        assert ("Your run" if scripts else "Default run") in reader.line()
        for one in reader.page.locator(".run :is(button, input, select), .run-notice").all():
            assert not one.is_visible()
        article, bar = (reader.page.locator(one).bounding_box() for one in ("article", ".run"))
        assert article
        assert bar
        assert article["width"] > 740
        assert bar["y"] + bar["height"] <= article["y"] + 1


def test_the_scripts_together_are_small(site: Path) -> None:
    scripts = [path for path in (site / "javascripts").iterdir() if path.name != "plotly.min.js"]
    weights = {path.name: len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in scripts}
    assert sum(weights.values()) <= MOST_BYTES, weights
