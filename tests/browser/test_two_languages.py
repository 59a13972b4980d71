"""Python and Chromium agree on every quantity to the last bit of the double, and on every shown text to the last character."""

import json
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from commcost import Model, ModelError, load
from hooks.live.forms import Form, form_of, js_number, show
from hooks.live.javascript import module
from tests.support import ROOT, SITES, corner_runs, random_runs

RUNS, GROUPS = 5000, 10
FORMS = ("fixed(0)", "fixed(1)", "fixed(2)", "fixed(4)", "significant(1)", "significant(3)", "significant(6)", "words", "about")
SETS = (
    "accelerator=other", "link=other", "accelerator=other;link=other", "accelerator=mi300x;link=nvlink", "example=node",
    "example=cluster;link=other", "accelerator=other;example=small_model", "example=large_model;link=nvlink",
    "params=tenth_more", "bytes_per_param=tenth_more", "accelerator=other;tokens=tenth_more", "example=node;mfu=tenth_more",
    "example=small_model;mfu=tenth_more;params=tenth_more",
)  # fmt: skip
PLAIN_FORMS = ("percent", "percent(1)", "times", "times(4)")

COMPARE = """
async ([wanted, set, runs]) => {
  const { Run } = await import("/evaluate.js");
  const { show } = await import("/format.js");
  const { NotComputable, units } = await import("/model.js");
  const view = new DataView(new ArrayBuffer(8));
  const bits = (x) => { view.setFloat64(0, x); return view.getBigUint64(0).toString(16).padStart(16, "0"); };
  return runs.map((settings) => {
    const run = new Run(settings).with(set);
    return wanted.map(([name, unit, names]) => {
      let value;
      try { value = run.value(name); } catch (error) { if (error instanceof NotComputable) return "refused"; throw error; }
      if (typeof value === "boolean") return String(value);
      return [bits(value), String(value), ...names.map((form) => show(value, units[unit], form))].join("|");
    }).join("\\n");
  });
}
"""


@pytest.fixture(scope="module")
def model(request: pytest.FixtureRequest) -> Model:
    return load(SITES[getattr(request, "param", "default")])


@pytest.fixture(scope="module")
def page(browser: Browser, serve: Callable[[Path], str], model: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("modules")
    for name in ("evaluate.js", "format.js"):
        shutil.copy(ROOT / "docs" / "javascripts" / name, folder / name)
    (folder / "model.js").write_text(module(model), encoding="utf-8")
    (folder / "index.html").write_text("<!doctype html><title>modules</title>")
    opened = browser.new_page()
    opened.goto(serve(folder))
    yield opened
    opened.close()


def forms_of(unit: Any) -> list[Form]:
    names = FORMS if unit.symbol or unit.plural else FORMS + PLAIN_FORMS
    return [form_of(name) for name in names]


def python_says(model: Model, inputs: dict[str, float | str], set: str) -> list[str]:
    run, lines = model.run(**inputs).with_(**dict(part.split("=") for part in set.split(";") if part)), []
    for name, quantity in model.quantities.items():
        try:
            value = run.value(name)
        except ModelError:
            lines.append("refused")
            continue
        if isinstance(value, bool):
            lines.append(str(value).lower())
            continue
        assert isinstance(value, float)
        texts = [show(value, quantity.unit, form) for form in forms_of(quantity.unit)]
        lines.append("|".join([struct.pack(">d", value).hex(), js_number(value), *texts]))
    return lines


def compare(page: Page, model: Model, runs: list[dict[str, float | str]], set: str = "") -> None:
    wanted = [[name, q.unit.name, [str(form) for form in forms_of(q.unit)]] for name, q in model.quantities.items()]
    settings = [json.loads(json.dumps(dict(model.run(**inputs).inputs))) for inputs in runs]
    for at in range(0, len(runs), 50):
        browser_says = page.evaluate(COMPARE, [wanted, set, settings[at : at + 50]])
        for inputs, lines in zip(runs[at : at + 50], browser_says, strict=True):
            here = python_says(model, inputs, set)
            assert dict(zip(model.quantities, lines.split("\n"), strict=True)) == dict(zip(model.quantities, here, strict=True)), (
                inputs,
                set,
            )


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_runs_agree(group: int, page: Page, model: Model) -> None:
    compare(page, model, [dict(run) for run in random_runs(model, RUNS // GROUPS, seed=group)])


@pytest.mark.parametrize("set", SETS)
def test_overrides_agree(set: str, page: Page, model: Model) -> None:
    compare(page, model, [dict(run) for run in random_runs(model, 50, seed=99)], set)


@pytest.mark.parametrize("model", ["cluster"], indirect=True)
def test_what_a_run_file_adds_agrees(page: Page, model: Model) -> None:
    compare(page, model, [dict(run) for run in random_runs(model, 100)])
    compare(page, model, [{}], "accelerator=other;example=night_shift;link=other")


def test_corners_and_ties_agree(page: Page, model: Model) -> None:
    tie: dict[str, float | str] = {"accelerator": "b200", "mfu": 0.4}
    edges: list[dict[str, float | str]] = [{"mfu": 1e-30}, {"mfu": 5e-324}]
    halves: list[dict[str, float | str]] = [{"params": 125 * 10**at} for at in range(12)]
    compare(page, model, [*corner_runs(), tie, *edges, *halves])
