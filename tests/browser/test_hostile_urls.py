"""Whatever stands in an address or is kept by a browser, the page takes no more of it than the rules say, and says so.

`FUZZ=20000 .venv/bin/python -m pytest tests/browser/test_hostile_urls.py` looks harder, each time elsewhere.
"""

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_plus

import pytest
from playwright.sync_api import Browser, Page

from commcost import load
from hooks.live.javascript import module
from tests.browser.reader import DEFAULT, READY, new_tab
from tests.support import ROOT

PATH = "terminology/"
MODEL = load()
INPUTS = MODEL.inputs
DEFAULTS = dict(MODEL.run().inputs)
POWERS = {"params": 9, "tokens": 6, "mfu": -2}  # of what the fields show
HARD = int(os.environ.get("FUZZ", "0"))

Outcome = tuple[dict[str, float | str], list[tuple[str, str]]]


# --- What an address means: the rules, written anew


def pairs(search: str) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of a query as forms write them; bytes that are no UTF-8 become U+FFFD."""
    for part in search.removeprefix("?").split("&"):
        if part:
            key, _, value = part.partition("=")
            yield unquote_plus(key, errors="replace"), unquote_plus(value, errors="replace")


def is_near(key: str, name: str) -> bool:
    """Tell whether a key is one edit (swapped neighbours are one), or only letter case, away from a name."""
    longer, shorter = sorted((key, name), key=len, reverse=True)
    if len(longer) == len(shorter):
        swapped = (name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1))
        return key.lower() == name or key in swapped or sum(a != b for a, b in zip(key, name, strict=True)) == 1
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def complaint(name: str, values: list[str]) -> str:
    """Return what is wrong with the values of an input; nothing where its only one is good."""
    entry, (value, *more) = INPUTS[name], values
    if more:
        return "is given more than once"
    if entry.unit is None:
        return "" if value in MODEL.choices[name] else "is not one of the choices"
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", value) or len(value) > 400:
        return "must be digits, such as 64 or 0.5"
    number = float(value)
    within = number <= entry.high and (number > entry.low if entry.low_is_open else number >= entry.low)
    return "" if within and (not entry.whole or number == int(number)) else "must be a" if entry.whole else "must be "


def meant(search: str) -> Outcome:
    """Return the run that an address means, and what is to be noticed, by key."""
    given: dict[str, list[str]] = {}
    for key, value in pairs(search):
        given.setdefault(key, []).append(value)
    run, notices = dict(DEFAULTS), []
    for name in (name for name in INPUTS if name in given):
        wrong = complaint(name, given[name])
        if wrong:
            notices.append((name, wrong))
        else:
            run[name] = given[name][0] if INPUTS[name].unit is None else float(given[name][0])
    for name in INPUTS:
        near = [key for key in given if key not in INPUTS and is_near(key, name)]
        notices += [(key, f"is not an input. Perhaps “{name}” is meant.") for key in near[:1]]
    return run, notices


def typed(name: str, value: float | str) -> str:
    """Return what a field shows for a value."""
    return value if isinstance(value, str) else format(Decimal(repr(value)).scaleb(-POWERS.get(name, 0)).normalize(), "f")


# --- Hostile addresses

EVIL = "<img src=x onerror=alert(1)>"
KEYS = (
    *INPUTS, "gpu", "Gpus", "GPUS", "gpuss", "params ", "mf", "MFU", "mfu\u212a", "LIN\u212a", "tokens\U0001f600", "l\U0001f600nk",
    "gpu\u0301s", "__proto__", "constructor", "toString", "hasOwnProperty", "", "example", "h", "link_", "lınk", "ſpus", "bytes-per-param",
    "accelerators", "<b>", "gpus[]", "gpus.", "\0", "gpus\0", "\ufeffgpus", "\u202egpus", "x" * 3000, EVIL,
)  # fmt: skip
VALUES = (
    "8", "08", "0", "1", "1.0", "1.5", "0.4", "0.000001", "7000000000.0", "1e3", "1E3", "-1", "+8", "8 ", "\t8", "8\n", "٨", "८", "８", "²",
    "½", "Ⅷ", "", "NaN", "Infinity", "0x8", "0b1", "1_0", "1,000", "8.", ".8", "8.0.0", "9" * 400, "9" * 401, "0" * 399 + "8",
    "0." + "0" * 380 + "1", "1000000000", "1000000001", "1" + "0" * 15, "64.00000000000000000001", "null", "[]", "nvlink", "H100", "h100 ",
    "b200", "other", "__proto__", "constructor", "toString", "valueOf", EVIL, "{{ gpus }}", "${8}", "javascript:8", "\U0001f600", "\0",
    "8\0", "\ufeff8", "\u202e8", "\u00a08",
)  # fmt: skip
RAW = (
    "%", "%2", "%ZZ", "%F0%9F", "%ff", "%C0%80", "%ED%A0%80", "%E2%82", "+", "%2B", "%00", "%26", "%3D", "=", "==", "&", "?", "#",
    "%25", "%u0038",
)  # fmt: skip


def random_query(dice: random.Random) -> str:
    """Return a query of odd keys and values, some of them a letter or two away from an input, some with bytes that are no text."""
    parts = []
    for _ in range(dice.randint(0, 6)):
        key = list(dice.choice(KEYS)) if dice.random() < 0.7 else list(dice.choice(list(INPUTS)))
        for _ in range(dice.choice((0, 0, 1, 1, 2))):
            at = dice.randint(0, len(key))
            key[at : at + dice.randint(0, 1)] = dice.choice(["", "a", "B", "_", "é", "\U0001f600"])
        written = [quote(text, safe=dice.choice(["", "!'()*,-./:;<>@[]^_`{|}~$\"\\ "])) for text in ("".join(key), dice.choice(VALUES))]
        part = list("=".join(written))
        if dice.random() < 0.2:
            part.insert(dice.randint(0, len(part)), dice.choice(RAW))
        parts.append("".join(part))
    return "?" + dice.choice(["&", "&&"]).join(parts)


def test_any_query_is_read_as_the_rules_say(browser: Browser, serve: Callable[[Path], str], tmp_path: Path) -> None:
    for name in ("url.js", "evaluate.js", "format.js"):
        shutil.copy(ROOT / "docs" / "javascripts" / name, tmp_path / name)
    (tmp_path / "model.js").write_text(module(MODEL), encoding="utf-8")
    (tmp_path / "index.html").write_text("<!doctype html><title>modules</title>")
    dice = random.Random(None if HARD else 1)
    queries = [random_query(dice) for _ in range(HARD or 3000)]
    page = browser.new_page()
    page.goto(serve(tmp_path))
    answers = page.evaluate(
        """async (queries) => {
          const { read, write } = await import("/url.js");
          return queries.map((query) => {
            const { settings, notices } = read(query);
            return [settings, notices, read(write(query, settings)).settings];
          });
        }""",
        queries,
    )
    page.close()
    for query, (run, notices, again) in zip(queries, answers, strict=True):
        wanted, expected = meant(query)
        assert (run, [notice["key"] for notice in notices]) == (wanted, [key for key, _ in expected]), query
        assert all(what in notice["text"] for notice, (_, what) in zip(notices, expected, strict=True)), query
        assert again == run, query


ADDRESSES = (
    *(f"?gpus={quote(value, safe='')}&mfu=0.3" for value in VALUES),
    *(f"?link={quote(value, safe='')}&accelerator=b200" for value in VALUES[-30:]),
    *(f"?{quote(key, safe='')}=8&tokens=2000000" for key in KEYS),
    *(f"?gpus=8{raw}" for raw in RAW), *(f"?{raw}gpus=8" for raw in RAW), *(f"?gp{raw}us=8" for raw in RAW),
    "?gpus=8&gpus=8", "?gpus=&gpus=8", "?gpus=8&%67pus=9", "?GPUS=1&gpus=8&Gpus=2", "?" + "gpus=8&" * 50, "?" + "&" * 500, "?=&=&=8",
    "?gpus",
    "?gpus=8;link=nvlink", "?gpus=8&amp;link=nvlink", "?params=1000000000000000&tokens=1000000000000&gpus=1000000000&mfu=1",
    "?h=%3Cimg%20src=x%20onerror=alert(1)%3E", "?h=(&q=(", "?h=[&q=*", "?h=%5C&q=%5E~", "?q=title:x", "?q=a~b",
    "?h=__proto__&q=constructor",
)  # fmt: skip

ACTIVE = "img, script, style, link, iframe, object, embed, base, form, svg"
READ_ALL = """
async ([searches, ACTIVE]) => {
  const notices = document.querySelector(".run-notices");
  const answers = [];
  for (const search of searches) {
    history.replaceState(null, "", location.pathname + search);
    dispatchEvent(new PopStateEvent("popstate"));
    answers.push({
      notices: [...notices.querySelectorAll(".run-notice")].map((one) => one.textContent),
      odd: [...notices.querySelectorAll("*")].filter((one) => !["P", "BUTTON"].includes(one.tagName)).length,
      active: document.querySelectorAll(ACTIVE).length,
      listening: [...document.querySelectorAll("*")].filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length,
      fields: Object.fromEntries([...document.querySelectorAll(".run [name]")].map((one) => [one.name, one.value])),
      whose: document.querySelector(".run-whose").textContent,
    });
  }
  return answers;
}
"""


@contextmanager
def quiet(browser: Browser, address: str, init: str = "") -> Iterator[Page]:
    """Open a page that may neither throw nor complain nor ask."""
    heard: list[str] = []
    with new_tab(browser, address) as page:
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (heard.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        if init:
            page.add_init_script(init)
        yield page
    assert heard == []


def test_hostile_addresses_change_no_more_than_the_rules_say_and_are_noticed(browser: Browser, address: str) -> None:
    assert len(set(ADDRESSES)) > 200
    with quiet(browser, address) as page:
        page.goto(address + PATH)
        page.wait_for_function(READY)
        active = page.locator(ACTIVE).count()
        for search, answer in zip(ADDRESSES, page.evaluate(READ_ALL, [ADDRESSES, ACTIVE]), strict=True):
            run, notices = meant(search.partition("#")[0])
            assert answer["fields"] == {**DEFAULT, **{name: typed(name, run[name]) for name in run if run[name] != DEFAULTS[name]}}, search
            assert len(answer["notices"]) == len(notices), search
            for said, (key, what) in zip(answer["notices"], notices, strict=True):
                assert said.startswith(f"In the address, “{key}” {what}"), search
            assert (answer["odd"], answer["active"], answer["listening"]) == (0, active, 0), search
            assert answer["whose"] == ("Default run" if run == DEFAULTS else "Your run"), search


LOADED = (
    f"?gpus={quote(EVIL)}&{quote(EVIL)}=8&Gpus=8#{quote(EVIL)}", "?__proto__=8&constructor=8&gpus=__proto__#__proto__", '?gpus=1e3#"]',
    "?link=toString&gpus=8#%ZZ", f"?gpus={'9' * 9000}#{'x' * 9000}", "?gpus=8&gpus=9#__search", "#\\", "#:~:text=gpus", "#%F0%9F",
    "?gpu=8#%",
    "?h=%3Cimg%20src=x%20onerror=alert(1)%3E&q=%3Cimg%20src=x%20onerror=alert(1)%3E", "?h=(%5B%5C&q=%2B-~%5E*:", "#constructor",
)  # fmt: skip


def test_hostile_addresses_can_be_opened(browser: Browser, address: str) -> None:
    with quiet(browser, address) as page:
        for hostile in LOADED:
            page.goto("about:blank")
            page.goto(address + PATH + hostile)
            page.wait_for_function(READY)
            notices = page.locator(".run-notice").all_inner_texts()
            assert len(notices) == len(meant(hostile.partition("#")[0])[1]), hostile
            assert page.locator("img[src=x]").count() == 0
            assert "run-pending" not in (page.locator("html").get_attribute("class") or "")


# --- What a browser keeps

KEPT = (
    "", "{", "null", "5", "true", '"x"', "[]", "[5]", "{}", '{"color":5}', '{"color":null}', '{"index":0}', '{"index":99,"color":{}}',
    '{"index":-5,"color":{"scheme":"slate"}}', '{"index":"a","color":{}}', '{"index":{},"color":{}}', '{"index":1e400,"color":{}}',
    '{"index":0,"color":{"<b>":"x"}}', '{"index":0,"color":{"a b":"c"}}',
    '{"index":0,"color":{"scheme":"\\"><img src=x onerror=alert(1)>"}}',
    '{"index":1,"color":{"media":"((("}}', '{"index":0,"color":"evil"}', '{"__proto__":{"index":0,"color":{}}}', "[" * 10_000, "\0",
    "\ufeff{}", '"' + "x" * 10**6 + '"',
)  # fmt: skip
DENIED = "Object.defineProperty(window, '{}', {{ get() {{ throw new DOMException('denied', 'SecurityError'); }} }});"


def use_the_theme(page: Page) -> None:
    """See that the theme's scripts live: the scheme can be switched, and the search answers."""
    body = page.locator("body")
    before = body.get_attribute("data-md-color-scheme")
    assert before in ("default", "slate")
    page.locator("label[for^='__palette']:visible").click()
    assert {before, body.get_attribute("data-md-color-scheme")} == {"default", "slate"}
    assert page.locator("img[src=x]").count() == 0


