"""What is known about the runs of a flow: plain files in the folder of its store.

```
flows/NAME/store.json                  the version of what is kept here, and what tells this store from others
flows/NAME/lock, lock.held             held by the process that runs the flow
flows/NAME/runs/ID/run.json            what became of each step; written anew after each of them
flows/NAME/runs/ID/STEP.arrow          the rows of a step
flows/NAME/runs/ID/STEP.held.arrow     the rows that a check held back, with the reasons
flows/NAME/runs/ID/STEP.review.jsonl   the doubtful pairs of a match, for people to decide about
flows/NAME/runs/ID/STEP.told.json      what a notification said, and which addresses took it
flows/NAME/runs/ID/STEP.captures       the pages that a source read, by their ids
flows/NAME/runs/ID/STEP.profile.json   what the columns of a step hold, once somebody has asked
flows/NAME/profiles/STEP.json          what the last good run of a source took
flows/NAME/decisions/STEP.jsonl        what people decided about doubtful matches
flows/NAME/releases/STEP.jsonl         which rows of a check's quarantine people released
flows/NAME/delivered/STEP.json         the due date that a file which was delivered shows
```
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from sightline.data import Verdict
from sightline.documents import MOST_BYTES, check_document, decoded_document
from sightline.errors import UsageError
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.project import is_held, marked_lock
from sightline.redaction import hide_passwords, redacted, redacted_in

DONE, FAILED, HELD = "done", "failed", "held"


@dataclass(frozen=True)
class StepState:
    """What became of a step: `done`, `held` if it let nothing through, or `failed` with the reason.

    `doubts` concern all its rows; `fingerprint` says from what it was made, and `filled` how many values each column
    has. `at` is when its rows were read or made; rows that stand in for those that could not be read are of that age.
    `files` is a digest of the versions of the files that it was made from.
    """

    state: str
    rows: int = 0
    held: int = 0
    seconds: float = 0.0
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    fingerprint: str = ""
    filled: Mapping[str, int] = field(default_factory=dict)
    at: str = ""
    stands_in: bool = False
    files: str = ""

    @property
    def is_done(self) -> bool:
        """Whether its rows are all there."""
        return self.state == DONE

    def read_ago(self, now: datetime) -> str:
        """When its rows were read or made, with how long ago that is; empty if nobody knows.

        >>> StepState(DONE, at="2026-11-16T06:30:00+00:00").read_ago(datetime(2026, 11, 18, 7, tzinfo=UTC))
        '2026-11-16 06:30 UTC, 2 days ago'
        """
        if not self.at:
            return ""
        then = datetime.fromisoformat(self.at).astimezone(UTC)
        return f"{then:%Y-%m-%d %H:%M} UTC, {length_of_time((now - then).total_seconds())} ago"

    @property
    def is_good(self) -> bool:
        """Whether its rows are all there, of their own day, and nothing was said against them."""
        return self.is_done and self.verdict == "ok" and not self.stands_in and self.rows > 0

    def redacted(self) -> "StepState":
        """The step as it may be kept and shown."""
        return replace(
            self,
            reasons=tuple(map(redacted, self.reasons)),
            notes=tuple(map(redacted, self.notes)),
            doubts=tuple(map(redacted, self.doubts)),
        )


@dataclass(frozen=True)
class RunState:
    """What became of a run: its id, when it began and ended, and its steps in the order in which they ran.

    `due` is the time that it is for, which was given if it is `dated`; `inputs` is a digest of what it is made from.
    `abandoned` says why it was closed before all its steps were done, `notices` is what to know beside its steps, and
    `told` the outcome that people were notified of.
    """

    id: str
    flow: str
    began: str
    ended: str = ""
    verdict: Verdict | None = None
    text: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, StepState] = field(default_factory=dict)
    due: str = ""
    dated: bool = False
    inputs: str = ""
    abandoned: str = ""
    notices: tuple[str, ...] = ()
    told: str = ""
    version: int = 1

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to be done; a run that is not can be taken up again."""
        return bool(self.ended)

    @property
    def is_complete(self) -> bool:
        """Whether all steps were done."""
        return self.is_finished and not self.abandoned

    @property
    def due_at(self) -> datetime:
        """The time that it is for."""
        return datetime.fromisoformat(self.due or self.began)

    @property
    def last_active(self) -> datetime:
        """When it began, or its last step was done."""
        return max(datetime.fromisoformat(at) for at in (self.began, *(step.at for step in self.steps.values())) if at)

    @property
    def when(self) -> datetime:
        """When it began."""
        return datetime.fromisoformat(self.began)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the verdict is not ok: the reasons of all steps, each after the name of its step."""
        abandoned = (self.abandoned,) if self.abandoned else ()
        return (*abandoned, *(f"{name}: {reason}" for name, step in self.steps.items() for reason in step.reasons))

    def redacted(self) -> "RunState":
        """The run as it may be kept and shown; a flow names its secrets, and may hold passwords in addresses."""
        return replace(
            self,
            text=hide_passwords(self.text),
            variables=redacted_in(self.variables),
            steps={name: step.redacted() for name, step in self.steps.items()},
            notices=tuple(map(redacted, self.notices)),
        )

    def to_json(self) -> dict[str, Any]:
        """The run as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "RunState":
        """The run of a document."""
        known = {one.name for one in fields(StepState)}
        steps = {
            name: StepState(**{key: _plain(value) for key, value in step.items() if key in known})
            for name, step in document.get("steps", {}).items()
        }
        own = {one.name for one in fields(cls)} - {"steps"}
        return cls(**{key: _plain(value) for key, value in document.items() if key in own}, steps=steps)


