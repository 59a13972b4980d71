"""The ledger answers for every number: a row for each, worked in figures that come out, down to inputs and data sheets."""

import ast
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from html import unescape
from pathlib import Path
from random import Random
from types import SimpleNamespace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from commcost import load
from commcost.model import Model
from hooks.live.in_line import in_line
from hooks.live.ledger import ledger
from hooks.live.links import address
from hooks.live.mathml import mathml, symbol, symbol_of
from hooks.live.render import render
from hooks.live.values import Values
from tests.live import recipe
from tests.live._engine import ENGINE
from tests.support import SITES, pages

pytestmark = pytest.mark.xdist_group("ledger")

NUMBER = re.compile(r'<data class="q" value="([^"]*)" data-q="([^"]*)" data-set="([^"]*)" data-as="([^"]*)"[^>]*>([^<]*)</data>')
LEDGER = re.compile(r'<details class="ledger".*?</details>', re.DOTALL)
DATA = re.compile(r'<script type="application/json" class="live-data">(.*?)</script>', re.DOTALL)
MULTIPLE = re.compile(r";?\w+=tenth_more")
# What a row says that leads to no other: its source with the day it was read, or who sets it.
SOURCE = re.compile(r".+; .+, checked \d{4}-\d\d-\d\d")
SETS = {
    "An input: the bar that states the run sets it.",
    "A choice of the catalogue that this page names.",
    "What the catalogue sets beside the run's own choice, for comparison.",
    "Fixed by this example, whatever the run.",
}


@dataclass
class Built:
    """A built page: its ledger's rows by id, and what stands elsewhere on it."""

    html: str
    rows: dict[str, Element] = field(default_factory=dict)
    entries: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        found = LEDGER.search(self.html)
        assert found
        ledger = ElementTree.fromstring(found[0].replace(" data-search-exclude", ""))
        self.entries = ledger.findall("section")
        rows = [row for entry in self.entries for row in entry.findall("div[@class='ledger-row']")]
        self.rows = {row.attrib["id"]: row for row in rows}
        assert len(rows) == len(self.rows)

    @cached_property
    def data(self) -> dict[str, dict[str, object]]:
        merged: dict[str, dict[str, object]] = {}
        for block in DATA.findall(self.html):
            for kind, entries in json.loads(block).items():
                merged.setdefault(kind, {}).update(entries)
        return merged

    @cached_property
    def numbers(self) -> set[tuple[str, str, str, str, str]]:
        """Every number that stands on the page, its double, name, overrides, form and text; the ledger's and what is not said as well."""
        said = self.html + unescape(" ".join(json.dumps(claim).replace('\\"', '"') for claim in self.data.get("claims", {}).values()))
        return set(NUMBER.findall(said))

    @cached_property
    def keys(self) -> set[str]:
        """Every number as "name|overrides", those of charts and attributes as well."""
        keys = {f"{name}|{overrides}" for _, name, overrides, _, _ in self.numbers}
        return keys | {f"{one['q']}|{one['set']}" for one in _references([self.data.get("charts"), self.data.get("texts")])}

    def row_of(self, key: str) -> str:
        """Return the id of a number's row; a multiple of an input has the row of the number without it."""
        key = MULTIPLE.sub("", key).replace("|;", "|")
        return str(self.data.get("rows", {}).get(key, key))


def _references(node: object) -> Iterator[dict[str, str]]:
    if isinstance(node, dict) and "q" in node:
        yield node
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _references(part)


def links(row: Element) -> list[str]:
    """Return the rows that a row leads to."""
    return [link.attrib["href"][1:] for link in row.iter("a") if link.attrib["href"].startswith("#")]


def sheets(row: Element) -> list[str]:
    """Return the documents that a row leads to."""
    return [link.attrib["href"] for link in row.iter("a") if link.attrib["href"].startswith("https://")]


def text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest, built_site: Callable[[str], Path]) -> dict[str, Built]:
    """Every page of one of the sites, by its path below docs/."""
    site = built_site(getattr(request, "param", "default"))
    return {path: Built((site / Path(address(path), "index.html")).read_text(encoding="utf-8")) for path in pages()}


