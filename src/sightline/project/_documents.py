"""Documents that several people edit at once: files that are saved by the version they were made from.

Nobody's save is lost: whoever saves names the version that they read, and is refused if the file has changed since.
What is saved is on the disk before it is acknowledged.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from sightline.documents import MOST_BYTES, check_document
from sightline.errors import ConflictError, UsageError
from sightline.files import make_folder, read_bytes, sync_folder, write_bytes, writing
from sightline.project._locks import Lock

ANY: Final = "*"
"""As the expected version: whatever is there is replaced."""

VERSION_DIGITS = 16  # 64 bits; two versions of one file never meet by chance
LONGEST_NAME = 180  # bytes; with a suffix and the marks of a temporary file it stays below the 255 of file systems
LOCK = ".lock"
_NAME = re.compile(r"\w[\w .-]{0,99}")


def version_of(content: bytes) -> str:
    """The version of a document: the beginning of the hash of its bytes.

    >>> version_of(b"{}")
    '44136fa355b3678a'
    """
    return hashlib.sha256(content).hexdigest()[:VERSION_DIGITS]


def check_name(name: str, what: str) -> str:
    """A name that is also the name of a file, and never a path.

    >>> check_name("../x", "a lesson")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: '../x' cannot name a lesson; use letters, digits, blanks, dots and dashes.
    """
    if not _is_name(name):
        shorter = "a shorter name of " if len(name) > LONGEST_NAME // 2 else ""
        raise UsageError(f"{name!r:.60} cannot name {what}; use {shorter}letters, digits, blanks, dots and dashes.")
    return name


def _is_name(name: str) -> bool:
    fits = len(name.encode("utf-8", "replace")) <= LONGEST_NAME
    return bool(_NAME.fullmatch(name)) and fits and name == name.strip()


def check_version(name: str, found: str, expected: str) -> None:
    """Refuse a change that was made from another version than the one that was found."""
    if expected not in (found, ANY):
        told = "somebody else has changed it meanwhile; load it again, then repeat the change."
        raise ConflictError(name, told, found)


@dataclass(frozen=True)
class StoredDocument:
    """The bytes of a document, with the version that a save has to name."""

    name: str
    content: bytes
    version: str


class Documents:
    """The documents of one kind in a folder, each a file with its name and the suffix of the kind.

    `what` says what one of them is, for errors: "a lesson".

    >>> import tempfile
    >>> lessons = Documents(tempfile.mkdtemp(), ".lesson.json", "a lesson")
    >>> first = lessons.save("cameras", b"{}", expected=None)
    >>> lessons.save("cameras", b"[]", expected="0" * 16)
    Traceback (most recent call last):
    ...
    sightline.errors.ConflictError: cameras: somebody else has changed it meanwhile; load it again, then repeat the ...
    >>> lessons.names(), lessons.load("cameras").content
    (['cameras'], b'{}')
    """

    def __init__(self, folder: str | os.PathLike[str], suffix: str, what: str) -> None:
        self.folder: Path = Path(folder)
        self.suffix = suffix
        self.what = what
        self.noun: str = what.removeprefix("an ").removeprefix("a ")

    def path(self, name: str) -> Path:
        """The file of a document; the name is checked first."""
        return self.folder / f"{check_name(name, self.what)}{self.suffix}"

    def names(self) -> list[str]:
        """The names of all documents, sorted; a file whose name none of them can have is left out."""
        found = [path.name.removesuffix(self.suffix) for path in self.folder.glob(f"*{self.suffix}")]
        return sorted(filter(_is_name, found))

    def changed(self, name: str) -> float:
        """When a document was saved last, in seconds since 1970; 0 if there is none."""
        try:
            return self.path(name).stat().st_mtime
        except OSError:
            return 0.0

    def find(self, name: str) -> StoredDocument | None:
        """A document, or None if there is none of that name."""
        path = self.path(name)
        if not path.exists():
            return None
        content = read_bytes(path, "remove it from the project folder", MOST_BYTES)
        return StoredDocument(name, content, version_of(content))

    def load(self, name: str) -> StoredDocument:
        """A document; an error if there is none of that name."""
        found = self.find(name)
        if found is None:
            raise UsageError(f"There is no {self.noun} {name!r} in {self.folder}; list them first.")
        return found

    def save(
        self, name: str, content: bytes, *, expected: str | None, beside: Mapping[str, bytes] | None = None
    ) -> str:
        """Save a document and return its new version, once it is on the disk.

        `expected` is the version it was made from, None if there must be none yet, or `ANY`. `beside` are files of the
        same name that belong to it, by their suffixes; they are written before it, under the same lock.
        """
        path = self.path(name)
        with self.locked():
            self._check(name, expected)
            for suffix, more in (beside or {}).items():
                write_bytes(self.folder / f"{name}{suffix}", more)
            write_bytes(path, content)
            sync_folder(self.folder)
        return version_of(content)

    def delete(self, name: str, *, expected: str, beside: Iterable[str] = ()) -> None:
        """Delete a document of this version, or of `ANY`, and the files `beside` it, by their suffixes."""
        path = self.path(name)
        with self.locked():
            self._check(name, expected)
            for one in (path, *(self.folder / f"{name}{suffix}" for suffix in beside)):
                one.unlink(missing_ok=True)
            sync_folder(self.folder)

    def free_name(self, wanted: str) -> str:
        """A name like the one that is wanted, and of no document yet; `save` with `expected=None` has the last word.

        >>> import tempfile
        >>> Documents(tempfile.mkdtemp(), ".json", "a lesson").free_name("Cameras & lenses / 2026")
        'Cameras lenses 2026'
        """
        plain = " ".join(re.sub(r"[^\w .-]+", " ", wanted).split()).lstrip(" .-")
        while len(plain.encode()) > LONGEST_NAME // 2:
            plain = plain[:-1]
        stem = plain[:60].strip() or self.noun
        taken = {name.casefold() for name in self.names()}
        return next(
            name
            for name in (stem, *(f"{stem} {number}" for number in range(2, len(taken) + 3)))
            if name.casefold() not in taken
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder against all other writers, in this process and in others; readers need no lock."""
        make_folder(self.folder)
        with writing(self.folder):
            lock = Lock(self.folder / LOCK, wait=True)
        with lock:
            yield

    def _check(self, name: str, expected: str | None) -> None:
        found = self.find(name)
        if expected == ANY:
            return
        if found is None and expected is not None:
            raise ConflictError(name, "somebody else has deleted it meanwhile; save it under another name.", None)
        if found is not None and expected is None:
            raise ConflictError(name, f"there is such {self.what} already; choose another name.", found.version)
        if found is not None and expected is not None:
            check_version(name, found.version, expected)


