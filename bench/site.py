"""Serves pages over loopback, as a site would: those of a data set, and those that are made when they are asked for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote


class _Quiet(SimpleHTTPRequestHandler):
    """Answers without a log, and always names a charset for pages."""

    extensions_map: ClassVar[dict[str, str]] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def served(folder: Path) -> AbstractContextManager[str]:
    """Serve a folder; gives the address of its root."""
    return answering(partial(_Quiet, directory=str(folder)))


def made(page: Callable[[str, str], tuple[int, str]]) -> AbstractContextManager[str]:
    """Serve pages that are made when they are asked for, each from its path and what a form has sent."""

    class Made(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer("")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answer(self, sent: str) -> None:
            status, text = page(self.path, sent)
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return answering(Made)


@contextmanager
def answering(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """A site whose requests are answered by threads; gives the address of its root."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def address(root: str, folder: Path, path: Path) -> str:
    """The URL of a file of the folder."""
    return root + quote(str(path.relative_to(folder)))
