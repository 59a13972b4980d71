"""What a stranger's build says of its changes is text in the comment, and nothing else."""

import re
from pathlib import Path

import markdown
import pytest

from tests.publishing.support import COMMIT, done, previewed, zipped

HOSTILE = (
    "@everyone and @org/team", "![](https://example.com/pixel.png)", "[free](https://example.com)", "<img src=x onerror=alert(1)>",
    "<!-- -->", "https://example.com www.example.com", "fixes #1, GH-1, other/repo#1", "```\nout\n```", "````\nout\n````",
    "`" * 5000 + "\nout", "~~~\nout\n~~~", "<!-- the preview of this pull request -->", "</code></pre><script>", "    ````\nout",
    "> quote\n\n# heading", "a\r\n````\r\nout", "a\r````\rout", "x\u2028````\u2028out", "\x00\x1b[31mred\x07", "\u202eright to left",
    "a\u200bb\ufeff",
)  # fmt: skip


def comment(changes: str, tmp_path: Path) -> str:
    artifact = zipped(previewed(**{"changes.md": changes}), tmp_path / "a.zip")
    return done("comment", artifact, "--pull", 12, "--commit", COMMIT)


@pytest.mark.parametrize("changes", HOSTILE)
def test_hostile_text_stays_within_its_block(changes: str, tmp_path: Path) -> None:
    before, text, after = split(comment(changes, tmp_path))
    assert before.splitlines()[:2] == [
        "<!-- the preview of this pull request -->",
        f"Preview of commit {COMMIT}: https://example.org/commcost/preview/12/",
    ]
    assert after == "\n"
    # The one fence that opens ends with the last line and no sooner; an independent reader of Markdown agrees.
    assert not re.search(r"`{4}", text)
    html = markdown.markdown(before + "````markdown\n" + text + "\n````\n", extensions=["pymdownx.superfences"])
    outside = re.sub(r"<div class=\"highlight\">.*?</div>", "", html, flags=re.DOTALL)
    assert re.sub(r"\s+", " ", outside).strip().endswith("preview/12/</p>")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", text)


def split(whole: str) -> tuple[str, str, str]:
    before, opening, rest = whole.partition("````markdown\n")
    text, closing, after = rest.rpartition("\n````")
    assert opening
    assert closing
    return before, text, after


def test_what_is_harmless_is_kept_to_the_letter(tmp_path: Path) -> None:
    changes = "## Home\n\n- 2.40 s → **2.50 s** (+4.2 %), `quoted_all_reduce_seconds(link=infiniband)`\n  - −3 × 10"
    assert split(comment(changes + "\n", tmp_path))[1] == changes


def test_a_long_text_is_cut_to_what_github_takes(tmp_path: Path) -> None:
    for changes in ("long line " * 90_000, "`" * 900_000, "`a" * 400_000, "@\n" * 400_000):
        whole = comment(changes, tmp_path)
        assert len(whole) < 65_536
        assert whole.count("````") == 2


def test_without_a_text_it_says_so(tmp_path: Path) -> None:
    assert split(comment(" \n", tmp_path))[1] == "The build says nothing about changes."
