"""Single files and addresses: every file of folders and globs, what was named itself, and the lines of lists."""

import re
from collections.abc import Iterator
from itertools import pairwise

from sightline.errors import LimitError, SourceError, UnreadableError
from sightline.net import Document, Limits, media_type_of, megabytes
from sightline.scale.inputs._kinds import kind_among
from sightline.scale.inputs._shapes import BatchInput, DocumentReference
from sightline.scale.inputs._storage import (
    find_files,
    is_address,
    is_folder,
    is_remote,
    is_text,
    local_path,
    open_file,
    same_file,
    shown_name,
)
from sightline.sources.files import documents

__all__ = ["list_pages", "page_files", "read_page"]

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
