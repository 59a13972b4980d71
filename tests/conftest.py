"""What every room of the tests can use."""

import compileall
import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.chromium import FLAGS, chromium_path
from tests.support import ROOT, SITES, build, copy_project


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Return one worker more than there are processors: the tests in a browser wait for a fifth of their time."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # which xdist reads itself
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the project once for the hundreds of builds to come, a tenth of each; by what a source holds, so that none can be stale."""
    if not hasattr(config, "workerinput"):
        for package in ("commcost", "hooks"):
            compileall.compile_dir(ROOT / package, quiet=2, force=True, invalidation_mode=PycInvalidationMode.CHECKED_HASH)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium, one a worker: a second one of Playwright's loops in the same process is refused."""
    with sync_playwright() as playwright:
        # All pages of a profile share a process, so that it need not start again for each test.
        launched = playwright.chromium.launch(executable_path=chromium_path(), args=[*FLAGS, "--process-per-site"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that returns one of the sites, which it builds once."""

    @functools.cache
    def built(name: str) -> Path:
        run_file = {"RUN_FILE": str(SITES[name])} if SITES[name] else {}
        return build(copy_project(tmp_path_factory.mktemp(name) / "project"), **run_file)

    return built
