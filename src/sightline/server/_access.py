"""Who may use the Studio: a random token for programs and the first visit, a cookie for browsers, a password."""

import asyncio
import hmac
import ipaddress
import re
import secrets
import socket
from collections import OrderedDict
from dataclasses import dataclass, field

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
