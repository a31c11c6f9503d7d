"""Names as the user wrote them become inputs: every file of documents one, all single files and addresses one more."""

import glob
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from sightline.errors import LimitError, SourceError, UnreachableError, UnreadableError, UsageError
from sightline.net import Document, Limits, media_type_of, megabytes
from sightline.redaction import hide_passwords
from sightline.scale.inputs._kinds import FILES, BatchInput, DocumentReference, InputSettings, kind_among, kind_of_named
from sightline.scale.inputs._parquet import page_columns
from sightline.scale.inputs._storage import (
    files_identity,
    find_files,
    identity,
    is_address,
    is_folder,
    is_remote,
    is_text,
    local_path,
    open_file,
    same_file,
    shown_name,
)
from sightline.sources.files import documents, unreachable

_MANY = "files and addresses"  # the name of the input of all that was named one by one

_MISSING = "there is no such file or folder; check the path, or write https:// before a web address."


def find_inputs(names: Iterable[str], settings: InputSettings | None = None) -> Iterator[BatchInput | SourceError]:
    """Yield the inputs that names stand for, and an error for every name that stands for nothing.

    WARC, WACZ and Parquet files, lists and the indexes of crawls are inputs of their own, whether they were named
    themselves, by a glob or by their folder; pages and addresses together are the last input. A file that is named
    twice is one input. A UsageError is raised if a Parquet file does not tell which column holds the pages.

    >>> [found.kind for found in find_inputs(["https://shop.example/"])]
    ['files']
    """
    settings = settings or InputSettings()
    finder = _Finder(settings)
    for name in names:
        try:
            yield from finder.find(name)
        except UsageError:
            raise
        except SourceError as problem:
            yield problem
        except (OSError, ValueError) as problem:
            yield unreachable(name or "(an empty name)", problem)
    yield from finder.pages()


class _Finder:
    """Remembers what was found, so that nothing is found twice."""

    def __init__(self, settings: InputSettings) -> None:
        self._settings = settings
        self._seen: set[str] = set()
        self._pages: dict[str, None] = {}

    def find(self, name: str) -> Iterator[BatchInput | SourceError]:
        if not name:
            raise UnreachableError("(an empty name)", "names nothing; give a URL, a file, a glob or a folder.")
        if name.startswith("@") and not _is_file(name):
            yield from self._one(name, "list", name.removeprefix("@"))
        elif is_address(name):
            self._pages[hide_passwords(name)] = None  # one with a password is refused, and must not be repeated
        elif is_folder(name) or (glob.has_magic(name) and not _is_file(name)):
            yield from self._several(name)
        elif not is_remote(name) and not _is_file(name):
            raise UnreachableError(name, _MISSING)
        elif (kind := kind_of_named(name)) == "page":
            self._pages[name] = None
        else:
            yield from self._one(name, kind, name)

    def pages(self) -> Iterator[BatchInput | SourceError]:
        """All single files and addresses, if there are any."""
        if not self._pages:
            return
        names = tuple(self._pages)
        try:
            yield BatchInput(names[0] if len(names) == 1 else _MANY, FILES, _pages_identity(names), names=names)
        except OSError as problem:
            yield unreachable(names[0], problem)

    def _several(self, name: str) -> Iterator[BatchInput | SourceError]:
        """The inputs in a folder or a glob."""
        found = False
        by_glob = not is_folder(name)
        for path in find_files(name):
            kind = kind_among(path, by_glob=by_glob)
            found = found or bool(kind)
            if kind == "page":
                self._pages[name] = None
            elif kind:
                yield from self._one(path, kind, path)
        if not found:
            raise UnreachableError(name, _nothing(by_glob=by_glob))

    def _one(self, name: str, kind: str, path: str) -> Iterator[BatchInput | SourceError]:
        """A file of documents, unless it was found before."""
        if same_file(path) in self._seen:
            return
        self._seen.add(same_file(path))
        if not is_text(name):
            yield UnreachableError(shown_name(name), "its name is not UTF-8; give it another one.")
            return
        columns = page_columns(name, self._settings) if kind == "parquet" else ("", "")
        yield BatchInput(name, kind, identity(path), *columns, names=(path,))


def _is_file(name: str) -> bool:
    try:
        return not is_remote(name) and Path(local_path(name)).is_file()
    except (OSError, ValueError):
        return False


def _pages_identity(names: tuple[str, ...]) -> str:
    return files_identity(page_files(names))


def _nothing(*, by_glob: bool) -> str:
    if by_glob:
        return "no file matches it; check the pattern and the folder you are in."
    return "is a folder without any page, archive, Parquet file or list."


# -- single files and addresses -------------------------------------------------------------------------------------

_MAGIC = re.compile(r"[*?\[]")


def page_files(names: tuple[str, ...], besides: tuple[str, ...] = ()) -> Iterator[str]:
    """The files and addresses that some names stand for, each once, but none that other names stand for."""
    seen: set[str] | None = None
    if _may_overlap((*besides, *names)):
        seen = {same_file(path) for path in page_files(besides)}
    for name in names:
        for path in _pages_of(name):
            if seen is not None:
                key = same_file(path)
                if key in seen:
                    continue
                seen.add(key)
            yield path


def _pages_of(name: str) -> Iterator[str]:
    if is_address(name):
        yield name
        return
    by_glob = not is_folder(name)
    for path in find_files(name):
        if path == name or kind_among(path, by_glob=by_glob) == "page":
            yield path


def _may_overlap(names: tuple[str, ...]) -> bool:
    """Whether one name may stand for files of another: what is remembered for that grows with the number of files."""
    starts = sorted(same_file(_common_start(name)) for name in names if not is_address(name))
    return any(after.startswith(before) for before, after in pairwise(starts))


def _common_start(name: str) -> str:
    """The folder that all files of a name lie in."""
    return name if is_folder(name) else _MAGIC.split(name, maxsplit=1)[0].rpartition("/")[0] or "."


def list_pages(found: BatchInput) -> Iterator[DocumentReference]:
    """A reference for every file; its id is its path."""
    for path in page_files(found.names, found.besides):
        yield _reference(path)


def _reference(path: str) -> DocumentReference:
    if is_text(path):
        return DocumentReference(path)
    return DocumentReference(shown_name(path), problem="its name is not UTF-8; give it another one.")


def read_page(name: str, limits: Limits) -> str | Document | SourceError:
    """The document of a file; an address is returned as it is, since a loader fetches it."""
    if is_address(name):
        return name
    source = _fetched(name, limits) if is_remote(name) else local_path(name)
    if isinstance(source, SourceError):
        return source
    several = documents(source, limits)
    first = next(several)
    if next(several, None) is not None:
        problem = "is an archive of several pages; name it as an input of its own, not in a list."
        return UnreadableError(name, problem)
    return first


def _fetched(name: str, limits: Limits) -> Document | SourceError:
    with open_file(name) as stream:
        content = stream.read(limits.document_bytes + 1)
    if len(content) > limits.document_bytes:
        problem = f"is larger than {megabytes(limits.document_bytes)}; raise document_bytes to read it."
        return LimitError(name, problem, limit="document_bytes")
    return Document(source=name, url=name, content=content, media_type=media_type_of(name))
