"""The branch that is served, changed by one commit on top of whatever it holds by then."""

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from artifact import RefusedError

ATTEMPTS = 5
SETTINGS = {
    "user.name": "github-actions[bot]",
    "user.email": "41898282+github-actions[bot]@users.noreply.github.com",
    "core.autocrlf": "false",
    "core.hooksPath": "/dev/null",
    "core.excludesFile": "/dev/null",
    "gc.auto": "0",
}
# The token is handed over by gh when git asks for it; it is never written to a file or a command line.
ASK_GH = {"credential.helper": "!gh auth git-credential"}


def change(remote: str, branch: str, message: str, edit: Callable[[Path], None]) -> None:
    """Fetch the newest ``branch`` of ``remote``, let ``edit`` change its tree, and push the result.

    Whoever pushed in between wins, and the edit is made again on top of theirs, so that two pull requests never undo
    each other's previews.

    Raises: RefusedError, when it does not get through.
    """
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            _git(tree, "init", "--quiet", f"--initial-branch={branch}")
            if _git(tree, "ls-remote", "--heads", remote, f"refs/heads/{branch}"):
                _git(tree, "fetch", "--quiet", "--depth=1", remote, f"refs/heads/{branch}")
                _git(tree, "reset", "--quiet", "--hard", "FETCH_HEAD")
            edit(tree)
            _git(tree, "add", "--all", "--force")
            if not _git(tree, "status", "--porcelain"):
                return
            _git(tree, "commit", "--quiet", f"--message={message}")
            try:
                _git(tree, "push", "--quiet", remote, f"HEAD:refs/heads/{branch}")
            except RefusedError as error:
                refusal = error
            else:
                return
    raise refusal


def _git(folder: Path, *arguments: str) -> str:
    settings = SETTINGS | (ASK_GH if "GH_TOKEN" in os.environ else {})
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    done = subprocess.run(["git", *options, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RefusedError(f"git {arguments[0]} failed: {' '.join(done.stderr.split())}")
    return done.stdout
