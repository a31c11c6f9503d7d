"""Who may use the Studio: a random token for programs and the first visit, a cookie for browsers, a password."""

import asyncio
import hmac
import ipaddress
import re
import secrets
import socket
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.documents import MOST_BYTES
from sightline.net import megabytes
from sightline.server._bundle import entering_page, key_page, login_page
from sightline.server._problems import internal_problem, problem, problem_response

# After a wrong password the answer takes this long, twice as long each time, up to the second number. The right one is
# never delayed, so nobody can lock the owner out by being wrong.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 16.0
# Attempts of one client that may wait for their answer; more at a time are nobody's fingers. With the longest pause it
# can try two passwords a second.
MOST_WAITING = 32
MOST_WAITING_IN_ALL = 1_024  # beyond it a client may have one attempt at a time, however many clients there are
MOST_REMEMBERED = 10_000  # clients whose wrong attempts are counted
IPV6_CLIENT = 64  # bits of an IPv6 address that tell clients apart; the rest is theirs to choose

HOST = re.compile(r"(?:\[(?P<inner>[^\[\]]*)\]|(?P<name>[^:\[\]]*))(?::\d{1,5})?")


def is_loopback_name(host: str) -> bool:
    """Whether a host is this machine itself.

    >>> is_loopback_name("127.0.0.1"), is_loopback_name("0.0.0.0")
    (True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@dataclass(eq=False)
class Access:
    """The secrets of one server, made at its start, and the names by which it may be called."""

    host: str = "127.0.0.1"
    password: str | None = field(default=None, repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    port: int = 0

    def __post_init__(self) -> None:
        """Begin with no failed attempts."""
        self._failed: OrderedDict[str, int] = OrderedDict()  # wrong attempts by client, the oldest first
        self._waiting: dict[str, int] = {}
        self._names = {name.lower() for name in (self.host, socket.gethostname(), socket.getfqdn())}

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback_name(self.host)

    @property
    def cookie(self) -> str:
        """The name of the cookie: servers on other ports have others."""
        return f"sightline_{self.port}"

    def knows_host(self, name: str) -> bool:
        """Whether a Host header names this server. A name that somebody else owns may lead here by their DNS."""
        host = _without_port(name)
        if is_loopback_name(host):
            return True
        return not self.is_local and (_is_address(host) or host.lower() in self._names)

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def is_session(self, given: str) -> bool:
        """Whether this is the value of the cookie."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.session.encode())

    async def is_password(self, given: str, client: str = "") -> bool | None:
        """Whether this is the password; to one client, wrong ones are answered more and more slowly.

        None if that client tries too many at a time. The right one is answered at once.
        """
        if self.password is None:
            return False
        who = _whose(client)
        waiting = self._waiting.get(who, 0)
        most = MOST_WAITING if sum(self._waiting.values()) < MOST_WAITING_IN_ALL else 1
        if waiting >= most:
            return None
        if hmac.compare_digest(given.encode("utf-8", "replace"), self.password.encode()):
            self._failed.pop(who, None)
            return True
        self._waiting[who] = waiting + 1
        try:
            await asyncio.sleep(self._pause(who))
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]
        return False

    def _pause(self, who: str) -> float:
        """Count a wrong attempt of a client, and say how long its answer takes."""
        before = self._failed.pop(who, 0)
        self._failed[who] = min(before + 1, 10)
        if len(self._failed) > MOST_REMEMBERED:
            self._failed.popitem(last=False)
        return float(min(FIRST_PAUSE * 2**before, LONGEST_PAUSE))


def _whose(client: str) -> str:
    """What tells one client from another.

    >>> _whose("127.0.0.2"), _whose("2001:db8::7:1") == _whose("2001:db8::8:2")
    ('127.0.0.2', True)
    """
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_CLIENT), strict=False))


def _without_port(name: str) -> str:
    """The host of a Host header; nothing if it is not written as one.

    >>> _without_port("127.0.0.1:8765"), _without_port("[::1]:80"), _without_port("[::1].evil"), _without_port("::1")
    ('127.0.0.1', '::1', '', '')
    """
    found = HOST.fullmatch(name)
    if found is None:
        return ""
    inner: str | None = found["inner"]
    if inner is None:
        return str(found["name"])
    return inner if _is_address(inner) and ":" in inner else ""


# -- the guard in front of everything -------------------------------------------------------------------------------
# Nothing of a page is ever put into the Studio's own pages but as text and pictures; these headers make sure that even
# a mistake there could run nothing and load nothing from elsewhere.

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
