"""What every step gets to know: its flow, its run, the rows of other steps, and the progress callback."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.flow.rows import RowBatches
from sightline.flow.run._results import keep_rows, kept_rows
from sightline.flow.run._state import FlowStore, RunFolder, StepState
from sightline.flow.spec import Flow, FlowStep
from sightline.jobs import Cancel, Progress
from sightline.sources import Loader
from sightline.yaml import VARIABLE, SecretName, did_you_mean, look_up

__all__ = ["FlowEvent", "FlowEventKind", "StepContext", "StepResult", "need_columns"]

FlowEventKind: TypeAlias = Literal["begun", "progress", "done", "reused", "failed", "skipped"]


@dataclass(frozen=True)
class FlowEvent:
    """A moment of a run: what a step is doing, how many rows it has, and how long it takes."""

    kind: FlowEventKind
    step: str
    what: str = ""
    rows: int = 0
    seconds: float = 0.0
    detail: str = ""
    progress: Progress | None = None
    state: StepState | None = None

    @property
    def pace(self) -> float | None:
        """Rows a second."""
        return self.rows / self.seconds if self.rows and self.seconds > 0 else None


@dataclass(frozen=True)
class StepResult:
    """What a step gave: how many rows it let through and held back, its verdict, and what to know about it."""

    rows: int
    held: int = 0
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    """What is doubtful about all rows, so that a check lets none of them through."""
    stops: bool = False
    """Whether nothing may flow on from here."""


@dataclass
class StepContext:
    """The surroundings of one step that is run."""

    flow: Flow
    step: FlowStep
    store: FlowStore
    run: RunFolder
    began: datetime
    states: Mapping[str, StepState]
    loader: Callable[[bool], Loader]
    pages: Path
    cancel: Cancel
    tell: Callable[[FlowEvent], None]
    since: float = field(default_factory=monotonic)
    filled: dict[str, int] = field(default_factory=dict)
    """How many values each column of the rows that it kept has."""

    @property
    def name(self) -> str:
        """The name of the step."""
        return self.step.name

    def rows(self, name: str) -> RowBatches:
        """The rows of another step."""
        return kept_rows(self.path_of(name))

    def path_of(self, name: str) -> Path:
        """The file with the rows of another step; what delivers or notifies hands on the rows that it took."""
        return self.run.rows(self.flow.holder(name))

    def keep(self, rows: RowBatches) -> int:
        """Keep the rows of this step, and tell how many they are while they come."""
        return keep_rows(self.run.rows(self.name), rows.schema, rows.batches(), self.on_rows, self.filled)

    def keep_held(self, rows: RowBatches) -> int:
        """Keep the rows that this step holds back."""
        return keep_rows(self.run.held(self.name), rows.schema, rows.batches(), self.on_rows)

    def on_rows(self, count: int) -> None:
        """Tell how many rows there are by now, unless somebody wants it to stop."""
        self.cancel.check(count)
        self.tell(FlowEvent("progress", self.name, str(self.step), count, monotonic() - self.since))

    def on_progress(self, progress: Progress) -> None:
        """Tell how far a source is, unless somebody wants it to stop."""
        self.cancel.check(progress.done)
        seconds = monotonic() - self.since
        self.tell(FlowEvent("progress", self.name, str(self.step), 0, seconds, progress.current or "", progress))

    def path(self, name: str) -> Path:
        """A file of the flow, which is relative to its folder."""
        return self.flow.folder / Path(name).expanduser()

    def readable(self, more: Iterable[str]) -> tuple[Path, ...]:
        """Where the queries of this step may read files: in the folder of the flow, and in what the step names."""
        return (self.flow.folder, *(self.path(name) for name in more))

    def secret(self, value: str | SecretName) -> str:
        """A text, or the secret that it names."""
        if isinstance(value, SecretName):
            return look_up(value.name, self.flow.secrets[value.name])
        return VARIABLE.sub(lambda found: self.flow.variables.get(found[1], found[0]), value)

    def plain(self, value: Any) -> Any:
        """A value in which secrets are replaced by what they are."""
        if isinstance(value, str | SecretName):
            return self.secret(value)
        if isinstance(value, Mapping):
            return {name: self.plain(one) for name, one in value.items()}
        return [self.plain(one) for one in value] if isinstance(value, list | tuple) else value

    def fail(self, problem: str, key: str = "") -> UsageError:
        """The error that something is wrong with this step, at its line or that of one of its keys."""
        return self.flow.fail(self.step, problem, key)


def need_columns(context: StepContext, schema: pa.Schema, names: Iterable[str], of: str, key: str = "") -> None:
    """Say which column is missing, and which one was probably meant."""
    for name in names:
        if name not in schema.names:
            shown = [known for known in schema.names if not known.startswith("_")]
            raise context.fail(f"`{of}` has no column `{name}`; {did_you_mean(name, shown)}", key)
