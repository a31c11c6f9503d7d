"""The wrappers of a project folder: a file each, as the command line reads it, and beside it the history of its edits.

The Studio, agents and the command line may work in one folder at the same time. A save names the version that it was
made from and is refused if the file has changed since; a wrapper and its history are saved under one lock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from sightline.documents import check_document, decoded_document
from sightline.errors import ConflictError, UsageError
from sightline.extract.wrappers import Wrapper
from sightline.project import ANY, Documents, EditStep, Project, Steps, StoredDocument, check_version, version_of

FORMAT, VERSION = "sightline wrapper history", 1
HISTORY = ".history.json"

WrapperReader: TypeAlias = Callable[[StoredDocument], Wrapper]
"""Makes a wrapper of its file; a server remembers what it has made."""


@dataclass(frozen=True)
class WrapperHistory:
    """What a wrapper was at first, the steps since, the version after each, and the pages it was learned from.

    `versions` say which position the file is at, even if the process was killed between writing the two files. A file
    that was changed by other means has a version that is not among them, and its history begins anew.
    """

    base: Mapping[str, Any]
    steps: Steps = field(default_factory=Steps)
    versions: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The history as plain values."""
        about = {"format": FORMAT, "version": VERSION, "pages": list(self.pages), "versions": list(self.versions)}
        return about | self.steps.to_json() | {"base": self.base}

    def at_version(self, version: str) -> "WrapperHistory | None":
        """The history at the position of a version; None if it never had that version."""
        if version not in self.versions:
            return None
        # An edit and its reverse give one version at two positions; where the file is now, it stays.
        is_here = self.versions[self.steps.at : self.steps.at + 1] == (version,)
        at = self.steps.at if is_here else self.versions.index(version)
        return replace(self, steps=Steps(self.steps.steps, at))


@dataclass(frozen=True, eq=False)
class StoredWrapper:
    """A wrapper with its name and version, and the history of its edits."""

    name: str
    version: str
    wrapper: Wrapper
    history: WrapperHistory


class ProjectWrappers:
    """Wrappers by name in a project folder.

    >>> import tempfile
    >>> from sightline.extract.wrappers import induce
    >>> from sightline.testing import shop_pages
    >>> wrappers = ProjectWrappers(Project(tempfile.mkdtemp()))
    >>> version = wrappers.put("cameras", induce(shop_pages(4)), pages=[])
    >>> wrappers.edit("cameras", version, {"action": "rename", "field": "Price", "to": "price"})
    >>> wrappers.names(), wrappers.load("cameras").wrapper.fields
    (['cameras'], ['title', 'price', 'Weight'])
    >>> wrappers.edit("cameras", version, {"action": "drop", "field": "Weight"})
    Traceback (most recent call last):
    ...
    sightline.errors.ConflictError: cameras: somebody else has changed it meanwhile; load it again, then repeat the ...
    """

    def __init__(self, store: Project, read: WrapperReader | None = None) -> None:
        self.documents: Documents = store.documents("wrappers", ".wrapper.json", "a wrapper")
        self._histories = store.documents("wrappers", HISTORY, "a history")
        self._read: WrapperReader = read or (lambda stored: Wrapper.loads(stored.content))

    def names(self) -> list[str]:
        """The names of all wrappers, sorted."""
        return self.documents.names()

    def path(self, name: str) -> Path:
        """The file of a wrapper; a name that no file can have is an error."""
        return self.documents.path(name)

    def load(self, name: str) -> StoredWrapper:
        """A wrapper with its history; an error if there is none of that name."""
        stored = self.documents.load(name)
        wrapper = self._read(stored)
        return StoredWrapper(name, stored.version, wrapper, self._history(name, wrapper, stored.version))

    def put(self, name: str, wrapper: Wrapper, pages: Sequence[str], *, replaces: bool = False) -> str:
        """Save a wrapper that was learned from pages, and return its version.

        `pages` are their ids, as far as they are in the project. A wrapper of that name is replaced only if the new one
        `replaces` it.
        """
        content = wrapper.dumps().encode()
        history = WrapperHistory(wrapper.to_json(), Steps(), (version_of(content),), tuple(pages))
        return self._save(name, content, history, ANY if replaces else None)

    def edit(self, name: str, expected: str, step: EditStep) -> None:
        """Change a wrapper by a step, or undo or redo one; refused if it has another version than expected."""
        while True:
            stored = self.load(name)
            check_version(name, stored.version, expected)
            made, history = _after(stored, step)
            try:
                self._save(name, made.dumps().encode(), history, stored.version)
            except ConflictError:
                if expected != ANY:
                    raise
            else:
                return

    def delete(self, name: str, expected: str) -> None:
        """Delete a wrapper of this version, or of `ANY`, with its history."""
        self.documents.delete(name, expected=expected, beside=[HISTORY])

    def _save(self, name: str, content: bytes, history: WrapperHistory, expected: str | None) -> str:
        """The history is written first: it knows both versions, so it fits even if the wrapper is not written."""
        beside = {HISTORY: orjson.dumps(history.to_json())}
        return self.documents.save(name, content, expected=expected, beside=beside)

    def _history(self, name: str, wrapper: Wrapper, version: str) -> WrapperHistory:
        known = self._kept_history(name)
        at = known.at_version(version) if known else None
        return at or WrapperHistory(wrapper.to_json(), Steps(), (version,), known.pages if known else ())

    def _kept_history(self, name: str) -> WrapperHistory | None:
        stored = self._histories.find(name)
        if stored is None:
            return None
        try:
            document = decoded_document(stored.content)
            check_document(document, _HistoryForm)
            pages, versions = tuple(document["pages"]), tuple(document["versions"])
            return WrapperHistory(document["base"], Steps.from_json(document), versions, pages)
        except UsageError:
            return None  # of another version, or damaged; the wrapper itself is what counts


