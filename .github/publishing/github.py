"""What GitHub knows of a pull request, and what may be done about it. Nothing here is asked of the artifact."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from artifact import MOST_BYTES, RefusedError

LABEL = "preview"
BASE = "main"
BUILD = "preview-build.yml"
BOT = "github-actions[bot]"


@dataclass(frozen=True)
class Verdict:
    """What to do about a pull request, with which commit of it, from which run of its build."""

    do: Literal["live", "wait", "clean"]
    pull: int
    commit: str
    run: int


class Repository:
    """One repository's interface, through the gh command and the token that gh finds in GH_TOKEN."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, path: str, **query: str) -> Any:
        options = [word for name, value in query.items() for word in ("--raw-field", f"{name}={value}")]
        return json.loads(self._gh(path, "--method=GET", *options))

    def all(self, path: str) -> Iterator[Any]:
        """Yield the items of a list that comes in pages."""
        page = 0
        while True:
            page += 1
            items = self.get(path, per_page="100", page=str(page))
            yield from items
            if len(items) < 100:
                return

    def send(self, method: str, path: str, **fields: str) -> None:
        self._gh(path, f"--method={method}", "--input=-", given=json.dumps(fields).encode())

    def _gh(self, path: str, *options: str, given: bytes = b"") -> bytes:
        done = subprocess.run(["gh", "api", f"repos/{self.name}/{path}", *options], input=given, capture_output=True)
        if done.returncode:
            raise RefusedError(f"GitHub did not answer {path}: {' '.join(done.stderr.decode(errors='replace').split())}")
        return done.stdout

    def artifact(self, run: int, name: str, path: Path) -> Path:
        """Download the newest artifact of that name of a run and return where it is. Raises: RefusedError."""
        listed = self.get(f"actions/runs/{run}/artifacts", name=name, per_page="100")["artifacts"]
        usable = [one for one in listed if one["name"] == name and not one["expired"]]
        if not usable:
            raise RefusedError(f"run {run} has no artifact {name!r} any more; run the build again")
        newest = max(usable, key=lambda one: int(one["id"]))
        if newest["size_in_bytes"] > MOST_BYTES:
            raise RefusedError(f"the artifact is too large; at most {MOST_BYTES} bytes: {newest['size_in_bytes']}")
        path.write_bytes(self._gh(f"actions/artifacts/{int(newest['id'])}/zip"))
        return path

    def comment(self, pull: int, text: str, mark: str, *, anew: bool) -> None:
        """Make ``text`` the one comment of ours on a pull request; where there is none, write one only if ``anew``."""
        for one in self.all(f"issues/{pull}/comments"):
            # Anybody can copy the mark into a comment of their own.
            if one["user"]["login"] == BOT and one["body"].startswith(mark):
                return self.send("PATCH", f"issues/comments/{int(one['id'])}", body=text)
        if anew:
            self.send("POST", f"issues/{pull}/comments", body=text)
        return None


def verdicts(event: Any, repository: Repository) -> list[Verdict]:
    """Return what to do about the pull request of a finished build, of a label, or that was closed.

    A branch of this repository was pushed by somebody who may write here, and goes live. A fork's goes live with a
    maintainer's label only. The event carries the head commit at the moment of the label, so a label speaks for that
    commit and no other; times of commits would not do, because whoever makes a commit chooses its time.

    Raises: RefusedError, when a label does not suffice.
    """
    if "workflow_run" in event:
        return list(_after_build(event["workflow_run"], repository))
    pull = event["pull_request"]
    if event["action"] == "closed":
        return [Verdict("clean", int(pull["number"]), pull["head"]["sha"], 0)]
    if event["action"] == "labeled" and event["label"]["name"] == LABEL:
        return [_after_label(pull, event["sender"]["login"], repository)]
    return []


def forget_label(pull: int, repository: Repository) -> None:
    """Take the label off, so that it has to be given anew."""
    if any(label["name"] == LABEL for label in repository.all(f"issues/{pull}/labels")):
        repository.send("DELETE", f"issues/{pull}/labels/{LABEL}")


def _after_build(run: Any, repository: Repository) -> Iterator[Verdict]:
    if run["event"] != "pull_request" or run["conclusion"] != "success" or not run["head_repository"]:
        return
    source = run["head_repository"]
    # The event's own list of pull requests is empty for forks; a head can have several, one after the other.
    found = repository.get("pulls", head=f"{source['owner']['login']}:{run['head_branch']}", base=BASE, state="all", per_page="100")
    for pull in found:
        if pull["head"]["sha"] != run["head_sha"]:
            continue  # pushed to since; that commit has a build of its own
        if pull["state"] != "open":
            yield Verdict("clean", int(pull["number"]), run["head_sha"], 0)
        elif (pull["head"]["repo"] or {}).get("full_name") == source["full_name"]:
            ours = source["full_name"] == repository.name
            yield Verdict("live" if ours else "wait", int(pull["number"]), run["head_sha"], int(run["id"]))


def _after_label(labelled: Any, sender: str, repository: Repository) -> Verdict:
    number, head = int(labelled["number"]), labelled["head"]
    if repository.get(f"collaborators/{sender}/permission")["permission"] not in ("admin", "write"):
        raise RefusedError(f"the label on pull request {number} does not count; whoever gives it must have write access")
    now = repository.get(f"pulls/{number}")
    if now["state"] != "open":
        return Verdict("clean", number, head["sha"], 0)
    if now["base"]["ref"] != BASE or now["head"]["sha"] != head["sha"]:
        raise RefusedError(f"the label on pull request {number} does not count; it must be for {BASE} and not pushed to since")
    runs = repository.get(f"actions/workflows/{BUILD}/runs", head_sha=head["sha"], event="pull_request", status="success", per_page="100")
    own = [
        int(run["id"])
        for run in runs["workflow_runs"]
        if run["head_sha"] == head["sha"]
        and run["head_branch"] == head["ref"]
        and (run["head_repository"] or {}).get("full_name") == (head["repo"] or {}).get("full_name")
    ]
    if not own:
        raise RefusedError(f"commit {head['sha']} is not built yet; give the label again when it is")
    return Verdict("live", number, head["sha"], max(own))
