"""The catalogue: what it gives, and that whatever makes no sense in it is refused in one line."""

import copy
import os
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commcost import Model, ModelError
from commcost.catalog import catalog_from, read

VALID = """\
[inputs.gpus]
label = "GPUs"
symbol = "N"
unit = "GPUs"
default = 64
min = 1
max = 1000000000
step = 1
whole = true

[inputs.mfu]
label = "utilisation"
symbol = "MFU"
unit = "1"
default = 0.4
above = 0
max = 1
step = 0.01

[inputs.accelerator]
label = "accelerator"
symbol = "card"
default = "old"

[inputs.link]
label = "link"
symbol = "link"
default = "own"

[figures.peak_flops_per_second]
label = "peak"
symbol = "peak"
unit = "FLOP/s"

[figures.link_bytes_per_second]
label = "bandwidth"
symbol = "bandwidth"
unit = "B/s"

[constants.node_gpus]
label = "GPUs of a node"
symbol = "node"
value = 8
unit = "GPUs"
what = "GPUs of one node"
source = "A data sheet"
url = "https://example.com/node"
checked = 2026-11-29

[accelerators.old]
name = "Old"
maker = "Maker"
other = "new"
link_name = "Own Link"

[accelerators.old.peak_flops_per_second]
value = 312
unit = "TFLOP/s"
what = "dense 16-bit, one GPU"
source = "A data sheet"
url = "https://example.com/old"
checked = 2026-11-29

[accelerators.new]
name = "New"
other = "old"
link_name = "Own Link"

[accelerators.new.peak_flops_per_second]
value = 989
unit = "TFLOP/s"
what = "dense 16-bit, one GPU"
source = "A data sheet"
url = "https://example.com/new"
checked = 2026-11-29

[links.own]
label = "the accelerator's own"
other = "cable"

[links.cable]
name = "Cable"
other = "own"

[links.cable.link_bytes_per_second]
value = 12.5
unit = "GB/s"
what = "one port, one direction"
source = "A data sheet"
url = "https://example.com/cable"
checked = 2026-11-29

[examples.node]
label = "one node"
gpus = 8
link = "cable"

[multiples.more]
label = "half as much again"
factor = 1.5
of = ["mfu"]
"""

