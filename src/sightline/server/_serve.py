"""A server that runs until it is stopped: a free port, the line that says where it is, and a clean end."""

import errno
import gc
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import APIRouter, FastAPI

from sightline._version import __version__
from sightline.errors import UsageError
from sightline.project import Lock
from sightline.server import (
    _about,
    _examples,
    _files,
    _flow_backfills,
    _flow_jobs,
    _flow_lineage,
    _flow_rows,
    _flow_runs,
    _flow_series,
    _flow_versions,
    _flows,
    _home,
    _jobs,
    _lab,
    _lessons,
    _pages,
    _projects,
    _recordings,
    _repairs,
    _results,
    _reviews,
    _runs,
    _scripts,
    _things,
    _wrappers,
)
from sightline.server._access import Access, Guard
from sightline.server._bundle import WEB, bundle_router
from sightline.server._flow_scheduler import FlowScheduler
from sightline.server._problems import handle_problems
from sightline.server._studio import Studio, StudioSettings

PORTS_TRIED = 20  # from the wanted one on
# How long a thread that computes may keep the others waiting, the one that takes requests among them. With 200 clients
# on two busy cores, the 95th percentile of answers is 32 to 67 ms with this, and 188 to 239 ms with Python's own 5 ms.
SWITCH_SECONDS = 0.0005
# How seldom Python looks for circles of garbage. Pages in memory are millions of lasting objects, and it looks at all
# of them each time: with its own thresholds, the 99th percentile among 200 clients was 165 ms, with these 49 ms.
COLLECTING = (50_000, 20, 100)
MOST_MESSAGE = 1_000_000  # bytes that a live view may send at once: a pasted text at the most
GRACE_SECONDS = 3  # for answers that are under way when the server is stopped


def listening(host: str, port: int) -> socket.socket:
    """A socket on the port, or on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for tried in range(port, min(port + PORTS_TRIED, 65_536)) if port else (0,):
        # With its protocol named: asyncio sends small packets at once on such sockets alone, and others wait 40 ms for
        # the acknowledgement of the headers before the body follows.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, tried))
            found.listen(1024)
        except OSError as problem:
            found.close()
            if problem.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise UsageError(
                f"{host} isn't an address of this machine ({problem.strerror}); give another --host."
            ) from problem
        return found
    raise UsageError(f"The ports {port} to {port + PORTS_TRIED - 1} are all taken; give another one with --port.")


class StudioServer(uvicorn.Server):
    """A server whose jobs are cancelled when it is asked to stop, so that those who listen to them let go."""

    def __init__(self, app: FastAPI, *, log_level: str = "warning") -> None:
        config = uvicorn.Config(
            app,
            log_level=log_level,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # whoever is on this machine could name any client, and try passwords as many
            timeout_graceful_shutdown=GRACE_SECONDS,
            timeout_keep_alive=30,
            h11_max_incomplete_event_size=64 * 1024,
            ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE,
            ws_per_message_deflate=False,  # pictures are packed already
        )
        super().__init__(config)
        self._app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; asked twice, at once."""
        self._app.state.studio.board.close()
        super().handle_exit(sig, frame)

    def stop(self) -> None:
        """Cancel the jobs and end, from any thread."""
        self._app.state.studio.board.close()
        self.should_exit = True


@contextmanager
def claimed(folder: Path) -> Iterator[str | None]:
    """Mark a project as served while the block runs; gives what another server that serves it now is, or None.

    Two servers of one project are safe, since every save names its version; but people should know.
    """
    try:
        lock = Lock(folder / ".served", words=f"process {os.getpid()}", mode=0o600)
    except BlockingIOError as problem:
        yield problem.strerror
        return
    with lock:
        yield None


def serve(app: FastAPI, listener: socket.socket, on_ready: Callable[[str], None]) -> None:
    """Serve until a signal; `on_ready` gets the address, with the token in it, once requests are answered."""
    access: Access = app.state.access
    access.port = listener.getsockname()[1]
    shown = "127.0.0.1" if access.host in ("0.0.0.0", "::", "localhost") else access.host
    host = f"[{shown}]" if ":" in shown else shown
    threading.Thread(target=app.state.studio.warm, daemon=True).start()
    on_ready(f"http://{host}:{access.port}/?token={access.token}")
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*COLLECTING)
    StudioServer(app).run(sockets=[listener])


# -- the app: its resources, what guards them, and the front end behind them ----------------------------------------

RESOURCES: tuple[APIRouter, ...] = (
    _about.router,
    _examples.router,
    _pages.router,
    _results.router,
    _things.router,
    _lessons.router,
    _wrappers.router,
    _repairs.router,
    _runs.router,
    _flow_runs.router,
    _flow_rows.router,
    _flow_series.router,
    _flow_lineage.router,
    _home.router,
    _projects.router,
    _flow_versions.router,
    _flows.router,
    _reviews.router,
    _flow_jobs.router,
    _flow_backfills.router,
    _files.router,
    _jobs.router,
    _lab.router,
    _scripts.router,
    _recordings.router,
)
ABOUT = (
    "Everything that the Studio does, as an API. Programs send `Authorization: Bearer TOKEN`, with the token that the "
    "server printed at its start. Errors are problem documents (`application/problem+json`) with a `code`. What has a "
    "`version` is changed with `If-Match`."
)


def create_app(settings: StudioSettings | None = None, *, access: Access | None = None, web: Path = WEB) -> FastAPI:
    """The app of a project; `access` holds its secrets, `web` is the folder of the built front end."""
    settings = settings or StudioSettings()
    studio = Studio(settings)
    keys = access or Access(settings.host)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        studio.part(FlowScheduler).start()
        yield
        _end(app.state.studio)

    def switch(opened: Studio) -> None:
        """Go on with another project; what the old one still answers, it answers to the end."""
        before, app.state.studio = app.state.studio, opened
        opened.part(FlowScheduler).start()
        _end(before)

    app = FastAPI(
        title="Sightline Studio",
        version=__version__,
        description=ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.studio = studio
    app.state.access = keys
    app.state.switch = switch
    for router in RESOURCES:
        app.include_router(router, prefix="/api")
    app.include_router(bundle_router(web))
    handle_problems(app)
    app.add_middleware(Guard, access=keys, most_upload=settings.request_bytes)
    return app


def _end(studio: Studio) -> None:
    """Let nothing begin any more in a project, and end what goes on."""
    studio.part(FlowScheduler).stop()
    studio.close()
