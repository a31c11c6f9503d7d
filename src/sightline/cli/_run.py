"""`sightline run`: a flow, from its sources to where its rows are delivered."""

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
from sightline.cli._plan import show_plan
from sightline.cli._report import SUSPICIOUS
from sightline.cli._sources import Json
from sightline.cli._text import clean, counted
from sightline.flow.spec import Flow
from sightline.jobs import Cancel

if TYPE_CHECKING:
    from sightline.flow.run import FlowEvent, FlowRun, RunState

__all__ = ["register", "run_document", "show_run", "step_grid"]

_SIGNS = {
    "begun": "…",
    "progress": "…",
    "done": "✓",
    "reused": "✓",
    "failed": "✗",
    "skipped": "–",
    "held": "!",
}


def register(app: typer.Typer) -> None:
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
        complain("The run is not finished; mend what failed and run the flow again: what is done is not done twice.")
