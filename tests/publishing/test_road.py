"""The whole road, as the workflows take it, but to a folder: a base and a change are built for their own addresses, handed
over as zip files, deployed, served below a path, and read in a real Chromium."""

import functools
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from playwright.sync_api import Browser, Response

from hooks.live.changes import changes
from tests.browser.reader import READY, Reader
from tests.publishing.support import COMMIT, done, previewed, refused, tree_of, zipped
from tests.support import build, copy_project

pytestmark = pytest.mark.xdist_group("publishing")

BELOW = "/commcost/"
PULL = 12
ADDED = "A sentence that only this pull request has, for"
RUN = "?gpus=128&link=nvlink"
# What a page leads to and what it can be led to.
LINKS = """
() => ({
  links: [...document.querySelectorAll("a[href], area[href]")].map((one) => one.href),
  ids: [...document.querySelectorAll("[id], a[name]")].map((one) => one.id || one.name),
})
"""


@dataclass
class Place:
    """What is served, where, and its two sites: main's and the preview of one pull request."""

    tree: Path
    main: str
    artifact: Path

    @property
    def preview(self) -> str:
        return f"{self.main}preview/{PULL}/"


class Server(SimpleHTTPRequestHandler):
    """Serves the tree below a path as GitHub Pages does, with the root's 404 page for whatever is not there."""

    protocol_version = "HTTP/1.1"
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(BELOW) if path.startswith(BELOW) else "/nothing stands here")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        content = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("road")
    tree = folder / "tree"
    tree.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(tree)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = Place(tree, f"http://127.0.0.1:{server.server_port}{BELOW}", folder / "preview.zip")

    project = copy_project(folder / "project")
    site = build(project, SITE_URL=place.main)
    before = site.rename(folder / "before")
    done("publish", shutil.make_archive(str(folder / "site"), "zip", before), tree)

    page = project / "docs" / "terminology.md"
    page.write_text(f"{page.read_text()}\n{ADDED} {{{{ gpus }}}}.\n")
    handed = folder / "handed over"
    changed = build(project, SITE_URL=place.preview, PREVIEW=f"pull request {PULL}, commit {COMMIT[:12]}")
    shutil.copytree(changed, handed / "site")
    (handed / "changes.md").write_text(changes(before, changed))
    shutil.make_archive(str(place.artifact.with_suffix("")), "zip", handed)
    deploy(place)
    yield place
    server.shutdown()
    server.server_close()


def deploy(place: Place) -> None:
    done("preview", place.artifact, place.tree, "--pull", PULL, "--commit", COMMIT)


def site_of(place: Place, which: str) -> tuple[str, Path]:
    """Return where a site stands and its folder."""
    return (place.main, place.tree) if which == "main" else (place.preview, place.tree / "preview" / str(PULL))


