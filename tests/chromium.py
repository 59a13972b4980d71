"""How the tests start a real Chromium, and serve a folder to it on a free port of the loopback address."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any

# Each context is a window of its own, and for each Chromium loads two pages for the pop-ups of an address bar that nobody sees:
# as much work as a page of ours. For each page it starts a spare process that is rarely used.
# The last list of features counts, so what Playwright switches off is said again.
UNUSED = (
    "WebUIOmniboxPopup WebUIOmniboxAimPopup SpareRendererForSitePerProcess "
    "AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable LensOverlay "
    "MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect OptimizationHints "
    "NetworkTimeServiceQuerying AimEnabled PreconnectToSearch"
).split()
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync "
    "--animation-duration-scale=0 "  # of the browser's own window, which nobody sees either
    f"--disable-features={','.join(UNUSED)}"
).split()
NONE: Mapping[str, str] = MappingProxyType({})


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    protocol_version = "HTTP/1.1"
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".mjs": "text/javascript"}  # noqa: RUF012

    def __init__(self, *arguments: Any, headers: Mapping[str, str] = NONE, **options: Any) -> None:
        self.added = headers  # before the request is answered, which is within the initialisation
        super().__init__(*arguments, **options)

    def end_headers(self) -> None:
        for name, value in self.added.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


class QuietServer(ThreadingHTTPServer):
    """A server that does not mind a browser that leaves while it is answered."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def chromium_path() -> str | None:
    """Return the browser that $CHROMIUM names, else the system's, if it runs; None for Playwright's own."""
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = (shutil.which(name) for name in names if name)
    return next((path for path in found if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0), None)


@contextmanager
def serving(folder: Path, headers: Mapping[str, str] = NONE) -> Iterator[str]:
    """Serve a folder on a free port of the loopback address, each answer with the ``headers``, and give its address."""
    server = QuietServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder), headers=headers))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
