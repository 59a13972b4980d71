"""The model in a terminal: values on standard output, refusals as one line on standard error."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from commcost import Model
from commcost.__main__ import BILL, main

ROOT = Path(__file__).parents[2]


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removesuffix("\n")


def rows(text: str) -> dict[str, str]:
    """Return each line by its first word, with single spaces."""
    return {line.split()[0]: " ".join(line.split()[1:]) for line in text.splitlines()}


def test_show_lists_inputs_and_every_quantity(model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    lines = rows(shown(capsys, "show"))
    assert list(lines) == [*model.inputs, *model.quantities]
    assert lines["params"] == "30 billion parameters parameters"
    assert lines["accelerator"] == "H100 accelerator"
    assert lines["quoted_all_reduce_seconds"] == "2.4 s all-reduce as quoted, on the link"
    assert lines["ring_all_reduce_bytes"] == "118.125 GB ring all-reduce"
    assert lines["hop_seconds"] == "18.75 ms one hop"
    assert lines["exposed_seconds"].startswith("0 s ")
    assert lines["fits_under_step"].startswith("yes ")


def test_set_changes_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    lines = rows(shown(capsys, "show", "--set", "gpus=8", "--set", "accelerator=mi300x", "--set", "link=nvlink"))
    assert lines["gpus"] == "8 GPUs GPUs"
    assert lines["link"] == "Infinity Fabric link"
    assert lines["quoted_all_reduce_seconds"].startswith("267.857 ms ")  # 120 / 448
    assert lines["ring_factor"].startswith("1.75 ")


def test_set_takes_partners_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    lines = rows(shown(capsys, "show", "--set", "example=node", "--set", "accelerator=other"))
    assert (lines["gpus"], lines["accelerator"]) == ("8 GPUs GPUs", "B200 accelerator")


@pytest.mark.parametrize(("gpus", "counted"), [("1", "1 GPU"), ("2", "2 GPUs"), ("1000000000", "1,000,000,000 GPUs")])
def test_counts_are_written_out_with_their_noun(capsys: pytest.CaptureFixture[str], gpus: str, counted: str) -> None:
    assert rows(shown(capsys, "show", "--set", f"gpus={gpus}"))["gpus"] == f"{counted} GPUs"


def test_bill_is_the_ring_hop_by_hop(capsys: pytest.CaptureFixture[str]) -> None:
    lines = rows(shown(capsys, "bill", "--set", "example=node"))
    assert tuple(lines) == BILL
    assert lines["hops"] == "14 hops hops of a ring all-reduce"
    assert lines["ring_half_bytes"].startswith("52.5 GB ")
    assert lines["ring_half_seconds"].startswith("1.05 s ")


def test_explain_goes_down_to_inputs_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "explain", "other_card_speedup").splitlines()
    assert lines[0] == "other_card_speedup = 2.27503  (peak of the other card, as a multiple)"
    assert lines[1] == "  = other_peak / peak_flops_per_second"
    assert lines[2] == "    other_peak = 2,250 TFLOP/s at accelerator=other  (peak of one GPU)"
    assert lines[3].startswith("      dense 16-bit, one GPU, without sparsity; NVIDIA, ")
    assert lines[3].endswith("checked 2026-11-29")
    assert lines[4] == "    peak_flops_per_second = 989 TFLOP/s  (peak of one GPU)"


def test_explain_a_claim(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "explain", "fits_under_step").splitlines()
    assert lines[0] == "fits_under_step = yes  (the exchange is shorter than the whole computation)"
    assert lines[1] == "  = quoted_all_reduce_seconds < compute_seconds"


def test_sources_lists_every_reading_with_its_document_and_day(model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    *lines, count = shown(capsys, "sources", "--today", "2026-11-30").splitlines()
    file = (ROOT / "commcost" / "catalog.toml").read_text(encoding="utf-8")
    assert len(lines) == len(re.findall("(?m)^source = ", file))
    (peak,) = (line for line in lines if "accelerators.h100.peak_flops_per_second" in line)
    assert peak == (
        "fresh  2026-11-29  accelerators.h100.peak_flops_per_second = 989 TFLOP/s  NVIDIA, DGX Cloud Benchmarking: README, Reference "
        "Infrastructure, 2026  https://github.com/NVIDIA/dgxc-benchmarking/blob/main/README.md"
    )
    assert sum(" constants." in line for line in lines) == len(model.constants)
    assert sum(" presets." in line for line in lines) == len(model.presets)
    assert count == f"{len(lines)} readings, 0 of them stale on 2026-11-30 (older than 365 days, or dated later)"


RUN_FILE = """\
[run]
gpus = 8

