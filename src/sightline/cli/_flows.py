"""`sightline run`, `plan` and `schedule`, and what all commands about flows share."""

import os
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.table import Table as Grid
from rich.text import Text

from sightline.cli._console import complain, live, output, print_json, remark
from sightline.cli._flags import Flags, argument, flag, set_values, switch
from sightline.cli._operating import OperatingFlags
from sightline.cli._sources import SUSPICIOUS, JsonFlags
from sightline.cli._text import clean, counted
from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.flow.run import FlowStore
from sightline.flow.schedule import ScheduledFlow, ScheduledRun, ScheduleSettings, Timetable, kept_apart
from sightline.flow.spec import Flow, flow_schema
from sightline.jobs import Cancel
from sightline.project import Project

if TYPE_CHECKING:
    from sightline.flow.operate import JsonLog
    from sightline.flow.run import FlowEvent, FlowPlan, FlowRun, PlannedStep, RunState, RunWatcher
    from sightline.flow.schedule import FlowOrder, RunEnded, ScheduleEvent

VERDICT_STYLES = {"ok": "green", "suspicious": "yellow", "failed": "red"}
_SIGNS = {
    "begun": "…",
    "progress": "…",
    "done": "✓",
    "reused": "✓",
    "failed": "✗",
    "skipped": "–",
    "held": "!",
}

NOTHING_TO_DO = 4
"""The exit status where no due date is left to be run."""

FlowFile = Annotated[Path, argument(metavar="FLOW", help="A flow, *.flow.yaml.")]


@dataclass(frozen=True, kw_only=True)
class StoreFlags(Flags):
    """Where runs are kept."""

    store: Path | None = flag(
        None, help="where runs are kept; else the Studio's project, or `store` beside the flow", metavar="FOLDER"
    )

    def of(self, flow: Flow) -> FlowStore:
        """Where the runs of a flow are kept."""
        return FlowStore(self.folder(flow), flow.name)

    def folder(self, flow: Flow) -> Path:
        """The folder of runs; if nobody says so, in the project of the Studio that the flow is in, else in `store`."""
        by_default = flow.folder if Project(flow.folder).is_project else flow.folder / "store"
        return self.store or by_default


@dataclass(frozen=True, kw_only=True)
class FlowFlags(StoreFlags):
    """Which values a flow works with, and where its runs are kept."""

    variables: tuple[str, ...] = flag(
        (), help="give a variable of the flow another value", names="--set", metavar="NAME=TEXT"
    )

    def opened(self, file: Path) -> Flow:
        """The flow of a file, with the variables of the command line."""
        return Flow.load(file).with_variables(set_values(self.variables))


# `sightline run`: a flow, from its sources to where its rows are delivered.


@dataclass(frozen=True, kw_only=True)
class RunFlags(JsonFlags):
    """How a flow is run."""

    date: str | None = flag(
        None,
        help="the due date of the run, such as 2026-11-01; now, if not given",
        metavar="DATE",
    )
    first: str | None = flag(
        None, names="--from", help="run for each due date from this day on; with --to", metavar="DATE"
    )
    last: str | None = flag(None, names="--to", help="the last day of --from; today, if not given", metavar="DATE")
    missing: bool = switch(help="only for due dates that have no complete run yet")
    fresh: bool = switch(help="begin a new run, even if the last one was interrupted")
    resume: str = flag("", help="take up this run, however old it is", metavar="RUN")
    trust: bool = switch(help="run the Python code that the flow names; it can do whatever you can")
    plan: bool = switch(help="only show what would happen; see `sightline plan`")
    schema: bool = switch(help="print the JSON Schema of flows, for editors", instead=lambda: print_json(flow_schema()))


