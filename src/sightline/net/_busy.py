"""What a busy site asks for: to come back later."""

from collections.abc import Iterable
from datetime import UTC, datetime

__all__ = ["BUSY", "asked_pause"]

BUSY = frozenset({429, 503})
"""The statuses by which a site says that it has too much to do, and that the same request may succeed later."""


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
