"""What the commands for wrappers share: the file, how its pages are opened, and the printed outline."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import output, remark
from sightline.cli._sources import LOADING, ReadingSettings, opened
from sightline.cli._text import GAP, clean
from sightline.data import Basic
from sightline.errors import OutputError, UsageError
from sightline.jobs import tried_without_browser
from sightline.page import Page

__all__ = [
    "OPENING",
    "Static",
    "WrapperFile",
    "as_learned",
    "as_needed",
    "check_wrapper_name",
    "command",
    "count_fields",
    "document",
    "print_outline",
    "print_words",
    "without_browser",
]

SUFFIX = ".json"
WIDEST_PART = 0.6  # of a line of the outline for names and types, the rest for examples

WrapperFile = Annotated[
    Path,
    typer.Argument(
        metavar="WRAPPER", help="The .wrapper.json file that sightline teach or induce wrote.", show_default=False
    ),
]
Static = Annotated[
    bool | None,
    typer.Option(
        "--static/--no-static",
        help="Whether to use only the HTML, without a browser; by default as the wrapper needs it.",
        rich_help_panel="Reading",
        show_default=False,
    ),
]
# The flag `--static` has a third state here, so the commands define it themselves.
OPENING = {name: kind for name, kind in LOADING.items() if name != "reading"}


def as_needed(wrapper: Wrapper, settings: dict[str, Any], *, static: bool | None, image: Path | None = None) -> None:
    """Open pages as the wrapper needs them, unless `static` says otherwise; a picture needs a layout."""
    by_default = wrapper.needs == "static" and image is None
    settings["reading"] = ReadingSettings(static=by_default if static is None else static)


def as_learned(wrapper: Wrapper, settings: dict[str, Any], *, static: bool | None) -> None:
    """Open pages like those the wrapper was learned from, unless `static` says otherwise: looks count as well."""
    by_default = not wrapper.rendered
    settings["reading"] = ReadingSettings(static=by_default if static is None else static)


def without_browser(wrapper: Wrapper, pages: Sequence[tuple[str, Page]], settings: dict[str, Any]) -> Wrapper:
    """The wrapper, tried on pages opened without a browser; what it needs from now on is said."""
    if not wrapper.rendered:
        return wrapper
    plain = {**settings, "reading": ReadingSettings(static=True)}

    def open_static(source: str) -> Page | None:
        return next((outcome.page for outcome in opened([source], plain) if outcome.error is None), None)

    tried = tried_without_browser(wrapper, [(source, page) for source, page in pages if source != "-"], open_static)
    if tried.needs == "static":
        remark("The pages read the same without a browser, so none is used to extract from them.")
    return tried


def check_wrapper_name(path: Path) -> None:
    """Reject a file that no wrapper can be written to, before anything else."""
    if path.suffix.lower() != SUFFIX:
        raise UsageError(f"{path}: wrappers are written as JSON; use a name such as shop.wrapper.json.")
    if not path.absolute().parent.is_dir():
        raise OutputError(f"Could not write {path}: there is no folder {path.parent}; create it first.")


def document(source: str, wrapper: Wrapper) -> dict[str, Any]:
    """A wrapper as a result of the JSON contract."""
    return {"source": source, "kind": "wrapper", "verdict": "ok", "wrapper": wrapper.to_json(), "error": None}


def command(*words: object) -> str:
    """A command to type, quoted for the shell.

    >>> command("extract", "my shop.json")
    "sightline extract 'my shop.json'"
    """
    return shlex.join(["sightline", *map(str, words)])


def count_fields(wrapper: Wrapper) -> int:
    """The number of fields of records, including those of sets."""
    return sum(isinstance(node, Basic) for node in wrapper.schema.walk())


def print_outline(wrapper: Wrapper) -> None:
    """Print the fields of each template with types and examples, cut at the terminal's width."""
    outlines = wrapper.outline().split("\n\n")
    each = wrapper.rules.each or ("",) * len(outlines)
    for number, (outline, records) in enumerate(zip(outlines, each, strict=True), start=1):
        if number > 1:
            output.print()
        which = f"Template {number} of {len(outlines)} · " if len(outlines) > 1 else ""
        what = f"A record is one of “{clean(records)}”" if records else "A page is one record"
        output.print(Text(f"{which}{what}", style="dim"))
        _print_fields(outline.splitlines())


def print_words(wrapper: Wrapper) -> None:
    """Print the rules in words, a line for each field, with the fields of records below their record."""
    for line in wrapper.words().splitlines():
        blanks = len(line) - len(line.lstrip(" "))
        name, sign, rest = clean(line).partition(": ")
        output.print(Text.assemble(" " * blanks, (name, "bold"), f"{sign}{rest}"))


def _print_fields(lines: list[str]) -> None:
    halves = [_halves(line) for line in lines]
    width = min(max(Text(left).cell_len for left, _ in halves), int(output.width * WIDEST_PART))
    for left, example in halves:
        name, sign, rest = left.partition(": ")
        line = Text.assemble((name, "bold"), f"{sign}{rest}")
        line.truncate(width, overflow="ellipsis", pad=bool(example))
        if example:
            line.append(" " * GAP + example, style="dim")
        line.truncate(output.width, overflow="ellipsis")
        output.print(line)


def _halves(line: str) -> tuple[str, str]:
    """The field with its type, and the example after it.

    >>> _halves("  price: optional money EUR  “5 €”")
    ('  price: optional money EUR', '“5 €”')
    """
    blanks = len(line) - len(line.lstrip(" "))
    left, sign, example = line.partition("  “")
    return " " * blanks + clean(left), clean("“" + example) if sign else ""