# Undo and redo as data: a list of steps, and how many of them count.

EditStep: TypeAlias = dict[str, Any]
"""One change as plain values; its `words` say what it does: "renamed price → Price"."""


@dataclass(frozen=True)
class Steps:
    """Steps in order, of which the first `at` count; the others were undone and can be redone.

    A new step takes the place of what was undone.

    >>> steps = Steps().then({"action": "drop", "words": "dropped price"}).undone()
    >>> steps.done, steps.redone().done
    ((), ({'action': 'drop', 'words': 'dropped price'},))
    >>> steps.undone()
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is nothing to undo.
    """

    steps: tuple[EditStep, ...] = ()
    at: int = 0

    @property
    def done(self) -> tuple[EditStep, ...]:
        """The steps that count."""
        return self.steps[: self.at]

    @property
    def words(self) -> list[str]:
        """What each step does, also those that were undone."""
        return [str(step.get("words", "")) for step in self.steps]

    def then(self, step: EditStep) -> "Steps":
        """One step more, in place of all that were undone."""
        return Steps((*self.done, step), self.at + 1)

    def undone(self) -> "Steps":
        """The same without the last step that counts."""
        if not self.at:
            raise UsageError("There is nothing to undo.")
        return Steps(self.steps, self.at - 1)

    def redone(self) -> "Steps":
        """The same with the last step that was undone."""
        if self.at >= len(self.steps):
            raise UsageError("There is nothing to redo.")
        return Steps(self.steps, self.at + 1)

    def to_json(self) -> dict[str, Any]:
        """The steps as plain values."""
        return {"steps": list(self.steps), "at": self.at}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Steps":
        """The steps of a document; an error says what is wrong with it."""
        check_document(document, _Written)
        steps = tuple(document.get("steps", ()))
        return cls(steps, min(max(document.get("at", len(steps)), 0), len(steps)))


@dataclass
class _Written:
    """The form of steps in a document."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    at: int = 0
