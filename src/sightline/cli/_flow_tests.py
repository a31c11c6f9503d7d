"""`sightline test`: flows over what their sources read once, held against what they are to make of it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._flags import Flags, argument, flag, set_values, switch
from sightline.cli._flows import VERDICT_STYLES, watched_steps
from sightline.cli._sources import JsonFlags
from sightline.cli._text import clean, counted
from sightline.errors import SightlineError, UsageError
from sightline.flow.spec import Flow
from sightline.jobs import Cancel

if TYPE_CHECKING:
    from sightline.flow.run import FlowTested

_SIGNS = {"same": ("✓", "green"), "differs": ("✗", "yellow"), "failed": ("✗", "red")}


@dataclass(frozen=True, kw_only=True)
class TestFlags(JsonFlags):
    """What is tested, and what it is held against."""

    __test__ = False  # it only looks like a test of pytest

    capture: bool = switch(help="run the flow over its sources, and keep what they read and what each step gave")
    update: bool = switch(help="take what the flow gives now for what it is to give")
    folder: Path | None = flag(None, help="what it is tested with; else NAME.test beside the flow", metavar="FOLDER")
    date: str | None = flag(None, help="the due date of what is captured; now, if not given", metavar="DATE")
    trust: bool = switch(help="run the Python code that the flow names; it can do whatever you can")


@dataclass(frozen=True, kw_only=True)
class VariableFlags(Flags):
    """Which values a flow works with."""

    variables: tuple[str, ...] = flag(
        (), help="give a variable of the flow another value", names="--set", metavar="NAME=TEXT"
    )


def test_command(
    files: Annotated[list[Path], argument(metavar="FLOW…", help="Flows, *.flow.yaml.")],
    which: VariableFlags,
    flags: TestFlags,
) -> None:
    """Test flows over captured pages: nothing is fetched or delivered, and what differs in any step is shown.

    With --capture, a flow is run once over its real sources, and what they read is kept beside it: pages, files, and
    answers of databases and scripts, with the rows that each step gave. Look at these rows (NAME.test/expected), and
    mend them where they are not what you want. From then on, `sightline test` runs the flow over the same pages,
    delivers into a DuckDB file that is thrown away, and compares each step. The exit status is 1 if anything differs.

    [bold]Examples[/]

      sightline test prices.flow.yaml --capture

      sightline test prices.flow.yaml

      sightline test prices.flow.yaml --update
    """
    if flags.capture and flags.update:
        raise UsageError("--capture keeps what the flow gives anyway; leave out --update.")
    if flags.folder is not None and len(files) > 1:
        raise UsageError("--folder is for one flow; test the others by themselves.")
    given, good = set_values(which.variables), True
    documents: list[dict[str, object]] = []
    for file in files:
        try:
            flow = Flow.load(file).with_variables(given)
            found = _captured(flow, flags, given) if flags.capture else _tested(flow, flags)
        except SightlineError as problem:
            if len(files) == 1:
                raise
            complain(f"{file}: {problem.message}")
            documents.append({"flow": str(file), "error": {"type": type(problem).__name__, "message": problem.message}})
            good = False
            continue
        documents.append(found)
        good = good and bool(found["ok"])
    if flags.json:
        print_json({"tests": documents})
    if not good:
        raise typer.Exit(1)


def _folder(flow: Flow, flags: TestFlags) -> Path:
    from sightline.flow.run import case_folder

    return flags.folder or case_folder(flow)


def _captured(flow: Flow, flags: TestFlags, given: dict[str, str]) -> dict[str, object]:
    """Run a flow over its sources, and keep what they read."""
    from sightline.flow.run import capture_case, day_or_time

    now, folder = datetime.now(UTC), _folder(flow, flags)
    with watched_steps(flow, quiet=flags.json) as listener:
        found = capture_case(
            flow,
            folder,
            due=day_or_time(flags.date, "--date") if flags.date else now,
            now=now,
            given=given,
            trust=flags.trust,
            on_event=listener,
            cancel=Cancel(),
        )
    for name, problem in found.errors.items():
        complain(f"{name}: {problem.message}")
    if found.errors:
        complain("Nothing was captured; fix what failed, and capture again.")
    elif not flags.json:
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        steps = ", ".join(f"{name} ({counted(step.rows, 'row')})" for name, step in found.state.steps.items())
        output.print(f"Captured in {folder} ({size / 1e6:.1f} MB): {steps}", markup=False)
        remark("Look at the rows in its folder `expected`, and mend them where they are not what you want.")
    return {"flow": flow.file, "ok": not found.errors, "folder": str(folder), "verdict": found.verdict}


def _tested(flow: Flow, flags: TestFlags) -> dict[str, object]:
    """Run a flow over what was captured, and show what differs."""
    from sightline.flow.run import FlowCase, run_case

    case = FlowCase.load(_folder(flow, flags))
    with watched_steps(flow, quiet=flags.json) as listener:
        found = run_case(flow, case, update=flags.update, trust=flags.trust, on_event=listener, cancel=Cancel())
    is_updated = flags.update and not found.run.errors
    if not flags.json:
        _show(flow, found, is_updated=is_updated)
    steps = [step.to_json() for step in found.steps]
    return {"flow": flow.file, "ok": found.is_same or is_updated, "verdict": found.run.verdict, "steps": steps}


def _show(flow: Flow, found: "FlowTested", *, is_updated: bool) -> None:
    from sightline.flow.run import shown_differences

    for step in found.steps:
        sign, style = _SIGNS[step.outcome]
        output.print(Text(f"{sign} ", style=style) + Text(clean(step.name)))
        for line in shown_differences(step):
            output.print(f"    {clean(line)}", markup=False)
    differ = sum(step.outcome != "same" for step in found.steps)
    told = "as it is to be" if not differ else f"{counted(differ, 'step')} of {len(found.steps)} not as it is to be"
    style = VERDICT_STYLES["ok" if not differ else "failed"]
    output.print(Text(f"{flow.name}: ") + Text(told, style=style))
    if is_updated and differ:
        remark("What it gives now is what it is to give from now on.")
    elif differ:
        remark("If that is what you want, `sightline test --update` takes it.")
