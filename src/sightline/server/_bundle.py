"""The front end: files of the built bundle, and its first page for every other address (deep links)."""

import mimetypes
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, Response
from starlette.responses import FileResponse, HTMLResponse

from sightline.server._problems import ProblemError

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


# The few pages that the server itself writes: for those without a key, and where the front end is missing.


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n{head}</head>\n'
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def key_page() -> str:
    """For a visitor without the token."""
    return _page(
        "Sightline Studio",
        "<p>This page needs the key of the Studio. Open the address that <code>sightline studio</code> printed in its "
        "terminal; it ends with <code>?token=…</code>.</p>",
    )


def entering_page(place: str) -> str:
    """Goes on to a page of the Studio by itself."""
    head = f'<meta http-equiv="refresh" content="0; url={escape(place)}">\n'
    return _page("Sightline Studio", f'<p><a href="{escape(place)}">Enter</a></p>', head)


def login_page(place: str = "/", *, wrong: bool = False) -> str:
    """The form that asks for the password; it needs no script."""
    told = '<p role="alert">This is not the password. Try again.</p>\n' if wrong else ""
    action = "/login" if place == "/" else f"/login?{urlencode({'to': place})}"
    return _page(
        "Sightline Studio",
        f'{told}<form method="post" action="{escape(action)}">\n'
        '<p><label>Password <input type="password" name="password" autocomplete="current-password" required autofocus>'
        "</label> <button>Enter</button></p>\n</form>",
    )


def missing_page() -> str:
    """Where the front end was not built."""
    return _page(
        "Sightline Studio",
        "<p>The server runs, but its pages are missing: this copy was made without the built front end. In the "
        "repository, run <code>npm ci</code> and <code>npm run build</code> in the folder <code>web</code>, or install "
        "a released package.</p>\n"
        '<p>The API works without them; <a href="/api/openapi.json">openapi.json</a> describes it.</p>',
    )
