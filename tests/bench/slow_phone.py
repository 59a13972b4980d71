"""What a page costs on a slow phone: ``python tests/bench/slow_phone.py`` prints it beside a plain Material page with the same text.

The plain site is the rendered tree without what this project adds: no numbers' attributes, no charts, no scripts and style sheets of
its own; words, tables and ledgers stay. Both are served with gzip, and each page is opened with an empty cache.
Bytes are counted as they leave the server. Times are medians of five, the two sites in turn, on slow 4G with the CPU four times slower.
"""

import functools
import gzip
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import BinaryIO

import yaml
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hooks.live.links import address as address_of
from tests.chromium import FLAGS, Quiet, chromium_path
from tests.support import build, copy_project, mkdocs, pages

ROUNDS = 5
TIMED = ("cost-of-communication.md", "reference/formulas.md")
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
OURS = ("hooks", "extra", "extra_css", "extra_javascript")
ADDED = re.compile(r'<script[^>]*class="live-data".*?</script>|<div class="figure-chart".*?</div>', re.DOTALL)
NUMBER = re.compile(r"<data [^>]*>(.*?)</data>", re.DOTALL)
WATCH = """
window.blocked = 0;
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) blocked += duration - 50; })
  .observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => { window.largest = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
"""
# Once the page has nothing more to do: a task is told of only when it has ended.
AT_REST = """
new Promise((done) => setTimeout(() => requestIdleCallback(() => setTimeout(() => done([largest, blocked]), 200)), 500))
"""


class Compressing(Quiet):
    """Serves text compressed, as a host does, and counts what it sends."""

    def __init__(self, sent: list[int], *arguments: object, **more: object) -> None:
        self.sent = sent
        super().__init__(*arguments, **more)  # type: ignore[arg-type]

    def send_head(self) -> BytesIO | BinaryIO | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            return super().send_head()
        body = path.read_bytes()
        kind = self.guess_type(str(path))
        packed = gzip.compress(body, 6, mtime=0) if re.match(r"text/|application/(json|xml)|image/svg", kind) else body
        self.sent.append(len(packed))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if packed is not body:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        return BytesIO(packed)


@contextmanager
def compressing(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Serve a folder compressed; give its address and the list to which the size of every answer is added."""
    sent: list[int] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Compressing, sent, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", sent
    finally:
        server.shutdown()
        server.server_close()


def plain(project: Path, tree: Path) -> Path:
    """Build the plain site beside the project's and return its folder."""
    subprocess.run([sys.executable, "-m", "hooks", "render", str(tree)], cwd=project, check=True, capture_output=True)
    settings = yaml.safe_load((tree / "mkdocs.yml").read_text(encoding="utf-8"))
    settings = {name: value for name, value in settings.items() if name not in OURS}
    settings["theme"].pop("custom_dir")
    (tree / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    for path in (tree / "docs").rglob("*.md"):
        path.write_text(NUMBER.sub(r"\1", ADDED.sub("", path.read_text(encoding="utf-8"))), encoding="utf-8")
    for added in ("javascripts", "stylesheets"):
        shutil.rmtree(tree / "docs" / added)
    done = mkdocs(tree, "build")
    assert done.returncode == 0, done.stderr
    return tree / "site"


def bytes_of(browser: Browser, url: str, sent: list[int]) -> tuple[int, int]:
    """Return what a first visit loads before the reader scrolls, and in all once every figure has come by."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    sent.clear()
    page.goto(url, wait_until="networkidle")
    first = sum(sent)
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    context.close()
    return first, sum(sent)


def times_of(browser: Browser, url: str) -> tuple[float, float]:
    """Return the milliseconds to the largest paint, and those by which tasks were longer than fifty."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True, has_touch=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.add_init_script(WATCH)
    page.goto(url, wait_until="networkidle", timeout=120_000)
    largest, blocked = page.evaluate(AT_REST)
    context.close()
    return largest, blocked


def main() -> None:
    """Print the bytes of every page, then the times of the longest two."""
    with tempfile.TemporaryDirectory() as room, sync_playwright() as playwright:
        project = copy_project(Path(room) / "project")
        ours, bare = build(project), plain(project, Path(room) / "plain")
        index = ours / "search" / "search_index.json"
        print(f"search index: {index.stat().st_size / 1000:.1f} kB, {len(gzip.compress(index.read_bytes())) / 1000:.1f} kB gzipped")
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        with compressing(ours) as (our_address, our_sent), compressing(bare) as (bare_address, bare_sent):
            for path in pages():
                at = address_of(path)
                here, there = bytes_of(browser, our_address + at, our_sent), bytes_of(browser, bare_address + at, bare_sent)
                print(
                    f"{at or 'home':28} kB gzipped: before a figure {here[0] / 1000:6.1f}, plain {there[0] / 1000:6.1f}, "
                    f"more {(here[0] - there[0]) / 1000:5.1f}; in all {(here[1] - there[1]) / 1000:6.1f} more"
                )
            for path in TIMED:
                taken: dict[str, list[tuple[float, float]]] = {our_address: [], bare_address: []}
                for _ in range(ROUNDS):
                    for address, times in taken.items():
                        times.append(times_of(browser, address + address_of(path)))
                (paint, blocked), (plain_paint, plain_blocked) = (
                    [statistics.median(one[part] for one in times) for part in (0, 1)] for times in taken.values()
                )
                print(
                    f"{address_of(path):28} largest paint {paint:.0f} ms, plain {plain_paint:.0f}, ratio {paint / plain_paint:.2f}; "
                    f"blocking {blocked:.0f} ms, plain {plain_blocked:.0f}, more {blocked - plain_blocked:.0f}"
                )
        browser.close()


if __name__ == "__main__":
    main()
