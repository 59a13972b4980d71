"""What differs between two built sites, as a reviewer of a pull request reads it."""

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import pytest
from markdown import Markdown

from hooks import project
from hooks.live.changes import NOTHING, changes, code
from hooks.live.errors import LiveError
from tests.support import ROOT

RUN_FILE = """\
[run]
gpus = 8

[links.cable]
name = "Cable"
other = "infiniband"

[links.cable.link_bytes_per_second]
value = 7
unit = "GB/s"
what = "one port"
source = "A label on the cable"
url = "https://example.org/cable"
checked = 2026-11-29

[links.cable.link_reach_gpus]
value = 8
unit = "GPUs"
what = "the row"
source = "A label on the cable"
url = "https://example.org/cable"
checked = 2026-11-29

[presets.ours]
name = "Ours"
what = "made up"
source = "Nowhere"
url = "https://example.org/run"
checked = 2026-11-29
params = 1e9
bytes_per_param = 2
tokens = 1e6
gpus = 8
accelerator = "h100"
link = "cable"
mfu = 0.5
"""


def number(name: str, value: float, text: str, **overrides: str) -> dict[str, Any]:
    return {"q": name, "set": overrides, "as": "fixed.2", "value": value, "unit": "s", "text": text}


def claim(name: str, *, holds: bool, text: str) -> dict[str, Any]:
    return {"claim": name, "holds": holds, "text": text}


def site(folder: Path, **parts: Any) -> Path:
    folder.mkdir()
    found: Mapping[str, Any] = {"schema": 1, "model": "recipe", "run": {"guests": 6}, "pages": {}, "claims": {}, **parts}
    (folder / "numbers.json").write_text(json.dumps(found), encoding="utf-8")
    return folder


def test_nothing_is_one_line(tmp_path: Path) -> None:
    pages = {"": [number("baking_seconds", 2.4, "2.40 s")]}
    assert changes(site(tmp_path / "old", pages=pages), site(tmp_path / "new", pages=pages)) == NOTHING + "\n"


def test_a_number_that_moved_is_told_with_its_share(tmp_path: Path) -> None:
    old = site(tmp_path / "old", pages={"bread/": [number("baking_seconds", 2.4, "2.40 s", oven="gas")]})
    new = site(tmp_path / "new", pages={"bread/": [number("baking_seconds", 1.2, "1.20 s", oven="gas")]})
    assert changes(old, new) == "### `bread/`\n\n- `baking_seconds(oven=gas)`: `2.40 s` → `1.20 s` (−50.0 %)\n"


def test_an_inserted_sentence_does_not_shift_what_follows(tmp_path: Path) -> None:
    kept = [number("flour_grams", 2.0, "2.00 s"), number("baking_seconds", 2.4, "2.40 s")]
    old = site(tmp_path / "old", pages={"": kept})
    new = site(tmp_path / "new", pages={"": [number("water_grams", 3.0, "3.00 s"), *kept]})
    assert changes(old, new) == "### `/`\n\n- `water_grams`: added `3.00 s`\n"


def test_a_claim_that_turned_shows_both_sentences(tmp_path: Path) -> None:
    old = site(tmp_path / "old", claims={"": [claim("is_hot", holds=True, text="It is hot.")]})
    new = site(tmp_path / "new", claims={"": [claim("is_hot", holds=False, text="It is cold.")]})
    assert changes(old, new) == "### `/`\n\n- claim `is_hot` no longer holds: `It is hot.` → `It is cold.`\n"


def test_removed_numbers_and_claims_are_told(tmp_path: Path) -> None:
    old = site(tmp_path / "old", pages={"": [number("a", 1.0, "1.00 s")]}, claims={"": [claim("b", holds=True, text="B.")]})
    told = changes(old, site(tmp_path / "new"))
    assert "- `a`: removed `1.00 s`" in told
    assert "- claim `b`: removed `B.`" in told


def test_the_run_terms_formulas_and_sources_are_compared(tmp_path: Path) -> None:
    old = site(tmp_path / "old", terms={"2P": "a name"}, formulas={"a": "b + c"}, sources={"x": "1 s; a book; checked 2026-01-01"})
    new = site(tmp_path / "new", run={"guests": 8}, formulas={"a": "b - c"}, sources={"x": "1 s; a book; checked 2026-11-29"})
    told = changes(old, new)
    assert "- default run `guests`: `6` → `8`" in told
    assert "- term `2P`: removed `a name`" in told
    assert "- formula `a`: `b + c` → `b - c`" in told
    assert "- source `x`: `checked 2026-01-01` → `checked 2026-11-29`" in told
    assert [line for line in told.splitlines() if line.startswith("#")] == [
        "### The default run",
        "### Terms",
        "### Formulas",
        "### Sources",
    ]


