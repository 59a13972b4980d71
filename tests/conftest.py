"""What every room of the tests can use."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.chromium import FLAGS, chromium_path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium, one a worker: a second one of Playwright's loops in the same process is refused."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield launched
        launched.close()
