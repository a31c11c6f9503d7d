"""Runs a flow: step after step, each of them once, from where an interrupted run was left."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any

import orjson

from sightline.data import Verdict, worst_verdict
from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.flow.run._captures import EarlierReadings, PastDay, check_past
from sightline.flow.run._context import FlowEvent, StepContext, StepResult
from sightline.flow.run._gate import gate_step, releases_path
from sightline.flow.run._integrating import (
    deduplicate_step,
    join_step,
    nest_step,
    normalise_step,
    query_database,
    sql_step,
    union_step,
    unnest_step,
)
from sightline.flow.run._matching import match_step
from sightline.flow.run._notifying import deliver_step, notify_step
from sightline.flow.run._outcome import tell_left, tell_outcome, told_outcome, watched
from sightline.flow.run._preflight import check_beforehand, is_past
from sightline.flow.run._python import check_trusted, python_step
from sightline.flow.run._resuming import abandon, files_of, inputs_of, run_to_do, why_not
from sightline.flow.run._source_columns import checked_columns
from sightline.flow.run._sources import (
    collect_pages,
    extract_pages,
    hosts_of,
    play_script,
    read_files,
    read_things,
)
from sightline.flow.run._standing_in import stand_in
from sightline.flow.run._state import DONE, FAILED, HELD, FlowStore, RunFolder, RunState, StepState, with_step
from sightline.flow.run._watching import RunWatch, RunWatcher
from sightline.flow.spec import Flow, FlowCheckStep, FlowStep, write_flow_step
from sightline.jobs import Cancel, new_loader
from sightline.redaction import redacted, remember_passwords
from sightline.sources import Loader

OnEvent = Callable[[FlowEvent], None]
StepWork = Callable[[StepContext, Any], StepResult]

WORK: Mapping[str, StepWork] = {
    "read": read_files,
    "query": query_database,
    "extract": extract_pages,
    "about": read_things,
    "collect": collect_pages,
    "play": play_script,
    "union": union_step,
    "join": join_step,
    "deduplicate": deduplicate_step,
    "nest": nest_step,
    "unnest": unnest_step,
    "sql": sql_step,
    "python": python_step,
    "normalise": normalise_step,
    "match": match_step,
    "check": gate_step,
    "deliver": deliver_step,
    "notify": notify_step,
}
"""What each step does, by its word."""

PAGES = ("extract", "about", "collect", "play")
MOST_AT_ONCE = 3  # sources that open pages; each may have a browser of its own


@dataclass(frozen=True)
class FlowRun:
    """What became of a run: its state, its folder, and the errors of the steps that failed."""

    state: RunState
    folder: Path
    errors: Mapping[str, SightlineError]

    @property
    def verdict(self) -> Verdict:
        """`ok`, `suspicious` or `failed`."""
        return self.state.verdict or "failed"

    @property
    def id(self) -> str:
        """The name of the run."""
        return self.state.id

    def rows(self, step: str) -> Any:
        """The rows of a step, as an Arrow table."""
        from sightline.flow.run._context import kept_rows

        path = RunFolder(self.folder).rows(Flow.loads(self.state.text).holder(step))
        if not path.exists():
            raise UsageError(f"The run {self.id} has no rows of `{step}`; it has {', '.join(self.state.steps)}.")
        import pyarrow as pa

        kept = kept_rows(path)
        return pa.Table.from_batches(list(kept.batches()), kept.schema)


def run_flow(  # noqa: PLR0913 - keywords, each of them said seldom
    flow: Flow,
    *,
    store: str | os.PathLike[str],
    fresh: bool = False,
    due: datetime | None = None,
    resume: str = "",
    run_id: str = "",
    now: datetime | None = None,
    loader: Callable[[bool], Loader] | None = None,
    on_event: OnEvent | None = None,
    cancel: Cancel | None = None,
    from_run: str = "",
    watchers: Iterable[RunWatcher] = (),
    trust: bool = False,
) -> FlowRun:
    """Run a flow, or take up its last run where it was left, if it is one of the same due date, flow and files.

    `due` is the time that the run is for; now, if it is not said. A run is taken up if it is younger than the flow's
    `resume_within`; `resume` takes up a certain one, however old, and `fresh` begins a new one in any case. `from_run`
    begins a new one that takes over what an earlier run did in the same way, such as all steps before a check of which
    rows were released meanwhile. Python code that the flow names is run only with `trust`. `watchers` are told when the
    run begins and ends, and what happens in between.
    """
    check_trusted(flow, trust=trust)
    kept = FlowStore(store, flow.name)
    moment = now or datetime.now(UTC)
    with kept.locked():
        if from_run:
            due = due or _due_of(kept, from_run)
        flow = flow.due_on(due or moment)
        remember_passwords(flow.filled_text)
        fresh = fresh or bool(from_run)
        replay = PastDay(kept, Path(store), due) if due and is_past(flow, due, moment) else None
        if not from_run:
            _check(flow, kept, Path(store), due or moment, moment, replay)
        tell_left(flow, kept)
        folder = run_to_do(kept, flow, now=moment, due=due, fresh=fresh, resume=resume, run_id=run_id)
        folder.tidy()
        watch = RunWatch(watchers, flow, kept, folder)
        listener = watch.telling(on_event)
        engine = FlowEngine(
            flow,
            kept,
            folder,
            Path(store),
            loader or page_loader,
            listener,
            cancel or Cancel(),
            now=moment,
            replay=replay,
            trust=trust,
        )
        if from_run:
            _take_over(engine, kept.run(from_run), folder)
        with watched(flow, Path(store), folder.path.name), watch:
            found = engine.run()
            return replace(found, state=watch.ended(found.state))


def _take_over(engine: "FlowEngine", earlier: RunFolder, folder: RunFolder) -> None:
    """Take over what an earlier run did; if that can't be done, nothing of the new one is left."""
    try:
        engine.take_over(earlier)
    except SightlineError:
        folder.remove()
        raise