@pytest.mark.parametrize("built", SITES, indirect=True)
@pytest.mark.parametrize("path", pages())
def test_every_number_has_its_row(path: str, built: dict[str, Built]) -> None:
    page = built[path]
    assert len(page.keys) > 20
    assert [key for key in page.keys if page.row_of(key) not in page.rows] == []
    # Nothing is there that nobody asks for.
    asked = {page.row_of(key) for key in page.keys}
    assert [row for row in page.rows if row not in asked] == []


@pytest.mark.parametrize("built", SITES, indirect=True)
@pytest.mark.parametrize("path", pages())
def test_a_row_has_the_value_of_its_number(path: str, built: dict[str, Built]) -> None:
    page = built[path]
    in_text = set(NUMBER.findall(LEDGER.sub("", page.html)))
    checked = Counter[bool]()
    for value, name, overrides, form, shown in page.numbers:
        if MULTIPLE.search(overrides):
            continue
        own = page.rows[page.row_of(f"{name}|{overrides}")].find("p/b/data")
        assert own is not None
        assert (own.attrib["value"], own.attrib["data-q"]) == (value, name), overrides
        if own.attrib["data-as"] == form:
            assert own.text == unescape(shown), overrides
        elif form.startswith(("fixed", "significant")) and (value, name, overrides, form, shown) in in_text:
            # A reader who asks where 1.998 comes from is not told that it is 2.
            told, asked = read(own.text or "", own.attrib["data-as"]), read(unescape(shown), form)
            assert told.high - told.low <= (asked.high - asked.low) * (1 + 1e-9), overrides
        checked[own.attrib["data-set"] == overrides] += 1
    assert checked[True] > 20


@pytest.mark.parametrize("built", SITES, indirect=True)
@pytest.mark.parametrize("path", pages())
def test_every_row_leads_to_inputs_and_sources(path: str, built: dict[str, Built]) -> None:
    page = built[path]
    for entry in page.entries:
        for row in entry.findall("div[@class='ledger-row']"):
            note = [text(part) for part in row.findall("p")[1:] if part.attrib.get("class") != "ledger-links"]
            if entry.find("div/math") is not None:
                assert links(row), row.attrib["id"]
                assert all(said.startswith("After ") for said in note)
            else:
                assert len(note) == 1
                assert note[0] in SETS or (SOURCE.fullmatch(note[0]) and len(sheets(row)) == 1), row.attrib["id"]
    assert {target for row in page.rows.values() for target in links(row)} <= page.rows.keys()
    for id in page.rows:
        assert id not in _below(page, id)


def _below(page: Built, id: str) -> set[str]:
    found, pending = set[str](), links(page.rows[id])
    while pending:
        if (next_ := pending.pop()) not in found:
            found.add(next_)
            pending += links(page.rows[next_])
    return found


@pytest.mark.parametrize("built", SITES, indirect=True)
@pytest.mark.parametrize("path", pages())
def test_every_source_below_a_number_is_three_taps_away(path: str, built: dict[str, Built]) -> None:
    page = built[path]
    taps = set()
    for key in page.keys:
        row = page.row_of(key)
        steps = {row: 1}
        for near in links(page.rows[row]):
            steps.setdefault(near, 2)
        wanted = {one for one in (row, *_below(page, row)) if sheets(page.rows[one])}
        assert wanted <= steps.keys(), key
        taps |= {steps[one] + 1 for one in wanted}
    assert max(taps) == 3


def test_most_numbers_rest_on_a_data_sheet(built: dict[str, Built]) -> None:
    page = built["cost-of-communication.md"]
    resting = [key for key in page.keys if any(sheets(page.rows[one]) for one in (page.row_of(key), *_below(page, page.row_of(key))))]
    assert len(resting) > 0.6 * len(page.keys)


# -- the worked lines, in figures that come out


