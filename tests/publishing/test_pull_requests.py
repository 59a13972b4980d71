"""The way of a pull request, from GitHub's event to the served branch and the comment.

A real git repository is the remote; a program named gh answers for GitHub, from a file, and notes what it is told.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.publishing.support import COMMIT, OTHER_COMMIT, SITE, done, previewed, refused, tree_of, zipped

GH = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
from urllib.parse import urlencode
state = Path(os.environ["STATE"])
kind, path, *options = sys.argv[1:]
assert kind == "api" and os.environ["GH_TOKEN"]
method = next(option.split("=")[1] for option in options if option.startswith("--method=")) if "--method" in str(options) else "GET"
query = dict(option.split("=", 1) for option in options if not option.startswith("--"))
path = path.removeprefix("repos/us/site/")
if method != "GET":
    with (state / "sent").open("a") as sent:
        sent.write(json.dumps([method, path, json.load(sys.stdin)]) + "\\n")
elif path.endswith("/zip"):
    sys.stdout.buffer.write((state / path.split("/")[2]).read_bytes())
else:
    answers = json.loads((state / "answers").read_text())
    if path not in answers:
        sys.exit(f"HTTP 404: {{path}}")
    answer = answers[path]
    wanted = query.get("head")
    if path == "pulls":
        assert query["state"] == "all" and query["base"] == "main"
        answer = [pull for pull in answer if pull["head"]["label"] == wanted]
    if isinstance(answer, list) and "page" in query:
        at = 100 * (int(query["page"]) - 1)
        answer = answer[at : at + 100]
    json.dump(answer, sys.stdout)
"""
PULL = "actions/workflows/preview-build.yml/runs"


class GitHub:
    """A repository us/site with one pull request, 12, and whatever a test changes about it."""

    def __init__(self, folder: Path, fork: bool) -> None:
        self.state, self.remote, self.bin = folder / "state", folder / "us" / "site", folder / "bin"
        self.state.mkdir()
        self.bin.mkdir()
        (self.bin / "gh").write_text(GH)
        (self.bin / "gh").chmod(0o755)
        git("init", "--quiet", "--bare", str(self.remote))
        self.source = "them/site" if fork else "us/site"
        owner = self.source.split("/")[0]
        head = {"sha": COMMIT, "ref": "better", "label": f"{owner}:better", "repo": {"full_name": self.source}}
        self.pull: dict[str, Any] = {"number": 12, "state": "open", "head": head, "base": {"ref": "main"}}
        self.run: dict[str, Any] = {
            "id": 7, "event": "pull_request", "conclusion": "success", "head_sha": COMMIT, "head_branch": "better",
            "head_repository": {"full_name": self.source, "owner": {"login": owner}},
        }  # fmt: skip
        self.answers: dict[str, Any] = {
            "pulls": [self.pull], "pulls/12": self.pull, "issues/12/comments": [], "issues/12/labels": [],
            PULL: {"workflow_runs": [self.run]},
            "collaborators/keeper/permission": {"permission": "write"}, "collaborators/them/permission": {"permission": "read"},
        }  # fmt: skip
        self.hands_over(previewed())

    def hands_over(self, files: dict[str, str], run: int = 7, name: str = "preview") -> None:
        size = zipped(files, self.state / "99").stat().st_size
        listed = [{"id": 99, "name": name, "expired": False, "size_in_bytes": size}]
        self.answers[f"actions/runs/{run}/artifacts"] = {"artifacts": listed}

    def environment(self, name: str, event: Any) -> dict[str, str]:
        (self.state / "answers").write_text(json.dumps(self.answers))
        (self.state / "event").write_text(json.dumps(event))
        return {
            "PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.state), "STATE": str(self.state),
            "GH_TOKEN": "token", "GITHUB_SHA": COMMIT, "GITHUB_REPOSITORY": "us/site",
            "GITHUB_SERVER_URL": f"file://{self.remote.parents[1]}", "GITHUB_RUN_ID": "7",
            "GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(self.state / "event"),
        }  # fmt: skip

    def built(self, **change: Any) -> dict[str, str]:
        return self.environment("workflow_run", {"action": "completed", "workflow_run": {**self.run, **change}})

    def labelled(self, sender: str = "keeper", label: str = "preview", **head: Any) -> dict[str, str]:
        pull = {**self.pull, "head": {**self.pull["head"], **head}}
        return self.environment(
            "pull_request_target", {"action": "labeled", "label": {"name": label}, "sender": {"login": sender}, "pull_request": pull}
        )

    def closed(self) -> dict[str, str]:
        self.pull["state"] = "closed"
        return self.environment("pull_request_target", {"action": "closed", "pull_request": self.pull})

    def served(self) -> dict[str, str]:
        """Return the files of the branch that is served; none if there is no branch."""
        copy = self.state / f"copy{len(list(self.state.iterdir()))}"
        git("clone", "--quiet", str(self.remote), str(copy), "--branch=gh-pages", check=False)
        return tree_of(copy)

    def sent(self) -> list[Any]:
        at = self.state / "sent"
        return [json.loads(line) for line in at.read_text().splitlines()] if at.exists() else []