[presets.old]
name = "Old"
what = "made up"
source = "Nowhere"
url = "https://example.org/old"
checked = 2026-01-01
params = 1e9
bytes_per_param = 2
tokens = 1e6
gpus = 8
accelerator = "h100"
link = "nvlink"
mfu = 0.5
"""


@pytest.fixture
def run_file(tmp_path: Path) -> str:
    (tmp_path / "run.toml").write_text(RUN_FILE, encoding="utf-8")
    return str(tmp_path / "run.toml")


@pytest.mark.parametrize(
    ("today", "stale"),
    [
        ("2025-12-30", True),  # two days before the reading: a slip
        ("2025-12-31", False),  # the day before: another time zone
        ("2026-01-01", False),
        ("2026-11-29", False),
        ("2027-01-01", False),  # 365 days
        ("2027-01-02", True),
    ],
)
def test_a_reading_is_stale_after_its_shelf_life(run_file: str, today: str, stale: bool, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["sources", "--run", run_file, "--today", today])
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "presets.old" in line)
    assert line == f"{'stale' if stale else 'fresh'}  2026-01-01  presets.old = Old  Nowhere  https://example.org/old"
    assert status == 1 or not stale


def test_stale_sources_are_status_one_and_stand_last(run_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", "--run", run_file, "--today", "2026-11-29", "--shelf-life", "300"]) == 1
    *lines, count = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["fresh"] * (len(lines) - 1) + ["stale"]
    assert count == f"{len(lines)} readings, 1 of them stale on 2026-11-29 (older than 300 days, or dated later)"


def test_a_run_file_is_the_default_run_of_every_command(run_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(shown(capsys, "show", "--run", run_file))["gpus"] == "8 GPUs GPUs"
    assert rows(shown(capsys, "bill", "--run", run_file, "--set", "gpus=2"))["hops"].startswith("2 hops ")
    assert shown(capsys, "explain", "gpus", "--run", run_file).startswith("gpus = 8 GPUs ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sources", "--today", "29.11.2026"], "invalid --today; must be a date such as 2026-11-29: '29.11.2026'"),
        (["sources", "--run", "nowhere.toml"], "nowhere.toml: no such file or directory"),
        (["sources", "--shelf-life", "-4"], "invalid --shelf-life; must be at least 0: -4"),
        (["show", "--set", "gpus=8", "--set", "gpus=16"], "invalid --set; gpus is given twice"),
        (["show", "--set", "gpus"], "invalid --set; must be name=value: 'gpus'"),
        (["show", "--set", "gpus=many"], "invalid gpus; must be a number: 'many'"),
        (["show", "--set", "gpus="], "invalid gpus; must be a number: ''"),
        (["show", "--set", "gpus=0"], "invalid gpus; must be a whole number, at least 1"),
        (["bill", "--set", "mfu=nan"], "invalid mfu; must be above 0 and at most 1: nan"),
        (["bill", "--set", "gpu=8"], "unknown input 'gpu'; did you mean 'gpus'?"),
        (["show", "--set", "link=ethernet"], "unknown link 'ethernet'; did you mean 'ethernet_400g'?"),
        (["show", "--set", "example=nodes"], "unknown example 'nodes'; did you mean 'node'?"),
        (["explain", "ring_facto"], "unknown quantity 'ring_facto'; did you mean 'ring_factor'?"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else None,
)
def test_refusal_is_one_line_and_status_one(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert refused(capsys, *arguments).startswith(f"commcost: {message}")


@pytest.mark.parametrize("arguments", [[], ["list"], ["explain"], ["show", "--sett", "gpus=8"]])
def test_unknown_command_is_status_two_with_the_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m commcost")


def test_module_runs_and_its_status_is_the_processes() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "commcost", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    good, bad = run("bill"), run("show", "--set", "gpus=0")
    assert (good.returncode, good.stderr) == (0, "")
    assert "118.125 GB" in good.stdout
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (1, "", 1)