def addresses(root: str, folder: Path) -> set[str]:
    """Return the addresses of a site's pages, but for its 404 page."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("index.html"))
    return {root + name.removesuffix("index.html") for name in found if not name.startswith("preview/")}


@pytest.mark.parametrize("which", ["main", "preview"])
def test_every_page_is_reached_no_link_is_broken_and_no_request_goes_outside(which: str, place: Place, browser: Browser) -> None:
    root, folder = site_of(place, which)
    page = browser.new_page()
    answered: dict[str, int] = {}
    page.on("response", lambda response: answered.setdefault(response.url, response.status))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ids: dict[str, set[str]] = {}
    links: dict[str, set[str]] = {}
    todo = [root]
    while todo:
        here = todo.pop()
        if here in ids:
            continue
        page.goto(here)
        page.wait_for_function(READY)
        read = page.evaluate(LINKS)
        ids[here], links[here] = set(read["ids"]), set(read["links"])
        todo += [urldefrag(link)[0] for link in read["links"] if link.startswith(root)]
    page.close()

    assert set(ids) == addresses(root, folder)
    # Where the browser was still fetching when it left the page, it may ask whether what it has is the whole: 304.
    assert {url: status for url, status in answered.items() if status not in (200, 304)} == {}
    assert [url for url in asked if not url.startswith((root, "data:", "blob:"))] == []
    ours = {link for found in links.values() for link in found if link.startswith(place.main)}
    assert [link for link in ours if not link.startswith(root)] == []
    broken = [link for link in ours if (parts := urldefrag(link)).fragment and parts.fragment not in ids[parts.url]]
    assert broken == []


@pytest.mark.parametrize("which", ["main", "preview"])
def test_canonical_links_and_the_sitemap_name_the_site_s_own_address(which: str, place: Place) -> None:
    root, folder = site_of(place, which)
    for address in addresses(root, folder):
        html = (folder / address.removeprefix(root) / "index.html").read_text()
        assert re.findall(r'<link rel="canonical" href="(.*?)">', html) == [address]
    assert set(re.findall("<loc>(.*?)</loc>", (folder / "sitemap.xml").read_text())) == addresses(root, folder)


def test_each_page_of_a_preview_says_what_it_previews_and_is_not_indexed(place: Place, browser: Browser) -> None:
    folder = place.tree / "preview" / str(PULL)
    for path in [*folder.rglob("*.html")]:
        assert path.read_text().count('<meta name="robots" content="noindex">') == 1
    for path in [*place.tree.glob("*.html"), *place.tree.glob("reference/**/*.html")]:
        assert not re.search('name="robots"|md-banner', path.read_text())
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(place.preview + "terminology/")
    assert page.locator(".md-banner").inner_text().strip() == f"Preview of pull request 12, commit {COMMIT[:12]}."
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.get_by_text(ADDED).is_visible()
    page.goto(place.main + "terminology/")
    assert page.get_by_text(ADDED).count() == 0
    page.close()


@pytest.mark.parametrize("missing", ["no/such/page/", f"preview/{PULL}/no/such/page/", "preview/999/"])
def test_what_is_not_there_gets_a_page_that_works(missing: str, place: Place, browser: Browser) -> None:
    assert_404_works(place.main + missing, 404, place.main, browser)


def test_a_preview_has_a_404_page_of_its_own(place: Place, browser: Browser) -> None:
    assert_404_works(place.preview + "404.html", 200, place.preview, browser)


def assert_404_works(address: str, status: int, root: str, browser: Browser) -> None:
    page = browser.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # a method of a list has no room for playwright's mark
    response = page.goto(address, wait_until="networkidle")
    assert response is not None
    assert response.status == status
    assert page.locator("h1").inner_text() == "Not found"
    rest = [answer for answer in answers if answer.url != address]
    assert len(rest) > 5
    assert [answer.url for answer in rest if answer.status != 200 or not answer.url.startswith(root)] == []
    page.locator("nav.md-nav--primary a[href]").get_by_text("Terminology").first.click()
    page.wait_for_url(urljoin(root, "terminology/"))
    page.close()


@pytest.mark.parametrize("which", ["main", "preview"])
def test_the_run_in_the_address_walks_along(which: str, place: Place, browser: Browser) -> None:
    root, _ = site_of(place, which)
    with Reader.at(browser, root) as reader:
        reader.goes_to(RUN)
        menu, following = "nav.md-nav--primary a[href*='{}']", "a.md-footer__link--next"
        for link, path in (
            (menu.format("terminology/"), "terminology/"),
            (following, "cost-of-communication/"),
            (following, "ring-walkthrough/"),
        ):
            reader.page.locator(link).first.click()
            reader.page.wait_for_url(root + path + RUN)
            reader.waits_for_the_run()
            assert reader.changed() == {"gpus": "128", "link": "nvlink"}
            assert reader.notices() == []


def test_the_comment_says_what_the_preview_changes(place: Place) -> None:
    said = done("comment", place.artifact, "--pull", PULL, "--commit", COMMIT)
    assert re.search(r"````markdown\n### `terminology/`\n\n.*`64 GPUs`.*\n````\n$", said), said


def test_main_again_leaves_previews_and_cleaning_takes_one_only(place: Place, tmp_path: Path) -> None:
    before = bytes_of(place.tree)
    done("publish", place.tree.parent / "site.zip", place.tree)
    assert bytes_of(place.tree) == before
    done("preview", zipped(previewed(1), tmp_path / "1.zip"), place.tree, "--pull", 1, "--commit", COMMIT)
    done("clean", place.tree, "--pull", 1)
    assert bytes_of(place.tree) == before
    done("clean", place.tree, "--pull", PULL)
    assert bytes_of(place.tree) == {name: content for name, content in before.items() if not name.startswith("preview/")}
    deploy(place)
    assert bytes_of(place.tree) == before


def bytes_of(tree: Path) -> dict[str, bytes]:
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def test_a_hostile_artifact_reaches_neither_the_site_nor_what_is_beside_it(place: Place, tmp_path: Path) -> None:
    before = bytes_of(place.tree.parent)
    for name in ("site/../../../index.html", "site/../404.html", "/index.html", "site/CNAME", "site/.git/config.json"):
        refused("preview", zipped(previewed(**{name: "hostile"}), tmp_path / "a.zip"), place.tree, "--pull", PULL, "--commit", COMMIT)
    assert bytes_of(place.tree.parent) == before
    assert tree_of(tmp_path / "nothing") == {}
