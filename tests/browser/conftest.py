"""The built site, served, and readers of it."""

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.reader import Reader
from tests.chromium import serving


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """A function that serves a folder and returns its address; all servers stop with the session."""
    with ExitStack() as servers:
        yield functools.cache(lambda folder: servers.enter_context(serving(folder)))


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest, built_site: Callable[[str], Path]) -> Path:
    """The built site; a test that holds for other sites too names them (parametrize, indirect)."""
    return built_site(getattr(request, "param", "default"))


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
