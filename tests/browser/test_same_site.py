"""A run in the address gives the page that a site built for that run has: words, numbers and axis limits."""

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from commcost import load
from hooks.live.links import address as address_of
from tests.support import SITES, copy_project, mkdocs, pages, random_runs

RUNS = {"default": 30, "cluster": 1}
# What a reader sees of a page, once it has settled: the article's words, each number's double, each chart's axes.
SEEN = """
() => ({
  pending: document.documentElement.className.includes("run-pending"),
  words: [...document.querySelectorAll("article > *:not(script)")].map((part) => part.textContent.replace(/\\s+/g, " ").trim()).join(" "),
  bar: document.querySelector(".run-line").textContent + document.querySelector(".run-verdict").textContent.replace(/\\s+/g, " "),
  numbers: [...document.querySelectorAll("data.q")].map((one) => one.value),
  axes: [...document.querySelectorAll(".figure-chart")].map((box) =>
    JSON.stringify([box._fullLayout.xaxis.range, box._fullLayout.yaxis.range, box._fullLayout.annotations.map((label) => label.text)])),
  marks: [...document.querySelectorAll(".figure-chart")].map((box) => JSON.stringify(box.data.map((trace) => [trace.x, trace.y]))),
})
"""


def written(value: float | str) -> str:
    return value if isinstance(value, str) else format(Decimal(repr(value)), "f")


def toml(run: Mapping[str, float | str], site: str) -> str:
    """Return the run file of one of the sites with another run in it."""
    run_file = SITES[site]
    added = re.sub(r"^\[run\]$(.|\n)*?(?=^\[)", "", run_file.read_text(encoding="utf-8"), flags=re.MULTILINE) if run_file else ""
    return added + "[run]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in run.items())


def seen(page: Page, url: str) -> dict[str, object]:
    page.goto(url)
    page.wait_for_function("!document.documentElement.classList.contains('run-pending') && document.querySelector('.run-open')")
    for box in page.locator(".figure-chart").all():
        box.scroll_into_view_if_needed()
        box.locator("svg.main-svg").first.wait_for(timeout=15_000)
    result: dict[str, object] = page.evaluate(SEEN)
    return result


@pytest.mark.parametrize(
    ("site", "name", "number"), [(name, name, number) for name, runs in RUNS.items() for number in range(runs)], indirect=["site"]
)
def test_the_page_of_a_run_is_the_page_built_for_it(
    name: str, number: int, browser: Browser, address: str, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    run = list(random_runs(load(SITES[name]), RUNS[name], seed=7))[number]
    project = copy_project(tmp_path / "project")
    (tmp_path / "run.toml").write_text(toml(run, name), encoding="utf-8")
    done = mkdocs(project, "build", RUN_FILE=str(tmp_path / "run.toml"))
    assert done.returncode == 0, done.stderr
    built = serve(project / "site")
    query = "&".join(f"{name}={written(value)}" for name, value in run.items())
    page = browser.new_page(viewport={"width": 800, "height": 900})
    for path in pages():
        wanted, got = seen(page, built + address_of(path)), seen(page, f"{address}{address_of(path)}?{query}")
        assert got == wanted, (path, query)
    page.close()
