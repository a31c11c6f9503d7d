"""A small shop to practise on, served on this machine from the installed examples: no internet is needed."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from sightline.server._examples import example_folder

__all__ = ["PracticeSite"]

START = "/cameras"
PAGES = {
    "/": "cameras.html",
    START: "cameras.html",
}


class _Shop(BaseHTTPRequestHandler):
    """Answers with the pages of the example, and with nothing else."""

    server_version = "practice"
    sys_version = ""
    known: ClassVar[dict[str, str]] = PAGES

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).rstrip("/") or "/"
        content = _page(path)
        self.send_response(200 if content is not None else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        body = content or b"<!doctype html><title>Not here</title><h1>This page is a sketch.</h1><a href=/>Cameras</a>"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: ARG002 - nobody reads that log
        return


def _page(path: str) -> bytes | None:
    folder = example_folder()
    if path in PAGES:
        return (folder / PAGES[path]).read_bytes()
    name = path.removeprefix(f"{START}/")
    known = {one.stem: one for one in (folder / "cameras").glob("*.html")}
    return known[name].read_bytes() if path.startswith(f"{START}/") and name in known else None


class PracticeSite:
    """The shop, served from when it is first asked for until it is closed."""

    def __init__(self) -> None:
        self._server: ThreadingHTTPServer | None = None
        self._lock = threading.Lock()

    @property
    def origin(self) -> str:
        """Where it is; nothing before somebody asked for it."""
        return f"http://127.0.0.1:{self._server.server_port}" if self._server else ""

    def open(self) -> str:
        """The address of its first page."""
        with self._lock:
            if self._server is None:
                self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
                threading.Thread(target=self._server.serve_forever, name="practice", daemon=True).start()
        return f"{self.origin}{START}"

    def close(self) -> None:
        """Serve it no longer."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()