def _due_of(store: FlowStore, run_id: str) -> datetime:
    """The due date of a run that another one takes over."""
    if run_id not in store.run_ids():
        raise UsageError(f"The flow {store.flow} has no run {run_id}; choose one of its runs, or leave it out.")
    return store.run(run_id).state.due_at


def _check(
    flow: Flow, store: FlowStore, pages: Path, due: datetime, now: datetime, replay: EarlierReadings | None
) -> None:
    """Refuse what can't succeed before anything is asked for; whoever is to hear of failures hears of this one."""
    run = store.run("")  # no run has begun
    steps = [flow.filled(flow.steps[name]) for name in flow.order]
    contexts = [
        StepContext(flow, step, store, run, due, now, {}, page_loader, pages, Cancel(), lambda _: None, replay)
        for step in steps
    ]
    try:
        check_beforehand(flow, contexts)
    except SightlineError as problem:
        tell_outcome(flow, "failed", (str(problem),))
        raise


def page_loader(static: bool) -> Loader:  # noqa: FBT001 - the one thing that is asked
    """Opens pages; PDFs come with their structure."""
    return new_loader(static=static)


def _apart(flow: Flow, steps: Mapping[str, FlowStep]) -> list[dict[str, FlowStep]]:
    """Groups of sources that ask different hosts: no host is asked twice at once, and each is paced as ever."""
    groups: list[tuple[frozenset[str], dict[str, FlowStep]]] = []
    for name, step in steps.items():
        hosts = hosts_of(flow, step)
        same = [group for group in groups if group[0] & hosts]
        joined = {key: one for group in same for key, one in group[1].items()} | {name: step}
        groups = [group for group in groups if group not in same]
        groups.append((hosts.union(*(group[0] for group in same)), joined))
    return [group for _, group in groups]


