"""What went wrong in Python code that somebody wrote for a site, as one line with its file and line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from hooks.live.errors import LiveError

PACKAGES = frozenset(("site-packages", "dist-packages"))  # where other people's code is
ENGINE = Path(__file__).parent


@contextmanager
def telling(root: Path) -> Iterator[None]:
    """Tell what goes wrong within in one line.

    Raises: LiveError
    """
    try:
        yield
    except (Exception, SystemExit) as error:  # code that leaves would end the build as if all were well
        raise told(error, root) from None


def told(error: BaseException, root: Path) -> LiveError:
    """Return ``error`` as one line: as it is where it was raised for a reader, else with its place below ``root``.

    For what they refuse, a model, a figure and a table raise a ValueError of their own kind; any other error is a slip.
    """
    if isinstance(error, LiveError):
        return error
    if isinstance(error, ValueError) and type(error).__module__.split(".")[0] not in sys.stdlib_module_names:
        return LiveError(_line(str(error)))
    own, written = _places(error, root.resolve())
    if isinstance(error, OSError) and error.strerror and not written:  # what a user named cannot be read or written, or the disk is full
        return LiveError(error.strerror, str(error.filename2 or error.filename or ""))
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    return LiveError(_line(f"{type(error).__name__}: {what}").removesuffix(":"), (written or own or [""])[-1])


def _places(error: BaseException, root: Path) -> tuple[list[str], list[str]]:
    """Return the places below ``root`` that ``error`` came through, deepest last: all of them, and those outside the engine."""
    places = list(_frames(error.__traceback__))
    if isinstance(error, SyntaxError) and error.filename:
        places.append((Path(error.filename), error.lineno or 1))
    own = [(file, line) for file, line in places if file.is_relative_to(root) and PACKAGES.isdisjoint(file.parts)]
    written = [(file, line) for file, line in own if not file.is_relative_to(ENGINE) and file.parent != ENGINE.parent]
    own_places, written_places = ([f"{file.relative_to(root)}:{line}" for file, line in part] for part in (own, written))
    return own_places, written_places


def _frames(trace: TracebackType | None) -> Iterator[tuple[Path, int]]:
    while trace is not None:
        yield Path(trace.tb_frame.f_code.co_filename), trace.tb_lineno
        trace = trace.tb_next


def _line(text: str) -> str:
    return " ".join(text.split())
