"""Python and Chromium agree on every quantity to the last bit of the double, and on every shown text to the last character."""

import json
import math
import random
import re
import shutil
import struct
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from commcost import Model, ModelError, load
from commcost.units import NUMBER, PARAMETERS, SECONDS, Unit
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

SHOWN = re.compile(r'data-q="(\w+)"[^>]* data-as="([\w.]+)"|"q":"(\w+)","set":"[^"]*","as":"([\w.]+)"')
Forms = Mapping[str, Collection[Form]]

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
SHOW = """
async ([unit, forms, numbers]) => {
  const { show } = await import("/format.js");
  const { units } = await import("/model.js");
  return numbers.map((value) => forms.map((form) => show(value, units[unit], form)));
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


@pytest.fixture(scope="module")
def shown(built_site: Callable[[str], Path]) -> Forms:
    """The forms in which the site's pages show a quantity, by its name."""
    forms: dict[str, set[Form]] = defaultdict(set)
    for page in built_site("default").rglob("*.html"):
        for found in SHOWN.finditer(page.read_text(encoding="utf-8").replace("\\", "")):
            name, form = filter(None, found.groups())
            if form != "name":
                forms[name].add(form_of(re.sub(r"\.(\d+)", r"(\1)", form)))
    return forms


def forms_of(unit: Unit) -> list[Form]:
    """Return every form that a unit takes."""
    return [form_of(form) for form in (FORMS if unit.symbol or unit.plural else FORMS + PLAIN_FORMS)]


def python_says(model: Model, inputs: dict[str, float | str], set: str, forms: Forms) -> list[str]:
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
        texts = [show(value, quantity.unit, form) for form in forms.get(name, ())]
        lines.append("|".join([struct.pack(">d", value).hex(), js_number(value), *texts]))
    return lines


def compare(page: Page, model: Model, runs: list[dict[str, float | str]], set: str = "", forms: Forms | None = None) -> None:
    """Compare each quantity's double, and its texts in each of the ``forms``, all where none are given."""
    forms = forms or {name: forms_of(q.unit) for name, q in model.quantities.items()}
    wanted = [[name, q.unit.name, [str(form) for form in forms.get(name, ())]] for name, q in model.quantities.items()]
    settings = [json.loads(json.dumps(dict(model.run(**inputs).inputs))) for inputs in runs]
    for at in range(0, len(runs), 50):
        browser_says = page.evaluate(COMPARE, [wanted, set, settings[at : at + 50]])
        for inputs, lines in zip(runs[at : at + 50], browser_says, strict=True):
            here = python_says(model, inputs, set, forms)
            assert dict(zip(model.quantities, lines.split("\n"), strict=True)) == dict(zip(model.quantities, here, strict=True)), (
                inputs,
                set,
            )


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_runs_agree_in_every_number_and_in_every_text_that_a_page_shows(group: int, page: Page, model: Model, shown: Forms) -> None:
    assert sum(map(len, shown.values())) > len(model.quantities)
    compare(page, model, [dict(run) for run in random_runs(model, RUNS // GROUPS, seed=group)], forms=shown)


@pytest.mark.parametrize("set", SETS)
def test_overrides_agree_in_every_form(set: str, page: Page, model: Model) -> None:
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


def test_any_number_is_shown_alike(page: Page) -> None:
    """Doubles of any size and sign, each in every form of a unit with prefixes, of one with words and of a plain number."""
    dice = random.Random(3)
    drawn = (struct.unpack(">d", dice.randbytes(8))[0] for _ in range(800))
    near_half = (sign * (whole + 0.5) / 10**places for sign in (1, -1) for whole in (0, 4, 99, 999, 99_999) for places in range(9))
    numbers = [
        value
        for value in (*drawn, *near_half, *(float(f"1e{power}") for power in range(-20, 25)), 0.0, 5e-324, 1.7976931348623157e308)
        if math.isfinite(value)
    ]
    for unit in (SECONDS, PARAMETERS, NUMBER):
        forms = forms_of(unit)
        written = page.evaluate(SHOW, [unit.name, [str(form) for form in forms], numbers])
        assert dict(zip(numbers, written, strict=True)) == {value: [show(value, unit, form) for form in forms] for value in numbers}
