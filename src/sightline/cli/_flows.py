"""What the commands about flows share: their arguments, and how steps and runs are shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli._console import print_json
from sightline.cli._flags import set_values
from sightline.flow.run import FlowStore
from sightline.flow.spec import Flow, flow_schema
from sightline.project import Project

__all__ = [
    "VERDICT_STYLES",
    "FlowFile",
    "FlowSchema",
    "StoreFolder",
    "Variables",
    "default_store",
    "opened_flow",
    "store_of",
]

VERDICT_STYLES = {"ok": "green", "suspicious": "yellow", "failed": "red"}
FlowFile = Annotated[Path, typer.Argument(metavar="FLOW", help="A flow, *.flow.yaml.", show_default=False)]
StoreFolder = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FOLDER",
        help="Where runs are kept; else the Studio's project, or `store` beside the flow.",
    ),
]
Variables = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=TEXT", help="Give a variable of the flow another value.", show_default=False),
]


def _print_schema(wanted: bool) -> None:  # noqa: FBT001 - typer's way of calling
    if wanted:
        print_json(flow_schema())
        raise typer.Exit


FlowSchema = Annotated[
    bool,
    typer.Option(
        "--schema", callback=_print_schema, is_eager=True, help="Print the JSON Schema of flows, for editors."
    ),
]


def opened_flow(file: Path, variables: Sequence[str] | None) -> Flow:
    """The flow of a file, with the variables of the command line."""
    return Flow.load(file).with_variables(set_values(variables or ()))


def store_of(flow: Flow, folder: Path | None) -> FlowStore:
    """Where the runs of a flow are kept."""
    return FlowStore(folder or default_store(flow), flow.name)


def default_store(flow: Flow) -> Path:
    """Where runs are kept if nobody says so: in the project of the Studio that the flow is in, else in `store`."""
    return flow.folder if Project(flow.folder).is_project else flow.folder / "store"
