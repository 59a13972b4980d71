"""An artifact is what a stranger's build left: whatever a build of this site does not write is refused, unread."""

import os
import socket
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.publishing.support import COMMIT, done, folder, previewed, refused, tree_of, zipped

BAD_NAMES = (
    "/etc/passwd.html", "../index.html", "site/../../index.html", "site/a/../index.html", "site//a.html", "./site/a.html", "site/./a.html",
    "site/.git/config.json", "site/.gitattributes", "site/.nojekyll", "site/.well-known/a.json", "site/_headers", "site/_redirects",
    "site/_worker.js", "site/a\\..\\b.html", "C:/a.html", "site/a:b.html", "site/a\nb.html", "site/a b.html", "site/ä.html",
    "site/\u202egpj.html", "site/a\x1b[2J.html", "site/-rf.html", "site/a./b.html", "site/~a.html", "site/%2e%2e/a.html",
    "site/" + "a" * 300 + ".html", "site/::set-env name=a::b.html",
)  # fmt: skip
BAD_TYPES = (
    "site/CNAME",
    "site/robots.txt",
    "site/netlify.toml",
    "site/a.php",
    "site/a.html.gz",
    "site/a/sitemap.xml.gz",
    "site/html",
    "site/a.exe",
    "site/a.md",
)


@pytest.mark.parametrize("make", [zipped, folder])
def test_what_a_build_writes_is_taken(make: Callable[[Mapping[str, str], Path], Path], tmp_path: Path) -> None:
    assert done("check", make(previewed(), tmp_path / "artifact")).startswith("5 files, ")


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_leads_out_of_the_tree_or_hides_is_refused(name: str, tmp_path: Path) -> None:
    line = refused("check", zipped(previewed(**{name: "x"}), tmp_path / "a.zip"))
    assert "is no fit name" in line
    assert line.isascii()
    assert line.isprintable()


@pytest.mark.parametrize("name", ["site/.htaccess", "site/_headers", "site/a b.html", "-a/b.html"])
def test_so_is_it_in_a_folder(name: str, tmp_path: Path) -> None:
    assert "is no fit name" in refused("check", folder(previewed(**{name: "x"}), tmp_path / "artifact"))


@pytest.mark.parametrize("name", BAD_TYPES)
def test_a_type_that_no_build_writes_is_refused(name: str, tmp_path: Path) -> None:
    assert "is no file of a built site" in refused("check", zipped(previewed(**{name: "x"}), tmp_path / "a.zip"))


@pytest.mark.parametrize("name", ["number.json", "_headers"])
def test_a_file_beside_the_site_is_refused(name: str, tmp_path: Path) -> None:
    assert f"'{name}' is neither" in refused("check", zipped(previewed(**{name: "12"}), tmp_path / "a.zip"))


def test_a_name_with_a_zero_byte_is_refused(tmp_path: Path) -> None:
    archive = zipped(previewed(**{"site/aaaa.htmlbbb.html": "x"}), tmp_path / "a.zip")
    archive.write_bytes(archive.read_bytes().replace(b"site/aaaa.htmlbbb.html", b"site/aaaa.html\0bb.html"))
    assert "zero byte" in refused("check", archive)


def test_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    for name in ("site/INDEX.html", "site/A/other.html"):
        assert "differ in letter case only" in refused("check", zipped(previewed(**{name: "x"}), tmp_path / "a.zip"))


def test_a_file_that_is_also_a_folder_is_refused(tmp_path: Path) -> None:
    assert "is there twice" in refused("check", zipped(previewed(**{"site/index.html/a.html": "x"}), tmp_path / "a.zip"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    archive = zipped(previewed(), tmp_path / "a.zip")
    with zipfile.ZipFile(archive, "a") as more:
        more.writestr("site/index.html", "another")
    assert "'site/index.html' is there twice" in refused("check", archive)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR])
def test_links_and_devices_in_a_zip_file_are_refused(kind: int, tmp_path: Path) -> None:
    archive = zipped(previewed(), tmp_path / "a.zip")
    with zipfile.ZipFile(archive, "a") as more:
        info = zipfile.ZipInfo("site/link.html")
        info.external_attr = (kind | 0o777) << 16
        more.writestr(info, "/etc/passwd")
    assert "'site/link.html' is a link or a device" in refused("check", archive)


