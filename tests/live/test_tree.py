"""The docs folder: what in it cannot go out as it stands is refused before a page is read."""

import os
from pathlib import Path

import pytest

from hooks.live.errors import LiveError
from hooks.live.tree import files

LINK = "a symbolic link must lead to a file of this folder; copy what it leads to"
NAME = "a file's name must be text that can be read; rename it"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "pics").mkdir(parents=True)
    for name in ("index.md", "page.md", "pics/a b.png", ".hidden"):
        (folder / name).write_text("words")
    (tmp_path / "outside.md").write_text("a secret")
    return folder


def test_files_are_listed_without_what_is_hidden(docs: Path) -> None:
    (docs / ".#page.md").symlink_to("somebody@their.machine")  # as an editor marks the file that it holds open
    (docs / "again.md").symlink_to("page.md")
    (docs / "ünï (copy) #1 50%.md").write_text("words")
    assert files(docs) == {"index.md", "page.md", "pics/a b.png", "again.md", "ünï (copy) #1 50%.md"}


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("out.md", "../outside.md"), ("pics/out.md", "../../outside.md"), ("out.md", "/etc/hostname"), ("all", "/etc"), ("up", ".."),
        ("loop", "."), ("self.md", "self.md"), ("gone.md", "nowhere"), ("folder", "pics"), ("dev.md", "/dev/zero"),
        ("pics/index.md", "/proc/self/environ"),
    ],
)  # fmt: skip
def test_a_link_that_leads_out_or_to_no_file_is_refused(docs: Path, name: str, target: str) -> None:
    (docs / name).symlink_to(target)
    with pytest.raises(LiveError) as error:
        files(docs)
    assert str(error.value) == f"docs/{name}: {LINK}"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"a\nb.md", r"a\nb.md"), (b"\x1b[31m.md", r"\x1b[31m.md"), (b"\xff.md", r"\udcff.md"), ("\u202egnp.md".encode(), r"\u202egnp.md"),
        (b"pics/\r", r"pics/\r"), ("a\u200bb.png".encode(), r"a\u200bb.png"),
    ],
)  # fmt: skip
def test_a_name_that_nobody_can_read_is_refused_and_told_in_one_line(docs: Path, name: bytes, shown: str) -> None:
    Path(os.fsdecode(os.fsencode(docs) + b"/" + name)).write_text("words")
    with pytest.raises(LiveError) as error:
        files(docs)
    assert str(error.value) == f"docs/{shown}: {NAME}"


def test_what_is_neither_file_nor_folder_is_refused_and_never_waited_for(docs: Path) -> None:
    os.mkfifo(docs / "pipe.md")
    with pytest.raises(LiveError, match=r"^docs/pipe\.md: is neither a file nor a folder; remove it$"):
        files(docs)


def test_two_pages_at_one_address_are_refused(docs: Path) -> None:
    (docs / "page").mkdir()
    (docs / "page" / "index.md").write_text("words")
    with pytest.raises(LiveError, match=r"^docs/page\.md: stands at the same address as docs/page/index\.md; remove one of them$"):
        files(docs)
