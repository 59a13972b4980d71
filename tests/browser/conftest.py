"""A real Chromium and a server on a free port of the loopback address, for what a reader sees."""

import functools
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.reader import Reader
from tests.support import build, copy_project

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
).split()


class _Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def chromium_path() -> str | None:
    """Return the browser that $CHROMIUM names, else the system's; None for Playwright's own."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of the loopback address and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """A function that serves a folder and returns its address; all servers stop with the session."""
    with ExitStack() as servers:
        yield lambda folder: servers.enter_context(serving(folder))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return build(copy_project(tmp_path_factory.mktemp("site") / "project"))


@pytest.fixture(scope="session")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    """Where the built site is served."""
    return serve(site)


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    """A reader at a desk."""
    with Reader.at(browser, address) as one:
        yield one


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Reader]:
    """A reader with a phone."""
    with Reader.at(browser, address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as one:
        yield one
