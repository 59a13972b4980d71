"""Publishing, for GitHub's workflows and for any other: ``python3 .github/publishing COMMAND``. Standard library only.

In reading order: artifact (what a build hands over, not trusted), tree (what is served), comment (what a pull request
is told), branch (git), github (who may do what).
"""

import argparse
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import artifact
import branch
import comment
import github
import tree

ROOT = Path(__file__).resolve().parents[2]
BRANCH = "gh-pages"


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status; what is refused is one line on standard error."""
    chosen = _parser().parse_args(arguments)
    try:
        chosen.run(chosen)
    except artifact.RefusedError as refusal:
        print(f"publishing: refused: {refusal}", file=sys.stderr)
        return 1
    return 0


def site_address() -> str:
    """Return where the site stands, as mkdocs.yml says."""
    found = re.search(r"^site_url: *(\S+)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise artifact.RefusedError("mkdocs.yml names no site_url")
    return found[1]


def act(name: str, event: Any, repository: github.Repository, remote: str) -> None:
    """Do what an event of GitHub asks for: publish the site, or put up, announce or take away a preview."""
    if name in ("push", "workflow_dispatch"):
        with tempfile.TemporaryDirectory() as folder:
            site = artifact.read_site(repository.artifact(int(os.environ["GITHUB_RUN_ID"]), "site", Path(folder, "site.zip")))
        branch.change(remote, BRANCH, f"Publish {os.environ['GITHUB_SHA']}", lambda at: tree.publish(site, at))
        return
    decided = github.verdicts(event, repository)
    for verdict in decided:
        print(f"publishing: pull request {verdict.pull}, commit {verdict.commit}: {verdict.do}")
        _settle(verdict, repository, remote)
    if not decided:
        print("publishing: nothing to do")


def _settle(verdict: github.Verdict, repository: github.Repository, remote: str) -> None:
    pull, commit = verdict.pull, verdict.commit
    if verdict.do == "clean":
        branch.change(remote, BRANCH, f"Take away the preview of #{pull}", lambda at: tree.clean(at, pull=pull))
        repository.comment(pull, comment.gone(), comment.MARK, anew=False)
        return
    if verdict.do == "wait":
        github.forget_label(pull, repository)
    with tempfile.TemporaryDirectory() as folder:
        site, changes = artifact.read_preview(repository.artifact(verdict.run, "preview", Path(folder, "preview.zip")))
    if verdict.do == "live":
        edit = lambda at: tree.preview(site, at, pull=pull, commit=commit)  # noqa: E731
        branch.change(remote, BRANCH, f"Preview #{pull} at {commit}", edit)
        text = comment.live(changes, commit=commit, link=tree.address(site_address(), pull))
    else:
        text = comment.waiting(changes, commit=commit, label=github.LABEL)
    repository.comment(pull, text, comment.MARK, anew=True)


def _check(chosen: argparse.Namespace) -> None:
    site, _ = artifact.read_preview(chosen.artifact)
    print(f"{len(site)} files, {sum(map(len, site.values()))} bytes")


def _publish(chosen: argparse.Namespace) -> None:
    tree.publish(artifact.read_site(chosen.site), chosen.tree)


def _preview(chosen: argparse.Namespace) -> None:
    tree.preview(artifact.read_preview(chosen.artifact)[0], chosen.tree, pull=chosen.pull, commit=chosen.commit)


def _clean(chosen: argparse.Namespace) -> None:
    tree.clean(chosen.tree, pull=chosen.pull)


def _comment(chosen: argparse.Namespace) -> None:
    link = tree.address(site_address(), chosen.pull)
    print(comment.live(artifact.read_preview(chosen.artifact)[1], commit=chosen.commit, link=link), end="")


def _address(chosen: argparse.Namespace) -> None:
    print(tree.address(site_address(), chosen.pull))


def _github(chosen: argparse.Namespace) -> None:
    name = os.environ["GITHUB_REPOSITORY"]
    remote = f"{os.environ['GITHUB_SERVER_URL']}/{name}"
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes())
    act(os.environ["GITHUB_EVENT_NAME"], event, github.Repository(name), remote)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="publishing", description="Puts built sites where they are served.")
    commands = parser.add_subparsers(required=True)

    def command(name: str, run: Any, text: str, *positional: str, pull: bool | None = None, commit: bool = False) -> None:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        for one in positional:
            made.add_argument(one, type=Path)
        if pull is not None:
            made.add_argument("--pull", type=_number, required=pull, metavar="NUMBER")
        if commit:
            made.add_argument("--commit", type=_commit, required=True)

    command("check", _check, "say whether a preview's artifact (a zip file or a folder) is fit", "artifact")
    command("publish", _publish, "put a built site at the root of a tree; previews stay", "site", "tree")
    command("preview", _preview, "put a preview at its place in a tree", "artifact", "tree", pull=True, commit=True)
    command("clean", _clean, "take a preview away", "tree", pull=True)
    command("comment", _comment, "print the comment for a preview", "artifact", pull=True, commit=True)
    command("address", _address, "print where the site stands, or a preview", pull=False)
    command("github", _github, "do what the event of a GitHub workflow asks for")
    return parser


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"must be the number of a pull request: {text!r}")
    return int(text)


def _commit(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{40}", text):
        raise argparse.ArgumentTypeError(f"must be a full commit id, 40 hexadecimal digits: {text!r}")
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