def length_of_time(seconds: float) -> str:
    """A length of time for people.

    >>> length_of_time(5400), length_of_time(172_800)
    ('90 minutes', '2 days')
    """
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= 2 * size or size == 1:
            return f"{max(0, int(seconds // size))} {unit}s"
    return ""


@dataclass(frozen=True)
class ToldMessage:
    """A notification: when it was sent, its lines, the kinds of the addresses, and why some did not take it."""

    at: str
    lines: tuple[str, ...]
    to: tuple[str, ...]
    failed: tuple[str, ...] = ()


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class RunFolder:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self, step: str) -> Path:
        """Where the rows of a step are kept."""
        return self.path / f"{step}.arrow"

    def held(self, step: str) -> Path:
        """Where the rows that a step held back are kept."""
        return self.path / f"{step}.held.arrow"

    def review(self, step: str) -> Path:
        """Where the doubtful pairs of a match are kept, for people to decide about."""
        return self.path / f"{step}.review.jsonl"

    def told(self, step: str) -> Path:
        """Where it is kept what a notification said."""
        return self.path / f"{step}.told.json"

    def message(self, step: str) -> ToldMessage | None:
        """What a notification said; None if there was nothing to tell."""
        path = self.told(step)
        if not path.exists():
            return None
        content = decoded_document(read_bytes(path, "remove it", MOST_BYTES))
        return ToldMessage(**{key: _plain(value) for key, value in content.items()})

    def journal(self, step: str) -> Path:
        """Where a source notes what it has got, until it has all."""
        return self.path / f"{step}.journal"

    def captures(self, step: str) -> Path:
        """Where a source notes which pages it has read."""
        return self.path / f"{step}.captures"

    def link(self, step: str, other: "RunFolder") -> None:
        """Give the files of a step to another run as well; they are never changed, so that both may have the same."""
        for path in (self.rows(step), self.held(step), self.review(step), self.told(step), self.captures(step)):
            if not path.exists():
                continue
            target = other.path / path.name
            try:
                os.link(path, target)
            except OSError:  # a file system without links
                shutil.copyfile(path, target)

    def remove(self) -> None:
        """Remove the run with all its files."""
        shutil.rmtree(self.path, ignore_errors=True)

    def tidy(self) -> None:
        """Remove what a process that was killed had half written; the flow is locked, so nobody else writes here."""
        for left in self.path.glob(".*.part"):
            left.unlink(missing_ok=True)

    @property
    def state(self) -> RunState:
        """What became of the run so far."""
        path = self.path / "run.json"
        content = read_bytes(path, "remove the folder of the run", MOST_BYTES)
        try:
            document = decoded_document(content)
            check_document(document, RunState)
            state = RunState.from_json(document)
            _ = state.due_at, state.last_active  # times that are none, or of which only some have a time zone
        except (UsageError, ValueError, TypeError) as problem:
            raise UsageError(f"{path}: this is not the state of a run ({problem}); remove its folder.") from problem
        return state

    def write(self, state: RunState) -> RunState:
        """Keep what became of the run so far, without any secret; returns what was kept."""
        kept = state.redacted()
        write_bytes(self.path / "run.json", orjson.dumps(kept.to_json(), option=orjson.OPT_INDENT_2) + b"\n")
        return kept


