"""Files by their names, on this machine or wherever fsspec reaches: opened, told apart, and found."""

import glob
import hashlib
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit
from urllib.request import url2pathname

from sightline.errors import MissingExtra, UnreachableError
from sightline.sources.files import CRAWL_INDEX

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)(?:://|::)")
_WEB = ("http", "https")
# A reader of documents goes forward with small steps; the buffers of object stores are 5 MB and more by default.
_BLOCK_BYTES = 1 << 20


def is_address(name: str) -> bool:
    """Whether it is a page of the web, which a loader fetches.

    >>> is_address("https://shop.example/"), is_address("s3://pages/a.warc.gz"), is_address("a.html")
    (True, False, False)
    """
    return _scheme(name) in _WEB


def is_remote(name: str) -> bool:
    """Whether it is read by fsspec."""
    return _scheme(name) not in (*_WEB, "file", "")


def _scheme(name: str) -> str:
    if "::" not in name and "://" not in name:  # as nearly all of a million files
        return ""
    found = _SCHEME.match(name)
    return found[1].lower() if found else ""


def local_path(name: str) -> str:
    """The path of a file on this machine, which may be written as a `file://` address."""
    return url2pathname(urlsplit(name).path) if _scheme(name) == "file" else name


def same_file(name: str) -> str:
    """What all names of one file have in common."""
    return name if is_remote(name) or is_address(name) else os.path.realpath(local_path(name))


def open_file(name: str) -> BinaryIO:
    """Open a file that can be read from any place; an OSError if that fails."""
    if not is_remote(name):
        return Path(local_path(name)).open("rb")
    system, path = _system(name)
    return cast("BinaryIO", system.open(path, "rb", block_size=_BLOCK_BYTES))


def identity(name: str) -> str:
    """What changes when the bytes of a file do: size and time, or what its store says; an OSError if it fails."""
    if not is_remote(name):
        found = os.stat(local_path(name))  # noqa: PTH116 - a `Path` takes longer than the rest
        return f"{found.st_size}-{found.st_mtime_ns}"
    system, path = _system(name)
    return f"{system.size(path)}-{system.ukey(path)}"


def is_folder(name: str) -> bool:
    """Whether a name is that of a folder."""
    if is_remote(name):
        system, path = _system(name)
        return bool(system.isdir(path))
    try:
        return Path(local_path(name)).is_dir()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def find_files(name: str) -> Iterator[str]:
    """The files of a folder or a glob in the order of their names; of a crawl's folder, its index alone."""
    if is_remote(name):
        yield from _find_remote(name)
    elif is_folder(name):
        yield from _walk(local_path(name))
    elif Path(local_path(name)).exists():
        yield name
    else:
        # `Path.glob` knows no absolute patterns, hence the older function.
        yield from sorted(path for path in glob.glob(local_path(name), recursive=True) if not is_folder(path))  # noqa: PTH207


def _walk(folder: str) -> Iterator[str]:
    """Walk a folder without following links to other folders; only the names of one folder are held at a time."""
    start = folder if folder.endswith("/") else f"{folder}/"  # not by `Path`, which takes longer than the rest
    if Path(start + CRAWL_INDEX).exists():
        yield start + CRAWL_INDEX
        return
    with os.scandir(folder) as entries:
        found = sorted((entry.name, entry.is_dir(follow_symlinks=False), entry.is_file()) for entry in entries)
    for name, is_directory, is_file in found:
        if is_directory:
            yield from _walk(start + name)
        elif is_file:
            yield start + name


def _find_remote(name: str) -> Iterator[str]:
    system, path = _system(name)
    if not glob.has_magic(path) and not system.isdir(path):
        yield name
        return
    for found in sorted(system.glob(path) if glob.has_magic(path) else system.find(path)):
        if not system.isdir(found):
            yield str(system.unstrip_protocol(found))


def files_identity(names: Iterator[str]) -> str:
    """What changes when one of many files does, or when there is one more or less."""
    digest = hashlib.blake2b(digest_size=16)
    for name in names:
        digest.update(os.fsencode(f"{name}\0{'' if is_address(name) else identity(name)}\0"))
    return digest.hexdigest()


def is_text(name: str) -> bool:
    """Whether a name can be written down: names of files may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown_name(name: str) -> str:
    """A name that can be written down, with the bytes that aren't text as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _system(name: str) -> tuple[Any, str]:
    """The file system of a name, and the path in it."""
    try:
        system, path = _systems()(name)
    except ValueError as problem:
        raise UnreachableError(name, f"no file system has it ({problem}); check what stands before ://.") from problem
    except ImportError as problem:
        raise UnreachableError(name, f"its file system is not installed ({problem}).") from problem
    return system, path


@cache
def _systems() -> Any:
    try:
        from fsspec.core import url_to_fs
    except ImportError as problem:
        raise MissingExtra("scale", "Reading from an object store") from problem
    return url_to_fs
