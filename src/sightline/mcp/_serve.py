"""Running the server: on standard input and output for one client, or on a loopback port for several."""

import hmac
import os
import secrets
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.errors import MissingExtra, UsageError
from sightline.extras import is_installed
from sightline.mcp._desk import Desk, McpSettings, ProjectFolder
from sightline.net import Limits
from sightline.sources import BrowserSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
PATH = "/mcp"
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LEAST_TOKEN = 16  # characters; shorter ones are guessed
_SECONDS_TO_END = 3  # for answers under way; clients keep streams open that never end by themselves
_MOST_REQUEST = 1_000_000  # bytes; examples for fifty pages have a tenth of that


def serve_stdio(
    project: Path,
    settings: McpSettings | None = None,
    *,
    limits: Limits | None = None,
    browser: BrowserSettings | None = None,
) -> None:
    """Serve one client on standard input and output, until it closes them."""
    _need_package()
    import anyio

    from mcp import stdio_server
    from sightline.mcp._protocol import AnsweringStream, protocol_server

    desk = Desk(ProjectFolder(project), settings, limits=limits, browser=browser)
    server = protocol_server(desk)

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_end_when_told, desk)
            async with stdio_server() as (requests, answers):
                heard = AnsweringStream(requests, answers)
                await server.run(heard, answers, server.create_initialization_options())
            tasks.cancel_scope.cancel()

    anyio.run(run)


async def _end_when_told(desk: Desk) -> None:
    """End at a signal, browsers first; at once, since nothing wakes the thread that waits for standard input."""
    import anyio

    heeded = [one for one in _ENDING if signal.getsignal(one) is not signal.SIG_IGN]
    with anyio.open_signal_receiver(*heeded) as signals:
        async for number in signals:
            await anyio.to_thread.run_sync(desk.close)
            os._exit(128 + number)


def serve_http(  # noqa: PLR0913 - keywords, each of them said seldom
    project: Path,
    settings: McpSettings | None = None,
    *,
    port: int = 0,
    token: str = "",
    on_ready: Callable[[str, str], None] | None = None,
    limits: Limits | None = None,
    browser: BrowserSettings | None = None,
) -> None:
    """Serve any number of clients over streamable HTTP, on this machine only, until interrupted.

    Clients send `Authorization: Bearer TOKEN`; a random `token` is made if none is given. `on_ready` is called with the
    address and the token as soon as clients can connect. Port 0 takes any that is free.
    """
    _need_package()
    import uvicorn

    from sightline.mcp._protocol import protocol_server

    if token and len(token) < _LEAST_TOKEN:
        raise UsageError(f"The token has {len(token)} characters, and short ones are guessed; use {_LEAST_TOKEN}.")
    token = token or secrets.token_urlsafe(24)
    listener = _listener(port)
    port = listener.getsockname()[1]
    server = protocol_server(Desk(ProjectFolder(project), settings, limits=limits, browser=browser))
    app = server.streamable_http_app(
        streamable_http_path=PATH, transport_security=_own_names(port), max_request_body_size=_MOST_REQUEST
    )
    if on_ready:
        on_ready(f"http://{LOOPBACK}:{port}{PATH}", token)
    config = uvicorn.Config(
        BearerOnly(app, token), log_level="warning", lifespan="on", timeout_graceful_shutdown=_SECONDS_TO_END
    )
    with listener:
        uvicorn.Server(config).run(sockets=[listener])


def _need_package() -> None:
    if not is_installed("mcp"):
        raise MissingExtra("mcp", "Serving agents")


def _listener(port: int) -> socket.socket:
    """A socket that clients can connect to from now on."""
    try:
        return socket.create_server((LOOPBACK, port))
    except (OSError, OverflowError) as problem:
        raise UsageError(f"Port {port} cannot be used ({problem}); choose another one, or 0 for any.") from problem


def _own_names(port: int) -> Any:
    """What the Host and Origin of a request may be: a site cannot reach us through a name of its own."""
    from mcp.server.transport_security import TransportSecuritySettings

    hosts = [f"{name}:{port}" for name in (LOOPBACK, "localhost")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])


class BearerOnly:
    """Lets only requests through that bring the token; all others are told what is missing."""

    def __init__(self, app: "ASGIApp", token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or self._is_allowed(scope):
            await self._app(scope, receive, send)
            return
        from starlette.responses import PlainTextResponse

        words = "Send the header Authorization: Bearer TOKEN, with the token that the server printed when it started."
        refusal = PlainTextResponse(words, status_code=401, headers={"WWW-Authenticate": "Bearer"})
        await refusal(scope, receive, send)

    def _is_allowed(self, scope: "Scope") -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._wanted)
