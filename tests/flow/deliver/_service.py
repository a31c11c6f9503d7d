"""A web service on loopback that behaves as it is told: it answers, refuses, hangs or cuts the connection."""

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Request:
    """What came, with the names of its headers in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What goes back; `hang` waits until the service ends, `cut` closes the connection, both after processing."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False
    unseen: bool = False
    """Whether the connection is cut before the request is processed."""


Process = Callable[[Request], Answer]


class Service:
    """Runs while its block does; `plan` are answers to the first requests, by default that of `process`."""

    def __init__(self, process: Process, plan: Sequence[Answer | None] = ()) -> None:
        self._process, self._plan = process, list(plan)
        self.requests: list[Request] = []
        self._ended = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                service.handle(self)

            def do_GET(self) -> None:
                service.handle(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "Service":
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        body = handler.rfile.read(int(handler.headers.get("content-length", 0)))
        request = Request(handler.path, {name.lower(): text for name, text in handler.headers.items()}, body)
        self.requests.append(request)
        planned = self._plan.pop(0) if self._plan else None
        if planned is not None and planned.unseen:
            _cut(handler)
            return
        processed = self._process(request) if planned is None or planned.hang or planned.cut else planned
        if planned is not None and planned.hang:
            self._ended.wait()
        if planned is not None and (planned.hang or planned.cut):
            _cut(handler)
            return
        with suppress(OSError):
            handler.send_response(processed.status)
            for name, text in processed.headers.items():
                handler.send_header(name, text)
            handler.send_header("Content-Length", str(len(processed.body)))
            handler.end_headers()
            handler.wfile.write(processed.body)


def _cut(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    with suppress(OSError):
        handler.connection.shutdown(socket.SHUT_RDWR)