@dataclass(frozen=True)
class Rounded:
    """A number as it is read off the page: somewhere between two ends."""

    low: float
    high: float

    @classmethod
    def of(cls, low: float, *more: float) -> "Rounded":
        return cls(min(low, *more), max(low, *more))

    @property
    def middle(self) -> float:
        """Return the number as its digits say it."""
        return float(f"{(self.low + self.high) / 2:.15g}")

    def __add__(self, other: "Rounded") -> "Rounded":
        return Rounded(self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Rounded") -> "Rounded":
        return Rounded(self.low - other.high, self.high - other.low)

    def __mul__(self, other: "Rounded") -> "Rounded":
        return Rounded.of(*(one * two for one in (self.low, self.high) for two in (other.low, other.high)))

    def __truediv__(self, other: "Rounded") -> "Rounded":
        return Rounded.of(*(one / two for one in (self.low, self.high) for two in (other.low, other.high)))

    def __or__(self, function: "Callable[[Rounded], Rounded]") -> "Rounded":
        return function(self)

    def __gt__(self, other: "Rounded") -> bool:
        return self.low + self.high > other.low + other.high


def both(function: Callable[..., float]) -> Callable[..., Rounded]:
    """Return a function that does not decrease, of rounded numbers."""
    return lambda *parts: Rounded(function(*(part.low for part in parts)), function(*(part.high for part in parts)))


FUNCTIONS = {"min": both(min), "max": both(max), "ceil": both(math.ceil), "floor": both(math.floor)}
PREFIXES = {"k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21, "m": -3, "µ": -6, "n": -9, "p": -12, "f": -15}
WORDS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
UNITS = {"s", "B", "B/s", "FLOP", "FLOP/s", "bit/s"}
PYTHON = {"÷": "/", "×": "*", "\N{MINUS SIGN}": "-", ", otherwise": " else", ", rounded up": " | ceil"}


def read(shown: str, form: str) -> Rounded:
    """Return a number as a reader reads it, by its digits, its prefix and the digits that its form has."""
    found = re.fullmatch(r"(\N{MINUS SIGN}?)([\d,]+(?:\.\d+)?)(?:\s(.*))?", shown)
    assert found, shown
    digits, unit = Decimal(found[2].replace(",", "")), found[3] or ""
    word = unit.split(" ")[0]
    power = WORDS.get(word, 0)
    if unit[1:] in UNITS and unit[:1] in PREFIXES:
        power = PREFIXES[unit[0]]
    kind, _, count = form.partition(".")
    last = -int(count) if kind == "fixed" else digits.adjusted() - int(count) + 1
    value, half = Decimal(f"{found[1] and '-'}{digits}").scaleb(power), Decimal("0.5").scaleb(last + power)
    return Rounded(float(value - half), float(value + half))


def worked(row: Element) -> tuple[str, dict[str, Rounded], Rounded, str]:
    """Return a row's worked line as a Python expression with its numbers, what it comes to, and what is said between."""
    line = row.find("p")
    assert line is not None
    numbers: dict[str, Rounded] = {}
    parts = [line.text or ""]
    for child in line:
        if child.tag == "data":
            numbers[name := f"n{len(numbers)}"] = read(child.text or "", child.attrib["data-as"])
            parts.append(name)
        elif child.tag == "math":
            numbers[name := f"n{len(numbers)}"] = Rounded.of(float(text(child)), float(text(child)))
            parts.append(name)
        elif child.tag == "b":
            break
        else:
            assert child.tag == "i"
            assert (child.tail or "").startswith(": ")
            parts = [""]
        parts.append((child.tail or "").removeprefix(": "))
    expression, _, said = "".join(parts).strip().removesuffix("=").strip().partition(", raised")
    for sign, python in PYTHON.items():
        expression = expression.replace(sign, python)
    own = line.find("b/data")
    assert own is not None
    return expression, numbers, read(own.text or "", own.attrib["data-as"]), said


def holds_by_hand(row: Element) -> bool:
    """Tell whether a worked line, typed into a calculator, comes to the digits of its result."""
    expression, numbers, result, _ = worked(row)
    typed = {name: Rounded(number.middle, number.middle) for name, number in numbers.items()}
    got = eval(expression, {"__builtins__": {}}, {**FUNCTIONS, **typed}).middle
    slack = 1e-14 * abs(got)  # of this computer's own doubles
    return bool(result.low - slack <= got <= result.high + slack)


def runs(model: Model, count: int) -> Iterator[dict[str, float | str]]:
    """Yield the default run, a large cluster and runs at random, over many powers of ten."""
    yield {}
    yield {"gpus": 4096.0}
    random = Random(4)
    for _ in range(count):
        yield {
            "params": float(round(10 ** random.uniform(6, 13))),
            "tokens": float(round(10 ** random.uniform(4, 8))),
            "bytes_per_param": random.choice((1.0, 2.0, 4.0)),
            "gpus": float(round(10 ** random.uniform(0.4, 8))),
            "mfu": random.randint(5, 99) / 100,
            "accelerator": random.choice(sorted(model.choices["accelerator"])),
            "link": random.choice(sorted(model.choices["link"])),
        }


@pytest.mark.parametrize("inputs", [*runs(load(), 20)])
def test_a_worked_line_holds_by_hand(inputs: dict[str, float | str]) -> None:
    model = load()
    values = Values(model, model.run(**inputs))
    used = [values.shown(name) for name, quantity in model.quantities.items() if not quantity.is_predicate]
    rows = Built(ledger(used, values, ENGINE.templates).html).rows
    lines = [row for row in rows.values() if links(row) and "…" not in text(row) and not worked(row)[3]]
    assert len(lines) > 40
    assert [text(row) for row in lines if not holds_by_hand(row)] == []


@pytest.mark.parametrize("built", SITES, indirect=True)
@pytest.mark.parametrize("path", pages())
def test_every_worked_line_comes_out(path: str, built: dict[str, Built]) -> None:
    page = Built(built[path].html)
    lines = [row for entry in page.entries if entry.find("div/math") is not None for row in entry.findall("div[@class='ledger-row']")]
    assert len(lines) >= 9
    for row in lines:
        expression, numbers, result, said = worked(row)
        if "…" in expression:  # a partner's partner, which no overrides name
            assert "=other" in row.attrib["id"]
            continue
        assert set(re.findall(r"[a-z]\w*", expression)) <= {*numbers, *FUNCTIONS, "if", "else"}, expression
        got = eval(expression, {"__builtins__": {}}, {**FUNCTIONS, **numbers})
        if said:
            assert said == " to the next step of the axis,"
            assert got.low <= result.high, row.attrib["id"]
            assert result.low <= 2.5 * got.high, row.attrib["id"]
        else:
            assert max(got.low, result.low) <= min(got.high, result.high) * (1 + 1e-12), row.attrib["id"]


def test_a_worked_line_reads_as_one_writes_it(built: dict[str, Built]) -> None:
    page = built["cost-of-communication.md"]
    said = {id: text(row.find("p") or row).replace("\N{NO-BREAK SPACE}", " ") for id, row in page.rows.items()}
    assert said["quoted_all_reduce_seconds|link=infiniband"] == "InfiniBand: 120 GB ÷ 50 GB/s = 2.40 s"
    assert said["compute_seconds|accelerator=h100"] == "H100: 180 PFLOP ÷ (64 GPUs × 989 TFLOP/s × 0.4) = 7.11 s"
    assert said["quoted_all_reduce_bytes|"] == "(2 × 60 GB if 64 GPUs > 1, otherwise 0) = 120 GB"
    assert (
        said["exposed_seconds|accelerator=b200;link=infiniband"]
        == "B200 · InfiniBand: max(0, 2.4 s \N{MINUS SIGN} 2.08333333333333 s) = 0.32 s"
    )
    assert said["ring_sharded_bytes|"] == "2.953125 × 60 GB = 177.1875 GB"  # in the seven digits that the page shows


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("a * b / c", "A × B ÷ C"),
        ("a / (b * c)", "A ÷ (B × C)"),
        ("a / (b / c)", "A ÷ (B ÷ C)"),
        ("(a + b) * c", "(A + B) × C"),
        ("a - (b - c)", "A \N{MINUS SIGN} (B \N{MINUS SIGN} C)"),
        ("a - b - c", "A \N{MINUS SIGN} B \N{MINUS SIGN} C"),
        ("-(a + b)", "\N{MINUS SIGN}(A + B)"),
        ("2 * a if b > 1 else 0", "(2 × A if B &gt; 1, otherwise 0)"),
        ("1 + (a if b <= c else 0.5)", "1 + (A if B ≤ C, otherwise 0.5)"),
        ("max(1, a - b, ceil(c / 64))", "max(1, A \N{MINUS SIGN} B, (C ÷ 64, rounded up))"),
        ("abs(a) < 0.000000001", "(A, without its sign) &lt; 0.000000001"),
        ("a + 1e3", "A + 1000.0"),
    ],
)
def test_a_line_keeps_the_brackets_that_it_needs(formula: str, line: str) -> None:
    assert in_line(ast.parse(formula, mode="eval").body, {"a": "A", "b": "B", "c": "C"}, str) == line


