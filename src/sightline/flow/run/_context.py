"""What every step gets to know: its flow, its run, the rows of other steps, and the progress callback."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from time import monotonic
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.dataset

from sightline.data import Verdict
from sightline.errors import UnreadableError, UsageError
from sightline.files import put_in_place, writing
from sightline.flow.rows import RowBatches
from sightline.flow.run._captures import CapturedSource, CaptureNotes, EarlierReadings
from sightline.flow.run._state import FlowStore, RunFolder, StepState
from sightline.flow.spec import Flow, FlowStep
from sightline.jobs import Cancel, Progress
from sightline.project import Project
from sightline.sources import Loader
from sightline.yaml import VARIABLE, SecretName, did_you_mean, look_up

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
    stands_in: bool = False
    """Whether the rows stand in for those of a source that could not be read."""
    at: str = ""
    """When the rows were read, if that was before this run."""


@dataclass
class StepContext:
    """The surroundings of one step that is run."""

    flow: Flow
    step: FlowStep
    store: FlowStore
    run: RunFolder
    due: datetime
    now: datetime
    states: Mapping[str, StepState]
    loader: Callable[[bool], Loader]
    pages: Path
    cancel: Cancel
    tell: Callable[[FlowEvent], None]
    replay: EarlierReadings | None = None
    """Where what sources read before is found, if they are not to be asked again."""
    trust: bool = False
    """Whether code that the flow names may be run."""
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

    def take(self, captured: CapturedSource) -> StepResult:
        """Keep the rows that a source gave before, with what was said of them then."""
        assert captured.rows is not None
        assert captured.state is not None
        then = captured.state
        note = f"as it was read at {datetime.fromisoformat(then.at):%Y-%m-%d %H:%M} UTC" if then.at else ""
        count = self.keep(kept_rows(captured.rows))
        return StepResult(count, verdict=then.verdict, reasons=then.reasons, notes=(note,) * bool(note), at=then.at)

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

    @property
    def captured(self) -> CapturedSource | None:
        """What this source read before, if that is taken in place of asking it again."""
        return self.replay.source(self.step) if self.replay is not None else None

    @property
    def notes(self) -> CaptureNotes:
        """Where this source notes which pages it has read."""
        return CaptureNotes(self.run.captures(self.name), Project(self.pages))

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


# -- the rows of a step on disk: one Arrow file, written under another name and renamed when it is whole ------------
# Arrow's own format, because it loses no type and is written three times as fast as Parquet.

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")
OnRows = Callable[[int], None]


def keep_rows(
    path: Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    on_rows: OnRows,
    filled: dict[str, int] | None = None,
) -> int:
    """Write batches to a file and return the number of rows; on any failure nothing is there.

    `filled` gets the number of values of each column, which is known while they are written and costly later.
    """
    count = 0
    filled = {} if filled is None else filled
    filled.update(dict.fromkeys(schema.names, 0))
    remedy, full = "choose another place for the store", "free some space, and run it again"
    with (
        writing(path, remedy, full),
        put_in_place(path) as temporary,
        pa.OSFile(str(temporary), "wb") as file,
        pa.ipc.new_file(file, schema, options=_OPTIONS) as writer,
    ):
        for batch in batches:
            if batch.num_rows:
                writer.write_batch(batch)
            count += batch.num_rows
            for name, column in zip(schema.names, batch.columns, strict=True):
                filled[name] += len(column) - column.null_count
            on_rows(count)
    return count


def kept_rows(path: Path) -> RowBatches:
    """The rows of a file that was kept."""
    with _told(path), pa.OSFile(str(path), "rb") as file, pa.ipc.open_file(file) as reader:
        schema = reader.schema
        _ = schema.names  # which are decoded only now

    def batches() -> Iterator[pa.RecordBatch]:
        with _told(path), pa.OSFile(str(path), "rb") as file, pa.ipc.open_file(file) as reader:
            for number in range(reader.num_record_batches):
                batch = reader.get_batch(number)
                batch.validate(full=True)  # or a changed byte would be looked for far beyond the file
                yield batch

    return RowBatches(schema, batches)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what to do about rows that can no longer be read."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        said = (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
        told = f"the rows that were kept here are damaged ({said:.120}); run the flow again with --fresh."
        raise UnreadableError(str(path), told) from problem


def row_count(path: Path) -> int:
    """How many rows a file has."""
    with _told(path):
        return int(dataset_of(path).count_rows())


def dataset_of(path: Path) -> "pa.dataset.Dataset":
    """A file as DuckDB reads it: column by column, as often as it likes."""
    with _told(path):
        return pa.dataset.dataset(str(path), format="ipc")


# A few rows out of a file of many: only the batches that hold them are read.


@dataclass(frozen=True)
class RowWindows:
    """A file of rows, looked at window by window; where each batch begins is found out once.

    A batch holds at most 65,536 rows, so that any window of a few hundred costs about as much as any other.
    """

    path: Path
    schema: pa.Schema
    starts: tuple[int, ...]
    """The number of the first row of each batch, and at the end that of all rows."""

    @classmethod
    def of(cls, path: Path) -> "RowWindows":
        """Look at a file; only its first column is read, to count the rows of the batches."""
        with pa.memory_map(str(path)) as file:
            with pa.ipc.open_file(file) as whole:
                schema = whole.schema
            if not schema.names:
                return cls(path, schema, (0,))
            options = pa.ipc.IpcReadOptions(included_fields=[_narrowest(schema)])
            with pa.ipc.open_file(file, options=options) as reader:
                sizes = [reader.get_batch(number).num_rows for number in range(reader.num_record_batches)]
        return cls(path, schema, tuple(accumulate(sizes, initial=0)))

    @property
    def total(self) -> int:
        """How many rows there are."""
        return self.starts[-1]

    def window(self, offset: int, limit: int) -> pa.Table:
        """The rows from `offset` on, at most `limit`."""
        first = min(max(offset, 0), self.total)
        last = min(first + max(limit, 0), self.total)
        parts: list[pa.RecordBatch] = []
        if first < last:
            with pa.memory_map(str(self.path)) as file, pa.ipc.open_file(file) as reader:
                for number in range(bisect_right(self.starts, first) - 1, bisect_right(self.starts, last - 1)):
                    start = self.starts[number]
                    own = reader.get_batch(number).slice(max(first - start, 0), last - max(first, start))
                    parts += [own] if own.num_rows else []
                return pa.Table.from_batches(parts, self.schema).combine_chunks()
        return pa.Table.from_batches(parts, self.schema)


def _narrowest(schema: pa.Schema) -> int:
    """The column that is read fastest: numbers rather than texts, texts rather than lists."""
    kinds = [field.type for field in schema]
    return min(range(len(kinds)), key=lambda at: (pa.types.is_nested(kinds[at]), not _is_fixed(kinds[at]), at))


def _is_fixed(kind: pa.DataType) -> bool:
    return bool(pa.types.is_primitive(kind) or pa.types.is_decimal(kind))
