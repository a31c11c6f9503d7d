"""What the store knows of runs as metrics of Prometheus, in a file that node_exporter's textfile collector reads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import get_args

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.files import write_bytes, writing
from sightline.flow.run import FlowStore, RunState, RunWatcher, WatchedRun
from sightline.project import Lock

SUFFIX = ".prom"  # the collector reads no other files
UNKNOWN = "none"
"""The verdict of a run that has not ended, or was closed before it had one."""

# What each metric says. All are gauges: they are of the last run, and runs can be deleted from the store.
HELP: Mapping[str, str] = {
    "sightline_run_begun_timestamp_seconds": "When the last run began.",
    "sightline_run_ended_timestamp_seconds": "When the last run ended, whatever became of it.",
    "sightline_run_due_timestamp_seconds": "The time that the last run was for.",
    "sightline_run_duration_seconds": "How long the last run took, with the time in which it waited to be taken up.",
    "sightline_run_verdict": "Whether the last run had this verdict, 1 or 0.",
    "sightline_run_last_ok_timestamp_seconds": "When the last run ended whose verdict was ok.",
    "sightline_runs": "How many runs the store knows, by their verdicts.",
    "sightline_step_rows": "Rows that each step of the last run let through.",
    "sightline_step_held_rows": "Rows that each step of the last run held back.",
    "sightline_step_duration_seconds": "How long each step of the last run took.",
    "sightline_step_failed": "Whether each step of the last run failed, 1 or 0.",
    "sightline_step_read_timestamp_seconds": (
        "When the rows of each step were read or made; those that stand in for newer ones are as old as this says."
    ),
}


@dataclass
class _Samples:
    """Values of metrics, each with its labels."""

    found: dict[str, list[tuple[Mapping[str, str], float]]] = field(default_factory=lambda: {name: [] for name in HELP})

    def add(self, name: str, value: float, **labels: str) -> None:
        self.found[f"sightline_{name}"].append((labels, value))

    def lines(self) -> Iterator[str]:
        for name, samples in self.found.items():
            if samples:
                yield f"# HELP {name} {_escaped(HELP[name])}"
                yield f"# TYPE {name} gauge"
            for labels, value in samples:
                told = ",".join(f'{label}="{_escaped(text, quote=True)}"' for label, text in labels.items())
                yield f"{name}{{{told}}} {value!r}"


def metrics_text(flows: Iterable[FlowStore]) -> str:
    """What is known of the runs of some flows, in the text format of Prometheus."""
    samples = _Samples()
    for store in flows:
        _add_flow(samples, store)
    return "".join(f"{line}\n" for line in samples.lines())


class MetricsFile(RunWatcher):
    """Writes the metrics after each run: of its flow to a file of its own in a folder, else of all flows of the store.

    The file never is half-written. Processes that write the same file wait for each other, so that each writes what
    the one before knew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not (path if path.is_dir() else path.parent).is_dir():
            raise UsageError(f"There is no folder {path.parent} for the metrics; make it, or choose another place.")

    def ended(self, run: WatchedRun) -> Sequence[str]:
        """The run is over."""
        self._write(run.store)
        return ()

    def stopped(self, run: WatchedRun) -> None:
        """The run was interrupted, and is counted as one without a verdict."""
        self._write(run.store)

    def _write(self, store: FlowStore) -> None:
        if self._path.is_dir():
            write_bytes(self._path / f"sightline-{store.flow}{SUFFIX}", metrics_text([store]).encode())
            return
        with writing(self._path), Lock(self._path.with_name(f".{self._path.name}.lock"), wait=True):
            write_bytes(self._path, metrics_text(_flows_beside(store)).encode())


def _flows_beside(store: FlowStore) -> Iterator[FlowStore]:
    flows = store.folder.parent
    for folder in sorted(flows.iterdir()):
        if (folder / "runs").is_dir():
            yield FlowStore(flows.parent, folder.name)


def _add_flow(samples: _Samples, store: FlowStore) -> None:
    counts = dict.fromkeys((*get_args(Verdict), UNKNOWN), 0)
    last_ok: RunState | None = None
    last: tuple[RunState, float] | None = None
    for run_id in store.run_ids():
        folder = store.run(run_id)
        try:
            state = folder.state
        except UsageError:  # damaged, which whoever looks at that run is told
            counts[UNKNOWN] += 1
            continue
        counts[state.verdict or UNKNOWN] += 1
        if state.verdict == "ok" and state.is_complete and (last_ok is None or state.ended > last_ok.ended):
            last_ok = state
        # A failed run has not ended in its own words, since it can be taken up; then its file was last written.
        ended = _seconds(state.ended) if state.ended else (folder.path / "run.json").stat().st_mtime
        if last is None or ended >= last[1]:
            last = state, ended
    if last is not None:
        _add_run(samples, store.flow, *last)
    for verdict, count in counts.items():
        samples.add("runs", count, flow=store.flow, verdict=verdict)
    if last_ok is not None:
        samples.add("run_last_ok_timestamp_seconds", _seconds(last_ok.ended), flow=store.flow)


def _add_run(samples: _Samples, flow: str, run: RunState, ended: float) -> None:
    samples.add("run_begun_timestamp_seconds", _seconds(run.began), flow=flow)
    samples.add("run_ended_timestamp_seconds", ended, flow=flow)
    samples.add("run_due_timestamp_seconds", run.due_at.timestamp(), flow=flow)
    samples.add("run_duration_seconds", max(round(ended - _seconds(run.began), 3), 0.0), flow=flow)
    for verdict in (*get_args(Verdict), UNKNOWN):
        samples.add("run_verdict", int((run.verdict or UNKNOWN) == verdict), flow=flow, verdict=verdict)
    for name, step in run.steps.items():
        samples.add("step_rows", step.rows, flow=flow, step=name)
        samples.add("step_held_rows", step.held, flow=flow, step=name)
        samples.add("step_duration_seconds", step.seconds, flow=flow, step=name)
        samples.add("step_failed", int(step.state == "failed"), flow=flow, step=name)
        if step.at:
            samples.add("step_read_timestamp_seconds", _seconds(step.at), flow=flow, step=name)


def _seconds(text: str) -> float:
    return round(datetime.fromisoformat(text).timestamp(), 3)


def _escaped(text: str, *, quote: bool = False) -> str:
    r"""A text as the format wants it.

    >>> print(_escaped('a "b"\n', quote=True))
    a \"b\"\n
    """
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quote else text
