"""`sightline run`: a flow, from its sources to where its rows are delivered."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from sightline.cli._console import complain, live, output, print_json, remark
from sightline.cli._flows import (
    VERDICT_STYLES,
    FlowFile,
    FlowSchema,
    StoreFolder,
    Variables,
    default_store,
    opened_flow,
    store_of,
)
from sightline.cli._report import SUSPICIOUS
from sightline.cli._sources import Json
from sightline.cli._text import clean, counted
from sightline.files import write_bytes
from sightline.flow.run import FlowStore
from sightline.flow.spec import Flow
from sightline.jobs import Cancel

if TYPE_CHECKING:
    from sightline.flow.run import FlowEvent, FlowPlan, FlowRun, PlannedStep, RunState

__all__ = ["register_run", "run_document", "show_run", "step_grid"]

_SIGNS = {
    "begun": "…",
    "progress": "…",
    "done": "✓",
    "reused": "✓",
    "failed": "✗",
    "skipped": "–",
    "held": "!",
}


def register_run(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run_command)


def run_command(  # noqa: PLR0913 - one for each flag
    file: FlowFile,
    *,
    variables: Variables = None,
    store: StoreFolder = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin a new run, even if the last one was interrupted.")
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only show what would happen; see `sightline plan`.")] = False,
    schema: FlowSchema = False,  # noqa: ARG001 - printed by its callback
    json: Json = False,
) -> None:
    """Run a flow: read, integrate, normalise, match, check and deliver, as its file says; each row arrives once.

    A run that was interrupted, or whose destination was down, goes on where it was. The exit status is 3 if the data is
    suspicious, and 1 if a step failed.

    [bold]Examples[/]

      sightline run prices.flow.yaml

      sightline run prices.flow.yaml --set shop=https://shop.example --store /var/lib/prices

      sightline run --schema > flow.schema.json
    """
    flow = opened_flow(file, variables)
    kept = store_of(flow, store)
    if plan:
        show_plan(flow, kept, json=json)
        return
    unfinished = kept.unfinished()
    if unfinished is not None and not fresh and not json:
        remark(f"Going on with the run {unfinished.path.name}, which was not finished; --fresh begins a new one.")
    from sightline.flow.run import run_flow  # with DuckDB and Arrow, which help does not need

    cancel = Cancel()
    with _shown(flow, quiet=json) as listener:
        found = run_flow(flow, store=store or default_store(flow), fresh=fresh, on_event=listener, cancel=cancel)
    if json:
        print_json(run_document(found.state))
    else:
        show_run(found)
    if found.errors:
        raise typer.Exit(1)
    if found.verdict != "ok":
        raise typer.Exit(SUSPICIOUS)


def run_document(state: "RunState") -> dict[str, object]:
    """A run as plain values, without the text of its flow."""
    document = state.to_json()
    document.pop("text")
    return {"run": document}


@contextmanager
def _shown(flow: Flow, *, quiet: bool) -> "Iterator[Callable[[FlowEvent], None]]":
    """A listener that keeps a table of the steps up to date on the terminal."""
    told: dict[str, FlowEvent] = {}
    with live() as draw:

        def listen(event: "FlowEvent") -> None:
            told[event.step] = event
            if not quiet:
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
        facts.append("as before")
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
        complain("The run is not finished; fix what failed and run the flow again: what is done is not done twice.")


# `sightline plan`: what a run of a flow would do.

_WIDEST = 28  # characters of a cell
_NARROWEST = 6  # characters of a value, however many there are beside it
_BESIDE = 2  # blanks between two cells


def register_plan(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan")(plan_command)


def plan_command(
    file: FlowFile,
    *,
    variables: Variables = None,
    store: StoreFolder = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the proposed mappings of unions into the flow; comments stay.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what a run of a flow would do: every step with its columns and some rows, and no side effects.

    Files and queries are sampled. No page is opened, so what comes from pages is shown as it was in the last run.

    [bold]Examples[/]

      sightline plan prices.flow.yaml

      sightline plan prices.flow.yaml --write
    """
    flow = opened_flow(file, variables)
    plan = show_plan(flow, store_of(flow, store), json=json)
    if write and plan.mappings:
        mark = BOM_UTF8 if file.read_bytes().startswith(BOM_UTF8) else b""
        write_bytes(file, mark + plan.with_mappings().encode())
        remark(f"Written: {file} (columns of {', '.join(plan.mappings)})")
    if plan.problems and not json:
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
