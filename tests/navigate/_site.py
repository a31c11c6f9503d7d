"""A site on the loopback interface that answers each path by a function."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[str], str | tuple[int, str] | None]
"""What a path and its query give: a page, a status with a page (or where it leads), or None for 404."""


@dataclass
class Served:
    """A running site: where it is, and what it was asked for, in order."""

    url: str
    asked: list[str] = field(default_factory=list)

    def __call__(self, path: str) -> str:
        """The address of a path."""
        return self.url + path


@contextmanager
def served(answer: Answer) -> Iterator[Served]:
    """Serve while the block runs."""
    site = Served("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/robots.txt":
                self.send_error(404)
                return
            site.asked.append(self.path)
            found = answer(self.path)
            status, page = found if isinstance(found, tuple) else (200 if found is not None else 404, found)
            body = (page or "not found").encode()
            self.send_response(status)
            if status in (301, 302, 303):
                self.send_header("Location", page or "/")
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