def run_command(file: FlowFile, which: FlowFlags, flags: RunFlags, operating: OperatingFlags) -> None:
    """Run a flow: read, integrate, normalise, match, check and deliver, as its file says; each row arrives once.

    A run that was interrupted, or whose destination was down, goes on where it was: if it is one of the same due date,
    flow, variables and files, and not older than `resume_within` of the flow, an hour if it does not say. Otherwise a
    new run begins. A due date that is run again replaces what it delivered; a past one reads the pages that were
    captured on that day. The exit status is 3 if the data is suspicious, 1 if a step failed, and 4 if there was nothing
    to do.

    [bold]Examples[/]

      sightline run prices.flow.yaml

      sightline run prices.flow.yaml --set shop=https://shop.example --store /var/lib/prices

      sightline run prices.flow.yaml --date 2026-11-01

      sightline run prices.flow.yaml --from 2026-11-01 --to 2026-11-30 --missing

      sightline run prices.flow.yaml --log json --metrics /var/lib/node_exporter --lineage http://marquez:5000/api/v1/lineage

      sightline run --schema > flow.schema.json
    """
    operating.opened_log()
    flow = which.opened(file)
    kept = which.of(flow)
    if flags.plan:
        show_plan(flow, kept, json=flags.json)
        return
    watchers = operating.watchers()
    if flags.first is None and (flags.last is not None or (flags.missing and flags.date is None)):
        raise UsageError("--to and --missing are for --from or --date; say which dates are meant.")
    if flags.first is not None and (flags.date is not None or flags.resume):
        raise UsageError("--from runs a flow for many dates; leave out --date and --resume.")
    if flags.first is not None:
        _run_dates(flow, which, flags, operating, watchers)
        return
    due = _due_date(flags.date, flow, kept)
    if flags.missing and due is not None and any(run.is_complete for run in kept.runs_due(lambda one: one == due)):
        _nothing_to_do(f"{flow.name} has a complete run for {due:%Y-%m-%d %H:%M %Z}", [], json=flags.json)
    found = _run_once(flow, which, flags, due, operating, watchers)
    if flags.json:
        print_json(run_document(found.state))
    if found.errors:
        raise typer.Exit(1)
    if found.verdict != "ok":
        raise typer.Exit(SUSPICIOUS)


def _run_once(
    flow: Flow,
    which: FlowFlags,
    flags: RunFlags,
    due: datetime | None,
    operating: OperatingFlags,
    watchers: "Sequence[RunWatcher]",
) -> "FlowRun":
    """Run a flow for one date, and show what became of it."""
    from sightline.flow.run import run_flow  # with DuckDB and Arrow, which help does not need

    unfinished = which.of(flow).unfinished()
    with watched_steps(flow, quiet=flags.json or operating.is_quiet) as listener:
        found = run_flow(
            flow,
            store=which.folder(flow),
            due=due,
            fresh=flags.fresh,
            resume=flags.resume,
            on_event=listener,
            cancel=Cancel(),
            trust=flags.trust,
            watchers=watchers,
        )
    if unfinished is not None and unfinished.path.name == found.id and not flags.json:
        remark(f"The run {found.id} was not finished, and went on where it was; --fresh begins a new one.")
    for notice in found.state.notices:
        remark(notice)
    if not flags.json:
        show_run(found)
    return found


def _run_dates(
    flow: Flow, which: FlowFlags, flags: RunFlags, operating: OperatingFlags, watchers: "Sequence[RunWatcher]"
) -> None:
    """Run a flow for each due date between two days; one that fails does not stop the others."""
    from sightline.flow.run import due_dates, nothing_due, read_day, run_dates

    first = read_day(flags.first or "", "--from")
    last = read_day(flags.last, "--to") if flags.last else None
    dues = due_dates(flow, which.of(flow), first, last, now=datetime.now(UTC), missing=flags.missing)
    runs: list[dict[str, object]] = []
    if why := nothing_due(flow, dues, first, last):
        _nothing_to_do(why, runs, json=flags.json)
    numbers = count(1)

    def run(due: datetime) -> "FlowRun":
        remark(f"{next(numbers)} of {len(dues)}: {due:%Y-%m-%d %H:%M %Z}")
        return _run_once(flow, which, flags, due, operating, watchers)

    status = 0
    for done in run_dates(dues, run):
        if done.run is None:
            assert done.problem is not None
            said = done.problem.message
            complain(said)
            runs.append({"due": done.due.isoformat(), "error": {"type": type(done.problem).__name__, "message": said}})
            status = 1
            continue
        runs.append(run_document(done.run.state)["run"])  # type: ignore[arg-type]
        if done.run.errors:
            status = 1
        elif done.run.verdict != "ok" and status == 0:
            status = SUSPICIOUS
    if flags.json:
        print_json({"runs": runs})
    if status:
        raise typer.Exit(status)


def _nothing_to_do(why: str, runs: "list[dict[str, object]]", *, json: bool) -> NoReturn:
    remark(f"Nothing to do: {why}.")
    if json:
        print_json({"runs": runs})
    raise typer.Exit(NOTHING_TO_DO)


def _due_date(text: str | None, flow: Flow, store: FlowStore) -> datetime | None:
    """The due date that is meant by --date, if it is given."""
    from sightline.flow.run import due_meant

    return None if text is None else due_meant(text, flow, store, "--date")


