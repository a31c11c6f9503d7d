"""What a user gives a site to be let in: headers, cookies, a recorded log-in; and the proxy on the way.

They are secrets. Headers and cookies go to the origins of the addresses that the user named and to no other, the
cookies of a recorded log-in to the hosts that set them. No message repeats them.
"""

import base64
import binascii
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

import orjson

from sightline.errors import RefusedError, UsageError
from sightline.files import read_bytes, write_bytes
from sightline.redaction import remember, remember_passwords

if TYPE_CHECKING:
    from sightline.net._addresses import Location  # its parser of addresses is slow to import, and seldom needed here

# The file of a session's cookies and storage, and which of its cookies a request to a site carries.

FORMAT = "sightline-session"
VERSION = 1
MOST_BYTES = 100_000_000  # an origin may store five megabytes
OWNER_ONLY = 0o600
# What looks like a token; a language or a choice of colours isn't a secret, and would be struck out of every result.
_COOKIE_TOKEN = re.compile(r"(?=\S*[0-9])\S{8,4096}|\S{20,4096}")

# What the browser tells of a cookie and takes back.
COOKIE = ("name", "value", "domain", "path", "secure", "httpOnly", "sameSite", "priority", "partitionKey")

Storage: TypeAlias = dict[str, dict[str, str]]


@dataclass
class LoginState:
    """Cookies, and the local storage of origins."""

    cookies: list[dict[str, Any]]
    storage: Storage

    @classmethod
    def read(cls, path: Path, advice: str) -> "LoginState":
        """The content of a file; a UsageError with advice if it is none of a session. Its tokens are kept secret."""
        content = read_bytes(path, advice, MOST_BYTES)
        try:
            found = orjson.loads(content)
        except orjson.JSONDecodeError as problem:
            raise UsageError(f"{path}: not the file of a session; {advice}.") from problem
        if not _is_state(found):
            raise UsageError(f"{path}: not the file of a session, or of a later version; {advice}.")
        state = cls(found["cookies"], found["storage"])
        state._keep_secret()
        return state

    def write(self, path: Path) -> None:
        """Write the file, for its owner only."""
        storage = {origin: items for origin, items in self.storage.items() if items}
        content = {"format": FORMAT, "version": VERSION, "cookies": self.cookies, "storage": storage}
        write_bytes(path, orjson.dumps(content, option=orjson.OPT_INDENT_2), mode=OWNER_ONLY)

    def cookies_for(self, location: "Location") -> dict[str, str]:
        """The cookies that a browser would send to an address, by the rules of each: host, path, https and age."""
        sent = [one for one in self.cookies if _is_for(one, location)]
        sent.sort(key=lambda one: len(one.get("path", "/")))  # of two with one name, the closer to the address counts
        return {one["name"]: one["value"] for one in sent}

    def _keep_secret(self) -> None:
        values = [one["value"] for one in self.cookies]
        values += [value for items in self.storage.values() for value in items.values()]
        for value in values:
            if _COOKIE_TOKEN.fullmatch(value):
                remember(value)


def _is_for(cookie: dict[str, Any], location: "Location") -> bool:
    domain, path = cookie["domain"].lower(), cookie.get("path") or "/"
    is_host = location.host == domain.lstrip(".") or (domain.startswith(".") and location.host.endswith(domain))
    here = location.path.partition("?")[0]
    is_path = here == path or here.startswith(path if path.endswith("/") else f"{path}/")
    is_safe = location.scheme == "https" or not cookie.get("secure")
    is_fresh = cookie.get("expires") is None or cookie["expires"] > time.time()
    return is_host and is_path and is_safe and is_fresh and not cookie.get("partitionKey")


def _is_state(found: Any) -> bool:
    """Whether a file has all that is read from it."""
    if not isinstance(found, dict) or (found.get("format"), found.get("version")) != (FORMAT, VERSION):
        return False
    cookies, storage = found.get("cookies"), found.get("storage")
    return (
        isinstance(cookies, list)
        and all(map(_is_cookie, cookies))
        and isinstance(storage, dict)
        and all(_is_web(origin) and isinstance(items, dict) for origin, items in storage.items())
        and all(isinstance(value, str) for items in storage.values() for value in items.values())
    )


