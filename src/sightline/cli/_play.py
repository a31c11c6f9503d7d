"""`sightline play`: a navigation script, played in a real browser."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli._console import complain, output, print_json, remark, showing_progress
from sightline.cli._files import ExportSettings, check_suffix, content_of
from sightline.cli._flags import set_values, takes
from sightline.cli._report import Reporter, in_flags
from sightline.cli._sources import Json
from sightline.cli._text import clean, counted, shortened
from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.navigate.script import KEYS, STEPS, Script, keys_of, script_schema
from sightline.net import CrawlPolicy, Limits
from sightline.settings import Settings
from sightline.sources import BrowserSettings

if TYPE_CHECKING:
    from sightline.data import Records
    from sightline.navigate import Played

__all__ = ["register_play"]

SHEETS = ".xlsx"
SHOWN = 5  # records on the terminal; files have them all
WIDEST_LINE = 110  # characters
SETTINGS: dict[str, type[Settings]] = {
    "written": ExportSettings,
    "browser": BrowserSettings,
    "limits": Limits,
    "policy": CrawlPolicy,
}


def register_play(app: typer.Typer) -> None:
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
        str,
        typer.Option(
            "--from",
            metavar="STEP",
            help="Begin at this step of the script, a whole number; the last address before it is opened.",
        ),
    ] = "1",
    slow: Annotated[
        float,
        typer.Option("--slow", metavar="SECONDS", min=0, help="Wait this long between steps, to watch with --headed."),
    ] = 0.0,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="DIR",
            help="Keep a screenshot and the page before each step, and a report to page through (DIR/index.html).",
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
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only check the script and the wrappers and files that it names, without a browser."
        ),
    ] = False,
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

      sightline play cameras.nav.yaml --check

      sightline play cameras.nav.yaml --set shop=https://shop.example --trace trace --from 3
    """
    if out:
        check_suffix(out)
    script = Script.load(file)
    named, first = set_values(variables or []), _whole(start)
    # What plays takes a second to import; a mistake in the script is told before that.
    from sightline.navigate import Playing, TraceFolder, missing_secret, problems_in_files
    from sightline.sources import Session

    if check:
        _tell_problems(script, problems_in_files(script), json=json)
        return
    if missing := missing_secret(script, first):
        raise UsageError(missing)
    folder = TraceFolder.at(trace) if trace else None
    told = partial(in_flags, besides=_words_of(script))
    reporter = Reporter("records", json=json, told=told, several=False)
    played: Played | None = None
    session = Session(
        browser=settings["browser"],
        limits=settings["limits"],
        policy=settings["policy"],
        downloads=downloads,
        state=state,
    )
    with session, showing_progress() as on_progress:
        playing = Playing(script, session, variables=named, slow=slow, trace=folder, on_progress=on_progress)
        with reporter:
            played = playing.run(first)
        if played is None:
            played = playing.so_far()
    _tell(played, told)
    if out:
        _write(played, out, settings["written"])
    if not json:
        _show(played)
    if played.verdict == "failed" and not reporter.ended_early:
        reporter.fail(str(file), UsageError(played.why))
    else:
        reporter.add(str(file), _document(played, told), played.verdict)
    if trace:
        remark(f"Trace: {trace / 'index.html'}")
    reporter.finish()


def _words_of(script: Script) -> set[str]:
    """What stands in backquotes because it is a word of the script, and isn't a flag although a flag has that name."""
    keys = {word for kind in STEPS.values() for word in keys_of(kind)}
    return {*KEYS, *STEPS, *keys, *script.variables, *script.secrets}


def _whole(step: str) -> int:
    """The number of a step; steps inside others cannot be begun at, for they depend on what came before."""
    if not step.isdecimal() or int(step) < 1:
        raise UsageError(f"--from {step}: begin at a whole step of the script, such as --from {_begin_of(step)}.")
    return int(step)


def _begin_of(step: str) -> str:
    """The step around an inner one.

    >>> _begin_of("4.1"), _begin_of("x")
    ('4', '2')
    """
    whole = step.partition(".")[0]
    return whole if whole.isdecimal() and int(whole) else "2"


