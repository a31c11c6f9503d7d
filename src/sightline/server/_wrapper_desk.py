"""The wrappers of a project: files that the command line reads and writes, and beside each the history of its edits."""

import secrets
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from sightline.documents import check_document, decoded_document
from sightline.errors import ConflictError, UsageError
from sightline.extract.wrappers import Proposal, SchemaPart, Wrapper, schema_tree
from sightline.page import Page
from sightline.server._caches import Cache
from sightline.server._problems import ProblemError
from sightline.server._studio import Studio
from sightline.store import ANY, Steps, version_of

__all__ = ["KeptRepair", "StoredWrapper", "WrapperDesk", "WrapperHistory"]

FORMAT, VERSION = "sightline wrapper history", 1
CACHED = 32  # wrappers in memory; the largest of the benchmark's sites has 1.2 MB as a file
TREES = 32
MOST_EXAMPLE_PAGES = 12  # pages that the schema's examples come from; each is read for them, and nobody looks at more
MOST_REPAIRS = 20  # proposals that wait for an answer


@dataclass(frozen=True)
class WrapperHistory:
    """What a wrapper was at first, the steps since, the version after each, and the pages it was learned from.

    `versions` tell which position the file is at, also if the server was killed between the two files. A file that
    somebody else has changed has a version that is not among them, and its history begins anew.
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
        """The history at the position that a file has; None if the file is of none of them."""
        if version not in self.versions:
            return None
        now = self.steps.at if self.versions[self.steps.at : self.steps.at + 1] == (version,) else None
        return replace(self, steps=Steps(self.steps.steps, self.versions.index(version) if now is None else now))


@dataclass(frozen=True, eq=False)
class StoredWrapper:
    """A wrapper with its name and version, and the history of its edits."""

    name: str
    version: str
    wrapper: Wrapper
    history: WrapperHistory


@dataclass(frozen=True, eq=False)
class KeptRepair:
    """A proposal that waits for an answer, and what it was made of."""

    id: str
    name: str
    pages: tuple[str, ...]
    proposal: Proposal


@dataclass
class _HistoryForm:
    """The form of a history in its file."""

    format: str
    base: dict[str, Any]
    versions: list[str]
    pages: list[str]


class WrapperDesk:
    """Wrappers by name, each change saved with its history."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.documents = studio.store.documents("wrappers", ".wrapper.json", "a wrapper")
        self._histories = studio.store.documents("wrappers", ".history.json", "a history")
        self._loaded: Cache[tuple[str, str], Wrapper] = Cache(CACHED)
        self._trees: Cache[tuple[str, str], tuple[SchemaPart, ...]] = Cache(TREES)
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._repairs: OrderedDict[str, KeptRepair] = OrderedDict()

    # ------------------------------------------------------------------ reading

    def wrapper(self, name: str) -> tuple[Wrapper, str]:
        """A wrapper and its version."""
        try:
            stored = self.documents.find(name)
        except UsageError as problem:  # a name that no file can have
            raise ProblemError("not-found", problem.message) from problem
        if stored is None:
            raise ProblemError("not-found", "There is no such wrapper in the project; it may have been deleted.")
        made = self._loaded.get((name, stored.version), lambda: Wrapper.loads(stored.content))
        return made, stored.version

    def load(self, name: str) -> StoredWrapper:
        """A wrapper with its history."""
        wrapper, version = self.wrapper(name)
        return StoredWrapper(name, version, wrapper, self._history(name, wrapper, version))

    def content(self, name: str) -> bytes:
        """The file of a wrapper."""
        self.wrapper(name)
        return self.documents.load(name).content

    def _history(self, name: str, wrapper: Wrapper, version: str) -> WrapperHistory:
        stored = self._histories.find(name)
        found = None
        if stored is not None:
            try:
                document = decoded_document(stored.content)
                check_document(document, _HistoryForm)
                pages, versions = tuple(document["pages"]), tuple(document["versions"])
                found = WrapperHistory(document["base"], Steps.from_json(document), versions, pages)
            except UsageError:
                found = None  # of another version, or damaged; the wrapper itself is what counts
        at = found.at_version(version) if found else None
        if at is not None:
            return at
        return WrapperHistory(wrapper.to_json(), Steps(), (version,), found.pages if found else ())

    def pages(self, stored: StoredWrapper) -> list[Page]:
        """The pages that a wrapper was learned from, as far as they are in the project."""
        known = [page_id for page_id in stored.history.pages if self._studio.store.has_page(page_id)]
        return [self._studio.page(page_id) for page_id in known[:MOST_EXAMPLE_PAGES]]

    def tree(self, stored: StoredWrapper) -> tuple[SchemaPart, ...]:
        """The schema of a wrapper with examples from its pages; kept, since all of them are read for it."""
        key = stored.name, stored.version
        return self._trees.get(key, lambda: schema_tree(stored.wrapper, self.pages(stored)))

    # ------------------------------------------------------------------ writing

    def put(self, name: str, wrapper: Wrapper, pages: Sequence[str], *, replaces: bool = False) -> str:
        """Save a wrapper that was learned; returns its version. Only one that it `replaces` may be there already."""
        content = wrapper.dumps().encode()
        history = WrapperHistory(wrapper.to_json(), Steps(), (version_of(content),), tuple(pages))
        with self._lock_of(name):
            return self._save(name, content, history, ANY if replaces else None)

    def edit(self, name: str, expected: str, step: dict[str, Any]) -> None:
        """Change a wrapper by a step, or undo or redo one; refused if it has another version than expected."""
        with self._lock_of(name):
            stored = self.load(name)
            if expected not in (stored.version, ANY):
                told = "somebody else has changed it meanwhile; load it again, then repeat the change."
                raise ConflictError(name, told, stored.version)
            steps = stored.history.steps
            if step["action"] in ("undo", "redo"):
                steps = steps.undone() if step["action"] == "undo" else steps.redone()
                made = _replayed(stored.history.base, steps)
            else:
                made = edited(stored.wrapper, step)
                steps = steps.then(step | {"words": _words(step)})
            content = made.dumps().encode()
            before = (*stored.history.versions, *[""] * len(steps.steps))[: steps.at]
            after = stored.history.versions[steps.at + 1 :] if step["action"] in ("undo", "redo") else ()
            versions = (*before, version_of(content), *after)
            history = replace(stored.history, steps=steps, versions=versions)
            self._save(name, content, history, stored.version)

    def _save(self, name: str, content: bytes, history: WrapperHistory, expected: str | None) -> str:
        """The history first: it knows both versions, so that it fits the wrapper whether or not that is saved, too."""
        if expected is None and self.documents.find(name) is not None:
            raise ConflictError(name, "there is such a wrapper already; choose another name.", None)
        self._histories.save(name, orjson.dumps(history.to_json()), expected=ANY)
        return self.documents.save(name, content, expected=expected)

    def delete(self, name: str, expected: str) -> None:
        """Delete a wrapper and its history."""
        self.wrapper(name)
        with self._lock_of(name):
            self.documents.delete(name, expected=expected)
            self._histories.delete(name, expected=ANY)

    def _lock_of(self, name: str) -> threading.Lock:
        with self._lock:
            return self._locks[name]

    # ------------------------------------------------------------------ repairs

    def keep_repair(self, name: str, pages: Sequence[str], proposal: Proposal) -> str:
        """Keep a proposal until somebody answers it; the last few are kept."""
        kept = KeptRepair(secrets.token_hex(8), name, tuple(pages), proposal)
        with self._lock:
            self._repairs[kept.id] = kept
            while len(self._repairs) > MOST_REPAIRS:
                self._repairs.popitem(last=False)
        return kept.id

    def repair(self, repair_id: str) -> KeptRepair:
        """A proposal by its id."""
        with self._lock:
            found = self._repairs.get(repair_id)
        if found is None:
            raise ProblemError("gone", "This proposal is no longer kept; ask for the repair again.")
        return found


# ---------------------------------------------------------------------- edits


def edited(wrapper: Wrapper, step: Mapping[str, Any]) -> Wrapper:
    """A wrapper after a step."""
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


def _replayed(base: Mapping[str, Any], steps: Steps) -> Wrapper:
    wrapper = Wrapper.from_json(dict(base))
    for step in steps.done:
        wrapper = edited(wrapper, step)
    return wrapper


def _words(step: Mapping[str, Any]) -> str:
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