@dataclass
class _HistoryForm:
    """The form of a history in its file."""

    format: str
    base: dict[str, Any]
    versions: list[str]
    pages: list[str]


# ---------------------------------------------------------------------- edits


def _after(stored: StoredWrapper, step: EditStep) -> tuple[Wrapper, WrapperHistory]:
    """A wrapper and its history after a step, or after undo or redo."""
    history = stored.history
    moves = step["action"] in ("undo", "redo")
    if moves:
        steps = history.steps.undone() if step["action"] == "undo" else history.steps.redone()
        made = _replayed(history.base, steps)
    else:
        made = _edited(stored.wrapper, step)
        steps = history.steps.then(step | {"words": _words(step)})
    before = (*history.versions, *[""] * len(steps.steps))[: steps.at]
    after = history.versions[steps.at + 1 :] if moves else ()
    versions = (*before, version_of(made.dumps().encode()), *after)
    return made, replace(history, steps=steps, versions=versions)


def _replayed(base: Mapping[str, Any], steps: Steps) -> Wrapper:
    wrapper = Wrapper.from_json(dict(base))
    for step in steps.done:
        wrapper = _edited(wrapper, step)
    return wrapper


def _edited(wrapper: Wrapper, step: EditStep) -> Wrapper:
    match step["action"]:
        case "rename":
            return wrapper.rename(step["field"], step["to"])
        case "drop":
            return wrapper.drop(step["field"])
        case "restore":
            return wrapper.restore(step["field"])
        case "merge":
            return wrapper.merge(*step["fields"], into=step.get("into"))
        case "split":
            return wrapper.split(step["field"])
        case "records":
            return wrapper.records_of(step.get("of"))
        case "repair":
            return Wrapper.from_json(step["wrapper"])
    raise UsageError(f"A wrapper has no edit {step['action']!r:.40}.")


def _words(step: EditStep) -> str:
    fields = ", ".join(step.get("fields") or ())
    return {
        "rename": f"renamed {step.get('field')} → {step.get('to')}",
        "drop": f"dropped {step.get('field')}",
        "restore": f"restored {step.get('field')}",
        "merge": f"merged {fields} into {step.get('into') or (step.get('fields') or [''])[0]}",
        "split": f"split {step.get('field')}",
        "records": f"a record for each of {step['of']}" if step.get("of") else "one record a page",
        "repair": f"accepted the repair of {fields}",
    }[step["action"]]
