"""A single HTTP exchange, with its bytes counted and its time limited; the only module that knows httpx2's errors.

Redirects, robots.txt and pacing are decided elsewhere. In server use the numeric address is looked up and checked
here, right before dialling, and that very address is dialled, with the name kept in Host and in TLS: a DNS answer
that changes between check and use has no effect.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType

import httpx2

from sightline.errors import DeadlineError, LimitError, RefusedError, SourceError, UnreachableError, UnreadableError
from sightline.net._access import Proxy
from sightline.net._addresses import Location, Resolver, is_loopback
from sightline.net._document import CrawlPolicy, Limits, megabytes
from sightline.net._inflate import DamagedStreamError, Inflater, TooLargeError, codings

_CONNECT_SECONDS = 10.0  # a third of the whole; a host that does not answer by then does not answer
_DIALLED_ADDRESSES = 3  # enough for one IPv6 and two IPv4 addresses, without hanging on a long list
_KEPT_CONNECTIONS = 100  # of hosts that are visited again and again
_KEPT_SECONDS = 30.0  # longer than the pause between two visits; servers close after 5 to 75 s
_MAX_HEADERS = 200  # pages come with some 20 to 60; h11 bounds their bytes, this their number
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.8"


@dataclass(frozen=True)
class Answer:
    """A server's answer to one request: redirects are not followed, the content is decompressed."""

    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes
    notes: tuple[str, ...] = ()

    def header(self, name: str) -> str | None:
        """Return the first header of this name, given in lower case."""
        return next((value for key, value in self.headers if key.lower() == name), None)


class HttpClient:
    """Sends single requests; no cookies of its own, no proxies in server use."""

    def __init__(
        self,
        limits: Limits,
        policy: CrawlPolicy,
        resolver: Resolver,
        *,
        keep_alive: bool = False,
        proxy: Proxy | None = None,
    ) -> None:
        self._limits = limits
        # A pinned connection is known by its numeric address only, so it must never serve a second name.
        self._kept = _KEPT_CONNECTIONS if keep_alive and not policy.public_only else 0
        self._resolver = resolver
        self._headers = {
            "User-Agent": policy.user_agent,
            "Accept": _ACCEPT,
            "Accept-Language": "en,*;q=0.5",
            "Accept-Encoding": "gzip, deflate, br, zstd",
        }
        self._proxies = not policy.public_only
        self._proxy = proxy
        # Opening one takes a fifth of a second, for the certificates, so it is done when it is needed.
        self._clients: dict[bool, httpx2.AsyncClient] = {}

    async def __aenter__(self) -> "HttpClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.aclose()

    async def get(  # noqa: PLR0913 - keywords, each of them said seldom
        self,
        location: Location,
        *,
        source: str,
        seconds: float,
        limit: int | None = None,
        cut: bool = False,
        headers: Mapping[str, str] | None = None,
        posted: bytes | None = None,
    ) -> Answer:
        """One answer within `seconds`; beyond `limit` bytes it is cut, or, unless `cut`, a LimitError.

        With `posted` that is sent along, by POST.
        """
        counter = _Counter(self._limits, source, limit=limit, cut=cut)
        with _translated(source):
            try:
                async with asyncio.timeout(seconds), self._stream(location, source, headers, posted) as response:
                    return await counter.read(response)
            except TimeoutError as error:
                problem = f"gave no complete answer within {seconds:g} s; raise load_seconds if the site is slow."
                raise DeadlineError(source, problem) from error

    @property
    def _client(self) -> httpx2.AsyncClient:
        return self._opened(proxies=self._proxies)

    def _opened(self, *, proxies: bool) -> httpx2.AsyncClient:
        if proxies not in self._clients:
            self._clients[proxies] = self._open(proxies=proxies)
        return self._clients[proxies]

    def _open(self, *, proxies: bool) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers=self._headers,
            follow_redirects=False,
            trust_env=proxies and self._proxy is None,
            proxy=_proxy(self._proxy),
            timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
            limits=httpx2.Limits(max_keepalive_connections=self._kept, keepalive_expiry=_KEPT_SECONDS),
        )

    @asynccontextmanager
    async def _stream(
        self, location: Location, source: str, headers: Mapping[str, str] | None, posted: bytes | None
    ) -> AsyncIterator[httpx2.Response]:
        client = self._opened(proxies=False) if is_loopback(location.host) else self._client
        if not self._resolver.public_only:
            request = client.build_request(_method(posted), location.url, headers=headers, content=posted)
            response = await client.send(request, stream=True)
        else:
            response = await self._send_pinned(location, source, headers or {}, posted)
        client.cookies.clear()
        try:
            yield response
        finally:
            await response.aclose()

    async def _send_pinned(
        self, location: Location, source: str, headers: Mapping[str, str], posted: bytes | None
    ) -> httpx2.Response:
        addresses = await self._resolver.resolve(location.host, location.port, source=source)
        for address in addresses[: _DIALLED_ADDRESSES - 1]:
            with suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
                return await self._client.send(self._pinned(location, address, headers, posted), stream=True)
        return await self._client.send(self._pinned(location, addresses[-1], headers, posted), stream=True)

    def _pinned(
        self, location: Location, address: str, headers: Mapping[str, str], posted: bytes | None
    ) -> httpx2.Request:
        host = f"[{address}]" if ":" in address else address
        return self._client.build_request(
            _method(posted),
            f"{location.scheme}://{host}:{location.port}{location.path}",
            headers={**headers, "Host": location.authority},
            content=posted,
            extensions={"sni_hostname": location.host},
        )


