"""The program `sightline`: its commands, and the one place where an error becomes a line and an exit status."""

import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Annotated

from sightline._version import __version__

if TYPE_CHECKING:
    import typer

__all__ = ["COMMANDS", "main", "program"]

INTERRUPTED = 128 + signal.SIGINT
# Each command with the line that `sightline --help` shows for it, so that listing them imports none of them.
COMMANDS = {
    "save": "Save pages exactly as seen (tree, texts, boxes, styles), to be read again without network or browser.",
    "show": "Show what is on a page: its kind and size, and every visible text with its place.",
    "tables": "Find the data tables of pages, however they were coded, with the roles of their cells, best first.",
    "lists": "Find every list of pages: whatever repeats, as records with named parts, the most important first.",
    "top": "Find the list that the title of a page promises: seven items below “7 Telescopes Worth a Detour”.",
    "content": "Find the main text of pages: what a reader came for, without menus, advertisements and footers.",
    "induce": "Learn what the pages of a site hold, from some of its pages alone: no examples, no rules, no code.",
    "teach": "Teach a wrapper by examples: texts of a page, each with the name of its field.",
    "extract": "Extract the records of pages with a wrapper, and say for each page whether the wrapper knows its kind.",
    "explain": "Explain how a wrapper reads a page: every text in order, what it was read as, and why.",
    "mend": "Mend a wrapper: rename or drop fields, say what a record is. Without flags, show it.",
    "repair": "Propose a wrapper for pages that were redesigned, and say what became of every field.",
    "check": "Check what a wrapper extracts from pages, all of them as one run: a verdict, and the reasons for it.",
    "code": "Write a taught wrapper as Python code for another framework: XPaths and a few lines that use them.",
    "doctor": "Check that Sightline has everything it needs, try the browser, and say how to get what is missing.",
}


def program(imported: Sequence[str] = tuple(COMMANDS)) -> "typer.Typer":
    """The program; only the commands that are `imported` can run, the others are listed with their summary."""
    import typer  # takes longer than everything that `--version` needs

    app = typer.Typer(
        name="sightline",
        help="Turns what a person sees on a web page or in a PDF into verified, typed, traceable data.\n\n"
        "SOURCE is a URL, a file (HTML, PDF, MHTML, WARC, .page), a glob, a folder, or - for standard input "
        "(a document, or a list of sources).",
        epilog="Try: sightline show examples/cameras.html --image cameras.png",
        no_args_is_help=True,
        add_completion=False,
        # Typer's rich help takes twice as long to import as it takes to print a plain list of commands.
        rich_markup_mode="rich" if imported else None,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )

    def print_version(wanted: bool) -> None:  # noqa: FBT001 - typer's way of calling
        if wanted:
            typer.echo(f"sightline {__version__}")
            raise typer.Exit

    def root(
        *,
        version: Annotated[
            bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit.")
        ] = False,
    ) -> None:
        """Options before the command."""

    app.callback()(root)
    for name, summary in COMMANDS.items():
        if name in imported:
            import_module(f"sightline.cli._{name}").register(app)
        else:
            app.command(name, short_help=summary)(_listed(name))
    return app


def _listed(name: str) -> "Callable[[], None]":
    def listed() -> None:
        raise AssertionError(f"{name} was listed, not imported")

    return listed


def _needed(words: Sequence[str]) -> Sequence[str]:
    """The command that a command line begins with, if it is one.

    >>> _needed(["save", "x.html"]), _needed(["--help"])
    (('save',), ())
    """
    return tuple(word for word in words[:1] if word in COMMANDS)


def main() -> None:
    """Run the program; ends with status 0 done, 1 an error, 2 wrong usage, 3 done but suspicious."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"sightline {__version__}\n")
        return
    from sightline.errors import SightlineError, UsageError

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _terminate)
    try:
        program(_needed(sys.argv[1:]))()
    except SightlineError as error:
        _complain(error.message)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except KeyboardInterrupt:
        _complain("Interrupted.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has seen enough (`| head`); that is not an error.
        sys.stderr.close()
        sys.exit(0)


def _complain(message: str) -> None:
    from sightline.cli._console import complain

    complain(message)


def _terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's signature
    """Leave in the ordinary way, so that the browser is closed and temporary files are removed."""
    sys.exit(128 + number)
