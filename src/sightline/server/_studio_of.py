"""How a handler gets at the Studio that it works for, and at the version that a change was made from."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Query, Request

from sightline.server._problems import ProblemError
from sightline.server._studio import Studio
from sightline.store import ANY

__all__ = ["AskedRows", "IfMatch", "MaybeMatch", "StudioDep", "WindowDep"]


def studio_of(request: Request) -> Studio:
    """The Studio of the app that answers a request."""
    found: Studio = request.app.state.studio
    return found


def expected_version(if_match: Annotated[str | None, Header()] = None) -> str:
    """The version that a change was made from, as `If-Match` names it; `*` is `ANY`."""
    if if_match is None:
        raise ProblemError("version-needed", "Name the version that you changed, with If-Match.")
    return if_match.strip().removeprefix("W/").strip('"')


def any_version(if_match: Annotated[str | None, Header()] = None) -> str:
    """The version that `If-Match` names, or any: for deleting, which people mean whatever is there."""
    return ANY if if_match is None else expected_version(if_match)


@dataclass(frozen=True)
class AskedRows:
    """Which rows are asked for."""

    offset: Annotated[int, Query(ge=0)] = 0
    limit: Annotated[int, Query(ge=0)] = 500


StudioDep = Annotated[Studio, Depends(studio_of)]
"""The Studio, as an argument of a handler."""

IfMatch = Annotated[str, Depends(expected_version)]
"""The version that a change was made from, as an argument of a handler; without it the request is refused."""

MaybeMatch = Annotated[str, Depends(any_version)]
"""The same where it may be left out."""

WindowDep = Annotated[AskedRows, Depends()]
"""The rows that are asked for (`?offset=0&limit=500`), as an argument of a handler."""
