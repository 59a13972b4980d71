"""The built site, served, and readers of it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.reader import Reader
from tests.chromium import serving
from tests.support import build, copy_project


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
