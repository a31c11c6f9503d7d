"""Which web addresses are allowed, and which numeric addresses count as public.

An address is parsed once, here, into a `Location`; everything else works with that, so no two parts can read one
string differently. Spellings on which parsers disagree (backslashes, spaces, credentials) are rejected.
"""

import asyncio
import ipaddress
import re
import socket
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import TypeAlias
from urllib.parse import urljoin

import httpx2

from sightline.errors import RefusedError, UnreachableError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_WEB = re.compile(r"https?://[^/?#\\]", re.IGNORECASE)
# A host without spaces, control characters and backslashes; a port like -1, +5 or 1_0 is a number to some parsers only.
_AUTHORITY = re.compile(r"(?:\[[^\[\]\\\x00-\x20]*\]|[^:\[\]\\\x00-\x20]*)(?::[0-9]*)?")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?")
# The spelling that most links of a crawl have by then: no escapes, no query, no other letters, and a host that is a
# name or four decimal numbers. Parsing could change nothing in it, and takes eight times as long as looking.
_PLAIN = re.compile(
    r"(https?)://((?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}|((?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})))"
    r"(?::([1-9][0-9]{1,4}))?(/[A-Za-z0-9\-._~/]*)"
)
_DOTS = re.compile(r"/\.{1,2}(?:/|$)")
_MAX_URL = 8_192  # what servers commonly accept; the longest of the benchmarks' links has 1,490
_MAX_HOST = 253  # the limit of DNS
_LOOKUP_SECONDS = 10.0  # the resolver's own default of 5 s, once repeated

# The ports that the Fetch Standard blocks for browsers, because other protocols would take a request for theirs.
# fmt: off
_BLOCKED_PORTS = frozenset({
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})
# fmt: on

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Special-purpose blocks that some Python versions take for global.
_NEVER_PUBLIC = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "3fff::/20"))
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
_ISATAP = 0x5EFE

Address: TypeAlias = IPv4Address | IPv6Address
Lookup: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
"""From a host and a port to numeric addresses; raises OSError when there are none."""


@dataclass(frozen=True)
class Location:
    """A web address, parsed: host in ASCII and lower case (an IPv6 address without brackets), port always known.

    `url` is what is checked, compared and sent; it has no fragment.
    """

    url: str
    scheme: str
    host: str
    port: int
    path: str
    fragment: str = ""

    @property
    def browser_url(self) -> str:
        """The address with its fragment, which is never sent but which scripts of a page may read."""
        return f"{self.url}#{self.fragment}" if self.fragment else self.url

    @property
    def origin(self) -> str:
        """Scheme, host and port, as one string to compare."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """Host and, unless it is the scheme's own, port: what stands in a Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def admit(url: str, *, source: str | None = None) -> Location:
    """Return the parsed form of an http(s) address, or a RefusedError that says what is wrong with it.

    >>> admit("HTTP://Example.com:80/a b?q#x").url
    'http://example.com/a%20b?q'
    """
    return _plain(url) or _parsed(url, source)


def _plain(url: str) -> Location | None:
    """The address if it has the plainest spelling, in which there is nothing to parse and nothing to refuse."""
    match = _PLAIN.fullmatch(url)
    if not match or len(url) > _MAX_URL or _DOTS.search(url):
        return None
    scheme, host, numbers, given, path = match.groups()
    port = int(given) if given else _DEFAULT_PORTS[scheme]
    odd = len(host) > _MAX_HOST or (numbers and any(int(number) > 255 for number in host.split(".")))
    if odd or (given and (port in _BLOCKED_PORTS or port >= 65536 or port == _DEFAULT_PORTS[scheme])):
        return None
    return Location(url, scheme, host, port, path)


def _parsed(url: str, source: str | None) -> Location:
    text = url.strip("".join(map(chr, range(0x21))))
    name = source if source is not None else url
    problem = _spelling_problem(text)
    if problem:
        raise RefusedError(name, problem)
    try:
        parsed = httpx2.URL(text)
        host = _host(parsed)
    except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
        raise RefusedError(name, "is not a well-formed web address.") from error
    port = parsed.port if parsed.port is not None else _DEFAULT_PORTS[parsed.scheme]
    if port in _BLOCKED_PORTS or not 0 < port < 65536:
        raise RefusedError(name, f"names port {port}, which browsers do not visit; give another port.")
    place = Location("", parsed.scheme, host, port, parsed.raw_path.decode("ascii"), text.partition("#")[2])
    return replace(place, url=f"{place.origin}{place.path}")


def join(base: Location, target: str, *, source: str) -> str:
    """Return where a redirect leads; RefusedError for a target that isn't an address at all."""
    try:
        return urljoin(base.url, target.strip())
    except ValueError as error:
        raise RefusedError(source, "redirects to something that is not a well-formed web address.") from error


