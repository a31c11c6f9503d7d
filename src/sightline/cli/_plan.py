"""`sightline plan`: what a run of a flow would do."""

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._flows import FlowFile, StoreFolder, Variables, opened_flow, store_of
from sightline.cli._sources import Json
from sightline.cli._text import clean
from sightline.files import write_bytes
from sightline.flow.run import FlowStore
from sightline.flow.spec import Flow

if TYPE_CHECKING:
    from sightline.flow.run import FlowPlan, PlannedStep

__all__ = ["register", "show_plan"]

_WIDEST = 28  # characters of a cell
_NARROWEST = 6  # characters of a value, however many there are beside it
_BESIDE = 2  # blanks between two cells


def register(app: typer.Typer) -> None:
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
