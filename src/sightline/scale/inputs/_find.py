"""Names as the user wrote them become inputs: every file of documents one, all single files and addresses one more."""

import glob
from collections.abc import Iterable, Iterator
from pathlib import Path

from sightline.errors import SourceError, UnreachableError, UsageError
from sightline.redaction import hide_passwords
from sightline.scale.inputs._kinds import kind_among, kind_of_named
from sightline.scale.inputs._pages import page_files
from sightline.scale.inputs._parquet import page_columns
from sightline.scale.inputs._shapes import FILES, BatchInput, InputSettings
from sightline.scale.inputs._storage import (
    files_identity,
    find_files,
    identity,
    is_address,
    is_folder,
    is_remote,
    is_text,
    local_path,
    same_file,
    shown_name,
)
from sightline.sources.files import unreachable

__all__ = ["find_inputs"]

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
