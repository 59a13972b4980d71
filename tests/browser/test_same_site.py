"""A run in the address gives the page that a site built for that run has: words, numbers and axis limits."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from commcost import load
from hooks.live.links import address as address_of
from tests.browser.reader import Reader, new_tab
from tests.chromium import serving
from tests.support import ROOT, SITES, copy_project, pages, random_runs

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
  return JSON.stringify({ // which passes to Python much faster than what it says
    words: wordsOf(page.querySelector("article")).replace(/\\s+/g, " "),
    bar: page.querySelector(".run-line").textContent + page.querySelector(".run-verdict").textContent.replace(/\\s+/g, " "),
    numbers: [...page.querySelectorAll("data.q")].map((one) => `${one.value} ${one.dataset.long ?? "may not break"}`),
    charts: [...page.querySelectorAll(".figure-chart")].map(({ data, layout: { xaxis, yaxis, annotations } }) =>
      JSON.stringify([xaxis.range, yaxis.range, annotations?.map(({ text }) => text), data.map(({ x, y }) => [x, y])])),
  });
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
# Brings each figure into sight, which draws what it has not drawn yet.
SEE_ALL = """
async () => {
  for (const box of document.querySelectorAll(".figure-chart")) {
    box.scrollIntoView({ block: "center", behavior: "instant" });
    do await new Promise(requestAnimationFrame); while (!box.querySelector("svg.main-svg"));
    await new Promise(requestAnimationFrame);
  }
}
"""
# Builds a site for each run file that it is told, as `mkdocs build` does; what they all import is imported once.
BUILDER = """
import os, sys
from mkdocs.__main__ import cli

for line in sys.stdin:
    os.environ["RUN_FILE"], site = line.split()
    cli(["build", "--quiet", "--site-dir", site], standalone_mode=False)
    print(site, flush=True)
"""
# Takes part in nothing that is compared, and would take a third of the time.
THEME_S_SCRIPTS = ["*/assets/javascripts/*"]


@pytest.fixture(scope="module")
def modules() -> Iterator[str]:
    """Where a page of another address can import the project's scripts from."""
    with serving(ROOT / "docs" / "javascripts", {"Access-Control-Allow-Origin": "*"}) as address:
        yield address


@pytest.fixture(scope="module")
def built_for(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Path]]:
    """A function that builds a site for a run file and returns its folder."""
    project = copy_project(tmp_path_factory.mktemp("same_site") / "project")
    command, environment = [sys.executable, "-c", BUILDER], {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    with subprocess.Popen(command, cwd=project, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as builder:
        told, said = builder.stdin, builder.stdout
        assert said

        def build(run_file: Path) -> Path:
            site = run_file.with_suffix(".site")
            print(run_file, site, file=told, flush=True)
            assert said.readline().strip() == str(site), "the build failed, and said why above"
            return site

        yield build


@pytest.fixture(scope="module")
def read(
    browser: Browser, built_site: Callable[[str], Path], serve: Callable[[Path], str], modules: str
) -> Iterator[Callable[[str, str, str], Page]]:
    """A function that comes to a site's page for a run: to the first by its address, to the next as by the history in the same tab."""
    readers: dict[tuple[str, str], Reader] = {}

    def come(site: str, path: str, query: str) -> Page:
        if (site, path) in readers:
            readers[site, path].reads(query)
        else:
            reader = readers[site, path] = Reader(first.context.new_page(), serve(built_site(site)))
            session = reader.context.new_cdp_session(reader.page)
            session.send("Network.enable")
            session.send("Network.setBlockedURLs", {"urls": THEME_S_SCRIPTS})
            reader.goes_to(address_of(path) + query)
        page = readers[site, path].page
        page.bring_to_front()  # a tab behind another hardly draws
        page.evaluate(SEE_ALL)
        return page

    with new_tab(browser, serve(built_site("default")), viewport={"width": 800, "height": 900}) as first:
        yield come
        # The project's modules, which this test asks for, and the theme's scripts.
        own = re.compile(rf"{re.escape(modules)}|ERR_BLOCKED_BY_CLIENT.*/assets/javascripts/")
        problems = [problem for reader in readers.values() for problem in reader.problems if not own.search(problem)]
        assert not problems, problems


def written(value: float | str) -> str:
    return value if isinstance(value, str) else format(Decimal(repr(value)), "f")


def toml(run: Mapping[str, float | str], site: str) -> str:
    """Return the run file of one of the sites with another run in it."""
    run_file = SITES[site]
    added = re.sub(r"^\[run\]$(.|\n)*?(?=^\[)", "", run_file.read_text(encoding="utf-8"), flags=re.MULTILINE) if run_file else ""
    return added + "[run]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in run.items())


@pytest.mark.parametrize(("site", "number"), [(site, number) for site, runs in RUNS.items() for number in range(runs)])
def test_the_page_of_a_run_is_the_page_built_for_it(
    site: str, number: int, read: Callable[[str, str, str], Page], built_for: Callable[[Path], Path], modules: str, tmp_path: Path
) -> None:
    run = list(random_runs(load(SITES[site]), RUNS[site], seed=7))[number]
    (tmp_path / "run.toml").write_text(toml(run, site), encoding="utf-8")
    built = built_for(tmp_path / "run.toml")
    query = "?" + "&".join(f"{name}={written(value)}" for name, value in run.items())
    for path in pages():
        page = read(site, path, query)
        html = (built / address_of(path) / "index.html").read_text(encoding="utf-8")
        seen, wanted = page.evaluate(SEEN), page.evaluate(AS_BUILT, [html, modules])
        assert json.loads(seen) == json.loads(wanted), (path, query)