class FlowStore:
    """The part of a store that belongs to one flow; it is made when something is first kept in it."""

    def __init__(self, folder: str | os.PathLike[str], flow: str) -> None:
        self.flow = flow
        self.folder: Path = Path(folder) / "flows" / flow

    def run_ids(self) -> list[str]:
        """The ids of all runs, the oldest first."""
        return sorted(path.parent.name for path in (self.folder / "runs").glob("*/run.json"))

    def run(self, run_id: str) -> RunFolder:
        """The folder of a run."""
        return RunFolder(self.folder / "runs" / run_id)

    def runs(self) -> list[RunState]:
        """All runs, the oldest first."""
        return [self.run(run_id).state for run_id in self.run_ids()]

    def last_finished(self, before: RunState | None = None) -> RunFolder | None:
        """The last run of which all steps were done; or the last one of an earlier due date than another run."""
        best: RunState | None = None
        for run_id in reversed(self.run_ids()):
            state = self.run(run_id).state
            if best is not None and state.when <= best.due_at:
                break  # what began before then is for an earlier date
            if state.is_complete and (before is None or _is_earlier(state, before)):
                best = state if best is None or state.due_at > best.due_at else best
        return self.run(best.id) if best is not None else None

    def runs_due(self, on: Callable[[datetime], bool]) -> list[RunState]:
        """The runs whose due dates meet a condition, the oldest first."""
        return [state for state in self.runs() if on(state.due_at)]

    def unfinished(self) -> RunFolder | None:
        """The last run, if it was not finished."""
        ids = self.run_ids()
        return self.run(ids[-1]) if ids and not self.run(ids[-1]).state.is_finished else None

    def begin(self, state: RunState, run_id: str = "") -> RunFolder:
        """A new run, which gets its id."""
        # The random part keeps the loads of two stores apart that deliver to the same table. It comes after the
        # milliseconds, so that runs of the same second are in their order, too.
        stamp = f"{state.when.astimezone(UTC):%Y%m%dT%H%M%S%f}"[:-3]
        name = run_id or f"{stamp}-{secrets.token_hex(3)}"
        folder = self.run(name)
        make_folder(folder.path)
        folder.write(replace(state, id=name, version=VERSION))
        return folder

    @property
    def profiles(self) -> Path:
        """Where it is kept what good runs took."""
        return make_folder(self.folder / "profiles")

    @property
    def decisions(self) -> Path:
        """Where the decisions about matches are kept."""
        return self.folder / "decisions"

    @property
    def is_locked(self) -> bool:
        """Whether some process runs the flow now; looking never keeps one from running it."""
        return is_held(self.folder / "lock")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from running the same flow meanwhile."""
        make_folder(self.folder)
        with ExitStack() as stack:
            try:
                stack.enter_context(marked_lock(self.folder / "lock"))
            except BlockingIOError as problem:
                raise UsageError(
                    f"The flow {self.flow} is being run by process {problem.strerror}, with the same store "
                    f"({self.folder}); wait until that has ended, or name another store."
                ) from problem
            upgrade_store(self.folder)
            yield

    @property
    def token(self) -> str:
        """What tells this store from others, which is made with it; the flow has to be locked once before."""
        return str(_marks(self.folder / STORE)["token"])

    def delivered(self, step: str) -> Path:
        """Where it is kept which due date a file shows that a step delivers."""
        return self.folder / "delivered" / f"{step}.json"

    def loads_before(self, step: str, due: datetime) -> tuple[str, ...]:
        """What the loads of a due date were called that an earlier version delivered."""
        path = self.folder / OLD_LOADS
        if not path.exists():
            return ()
        known = decoded_document(read_bytes(path, "remove it", MOST_BYTES))
        return tuple(known.get(f"{step} {due.astimezone(UTC).isoformat()}", ()))


def _is_earlier(state: RunState, than: RunState) -> bool:
    """Whether a run is for an earlier date than another; two that are for no date of their own follow each other."""
    if state.due_at == than.due_at and not than.dated:
        return state.id < than.id
    return state.due_at < than.due_at


# -- the version of a store: one that is older is upgraded when its flow is next run, after its state was copied ------

VERSION = 2
"""Since 2, a load is named by its due date, and runs note which pages their sources read."""

STORE, OLD_LOADS = "store.json", "loads-1.json"


def upgrade_store(folder: Path) -> None:
    """Bring the store of a flow to this version; the flow is locked. What was there stays in `backup-VERSION`."""
    path = folder / STORE
    found: dict[str, Any] = _marks(path) if path.exists() else {"version": 1, "token": secrets.token_hex(3)}
    if found["version"] > VERSION:
        raise UsageError(
            f"{folder} was written by a newer version of Sightline (format {found['version']}); upgrade Sightline, or "
            "name another store."
        )
    if found["version"] == VERSION:
        return
    runs = sorted((folder / "runs").glob("*/run.json"))
    if runs:
        _back_up(folder, folder / f"backup-{found['version']}", runs)
        _name_loads(folder, runs)
        for run in runs:
            folder_of_run = RunFolder(run.parent)
            folder_of_run.write(replace(folder_of_run.state, version=VERSION))
    document = {"format": "sightline flow store", "version": VERSION, "token": found["token"]}
    write_bytes(path, orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")


def _marks(path: Path) -> dict[str, Any]:
    """The version and the token of a store."""
    found = decoded_document(read_bytes(path, "restore it from a backup of the store", MOST_BYTES))
    if not isinstance(found, dict) or not isinstance(found.get("version"), int) or "token" not in found:
        raise UsageError(f"{path}: this is not the mark of a store of flows; restore it from a backup of the store.")
    return found


def _back_up(folder: Path, backup: Path, runs: Sequence[Path]) -> None:
    """Copy the state, not the rows, which no version changes; a copy is whole or not there."""
    if backup.exists():
        return
    part = backup.with_name(f".{backup.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    for path in (*runs, *(folder / "profiles").glob("*.json")):
        target = part / path.relative_to(folder)
        make_folder(target.parent)
        shutil.copyfile(path, target)
    part.rename(backup)


def _name_loads(folder: Path, runs: Sequence[Path]) -> None:
    """Note what loads were called by due date and step, so that a day that is run again replaces them."""
    found: dict[str, list[str]] = {}
    for run in runs:
        state = RunFolder(run.parent).state
        for name, step in state.steps.items():
            if step.is_done:
                key = f"{name} {state.due_at.astimezone(UTC).isoformat()}"
                found.setdefault(key, []).append(f"{state.flow}/{state.id}/{name}")
    write_bytes(folder / OLD_LOADS, orjson.dumps(found))


def with_step(state: RunState, name: str, step: StepState) -> RunState:
    """A run of which one more step is known."""
    return replace(state, steps={**{key: one for key, one in state.steps.items() if key != name}, name: step})
