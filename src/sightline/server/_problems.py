"""Every error of the API has one shape: a problem document (RFC 9457) with a code and one sentence."""

import logging
import re
import secrets
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from sightline import errors
from sightline.errors import SightlineError, UsageError
from sightline.extras import as_missing_extra
from sightline.project import Documents, StoredDocument
from sightline.redaction import redacted

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger("sightline.server")

CODES: Final = {
    "bad-request": (400, "The request cannot be understood"),
    "unauthorised": (401, "The key is missing or wrong"),
    "forbidden": (403, "This is not allowed"),
    "not-found": (404, "There is no such thing"),
    "method": (405, "This cannot be done here"),
    "gone": (410, "It is no longer there"),
    "conflict": (412, "Somebody else was faster"),
    "too-large": (413, "It is too large"),
    "usage": (422, "This makes no sense"),
    "unreadable": (422, "It could not be opened"),
    "wall": (422, "The site does not show its content"),
    "version-needed": (428, "The version is missing"),
    "internal": (500, "Something went wrong in the Studio"),
    "busy": (503, "The Studio is busy"),
}
"""Each code with its status and title."""

_BY_STATUS = {
    400: "bad-request",
    401: "unauthorised",
    403: "forbidden",
    404: "not-found",
    405: "method",
    413: "too-large",
}

# Why a source did not become a page, for those who want to react to it.
_REASONS: Final[dict[type[SightlineError], str]] = {
    errors.UnreachableError: "unreachable",
    errors.RefusedError: "refused",
    errors.LimitError: "limit",
    errors.DeadlineError: "deadline",
    errors.UnreadableError: "unreadable",
    errors.BrowserError: "browser",
    errors.BrowserMissing: "no browser",
    errors.VerificationError: "another template",
    errors.SourceError: "unreadable",
}


# A path from the root of this machine: its first folder, those below it, and the name at its end.
ABSOLUTE = re.compile(r"(?<![\w:/.>@~-])/([^\s/\"'“”,;:]+)/(?:[^\s/\"'“”,;:]+/)*")


class ProblemError(Exception):
    """A problem that a handler answers with; `extra` are further members of the document."""

    def __init__(self, code: str, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.document = problem(code, detail, **extra)


def problem(code: str, detail: str, **extra: Any) -> dict[str, Any]:
    """The document of a problem.

    >>> problem("not-found", "There is no page 3f2a.")["status"]
    404
    """
    status, title = CODES[code]
    detail = redacted(without_folders(detail))
    return {"type": f"urn:sightline:{code}", "title": title, "status": status, "detail": detail, "code": code, **extra}


def without_folders(text: str) -> str:
    """A text in which files of this machine have their names alone: where they are is nobody's business.

    >>> without_folders("/tmp/project/flows/a.csv: has no rows; see https://example.org/tmp/x and /api/files.")
    'a.csv: has no rows; see https://example.org/tmp/x and /api/files.'
    """
    return ABSOLUTE.sub(lambda found: "" if Path("/", found[1]).is_dir() else found[0], text)


def problem_of(error: SightlineError) -> dict[str, Any]:
    """The document of one of our own errors; its message is the sentence."""
    match error:
        case errors.ConflictError():
            return problem("conflict", error.message, version=error.version)
        case errors.BlockedError():
            return problem("wall", error.message, reason="wall")
        case errors.MissingExtra():
            return problem("usage", error.message, reason="extra", extra=error.extra)
        case errors.UsageError() | errors.JobCancelled():
            return problem("usage", error.message)
        case errors.OutputError():
            return problem("internal", error.message)
    reason = next((reason for kind, reason in _REASONS.items() if isinstance(error, kind)), None)
    if reason is None:
        return problem("usage", error.message)
    return problem("unreadable", error.message, reason=reason)


def problem_response(document: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    """A problem as an answer."""
    return Response(
        orjson.dumps(document, default=str),
        document["status"],
        headers={"Cache-Control": "no-store"} | (headers or {}),
        media_type=MEDIA_TYPE,
    )


def internal_problem(error: Exception) -> dict[str, Any]:
    """The problem of an error that nobody expected; its id finds it in the log.

    A package that is not installed is expected: its extra is named instead.
    """
    missing = as_missing_extra(error, "This part of the Studio") if isinstance(error, ImportError) else None
    if missing is not None:
        return problem_of(missing)
    number = secrets.token_hex(6)
    log.error("error %s\n%s", number, redacted("".join(traceback.format_exception(error))))
    return problem("internal", f"Something went wrong in the Studio; the log says more under {number}.", id=number)


def handle_problems(app: FastAPI) -> None:
    """Answer every error of the app, also those of the framework, with a problem."""

    def of_ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, SightlineError)
        return problem_response(problem_of(error))

    def of_handler(_: Request, error: Exception) -> Response:
        assert isinstance(error, ProblemError)
        return problem_response(error.document)

    def of_framework(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = _BY_STATUS.get(error.status_code, "bad-request" if error.status_code < 500 else "internal")
        details = {
            404: "There is nothing at this address.",
            405: "This address does not take this method.",
            400: "The body of the request cannot be read; send JSON, or a form for uploads.",
        }
        document = problem(code, details.get(error.status_code, str(error.detail)))
        return problem_response(document | {"status": error.status_code}, dict(error.headers or {}))

    def of_validation(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_response(_of_validation(error))

    app.add_exception_handler(SightlineError, of_ours)
    app.add_exception_handler(ProblemError, of_handler)
    app.add_exception_handler(HTTPException, of_framework)
    app.add_exception_handler(RequestValidationError, of_validation)


def _of_validation(error: RequestValidationError) -> dict[str, Any]:
    """What is wrong with a request, in one sentence; the value itself is not repeated, since it may be anything."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problem("bad-request", "The body of the request is not JSON.")
    place = [str(part) for part in first["loc"]]
    if first["loc"] == ("header", "if-match"):
        return problem("version-needed", "Name the version that you changed, with If-Match.")
    where = ".".join(place[1:]) or "the body"
    told = first["msg"][:1].lower() + first["msg"][1:]
    return problem("usage", f"The request does not fit: {where}: {told[:200]}.", field=where)


# What a request names, or the problem that it is not in the project.


@contextmanager
def names_not_found() -> Iterator[None]:
    """Turn the error of a name that no file can have into the problem that there is no such thing."""
    try:
        yield
    except UsageError as problem:
        raise ProblemError("not-found", problem.message) from problem


def found_document(documents: Documents, name: str) -> StoredDocument:
    """A document of the project; a problem if there is none of that name."""
    with names_not_found():
        stored = documents.find(name)
    if stored is None:
        raise ProblemError("not-found", f"There is no such {documents.noun} in the project; it may have been deleted.")
    return stored