# -- formulas


def unseen(sign: str) -> str:
    """Return a sign that the style sheet hides."""
    return f'<mtext class="math-unseen">{sign}</mtext>'


TAGS = {"math", "mi", "mn", "mo", "mtext", "mrow", "mfrac", "msub", "mtable", "mtr", "mtd"}


@pytest.mark.parametrize("path", ["cost-of-communication.md", "reference/formulas.md"])
def test_formulas_are_whole_words_with_a_text_to_hear(path: str, built: dict[str, Built]) -> None:
    model = load()
    known = {part for entry in model.names.values() for part in re.split("_", entry.symbol, maxsplit=1)} | {"max", "min"}
    formulas = [ElementTree.fromstring(found) for found in re.findall(r'<math display="block".*?</math>', built[path].html)]
    labels = {" ".join(entry.label.split()) for entry in (*model.names.values(),)}
    assert len(formulas) > 20
    for formula in formulas:
        said = formula.attrib["aria-label"]
        assert any(label in said for label in labels)
        for element in formula.iter():
            assert element.tag in TAGS
            assert len(element) == {"mfrac": 2, "msub": 2, "mtr": 2}.get(element.tag, len(element))
            if element.tag in ("mi", "mn", "mo", "mtext"):
                assert (element.text or "").strip()
                assert len(element) == 0
            else:
                assert not (element.text or "").strip()
            if element.tag == "mi":
                assert all(
                    word.removesuffix("\N{PRIME}") in known or word in _choices(model) for word in _words(element.text or "", known)
                ), element.text
            # Two names side by side would be a word in pieces.
            assert not any(one.tag == two.tag == "mi" for one, two in zip(element, [*element][1:], strict=False) if element.tag == "mrow")