def test_of_a_source_the_parts_that_differ_are_told(tmp_path: Path) -> None:
    was = {"a": "1 s; one way; a book; checked 2026-01-01", "b": "1 s; a book", "c": "1 s; a book"}
    now = {"a": "2 s; one way; a book; checked 2026-11-29", "b": "1 s; one way; a book", "d": "1 s; a book"}
    told = changes(site(tmp_path / "old", sources=was), site(tmp_path / "new", sources=now)).splitlines()[2:]
    assert told == [
        "- source `a`: `1 s; checked 2026-01-01` → `2 s; checked 2026-11-29`",
        "- source `b`: `1 s; a book` → `1 s; one way; a book`",
        "- source `c`: removed `1 s; a book`",
        "- source `d`: added `1 s; a book`",
    ]


@pytest.mark.parametrize(
    ("was", "now", "share"),
    [
        (0.0, 1.0, ""),
        (1, 1, ""),  # its unit is called otherwise
        ("gas", "wood", ""),
        (None, 1, ""),
        (1.0, 1.0004, " (+less than 0.1 %)"),
        (1.0, 0.9996, " (−less than 0.1 %)"),
        (64, 8, " (−87.5 %)"),
        (-2.0, -1.0, " (+50.0 %)"),
        (-1.0, 1.0, " (+200.0 %)"),
        (1, 1000000, " (+99,999,900.0 %)"),
        (1e-300, 1e300, ""),
        (1, 10**400, ""),
        (1.0, float("nan"), ""),
        (1.0, float("inf"), ""),
    ],
)
def test_a_share_is_told_where_there_is_one(was: Any, now: Any, share: str, tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", pages={"": [number("a", was, "x")]}), site(tmp_path / "new", pages={"": [number("a", now, "y")]})
    assert changes(old, new).endswith(f"- `a`: `x` → `y`{share}\n")


def test_what_stands_on_every_page_is_told_once_and_first(tmp_path: Path) -> None:
    verdict = [claim("fits", holds=True, text=""), claim("has_peers", holds=True, text=", with peers")]
    turned = [claim("fits", holds=False, text=", so it waits"), claim("has_peers", holds=False, text="")]
    old = site(tmp_path / "old", bar={"numbers": [number("gpus", 64, "64×")], "claims": verdict}, pages={"": [number("a", 1, "1")]})
    new = site(tmp_path / "new", bar={"numbers": [number("gpus", 8, "8×")], "claims": turned}, pages={"": []})
    assert changes(old, new).splitlines() == [
        "### Every page",
        "",
        "- `gpus`: `64×` → `8×` (−87.5 %)",
        "- claim `fits` no longer holds: nothing → `, so it waits`",
        "- claim `has_peers` no longer holds: `, with peers` → nothing",
        "",
        "### `/`",
        "",
        "- `a`: removed `1`",
    ]


def test_an_inserted_sentence_of_the_same_claim_is_the_one_that_is_told(tmp_path: Path) -> None:
    kept = [claim("fits", holds=True, text="It fits in 2.40 s."), claim("fits", holds=True, text="It is hidden.")]
    moved = [claim("fits", holds=True, text="It fits in 1.20 s."), kept[1]]
    inserted = claim("fits", holds=True, text="All is well.")
    old = site(tmp_path / "old", claims={"": kept})
    for at in range(3):
        new = site(tmp_path / f"new {at}", claims={"": [*moved[:at], inserted, *moved[at:]]})
        assert changes(old, new) == "### `/`\n\n- claim `fits`: added `All is well.`\n"
        assert changes(new, old) == "### `/`\n\n- claim `fits`: removed `All is well.`\n"


def test_a_sentence_that_somebody_wrote_anew_is_no_change_of_a_number(tmp_path: Path) -> None:
    old = site(tmp_path / "old", claims={"": [claim("fits", holds=True, text="It fits."), claim("fits", holds=False, text="It waits.")]})
    new = site(
        tmp_path / "new", claims={"": [claim("fits", holds=True, text="It is hidden."), claim("fits", holds=False, text="It waits.")]}
    )
    assert changes(old, new) == NOTHING + "\n"


def test_what_a_page_says_twice_is_told_once(tmp_path: Path) -> None:
    old = site(tmp_path / "old", pages={"": [number("a", 1.0, "1 s")] * 3}, claims={"": [claim("b", holds=True, text="B.")] * 2})
    new = site(tmp_path / "new", pages={"": [number("a", 2.0, "2 s")] * 3}, claims={"": [claim("b", holds=False, text="C.")] * 2})
    told = ["- `a`: `1 s` → `2 s` (+100.0 %)", "- claim `b` no longer holds: `B.` → `C.`"]
    assert changes(old, new).splitlines()[2:] == told
    gone = site(tmp_path / "gone", pages={"": [number("a", 1.0, "1 s")]}, claims={"": [claim("b", holds=True, text="B.")]})
    assert changes(old, gone).splitlines()[2:] == ["- `a`: removed `1 s`", "- claim `b`: removed `B.`"]


def test_the_order_in_which_a_page_says_things_is_no_matter(tmp_path: Path) -> None:
    names = ["b", "a", "ab", "a_b"]
    old = site(tmp_path / "old", pages={page: [number(name, 1, "1 s", oven="gas") for name in names] for page in ("b/", "", "a/b/")})
    new = {page: [number(name, 2, "2 s", oven="gas") for name in names] for page in ("a/b/", "b/", "")}
    told = changes(old, site(tmp_path / "new", pages=new))
    turned = {page: entries[::-1] for page, entries in reversed(new.items())}
    assert changes(old, site(tmp_path / "turned", pages=turned)) == told
    assert [line for line in told.splitlines() if line.startswith("#")] == ["### `/`", "### `a/b/`", "### `b/`"]


def test_what_a_build_says_of_its_origins_is_compared(tmp_path: Path) -> None:
    for name, run_file in {"old": None, "new": RUN_FILE}.items():
        (tmp_path / "run.toml").write_text(RUN_FILE, encoding="utf-8")
        built = project.load(ROOT / "mkdocs.yml", run_file and tmp_path / "run.toml")
        (tmp_path / name).mkdir()
        (tmp_path / name / "numbers.json").write_bytes(built.numbers_json())
    told = changes(tmp_path / "old", tmp_path / "new").splitlines()
    assert re.fullmatch("- `gpus`: `64.*` → `8.*` \\(−87.5 %\\)", told[3])
    assert told[0] == "### Every page"
    assert "- default run `gpus`: `64` → `8`" in told
    assert (
        "- source `link.cable.link_bytes_per_second`: added `7 GB/s; one port; A label on the cable; https://example.org/cable; "
        "checked 2026-11-29`"
    ) in told
    assert "- source `preset.ours`: added `Ours; made up; Nowhere; https://example.org/run; checked 2026-11-29`" in told


def test_a_formula_says_at_which_choices_its_parts_stand() -> None:
    formulas = json.loads(project.load(ROOT / "mkdocs.yml").numbers_json())["formulas"]
    assert formulas["compute_seconds"].partition(" where ")[1:] == ("", "")
    speedup = "other_peak / peak_flops_per_second where other_peak = peak_flops_per_second(accelerator=other)"
    assert formulas["other_card_speedup"] == speedup


@pytest.mark.parametrize("text", ["`", "``a`` b", "<img src=x>", "@everyone", "a\n\n# b", "[x](y)", ""])
def test_no_text_becomes_markup(text: str) -> None:
    shown = code(text)
    fence = shown[: len(shown) - len(shown.lstrip("`"))]
    assert "\n" not in shown
    assert shown.startswith(fence)
    assert shown.endswith(fence)
    assert fence not in shown[len(fence) : -len(fence)]


EVIL = "`</code><script>alert(1)</script>`` @all #1 ![x](https://example.org/x.png) | <!-- \u202e **b**\n\n# h\n- `"


def test_nothing_that_a_site_is_called_or_says_becomes_markup(tmp_path: Path) -> None:
    said = {
        "run": {"guests": 6, EVIL: EVIL},
        "bar": {"numbers": [number(EVIL, 1, EVIL, **{EVIL: EVIL})], "claims": [claim(EVIL, holds=True, text=EVIL)]},
        "pages": {EVIL: [number(EVIL, 1, EVIL)]},
        "claims": {EVIL: [claim(EVIL, holds=True, text=EVIL)]},
        "sources": {EVIL: EVIL},
    }
    told = changes(site(tmp_path / "old"), site(tmp_path / "new", **said))
    html = Markdown().convert(told)
    assert set(re.findall(r"<(\w+)", html)) == {"h3", "ul", "li", "code"}
    assert html.count("<li>") == 6
    # The name, as it stands in the code: with single spaces, and nothing of it lost.
    assert html.count(escape(" ".join(EVIL.split()), quote=False)) == 15


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "has no numbers.json; name the folder of a built site"),
        ("not json", "is not the numbers.json of a built site"),
        ("[]", "is not the numbers.json of a built site"),
        ("[" * 100_000, "is not the numbers.json of a built site"),
        ('{"schema": "1", "model": "recipe"}', "is not the numbers.json of a built site"),
        ('{"schema": true, "model": "recipe"}', "is not the numbers.json of a built site"),
        ('{"schema": 1}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": ["recipe"]}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "pages": []}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "pages": {"": {}}}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "pages": {"": ["a"]}}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "pages": {"": [{"q": "a", "set": {}, "as": "b"}]}}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "claims": {"": [{"claim": "a", "text": "b"}]}}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "bar": {"claims": [{}]}}', "is not the numbers.json of a built site"),
        ('{"schema": 1, "model": "recipe", "sources": ["a"]}', "is not the numbers.json of a built site"),
        ('{"schema": 2, "model": "recipe"}', "has schema 2, later than 1; use the program that built it"),
        ('{"schema": 1, "model": "mortgage"}', "is of another model, 'mortgage' and not 'recipe'"),
    ],
)
def test_a_missing_foreign_or_later_file_is_one_line(tmp_path: Path, content: str | None, told: str) -> None:
    old, new = site(tmp_path / "old"), tmp_path / "new"
    new.mkdir()
    if content is not None:
        (new / "numbers.json").write_text(content, encoding="utf-8")
    with pytest.raises(LiveError) as refused:
        changes(old, new)
    assert str(refused.value).endswith(told)
    assert "\n" not in str(refused.value)
