"""The program `sightline`: its commands, and the one place where an error becomes a line and an exit status."""

import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from sightline import __version__
from sightline.cli import _doctor, _save, _show
from sightline.cli._console import complain
from sightline.errors import SightlineError

__all__ = ["app", "main"]

INTERRUPTED = 128 + signal.SIGINT

app = typer.Typer(
    name="sightline",
    help="Turns what a person sees on a web page into verified, typed, traceable data.\n\n"
    "SOURCE is a URL, a file (HTML, MHTML, WARC, .page), a glob, a folder, or - for standard input "
    "(a document, or a list of sources).",
    epilog="Try: sightline show examples/cameras.html --image cameras.png",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
for _module in (_save, _show, _doctor):
    _module.register(app)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer's way of calling
    if wanted:
        typer.echo(f"sightline {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Options before the command."""


def main() -> None:
    """Run the program; ends with status 0 done, 1 an error, 2 wrong usage, 3 done but suspicious."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _terminate)
    try:
        app()
    except SightlineError as error:
        complain(error.message)
        sys.exit(1)
    except KeyboardInterrupt:
        complain("Interrupted.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough (`| head`); that is no error.
        sys.stderr.close()
        sys.exit(0)


def _terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's signature
    """Leave by the ordinary door, so that the browser is closed and temporary files go."""
    sys.exit(128 + number)
