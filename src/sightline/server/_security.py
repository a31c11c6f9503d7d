"""The guard in front of everything: host, origin, key, size, and the headers that keep page content harmless.

Nothing of a page is ever put into the Studio's own pages but as text and pictures; these headers make sure that even a
mistake there could run nothing and load nothing from elsewhere.
"""

import asyncio
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.documents import MOST_BYTES
from sightline.net import megabytes
from sightline.server._access import Access
from sightline.server._bundle import entering_page, key_page, login_page
from sightline.server._problems import internal_problem, problem, problem_response

SAFE_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
OWN_SITE = frozenset({"same-origin", "none"})
LOGIN = "/login"
UPLOADS = ("/api/uploads", "/api/files")
# Of a body that is refused: what a client may have sent before it looks for the answer, and how long it may pause.
LINGER_BYTES, LINGER_SECONDS = 16_000_000, 1.0
LONGEST_FORM = 4_096  # bytes of the form with the password


class Guard:
    """Lets requests through that come from the Studio's own pages, or from programs that know the token."""

    def __init__(self, app: ASGIApp, access: Access, most_upload: int) -> None:
        self._app = app
        self._access = access
        self._most_upload = most_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not; whatever breaks becomes a problem."""
        if scope["type"] == "websocket":
            await self._live(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        try:
            refused = await self._refusal(scope, receive)
            if refused is not None:
                await refused(scope, receive, answer.send)
                return
            await self._app(scope, _Limited(scope, receive, answer, self._most(scope)).receive, answer.send)
        except Exception as error:  # noqa: BLE001 - the top of the server: every request has an answer
            document = internal_problem(error)
            if not answer.begun:
                await problem_response(document)(scope, receive, answer.send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection of a live view through, by the same rules as a request that changes something."""
        headers = Headers(scope=scope)
        refused = None
        if not self._access.knows_host(headers.get("host", "")):
            refused = problem("forbidden", "This server is not known under that name; use the address that it printed.")
        elif _is_foreign(headers):
            refused = problem("forbidden", "The request comes from a page of another site; use the Studio's own page.")
        elif not self._has_token(headers):
            if not self._has_cookie(headers):
                refused = problem("unauthorised", "The key of this server is missing; open the Studio's page.")
            elif headers.get("origin") is None:  # every browser names it, and without it anybody's page could be asking
                refused = problem("forbidden", "The connection does not say which page it comes from.")
        if refused is None:
            await self._app(scope, receive, send)
            return
        await receive()  # what asks for the connection
        answer = problem_response(refused)
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": refused["title"]})
            return
        start = {"type": "websocket.http.response.start", "status": answer.status_code, "headers": answer.raw_headers}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": answer.body})

    def _most(self, scope: Scope) -> int:
        return self._most_upload if scope["path"] in UPLOADS else MOST_BYTES

    # ------------------------------------------------------------------ what is refused

    async def _refusal(self, scope: Scope, receive: Receive) -> ASGIApp | None:
        """What to answer instead; None if the request may pass."""
        headers = Headers(scope=scope)
        path, method = scope["path"], scope["method"]
        if not self._access.knows_host(headers.get("host", "")):
            return _forbidden("This server is not known under that name; use the address that it printed.")
        foreign = _is_foreign(headers)
        if foreign and (method in UNSAFE or path.startswith("/api")):
            return _forbidden("The request comes from a page of another site; use the Studio's own page.")
        if path == LOGIN and self._access.password is not None:
            return await self._login(scope, receive)
        by_token = self._has_token(headers)
        if not by_token and not self._has_cookie(headers):
            return self._without_key(scope)
        if not by_token and method in UNSAFE and not _says_own(headers):
            return _forbidden("The request does not say which page it comes from; programs send the token instead.")
        if not path.startswith("/api") and "token=" in scope["query_string"].decode("latin-1"):
            return self._without_token_in_address(scope)
        return self._too_large(headers, scope)

    def _too_large(self, headers: Headers, scope: Scope) -> ASGIApp | None:
        most = self._most(scope)
        announced = headers.get("content-length", "0")
        if announced.isdecimal() and int(announced) <= most:
            return None
        return _TooLarge(most)

    def _has_token(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self._access.is_token(given.strip())

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._access.cookie)
        except CookieError:
            return False
        return found is not None and self._access.is_session(found.value)

    # ------------------------------------------------------------------ how one gets in

    def _without_key(self, scope: Scope) -> ASGIApp:
        """The first visit, with the token in the address; else the page that asks for a password or says what to do."""
        if scope["path"].startswith("/api"):
            detail = "The key of this server is missing; send `Authorization: Bearer TOKEN`, or open the Studio's page."
            return problem_response(problem("unauthorised", detail), {"WWW-Authenticate": "Bearer"})
        token = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token")
        if scope["method"] in ("GET", "HEAD") and token is not None and self._access.is_token(token):
            return self._entered(self._without_token_in_address(scope))
        if self._access.password is None:
            return HTMLResponse(key_page(), 401, headers={"Cache-Control": "no-store"})
        if scope["method"] in ("GET", "HEAD") and scope["path"] != LOGIN:
            query = f"?{urlencode({'to': scope['path']})}" if scope["path"] != "/" else ""
            return RedirectResponse(f"{LOGIN}{query}", 303, headers={"Cache-Control": "no-store"})
        return HTMLResponse(login_page(), 401, headers={"Cache-Control": "no-store"})

    def _without_token_in_address(self, scope: Scope) -> Response:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        place = _own_path(scope["path"]) + (f"?{rest}" if rest else "")
        if Headers(scope=scope).get("sec-fetch-site", "none") in OWN_SITE:
            return RedirectResponse(place, 303, headers={"Cache-Control": "no-store"})
        # A browser sends no strict cookie along a redirect that another site began; from our own page it does.
        return HTMLResponse(entering_page(place), headers={"Cache-Control": "no-store"})

    def _entered(self, response: Response) -> Response:
        # Not `Secure`, since the server itself speaks plain HTTP; a proxy that speaks TLS adds it.
        response.set_cookie(self._access.cookie, self._access.session, httponly=True, samesite="strict", path="/")
        return response

    async def _login(self, scope: Scope, receive: Receive) -> ASGIApp:
        """The form, and what it sends."""
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        place = _own_path(query.get("to", "/"))
        none = {"Cache-Control": "no-store"}
        if scope["method"] in ("GET", "HEAD"):
            return HTMLResponse(login_page(place), headers=none)
        if scope["method"] != "POST":
            return problem_response(problem("method", "This address does not take this method."))
        form = dict(parse_qsl((await _body(receive)).decode("utf-8", "replace")))
        client = (scope.get("client") or ("",))[0]
        right = await self._access.is_password(form.get("password", ""), client)
        if right is None:
            return problem_response(
                problem("busy", "Too many passwords are being tried from your address; wait a minute.")
            )
        if not right:
            return HTMLResponse(login_page(place, wrong=True), 401, headers=none)
        return self._entered(RedirectResponse(place, 303, headers=none))


