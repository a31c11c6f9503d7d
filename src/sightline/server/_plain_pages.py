"""The few pages that the server itself writes: for those without a key, and where the front end is missing."""

from html import escape
from urllib.parse import urlencode

__all__ = ["entering_page", "key_page", "login_page", "missing_page"]


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
