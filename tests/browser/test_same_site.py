"""A run in the address gives the page that a site built for that run has: words, numbers and axis limits."""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from commcost import load
from hooks.live.links import address as address_of
from tests.browser.reader import READY, new_tab
from tests.chromium import serving
from tests.support import ROOT, SITES, copy_project, mkdocs, pages, random_runs

RUNS = {"default": 30, "cluster": 1}
# What a reader sees of a page, once it has settled: the article's words but for what scripts add, each number's double,
# and what plotly is told to draw.
SEEN = """
(page) => {
  page ??= document;
  const wordsOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    return node.matches?.("script, .card, .steps-controls, .figure-chart") ? " " : [...node.childNodes].map(wordsOf).join("");
  };
  return {
    words: wordsOf(page.querySelector("article")).replace(/\\s+/g, " "),
    bar: page.querySelector(".run-line").textContent + page.querySelector(".run-verdict").textContent.replace(/\\s+/g, " "),
    numbers: [...page.querySelectorAll("data.q")].map((one) => one.value),
    charts: [...page.querySelectorAll(".figure-chart")].map(({ data, layout: { xaxis, yaxis, annotations } }) =>
      JSON.stringify([xaxis.range, yaxis.range, annotations?.map(({ text }) => text), data.map(({ x, y }) => [x, y])])),
  };
}
"""
# The same of a built page as its file holds it; its charts are resolved as wide and in the letters of those of the page that is open.
AS_BUILT = f"""
async ([html, modules]) => {{
  const page = new DOMParser().parseFromString(html, "text/html");
  const {{ resolve }} = await import(modules + "resolve.js");
  const {{ place }} = await import(modules + "place.js");
  const blocks = [...page.querySelectorAll("script.live-data")].map((block) => JSON.parse(block.textContent));
  const charts = Object.assign({{}}, ...blocks.map((block) => block.charts));
  [...page.querySelectorAll(".figure-chart")].forEach((box, at) => {{
    const {{ width, font }} = document.querySelectorAll(".figure-chart")[at].layout;
    const {{ data, layout }} = resolve(charts[box.dataset.chart]);
    Object.assign(box, place({{ data, layout: {{ ...layout, font }} }}, width));
  }});
  return ({SEEN})(page);
}}
"""
# Takes part in nothing that is compared, and would take a third of the time.
THEME_S_SCRIPTS = ["*/assets/javascripts/*"]


@pytest.fixture(scope="module")
def modules() -> Iterator[str]:
    """Where a page of another address can import the project's scripts from."""
    with serving(ROOT / "docs" / "javascripts", {"Access-Control-Allow-Origin": "*"}) as address:
        yield address


@pytest.fixture
def tab(browser: Browser, address: str) -> Iterator[Page]:
    with new_tab(browser, address, viewport={"width": 800, "height": 900}) as page:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setBlockedURLs", {"urls": THEME_S_SCRIPTS})
        yield page


def written(value: float | str) -> str:
    return value if isinstance(value, str) else format(Decimal(repr(value)), "f")


def toml(run: Mapping[str, float | str], site: str) -> str:
    """Return the run file of one of the sites with another run in it."""
    run_file = SITES[site]
    added = re.sub(r"^\[run\]$(.|\n)*?(?=^\[)", "", run_file.read_text(encoding="utf-8"), flags=re.MULTILINE) if run_file else ""
    return added + "[run]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in run.items())


def seen(tab: Page, url: str) -> dict[str, object]:
    tab.goto(url)
    tab.wait_for_function(READY)
    for box in tab.locator(".figure-chart").all():
        box.scroll_into_view_if_needed()
        box.locator("svg.main-svg").first.wait_for(timeout=15_000)
    result: dict[str, object] = tab.evaluate(SEEN)
    return result


@pytest.mark.parametrize(
    ("site", "name", "number"), [(name, name, number) for name, runs in RUNS.items() for number in range(runs)], indirect=["site"]
)
def test_the_page_of_a_run_is_the_page_built_for_it(name: str, number: int, tab: Page, address: str, modules: str, tmp_path: Path) -> None:
    run = list(random_runs(load(SITES[name]), RUNS[name], seed=7))[number]
    project = copy_project(tmp_path / "project")
    (tmp_path / "run.toml").write_text(toml(run, name), encoding="utf-8")
    done = mkdocs(project, "build", RUN_FILE=str(tmp_path / "run.toml"))
    assert done.returncode == 0, done.stderr
    query = "&".join(f"{name}={written(value)}" for name, value in run.items())
    for path in pages():
        got = seen(tab, f"{address}{address_of(path)}?{query}")
        html = (project / "site" / address_of(path) / "index.html").read_text(encoding="utf-8")
        assert got == tab.evaluate(AS_BUILT, [html, modules]), (path, query)
