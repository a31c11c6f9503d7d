"""`sightline schedule`: flows that run on time, in the foreground."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli._console import complain, output, remark
from sightline.cli._flags import set_values, takes
from sightline.cli._flows import StoreFolder, Variables, default_store
from sightline.cli._text import clean, counted
from sightline.errors import OutputError, UsageError
from sightline.flow.schedule import ScheduledFlow, ScheduledRun, ScheduleSettings, Timetable
from sightline.flow.spec import DeliverStep, Flow

if TYPE_CHECKING:
    from sightline.flow.run import FlowRun
    from sightline.flow.schedule import ScheduleEvent

__all__ = ["register_schedule"]

SHOWN = 10  # of what ran last, by --list


def register_schedule(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schedule")(takes(scheduling=ScheduleSettings)(schedule_command))


def schedule_command(
    files: Annotated[list[Path], typer.Argument(metavar="FLOW…", help="Flows, *.flow.yaml.", show_default=False)],
    *,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIMES", help="When to run, in words or as cron; else what each flow says."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Show when the flows run next and what ran last, and exit.")
    ] = False,
    variables: Variables = None,
    store: StoreFolder = None,
    **settings: Any,
) -> None:
    """Run flows on time, in the foreground, until it is stopped; runs that were missed are caught up.

    When a flow runs is said by its key `schedule`, or by --at: `every weekday at 6:30 Europe/Vienna`, `every 15
    minutes`, `30 6 * * 1-5`. Flows run one after the other. Ctrl-C ends it after the current run, a second one at once.

    [bold]Examples[/]

      sightline schedule prices.flow.yaml --store /var/lib/prices

      sightline schedule prices.flow.yaml --at "every weekday at 6:30 Europe/Vienna" --jitter 60

      sightline schedule prices.flow.yaml --list
    """
    from sightline.flow.schedule import Schedule

    given = set_values(variables or ())
    flows = {flow.name: flow for flow in (Flow.load(file) for file in files)}
    if len(flows) < len(files):
        raise UsageError("Two of the flows have the same name; rename the file of one of them.")
    planned = [_scheduled(flow, at, settings["scheduling"]) for flow in flows.values()]
    folder = store or default_store(next(iter(flows.values())))
    if listed:
        for one in planned:
            _show(one, folder)
        return

    def run(this: ScheduledRun) -> str:
        # The file is read anew, so that a change of it counts from the next run on.
        flow = Flow.load(flows[this.flow].file).with_variables(given)
        return _run(flow, folder, this)

    for one in planned:
        remark(one.timetable.describe(datetime.now(UTC)), source=one.name)
    Schedule(planned, folder, run=run, on_event=_tell).serve()


def _scheduled(flow: Flow, at: str | None, settings: ScheduleSettings) -> ScheduledFlow:
    text = at or flow.schedule
    if not text:
        raise UsageError(f"{flow.file} does not say when it runs; add `schedule: every weekday at 6:30`, or give --at.")
    return ScheduledFlow(flow.name, Timetable.read(text), settings)


def _run(flow: Flow, folder: Path, this: ScheduledRun) -> str:
    """Do a run that is due; one that fails is an error."""
    from sightline.flow.run import run_due

    def taken_up(found: "FlowRun") -> None:
        remark(f"took up the run {found.id}: {_note(found)}", source=flow.name)

    found = run_due(flow, this.due, store=folder, on_taken_up=taken_up)
    if found.errors:
        raise OutputError(f"{_note(found)}; it goes on with the next run.")
    return _note(found)


def _note(found: "FlowRun") -> str:
    if found.errors:
        return "; ".join(f"{name}: {str(error).rstrip('.')}" for name, error in found.errors.items())
    reasons = f" ({'; '.join(found.state.reasons[:3])})" if found.verdict != "ok" else ""
    steps = Flow.loads(found.state.text, found.state.flow).steps
    rows = sum(state.rows for name, state in found.state.steps.items() if isinstance(steps.get(name), DeliverStep))
    return f"{found.verdict}, {counted(rows, 'row')} delivered{reasons}"


def _show(flow: ScheduledFlow, folder: Path) -> None:
    from sightline.flow.schedule import schedule_history

    output.print(f"{flow.name}: {flow.timetable.describe(datetime.now(UTC))}", markup=False)
    for entry in list(schedule_history(folder, flow.name))[-SHOWN:]:
        times = f", {entry.count} times" if entry.count > 1 else ""
        told = f"  {entry.due:%Y-%m-%d %H:%M %Z}{times}: {entry.outcome} {entry.note or entry.run}"
        output.print(clean(told.rstrip()), markup=False)


def _tell(event: "ScheduleEvent") -> None:
    """One line for each event that people want to see in a journal."""
    from sightline.flow.schedule import (
        ClockMoved,
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
        case RunEnded(run=run, outcome="done"):
            output.print(f"{run.flow}: {clean(event.note)} ({event.seconds:.0f} s)", markup=False)
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
            remark("Stopping after the current run; Ctrl-C again stops at once.")
