"""What two hundred edits in a row leave in the memory of a preview, and how long each takes to build.

`.venv/bin/python tests/bench/edits.py [EDITS]`. Every tenth edit is one of the model's code, after which the whole project is loaded anew.
"""

import logging
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support import copy_project

WARM = 20  # edits after which nothing should grow


def megabytes() -> float:
    """Return what the process holds of the memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def edit(project: Path, number: int) -> None:
    """Change a page; at every tenth time the model, with a docstring that the ledger shows."""
    page, module = project / "docs" / "terminology.md", project / "commcost" / "collectives.py"
    page.write_text(page.read_text(encoding="utf-8") + f"\nEdit {'again ' * (number % 7)}.\n", encoding="utf-8")
    if number % 10 == 0:
        module.write_text(module.read_text(encoding="utf-8") + f"\n# Edit {number}\n", encoding="utf-8")


def main(edits: int) -> None:
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory() as folder:
        project = copy_project(Path(folder) / "project")
        os.chdir(project)
        os.environ["NO_MKDOCS_2_WARNING"] = "1"
        took, warm, config = [], 0.0, load_config(site_dir=f"{folder}/site")
        config.plugins.on_startup(command="serve", dirty=False)
        for number in range(edits):
            edit(project, number)
            start = time.perf_counter()
            build(load_config(site_dir=f"{folder}/site"), serve_url="http://127.0.0.1/")
            took.append(time.perf_counter() - start)
            if number == WARM:
                warm = megabytes()
            if number % 20 == 0:
                print(f"{number:4} edits: {megabytes():6.1f} MB, {statistics.median(took[-20:]):.2f} s an edit", flush=True)
        print(f"{edits - WARM} edits after the first {WARM}: {megabytes() - warm:+.1f} MB; median {statistics.median(took):.2f} s an edit")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