def _words(text: str, known: set[str]) -> list[str]:
    return [text] if text in known else text.split(",")


def _choices(model: Model) -> set[str]:
    records = {record.name or id for choice in model.choices.values() for id, record in choice.items()}
    return {"other card", "other link", *records, *(example.label for example in model.examples.values())}


def test_a_formula_is_heard_in_the_words_of_its_labels() -> None:
    model = load()
    heard = ElementTree.fromstring(mathml(model.quantities["compute_seconds"], model)).attrib["aria-label"]
    assert heard == "computing = arithmetic of a step ÷ (GPUs × peak of one GPU × utilisation)"
    heard = ElementTree.fromstring(mathml(model.quantities["node_bytes_per_second"], model)).attrib["aria-label"]
    assert heard == "all ports of a node together = network ports of a node × bandwidth of the link with InfiniBand"
    heard = ElementTree.fromstring(mathml(model.quantities["other_link_is_faster"], model)).attrib["aria-label"]
    assert heard == "bandwidth of the link with the other link > bandwidth of the link"
    heard = ElementTree.fromstring(mathml(model.quantities["leaving_factor"], model)).attrib["aria-label"]
    assert "bandwidth of the link with the accelerator's own link inside the node ÷ " in heard


def test_no_formula_says_two_things_alike() -> None:
    model = load()
    for quantity in model.quantities.values():
        parts = {(part.name, part.overrides): part for part in quantity.parameters.values()}
        assert len({symbol_of(part, model) for part in parts.values()}) == len(parts), quantity.name
        heard = ElementTree.fromstring(mathml(quantity, model)).attrib["aria-label"]
        assert not re.search(r"\bat \w+|_|\b(ceil|floor|abs)\(", heard), heard


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        ("a / b", f"<mfrac><mrow>A{unseen('÷')}</mrow><mrow><mi>b</mi></mrow></mfrac>"),
        (
            "a / (b + 1)",
            f"<mfrac><mrow>A{unseen('÷')}</mrow><mrow>{unseen('(')}<mi>b</mi><mo>+</mo><mn>1</mn>{unseen(')')}</mrow></mfrac>",
        ),
        ("(a + b) * 2", "<mrow><mo>(</mo>A<mo>+</mo><mi>b</mi><mo>)</mo></mrow><mo>·</mo><mn>2</mn>"),
        ("a - (b - 1)", "A<mo>\N{MINUS SIGN}</mo><mrow><mo>(</mo><mi>b</mi><mo>\N{MINUS SIGN}</mo><mn>1</mn><mo>)</mo></mrow>"),
        ("-a", "<mo>\N{MINUS SIGN}</mo>A"),
        ("ceil(a)", "<mrow><mo>⌈</mo>A<mo>⌉</mo></mrow>"),
        ("max(a, b)", "<mi>max</mi><mrow><mo>(</mo>A<mo>,</mo><mi>b</mi><mo>)</mo></mrow>"),
        ("a < 0.000000001", "A<mo>&lt;</mo><mn>0.000000001</mn>"),
        (
            "a if a > b else 0",
            "<mrow><mo>{</mo><mtable><mtr><mtd>A</mtd><mtd><mtext>\N{NO-BREAK SPACE}if\N{NO-BREAK SPACE}</mtext>A<mo>&gt;</mo><mi>b</mi>"
            "<mtext>,\N{NO-BREAK SPACE}</mtext></mtd></mtr>"
            "<mtr><mtd><mn>0</mn></mtd><mtd><mtext>\N{NO-BREAK SPACE}otherwise</mtext></mtd></mtr></mtable></mrow>",
        ),
    ],
)
def test_a_formula_is_written_as_one_writes_it(formula: str, written: str) -> None:
    assert shown(formula) == written