def run_document(state: "RunState") -> dict[str, object]:
    """A run as plain values, without the text of its flow."""
    document = state.to_json()
    document.pop("text")
    return {"run": document}


@contextmanager
def watched_steps(flow: Flow, *, quiet: bool) -> "Iterator[Callable[[FlowEvent], None]]":
    """A listener that keeps a table of the steps up to date on the terminal."""
    if quiet:
        yield lambda _: None
        return
    told: dict[str, FlowEvent] = {}
    with live() as draw:

        def listen(event: "FlowEvent") -> None:
            told[event.step] = event
            draw(step_grid(flow, told))

        yield listen


def step_grid(flow: Flow, told: "dict[str, FlowEvent]") -> Grid:
    """The steps with what is known of each by now."""
    grid = Grid(box=None, padding=(0, 1), show_header=False)
    for name in flow.order:
        event = told.get(name)
        sign = _SIGNS[event.kind] if event else " "
        style = VERDICT_STYLES.get(event.state.verdict, "") if event and event.state else ""
        grid.add_row(Text(sign, style=style), Text(clean(name)), Text(_facts(event), style="dim"))
    return grid


def _facts(event: "FlowEvent | None") -> str:
    if event is None:
        return ""
    if event.kind in ("failed", "skipped"):
        return clean(event.detail)
    facts = [counted(event.rows, "row")] if event.rows or event.kind in ("done", "reused") else []
    if event.progress and event.progress.total:
        facts.append(f"{event.progress.done} of {event.progress.total} pages")
    if event.state and event.state.held:
        facts.append(f"{event.state.held:,} held back")
    if event.kind == "reused":
        read_at = event.state.at if event.state else ""
        facts.append(f"as before, of {datetime.fromisoformat(read_at):%Y-%m-%d %H:%M} UTC" if read_at else "as before")
    elif event.seconds >= 1:
        facts.append(f"{event.seconds:.0f} s")
        if event.pace:
            facts.append(f"{event.pace:,.0f} rows/s")
    if event.state and event.state.counts:
        facts.append(", ".join(f"{count:,} {name}" for name, count in event.state.counts.items()))
    return " · ".join(facts)


def show_run(found: "FlowRun") -> None:
    """What became of each step, what to know about it, and the verdict."""
    from sightline.flow.run import FlowEvent

    for name, step in found.state.steps.items():
        sign = "✓" if step.is_done and step.verdict == "ok" else "✗" if step.state == "failed" else "!"
        facts = (
            _facts(FlowEvent("done", name, "", step.rows, step.seconds, state=step)) if step.state != "failed" else ""
        )
        output.print(Text(f"{sign} ", style=VERDICT_STYLES[step.verdict]) + Text(f"{clean(name):16} {facts}"))
        for reason in step.reasons:
            output.print(f"    {clean(reason)}", markup=False)
        for note in step.notes:
            output.print(f"    {clean(note)}", markup=False, style="dim")
    left = [name for name in Flow.loads(found.state.text).order if name not in found.state.steps]
    if left:
        output.print(f"– not run: {', '.join(left)}", markup=False, style="dim")
    output.print(
        Text("verdict: ") + Text(found.verdict, style=VERDICT_STYLES[found.verdict]) + Text(f" · run {found.id}")
    )
    if found.errors:
        within = "run the flow again soon, or with --resume " + found.id
        complain(f"The run is not finished; fix what failed and {within}: what is done is not done twice.")


# `sightline plan`: what a run of a flow would do.

_WIDEST = 28  # characters of a cell
_NARROWEST = 6  # characters of a value, however many there are beside it
_BESIDE = 2  # blanks between two cells


@dataclass(frozen=True, kw_only=True)
class PlanFlags(JsonFlags):
    """What becomes of a plan."""

    write: bool = switch(help="write the proposed mappings of unions into the flow; comments stay")


def plan_command(file: FlowFile, which: FlowFlags, flags: PlanFlags) -> None:
    """Show what a run of a flow would do: every step with its columns and some rows, and no side effects.

    Files and queries are sampled. No page is opened, so what comes from pages is shown as it was in the last run.

    [bold]Examples[/]

      sightline plan prices.flow.yaml

      sightline plan prices.flow.yaml --write
    """
    flow = which.opened(file)
    plan = show_plan(flow, which.of(flow), json=flags.json)
    if flags.write and plan.mappings:
        mark = BOM_UTF8 if file.read_bytes().startswith(BOM_UTF8) else b""
        write_bytes(file, mark + plan.with_mappings().encode())
        remark(f"Written: {file} (columns of {', '.join(plan.mappings)})")
    if plan.problems and not flags.json:
        raise typer.Exit(1)