class FlowEngine:
    """One run of a flow."""

    def __init__(  # noqa: PLR0913 - what a run consists of
        self,
        flow: Flow,
        store: FlowStore,
        folder: RunFolder,
        pages: Path,
        loader: Callable[[bool], Loader],
        on_event: OnEvent | None,
        cancel: Cancel,
        work: Mapping[str, StepWork] = WORK,
        *,
        now: datetime | None = None,
        replay: EarlierReadings | None = None,
        trust: bool = False,
        is_plan: bool = False,
        tells: bool = True,
    ) -> None:
        self._trust = trust
        self._is_plan = is_plan  # in which nothing is remembered, and nothing stands in for what can't be read
        self._tells = tells and not is_plan
        self._replay = replay
        self._work = work
        self._now = now or datetime.now(UTC)
        self._since = monotonic()
        self._flow = flow
        self._store = store
        self._folder = folder
        self._pages = pages
        self._loader = loader
        self._listener = on_event
        self._lock = RLock()  # sources may run at once
        self._cancel = cancel
        self._state = replace(folder.state, text=flow.text, variables=dict(flow.variables))
        self._errors: dict[str, SightlineError] = {}
        self._prints: dict[str, str] = {}

    def _tell(self, event: FlowEvent) -> None:
        if self._listener is not None:
            shown = replace(event, what=redacted(event.what), detail=redacted(event.detail))
            with self._lock:
                self._listener(shown)

    def take_over(self, before: RunFolder) -> None:
        """Take over what another run did in the same way; what a release or an edit changed is left to be done.

        Nothing is fetched again, and what was delivered in the same way is not delivered again. What is delivered anew
        takes the place of what the other run brought, since both are for the same date.
        """
        steps, known = self._filled(), before.state.steps
        for name in steps:
            own = known.get(name)
            if own is None or own.state not in (DONE, HELD):
                continue
            if own.fingerprint == self._prints[name]:
                before.link(name, self._folder)
                self._state = with_step(self._state, name, own)
        self._folder.write(self._state)

    def _filled(self) -> dict[str, FlowStep]:
        steps = {name: self._flow.filled(self._flow.steps[name]) for name in self._flow.order}
        for name, step in steps.items():
            self._prints[name] = self._fingerprint(step)
        return steps

    def run(self) -> FlowRun:
        """Do what is not done yet; a step that fails stops only those that take its rows."""
        stopped: dict[str, str] = {}
        steps = self._filled()
        done = self._do_sources(steps, stopped)
        for name, step in steps.items():
            if name in done:
                continue
            blocked = next((stopped[one] for one in step.inputs if one in stopped), "")
            if blocked:
                stopped[name] = blocked
                self._skip(name, step, blocked)
            elif not self._is_reused(name, step):
                self._do(name, step, stopped)
            if self._state.steps.get(name, StepState(FAILED)).state == HELD:
                stopped[name] = f"`{name}` let nothing through"
        return self._finish()

    def _do_sources(self, steps: Mapping[str, FlowStep], stopped: dict[str, str]) -> set[str]:
        """Do the sources that open pages at once, but those of one host one after the other."""
        waiting = {name: step for name, step in steps.items() if step.word in PAGES and not self._is_known(name)}
        groups = _apart(self._flow, waiting)
        if len(groups) < 2:
            return set()
        with ThreadPoolExecutor(min(len(groups), MOST_AT_ONCE)) as pool:
            try:
                for work in as_completed([pool.submit(self._do_each, group, stopped) for group in groups]):
                    work.result()
            except BaseException:
                self._cancel.cancel()  # the others end with the next page
                raise
        return set(waiting)

    def _do_each(self, steps: Mapping[str, FlowStep], stopped: dict[str, str]) -> None:
        for name, step in steps.items():
            self._do(name, step, stopped)

    def _skip(self, name: str, step: FlowStep, why: str) -> None:
        self._tell(FlowEvent("skipped", name, str(step), detail=why))
        if name in self._state.steps:
            self._state = replace(
                self._state, steps={key: one for key, one in self._state.steps.items() if key != name}
            )

    def _is_known(self, name: str) -> bool:
        """Whether the step was done before the run was interrupted, from the same rows and in the same way."""
        state = self._state.steps.get(name)
        if state is None or state.state not in (DONE, HELD) or state.fingerprint != self._prints[name]:
            return False
        if state.stands_in or (not state.rows and self._flow.steps[name].word in PAGES):
            return False  # what could not be read, or gave nothing, is asked again
        return self._folder.rows(self._flow.holder(name)).exists()

    def _is_reused(self, name: str, step: FlowStep) -> bool:
        if not self._is_known(name):
            return False
        state = self._state.steps[name]
        self._tell(FlowEvent("reused", name, str(step), state.rows, state.seconds, state=state))
        return True

    def _do(self, name: str, step: FlowStep, stopped: dict[str, str]) -> None:
        began = monotonic()
        files = files_of(self._flow, step)
        self._tell(FlowEvent("begun", name, str(step)))
        context = self.context(step)
        try:
            self._cancel.check(len(self._state.steps))
            if self._replay is not None and not self._replay.is_whole:
                check_past(step, context.due, self._replay)
            outcome = self._work[step.word](context, step)
            if not self._is_plan:
                outcome = checked_columns(context, step, outcome)
        except JobCancelled:
            raise
        except SightlineError as problem:
            instead = stand_in(context, step, problem) if not self._is_plan else None
            if instead is None:
                seconds = monotonic() - began
                self._errors[name] = problem
                stopped[name] = f"`{name}` failed"
                state = self._keep(name, StepState(FAILED, seconds=seconds, verdict="failed", reasons=(str(problem),)))
                self._tell(FlowEvent("failed", name, str(step), 0, seconds, str(problem), state=state))
                return
            outcome = instead
        verdict = worst_verdict((outcome.verdict, "suspicious")) if self._is_behind_gap(name) else outcome.verdict
        state = StepState(
            HELD if outcome.stops else DONE,
            outcome.rows,
            outcome.held,
            round(monotonic() - began, 3),
            verdict,
            outcome.reasons,
            outcome.notes,
            dict(outcome.counts),
            outcome.doubts,
            self._prints[name],
            context.filled,
            outcome.at or self._clock().isoformat(),
            outcome.stands_in,
            files,
        )
        state = self._keep(name, state)
        self._tell(FlowEvent("done", name, str(step), state.rows, state.seconds, state=state))

    def _clock(self) -> datetime:
        """What time it is: that at which the run was asked for, and what has passed since."""
        return self._now + timedelta(seconds=monotonic() - self._since)

    def _is_behind_gap(self, name: str) -> bool:
        """Whether a source that its rows come from could not be read, so that other rows or none stand in for it."""
        known = self._state.steps
        return any(known[one].stands_in for one in self._flow.upstream(name) if one != name and one in known)

    def _keep(self, name: str, state: StepState) -> StepState:
        with self._lock:
            self._state = self._folder.write(with_step(self._state, name, state))
            return self._state.steps[name]

    def context(self, step: FlowStep) -> StepContext:
        """What a step gets to know, as of now."""
        return StepContext(
            self._flow,
            step,
            self._store,
            self._folder,
            self._state.due_at,
            self._clock(),
            dict(self._state.steps),
            self._loader,
            self._pages,
            self._cancel,
            self._tell,
            self._replay,
            self._trust,
        )

    def _fingerprint(self, step: FlowStep) -> str:
        """What a step was made from: itself and its inputs, and what people released of what it held back.

        Files outside are as they were when they were read.
        """
        made_from = [write_flow_step(step), [self._prints[name] for name in step.inputs]]
        if values := self._flow.values_in_sql(step):
            made_from.append(values)
        own = orjson.dumps(made_from, default=str)
        releases = releases_path(self._store, step.name)
        if isinstance(step, FlowCheckStep) and releases.exists():
            own += releases.read_bytes()
        return hashlib.sha256(own).hexdigest()[:16]

    def _finish(self) -> FlowRun:
        worst = worst_verdict(step.verdict for step in self._state.steps.values())
        verdict: Verdict = "failed" if self._errors else worst
        ended = "" if self._errors else self._clock().isoformat()
        state = self._folder.write(replace(self._state, verdict=verdict, ended=ended))
        if self._tells:
            state = self._folder.write(told_outcome(self._flow, state))
        return FlowRun(state, self._folder.path, self._errors)