CABLE = "links.cable.link_bytes_per_second"
OLD_PEAK = "accelerators.old.peak_flops_per_second"
# What is broken: the text, met once; what stands there instead; how the refusal begins.
BREAKS = {
    # A figure that is missing a part of itself.
    "no source": (
        'source = "A data sheet"\nurl = "https://example.com/old"',
        'url = "https://example.com/old"',
        f"{OLD_PEAK}.source: is missing; must name the document",
    ),
    "an empty source": (
        'source = "A data sheet"\nurl = "https://example.com/old"',
        'source = " "\nurl = "https://example.com/old"',
        f"{OLD_PEAK}.source: must name the document it was read in: ' '",
    ),
    "no url": ('url = "https://example.com/cable"\n', "", f"{CABLE}.url: is missing"),
    "an address that is none": (
        "https://example.com/cable",
        "page 12",
        f"{CABLE}.url: must start with https:// and hold no space: 'page 12'",
    ),
    "a script for an address": ("https://example.com/cable", "javascript:alert(1)", f"{CABLE}.url: must start with https://"),
    "a headline of no figure": (
        'symbol = "bandwidth"\nunit = "B/s"',
        'symbol = "bandwidth"\nunit = "B/s"\nheadline_of = "peak_flop_per_second"',
        "figures.link_bytes_per_second.headline_of: unknown figure 'peak_flop_per_second'; did you mean 'peak_flops_per_second'?",
    ),
    "a headline times no constant": (
        'symbol = "bandwidth"\nunit = "B/s"',
        'symbol = "bandwidth"\nunit = "B/s"\nheadline_of = "peak_flops_per_second"\ntimes = "node_gpu"',
        "figures.link_bytes_per_second.times: unknown constant 'node_gpu'; did you mean 'node_gpus'?",
    ),
    "no date": ('cable"\nchecked = 2026-11-29', 'cable"', f"{CABLE}.checked: is missing; must be a date such as 2026-11-29"),
    "a date as text": (
        'cable"\nchecked = 2026-11-29',
        'cable"\nchecked = "2026-11-29"',
        f"{CABLE}.checked: must be a date such as 2026-11-29, without quotes: '2026-11-29'",
    ),
    "a date with a time": ('cable"\nchecked = 2026-11-29', 'cable"\nchecked = 2026-11-29T08:00:00', f"{CABLE}.checked: must be a date"),
    "a day that never was": ('cable"\nchecked = 2026-11-29', 'cable"\nchecked = 2026-02-30', "not readable as TOML"),
    "no what": ('what = "one port, one direction"\n', "", f"{CABLE}.what: is missing; must say what the figure counts"),
    "no value": ("value = 12.5\n", "", f"{CABLE}.value: is missing; must be a number"),
    "no unit": ('value = 12.5\nunit = "GB/s"\n', "value = 12.5\n", f"{CABLE}.unit: is missing"),
    # A figure that makes no sense.
    "another unit": (
        'value = 12.5\nunit = "GB/s"',
        'value = 12.5\nunit = "Gbit/s"',
        f"{CABLE}.unit: must be B/s or kB/s or MB/s or GB/s or TB/s or PB/s or EB/s: 'Gbit/s'",
    ),
    "an unknown unit": (
        'value = 12.5\nunit = "GB/s"',
        'value = 12.5\nunit = "GiB/s"',
        f"{CABLE}.unit: must be B/s or kB/s or MB/s or GB/s or TB/s or PB/s or EB/s: 'GiB/s'",
    ),
    "a prefix on a count": ('value = 8\nunit = "GPUs"', 'value = 8\nunit = "kGPUs"', "constants.node_gpus.unit: unknown unit 'kGPUs'"),
    "a negative figure": ("value = 12.5", "value = -12.5", f"{CABLE}.value: must be at least 1e-09 and at most 1e+24 B/s: -12.5 GB/s"),
    "a figure of zero": ("value = 12.5", "value = 0", f"{CABLE}.value: must be at least 1e-09"),
    "a figure that is no number": ("value = 12.5", "value = nan", f"{CABLE}.value: must be finite: nan"),
    "an infinite figure": ("value = 12.5", "value = inf", f"{CABLE}.value: must be finite: inf"),
    "a figure that its prefix makes infinite": ("value = 12.5", "value = 1e308", f"{CABLE}.value: must be at least 1e-09"),
    "a whole figure beyond doubles": ("value = 12.5", f"value = 1{'0' * 400}", f"{CABLE}.value: must be finite"),
    "a figure as text": ("value = 12.5", 'value = "12.5"', f"{CABLE}.value: must be a number: '12.5'"),
    "a truth as figure": ("value = 12.5", "value = true", f"{CABLE}.value: must be a number: True"),
    "a negative constant": (
        "value = 8",
        "value = -8",
        "constants.node_gpus.value: must be at least 1e-09 and at most 1e+24 GPUs: -8.0 GPUs",
    ),
    "a part of a GPU": ("value = 8", "value = 8.5", "constants.node_gpus.value: must be a whole number of GPUs: 8.5"),
    # Names.
    "a table twice": ("[links.own]\n", "[links.cable]\nother = 'own'\n\n[links.own]\n", "not readable as TOML: Cannot declare"),
    "a name twice": ('name = "New"', 'name = "Old"', "accelerators.new.name: is already the name of accelerators.old: 'Old'"),
    "a name of an input taken again": (
        "[constants.node_gpus]",
        "[constants.gpus]",
        "constants.gpus: the name is already taken by inputs.gpus",
    ),
    "an id in capitals": ("[accelerators.old]", "[accelerators.Old]", "accelerators.Old: an id is lower-case letters, digits and _"),
    "the id that means the partner": (
        "[links.own]",
        "[links.other]",
        "links.other: an id is lower-case letters, digits and _, and not 'other'",
    ),
    "a name with a space": ("[examples.node]", '[examples."one node"]', "examples.one node: a name is ASCII letters, digits and _"),
    "the name that means an example": ("[constants.node_gpus]", "[constants.example]", "constants.example: a name is ASCII letters"),
    "a record that nothing names": (
        'maker = "Maker"\nother = "new"\nlink_name = "Own Link"',
        'maker = "Maker"\nother = "new"',
        "accelerators.old.link_name: is missing; link 'own' has no other name",
    ),
    # Keys.
    "an unknown key in a figure": ("value = 12.5", "valu = 12.5", f"{CABLE}.valu: unknown key; did you mean 'value'?"),
    "an unknown key in a record": ("maker =", "makr =", "accelerators.old.makr: unknown key; did you mean 'maker'?"),
    "an unknown key in an input": ("step = 0.01", "stepp = 0.01", "inputs.mfu.stepp: unknown key; did you mean 'step'?"),
    "an unknown figure": (
        f"[{CABLE}]",
        "[links.cable.link_byte_per_second]",
        "links.cable.link_byte_per_second: unknown figure; did you mean 'link_bytes_per_second'?",
    ),
    "an unknown table": ("[examples.node]", "[exemples.node]", "exemples: unknown key; did you mean 'examples'?"),
    "a figure without a record of its own": (
        'maker = "Maker"',
        "link_bytes_per_second = 300",
        "accelerators.old.link_bytes_per_second: must be a table: 300",
    ),
    # Partners, defaults and examples.
    "an unknown partner": ('other = "new"', 'other = "news"', "accelerators.old.other: unknown accelerator 'news'; did you mean 'new'?"),
    "no partner": ('other = "new"\n', "", "accelerators.old.other: is missing; must name the accelerator that a reader compares with"),
    "a default below its bound": (
        "default = 64",
        "default = 0",
        "inputs.gpus.default: must be a whole number, at least 1 and at most 1,000,000,000: 0.0",
    ),
    "a default on an open bound": ("default = 0.4", "default = 0", "inputs.mfu.default: must be above 0 and at most 1: 0.0"),
    "a default above its bound": ("default = 0.4", "default = 40", "inputs.mfu.default: must be above 0 and at most 1: 40.0"),
    "a default between whole numbers": ("default = 64", "default = 64.5", "inputs.gpus.default: must be a whole number"),
    "an unknown default": (
        'default = "old"',
        'default = "odl"',
        "inputs.accelerator.default: unknown accelerator 'odl'; did you mean 'old'?",
    ),
    "two lower bounds": ("above = 0\n", "above = 0\nmin = 0\n", "inputs.mfu.min: give a lower bound as either min or above"),
    "no lower bound": ("above = 0\n", "", "inputs.mfu.min: give a lower bound as either min or above"),
    "no upper bound": ("max = 1\n", "", "inputs.mfu.max: is missing"),
    "a step of zero": ("step = 0.01", "step = 0", "inputs.mfu.step: must be above 0: 0.0"),
    "a whole that is neither true nor false": ("whole = true", 'whole = "yes"', "inputs.gpus.whole: must be true or false: 'yes'"),
    "an unknown input in an example": ("gpus = 8", "gpu = 8", "examples.node.gpu: unknown key; did you mean 'gpus'?"),
    "an unknown link in an example": (
        'link = "cable"',
        'link = "kable"',
        "examples.node.link: unknown link 'kable'; did you mean 'cable'?",
    ),
    "an example out of bounds": ("gpus = 8", "gpus = 0", "examples.node.gpus: must be a whole number, at least 1"),
    "a number as text in an example": ("gpus = 8", 'gpus = "8"', "examples.node.gpus: must be a number: '8'"),
    "no label": ('label = "one node"\n', "", "examples.node.label: is missing"),
    # Multiples.
    "no factor": ("factor = 1.5\n", "", "multiples.more.factor: is missing"),
    "a slider without an end": (
        "step = 1\n",
        'step = 1\nslider = "doubling"\n',
        "inputs.gpus.slider_max: must be a power of two above one, and a value that the input takes: 1.0",
    ),
    "a slider that ends between its steps": (
        "step = 1\n",
        'step = 1\nslider = "doubling"\nslider_max = 100000\n',
        "inputs.gpus.slider_max: must be a power of two above one",
    ),
    "a slider beyond its input": (
        "step = 0.01",
        'step = 0.01\nslider = "linear"\nslider_max = 2',
        "inputs.mfu.slider_max: must be a whole number above one, and a value",
    ),
    "a factor of nothing": ("factor = 1.5", "factor = 0", "multiples.more.factor: must be above 0: 0"),
    "a multiple of nothing": ('of = ["mfu"]', "of = []", "multiples.more.of: must list the inputs that may be multiplied, each once: []"),
    "an input twice": ('["mfu"]', '["mfu", "mfu"]', "multiples.more.of: must list the inputs that may be multiplied, each once"),
    "a multiple of a number": ('["mfu"]', "[3]", "multiples.more.of: must list the inputs that may be multiplied, each once: [3]"),
    "a multiple of a choice": ('["mfu"]', '["link"]', "multiples.more.of: 'link' is no input that is a number"),
    "a multiple of an unknown input": ('["mfu"]', '["mfy"]', "multiples.more.of: 'mfy' is no input that is a number; did you mean 'mfu'?"),
    "a multiple that no page can name": ("[multiples.more]", '["multiples"."half more"]', "multiples.half more: a name is ASCII letters"),
    # What Python, JavaScript or a terminal would take for something else.
    **{
        f"the name {name} for {group}": (f"[{group}.{known}]", f"[{group}.{name}]", f"{group}.{name}: {name!r} is a reserved word; choose")
        for group, known in {"inputs": "mfu", "constants": "node_gpus", "examples": "node"}.items()
        for name in ("class", "lambda", "None", "min", "await", "undefined", "constructor", "toString", "valueOf", "__proto__", "__class__")
    },
    "an id that is no property": ("[links.own]", "[links.__proto__]", "links.__proto__: an id is lower-case letters, digits and _"),
    "a line break in a key": ('maker = "Maker"', '"a\\nb" = "Maker"', "accelerators.old.a\\nb: unknown key"),
    "a colour in a key": ('maker = "Maker"', '"\\u001b[31m" = "Maker"', "accelerators.old.\\x1b[31m: unknown key"),
    "a key without end": ('maker = "Maker"', f'{"x" * 10**6} = "Maker"', f"accelerators.old.{'x' * 700}"),
    "a name that turns its line": ('"Old"', '"O\u202eld"', "accelerators.old.name: must be one line without {{ and {%: 'O\\u202eld'"),
    "a name with NUL": ('"Old"', '"O\\u0000ld"', "accelerators.old.name: must be one line without {{ and {%: 'O\\x00ld'"),
    "an expression for a name": ('"Old"', '"{{ gpus }}"', "accelerators.old.name: must be one line without {{ and {%: '{{ gpus }}'"),
    "an address that ends its attribute": ("https://example.com/old", "https://a' onclick='b", f"{OLD_PEAK}.url: must start with https:"),
    # What has no end.
    "a number of thousands of digits": (
        "value = 12.5",
        f"value = 1{'0' * 5000}",
        "a number has thousands of digits; write it with an exponent",
    ),
    "a number of thousands of bits": ("value = 12.5", f"value = 0x{'F' * 5000}", f"{CABLE}.value: must be finite: inf"),
    "tables in tables": ("value = 12.5", f"value{'.a' * 2000} = 1", f"{CABLE}.value: must be a number: a dict without end"),
    "lists in lists": ("value = 12.5", f"value = {'[' * 5000}{']' * 5000}", "lists or tables in one another without end"),
    # TOML.
    "NUL": ('"Old"', '"O\0ld"', "not readable as TOML: Illegal character '\\x00'"),
    "digits of another script": ("value = 12.5", "value = ١٢", "not readable as TOML: Invalid value"),
    "broken TOML": ("[links.own]", "[links.own", "not readable as TOML: Expected ']'"),
    "a list of tables": ("[examples.node]", "[[examples.node]]", "examples.node: must be a table"),
}


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as refused:
        read(path)
    return str(refused.value)


