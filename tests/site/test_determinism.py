"""Two builds of the same sources are the same bytes."""

from pathlib import Path

import pytest

from tests.support import build, copy_project

pytestmark = pytest.mark.xdist_group("determinism")


def test_folder_time_zone_locale_and_hash_seed_leave_no_trace(tmp_path: Path) -> None:
    here = build(copy_project(tmp_path / "here"), PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8")
    there = build(copy_project(tmp_path / "another" / "place"), PYTHONHASHSEED="4242", TZ="Asia/Tokyo", LC_ALL="C")
    names = sorted(path.relative_to(here) for path in here.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(there) for path in there.rglob("*") if path.is_file())
    assert [name for name in names if (here / name).read_bytes() != (there / name).read_bytes()] == []


def test_a_second_build_over_the_first_is_the_same(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    first = {path: path.read_bytes() for path in build(project).rglob("*") if path.is_file()}
    second = {path: path.read_bytes() for path in build(project).rglob("*") if path.is_file()}
    assert first == second
