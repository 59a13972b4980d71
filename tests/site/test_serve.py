"""`mkdocs serve` shows an edit to whatever the site is made of, says what is wrong with it, and goes on when it is mended."""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support import copy_project

pytestmark = pytest.mark.xdist_group("serve")

PATIENCE = 60.0  # seconds until a test gives up, on a machine that does much else
# An edit shows within two seconds: mkdocs looks for edits each half second and waits a tenth for more; this is what is left to build.
BUILD = 1.4


class Served:
    """A preview on a free port of the loopback address, with what it says in the terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = ""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/commcost/"
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"],
            cwd=folder, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.pipe = self.process.stdout.fileno()
        self.ready = selectors.DefaultSelector()
        self.ready.register(self.pipe, selectors.EVENT_READ)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, looking again whenever the preview says something."""
        self.said, end = "", time.monotonic() + PATIENCE
        while not holds():
            assert self.ready.select(end - time.monotonic()), f"silent after: {self.said}"
            part = os.read(self.pipe, 2**16)
            assert part, f"ended after: {self.said}"
            self.said += part.decode()

    def page(self, path: str) -> str:
        """Return what is served at ``path``; the preview answers when no build is under way."""
        with urlopen(self.address + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def seconds(self) -> float:
        """Return the processor time that the preview has used; unlike the time of day it says little of what else the machine does."""
        used = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End the preview as a reader of the terminal does, so that it removes the folder that it served."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=PATIENCE)
        finally:
            self.process.kill()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A preview of a copy, stopped at the end."""
    one = Served(copy_project(tmp_path_factory.mktemp("serve") / "project"))
    try:
        one.until(lambda: "Serving on" in one.said)
        yield one
    finally:
        one.stop()


@contextmanager
def edited(served: Served, name: str, old: str, new: str) -> Iterator[None]:
    """Put one text for another in a file of the preview, and take it back at the end."""
    file = served.folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{name} holds no {old!r}"
    file.write_text(text.replace(old, new), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "path", "shown"),
    [
        ("docs/terminology.md", "# Terminology\n", "# Terminology\n\nA kingfisher.\n", "terminology/", "A kingfisher."),
        ("commcost/catalog.toml", 'label = "GPUs"', 'label = "kingfishers"', "javascripts/model.js", '"kingfishers"'),
        ("commcost/collectives.py", "return 2 * gradient_bytes", "return 77777 * gradient_bytes", "javascripts/model.js", "77777"),
        ("hooks/figures/lanes.py", '"computing"', '"kingfishers"', "", ">kingfishers<"),
        ("hooks/templates/run.md", "{{ params }}", "A kingfisher, {{ params }}", "", "A kingfisher, "),
        ("hooks/templates/theme/main.html", "Default run", "The run of the kingfisher", "", "The run of the kingfisher"),
        ("hooks/templates/table.html", 'class="values', 'class="kingfisher values', "", 'class="kingfisher values'),
        ("docs/javascripts/run.js", "restore();", "restore('kingfisher');", "javascripts/run.js", '("kingfisher")'),
        ("docs/stylesheets/site.css", ":root", ".kingfisher, :root", "stylesheets/index.css", ".kingfisher"),
        ("mkdocs.yml", "- Terminology:", "- Kingfishers:", "", "Kingfishers"),
    ],
)
def test_an_edit_is_shown_and_so_is_taking_it_back(served: Served, name: str, old: str, new: str, path: str, shown: str) -> None:
    before = served.seconds()
    with edited(served, name, old, new):
        served.until(lambda: shown in served.page(path))
        assert served.seconds() - before < BUILD
    served.until(lambda: shown not in served.page(path))


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("docs/terminology.md", "# Terminology\n", "# Terminology\n\n{{ gpuss }}\n", "unknown quantity 'gpuss'; did you mean 'gpus'?"),
        ("commcost/catalog.toml", "default = 64", "default = 0", "gpus"),
        ("commcost/collectives.py", "return 2 * gradient_bytes", "return 2 ** gradient_bytes", "is outside the formulas' subset"),
        ("commcost/collectives.py", "return 2 * gradient_bytes", "return (2 * gradient_bytes", "SyntaxError: '(' was never closed"),
        ("hooks/figures/lanes.py", '"computing"', "nope", "NameError: name 'nope' is not defined"),
        ("hooks/templates/run.md", "{{ params }}", "{{ paramz }}", "hooks/templates/run.md:1: unknown quantity 'paramz'"),
        ("docs/javascripts/run.js", "restore();", "restore();\nexport default shown;", "cannot be joined to the other modules"),
        ("mkdocs.yml", "model: commcost", "model: kingfisher", "mkdocs.yml: extra.model: No module named 'kingfisher'"),
        ("mkdocs.yml", "site_name: ", "site_name: [", "mkdocs.yml"),
    ],
)
def test_what_is_wrong_is_said_and_mending_it_shows_the_page_again(served: Served, name: str, old: str, new: str, said: str) -> None:
    home = served.page("")
    with edited(served, name, old, new):
        served.until(lambda: said in served.said and "An error happened during the rebuild" in served.said)
    served.until(lambda: served.said.rpartition(said)[2].count("Reloading browsers") > 0)
    assert without_reload(served.page("")) == without_reload(home)


def without_reload(html: str) -> str:
    """Return a page without the script, different each time, with which mkdocs reloads it."""
    return html.rpartition("<script>")[0]
