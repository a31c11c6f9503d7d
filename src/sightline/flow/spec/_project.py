"""The flows of a project folder: a file each, as the command line reads it, and every version that it ever had.

```
NAME.flow.yaml                     the flow
flows/NAME/edits.json              what was changed, in words, and how much of that counts
flows/NAME/versions/VERSION.yaml   its text at each version
```

A save names the version that it was made from and is refused if the file has changed since. What people change with
another editor is a step like any other: it is noted, and can be undone.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import orjson

from sightline.documents import MOST_BYTES, check_document, decoded_document
from sightline.errors import ConflictError, UsageError
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.flow.spec._draft import DraftStep, FlowDraft
from sightline.flow.spec._edits import FlowEdit
from sightline.project import ANY, Documents, Project, Steps, StoredDocument, check_version, version_of

FORMAT, VERSION = "sightline flow history", 1
OUTSIDE = "changed with another editor"
MOST_SAVES = 1_000  # versions that are kept of a flow; more than anybody looks back, and some 10 MB

FlowChange = Callable[[FlowDraft], FlowEdit]
"""Makes an edit of a flow."""


@dataclass(frozen=True)
class FlowSave:
    """A version of a flow: when it was saved, and what was changed by it, in words."""

    version: str
    saved: str
    words: str


@dataclass(frozen=True)
class FlowHistory:
    """The version at first, the steps since with the version after each, and every save, the oldest first."""

    base: str
    steps: Steps = field(default_factory=Steps)
    saves: tuple[FlowSave, ...] = ()

    @property
    def version(self) -> str:
        """The version that the steps that count lead to."""
        return str(self.steps.done[-1]["version"]) if self.steps.at else self.base

    def to_json(self) -> dict[str, Any]:
        """The history as plain values."""
        saves = [[one.version, one.saved, one.words] for one in self.saves]
        return {"format": FORMAT, "version": VERSION, "base": self.base, "saves": saves} | self.steps.to_json()

    def at_version(self, version: str, saved: str) -> "FlowHistory":
        """The history at the position of a version; one that it never had was made with another editor, at `saved`."""
        if version == self.version:
            return self
        versions = [self.base, *(str(step["version"]) for step in self.steps.steps)]
        if version in versions:  # the process was killed between writing the history and the flow
            return replace(self, steps=Steps(self.steps.steps, versions.index(version)))
        return self.then(version, OUTSIDE, saved)

    def then(self, version: str, words: str, saved: str | None = None) -> "FlowHistory":
        """One step more, saved then or now."""
        steps = self.steps.then({"words": words, "version": version})
        base = self.base
        while len(steps.steps) > MOST_SAVES // 2:
            base, steps = str(steps.steps[0]["version"]), Steps(steps.steps[1:], steps.at - 1)
        return replace(self, base=base, steps=steps, saves=(*self.saves, _save(version, words, saved)))

    def moved(self, action: str) -> "FlowHistory":
        """The same after undo or redo."""
        steps = self.steps.undone() if action == "undo" else self.steps.redone()
        moved = replace(self, steps=steps)
        words = self.steps.done[-1]["words"] if action == "undo" else steps.done[-1]["words"]
        told = f"{'undid' if action == 'undo' else 'redid'}: {words}"
        return replace(moved, saves=(*self.saves, _save(moved.version, told)))

    @property
    def kept(self) -> "FlowHistory":
        """The same with as many saves as are kept."""
        return replace(self, saves=self.saves[-MOST_SAVES:])

    @property
    def latest(self) -> list[str]:
        """The versions that led here, the last first, and then those that were saved and undone or replaced since."""
        led = [self.base, *(str(step["version"]) for step in self.steps.done)]
        return list(dict.fromkeys([*reversed(led), *(save.version for save in reversed(self.saves))]))

    def versions(self) -> set[str]:
        """All versions whose texts are needed."""
        return {self.base, *(str(step["version"]) for step in self.steps.steps), *(one.version for one in self.saves)}


def _save(version: str, words: str, saved: str | None = None) -> FlowSave:
    return FlowSave(version, saved or _written(datetime.now(UTC)), words)


def _written(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds")


@dataclass(frozen=True, eq=False)
class StoredFlow:
    """The text of a flow with its version and the history of its edits."""

    name: str
    version: str
    text: str
    history: FlowHistory


class ProjectFlows:
    r"""Flows by name in a project folder.

    >>> import tempfile
    >>> from sightline.flow.spec import set_key
    >>> flows = ProjectFlows(Project(tempfile.mkdtemp()))
    >>> first = flows.create("prices", "flow: 1\nsteps:\n  ours:\n    read: a.csv  # ours\n")
    >>> flows.edit("prices", first.version, lambda draft: set_key(draft, "ours", "read", "b.csv")).words
    'ours: read b.csv'
    >>> print(flows.load("prices").text, end="")
    flow: 1
    steps:
      ours:
        read: b.csv  # ours
    >>> flows.move("prices", "*", "undo")
    >>> flows.load("prices").version == first.version
    True
    """

    def __init__(self, store: Project, read: "Callable[[StoredFlow], FlowDraft] | None" = None) -> None:
        self._read = read or self.draft
        self.folder: Path = store.folder
        self.documents: Documents = Documents(store.folder, ".flow.yaml", "a flow")

    def names(self) -> list[str]:
        """The names of all flows, sorted."""
        return self.documents.names()

    def path(self, name: str) -> Path:
        """The file of a flow; a name that no file can have is an error."""
        return self.documents.path(name)

    def draft(self, stored: StoredFlow) -> FlowDraft:
        """A flow as it is, with everything that is wrong with it."""
        return FlowDraft.loads(stored.text, str(self.path(stored.name)))

    def load(self, name: str) -> StoredFlow:
        """A flow with its history; an error if there is none of that name."""
        stored = self.documents.load(name)
        saved = _written(datetime.fromtimestamp(self.documents.changed(name), UTC))
        history = self._history(name)
        history = history.at_version(stored.version, saved) if history else _begun(stored.version, saved)
        return StoredFlow(name, stored.version, _text(stored), history)

    def create(self, name: str, text: str) -> StoredFlow:
        """A new flow; one of that name that was deleted before keeps its versions."""
        content = _content(text)
        before = self._history(name)
        version = version_of(content)
        history = FlowHistory(version, saves=(*(before.saves if before else ()), _save(version, "made")))
        self._save(name, None, content, history)
        return self.load(name)

    def edit(self, name: str, expected: str, change: FlowChange) -> FlowEdit:
        """Change a flow; refused if it has another version than expected. An edit that changes nothing isn't a step."""
        while True:
            stored = self.load(name)
            check_version(name, stored.version, expected)
            made = change(self._read(stored))
            content = _content(made.yaml.text)
            version = version_of(content)
            if version == stored.version:
                return made
            if self._saved(name, expected, stored, content, stored.history.then(version, made.words)):
                return made

    def move(self, name: str, expected: str, action: str) -> None:
        """Undo or redo an edit."""
        while True:
            stored = self.load(name)
            check_version(name, stored.version, expected)
            history = stored.history.moved(action)
            content = self._version_content(name, history.version)
            if self._saved(name, expected, stored, content, history):
                return

    def delete(self, name: str, expected: str) -> None:
        """Delete a flow of this version, or of `ANY`; its versions and runs stay in the folder of its runs."""
        stored = self.documents.load(name)
        self._keep_version(name, stored.content)
        self.documents.delete(name, expected=expected)

    def text_of(self, name: str, version: str) -> str:
        """The text of a version; an error if it is not kept."""
        stored = self.documents.load(name)
        if version == stored.version:
            return _text(stored)
        return self._version_content(name, version).decode("utf-8", "replace")

    # ------------------------------------------------------------------ files

    def _saved(self, name: str, expected: str, before: StoredFlow, content: bytes, history: FlowHistory) -> bool:
        """Whether it was saved; if somebody else was faster, whoever does not care which version it was tries again."""
        try:
            self._save(name, before.version, content, history)
        except ConflictError:
            if expected != ANY:
                raise
            return False
        return True

    def _save(self, name: str, expected: str | None, content: bytes, history: FlowHistory) -> None:
        """The history is written first: it knows both versions, so it fits even if the flow is not written."""
        path = self.path(name)
        with self.documents.locked():
            found = self.documents.find(name)
            if found is None and expected is not None:
                raise ConflictError(name, "somebody else has deleted it meanwhile; save it under another name.", None)
            if found is not None and expected is None:
                raise ConflictError(name, "there is such a flow already; choose another name.", found.version)
            if found is not None and expected is not None:
                check_version(name, found.version, expected)
                self._keep_version(name, found.content)
            self._keep_version(name, content)
            kept = history.kept
            write_bytes(self._folder(name) / "edits.json", orjson.dumps(kept.to_json()) + b"\n")
            write_bytes(path, content)
            if len(history.saves) > MOST_SAVES:
                self._forget(name, history.versions() - kept.versions())

    def _folder(self, name: str) -> Path:
        self.path(name)  # which checks the name
        return self.folder / "flows" / name

    def _version_path(self, name: str, version: str) -> Path:
        if len(version) != len(version_of(b"")) or not all(sign in "0123456789abcdef" for sign in version):
            raise UsageError(f"{version!r:.40} is not the version of a flow; list its versions first.")
        return self._folder(name) / "versions" / f"{version}.yaml"

    def _version_content(self, name: str, version: str) -> bytes:
        path = self._version_path(name, version)
        return read_bytes(path, "this version of the flow is no longer kept", MOST_BYTES)

    def _keep_version(self, name: str, content: bytes) -> None:
        path = self._version_path(name, version_of(content))
        if not path.exists():
            make_folder(path.parent)
            write_bytes(path, content)

    def _forget(self, name: str, versions: Iterable[str]) -> None:
        for version in versions:
            self._version_path(name, version).unlink(missing_ok=True)

    def _history(self, name: str) -> FlowHistory | None:
        path = self._folder(name) / "edits.json"
        if not path.exists():
            return None
        try:
            document = decoded_document(read_bytes(path, "remove it", MOST_BYTES))
            check_document(document, _HistoryForm)
            saves = tuple(FlowSave(*one) for one in document["saves"])
            return FlowHistory(document["base"], Steps.from_json(document), saves)
        except UsageError:
            return None  # of another version, or damaged; the flow itself is what counts


