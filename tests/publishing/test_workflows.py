"""The rules of the workflows, read from their files: who holds a token, what runs a stranger's code, which actions."""

import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import ROOT

FOLDER = ROOT / ".github" / "workflows"
NAMES = ("publish", "preview-build", "preview", "sources")
ACTIONS = {"actions/upload-artifact": "v7.0.1"}
PINNED = re.compile(r"([a-z-]+/[a-z-]+)@([0-9a-f]{40}) # (v[0-9]+\.[0-9]+\.[0-9]+)")


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.yml").read_text()


def read(name: str) -> Any:
    # BaseLoader leaves the key `on` a text; YAML takes it for a truth value otherwise.
    return yaml.load(text_of(name), Loader=yaml.BaseLoader)


def jobs(name: str) -> dict[str, Any]:
    return dict(read(name)["jobs"])


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in jobs(name).values() for step in job["steps"]]


def test_these_are_all_the_workflows() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{name}.yml" for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_action_is_pinned_to_a_commit_that_names_its_tag(name: str) -> None:
    used = [line.split("uses:")[1].strip() for line in text_of(name).splitlines() if "uses:" in line]
    assert len(used) == sum("uses" in step for step in steps(name))
    for one in used:
        action, _, tag = PINNED.fullmatch(one).groups()  # type: ignore[union-attr]
        assert ACTIONS[action] == tag


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_permitted_but_what_a_job_names(name: str) -> None:
    assert read(name)["permissions"] == {}
    allowed = {
        ("publish", "build"): {},
        ("publish", "deploy"): {"actions": "read", "contents": "write"},
        ("preview-build", "build"): {},
        ("preview", "deploy"): {"actions": "read", "contents": "write", "pull-requests": "write"},
        ("sources", "check"): {},
    }
    for job, what in jobs(name).items():
        assert what["permissions"] == allowed[name, job]


@pytest.mark.parametrize("name", NAMES)
def test_each_job_ends_and_each_workflow_waits_its_turn(name: str) -> None:
    for job in jobs(name).values():
        assert int(job["timeout-minutes"]) <= 20
        assert "concurrency" in job or "concurrency" in read(name)


@pytest.mark.parametrize("name", NAMES)
def test_no_expression_stands_in_a_script(name: str) -> None:
    for step in steps(name):
        assert "${{" not in step.get("run", "")


def test_a_stranger_s_code_meets_no_token_and_no_secret() -> None:
    assert set(read("preview-build")["on"]) == {"pull_request"}
    spoken = "\n".join(line for line in text_of("preview-build").splitlines() if not line.lstrip().startswith("#"))
    assert not re.search(r"secrets|token|cache|github\.event\.pull_request\.(title|body|head\.(ref|label))", spoken, re.IGNORECASE)
    expressions = set(re.findall(r"\$\{\{ (.*?) \}\}", spoken))
    assert expressions == {"github.event.pull_request.number", "github.event.pull_request.head.sha", "runner.temp"}


def test_who_holds_the_token_fetches_main_and_runs_one_program() -> None:
    assert set(read("preview")["on"]) == {"workflow_run", "pull_request_target"}
    # Of any base: one that was turned away from main and then closed has a preview to take down.
    assert read("preview")["on"]["pull_request_target"] == {"types": ["labeled", "closed"]}
    assert read("preview")["on"]["workflow_run"]["workflows"] == [read("preview-build")["name"]]
    fetch, act = steps("preview")
    assert "refs/heads/main" in fetch["run"]
    assert "env" not in fetch
    assert act["run"] == "python3 -I .github/publishing github"
    assert set(act["env"]) == {"GH_TOKEN"}
    assert jobs("publish")["deploy"]["steps"][-1]["run"] == act["run"]


def test_only_main_is_published() -> None:
    assert read("publish")["on"]["push"] == {"branches": ["main"]}
    assert jobs("publish")["build"]["if"] == "github.ref == 'refs/heads/main'"
    assert jobs("publish")["deploy"]["needs"] == "build"


def test_sources_are_checked_on_a_schedule_and_in_no_build() -> None:
    assert set(read("sources")["on"]) == {"schedule", "workflow_dispatch"}
    checking = [name for name in NAMES for step in steps(name) if "site-build.sh sources" in step.get("run", "")]
    assert checking == ["sources"]


@pytest.mark.parametrize(("checked", "status"), [(date.today(), 0), (date(2020, 1, 1), 1)])
def test_the_check_of_sources_fails_when_one_is_stale(checked: date, status: int, tmp_path: Path) -> None:
    """Its scripts run as they stand there, on a machine that has Python and git only."""
    repository = tmp_path / "project"
    shutil.copytree(ROOT / "commcost", repository / "commcost", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "site-build.sh", repository)
    catalog = repository / "commcost" / "catalog.toml"
    catalog.write_text(re.sub(r"(?m)^checked = .*$", f"checked = {checked}", catalog.read_text(encoding="utf-8")), encoding="utf-8")
    script = "set -e\n" + "".join(step["run"] + "\n" for step in steps("sources"))
    git = "git -c user.name=a -c user.email=a@example.org"
    subprocess.run(f"git init -q . && git add . && {git} commit -qm start", shell=True, cwd=repository, check=True)
    (tmp_path / "machine").mkdir()
    environment = {"PATH": "/usr/bin:/bin", "GITHUB_SERVER_URL": f"file://{tmp_path}", "GITHUB_REPOSITORY": "project", "GITHUB_SHA": "HEAD"}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path / "machine", env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (status, "")
    assert re.search(r"\n(\d+) readings, (\1|0) of them stale on .*\n\Z", done.stdout)


@pytest.mark.parametrize("moved", [False, True])
def test_contributing_has_a_command_that_compares_each_pin_with_its_tag(moved: bool, tmp_path: Path) -> None:
    """It runs as it stands there, with a git that answers from a list."""
    (command,) = (
        block for block in re.findall(r"```sh\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL) if "ls-remote" in block
    )
    pins = {match.groups() for name in NAMES for match in PINNED.finditer(text_of(name))}
    lines = "".join(f"{'0' * 40 if moved else commit}\\trefs/tags/{tag}^{{}}\\n" for _, commit, tag in pins)
    git = tmp_path / "git"
    git.write_text(f"#!/bin/sh\nprintf '{lines}'\n")
    git.chmod(0o755)
    said = subprocess.run(["sh", "-c", command], cwd=ROOT, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True)
    assert said.stdout.splitlines() == sorted(f"{action} {commit} is {'NOT ' if moved else ''}{tag}" for action, commit, tag in pins)
