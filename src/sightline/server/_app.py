"""The app: its resources, what guards them, and the front end behind them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import APIRouter, FastAPI

from sightline._version import __version__
from sightline.server import (
    _about,
    _examples,
    _files,
    _flow_jobs,
    _flow_kinds,
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
    _uploads,
    _wrappers,
)
from sightline.server._access import Access
from sightline.server._bundle import WEB, bundle_router
from sightline.server._flow_scheduler import FlowScheduler
from sightline.server._problems import handle_problems
from sightline.server._security import Guard
from sightline.server._studio import Studio, StudioSettings

__all__ = ["create_app"]

RESOURCES: tuple[APIRouter, ...] = (
    _about.router,
    _examples.router,
    _pages.router,
    _results.router,
    _uploads.router,
    _lessons.router,
    _wrappers.router,
    _repairs.router,
    _runs.router,
    _flow_runs.router,
    _flow_series.router,
    _home.router,
    _projects.router,
    _flow_kinds.router,
    _flows.router,
    _reviews.router,
    _flow_jobs.router,
    _flow_versions.router,
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
