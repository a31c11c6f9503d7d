"""What the commands about flows share: their arguments, and how steps and runs are shown."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli._console import print_json
from sightline.errors import UsageError
from sightline.flow.run import FlowStore
from sightline.flow.spec import Flow, flow_schema

__all__ = ["FlowFile", "FlowSchema", "StoreFolder", "Variables", "named_variables", "opened_flow", "store_of"]

FlowFile = Annotated[Path, typer.Argument(metavar="FLOW", help="A flow, *.flow.yaml.", show_default=False)]
StoreFolder = Annotated[
    Path | None,
    typer.Option("--store", metavar="FOLDER", help="Where runs are kept; `store` beside the flow if not said."),
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
    return Flow.load(file).with_variables(named_variables(variables or ()))


def named_variables(given: Sequence[str]) -> Mapping[str, str]:
    """Variables as they are given to `--set`."""
    found = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not equals:
            raise UsageError(f"--set needs a name and a text, NAME=TEXT, not {one!r:.60}.")
        found[name] = text
    return found


def store_of(flow: Flow, folder: Path | None) -> FlowStore:
    """Where the runs of a flow are kept."""
    return FlowStore(folder or flow.folder / "store", flow.name)