# A run that a schedule asks for: named by the time that it was due, after what earlier runs left.


def run_due(  # noqa: PLR0913 - keywords, each of them said seldom
    flow: Flow,
    due: datetime,
    *,
    store: str | os.PathLike[str],
    loader: Callable[[bool], Loader] = page_loader,
    on_event: Callable[[FlowEvent], None] | None = None,
    on_taken_up: Callable[[FlowRun], None] = lambda _: None,
    cancel: Cancel | None = None,
    watchers: Iterable[RunWatcher] = (),
    trust: bool = False,
) -> FlowRun:
    """Finish what earlier runs left, the oldest first, then do this one.

    Whoever asks again for the same time goes on with the same run, or sees that there is nothing left to do. A run
    that is too old to be taken up, or of a flow or files that have changed, is closed.
    """
    own = f"{due.astimezone(UTC):%Y%m%dT%H%M%S}-due"
    kept = FlowStore(store, flow.name)
    left = [run for run in kept.runs() if not run.is_finished and run.id != own]
    how: dict[str, Any] = {"loader": loader, "on_event": on_event, "cancel": cancel, "trust": trust}
    how["watchers"] = tuple(watchers)
    for run in left:
        now = datetime.now(UTC)
        dated = run.due_at if run.dated else None
        why = why_not(run, flow.due_on(run.due_at), inputs_of(flow.due_on(run.due_at)), now, dated)
        if why:
            with kept.locked():
                abandon(kept.run(run.id), why, now)
            continue
        found = run_flow(flow, store=store, due=dated, run_id=run.id, **how)
        on_taken_up(found)
    return run_flow(flow, store=store, due=due, run_id=own, **how)
