"""What a busy site, or one in trouble, asks for: to come back later; and how long to wait before that."""

import random
from collections.abc import Iterable
from datetime import UTC, datetime

from sightline.errors import UnreachableError

__all__ = ["AGAIN", "BUSY", "asked_pause", "backoff", "jittered", "status_problem"]

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