def _spelling_problem(text: str) -> str | None:
    """Why this spelling is refused, before anything is parsed; None when it is not."""
    scheme = _SCHEME.match(text)
    if not scheme or text[:2] == "//":
        return "is not a web address; write it with http:// or https://."
    if scheme[1].lower() not in _DEFAULT_PORTS:
        return f"has the scheme {scheme[1].lower()}:, but only http: and https: are visited; name a file by its path."
    if len(text) > _MAX_URL:
        return f"is longer than the {_MAX_URL:,} characters that servers accept."
    authority = re.split(r"[/?#]", text.partition("//")[2], maxsplit=1)[0]
    if "@" in authority:
        return "carries a user name or password; give the address without them."
    if not _WEB.match(text) or not _AUTHORITY.fullmatch(authority):
        return "is not a well-formed web address."
    return "contains control characters." if any(ord(character) < 0x20 for character in text) else None


def _host(parsed: httpx2.URL) -> str:
    """Return the host in the canonical spelling that is checked, sent and dialled; ValueError if it has none."""
    host = unicodedata.normalize("NFKC", parsed.raw_host.decode("ascii")).lower()
    if ":" in host and "%" not in host:
        return str(IPv6Address(host))
    if len(host) > _MAX_HOST or not _HOST.fullmatch(host) or ".." in host:
        raise ValueError(host)
    return _number(host) or host


def _number(host: str) -> str | None:
    """Read an IPv4 address in any spelling of browsers (`127.1`, `0x7f000001`, `017700000001`), as four numbers."""
    parts = host.rstrip(".").split(".")
    if not re.fullmatch(r"\d+|0x[0-9a-f]*", parts[-1]):
        return None
    numbers = [_part(part) for part in parts]
    if len(numbers) > 4 or any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        raise ValueError(host)
    whole = numbers[-1] + sum(number << (8 * (3 - index)) for index, number in enumerate(numbers[:-1]))
    return str(IPv4Address(whole))


def _part(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if part.startswith("0") and part != "0" else int(part)


# -- numeric addresses ---------------------------------------------------------------------------------------------


def is_public(address: str | Address) -> bool:
    """Whether an address, and every IPv4 address hidden in it, belongs to the public internet.

    >>> is_public("93.184.216.34"), is_public("::ffff:10.0.0.1"), is_public("64:ff9b::a9fe:a9fe")
    (True, False, False)
    """
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return False
    if any(number in network for network in _NEVER_PUBLIC):
        return False
    if isinstance(number, IPv4Address):
        return number.is_global and not number.is_multicast
    if number.scope_id is not None:
        return False
    inside = _embedded(number)
    if number.ipv4_mapped or number in _NAT64:
        return all(map(is_public, inside))
    return number.is_global and number in _GLOBAL_UNICAST and all(map(is_public, inside))


@lru_cache(maxsize=1_024)
def is_loopback(host: str) -> bool:
    """Whether a host, as written, is this machine; names other than localhost are not looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = number.ipv4_mapped if isinstance(number, IPv6Address) else None
    return (mapped or number).is_loopback


def _embedded(number: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses that transition schemes would reach through this one."""
    low = IPv4Address(int(number) & 0xFFFFFFFF)
    found = [number.ipv4_mapped, number.sixtofour, *(number.teredo or ())]
    found.append(low if number in _NAT64 or number in _COMPATIBLE else None)
    found.append(low if (int(number) >> 32) & 0xFFFF == _ISATAP else None)
    return [address for address in found if address is not None]


async def system_lookup(host: str, port: int) -> list[str]:
    """Return the numeric addresses of a host, from the operating system."""
    loop = asyncio.get_running_loop()
    answers = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class Resolver:
    """Finds the numeric addresses of hosts and, in server use, refuses those that are not public.

    One private address among several refuses the host: a name that answers with both is an attack. The answer is the
    same for hosts that do not exist, so that we do not reveal which internal names do.
    """

    OPAQUE = "is not visited by this server: it does not exist or is not on the public internet."

    def __init__(
        self,
        *,
        public_only: bool,
        lookup: Lookup = system_lookup,
        allowed: Callable[[str], bool] = is_public,
    ) -> None:
        self.public_only = public_only
        self._lookup = lookup
        self._allowed = allowed

    async def resolve(self, host: str, port: int, *, source: str) -> list[str]:
        """Return the addresses to dial, in order; RefusedError or UnreachableError when there are none."""
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                addresses = await self._lookup(host, port)
        except (OSError, UnicodeError) as error:
            raise self._unknown(host, source) from error
        if not addresses:
            raise self._unknown(host, source)
        if self.public_only and not all(map(self._allowed, addresses)):
            raise RefusedError(source, self.OPAQUE)
        return addresses

    def _unknown(self, host: str, source: str) -> RefusedError | UnreachableError:
        if self.public_only:
            return RefusedError(source, self.OPAQUE)
        return UnreachableError(source, f"the host {host} is not known; check its spelling and your connection.")
