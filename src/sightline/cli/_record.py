"""`sightline record`: a navigation script, written while a person works in a browser."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from sightline.cli._console import output, remark
from sightline.cli._flags import takes
from sightline.cli._text import clean
from sightline.errors import BrowserError, BrowserMissing, UsageError
from sightline.navigate import Recorder, Recording, Rehearsal, Script, rehearse
from sightline.net import CrawlPolicy, Limits
from sightline.sources import BrowserSettings, Session, find_browser

__all__ = ["register_record"]

WEB = ("http://", "https://")
SUSPICIOUS = 3


def register_record(app: typer.Typer) -> None:
    """Add the command."""
    app.command("record")(takes(limits=Limits, policy=CrawlPolicy)(record_script))


def record_script(
    address: Annotated[str, typer.Argument(metavar="URL", help="The page to begin with.", show_default=False)],
    *,
    out: Annotated[
        Path,
        typer.Option("--output", "-o", help="Write the script to this file, *.nav.yaml.", show_default=False),
    ],
    replay: Annotated[
        bool, typer.Option("--replay/--no-replay", help="Play the script once in the end, and say what is doubtful.")
    ] = True,
    **settings: Any,
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
    if not address.startswith(WEB):
        raise UsageError(f"{address} is not an address; give one that begins with https://.")
    with TemporaryDirectory() as downloads:
        recorder = _recorded(address, out, Path(downloads), settings)
        if not recorder.steps:
            raise UsageError(f"Nothing was recorded on {address}.")
        remark(f"Written: {out} ({len(recorder.steps)} steps)")
        doubtful = _replayed(recorder, out, Path(downloads), settings) if replay else _doubts(recorder)
    if doubtful:
        raise typer.Exit(SUSPICIOUS)


def _recorded(address: str, out: Path, downloads: Path, settings: dict[str, Any]) -> Recorder:
    """What a person did, until they closed the window or pressed Ctrl-C."""
    teller = _Teller()
    with _window(downloads, settings) as session:
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
def _session(downloads: Path, settings: dict[str, Any], *, headed: bool = False) -> Iterator[Session]:
    browser = BrowserSettings(headed=headed)
    with Session(browser=browser, **settings, downloads=downloads) as session:
        yield session


@contextmanager
def _window(downloads: Path, settings: dict[str, Any]) -> Iterator[Session]:
    """A session in a window; where there can be none, the Studio shows the browser instead."""
    with ExitStack() as stack:
        try:
            session = stack.enter_context(_session(downloads, settings, headed=True))
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

    def tell(self, recording: Recording) -> None:
        """Print what is new but the last step."""
        self._print(recording, len(recording.steps) - 1)

    def finish(self, recording: Recording) -> None:
        """Print the last step, too."""
        self._print(recording, len(recording.steps))

    def _print(self, recording: Recording, until: int) -> None:
        for number in range(self._told, until):
            output.print(f"{number + 1:>3}  {clean(str(recording.steps[number].step))}", markup=False)
        self._told = max(self._told, until)


def _replayed(recorder: Recorder, out: Path, downloads: Path, settings: dict[str, Any]) -> bool:
    """Play the script once, and tell how it went; whether anything is doubtful."""
    script = Script.load(out)
    missing = sorted(place.environment for place in script.secrets.values() if not place.is_known)
    if missing:
        names = ", ".join(missing)
        remark(f"Not replayed: it needs {names} in the environment. Set it, and run `sightline play {out}`.")
        return _doubts(recorder)
    remark("Playing it once in a fresh browser …")
    with _session(downloads, settings) as session:
        rehearsal = rehearse(script, session, recorder.steps)
    return _tell(rehearsal, len(script.steps))


def _tell(rehearsal: Rehearsal, count: int) -> bool:
    for one in rehearsal.doubtful:
        output.print(f"Doubtful: step {one.number} ({clean(one.step)}): {clean('; '.join(one.doubts))}", markup=False)
    output.print(f"{rehearsal.played.steps} of {count} steps replayed · {rehearsal.verdict}", markup=False)
    return rehearsal.verdict != "ok"


def _doubts(recorder: Recorder) -> bool:
    """Tell the doubts that the recorder had."""
    for number, one in enumerate(recorder.steps, 1):
        if one.doubts:
            output.print(
                f"Doubtful: step {number} ({clean(str(one.step))}): {clean('; '.join(one.doubts))}", markup=False
            )
    return any(one.doubts for one in recorder.steps)
