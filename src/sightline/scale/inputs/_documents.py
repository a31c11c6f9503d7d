"""From an input to references to its documents, and from a reference to its document."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol

from sightline.errors import SourceError, UnreadableError
from sightline.net import Document, Limits
from sightline.scale.inputs._kinds import list_lines
from sightline.scale.inputs._pages import list_pages, read_page
from sightline.scale.inputs._parquet import ParquetReading, list_parquet
from sightline.scale.inputs._shapes import BatchInput, DocumentReference
from sightline.scale.inputs._storage import identity
from sightline.scale.inputs._wacz import WaczReading, list_wacz
from sightline.scale.inputs._warcs import IndexReading, WarcReading, list_index, list_warc
from sightline.sources.files import unreachable

__all__ = ["DocumentReader", "list_documents"]


class _Reading(Protocol):
    """Reads the documents of one input."""

    def read(self, reference: DocumentReference) -> str | Document | SourceError: ...

    def close(self) -> None: ...


def list_documents(found: BatchInput, limits: Limits) -> Iterator[DocumentReference]:
    """Yield a reference for every document of an input, in constant memory.

    What is damaged is a reference too, with its problem, so that the references are all that there is to account for.
    An input that cannot be read to its end gives a last reference that says so.
    """
    try:
        yield from _LISTS[found.kind](found, limits)
    except (OSError, SourceError) as problem:
        known = problem if isinstance(problem, SourceError) else unreachable(found.name, problem)
        yield DocumentReference(f"{found.name}#rest", found.name, f"could not be listed to its end: {known.problem}")


class DocumentReader:
    """Reads the documents of one input by their references; cheap in the order of listing, right in any order.

    Nothing is raised for a document that cannot be read: the error is the result. A `str` is an address that a loader
    has to fetch.
    """

    def __init__(self, found: BatchInput, limits: Limits) -> None:
        self._found = found
        self._limits = limits
        self._reading: _Reading | None = None

    def __enter__(self) -> "DocumentReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; reading opens it again."""
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    def read(self, reference: DocumentReference) -> str | Document | SourceError:
        """What a reference stands for."""
        if reference.problem:
            return UnreadableError(reference.id, reference.problem)
        try:
            if self._reading is None:
                self._reading = self._opened()
            return self._reading.read(reference)
        except SourceError as problem:
            return problem
        except (OSError, ValueError) as problem:
            return unreachable(reference.known_as, problem)

    def _opened(self) -> _Reading:
        if self._found.kind in _BY_PLACE and identity(self._found.name) != self._found.identity:
            problem = "has changed since its documents were listed; begin a new job, or restore it."
            raise UnreadableError(self._found.name, problem)
        return _READINGS[self._found.kind](self._found, self._limits)


class _PageReading:
    """Reads files; there is nothing to keep open."""

    def __init__(self, _: BatchInput, limits: Limits) -> None:
        self._limits = limits

    def read(self, reference: DocumentReference) -> str | Document | SourceError:
        return read_page(reference.known_as, self._limits)

    def close(self) -> None:
        pass


_BY_PLACE = ("warc", "wacz", "parquet")
_LISTS: dict[str, Callable[[BatchInput, Limits], Iterator[DocumentReference]]] = {
    "warc": list_warc,
    "wacz": list_wacz,
    "parquet": list_parquet,
    "index": list_index,
    "list": lambda found, _: list_lines(found),
    "files": lambda found, _: list_pages(found),
}
_READINGS: dict[str, Callable[[BatchInput, Limits], _Reading]] = {
    "warc": WarcReading,
    "wacz": WaczReading,
    "parquet": ParquetReading,
    "index": IndexReading,
    "list": _PageReading,
    "files": _PageReading,
}