def git(*arguments: str, check: bool = True) -> str:
    return subprocess.run(["git", *arguments], check=check, capture_output=True, text=True).stdout


@pytest.fixture
def ours(tmp_path: Path) -> GitHub:
    return GitHub(tmp_path, fork=False)


@pytest.fixture
def fork(tmp_path: Path) -> GitHub:
    return GitHub(tmp_path, fork=True)


def test_a_branch_of_this_repository_goes_live_and_is_told(ours: GitHub) -> None:
    done("github", **ours.built())
    assert sorted(ours.served()) == [".nojekyll", *sorted(f"preview/12/{name}" for name in SITE)]
    ((method, path, said),) = ours.sent()
    assert (method, path) == ("POST", "issues/12/comments")
    assert f"Preview of commit {COMMIT}: https://example.org/commcost/preview/12/" in said["body"]
    assert "Nothing moved." in said["body"]


def test_the_one_comment_is_updated_in_place(ours: GitHub) -> None:
    mark = "<!-- the preview of this pull request -->"
    strangers = [{"id": at, "user": {"login": "them"}, "body": f"{mark} mine"} for at in range(1, 120)]
    ours.answers["issues/12/comments"] = [*strangers, {"id": 500, "user": {"login": "github-actions[bot]"}, "body": f"{mark}\nold"}]
    done("github", **ours.built())
    assert [(method, path) for method, path, _ in ours.sent()] == [("PATCH", "issues/comments/500")]


def test_a_fork_is_told_what_changes_and_waits_for_a_label(fork: GitHub) -> None:
    done("github", **fork.built())
    assert fork.served() == {}
    ((_, _, said),) = fork.sent()
    assert f"Commit {COMMIT} is built, from a fork." in said["body"]
    assert "https://" not in said["body"]


def test_a_maintainer_s_label_puts_a_fork_s_commit_up(fork: GitHub) -> None:
    done("github", **fork.labelled())
    assert "preview/12/index.html" in fork.served()


def test_a_label_given_before_a_push_does_not_count(fork: GitHub) -> None:
    done("github", **fork.labelled())
    before = fork.served()
    # The push: another head, built, with the label still there.
    fork.pull["head"]["sha"] = fork.run["head_sha"] = OTHER_COMMIT
    fork.answers["issues/12/labels"] = [{"name": "preview"}]
    fork.hands_over(previewed(12, OTHER_COMMIT))
    done("github", **fork.built())
    assert fork.served() == before
    assert ("DELETE", "issues/12/labels/preview") in [(method, path) for method, path, _ in fork.sent()]


def test_nor_does_a_label_for_a_head_that_is_pushed_over_before_it_is_read(fork: GitHub) -> None:
    labelled = fork.labelled()
    fork.pull["head"]["sha"] = OTHER_COMMIT
    (fork.state / "answers").write_text(json.dumps(fork.answers))
    assert "not pushed to since" in refused("github", **labelled)
    assert fork.served() == {}


def test_nor_does_one_from_somebody_without_write_access(fork: GitHub) -> None:
    assert "must have write access" in refused("github", **fork.labelled(sender="them"))
    assert fork.served() == {}


def test_nor_does_one_before_that_commit_is_built_for_that_branch(fork: GitHub) -> None:
    for name, value in (
        ("head_sha", OTHER_COMMIT),
        ("head_branch", "another"),
        ("head_repository", {"full_name": "else/site"}),
        ("head_repository", None),
    ):
        kept, fork.run[name] = fork.run[name], value
        assert "is not built yet" in refused("github", **fork.labelled())
        fork.run[name] = kept
    assert fork.served() == {}


def test_other_labels_and_failed_or_foreign_runs_do_nothing(fork: GitHub) -> None:
    for environment in (
        fork.labelled(label="bug"),
        fork.built(conclusion="failure"),
        fork.built(event="push"),
        fork.built(head_repository=None),
    ):
        assert done("github", **environment) == "publishing: nothing to do\n"
    assert fork.served() == {}
    assert fork.sent() == []


def test_a_build_of_a_commit_that_is_no_head_any_more_does_nothing(ours: GitHub) -> None:
    assert done("github", **ours.built(head_sha=OTHER_COMMIT)) == "publishing: nothing to do\n"


