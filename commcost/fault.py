"""What breaks in the package's own code, as one line with its file and line.

``python -m commcost`` reads the whole package before its first line can catch anything, so the interpreter itself is told how to say it.
"""

import sys
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

PACKAGE = Path(__file__).parent


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not isinstance(error, Exception):
        sys.__excepthook__(kind, error, trace)
        return
    if isinstance(error, ValueError) and kind.__module__.startswith(f"{PACKAGE.name}."):
        said = str(error)  # it names its own place
    else:
        places = [(Path(frame.filename), frame.lineno) for frame in extract_tb(trace)]
        if isinstance(error, SyntaxError) and error.filename:
            places.append((Path(error.filename), error.lineno))
        own = [f"{PACKAGE.name}/{file.name}:{line}: " for file, line in places if file.parent == PACKAGE]
        said = f"{''.join(own[-1:])}{kind.__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    print(f"{PACKAGE.name}: {' '.join(said.split())}", file=sys.stderr)


if sys.argv[:1] == ["-m"]:  # while `python -m` reads this package; elsewhere errors are the caller's to say
    sys.excepthook = _say