def _is_cookie(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and set(found) <= {*COOKIE, "expires"}
        and all(isinstance(found.get(name), str) for name in ("name", "value", "domain"))
        and isinstance(found.get("path", "/"), str)
        and isinstance(found.get("expires", 0), int | float)
    )


def _is_web(origin: str) -> bool:
    return origin.startswith(("http://", "https://"))


_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_HEADER = re.compile(rf"({_TOKEN}):[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)[ \t]*")
_COOKIE = re.compile(
    rf"({_TOKEN})=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|\"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\")"
)
# What a connection is made of, and what has a setting of its own.
_RESERVED = frozenset(
    (
        *("host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "keep-alive"),
        *("expect", "proxy-connection", "accept-encoding"),
    )
)
_ELSEWHERE = {"cookie": "cookie", "user-agent": "user_agent", "proxy-authorization": "proxy"}
# They say nothing about who asks, and their values are words and addresses that results are full of.
_PLAIN = frozenset(("accept", "accept-language", "cache-control", "pragma", "dnt", "referer", "origin"))
_WORD = re.compile(r"[A-Za-z]{1,7}")  # `true`, `dark`, `german`: no token, and striking it out would spoil results
_STATE_ADVICE = "give the file that `play --state FILE` or `session(state=…)` has written"


@dataclass(frozen=True)
class Proxy:
    """A proxy: its address without a password, and who may use it."""

    address: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def access_headers(texts: Iterable[str]) -> dict[str, str]:
    """The headers in some texts such as `X-Token: abc`; of one name, the values are joined.

    >>> access_headers(["X-Team: blue", "x-team: red"])
    {'x-team': 'blue, red'}
    """
    found: dict[str, str] = {}
    for text in texts:
        match = _HEADER.fullmatch(text)
        if not match:
            raise UsageError("header of CrawlPolicy must be NAME: VALUE in plain ASCII, such as 'X-Token: abc'.")
        name, value = match[1].lower(), match[2]
        if name in _RESERVED:
            raise UsageError(
                f"header of CrawlPolicy cannot be {name}, which the connection itself decides; leave it out."
            )
        if name in _ELSEWHERE:
            raise UsageError(f"header of CrawlPolicy cannot be {name}; use the setting `{_ELSEWHERE[name]}` for it.")
        if name not in _PLAIN:
            _keep_secret(value)
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def access_cookies(texts: Iterable[str]) -> dict[str, str]:
    """The cookies in some texts such as `session=abc`.

    >>> access_cookies(["a=1", "b="])
    {'a': '1', 'b': ''}
    """
    found = {}
    for text in texts:
        match = _COOKIE.fullmatch(text.strip())
        if not match:
            raise UsageError("cookie of CrawlPolicy must be NAME=VALUE, one cookie each, such as 'session=abc'.")
        found[match[1]] = match[2]
        _keep_secret(match[2].strip('"'))
    return found


def access_proxy(text: str) -> Proxy | None:
    """The proxy at an address, which may have a user and password in it.

    >>> access_proxy("http://anna:secret@proxy.example:3128").address
    'http://proxy.example:3128'
    """
    if not text:
        return None
    from sightline.net._addresses import admit

    remember_passwords(text)
    problem = UsageError("proxy of CrawlPolicy must be http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT.")
    try:
        parts = urlsplit(text)
        user, password, rest = parts.username or "", parts.password or "", parts.netloc.rpartition("@")[2]
        place = admit(f"{parts.scheme}://{rest}/")
    except (ValueError, RefusedError):
        raise problem from None
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise problem
    return Proxy(f"{place.scheme}://{_bracketed(place.host)}:{place.port}", unquote(user), unquote(password))


def access_state(path: str) -> LoginState | None:
    """The recorded log-in in a file."""
    return LoginState.read(Path(path), _STATE_ADVICE) if path else None


def origins_of(addresses: Iterable[str]) -> tuple[str, ...]:
    """The origins of the web addresses among some sources.

    >>> origins_of(["https://shop.example/a", "saved.html"])
    ('https://shop.example',)
    """
    from sightline.net._addresses import admit

    found = []
    for address in addresses:
        try:
            found.append(admit(address).origin)
        except RefusedError:  # a file, or what is refused when it is opened
            continue
    return tuple(dict.fromkeys(found))


class SiteAccess:
    """What is sent to whom; `named` are the origins that the user named, and may grow."""

    def __init__(
        self,
        *,
        headers: Mapping[str, str],
        cookies: Mapping[str, str],
        state: LoginState | None,
        proxy: Proxy | None,
        named: set[str],
    ) -> None:
        self._headers = headers
        self._cookies = cookies
        self.state = state
        self.proxy = proxy
        self.named = named

    @property
    def changes_requests(self) -> bool:
        """Whether the requests of a browser have to be changed, or asked about, on their way."""
        return bool(self._headers or self._cookies or (self.proxy and self.proxy.user))

    def headers_for(self, location: "Location") -> dict[str, str]:
        """What a request without a browser carries."""
        is_named = location.origin in self.named
        cookies = {
            **(self.state.cookies_for(location) if self.state else {}),
            **(self._cookies if is_named else {}),
        }
        return {**(self._headers if is_named else {}), **_cookie_header(cookies)}

    def browser_headers(self, url: str, own: Mapping[str, str]) -> dict[str, str] | None:
        """All headers of a request of a browser, which has its `own`; None if they stay as they are."""
        if not (self._headers or self._cookies) or not set(origins_of([url])) & self.named:
            return None
        kept = {name: value for name, value in own.items() if name.lower() not in (*self._headers, "cookie")}
        stored = next((value for name, value in own.items() if name.lower() == "cookie"), "")
        pairs = (pair.strip().partition("=") for pair in stored.split(";") if pair.strip())
        cookies = {**{name: value for name, _, value in pairs}, **self._cookies}
        return {**kept, **self._headers, **_cookie_header(cookies)}


def _cookie_header(cookies: Mapping[str, str]) -> dict[str, str]:
    return {"cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}


def _keep_secret(value: str) -> None:
    """Keep a value out of everything that is told, and what it is made of: `Bearer TOKEN`, `Basic USER:PASSWORD`."""
    scheme, _, rest = value.partition(" ")
    for part in (value, rest.strip()):
        if not _WORD.fullmatch(part):
            remember(part)
    if scheme.lower() == "basic":
        try:
            remember(base64.b64decode(rest, validate=True).decode().partition(":")[2])
        except (binascii.Error, UnicodeDecodeError):
            return


# Names of headers, cookies and parameters whose values are secrets, and headers that never are. Names decide, since
# what a page sends along may be a number of an item as well, which would be struck out of every result.
_SECRET_NAME = re.compile(
    r"token|auth(?!ors?(?:$|[_-]))|secret|sess|passw|csrf|xsrf|jwt|api-?_?key|signature|^(?:x-)?key$|^sid$",
    re.IGNORECASE,
)
_LONG_TOKEN = re.compile(r"(?=\S*[0-9])(?=\S*[A-Za-z])\S{20,4096}")  # no item has such a number
_HARMLESS = _PLAIN | {"content-type", "x-requested-with"}


def remember_request(url: str, headers: Iterable[tuple[str, str]]) -> None:
    """Keep the secrets of a request that a page made out of everything that is told: tokens, sessions, keys."""
    named = parse_qsl(urlsplit(url).query)
    for name, value in headers:
        if name == "cookie":
            pairs = (pair.strip().partition("=") for pair in value.split(";"))
            named += [(name, text) for name, _, text in pairs]
        elif name not in _HARMLESS and (_SECRET_NAME.search(name) or _LONG_TOKEN.fullmatch(value)):
            _keep_secret(value)
    for name, value in named:
        if _SECRET_NAME.search(name) and _COOKIE_TOKEN.fullmatch(value):
            remember(value)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