def test_catalogue_that_the_others_are_made_from_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(VALID, encoding="utf-8")
    run = Model(read(path)).run()
    assert run.value("peak_flops_per_second") == 312e12
    assert run.with_(link="cable").value("link_bytes_per_second") == 12.5e9
    assert run.with_(accelerator="new", link="own").name_of("link") == "Own Link"
    assert Model(read(path)).run(example="node").value("gpus") == 8
    assert Model(read(path)).run(mfu="more").value("mfu") == 0.4 * 1.5


@pytest.mark.parametrize("break_", BREAKS)
def test_break_is_refused_in_one_line_with_file_key_and_rule(tmp_path: Path, break_: str) -> None:
    right, wrong, message = BREAKS[break_]
    assert VALID.count(right) == 1
    path = tmp_path / "small.toml"
    path.write_text(VALID.replace(right, wrong), encoding="utf-8")
    refused = refusal(path)
    assert refused.startswith(f"small.toml: {message}")
    assert "\n" not in refused


def test_missing_file_is_refused_in_one_line(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere.toml") == "nowhere.toml: no such file or directory"


def test_empty_catalogue_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("", encoding="utf-8")
    assert refusal(tmp_path / "empty.toml") == "empty.toml: has no inputs; give one as [inputs.its_name]"


def test_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path.name}: is a directory"


