"""A run file that makes no sense is refused in one line that names the file, the key, the rule and the value; names in it stay names."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hooks import project
from hooks.live.errors import LiveError
from tests.support import CLUSTER, ROOT, build, copy_project

TEXT = CLUSTER.read_text(encoding="utf-8")
PEAK = "accelerators.heron.peak_flops_per_second"
UNITS = "FLOP/s or kFLOP/s or MFLOP/s or GFLOP/s or TFLOP/s"
TABLES = "accelerators, examples, links, presets, run, site"
NAME = "a name is ASCII letters, digits and _, and not 'example', 'other' or 'label'"
ID = "an id is lower-case letters, digits and _, and not 'other'"


def table_of(key: str) -> str:
    """Return the table of one figure."""
    start = TEXT.index(f"[{key}]")
    return TEXT[start : TEXT.index("[", start + 1)]


# What is broken: the text, met first; what stands there instead; what is said, after the file's name.
BREAKS = {
    # The file.
    "no TOML": ("[site]", "[site", "not readable as TOML: Expected ']' at the end of a table declaration (at line 6, column 6)"),
    "a table twice": ("[site]\n", "[run]\n\n[site]\n", "not readable as TOML: Cannot declare ('run',) twice (at line"),
    "a key before all tables": ("[site]\n", "gpus = 8\n\n[site]\n", f"gpus: unknown key; known: {TABLES}"),
    "an unknown table": ("[run]\n", "[runs]\n", "runs: unknown key; did you mean 'run'?"),
    "what only the catalogue may say": ("[site]\n", "[inputs.gpus]\nmax = 8\n\n[site]\n", f"inputs: unknown key; known: {TABLES}"),
    "a constant": ("[site]\n", "[constants.node_gpus]\nvalue = 8\n\n[site]\n", f"constants: unknown key; known: {TABLES}"),
    # The site.
    "a site without its table": ("[site]\nname =", "site =", "site: must be a table: 'What waiting costs in the harbour'"),
    "an unknown key of the site": ("[site]\nname", "[site]\ntitle", "site.title: unknown key; known: name"),
    "an empty name of the site": ('"What waiting costs in the harbour"', '" "', "site.name: must be a text that is not empty: ' '"),
    "a site's name that is no text": (
        'name = "What waiting costs in the harbour"',
        "name = 5",
        "site.name: must be a text that is not empty: 5",
    ),
    "a typed number in the site's name": ("in the harbour", "on 96 cards", "site.name: typed number '96'; "),
    "a typed comparison in the site's name": ("in the harbour", "more", "site.name: typed comparison 'costs more'; "),
    "markup in the site's name": ("in the harbour", "<b>", "site.name: the site's name must be plain text, without < > { } and \": "),
    "two lines in the site's name": (
        "in the harbour",
        "in\\nall",
        "site.name: must be one line without {{ and {%: 'What waiting costs in\\nall'",
    ),
    # The run.
    "a run that is a list": ("[run]", "[[run]]", "run: must be a table: [{'params': 13000000000.0, "),
    "an unknown input": ("gpus = 96", "gpu = 96", "run.gpu: unknown key; did you mean 'gpus'?"),
    "a key of two lines": ("gpus = 96", '"gp\\nus" = 96', "run.gp\\nus: unknown key; did you mean 'gpus'?"),
    "a number as text": ("gpus = 96", 'gpus = "96"', "run.gpus: must be a number: '96'"),
    "a number that is a date": ("gpus = 96", "gpus = 2026-11-29", "run.gpus: must be a number: datetime.date(2026, 11, 29)"),
    "a number that is a long list": ("gpus = 96", f"gpus = [{'1,' * 9000}]", f"run.gpus: must be a number: [{'1, ' * 60}"),
    "no GPU": ("gpus = 96", "gpus = 0", "run.gpus: must be a whole number, at least 1 and at most 1,000,000,000: 0.0"),
    "part of a GPU": ("gpus = 96", "gpus = 9.5", "run.gpus: must be a whole number, at least 1 and at most 1,000,000,000: 9.5"),
    "a number that is none": ("gpus = 96", "gpus = nan", "run.gpus: must be finite: nan"),
    "a number beyond doubles": ("gpus = 96", f"gpus = 1{'0' * 320}", "run.gpus: must be finite: inf"),
    "a share in per cent": ("mfu = 0.45", "mfu = 45", "run.mfu: must be above 0 and at most 1: 45.0"),
    "an unknown card": ('= "heron"', '= "herom"', "run.accelerator: unknown accelerator 'herom'; did you mean 'heron'?"),
    "a card that is a number": ('= "heron"', "= 5", "run.accelerator: must be a text that is not empty: 5"),
    "an unknown link": ('link = "causeway"', 'link = "causway"', "run.link: unknown link 'causway'; did you mean 'causeway'?"),
    "a run without end": ("mfu = 0.45", "mfu = 5e-324", "run: compute_seconds is not finite in this run: step_flops = "),
    "a run beyond the axes": ("mfu = 0.45", "mfu = 1e-60", "run: passes_limit_seconds is beyond its last step 5e+40: "),
    # A card or a link.
    "an id in capitals": ("[accelerators.heron]", "[accelerators.Heron]", f"accelerators.Heron: {ID}: 'Heron'"),
    "an id of two lines": ("[links.causeway]", '[links."a\\nb"]', f"links.a\\nb: {ID}: 'a\\nb'"),
    "an id with a dot": ("[links.causeway]", '[links."causeway.x"]', f"links.causeway.x: {ID}: 'causeway.x'"),
    "an id of the catalogue": (
        "[links.causeway]",
        "[links.nvlink]",
        "links.nvlink: is in commcost/catalog.toml already; choose another id",
    ),
    "a link that is no table": ("[links.causeway]", "[links]\ncable = 5\n\n[links.causeway]", "links.cable: must be a table: 5"),
    "a card without a name": (
        'name = "Heron 2"\n',
        "",
        "accelerators.heron.name: is missing; a record has a name, unless it has no figures",
    ),
    "a link without a name": ('name = "Causeway"\n', "", "links.causeway.name: is missing; a record has a name, unless it has no figures"),
    "a name of the catalogue": ("Heron 2", "H100", "accelerators.heron.name: is already the name of accelerators.h100: 'H100'"),
    "a name without a letter": ("Heron 2", "64", "accelerators.heron.name: must hold a letter, "),
    "a name with an expression": ("Heron 2", "H {{ gpus }}", "accelerators.heron.name: must be one line without {{ and {%: 'H {{ gpus }}'"),
    "no name for its own link": (
        'link_name = "PierLink"\n',
        "",
        "accelerators.heron.link_name: is missing; link 'nvlink' has no other name",
    ),
    "no partner": ('other = "egret"\n', "", "accelerators.heron.other: is missing; must name the accelerator that a reader compares with"),
    "itself as its partner": ('other = "egret"', 'other = "heron"', "accelerators.heron.other: must name another accelerator: 'heron'"),
    "an unknown partner": (
        'other = "egret"',
        'other = "egrets"',
        "accelerators.heron.other: unknown accelerator 'egrets'; did you mean 'egret'?",
    ),
    "an unknown key of a card": ("maker =", "makr =", "accelerators.heron.makr: unknown key; did you mean 'maker'?"),
    "an unknown figure": (f"[{PEAK}]", f"[{PEAK}s]", f"{PEAK}s: unknown figure; did you mean 'peak_flops_per_second'?"),
    "a figure left out": (table_of(PEAK), "", f"{PEAK}: is missing; a formula uses it"),
    "a link's figure that no link has": (
        "[links.causeway.link_bytes_per_second]",
        "[links.causeway.headline_flops_per_second]",
        "links.causeway.headline_flops_per_second: no link of commcost/catalog.toml has this figure; known: headline_bits_per_second, ",
    ),
    # A figure.
    "a figure that is a number": (f"[{PEAK}]\nvalue = 640", f"peak_flops_per_second = 640\n[{PEAK}s]", f"{PEAK}: must be a table: 640"),
    "an unknown key of a figure": ("value = 640", "valu = 640", f"{PEAK}.valu: unknown key; did you mean 'value'?"),
    "a value as text": ("value = 640", 'value = "640"', f"{PEAK}.value: must be a number: '640'"),
    "a negative value": ("value = 640", "value = -640", f"{PEAK}.value: must be at least 1e-09 and at most 1e+24 FLOP/s: -640.0 TFLOP/s"),
    "a unit of something else": ('unit = "TFLOP/s"', 'unit = "GB/s"', f"{PEAK}.unit: must be {UNITS}: 'GB/s'"),
    "an unknown unit": ('unit = "TFLOP/s"', 'unit = "Tflops"', f"{PEAK}.unit: must be {UNITS}: 'Tflops'"),
    "no unit": ('unit = "TFLOP/s"\n', "", f"{PEAK}.unit: is missing; "),
    "no word about what it counts": (
        'what = "dense 16-bit, one GPU, without sparsity"\n',
        "",
        f"{PEAK}.what: is missing; must say what the figure",
    ),
    "no source": (
        'source = "Made up: name the data sheet, its edition and the table"\n',
        "",
        f"{PEAK}.source: is missing; must name the document",
    ),
    "no address": ('url = "https://example.org/heron-2"\n', "", f"{PEAK}.url: is missing; must be the address of the document"),
    "half an address": (
        "https://example.org/heron-2",
        "example.org",
        f"{PEAK}.url: must start with https:// and hold no space: 'example.org'",
    ),
    "an address with a space": ("https://example.org/heron-2", "https://a b", f"{PEAK}.url: must start with https:// and hold no space: "),
    "no day": ("checked = 2026-11-29\n", "", f"{PEAK}.checked: is missing; must be a date such as 2026-11-29, without quotes"),
    "a day as text": (
        "checked = 2026-11-29",
        'checked = "29.11.2026"',
        f"{PEAK}.checked: must be a date such as 2026-11-29, without quotes: '29.",
    ),
    "a day that never was": ("checked = 2026-11-29", "checked = 2026-02-30", "not readable as TOML: Invalid date"),
    # A preset.
    "an input that a preset leaves out": ("mfu = 0.38\n", "", "presets.night_shift.mfu: is missing; must be a number"),
    "a preset without a name": (
        'name = "Night shift, 13B"\n',
        "",
        "presets.night_shift.name: is missing; must be a text that is not empty",
    ),
    "a preset out of bounds": ("mfu = 0.38", "mfu = 38", "presets.night_shift.mfu: must be above 0 and at most 1: 38.0"),
    "a preset without end": ("mfu = 0.38", "mfu = 1e-60", "presets.night_shift: passes_limit_seconds is beyond its last step 5e+40: "),
    "a preset called as one of the catalogue": (
        "night_shift]",
        "llama3_405b]",
        "presets.llama3_405b: the name is already taken by presets.llama3_405b of",
    ),
    "a preset called as an example": (
        "night_shift]",
        "node]",
        "presets.node: the name is already taken by examples.node of commcost/catalog.toml; choose another",
    ),
    "a preset that a page cannot name": ("night_shift]", '"night-shift"]', f"presets.night-shift: {NAME}: 'night-shift'"),
    # An example.
    "an example called as a preset": (
        "examples.berth]",
        "examples.llama3_405b]",
        "examples.llama3_405b: the name is already taken by presets.llama3_405b",
    ),
    "an example of the catalogue": (
        "examples.berth]",
        "examples.node]",
        "examples.node: the name is already taken by examples.node of commcost/catalog.toml",
    ),
    "an example that a page cannot name": ("examples.berth]", 'examples."a.berth"]', f"examples.a.berth: {NAME}: 'a.berth'"),
    "an example without a label": ('label = "one berth"\n', "", "examples.berth.label: is missing; must be a text that is not empty"),
    "a number in a label": (
        "one berth",
        "12 GPUs",
        "examples.berth.label: typed number '12'; say it without, or declare a term with its reason (extra.terms)",
    ),
    "a number word in a label": ("one berth", "twelve cards", "examples.berth.label: typed number word 'twelve'; say it without, "),
    "a number in what a figure counts": (
        "dense 16-bit, one GPU, without sparsity",
        "dense, 2 GPUs",
        f"{PEAK}.what: typed number '2'; say it without, ",
    ),
    "a number in what a run was read as": (
        "tokens are batch ×",
        "tokens are 8 ×",
        "presets.night_shift.what: typed number '8'; say it without, ",
    ),
    "a headline below its figure": (
        "value = 1280",
        "value = 639",
        "accelerators.heron.headline_flops_per_second: must be at least 640000000000000.0 FLOP/s, which is peak_flops_per_second: 639000",
    ),
    "a headline in bits below its figure": (
        "[links.causeway.link_reach_gpus]",
        '[links.causeway.headline_bits_per_second]\nvalue = 199\nunit = "Gbit/s"\nwhat = "one port"\nsource = "Made up"\n'
        'url = "https://example.org"\nchecked = 2026-11-29\n\n[links.causeway.link_reach_gpus]',
        "links.causeway.headline_bits_per_second: must be at least 200000000000.0 bit/s, which is link_bytes_per_second × ",
    ),
    "an example that sets nothing": (
        'berth"\ngpus = 12',
        'berth"',
        "examples.berth: must set an input: params, bytes_per_param, tokens, gpus, ",
    ),
    "an unknown input of an example": ("gpus = 12\n", "gpuz = 12\n", "examples.berth.gpuz: unknown key; did you mean 'gpus'?"),
    "an example out of bounds": (
        "gpus = 12\n",
        "gpus = 0\n",
        "examples.berth.gpus: must be a whole number, at least 1 and at most 1,000,000,000: 0.0",
    ),
}


@pytest.mark.parametrize("break_", BREAKS)
def test_a_break_is_one_line_with_file_key_rule_and_value(break_: str, tmp_path: Path) -> None:
    right, wrong, said = BREAKS[break_]
    assert right in TEXT
    with pytest.raises(LiveError) as refused:
        project.load(ROOT / "mkdocs.yml", run_file(TEXT.replace(right, wrong, 1), tmp_path))
    assert str(refused.value).startswith(f"run.toml: {said}")
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) <= 400


def run_file(text: str, folder: Path) -> Path:
    (folder / "run.toml").write_text(text, encoding="utf-8")
    return folder / "run.toml"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file or directory"),
        (b"a = '\xe4'", "not readable as TOML: 'utf-8' codec can't decode byte 0xe4 in position 5: "),
        (b"a = " + b"[" * 5000, "lists or tables in one another without end"),
    ],
    ids=["missing", "no text", "deep"],
)
def test_a_file_that_cannot_be_read_is_one_line(content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "run.toml").write_bytes(content)
    with pytest.raises(LiveError) as refused:
        project.load(ROOT / "mkdocs.yml", tmp_path / "run.toml")
    assert str(refused.value).startswith(f"run.toml: {said}")
    assert len(str(refused.value).splitlines()) == 1


def test_every_program_says_the_same_line_and_fails(tmp_path: Path) -> None:
    file = run_file(TEXT.replace("gpus = 96", '"gp\\nus" = 96', 1), tmp_path)
    line = "run.toml: run.gp\\nus: unknown key; did you mean 'gpus'?"
    environment = {**os.environ, "RUN_FILE": str(file), "NO_MKDOCS_2_WARNING": "1"}
    for arguments, said in {
        ("commcost", "sources", "--run", str(file)): f"commcost: {line}\n",
        ("hooks", "names"): f"hooks: {line}\n",
        ("mkdocs", "build", "-d", str(tmp_path / "site")): f"ERROR   -  {line}\n",
    }.items():
        done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1, said)
    assert not (tmp_path / "site").exists()


def test_a_file_may_begin_as_windows_begins_it(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(TEXT, encoding="utf-8-sig")
    site = project.load(ROOT / "mkdocs.yml", tmp_path / "run.toml")
    assert site.name == "What waiting costs in the harbour"
    assert site.run.inputs["gpus"] == 96


EVIL = '"><img src=x onerror=alert()>|`code` *em* _em_ [a](b) {b} "q" &amp; </dfn></script>'
ADDRESS = 'https://example.org/"><script>alert(1)</script>'


def test_no_text_of_a_run_file_becomes_markup(tmp_path: Path) -> None:
    """Each of them is written with all that Markdown and HTML read; on every page it shows as it is written."""
    texts = ["Heron 2", "Harbour Works", "PierLink", "Causeway", "Night shift, 13B", "dense 16-bit, one GPU, without sparsity"]
    texts += ["Made up: name the log, or the report, and its section", "the cards behind the causeway"]
    text = TEXT.replace("https://example.org/heron-2", ADDRESS.replace('"', '\\"'))
    for number, one in enumerate(texts):
        assert f'"{one}"' in text
        text = text.replace(f'"{one}"', '"{} {}"'.format("ABCDEFGH"[number], EVIL.replace('"', '\\"')))
    project_copy = copy_project(tmp_path / "project")
    page = project_copy / "docs" / "terminology.md"
    page.write_text(page.read_text(encoding="utf-8") + '\n{{ gpus(example="ferry") }} on {{ link(example="ferry") }}.\n', encoding="utf-8")
    site = build(project_copy, RUN_FILE=str(run_file(text, tmp_path)))
    shown = ""
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        reader = Reader()
        reader.feed(html)
        assert reader.strange == []
        shown += " ".join(reader.shown)
    assert {letter for letter in "ABCDEFGH" if f"{letter} {EVIL}" in shown} == set("ABCDEFGH")


class Reader(HTMLParser):
    """Keeps what a page shows, and what would come of a text that became markup."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.strange: list[tuple[str, object]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        held = dict(attributes)
        if any(name.startswith("on") for name in held) or held.get("src") == "x" or held.get("href") == "b":
            self.strange.append((tag, held))

    def handle_data(self, text: str) -> None:
        self.shown.append(text)
        if text in ("code", "em", "alert(1)"):
            self.strange.append(("text", text))
