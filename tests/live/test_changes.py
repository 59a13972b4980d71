"""What differs between two built sites, as a reviewer of a pull request reads it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hooks.live.changes import NOTHING, changes, code
from hooks.live.errors import LiveError


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
    assert "- removed term `2P`: `a name`" in told
    assert "- formula `a`: `b + c` → `b - c`" in told
    assert "- source `x`: `1 s; a book; checked 2026-01-01` → `1 s; a book; checked 2026-11-29`" in told


def test_a_value_from_zero_has_no_share(tmp_path: Path) -> None:
    old = site(tmp_path / "old", pages={"": [number("a", 0.0, "0.00 s")]})
    new = site(tmp_path / "new", pages={"": [number("a", 1.0, "1.00 s")]})
    assert changes(old, new).endswith("- `a`: `0.00 s` → `1.00 s`\n")


@pytest.mark.parametrize("text", ["`", "``a`` b", "<img src=x>", "@everyone", "a\n\n# b", "[x](y)", ""])
def test_no_text_becomes_markup(text: str) -> None:
    shown = code(text)
    fence = shown[: len(shown) - len(shown.lstrip("`"))]
    assert "\n" not in shown
    assert shown.startswith(fence)
    assert shown.endswith(fence)
    assert fence not in shown[len(fence) : -len(fence)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "has no numbers.json; name the folder of a built site"),
        ("not json", "is not the numbers.json of a built site"),
        ("[]", "is not the numbers.json of a built site"),
        ('{"schema": "1", "model": "recipe"}', "is not the numbers.json of a built site"),
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