def test_file_that_is_not_utf_8_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(VALID.replace("Maker", "Bücher").encode("latin-1"))
    refused = refusal(path)
    assert refused.startswith("latin.toml: not readable as TOML: 'utf-8' codec can't decode byte")
    assert "\n" not in refused


def test_every_figure_says_what_it_is_and_where_and_when_it_was_read(model: Model) -> None:
    records = [record for records in model.choices.values() for record in records.values()]
    figures = [figure for record in records for figure in record.figures.values()]
    figures += model.catalog.constants.values()
    assert len(figures) > 60
    for figure in figures:
        assert figure.what
        assert figure.source
        assert figure.url.startswith("https://")
        assert date(2026, 1, 1) <= figure.checked


def test_every_accelerator_has_a_peak_and_every_run_a_link(model: Model) -> None:
    for accelerator in model.choices["accelerator"]:
        for link in model.choices["link"]:
            run = model.run(accelerator=accelerator, link=link)
            for figure in ("peak_flops_per_second", "link_bytes_per_second", "link_reach_gpus"):
                source = run.figure(figure)
                assert source is not None
                assert run.value(figure) == source.value


def test_input_without_a_step_moves_by_one(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(VALID.replace("step = 0.01\n", ""), encoding="utf-8")
    assert (read(path).inputs["mfu"].step, read(path).inputs["mfu"].whole) == (1, False)


def test_prefix_of_a_figure_is_applied_to_the_decimal_that_is_written(tmp_path: Path) -> None:
    """64.1 × 10^9 in doubles is 64099999999.99999."""
    path = tmp_path / "small.toml"
    path.write_text(VALID.replace("value = 12.5", "value = 64.1"), encoding="utf-8")
    assert 64.1 * 10**9 != 64100000000
    assert Model(read(path)).run(link="cable").value("link_bytes_per_second") == 64100000000


HARD = int(os.environ.get("FUZZ", "0"))
VALUES = st.sampled_from(
    ["", " ", "a", "a\nb", "\x1b[31m", "\u202e", "class", "__proto__", "other", "old", "own", "x" * 5000, "B/s", "GB/s", "%", "https://",
     "{{ x }}", 0, 1, -1, 1.5, 1e308, 5e-324, 10**400, float("nan"), float("inf"), True, [], [[1]], {}, {"a": {"a": {}}}, {"value": 1},
     date(2026, 1, 1)]
)  # fmt: skip
KEYS = st.sampled_from(
    ["", "a", "\n", "\u202e", "class", "__proto__", "label", "name", "value", "unit", "default", "gpus", "é", "x" * 3000]
)
CHANGES = st.tuples(st.integers(0, 10**6), st.sampled_from(["drop", "set", "add", "rename", "copy"]), VALUES, KEYS)


def places(table: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each key of a table and of those in it, with the table that holds it."""
    for key, value in table.items():
        yield table, key
        if isinstance(value, dict):
            yield from places(value)


@settings(max_examples=HARD or 200, derandomize=not HARD, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.sampled_from(["drop", "set", "add", "rename", "copy"]), VALUES, KEYS), min_size=1, max_size=5
    )
)
def test_any_change_of_a_catalogue_is_refused_in_one_line_or_makes_a_model(changes: list[tuple[int, str, Any, str]]) -> None:
    tables = tomllib.loads(VALID)
    for at, change, value, key in changes:
        found = list(places(tables))
        table, old = found[at % len(found)]
        match change:
            case "drop":
                del table[old]
            case "rename":
                table[key] = table.pop(old)
            case "copy":
                table[key] = copy.deepcopy(table[old])
            case _:
                table[old if change == "set" else key] = copy.deepcopy(value)
    said = ""
    try:
        run = Model(catalog_from(tables, "small.toml")).run()
    except ModelError as error:
        said = str(error)
    if said:
        assert said.startswith(("small.toml: ", "commcost/catalog.toml: ")), said
        assert said.isprintable()
        assert len(said) < 1000
    else:
        assert isinstance(run.inputs, Mapping)