@dataclass
class _HistoryForm:
    """The form of a history in its file."""

    format: str
    base: str
    saves: list[tuple[str, str, str]]


def _begun(version: str, saved: str) -> FlowHistory:
    return FlowHistory(version, saves=(_save(version, "found in the folder", saved),))


def _content(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        raise UsageError("The text has half of a character, which no file can hold; remove it.") from problem


def _text(stored: StoredDocument) -> str:
    try:
        return stored.content.decode()
    except UnicodeDecodeError as problem:
        raise UsageError(f"{stored.name}.flow.yaml is not a text in UTF-8; save it as UTF-8.") from problem


# -- what differs between two versions of a flow --------------------------------------------------------------------

StepChange: TypeAlias = Literal["added", "removed", "changed", "renamed", "same"]
ALIKE = 0.5  # of the keys of two steps that say the same, from which on one with another name was renamed


@dataclass(frozen=True)
class KeyDifference:
    """A key of a step that differs; None is a key that is not there."""

    key: str
    before: Any
    after: Any


@dataclass(frozen=True)
class StepDifference:
    """What became of a step; `name` is the one that it has now, or had before it was removed."""

    name: str
    change: StepChange
    before: DraftStep | None
    after: DraftStep | None
    keys: tuple[KeyDifference, ...] = ()


@dataclass(frozen=True)
class LineDifference:
    """A line of the text, with its number before and after; None where it is not there."""

    kind: Literal["same", "added", "removed"]
    text: str
    before: int | None
    after: int | None


@dataclass(frozen=True)
class FlowDifference:
    """What differs between two versions of a flow."""

    steps: tuple[StepDifference, ...]
    lines: tuple[LineDifference, ...]


def flow_difference(before: FlowDraft, after: FlowDraft) -> FlowDifference:
    r"""What differs between two versions of a flow.

    >>> old = FlowDraft.loads("flow: 1\nsteps:\n  a:\n    read: a.csv\n")
    >>> new = FlowDraft.loads("flow: 1\nsteps:\n  a:\n    read: b.csv\n  b:\n    read: c.csv\n")
    >>> found = flow_difference(old, new)
    >>> [(step.name, step.change) for step in found.steps]
    [('a', 'changed'), ('b', 'added')]
    >>> [(line.kind, line.text.strip()) for line in found.lines if line.kind != "same"]
    [('removed', 'read: a.csv'), ('added', 'read: b.csv'), ('added', 'b:'), ('added', 'read: c.csv')]
    """
    return FlowDifference(tuple(_steps(before.steps, after.steps)), tuple(_lines(before.text, after.text)))


def _steps(before: Mapping[str, DraftStep], after: Mapping[str, DraftStep]) -> Iterator[StepDifference]:
    renamed = _renamed(before, after)
    known = set(renamed.values())
    for name, step in after.items():
        old = before.get(renamed.get(name, name))
        if old is None:
            yield StepDifference(name, "added", None, step)
            continue
        keys = tuple(_keys(old.values, step.values))
        change: StepChange = "renamed" if name in renamed else "changed" if keys else "same"
        yield StepDifference(name, change, old, step, keys)
    for name, step in before.items():
        if name not in after and name not in known:
            yield StepDifference(name, "removed", step, None)


def _renamed(before: Mapping[str, DraftStep], after: Mapping[str, DraftStep]) -> dict[str, str]:
    """The old names of new steps that say almost the same as one that is gone."""
    gone = {name: step for name, step in before.items() if name not in after}
    found: dict[str, str] = {}
    for name, step in after.items():
        if name in before:
            continue
        alike = {old: _likeness(one, step) for old, one in gone.items() if one.word == step.word}
        best = max(alike, key=lambda old: alike[old], default="")
        if best and alike[best] >= ALIKE:
            found[name] = best
            del gone[best]
    return found


def _likeness(one: DraftStep, other: DraftStep) -> float:
    """The share of keys that two steps have alike."""
    keys = {**one.values, **other.values}
    return sum(one.values.get(key) == other.values.get(key) for key in keys) / len(keys) if keys else 0.0


def _keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[KeyDifference]:
    for key in {**before, **after}:
        if key not in before or key not in after or repr(before[key]) != repr(after[key]):
            yield KeyDifference(key, before.get(key), after.get(key))


def _lines(before: str, after: str) -> Iterator[LineDifference]:
    old, new = before.splitlines(), after.splitlines()
    for what, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            for number in range(last - first):
                yield LineDifference("same", old[first + number], first + number + 1, start + number + 1)
            continue
        for number in range(first, last):
            yield LineDifference("removed", old[number], number + 1, None)
        for number in range(start, end):
            yield LineDifference("added", new[number], None, number + 1)