def show_plan(flow: Flow, store: FlowStore, *, json: bool) -> "FlowPlan":
    """Print a plan."""
    from sightline.flow.run import plan_flow  # with DuckDB and Arrow, which help does not need

    plan = plan_flow(flow, store=store.folder.parent.parent)
    if json:
        mappings = {step: {name: dict(one) for name, one in mapping.items()} for step, mapping in plan.mappings.items()}
        print_json({"plan": {"steps": [step.to_json() for step in plan.steps], "mappings": mappings}})
        return plan
    for step in plan.steps:
        _show_step(step)
    for name, mapping in plan.mappings.items():
        output.print(f"\nProposed for {name}; --write puts it into the flow:", markup=False)
        for column, steps in mapping.items():
            told = ", ".join(f"{step}: {old}" for step, old in steps.items())
            output.print(f"  {clean(column)}: {{{clean(told)}}}", markup=False)
    return plan


def _show_step(step: "PlannedStep") -> None:
    output.print(Text(step.name, style="bold") + Text(f"  {clean(step.what)}", style="dim"))
    if step.problem:
        complain(step.problem)
    for note in step.notes:
        output.print(f"  {clean(note)}", markup=False, style="dim")
    if not step.columns:
        return
    # What is too wide for the terminal is cut in the values; the names and types say what they are.
    own = [min(max(map(len, texts)), _WIDEST) for texts in (step.columns, step.columns.values())]
    room = output.width - sum(own) - _BESIDE * (2 + len(step.rows)) - _BESIDE
    widest = min(_WIDEST, max(_NARROWEST, room // max(len(step.rows), 1)))
    grid = Grid(box=None, padding=(0, 1), show_header=False)
    grid.add_column(no_wrap=True, overflow="ellipsis", min_width=own[0] + 2, max_width=own[0] + 2)
    grid.add_column(no_wrap=True, overflow="ellipsis", min_width=own[1], max_width=own[1])
    for _ in step.rows:
        grid.add_column(max_width=widest, overflow="ellipsis", no_wrap=True)
    for name, kind in step.columns.items():
        cells = (row[name] for row in step.rows)
        shown = (Text(clean("" if value is None else str(value))) for value in cells)
        grid.add_row(Text(f"  {clean(name)}"), Text(clean(kind), style="dim"), *shown)
    output.print(grid)


# `sightline schedule`: flows that run on time, in the foreground.

SHOWN = 10  # of what ran last, by --list
# A run keeps a core busy at times, and takes up to some hundred MB; more than four at once seldom gain anything.
MOST_WORKERS = 4


@dataclass(frozen=True, kw_only=True)
class ScheduleFlags(Flags):
    """When flows run."""

    at: str | None = flag(None, help="when to run, in words or as cron; else what each flow says", metavar="TIMES")
    workers: int | None = flag(
        None,
        help="how many flows run at once, each in a process of its own; else as many as there are cores, "
        f"but no more than {MOST_WORKERS}, since a run may take a core and some hundred MB",
        minimum=1,
    )
    trust: bool = switch(help="run the Python code that the flows name; it can do whatever you can")
    listed: bool = switch(help="show when the flows run next and what ran last, and exit", names="--list")


def schedule_command(
    files: Annotated[list[Path], argument(metavar="FLOW…", help="Flows, *.flow.yaml.")],
    flags: ScheduleFlags,
    which: FlowFlags,
    scheduling: ScheduleSettings,
    operating: OperatingFlags,
) -> None:
    """Run flows on time, in the foreground, until it is stopped; runs that were missed are caught up.

    When a flow runs is said by its key `schedule`, or by --at: `every weekday at 6:30 Europe/Vienna`, `every 15
    minutes`, `30 6 * * 1-5`. Up to --workers flows run side by side, but never two runs of one flow, nor two flows that
    ask the same site or write to the same file. Ctrl-C ends it after the current runs, a second one at once.

    [bold]Examples[/]

      sightline schedule prices.flow.yaml --store /var/lib/prices

      sightline schedule prices.flow.yaml --at "every weekday at 6:30 Europe/Vienna" --jitter 60

      sightline schedule prices.flow.yaml --list
    """
    log = operating.opened_log()
    operating.watchers()  # what can't be meant is refused before anything runs
    given = set_values(which.variables)
    flows = {flow.name: flow for flow in map(Flow.load, files)}
    if len(flows) < len(files):
        raise UsageError("Two of the flows have the same name; rename the file of one of them.")
    folder = which.folder(next(iter(flows.values())))
    workers = min(flags.workers or min(os.cpu_count() or 1, MOST_WORKERS), len(flows))
    planned = [_scheduled(flow, flags.at, scheduling) for flow in flows.values()]
    if flags.listed:
        for one in planned:
            _show_schedule(one, folder)
        return
    if workers > 1:
        apart = [kept_apart(flow.with_variables(given)) for flow in flows.values()]
        planned = [replace(one, apart=held) for one, held in zip(planned, apart, strict=True)]
    for one in planned:
        remark(one.timetable.describe(datetime.now(UTC)), source=one.name)
    asked = {flow.name: operating.order(flow.file, str(folder), given, trust=flags.trust) for flow in flows.values()}
    _serve(planned, folder, workers, asked, partial(_tell_log, log=log) if log else _tell)


def _serve(
    planned: list[ScheduledFlow],
    folder: Path,
    workers: int,
    asked: "Mapping[str, FlowOrder]",
    tell: "Callable[[ScheduleEvent], None]",
) -> None:
    """Run flows on time; with one worker in this process, with several each in a process of its own."""
    from sightline.flow.schedule import FlowWorkers, Schedule, do_flow_run

    with ExitStack() as stack:
        do = do_flow_run if workers == 1 else stack.enter_context(FlowWorkers(folder)).run

        def run(this: ScheduledRun) -> str:
            return do(replace(asked[this.flow], due=this.due), lambda text: remark(text, source=this.flow))

        Schedule(planned, folder, run=run, on_event=tell, workers=workers).serve()


def _scheduled(flow: Flow, at: str | None, settings: ScheduleSettings) -> ScheduledFlow:
    text = at or flow.schedule
    if not text:
        raise UsageError(f"{flow.file} does not say when it runs; add `schedule: every weekday at 6:30`, or give --at.")
    return ScheduledFlow(flow.name, Timetable.read(text), settings)


def _show_schedule(flow: ScheduledFlow, folder: Path) -> None:
    from sightline.flow.schedule import schedule_history

    output.print(f"{flow.name}: {flow.timetable.describe(datetime.now(UTC))}", markup=False)
    for entry in list(schedule_history(folder, flow.name))[-SHOWN:]:
        times = f", {entry.count} times" if entry.count > 1 else ""
        told = f"  {entry.due:%Y-%m-%d %H:%M %Z}{times}: {entry.outcome} {entry.note or entry.run}"
        output.print(clean(told.rstrip()), markup=False)


def _tell_log(event: "ScheduleEvent", log: "JsonLog") -> None:
    """What becomes of each run on standard output, as ever; all events in the log."""
    from sightline.flow.schedule import RunEnded

    log.scheduled(event)
    if isinstance(event, RunEnded) and event.outcome == "done":
        _show_done(event)


def _show_done(event: "RunEnded") -> None:
    output.print(f"{event.run.flow}: {clean(event.note)} ({event.seconds:.0f} s)", markup=False)


def _tell(event: "ScheduleEvent") -> None:
    """One line for each event that people want to see in a journal."""
    from sightline.flow.schedule import (
        ClockMoved,
        RunDied,
        RunEnded,
        RunStarted,
        ScheduleWaits,
        StopRequested,
        TimesSkipped,
        TimetableChanged,
    )

    match event:
        case ScheduleWaits():
            remark(f"next at {event.start:%a %Y-%m-%d %H:%M:%S %Z}", source=event.flow)
        case RunStarted(run=run):
            again = f", attempt {run.attempt}" if run.attempt > 1 else ""
            missed = f", for {run.count} times" if run.count > 1 else ""
            remark(f"runs (due {run.due:%a %Y-%m-%d %H:%M %Z}{missed}{again})", source=run.flow)
        case RunDied(run=run):
            complain(f"{run.flow}: {event.why}, before the run was over.")
        case RunEnded(outcome="done"):
            _show_done(event)
        case RunEnded(run=run):
            complain(f"{run.flow}: {event.note}")
        case TimesSkipped():
            told = f"{counted(event.count, 'time')} skipped up to {event.last:%Y-%m-%d %H:%M %Z}"
            remark(f"{told}: {event.reason}", source=event.flow)
        case TimetableChanged():
            remark(f"runs {event.after} from now on, no longer {event.before}", source=event.flow)
        case ClockMoved():
            remark(f"the clock moved from {event.before:%Y-%m-%d %H:%M:%S} to {event.after:%Y-%m-%d %H:%M:%S}")
        case StopRequested():
            remark("Stopping after the current runs; Ctrl-C again stops at once.")
