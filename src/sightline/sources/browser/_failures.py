"""What can go wrong with a visit, in words: the table from the browser's errors to ours."""

from sightline.errors import LimitError, SourceError, UnreachableError, UnreadableError
from sightline.net import Limits, status_problem
from sightline.sources.browser._visit import Visit

__all__ = ["BLOCKED", "IsPdf", "check_kind", "check_limits", "check_start"]

MARKUP_TYPES = frozenset(("", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"))

PDF = "application/pdf"
TOO_MANY_REDIRECTS = "net::ERR_TOO_MANY_REDIRECTS"
ABORTED = "net::ERR_ABORTED"
BLOCKED = "net::ERR_BLOCKED_BY_CLIENT"
CERTIFICATE = "net::ERR_CERT_"
WITHOUT_CONTENT = (204, 205)
UNREACHABLE = {
    "net::ERR_NAME_NOT_RESOLVED": "the host has no address; check the spelling",
    "net::ERR_CONNECTION_REFUSED": "the host refuses connections; check the port, or try later",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_CONNECTION_RESET": "the host closed the connection; try later",
    "net::ERR_CONNECTION_CLOSED": "the host closed the connection; try later",
    "net::ERR_EMPTY_RESPONSE": "the host sent no answer; try later",
    "net::ERR_ADDRESS_UNREACHABLE": "the host is unreachable; check your connection",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer; try later",
    "net::ERR_TUNNEL_CONNECTION_FAILED": "the address may not be visited",
    "net::ERR_PROXY_CONNECTION_FAILED": "the proxy cannot be reached; check its address",
    "net::ERR_UNSAFE_REDIRECT": "redirects to an address that may not be visited",
    "net::ERR_UNKNOWN_URL_SCHEME": "redirects to something that is not a web address",
    "net::ERR_INVALID_REDIRECT": "redirects to something that is not a web address",
    "net::ERR_SSL_PROTOCOL_ERROR": "the host does not support TLS properly; try http://",
    "net::ERR_INVALID_RESPONSE": "the host's answer is not HTTP",
    "net::ERR_INVALID_HTTP_RESPONSE": "the host's answer is not HTTP",
}
BROKEN = frozenset(("net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_CLOSED", "net::ERR_EMPTY_RESPONSE"))


ERROR_STATUS = 400  # and all above


class IsPdf(UnreadableError):
    """The address leads to a PDF, which is read without the browser."""


def check_start(error: str | None, visit: Visit, source: str, limits: Limits) -> None:
    """Raise the error with which a navigation ended, if any."""
    if not error:
        return
    if error == TOO_MANY_REDIRECTS:
        raise LimitError(
            source, f"redirects more than {limits.redirects} times, perhaps in a circle.", limit="redirects"
        )
    if error == ABORTED and visit.status in WITHOUT_CONTENT:
        raise UnreachableError(source, f"answered with status {visit.status}, which means that there is no content.")
    if error == ABORTED and visit.media_type == PDF:
        raise IsPdf(source, "is a PDF.")
    if error == ABORTED:
        _check_status(visit, source)
        kind = visit.media_type or "something that is not a page"
        raise UnreadableError(source, f"is a download ({kind}); save it and give the file instead.")
    if error.startswith(CERTIFICATE):
        raise UnreachableError(source, f"the host's certificate is not valid ({error.removeprefix('net::ERR_')}).")
    _check_status(visit, source)  # of a download with an error status, the browser says that it is not HTTP
    problem = UNREACHABLE.get(error, f"could not be loaded ({error})") + "."
    raise UnreachableError(source, problem, passing=error in BROKEN)


def check_kind(visit: Visit, source: str) -> None:
    """Reject anything but markup and text."""
    if visit.media_type == PDF:
        raise IsPdf(source, "is a PDF.")
    if visit.media_type not in MARKUP_TYPES and not visit.media_type.endswith("+xml"):
        _check_status(visit, source)
        raise UnreadableError(source, f"is {visit.media_type}, not a page; give the address of a page.")


def _check_status(visit: Visit, source: str) -> None:
    """Reject an error status: what a server sends with it says nothing about the address."""
    if visit.status is not None and visit.status >= ERROR_STATUS:
        raise status_problem(source, visit.status)


def check_limits(visit: Visit, source: str, limits: Limits) -> None:
    """Check the limits that are counted while a page loads."""
    problem: SourceError | None = None
    if visit.redirects > limits.redirects:
        text = f"redirects more than {limits.redirects} times, perhaps in a circle (limit: redirects)."
        problem = LimitError(source, text, limit="redirects")
    elif visit.wire_bytes > limits.document_bytes:
        text = f"is larger than {limits.document_bytes:,} bytes; raise the limit `document_bytes` to read it."
        problem = LimitError(source, text, limit="document_bytes")
    elif visit.decoded_bytes > limits.decoded_bytes:
        text = f"unpacks to more than {limits.decoded_bytes:,} bytes; raise the limit `decoded_bytes` to read it."
        problem = LimitError(source, text, limit="decoded_bytes")
    if problem:
        raise problem
