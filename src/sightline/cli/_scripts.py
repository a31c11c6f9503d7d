"""`sightline play` and `record`: navigation scripts, played in a real browser or written while a person works in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli._console import complain, output, print_json, remark, showing_progress
from sightline.cli._files import ExportSettings, check_suffix, content_of, write_rows
from sightline.cli._flags import (
    REQUIRED,
    ROW_FILES,
    Flags,
    SettingsGroup,
    argument,
    check_address,
    flag,
    output_file,
    set_values,
    switch,
)
from sightline.cli._sources import SUSPICIOUS, Fetching, JsonFlags, Reporter, in_flags
from sightline.cli._text import clean, counted, print_samples
from sightline.errors import BrowserError, BrowserMissing, UsageError
from sightline.files import write_bytes
from sightline.navigate.script import KEYS, STEPS, Script, keys_of, script_schema
from sightline.net import CrawlPolicy, Limits
from sightline.sources import BrowserSettings

if TYPE_CHECKING:
    from sightline.data import Records
    from sightline.navigate import Played, Recorder, Recording, Rehearsal
    from sightline.sources import Session

SHEETS = ".xlsx"


@dataclass(frozen=True, kw_only=True)
class PlayFlags(JsonFlags):
    """What of a script is played, and what is kept of it."""

    out: Path | None = output_file(f"write the records to this file: {ROW_FILES}")
    variables: tuple[str, ...] = flag(
        (), help="give a variable of the script another value", names="--set", metavar="NAME=TEXT"
    )
    start: str = flag(
        "1",
        help="begin at this step of the script, a whole number; the last address before it is opened",
        names="--from",
        metavar="STEP",
    )
    slow: float = flag(0.0, help="wait this long between steps, to watch with --headed", metavar="SECONDS", minimum=0)
    trace: Path | None = flag(
        None,
        help="keep a screenshot and the page before each step, and a report to page through (DIR/index.html)",
        metavar="DIR",
    )
    state: Path | None = flag(None, help="keep cookies and storage in this file", metavar="FILE")
    downloads: Path | None = flag(None, help="store downloads in this folder", metavar="DIR")
    check: bool = switch(help="only check the script and the wrappers and files that it names, without a browser")
    schema: bool = switch(
        help="print the JSON Schema of scripts, for editors, and exit", instead=lambda: print_json(script_schema())
    )


def play_command(
    file: Annotated[Path, argument(metavar="SCRIPT", help="A navigation script, *.nav.yaml.")],
    flags: PlayFlags,
    written: ExportSettings,
    fetching: Fetching,
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
    if flags.out:
        check_suffix(flags.out)
    script = Script.load(file)
    named, first = set_values(flags.variables), _whole(flags.start)
    # What plays takes a second to import; a mistake in the script is told before that.
    from sightline.navigate import missing_secret, problems_in_files

    if flags.check:
        _tell_problems(script, problems_in_files(script), json=flags.json)
        return
    if missing := missing_secret(script, first):
        raise UsageError(missing)
    told = partial(in_flags, besides=_words_of(script))
    reporter = Reporter("records", json=flags.json, told=told, several=False)
    played = _played(script, named, first, flags, fetching, reporter)
    _tell(played, told)
    if flags.out:
        _write(played, flags.out, written)
    if not flags.json:
        _show(played)
    if played.verdict == "failed" and not reporter.ended_early:
        reporter.fail(str(file), UsageError(played.why))
    else:
        reporter.add(str(file), _document(played, told), played.verdict)
    if flags.trace:
        remark(f"Trace: {flags.trace / 'index.html'}")
    reporter.finish()


def _played(
    script: Script, named: dict[str, str], first: int, flags: PlayFlags, how: Fetching, reporter: Reporter
) -> "Played":
    """What a script came to, also if it was interrupted."""
    from sightline.navigate import Playing, TraceFolder
    from sightline.sources import Session

    folder = TraceFolder.at(flags.trace) if flags.trace else None
    played: Played | None = None
    session = Session(
        browser=how.browser, limits=how.limits, policy=how.policy, downloads=flags.downloads, state=flags.state
    )
    with session, showing_progress() as on_progress:
        playing = Playing(script, session, variables=named, slow=flags.slow, trace=folder, on_progress=on_progress)
        with reporter:
            played = playing.run(first)
        return playing.so_far() if played is None else played


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
        write_rows(records, path, how, counted(len(records), "record"))


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
        print_samples(records)


# `sightline record`: a navigation script, written while a person works in a browser.


@dataclass(frozen=True, kw_only=True)
class RecordFlags(Flags):
    """Where the script is written, and whether it is tried."""

    out: Path = flag(REQUIRED, help="write the script to this file, *.nav.yaml", names="--output -o")
    replay: bool = flag(
        default=True,
        help="play the script once in the end, and say what is doubtful",
        names="--replay/--no-replay",
    )


@dataclass(frozen=True, kw_only=True)
class RecordingNetwork(SettingsGroup):
    """What the browser may load; it always has a window."""

    limits: Limits
    policy: CrawlPolicy


def record_command(
    address: Annotated[str, argument(metavar="URL", help="The page to begin with.")],
    flags: RecordFlags,
    how: RecordingNetwork,
) -> None:
    """Record a navigation script: work in a browser's window, and every step is written down.

    Clicks, typing, choices, files, keys, scrolling that loads more, new tabs, dialogs, downloads and going back are
    recorded. Targets are named as you see them on the page. What you type into a password field is never kept: the
    script says which environment variable to read it from.

    Close the window, or press Ctrl-C, when you are done. Then the script is played once in a fresh browser, and steps
    that may not work tomorrow are listed with the reason.

    [bold]Examples[/]

      sightline record https://example.org/cameras -o cameras.nav.yaml

      PASSWORD=… sightline play cameras.nav.yaml --headed --slow 1
    """
    check_address(address)
    out = flags.out
    with TemporaryDirectory() as downloads:
        recorder = _recorded(address, out, Path(downloads), how)
        if not recorder.steps:
            raise UsageError(f"Nothing was recorded on {address}.")
        remark(f"Written: {out} ({len(recorder.steps)} steps)")
        doubtful = _replayed(recorder, out, Path(downloads), how) if flags.replay else _doubts(recorder)
    if doubtful:
        raise typer.Exit(SUSPICIOUS)


def _recorded(address: str, out: Path, downloads: Path, how: RecordingNetwork) -> "Recorder":
    """What a person did, until they closed the window or pressed Ctrl-C."""
    from sightline.navigate import Recorder

    teller = _Teller()
    with _window(downloads, how) as session:
        recorder = Recorder(session, out, on_change=teller.tell)
        try:
            remark("Recording. Close the window, or press Ctrl-C, when you are done.")
            recorder.start(address).wait()
        except KeyboardInterrupt:
            remark("Recording ends.")
        finally:
            recorder.stop()
    teller.finish(recorder.recording)
    return recorder


@contextmanager
def _session(downloads: Path, how: RecordingNetwork, *, headed: bool = False) -> "Iterator[Session]":
    from sightline.sources import Session

    browser = BrowserSettings(headed=headed)
    with Session(browser=browser, limits=how.limits, policy=how.policy, downloads=downloads) as session:
        yield session


@contextmanager
def _window(downloads: Path, how: RecordingNetwork) -> "Iterator[Session]":
    """A session in a window; where there can be none, the Studio shows the browser instead."""
    from sightline.sources import find_browser

    with ExitStack() as stack:
        try:
            session = stack.enter_context(_session(downloads, how, headed=True))
        except (BrowserError, BrowserMissing) as problem:
            if find_browser() is None:
                raise
            hint = "Or record in the Studio, which shows the browser in a page: run `sightline studio`, choose Record."
            raise UsageError(f"{problem.message} {hint}") from problem
        yield session


class _Teller:
    """Prints steps as they come; the last one may still change, as long as somebody types."""

    def __init__(self) -> None:
        self._told = 0

    def tell(self, recording: "Recording") -> None:
        """Print what is new but the last step."""
        self._print(recording, len(recording.steps) - 1)

    def finish(self, recording: "Recording") -> None:
        """Print the last step, too."""
        self._print(recording, len(recording.steps))

    def _print(self, recording: "Recording", until: int) -> None:
        for number in range(self._told, until):
            output.print(f"{number + 1:>3}  {clean(str(recording.steps[number].step))}", markup=False)
        self._told = max(self._told, until)


def _replayed(recorder: "Recorder", out: Path, downloads: Path, how: RecordingNetwork) -> bool:
    """Play the script once, and tell how it went; whether anything is doubtful."""
    script = Script.load(out)
    missing = sorted(place.environment for place in script.secrets.values() if not place.is_known)
    if missing:
        names = ", ".join(missing)
        remark(f"Not replayed: it needs {names} in the environment. Set it, and run `sightline play {out}`.")
        return _doubts(recorder)
    from sightline.navigate import rehearse

    remark("Playing it once in a fresh browser …")
    with _session(downloads, how) as session:
        rehearsal = rehearse(script, session, recorder.steps)
    return _tell_rehearsal(rehearsal, len(script.steps))


def _tell_rehearsal(rehearsal: "Rehearsal", count: int) -> bool:
    for one in rehearsal.doubtful:
        output.print(f"Doubtful: step {one.number} ({clean(one.step)}): {clean('; '.join(one.doubts))}", markup=False)
    output.print(f"{rehearsal.played.steps} of {count} steps replayed · {rehearsal.verdict}", markup=False)
    return rehearsal.verdict != "ok"


def _doubts(recorder: "Recorder") -> bool:
    """Tell the doubts that the recorder had."""
    for number, one in enumerate(recorder.steps, 1):
        if one.doubts:
            output.print(
                f"Doubtful: step {number} ({clean(str(one.step))}): {clean('; '.join(one.doubts))}", markup=False
            )
    return any(one.doubts for one in recorder.steps)
