"""`sightline play`: a navigation script, played in a real browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Played, Script
from sightline.cli._console import output, print_json, remark, showing_progress
from sightline.cli._files import ExportSettings, check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, in_flags
from sightline.cli._sources import Json
from sightline.cli._text import clean
from sightline.data import Records
from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.navigate import Playing, TraceFolder, script_schema
from sightline.net import Limits, Manners
from sightline.settings import Settings
from sightline.sources import BrowserSettings, Session

__all__ = ["register"]

SHOWN = 5  # records on the terminal; files have them all
SETTINGS: dict[str, type[Settings]] = {
    "written": ExportSettings,
    "browser": BrowserSettings,
    "limits": Limits,
    "manners": Manners,
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(takes(**SETTINGS)(play_script))


def _print_schema(wanted: bool) -> None:  # noqa: FBT001 - typer's way of calling
    if wanted:
        print_json(script_schema())
        raise typer.Exit


def play_script(  # noqa: PLR0913 - one for each flag
    file: Annotated[
        Path, typer.Argument(metavar="SCRIPT", help="A navigation script, *.nav.yaml.", show_default=False)
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the records to this file: .csv .jsonl .json .xml .xlsx .parquet or .html."
        ),
    ] = None,
    variables: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=TEXT", help="Give a variable of the script another value.", show_default=False
        ),
    ] = None,
    start: Annotated[
        int,
        typer.Option("--from", metavar="STEP", min=1, help="Begin at this step; the last address before it is opened."),
    ] = 1,
    slow: Annotated[
        float,
        typer.Option("--slow", metavar="SECONDS", min=0, help="Wait this long between steps, to watch with --headed."),
    ] = 0.0,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="DIR",
            help="Keep a screenshot and the page before each step, and a report to leaf through (DIR/index.html).",
            show_default=False,
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="FILE", help="Keep cookies and storage in this file.", show_default=False),
    ] = None,
    downloads: Annotated[
        Path | None,
        typer.Option("--downloads", metavar="DIR", help="Store downloads in this folder.", show_default=False),
    ] = None,
    schema: Annotated[  # noqa: ARG001 - its callback does the work
        bool,
        typer.Option(
            "--schema",
            callback=_print_schema,
            is_eager=True,
            help="Print the JSON Schema of scripts, for editors, and exit.",
        ),
    ] = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Play a navigation script in a real browser: forms, log-ins, clicks, pages and records, as its steps say.

    A target that is not on the page, or there twice, is reported and never clicked blindly. Whatever was extracted is
    kept, however the script ends.

    [bold]Examples[/]

      sightline play cameras.nav.yaml -o cameras.xlsx

      sightline play cameras.nav.yaml --headed --slow 1

      sightline play cameras.nav.yaml --set shop=https://shop.example --trace trace --from 3
    """
    if out:
        check_suffix(out)
    script = Script.load(file)
    folder = TraceFolder.at(trace) if trace else None
    reporter = Reporter("records", json=json)
    played: Played | None = None
    session = Session(
        settings=settings["browser"],
        limits=settings["limits"],
        manners=settings["manners"],
        downloads=downloads,
        state=state,
    )
    with session, showing_progress() as on_progress:
        playing = Playing(
            script, session, variables=_named(variables or []), slow=slow, trace=folder, on_progress=on_progress
        )
        with reporter:
            played = playing.run(start)
        if played is None:
            played = playing.so_far()
    _finish(played, out, settings["written"], json=json)
    if played.verdict == "failed" and not reporter.ended_early:
        reporter.fail(str(file), UsageError(played.why))
    else:
        reporter.add(str(file), _document(played), played.verdict)
    if trace:
        remark(f"Trace: {trace / 'index.html'}")
    reporter.finish()


def _named(texts: Sequence[str]) -> dict[str, str]:
    """The values of `--set`, by their names."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {text} has no value; write --set NAME=TEXT.")
        found[name.strip()] = value
    return found


def _finish(played: Played, out: Path | None, how: ExportSettings, *, json: bool) -> None:
    """Tell how it went, and write the records."""
    if played.why and played.verdict != "failed":
        remark(clean(in_flags(f"Ended: {played.why.removesuffix('.')}.")))
    for doubt in played.doubts:
        remark(clean(in_flags(doubt)))
    filled = {name: records for name, records in played.outputs.items() if len(records)}
    if out and filled:
        for path, records in _files(out, filled).items():
            write_bytes(path, content_of(records, path, None, how))
            remark(f"Written: {path} ({len(records):,} records)")
    if not json:
        _show(played)


def _files(out: Path, outputs: dict[str, Records]) -> dict[Path, Records]:
    """A file for each output; one alone has the name that was asked for."""
    if len(outputs) == 1:
        return {out: next(iter(outputs.values()))}
    return {out.with_name(f"{out.stem}-{name}{out.suffix}"): records for name, records in outputs.items()}


def _document(played: Played) -> dict[str, Any]:
    """The first output as records, all of them by name, and how it ended."""
    outputs = {name: records.to_json() for name, records in played.outputs.items()}
    facts = {"ended": played.ended, "why": in_flags(played.why), "doubts": [in_flags(one) for one in played.doubts]}
    return {**played.records.to_json(), "outputs": outputs, **facts, "steps": played.steps}


def _show(played: Played) -> None:
    counts = ", ".join(f"{len(records):,} {name}" for name, records in played.outputs.items()) or "nothing extracted"
    output.print(f"{counts} · {played.steps:,} steps · {played.verdict}", markup=False)
    for records in played.outputs.values():
        for record in records.to_dicts()[:SHOWN]:
            said = " · ".join(str(value) for value in record.values() if isinstance(value, str) and value)
            output.print(f"  {clean(said)[:110]}", markup=False)
        if len(records) > SHOWN:
            output.print(f"  … and {len(records) - SHOWN:,} more", markup=False)
