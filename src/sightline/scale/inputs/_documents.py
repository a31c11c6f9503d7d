"""From an input to references to its documents, and from a reference to its document."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import TracebackType
from typing import Protocol

from sightline.errors import SourceError, UnreadableError, UsageError
from sightline.net import Document, Limits
from sightline.scale.inputs._find import list_pages, page_files, read_page
from sightline.scale.inputs._kinds import FILES, BatchInput, DocumentReference, list_lines
from sightline.scale.inputs._parquet import ParquetReading, list_parquet
from sightline.scale.inputs._storage import files_identity, identity, is_address, is_remote, local_path, same_file
from sightline.scale.inputs._warcs import IndexReading, WaczReading, WarcReading, list_index, list_wacz, list_warc
from sightline.sources.files import unreachable


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


# -- inputs that a batch knows already ------------------------------------------------------------------------------
# Names may be written in another way than when the batch began, relative to another folder, or together with more
# names. A document that was listed by one name must not be listed again by another.


class KnownInputs:
    """The inputs of a batch that was begun in the folder `began_in`, to which their names are relative."""

    def __init__(self, inputs: Iterable[BatchInput], began_in: str) -> None:
        self._by_name = {one.name: one for one in inputs}
        self._began_in = began_in
        self._compared: set[str] = set()

    def news(self, found: BatchInput) -> BatchInput | None:
        """What of an input is not known yet; a UsageError if what is known has changed."""
        if found.kind == FILES:
            return self._new_pages(found)
        known = self._by_name.get(found.name) or self._by_file.get(same_file(found.names[0]))
        if known is None:
            return found
        self._compare(known, found.identity)
        return None

    def compare_rest(self, names: Iterable[str]) -> None:
        """Look at inputs that are still to be read, by their names, although nobody has named them this time.

        An unknown one was added in this moment by another driver, which has just seen it.
        """
        for name in names:
            if name in self._by_name and name not in self._compared:
                self._look_at(self._by_name[name])

    def _look_at(self, known: BatchInput) -> None:
        self._compare(known, _identity_now(known))

    def _new_pages(self, found: BatchInput) -> BatchInput | None:
        known = [one for one in self._by_name.values() if one.kind == FILES]
        for one in known:
            if one.names == found.names and not one.besides:
                self._compare(one, found.identity)
                return None
        before = {self._file(name): one for one in known for name in one.names}
        named = {same_file(name): name for name in found.names}
        for one in {before[file].name: before[file] for file in named if file in before}.values():
            self._look_at(one)
        new = tuple(name for file, name in named.items() if file not in before)
        return self._input(found, new, tuple(before)) if new else None

    def _input(self, found: BatchInput, names: tuple[str, ...], besides: tuple[str, ...]) -> BatchInput:
        if not besides:
            return found
        name = names[0] if len(names) == 1 else found.name
        if name in self._by_name:
            name = f"{name} ({len(self._by_name) + 1})"
        return BatchInput(name, FILES, files_identity(page_files(names, besides)), names=names, besides=besides)

    def _compare(self, known: BatchInput, identity_now: str) -> None:
        self._compared.add(known.name)
        if known.identity == identity_now:
            return
        if self._is_elsewhere(known):
            raise UsageError(
                f"This batch was begun in {self._began_in}, where {known.name} lies; give the command in that folder."
            )
        what = "has changed" if identity_now else "is gone"
        raise UsageError(
            f"{known.name} {what} since this batch was begun; restore it, or choose another folder to write to."
        )

    def _is_elsewhere(self, known: BatchInput) -> bool:
        """Whether its names stand for other files here than where the batch was begun."""
        return any(self._file(name) != same_file(name) for name in known.names)

    @cached_property
    def _by_file(self) -> dict[str, BatchInput]:
        return {self._file(one.names[0]): one for one in self._by_name.values() if one.kind != FILES}

    def _file(self, name: str) -> str:
        """The file that a name stood for when the batch was begun."""
        if is_address(name) or is_remote(name):
            return name
        return same_file(os.path.join(self._began_in, local_path(name)))  # noqa: PTH118 - as text, like all names here


def _identity_now(known: BatchInput) -> str:
    """Nothing if it is not there any more."""
    try:
        if known.kind == FILES:
            return files_identity(page_files(known.names, known.besides))
        return identity(known.names[0])
    except (OSError, SourceError):
        return ""