@pytest.mark.parametrize(
    ("formula", "bare"),
    [
        ("a / b", "A÷b"),
        ("(a + b) / 2", "(A+b)÷2"),
        ("a / (2 * b)", "A÷(2·b)"),
        ("a / (b / 2)", "A÷(b÷2)"),
        ("a / b * 2", "(A÷b)·2"),
        ("2 * (a / b) - b / 2", "2·(A÷b)\N{MINUS SIGN}(b÷2)"),
        ("1 + (a if a > b else 0) / b", "1+({A if A>b, 0 otherwise)÷b"),
    ],
)
def test_without_its_layout_a_formula_says_the_same(formula: str, bare: str) -> None:
    assert unescape(re.sub("<[^>]*>", "", shown(formula))).replace("\N{NO-BREAK SPACE}", " ") == bare


def shown(formula: str) -> str:
    """Return the MathML of a formula of ``a`` and ``b``, with A for the symbol of ``a``, which has an index."""
    names = {"a": SimpleNamespace(symbol="bandwidth_1", label="first & one"), "b": SimpleNamespace(symbol="b", label="b")}
    parts = {name: SimpleNamespace(name=name, overrides=()) for name in names}
    tree = ast.parse(formula, mode="eval").body
    quantity = SimpleNamespace(formula=tree, parameters=parts, is_predicate=True, symbol="", label="")
    inner = re.sub(r"^<math [^>]*>|</math>$", "", mathml(quantity, SimpleNamespace(names=names)))
    return inner.replace("<msub><mi>bandwidth</mi><mi>1</mi></msub>", "A")


def test_a_symbol_is_one_element_a_word() -> None:
    assert symbol("MFU") == "<mi>MFU</mi>"
    assert symbol("t_c,h100") == "<msub><mi>t</mi><mi>c,h100</mi></msub>"


# -- over the recipe, by hand

BREAD = """
{{ loaves }} {{ loaves(example="party") }} {{ spare_seconds }} {{ spare_seconds(oven="wood") }}
{{ oven(oven="other") }} {{ oven(oven="gas") }} {{ baking_seconds(oven="wood", example="lone") }}
"""


def read_rows(page: Built) -> dict[str, str]:
    """Return the rows of a page by id, as they read."""
    return {id: " | ".join(text(part) for part in row).replace("\N{NO-BREAK SPACE}", " ") for id, row in page.rows.items()}


def bread(**inputs: float | str) -> Built:
    """Return the page about bread, for a run."""
    model = recipe.load()
    return Built(render(BREAD, "page.md", replace(ENGINE, values=Values(model, model.run(**inputs)))).markdown)


