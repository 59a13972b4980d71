"""Whether other site generators build the same site: ``python -m tests.generators.compare [FOLDER]``.

mkdocs builds the site with the hook; each other generator, in an environment of its own at the locked versions, builds the tree that
``python -m hooks render`` writes. Compared are the article, the title, the description, the address and the run's bar of every page, tag by
tag and word by word, and every file that is no page, byte by byte; not the theme's own files, nor what it draws around an article.
Each difference that a generator may make stands below with its reason. The status is 1 for one that does not, for one that is gone,
for a mark of the page language in the output, and where a run in the address shows a reader something else than with mkdocs.
FOLDER, a new one, keeps the trees and the sites.
"""

import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

from playwright.sync_api import Browser, sync_playwright

from tests.browser.reader import Reader
from tests.chromium import FLAGS, chromium_path, serving
from tests.generators.differences import Ours, changes, differences, marks, reason, wrong
from tests.support import ROOT, build, copy_project

PAGE, FIGURE, RUN = "work-it-out/", "figure[data-figure=lanes] .figure-chart", "?gpus=128"


@dataclass(frozen=True)
class Generator:
    """Another generator: the program, what its environment holds, and a pattern and the reason of each difference that it makes."""

    name: str
    locks: tuple[str, ...]
    expected: Mapping[str, str]

    @property
    def pin(self) -> str:
        """The exact version, as its lock names it."""
        lock = (ROOT / self.locks[-1]).read_text(encoding="utf-8")
        return next(line.removesuffix(" \\") for line in lock.splitlines() if line.startswith(f"{self.name}=="))


HEADERS = {r"_headers → nothing": "the hook makes them of the pages that were built"}
GENERATORS = (
    Generator(
        "zensical",
        ("tests/generators/zensical.txt",),
        {
            r'nothing → <a id="__skip" tabindex="-1"> </a>': "its link past the navigation leads here, Material's to the first heading",
            r'<details class="ledger" data-search-exclude> → <details class="ledger">': "its search has left the ledger out by then",
            r'<a href="((\.\./)+[^"]*)"> → <a href="\.\./\1">': "it takes a link in HTML from the source's folder, not the address",
            r'<a href="(/.*)\."> → <a href="\1">': "the same address, from the error page",
            r"(.*) → Home - \1": "the home page's title has its name in the navigation",
            r"search/search_index\.json → nothing|nothing → search\.json": "its search reads another file",
            r"sitemap\.xml → another sitemap\.xml": "the same addresses, without dates",
            r"sitemap\.xml\.gz → nothing": "it compresses no sitemap",
            **HEADERS,
        },
    ),
    Generator("properdocs", ("requirements.txt", "tests/generators/properdocs.txt"), HEADERS),
)


def seen(browser: Browser, site: Path, query: str) -> list[str]:
    """Return what follows the run for a reader of a site: the bar's line, every number of a page, every label of its figure."""
    with serving(site) as address, Reader.at(browser, address) as reader:
        reader.goes_to(PAGE + query)
        reader.page.locator(FIGURE).scroll_into_view_if_needed()
        reader.page.locator(f"{FIGURE} svg.main-svg").first.wait_for()
        labels = reader.page.locator(f"{FIGURE} svg text").all_text_contents()
        return [reader.line(), *(text for _, text in reader.numbers()), *labels]


def built_by(generator: Generator, tree: Path, room: Path) -> Path:
    """Install a generator, build a copy of the tree with it, and return the site's folder."""
    environment, copy = room / f"{generator.name}-environment", room / generator.name
    venv.create(environment)
    locks = [argument for lock in generator.locks for argument in ("-r", lock)]
    python, program = environment / "bin" / "python", environment / "bin" / generator.name
    _run(ROOT, sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--require-hashes", *locks)
    copytree(tree, copy)
    # The copied project has no commit, so that the hook dates its pages at the beginning of time.
    _run(copy, "env", "SOURCE_DATE_EPOCH=0", str(program), "build", "--strict", "-f", "mkdocs.yml")
    return copy / "site"


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def compare(generator: Generator, ours: Path, other: Path, browser: Browser) -> list[str]:
    """Print how the site of another generator compares, file by file, and return what is wrong."""
    by_file = differences(ours, other)
    found = [one for differing in by_file.values() for one in differing]
    print(f"\n{generator.pin}")
    for name, differing in by_file.items():
        expected = all(reason(one, generator.expected) for one in differing)
        print(f"  {name:32} {'same' if not differing else 'differs as expected' if expected else 'DIFFERS'}{_text_of(ours / name)}")
    for why, times in Counter(reason(one, generator.expected) or f"NOT EXPECTED: {one}" for one in found).items():
        print(f"  {times:4} × {why}")
    default, run = seen(browser, ours, ""), seen(browser, ours, RUN)
    moved = (Counter(run) - Counter(default)).total()
    print(f"  {PAGE}{RUN}: {moved} of {len(run)} texts are of that run with mkdocs")
    shown = [change for query, texts in (("", default), (RUN, run)) for change in changes(texts, seen(browser, other, query))]
    return [
        *wrong(found, generator.expected),
        *marks(other),
        *(f"{PAGE}: {change}" for change in shown),
        *([] if moved else [f"{RUN} moves nothing"]),
    ]


def _text_of(path: Path) -> str:
    return f"; text of {len(Ours(path.read_text(encoding='utf-8')).text)} characters" if path.suffix == ".html" else ""


def main(room: Path) -> int:
    """Build and compare everything in a folder; return the exit status."""
    ours = build(copy_project(room / "project"))
    tree = room / "tree"
    _run(room / "project", sys.executable, "-m", "hooks", "render", str(tree))
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for generator in GENERATORS:
            said = compare(generator, ours, built_by(generator, tree, room), browser)
            print("\n".join(f"  {one}" for one in said) or "  Nothing else differs, no mark is published, and that run shows the same.")
            faults += said
        browser.close()
    return 1 if faults else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(temporary)))
