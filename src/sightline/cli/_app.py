"""The program `sightline`: its commands, and the one place where an error becomes a line and an exit status."""

import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import Annotated

import typer

from sightline import __version__
from sightline.cli._console import complain
from sightline.errors import SightlineError, UsageError

__all__ = ["main", "program"]

INTERRUPTED = 128 + signal.SIGINT
COMMANDS = (
    "save",
    "show",
    "tables",
    "lists",
    "top",
    "content",
    "induce",
    "teach",
    "extract",
    "explain",
    "mend",
    "repair",
    "check",
    "code",
    "doctor",
)


def program(commands: Sequence[str] = COMMANDS) -> typer.Typer:
    """The program with these commands, each from the module of its name; what is not named is not even imported."""
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
    app.callback()(_root)
    for name in commands:
        import_module(f"sightline.cli._{name}").register(app)
    return app


def _called(words: Sequence[str]) -> Sequence[str]:
    """The commands that a command line may need: the one that it begins with, or all.

    >>> _called(["save", "x.html"]), _called(["--version"]), _called(["--help"]) == COMMANDS
    (('save',), (), True)
    """
    first = next(iter(words), "")
    if first == "--version":
        return ()
    return (first,) if first in COMMANDS else COMMANDS


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer's way of calling
    if wanted:
        typer.echo(f"sightline {__version__}")
        raise typer.Exit


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
        program(_called(sys.argv[1:]))()
    except SightlineError as error:
        complain(error.message)
        sys.exit(2 if isinstance(error, UsageError) else 1)
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
