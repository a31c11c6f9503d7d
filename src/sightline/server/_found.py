"""What a request names, or the problem that it is not in the project."""

from collections.abc import Iterator
from contextlib import contextmanager

from sightline.errors import UsageError
from sightline.server._problems import ProblemError
from sightline.store import Documents, StoredDocument

__all__ = ["found_document", "names_not_found"]


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
