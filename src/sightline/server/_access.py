"""Who may use the Studio: a random token for programs and the first visit, a cookie for browsers, a password."""

import asyncio
import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field

__all__ = ["Access", "is_loopback_name"]

# After a wrong password the next answer takes this long, twice as long each time, up to the second number: 10,000 tries
# a day instead of millions, and nobody who mistypes twice notices.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
MOST_WAITING = 8  # attempts; more at a time are nobody's fingers


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
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._failed = 0
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

    async def is_password(self, given: str) -> bool | None:
        """Whether this is the password; wrong ones take longer and longer. None if too many are tried at a time."""
        if self.password is None:
            return False
        if self._waiting >= MOST_WAITING:
            return None
        self._waiting += 1
        try:
            async with self._turn:
                right = hmac.compare_digest(given.encode("utf-8", "replace"), self.password.encode())
                if not right:
                    await asyncio.sleep(min(FIRST_PAUSE * 2**self._failed, LONGEST_PAUSE))
                    self._failed = min(self._failed + 1, 10)
                else:
                    self._failed = 0
                return right
        finally:
            self._waiting -= 1


def _without_port(name: str) -> str:
    """The host of a Host header.

    >>> _without_port("127.0.0.1:8765"), _without_port("[::1]:80"), _without_port("::1")
    ('127.0.0.1', '::1', '::1')
    """
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name if name.count(":") > 1 else name.partition(":")[0]