def _forbidden(detail: str) -> ASGIApp:
    return problem_response(problem("forbidden", detail))


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that a page of another origin makes the request."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in OWN_SITE:
        return True
    return origin is not None and not _is_own_origin(origin, headers)


def _says_own(headers: Headers) -> bool:
    """Whether a browser says that the Studio's own page makes the request; all that are in use say so."""
    return headers.get("origin") is not None or headers.get("sec-fetch-site") == "same-origin"


def _is_own_origin(origin: str, headers: Headers) -> bool:
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and host.lower() == headers.get("host", "").lower()


def _own_path(path: str) -> str:
    """A path on this server: never another server, which `//host` would be.

    >>> _own_path("//evil.example"), _own_path("/pages/3f2a"), _own_path("https://evil.example")
    ('/evil.example', '/pages/3f2a', '/')
    """
    if not path.startswith(("/", "\\")):
        return "/"
    return "/" + path.lstrip("/\\").replace("\\", "%5C")


async def _body(receive: Receive) -> bytes:
    """The short body of a form; the rest of a longer one is left out."""
    content = b""
    while len(content) < LONGEST_FORM:
        message = await receive()
        content += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body"):
            break
    return content[:LONGEST_FORM]


class _TooLarge:
    """Refuses a body that is too long, and closes the connection without having read it all.

    A little of it is still read and thrown away: whoever is in the middle of sending would otherwise meet a closed
    connection before they look for the answer.
    """

    def __init__(self, most: int) -> None:
        self._most = most

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        told = f"A request to this address has at most {megabytes(self._most)}; send less at a time."
        response = problem_response(problem("too-large", told), {"Connection": "close"})
        await send({"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers})
        await send({"type": "http.response.body", "body": response.body, "more_body": True})
        with suppress(TimeoutError):
            await _discard(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _discard(receive: Receive) -> None:
    """Read and forget some of a body, until its end, its limit, or a pause."""
    read = 0
    while read < LINGER_BYTES:
        async with asyncio.timeout(LINGER_SECONDS):
            message = await receive()
        read += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


class _Answer:
    """Sends an answer with the headers of safety, once."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False
        self.cut = False

    async def send(self, message: Message) -> None:
        if self.cut:
            return
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers[name] = value
        await self._send(message)


class _Limited:
    """Reads the body of a request up to a limit; a longer one is answered at once and read no further."""

    def __init__(self, scope: Scope, receive: Receive, answer: _Answer, most: int) -> None:
        self._scope = scope
        self._receive = receive
        self._answer = answer
        self._most = most
        self._read = 0

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] != "http.request":
            return message
        self._read += len(message.get("body", b""))
        if self._read <= self._most or self._answer.begun:
            return message
        await _TooLarge(self._most)(self._scope, self._receive, self._answer.send)
        self._answer.cut = True
        return {"type": "http.disconnect"}
