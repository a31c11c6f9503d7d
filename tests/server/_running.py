"""A real server of the Studio on the loopback interface, and a client that knows its token."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.routing import Match

from sightline.server import StudioSettings, create_app
from sightline.server._access import Access
from sightline.server._serve import RESOURCES, StudioServer, listening
from sightline.server._studio import Studio

from .._wait import BOUND, wait_until


def new_client(**how: Any) -> httpx2.Client:
    """A client for plain HTTP; loading the certificates of authorities would take longer than most tests."""
    return httpx2.Client(timeout=BOUND, verify=False, **how)


@cache
def _reader(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


@dataclass
class Running:
    """A running server: its app, its port, and a client with the token."""

    app: FastAPI
    port: int
    client: httpx2.Client
    server: StudioServer

    @property
    def access(self) -> Access:
        """The secrets."""
        access: Access = self.app.state.access
        return access

    @property
    def studio(self) -> Studio:
        """The project behind it."""
        studio: Studio = self.app.state.studio
        return studio

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        """The JSON at an address."""
        answer = self.client.get(f"/api{path}", **more)
        assert answer.status_code == status, answer.text
        return self._declared(answer)

    def post(self, path: str, document: Any = None, status: int = 200, **more: Any) -> Any:
        """The JSON that a change answers with."""
        answer = self.client.post(f"/api{path}", json=document, **more)
        assert answer.status_code == status, answer.text
        return self._declared(answer)

    def _declared(self, answer: httpx2.Response) -> Any:
        """The JSON of an answer; it has to be what its route declares, where the types of the front end come from."""
        scope = {"type": "http", "method": answer.request.method, "path": answer.request.url.path.removeprefix("/api")}
        routes = (route for router in RESOURCES for route in router.routes if isinstance(route, APIRoute))
        if answer.is_success and answer.request.url.path.startswith("/api/"):
            route = next(one for one in routes if one.matches(scope)[0] is Match.FULL)
            _reader(route.response_model).validate_json(answer.content, strict=True)
        return answer.json()

    def finished(self, job: dict[str, Any]) -> dict[str, Any]:
        """A job when it has ended."""
        ended = ("done", "failed", "cancelled")
        wait_until(lambda: self.get(f"/jobs/{job['id']}")["state"] in ended)
        found: dict[str, Any] = self.get(f"/jobs/{job['id']}")
        return found


@contextmanager
def running(
    folder: Path, *, password: str | None = None, web: Path | None = None, **settings: Any
) -> Iterator[Running]:
    """Run a server for the project in a folder."""
    made = StudioSettings(project=str(folder), **settings)
    access = Access(made.host, password)
    app = create_app(made, access=access, **({} if web is None else {"web": web}))
    listener = listening("127.0.0.1", 0)
    access.port = listener.getsockname()[1]
    server = StudioServer(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    headers = {"Authorization": f"Bearer {access.token}"}
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        base = f"http://127.0.0.1:{access.port}"
        with new_client(base_url=base, headers=headers) as client:
            yield Running(app, access.port, client, server)
    finally:
        server.stop()
        thread.join(BOUND)
        listener.close()
    assert not thread.is_alive()