def _method(posted: bytes | None) -> str:
    return "GET" if posted is None else "POST"


def _proxy(proxy: Proxy | None) -> httpx2.Proxy | None:
    if proxy is None:
        return None
    return httpx2.Proxy(proxy.address, auth=(proxy.user, proxy.password) if proxy.user else None)


class _Counter:
    """Reads a body: bytes are counted on the wire and after decompression, damage at the end becomes a note."""

    def __init__(self, limits: Limits, source: str, *, limit: int | None, cut: bool) -> None:
        self._source = source
        self._cut = cut
        self._wire_limit = limit or limits.document_bytes
        self._decoded_limit = limit or limits.decoded_bytes

    async def read(self, response: httpx2.Response) -> Answer:
        headers = tuple(response.headers.multi_items())
        if len(headers) > _MAX_HEADERS:
            raise UnreadableError(self._source, f"answered with more than {_MAX_HEADERS} headers.")
        content = bytearray()
        notes: list[str] = []
        try:
            inflater = Inflater(codings(response.headers.get("content-encoding", "")), limit=self._decoded_limit)
            await self._fill(content, response, inflater, notes)
        except TooLargeError as error:
            if not self._cut:
                raise self._too_large("decoded_bytes", self._decoded_limit, "once decompressed") from error
        except DamagedStreamError as error:
            if not content:
                raise UnreadableError(self._source, "is compressed in a way that cannot be undone.") from error
            notes.append("The compressed data is damaged; what follows the damage is missing.")
        return Answer(response.status_code, headers, bytes(content), tuple(notes))

    async def _fill(self, content: bytearray, response: httpx2.Response, inflater: Inflater, notes: list[str]) -> None:
        received = 0
        try:
            async for data in response.aiter_raw():
                received += len(data)
                if received > self._wire_limit:
                    if not self._cut:
                        raise self._too_large("document_bytes", self._wire_limit, "on the wire")
                    return
                for piece in inflater.feed(data):
                    content += piece
        except (httpx2.RemoteProtocolError, httpx2.ReadError):
            # Like browsers, keep what arrived before the connection broke, with a note.
            if not content:
                raise
            notes.append("The server closed the connection before the end; the rest is missing.")
            return
        if not inflater.complete:
            notes.append("The compressed data ends too early; the rest is missing.")

    def _too_large(self, setting: str, limit: int, where: str) -> LimitError:
        problem = f"is larger than {megabytes(limit)} {where}; raise {setting} to read it."
        return LimitError(self._source, problem, limit=setting)


# The connection was there, and broke: the same request may well succeed.
_BROKEN = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError, httpx2.CloseError)

# How the resolvers of Linux and macOS say that a name is unknown.
NO_ADDRESS = re.compile(
    r"Name or service not known|nodename nor servname|No address associated|Temporary failure in name"
)

_TRANSLATIONS: tuple[tuple[type[Exception], type[SourceError], str], ...] = (
    (httpx2.ConnectTimeout, UnreachableError, f"did not accept a connection within {_CONNECT_SECONDS:g} s."),
    (httpx2.TimeoutException, DeadlineError, "did not answer in time; raise load_seconds if the site is slow."),
    (httpx2.UnsupportedProtocol, RefusedError, "is not an http or https address."),
    (httpx2.ProxyError, UnreachableError, "could not be reached through the proxy; check its address and password."),
    (httpx2.RemoteProtocolError, UnreachableError, "answered with something that is not proper HTTP"),
    (httpx2.NetworkError, UnreachableError, "could not be reached, or broke the connection"),
    (httpx2.InvalidURL, RefusedError, "is not a well-formed web address."),
    (ssl.SSLError, UnreachableError, "has no valid certificate"),
    (OSError, UnreachableError, "could not be reached"),
    (httpx2.HTTPError, UnreachableError, "could not be fetched"),
)
"""From httpx2's errors to ours, most special first; a text without a full stop gets the reason appended."""


@contextmanager
def _translated(source: str) -> Iterator[None]:
    """Translate httpx2's exceptions to ours, in this place only."""
    try:
        yield
    except SourceError:
        raise
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        if NO_ADDRESS.search(str(error)):
            raise UnreachableError(source, "the host has no address; check the spelling.") from error
        ours, problem = next((ours, text) for theirs, ours, text in _TRANSLATIONS if isinstance(error, theirs))
        if not problem.endswith("."):
            problem = f"{problem} ({str(error).rstrip('.') or type(error).__name__})."
        if issubclass(ours, UnreachableError):
            raise ours(source, problem, passing=isinstance(error, _BROKEN)) from error
        raise ours(source, problem) from error