def _tell_problems(script: Script, problems: Sequence[str], *, json: bool) -> None:
    """What a check has found; status 2 if anything is wrong."""
    if json:
        print_json({"script": script.file, "problems": list(problems)})
    for problem in problems:
        complain(problem)
    if problems:
        raise typer.Exit(2)
    if not json:
        output.print(f"{script.file} · {counted(len(script.steps), 'step')} · nothing is wrong", markup=False)


def _tell(played: "Played", told: Callable[[str], str]) -> None:
    """How it ended, and what is in doubt; a doubt that says why it ended is told once."""
    if played.ended == "interrupted":
        kept = ", ".join(_amount(len(records), name) for name, records in _filled(played).items())
        remark(f"Interrupted after {counted(played.steps, 'step')}; extracted until then: {clean(kept) or 'nothing'}.")
    elif played.why and played.verdict != "failed":
        remark(clean(told(f"Ended: {played.why.removesuffix('.')}.")))
    for stored in played.downloads:
        remark(clean(f"Downloaded: {stored.name}, stored as {stored.path}"))
    for doubt in played.doubts:
        if doubt.removesuffix(".") != played.why.removesuffix("."):
            remark(clean(told(doubt)))


def _amount(count: int, output_name: str) -> str:
    """How many records an output has; its name is as the script says it, usually a plural.

    >>> _amount(1, "records"), _amount(8, "cameras")
    ('1 record', '8 cameras')
    """
    return counted(count, "record") if output_name == "records" else f"{count:,} {output_name}"


def _filled(played: "Played") -> dict[str, "Records"]:
    return {name: records for name, records in played.outputs.items() if len(records)}


def _write(played: "Played", out: Path, how: ExportSettings) -> None:
    """Write the records: several outputs as sheets of a workbook, or else as a file each."""
    filled = _filled(played)
    if len(filled) > 1 and out.suffix.lower() == SHEETS:
        write_bytes(out, content_of(list(filled.values()), out, None, how, titles=list(filled)))
        sheets = ", ".join(f"{name}: {counted(len(records), 'record')}" for name, records in filled.items())
        remark(clean(f"Written: {out} ({sheets})"))
        return
    for path, records in _files(out, filled).items():
        write_bytes(path, content_of(records, path, None, how))
        remark(clean(f"Written: {path} ({counted(len(records), 'record')})"))


def _files(out: Path, outputs: dict[str, "Records"]) -> dict[Path, "Records"]:
    """A file for each output; one alone has the name that was asked for."""
    if len(outputs) == 1:
        return {out: next(iter(outputs.values()))}
    return {out.with_name(f"{out.stem}-{name}{out.suffix}"): records for name, records in outputs.items()}


def _document(played: "Played", told: Callable[[str], str]) -> dict[str, Any]:
    """The first output as records, all of them by name, and how it ended."""
    outputs = {name: records.to_json() for name, records in played.outputs.items()}
    facts = {"ended": played.ended, "why": told(played.why), "doubts": [told(one) for one in played.doubts]}
    stored = [{"name": one.name, "path": str(one.path), "url": one.url, "size": one.size} for one in played.downloads]
    return {**played.records.to_json(), "outputs": outputs, **facts, "steps": played.steps, "downloads": stored}


def _show(played: "Played") -> None:
    counts = [_amount(len(records), name) for name, records in played.outputs.items()]
    counts += [counted(len(played.downloads), "download")] if played.downloads else []
    output.print(
        f"{', '.join(counts) or 'nothing extracted'} · {counted(played.steps, 'step')} · {played.verdict}", markup=False
    )
    for records in played.outputs.values():
        for record in records.to_dicts()[:SHOWN]:
            said = " · ".join(str(value) for value in record.values() if isinstance(value, str) and value)
            output.print(f"  {shortened(clean(said), WIDEST_LINE)}", markup=False)
        if len(records) > SHOWN:
            output.print(f"  … and {len(records) - SHOWN:,} more", markup=False)
