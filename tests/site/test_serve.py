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
from html import escape
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from jinja2 import DictLoader, Environment

from hooks.preview import Compiled
from tests.support import copy_project

pytestmark = pytest.mark.xdist_group("serve")

PATIENCE = 60.0  # seconds until a test gives up, on a machine that does much else


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
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a shell's background job would pass on as ignored
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
        try:
            with urlopen(self.address + path, timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except HTTPError as answer:
            return answer.read().decode()

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
    one = Served(copy_project(tmp_path_factory.mktemp("serve") / "project", light=True))
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
    file.write_text(text.replace(old, new), encoding="utf-8", errors="surrogateescape")
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
        ("docs/javascripts/run.js", "restore();", "restore('kingfisher');", "javascripts/run.js", '("kingfisher")'),
        ("docs/stylesheets/site.css", ":root", ".kingfisher, :root", "stylesheets/index.css", ".kingfisher"),
        ("mkdocs.yml", "- Terminology:", "- Kingfishers:", "", "Kingfishers"),
    ],
)
def test_an_edit_is_shown_and_so_is_taking_it_back(served: Served, name: str, old: str, new: str, path: str, shown: str) -> None:
    with edited(served, name, old, new):
        served.until(lambda: shown in served.page(path))
    served.until(lambda: shown not in served.page(path))


def test_a_kept_template_counts_for_its_own_text_only() -> None:
    kept, texts = Compiled(), {"page.html": "A {{ bird }}."}

    def compiled() -> list[str]:
        """Render as a build does, with an environment of its own, and return what had to be compiled."""
        environment, compiled = Environment(loader=DictLoader(texts), autoescape=True, bytecode_cache=kept), []
        compile_one = environment.compile
        environment.compile = lambda *given, **more: compiled.append(given[0]) or compile_one(*given, **more)  # type: ignore
        assert environment.get_template("page.html").render(bird="kingfisher") == texts["page.html"].replace("{{ bird }}", "kingfisher")
        return compiled

    assert compiled() == ["A {{ bird }}."]
    assert compiled() == []
    texts["page.html"] = "No {{ bird }}."
    assert compiled() == ["No {{ bird }}."]


ELSEWHERE = "reference/hardware/"


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("{{ gpuss }}", "unknown quantity 'gpuss'; did you mean 'gpus'?"),
        ("[A dead link](nowhere.md).", "a link to 'nowhere.md', but there is no docs/nowhere.md"),
        ("\udcff", "docs/terminology.md: not UTF-8 text"),
        (
            "<div>\n\n{% claim fits_under_step %}\nYes.\n{% otherwise %}\nNo.\n{% endclaim %}\n\n</div>",
            "takes a number or a claim for code",
        ),
    ],
)
def test_what_is_wrong_with_a_page_is_shown_in_its_place_and_the_others_go_on(served: Served, new: str, said: str) -> None:
    page, elsewhere = served.page("terminology/"), served.page(ELSEWHERE)
    with edited(served, "docs/terminology.md", "# Terminology\n", f"# Terminology\n\n{new}\n"):
        served.until(lambda: escape(said) in served.page("terminology/"))
        assert without_reload(served.page(ELSEWHERE)) == without_reload(elsewhere)
    served.until(lambda: escape(said) not in served.page("terminology/"))
    assert without_reload(served.page("terminology/")) == without_reload(page)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("commcost/catalog.toml", "default = 64", "default = 0", "catalog.toml: inputs.gpus.default: must be a whole number"),
        ("commcost/collectives.py", "return 2 * gradient_bytes", "return 2 ** gradient_bytes", "is outside the formulas' subset"),
        ("commcost/collectives.py", "return 2 * gradient_bytes", "return (2 * gradient_bytes", "SyntaxError: '(' was never closed"),
        ("hooks/templates/run.md", "{{ params }}", "{{ paramz }}", "hooks/templates/run.md:1: unknown quantity 'paramz'"),
        ("hooks/templates/theme/main.html", "{% extends", "{% if %}{% extends", "hooks/templates/theme/main.html:1: TemplateSyntaxError"),
        ("docs/javascripts/run.js", "restore();", "restore();\nexport default shown;", "cannot be joined to the other modules"),
        ("mkdocs.yml", "model: commcost", "model: kingfisher", "mkdocs.yml: extra.model: No module named 'kingfisher'"),
        ("mkdocs.yml", "site_name: ", "site_name: [", "error parsing the configuration file"),
    ],
)
def test_what_stops_the_site_is_said_at_every_address_until_it_is_mended(served: Served, name: str, old: str, new: str, said: str) -> None:
    home = served.page("")
    with edited(served, name, old, new):
        served.until(lambda: escape(said) in served.page(""))
        assert "Traceback" not in served.said
        assert escape(said) in served.page(ELSEWHERE)
        assert '<meta http-equiv="refresh" content="1">' in served.page("")
    served.until(lambda: escape(said) not in served.page(""))
    assert without_reload(served.page("")) == without_reload(home)


def without_reload(html: str) -> str:
    """Return a page without the script, different each time, with which mkdocs reloads it."""
    return html.rpartition("<script>")[0]