def test_links_and_devices_in_a_folder_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret")

    def listen(path: Path) -> None:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(path))

    for at, make in enumerate((lambda path: path.symlink_to(secret), lambda path: path.hardlink_to(secret), os.mkfifo, listen)):
        artifact = folder(previewed(), tmp_path / str(at))
        make(artifact / "site" / "link.html")
        assert "'site/link.html' is a link or a device" in refused("check", artifact)
    artifact = folder(previewed(), tmp_path / "linked folder")
    (artifact / "site" / "link").symlink_to(tmp_path)
    assert "'site/link' is a link or a device" in refused("check", artifact)


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    archive = zipped(previewed(**{f"site/{at}.html": "" for at in range(5000)}), tmp_path / "a.zip")
    assert "too many files" in refused("check", archive)


def test_too_large_a_file_is_refused_by_its_stated_size(tmp_path: Path) -> None:
    archive = zipped(previewed(**{"site/zeros.json": "0" * 20_000_001}), tmp_path / "a.zip")
    assert archive.stat().st_size < 100_000
    assert "'site/zeros.json' is too large" in refused("check", archive)
    sparse = folder(previewed(), tmp_path / "artifact")
    with (sparse / "site" / "zeros.json").open("wb") as file:
        file.truncate(10**12)
    assert "'site/zeros.json' is too large" in refused("check", sparse)


def test_a_size_that_is_stated_too_small_is_refused(tmp_path: Path) -> None:
    archive = zipped(previewed(**{"site/zeros.json": "0" * 1_000_000}), tmp_path / "a.zip")
    archive.write_bytes(archive.read_bytes().replace(struct.pack("<L", 1_000_000), struct.pack("<L", 10)))
    assert "no sound zip file" in refused("check", archive)


def test_files_too_large_together_are_refused(tmp_path: Path) -> None:
    archive = zipped(previewed(**{f"site/{at}.json": "0" * 15_000_000 for at in range(7)}), tmp_path / "a.zip")
    assert "too large together" in refused("check", archive)


def test_what_is_no_zip_file_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    whole = zipped(previewed(), tmp_path / "a.zip").read_bytes()
    for at, content in enumerate((b"", b"<html>", whole[: len(whole) // 2], whole.replace(b"PK\x03\x04", b"PK\x03\x05"))):
        damaged = tmp_path / f"{at}.zip"
        damaged.write_bytes(content)
        assert "no sound zip file" in refused("check", damaged)
    assert "cannot be read" in refused("check", tmp_path / "nowhere.zip")


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    archive = zipped(previewed(), tmp_path / "a.zip")
    content = bytearray(archive.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(content)
    assert "is encrypted" in refused("check", archive)


def test_numbers_that_are_absent_or_too_large_are_refused(tmp_path: Path) -> None:
    files = previewed()
    assert "numbers.json is too large" in refused("check", zipped({**files, "site/numbers.json": "1" * 5_000_001}, tmp_path / "a.zip"))
    del files["site/numbers.json"]
    assert "numbers.json is missing" in refused("check", zipped(files, tmp_path / "a.zip"))
    assert "index.html is missing" in refused("check", zipped({}, tmp_path / "a.zip"))
    assert "changes.md is too large" in refused("check", zipped(previewed(**{"changes.md": "1" * 1_000_001}), tmp_path / "a.zip"))


def test_a_refused_artifact_leaves_no_trace(tmp_path: Path) -> None:
    tree = folder({"index.html": "mine", "preview/12/index.html": "before"}, tmp_path / "served" / "tree")
    before = tree_of(tmp_path / "served")
    for name in (*BAD_NAMES[:5], *BAD_TYPES[:3]):
        archive = zipped({name: "x", **previewed()}, tmp_path / "a.zip")
        refused("preview", archive, tree, "--pull", 12, "--commit", COMMIT)
        refused("publish", archive, tree)
    assert tree_of(tmp_path / "served") == before
