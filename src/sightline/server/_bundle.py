"""The front end: files of the built bundle, and its first page for every other address (deep links)."""

import mimetypes
from pathlib import Path

from fastapi import APIRouter, Response
from starlette.responses import FileResponse, HTMLResponse

from sightline.server._plain_pages import missing_page
from sightline.server._problems import ProblemError

__all__ = ["bundle_router"]

WEB = Path(__file__).parent / "web"
HASHED = "assets/"  # whose names change with their content
FOREVER = "public, max-age=31536000, immutable"
# Named here, since the tables of some systems say otherwise, and a script of another type is not run.
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


def bundle_router(folder: Path = WEB) -> APIRouter:
    """Serves the bundle in a folder. Only files that are in it by name are served: no path is made from a request."""
    router = APIRouter(include_in_schema=False)

    def files() -> dict[str, Path]:
        found = folder.rglob("*") if folder.is_dir() else ()
        return {path.relative_to(folder).as_posix(): path for path in found if path.is_file() and not path.is_symlink()}

    known = files()

    @router.api_route("/{path:path}", methods=["GET", "HEAD"])
    def show_file(path: str) -> Response:
        """A file of the bundle, or its first page."""
        if path == "api" or path.startswith("api/"):
            raise ProblemError("not-found", "There is nothing at this address.")
        if path not in known or not known[path].exists():
            known.clear()
            known.update(files())  # it may have been built meanwhile
        if path in known and path != "index.html":
            cache = FOREVER if path.startswith(HASHED) else "no-cache"
            return FileResponse(known[path], media_type=_type(path), headers={"Cache-Control": cache})
        if path.startswith(HASHED):
            raise ProblemError("not-found", "There is no such file; load the page again.")
        if "index.html" not in known:
            return HTMLResponse(missing_page(), 503, headers={"Cache-Control": "no-store"})
        return FileResponse(known["index.html"], media_type="text/html", headers={"Cache-Control": "no-cache"})

    return router


def _type(path: str) -> str:
    return TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