def test_the_rows_of_a_page_about_bread() -> None:
    minus = "\N{MINUS SIGN}"
    assert read_rows(bread()) == {
        "loaves|": "375 g ÷ 500 = 0.75 loaves | From flour",
        "loaves|example=party": "a party: 2 kg ÷ 500 = 4 loaves | From flour",
        "flour_grams|": "62.5 × 6 = 375 g | From guests",
        "flour_grams|example=party": "a party: 62.5 × 32 = 2 kg | From guests",
        "guests|": "6 | An input: the bar that states the run sets it.",
        "guests|example=party": "a party: 32 | Fixed by this example, whatever the run.",
        "spare_seconds|": f"2,400 s {minus} 0.25 s = 2,399.75 s | From baking; baking, Kiln 9",
        "spare_seconds|oven=wood": f"Kiln 9: 0.25 s {minus} 2,400 s = {minus}2,399.75 s | From baking; baking, gas oven",
        "baking_seconds|": "2,400 s | a loaf; Grandmother, checked 2026-11-29",
        "baking_seconds|oven=other": "Kiln 9: 0.25 s | a loaf; Grandmother, checked 2026-11-29",
        "baking_seconds|oven=gas": "gas oven: 2,400 s | a loaf; Grandmother, checked 2026-11-29",
        "baking_seconds|oven=wood": "Kiln 9: 0.25 s | a loaf; Grandmother, checked 2026-11-29",
        "oven|oven=other": "Kiln 9 | What the catalogue sets beside the run's own choice, for comparison.",
        "oven|oven=gas": "gas oven | A choice of the catalogue that this page names.",
    }


def test_the_rows_follow_the_run_and_what_a_page_fixes_does_not() -> None:
    default, other = read_rows(bread()), read_rows(bread(oven="wood", guests=40))
    assert other["loaves|"] == "2.5 kg ÷ 500 = 5 loaves | From flour"
    assert other["spare_seconds|"].endswith("\N{MINUS SIGN}2,399.75 s | From baking; baking, gas oven")
    assert other["oven|oven=other"].startswith("gas oven | ")
    assert {id for id in default if default[id] == other[id]} == {
        "loaves|example=party", "flour_grams|example=party", "guests|example=party", "spare_seconds|oven=wood", "baking_seconds|oven=gas",
        "baking_seconds|oven=wood", "oven|oven=gas",
    }  # fmt: skip


def test_a_source_that_follows_the_run_travels_for_every_choice() -> None:
    page = bread()
    assert page.data["sources"].keys() == {"baking_seconds"}
    assert page.data["sources"]["baking_seconds"].keys() == {"oven.gas", "oven.wood"}
    follows = {id: part.attrib["data-set"] for id, row in page.rows.items() for part in row.findall("p[@data-sourced]")}
    assert follows == {"baking_seconds|": "", "baking_seconds|oven=other": "oven=other"}
    # What does not matter to a number is no part of its row.
    assert page.data["rows"] == {"baking_seconds|example=lone;oven=wood": "baking_seconds|oven=wood"}


# -- over the site, by hand


def test_rows_of_the_site(built: dict[str, Built]) -> None:
    shown = {path: read_rows(page) for path, page in built.items()}
    assert shown["reference/hardware.md"]["link|accelerator=mi300x;link=nvlink"].startswith("MI300X: Infinity Fabric | ")
    assert shown["reference/hardware.md"]["link_bytes_per_second|accelerator=mi300x;link=nvlink"].startswith(
        "MI300X · Infinity Fabric: 448 GB/s"
    )
    assert shown["where-2p-comes-from.md"]["ring_factor|example=walkthrough"].endswith(
        "= 1.5 | After Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009. | From GPUs"
    )
    published = shown["work-it-out.md"]["params|example=llama3_405b"]
    assert published.startswith("Llama 3 405B: 405 billion parameters | ")
    assert "; Llama Team, AI @ Meta, The Llama 3 Herd of Models, 2024, section 3.3, table 4, checked 2026-" in published
    assert shown["terminology.md"]["gibibyte_surplus|"].endswith("= 0.0737 | From a gibibyte in gigabytes | Sources a gibibyte; a gigabyte")


def test_the_numbers_of_the_bar_have_their_rows_on_every_page(built: dict[str, Built]) -> None:
    for path, page in built.items():
        assert "communication_to_compute|" in page.rows, path
