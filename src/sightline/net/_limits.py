"""Limits and policy: the settings of everything that loads documents."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sightline._version import __version__
from sightline.errors import UnreachableError, UsageError
from sightline.net._access import SiteAccess, access_cookies, access_headers, access_proxy, access_state, origins_of
from sightline.settings import Settings, setting

PRODUCT = "Sightline"
"""Our name in robots.txt files."""

_MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Limits(Settings):
    """What a document or page may cost; reaching a limit gives an error or a note, never silence."""

    document_bytes: int = setting(50 * _MB, help="maximum bytes of a document as transferred", minimum=1)
    decoded_bytes: int = setting(200 * _MB, help="maximum bytes of a document after decompression", minimum=1)
    nodes: int = setting(500_000, help="maximum number of nodes on a page", minimum=1)
    depth: int = setting(10_000, help="maximum nesting depth of a page", minimum=1)
    load_seconds: float = setting(30.0, help="maximum seconds for a page to load", minimum=0.01)
    settle_seconds: float = setting(5.0, help="maximum seconds for a loaded page to settle", minimum=0)
    page_seconds: float = setting(60.0, help="maximum seconds for a page in total", minimum=0.01)
    redirects: int = setting(20, help="maximum number of redirects to follow", minimum=0)
    pdf_sheets: int = setting(5_000, help="maximum number of sheets to read from a PDF", minimum=1)
    pdf_memory: int = setting(2_000 * _MB, help="maximum bytes of memory for the PDF reader", minimum=50 * _MB)
    sheet_seconds: float = setting(20.0, help="maximum seconds for one sheet of a PDF", minimum=0.01)
    subresources: int = setting(
        1_000, help="maximum number of images, scripts and other parts that a page may load", minimum=0
    )


@dataclass(frozen=True, kw_only=True)
class CrawlPolicy(Settings):
    """How to treat the sites visited, and which of them to visit at all."""

    robots: bool = setting(default=True, help="whether robots.txt is obeyed")
    ignore_robots_for: tuple[str, ...] = setting((), help="hosts whose robots.txt is ignored")
    delay: float = setting(1.0, help="seconds between two requests to the same host", minimum=0)
    public_only: bool = setting(
        default=False, help="whether to refuse private, loopback and link-local addresses, as a server must"
    )
    user_agent: str = setting(f"{PRODUCT}/{__version__}", help="the user agent sent to sites")
    header: tuple[str, ...] = setting(
        (), help="headers sent to the sites that were named and to no other, each as NAME: VALUE", secret=True
    )
    cookie: tuple[str, ...] = setting(
        (), help="cookies sent to the sites that were named and to no other, each as NAME=VALUE", secret=True
    )
    state: str = setting("", help="the file of a recorded log-in, whose cookies and storage are used")
    proxy: str = setting("", help="the proxy that all requests go through, as http://HOST:PORT", secret=True)
    named: tuple[str, ...] = ()
    """The origins that headers and cookies are sent to; without any, those of the sources that are opened."""

    def __post_init__(self) -> None:
        """Check what is sent to sites as well; no error repeats it."""
        super().__post_init__()
        if self.public_only and self.proxy:
            raise UsageError(
                "proxy of CrawlPolicy cannot be used with public_only: a proxy looks addresses up itself, so nobody "
                "can check that they are public; leave one of them out."
            )
        self.access(set())

    @property
    def is_secret(self) -> bool:
        """Whether there is anything that must not be kept in a file."""
        return bool(self.header or self.cookie or self.proxy)

    def access(self, named: set[str]) -> SiteAccess:
        """What is sent to whom; `named` are further origins, and may grow."""
        named.update(self.named)
        return SiteAccess(
            headers=access_headers(self.header),
            cookies=access_cookies(self.cookie),
            state=access_state(self.state),
            proxy=access_proxy(self.proxy),
            named=named,
        )

    def bound_to(self, addresses: Iterable[str]) -> "CrawlPolicy":
        """The same policy, with headers and cookies for the origins of these addresses only, whatever is opened."""
        return replace(self, named=tuple(dict.fromkeys((*self.named, *origins_of(addresses)))))


def megabytes(count: int) -> str:
    """A number of bytes in readable form.

    >>> megabytes(50_000_000), megabytes(1_500)
    ('50 MB', '1,500 bytes')
    """
    return f"{count / _MB:,g} MB" if count >= _MB else f"{count:,} bytes"


# What a busy site, or one in trouble, asks for: to come back later; and how long to wait before that.

BUSY = frozenset({429, 503})
"""The statuses by which a site says that it has too much to do, and that the same request may succeed later."""

AGAIN = BUSY | {500, 502, 504}
"""Those after which the same request may succeed later: the site is busy, or in trouble that often passes."""

LONGEST_BACKOFF = 60.0
JITTER = 0.25  # of a pause, at most, so that many who were turned away together do not come back together


def status_problem(source: str, status: int) -> UnreachableError:
    """The error for an answer that is none; one that may be another later says so."""
    passing = status in AGAIN
    return UnreachableError(
        source, f"answered with status {status}; {'try later' if passing else 'check the address'}.", passing=passing
    )


def backoff(failures: int, first: float = 1.0) -> float:
    """The seconds to wait after so many failures in a row: twice as long each time.

    >>> [backoff(failures) for failures in (1, 2, 3, 20)]
    [1.0, 2.0, 4.0, 60.0]
    """
    return min(LONGEST_BACKOFF, first * 2.0 ** min(failures - 1, 30))


def jittered(seconds: float) -> float:
    """A pause that is somewhat longer, at random, and never shorter: a site may have asked for it."""
    return seconds * random.uniform(1.0, 1.0 + JITTER)


def asked_pause(headers: Iterable[tuple[str, str]]) -> float | None:
    """The seconds that an answer asks to wait (`Retry-After`); None if it does not say, or not in a form that counts.

    >>> asked_pause([("Retry-After", "120")])
    120.0
    >>> asked_pause([("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")])  # which is over
    0.0
    >>> asked_pause([("Retry-After", "soon")])
    """
    said = next((value.strip() for name, value in headers if name.lower() == "retry-after"), "")
    if said.isdecimal():
        return float(said)
    from email.utils import parsedate_to_datetime  # slow to import, rarely needed

    try:
        when = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
