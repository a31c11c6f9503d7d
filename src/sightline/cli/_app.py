"""The program `sightline`: its commands, and the single place where errors become a message and an exit status."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

from sightline._version import __version__
from sightline.cli._signals import INTERRUPTED, asked_to_end, heed_signals

if TYPE_CHECKING:
    from types import TracebackType

    import typer

# Each command with its line in `sightline --help`, so that listing the commands imports none of them.
COMMANDS = {
    "save": "Save pages exactly as rendered (tree, texts, boxes, styles), to reopen without network or browser.",
    "show": "Show what is on a page: its kind and size, and every visible text with its position.",
    "tables": "Find the data tables on pages, however they are marked up, with the roles of their cells; best first.",
    "lists": "Find every list on pages: anything that repeats, as records with named parts; most important first.",
    "top": "Find the list that a page's title promises: seven items under “7 Telescopes Worth a Detour”.",
    "behind": "Show what feeds a page: which JSON gives which list and value, and how to ask for the next pages.",
    "next": "Find where a page of a list leads: its next page, all pages it links to, and how many there are.",
    "collect": "Collect all records of a list over all its pages, each once, with the details page of each.",
    "facts": "Find what the tables of many pages say together: consensus, support and conflicts of every fact.",
    "discover": "Find the sites that hold the data of a domain, starting from a handful of phrases.",
    "play": "Play a navigation script in a real browser: forms, log-ins, clicks, pages and records, as its steps say.",
    "record": "Record a navigation script: work in a browser's window, and every step is written down.",
    "batch": "Run a wrapper, or another extractor, over any number of documents, into Parquet files.",
    "crawl": "Visit the pages of a site, those that you look for first, and keep them in a folder.",
    "about": "Find what pages are about: a product, an article, a recipe, a job …, with its fields.",
    "content": "Find the main text of pages, without menus, advertisements and footers.",
    "induce": "Learn a wrapper from a few pages of a site: no examples, no rules, no code.",
    "teach": "Teach a wrapper by example: texts from a page, each with the name of its field.",
    "extract": "Extract records from pages with a wrapper, with a verdict on how well each page fits it.",
    "explain": "Explain how a wrapper reads a page: every text in order, what it was read as, and why.",
    "edit": "Edit a wrapper: rename, merge or drop fields, or change what a record is. Without flags, show it.",
    "repair": "Propose a new wrapper for redesigned pages, and show what happened to every field.",
    "check": "Check what a wrapper extracts from pages, together as one run: a verdict with its reasons.",
    "code": "Export a taught wrapper or a navigation script as Python code for another framework.",
    "match": "Match the records of a table to those of a catalogue: the same thing, however each side writes it.",
    "deduplicate": "Find the records of a table that are the same thing, however they are written.",
    "review": "Decide about doubtful pairs of two tables, one after another; decisions are kept and learned from.",
    "run": "Run a flow: read, integrate, normalise, match, check and deliver, as its file says; each row arrives once.",
    "plan": "Show what a run of a flow would do: every step with its columns and some rows, and no side effects.",
    "test": "Test flows over captured pages: nothing is fetched or delivered, and what differs in any step is shown.",
    "schedule": "Run flows on time, in the foreground, until it is stopped; runs that were missed are caught up.",
    "history": "List the runs of a flow with verdicts and counts, show one, or compare the rows of two.",
    "studio": "Start the Studio, where pages, tables, lists and wrappers are worked with by hand, in your web browser.",
    "mcp": "Serve the verbs as tools for AI agents, over the Model Context Protocol: on standard input or HTTP.",
    "doctor": "Check that Sightline has everything it needs, test the browser, and say how to install what is missing.",
}

# The module of each command; its function is named by it, as `tables_command`.
HOMES = {
    name: module
    for module, names in {
        "_pages": ("save", "show"),
        "_tables": ("tables",),
        "_lists": ("lists", "top"),
        "_about": ("about",),
        "_content": ("content",),
        "_collect": ("collect", "next"),
        "_crawl": ("crawl",),
        "_discover": ("discover",),
        "_facts": ("facts",),
        "_behind": ("behind",),
        "_batch": ("batch",),
        "_scripts": ("play", "record"),
        "_code": ("code",),
        "_learn": ("induce", "teach"),
        "_extract": ("extract", "explain"),
        "_wrappers": ("edit", "repair"),
        "_check": ("check",),
        "_match": ("match", "review", "deduplicate"),
        "_flows": ("run", "plan", "schedule"),
        "_flow_tests": ("test",),
        "_history": ("history",),
        "_studio": ("studio", "mcp"),
        "_doctor": ("doctor",),
    }.items()
    for name in names
}
# Commands that had another name; that one works, with a hint.
FORMER = {"mend": "edit"}


def program(imported: Sequence[str] = tuple(COMMANDS)) -> "typer.Typer":
    """The program; only `imported` commands can run, the others are just listed with their summary."""
    import typer  # slower to import than everything `--version` needs

    app = typer.Typer(
        name="sightline",
        help="Turn what people see on a web page or in a PDF into verified, typed, traceable data.\n\n"
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
            app.command(name)(_imported(name))
        else:
            app.command(name, short_help=summary)(_listed(name))
    return app


def _imported(name: str) -> "Callable[..., None]":
    """A command with its flags."""
    from sightline.cli._flags import with_flags

    return with_flags(getattr(import_module(f"sightline.cli.{HOMES[name]}"), f"{name}_command"))


def _listed(name: str) -> "Callable[[], None]":
    def listed() -> None:
        raise AssertionError(f"{name} was listed, not imported")

    return listed


def _needed(words: Sequence[str]) -> Sequence[str]:
    """The command at the start of a command line, if there is one.

    >>> _needed(["save", "x.html"]), _needed(["--help"])
    (('save',), ())
    """
    return tuple(word for word in words[:1] if word in COMMANDS)


def _with_present_name(words: Sequence[str]) -> Sequence[str]:
    """A command line that calls its command by the name that it has now."""
    present = FORMER.get(words[0]) if words else None
    if present is None:
        return words
    from sightline.cli._console import remark

    remark(f"`sightline {words[0]}` is called `sightline {present}` now; the old name will go with the next version.")
    return [present, *words[1:]]


def main() -> None:
    """Run the program; the exit status is 0 for success, 1 for errors, 2 for wrong usage, 3 for suspicious results.

    After Ctrl-C it is 130.
    """
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"sightline {__version__}\n")
        return
    heed_signals()
    sys.excepthook = _show_unexpected
    try:
        status = _run(_with_present_name(sys.argv[1:]))
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe early (`| head`), which is not an error; what is known to be doubtful still counts.
        from sightline.cli._console import output

        sys.stderr.close()
        sys.exit(output.exit_status)
    except (RuntimeError, ImportError) as error:
        status = asked_to_end(error)
        if not status:
            raise
    if status == INTERRUPTED:
        _complain("Interrupted.")
    sys.exit(status)


def _show_unexpected(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    """Print an error that nobody expected as Python does, but without secrets."""
    import traceback

    from sightline.redaction import redacted

    sys.stderr.write(redacted("".join(traceback.format_exception(kind, error, trace))))


def _run(words: Sequence[str]) -> int:
    """The exit status of a command line; what is wrong with it or with its work is said."""
    from sightline.errors import SightlineError, SourceError, UsageError

    needed = _needed(words)
    wrong_usage = _wrong_usage()
    try:
        return program(needed)(list(words), prog_name="sightline", standalone_mode=False) or 0
    except wrong_usage as error:
        return _explain_usage(error, plainly=not needed)
    except ImportError as error:
        return _explain_import(error, needed)
    except SourceError as error:
        from sightline.cli._sources import in_flags

        _complain(in_flags(error.message))
        return 1
    except SightlineError as error:
        _complain(error.message)
        return 2 if isinstance(error, UsageError) else 1


def _wrong_usage() -> "type[typer.BadParameter]":
    """The base of the errors that typer raises for a wrong command line; it is exported under no name."""
    import typer

    return next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _explain_usage(error: "typer.BadParameter", *, plainly: bool) -> int:
    """Say what is wrong as typer does; words of the command line, often names of files, cannot harm the terminal."""
    from sightline.cli._console import harmless

    error.message = harmless(error.message)
    if plainly:
        error.show()
    else:
        from typer.rich_utils import rich_format_error

        rich_format_error(error)
    return error.exit_code


def _explain_import(error: ImportError, command: Sequence[str]) -> int:
    """Say which extra a command lacks; any other import that fails is a fault of the installation, or of ours."""
    from sightline.extras import as_missing_extra

    missing = as_missing_extra(error, f"`sightline {command[0]}`" if command else "This")
    if missing is None:
        raise error
    _complain(missing.message)
    return 1


def _complain(message: str) -> None:
    from sightline.cli._console import complain

    complain(message)
