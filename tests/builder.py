"""Runs mkdocs for the tests, each time in a fork of a process that has built a site before.

What every build imports and what libraries work out at their first use is there already: a third of a build. A line of JSON
says what to run; the answer is a line with the exit status.
"""

import gc
import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.__main__ import cli
from mkdocs.commands.build import build
from mkdocs.config import load_config


def main() -> None:
    """Build a site to have built one, then run what is asked for until nothing more can come."""
    with TemporaryDirectory() as site:
        config = load_config("mkdocs.yml", site_dir=f"{site}/site")
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    gc.freeze()  # else the first collection of each fork would copy all that is there
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os._exit(run(**json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def run(folder: str, arguments: Sequence[str], environment: Mapping[str, str], output: str) -> int:
    """Run mkdocs as if it had been started in ``folder``; what it says goes to the files stdout and stderr in ``output``."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder
    for stream, path in enumerate((Path(os.devnull), Path(output, "stdout"), Path(output, "stderr"))):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), stream)
    try:
        cli(arguments, prog_name="mkdocs")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    main()