def test_a_run_cannot_speak_for_another_repository_s_pull_request(fork: GitHub) -> None:
    """A stranger's run with the name of our branch and of its head is still the stranger's."""
    fork.pull["head"]["repo"]["full_name"] = "us/site"
    assert done("github", **fork.built()) == "publishing: nothing to do\n"


def test_the_artifact_s_own_claims_about_itself_are_not_read(ours: GitHub) -> None:
    ours.hands_over(previewed(**{"site/pull.json": '{"number": 1}'}))
    done("github", **ours.built())
    assert {name.split("/")[1] for name in ours.served() if "/" in name} == {"12"}
    ours.hands_over(previewed(1))
    assert "does not say what it previews" in refused("github", **ours.built())


@pytest.mark.parametrize("hostile", ["../../../index.html", "site/../../../index.html", "site/.git/hooks.json", "site/CNAME"])
def test_a_hostile_artifact_changes_nothing_and_says_nothing(hostile: str, ours: GitHub) -> None:
    ours.hands_over(previewed(**{hostile: "x"}))
    refused("github", **ours.built())
    assert ours.served() == {}
    assert ours.sent() == []


def test_an_artifact_too_large_is_not_downloaded(ours: GitHub) -> None:
    ours.answers["actions/runs/7/artifacts"]["artifacts"][0]["size_in_bytes"] = 10**9
    (ours.state / "99").unlink()
    assert "the artifact is too large" in refused("github", **ours.built())


def test_an_artifact_that_is_gone_is_said_to_be(fork: GitHub) -> None:
    fork.answers["actions/runs/7/artifacts"]["artifacts"][0]["expired"] = True
    assert "run the build again" in refused("github", **fork.labelled())


def test_closing_takes_the_preview_away_and_no_other(ours: GitHub) -> None:
    done("github", **ours.built())
    ours.pull["number"] = 3
    ours.hands_over(previewed(3))
    ours.answers["issues/3/comments"] = []
    done("github", **ours.built())
    ours.pull["number"] = 12
    ours.answers["issues/12/comments"] = [{"id": 5, "user": {"login": "github-actions[bot]"}, "body": ours.sent()[0][2]["body"]}]
    done("github", **ours.closed())
    assert {name.split("/")[1] for name in ours.served() if "/" in name} == {"3"}
    assert ours.sent()[-1][:2] == ["PATCH", "issues/comments/5"]
    assert "https://" not in ours.sent()[-1][2]["body"]
    commits = git("-C", str(ours.remote), "rev-list", "--count", "gh-pages")
    done("github", **ours.closed())
    assert git("-C", str(ours.remote), "rev-list", "--count", "gh-pages") == commits


def test_a_build_that_ends_after_the_pull_request_was_closed_puts_nothing_up(ours: GitHub) -> None:
    done("github", **ours.built())
    ours.closed()
    done("github", **ours.built())
    assert list(ours.served()) == [".nojekyll"]
    assert ours.sent()[1:] == []


def test_publishing_main_again_and_again_leaves_previews(ours: GitHub) -> None:
    done("github", **ours.built())
    for text in ("one", "two"):
        ours.hands_over({**SITE, "index.html": text}, name="site")
        done("github", **ours.environment("push", {}))
        assert ours.served()["index.html"] == text
        assert "preview/12/index.html" in ours.served()


def test_who_is_overtaken_by_another_push_begins_again_on_top_of_it(ours: GitHub, tmp_path: Path) -> None:
    """The remote lets the first push lose, as if another preview had been pushed a moment before."""
    done("github", **ours.built())
    other = tmp_path / "other"
    git("clone", "--quiet", "--branch=gh-pages", str(ours.remote), str(other))
    (other / "preview" / "3").mkdir()
    (other / "preview" / "3" / "index.html").write_text("another's")
    git("-C", str(other), "add", "--all")
    git("-C", str(other), "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=another")
    git("-C", str(other), "push", "--quiet", "origin", "HEAD:refs/heads/waiting")
    hook = ours.remote / "hooks" / "pre-receive"
    hook.write_text(f'#!/bin/sh\nunset GIT_QUARANTINE_PATH\nrm "{hook}"\ngit update-ref refs/heads/gh-pages refs/heads/waiting\nexit 1\n')
    hook.chmod(0o755)
    ours.hands_over({**SITE, "index.html": "new"}, name="site")
    done("github", **ours.environment("push", {}))
    served = ours.served()
    assert served["index.html"] == "new"
    assert served["preview/3/index.html"] == "another's"
    assert not hook.exists()