def test_what_a_browser_keeps_stops_nothing(browser: Browser, address: str) -> None:
    with quiet(browser, address) as page:
        page.goto(f"{address}{PATH}")
        for text in KEPT:
            for key in ("__palette", "__announce", "__tabs"):
                page.evaluate("([key, text]) => localStorage.setItem(`/.${key}`, text)", [key, text])
                page.evaluate("([key, text]) => sessionStorage.setItem(`/.${key}`, text)", [key, text])
            page.goto(f"{address}{PATH}?gpus=8")
            page.wait_for_function(READY)
            assert page.locator("[name=gpus]").input_value() == "8"
            use_the_theme(page)
            page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.mark.parametrize("store", ["localStorage", "sessionStorage"])
def test_a_browser_that_keeps_nothing_stops_nothing(store: str, browser: Browser, address: str) -> None:
    with quiet(browser, address, DENIED.format(store)) as page:
        page.goto(f"{address}{PATH}?gpus=8")
        page.wait_for_function(READY)
        use_the_theme(page)


@pytest.mark.parametrize("state", [5, "x", None, [1], {"x": "a", "y": []}, {"y": 1e9}, {"__proto__": 8}], ids=json.dumps)
def test_what_the_history_keeps_stops_nothing(state: Any, browser: Browser, address: str) -> None:
    with quiet(browser, address) as page:
        page.goto(f"{address}{PATH}?gpus=8")
        page.wait_for_function(READY)
        page.evaluate("(state) => { history.pushState(state, '', '?gpus=16'); history.pushState(state, '', '?gpus=32'); }", state)
        page.evaluate("(state) => dispatchEvent(new PopStateEvent('popstate', { state }))", state)
        assert page.locator("[name=gpus]").input_value() == "32"
        page.go_back()
        page.wait_for_function("document.querySelector('[name=gpus]').value === '16'")
