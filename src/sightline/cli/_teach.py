"""`sightline teach`: a wrapper from examples, each written after the page that it is on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import TeachSettings, Wrapper
from sightline.cli._console import complain, output, print_json, remark, working
from sightline.cli._examples import examples_of
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._record_text import doubts_of, print_found
from sightline.cli._report import Reporter, entry, exit_with
from sightline.cli._sources import LOADING, Json, opened
from sightline.cli._wrappers import check_wrapper_name, command, document, print_words, without_browser
from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.jobs import PageExamples, TaughtWrapper, joined_examples, read_examples, teach_pages
from sightline.page import Page

__all__ = ["register"]

KIND = "wrapper"

ExampleWords = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE NAME=TEXT…",
        help="A page, followed by its examples as NAME=TEXT; then the next page.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(learning_by=TeachSettings, **LOADING)(teach))


def teach(
    words: ExampleWords = [],  # noqa: B006 - typer's way of saying that there may be none
    *,
    examples: Annotated[
        Path | None,
        typer.Option(
            "--examples",
            metavar="FILE.jsonl",
            help="Read examples from a file, one line of JSON per page with its source, fields and records.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the wrapper to this file, such as shop.wrapper.json."),
    ] = None,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the first page with every extracted value framed.")
    ] = None,
    everything: Everything = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Teach a wrapper by example: texts from a page, each with the name of its field.

    One example is enough to start with; examples on a second page add certainty. What was learned is shown in words.

    One text of a list stands for the whole list. Names that alternate, as in the third example, form records.

    The same name twice in a row is a field with several values; then give all that the page has.

    [bold]name!=TEXT[/] says that this text is wrong, and [bold]name!=[/] that the page has no such field.

    [bold]Examples[/]

      sightline teach p1.html name="EOS 5D" price="500 €" -o shop.wrapper.json

      sightline teach p1.html name=5D price=500 p2.html name=R5 price!= -o x.wrapper.json

      sightline teach list.html name=5D price=500 name=R5 price=900 -o x.wrapper.json

      sightline teach --examples shop.jsonl --static -o shop.wrapper.json
    """
    if out:
        check_wrapper_name(out)
    elif not json:
        raise UsageError(
            "Nowhere to write the wrapper; name a file, such as -o shop.wrapper.json, or print it with --json."
        )
    given = joined_examples([*(read_examples(examples) if examples else []), *examples_of(words)])
    prepare_image(image, [given[0].source], settings)
    learning_by = settings.pop("learning_by")
    reporter = Reporter(KIND, json=json)
    pages = _open(given, settings, reporter)
    if not pages:
        reporter.finish()
    try:
        single = len(given) == 1 and len(given[0].names) == 1  # then there is nothing else to learn from
        with working("Learning"):
            taught = teach_pages(pages, learning_by, strict=single and not examples)
    except UsageError as problem:  # the command is valid, but its examples do not match the pages
        complain(problem.message)
        reporter.entries.insert(0, entry(_sources(given), KIND, error=problem))
        reporter.finish()
        raise
    learned = [(examples.source, page) for page, examples in pages]
    taught = replace(taught, wrapper=without_browser(taught.wrapper, learned, settings))
    if image:
        draw(pages[0][0], taught.wrapper.read(pages[0][0]).records.marks(), image)
    if out:
        taught.wrapper.save(out)
    doubted = any(page.verdict == "suspicious" for page in taught.wrapper.checked)
    verdict: Verdict = "suspicious" if taught.left_out or doubted else "ok"
    if json:
        print_json({"results": [document(_sources(given), taught.wrapper) | {"verdict": verdict}, *reporter.entries]})
    else:
        _print(taught.wrapper, *pages[0], everything=everything)
    _print_doubts(taught.wrapper, pages, out)
    _print_notes(taught, out)
    exit_with(verdict, *reporter.verdicts)


def _open(
    given: Sequence[PageExamples], settings: dict[str, Any], reporter: Reporter
) -> list[tuple[Page, PageExamples]]:
    """The pages of the lesson, each with its examples; those that cannot be opened are reported."""
    pages: list[tuple[Page, PageExamples]] = []
    for number, outcome in enumerate(opened([page.source for page in given], settings)):
        if number == len(given):
            raise UsageError(
                "Each source of a lesson must be one page, but one of these holds several; name each page."
            )
        opened_page = reporter.take(outcome)
        if opened_page is not None:
            pages.append((opened_page[0], given[number]))
    return pages


def _sources(given: Sequence[PageExamples]) -> str:
    return " ".join(page.source for page in given)


def _print(wrapper: Wrapper, page: Page, examples: PageExamples, *, everything: bool) -> None:
    """Print the rules in words, and what they extract from the first page."""
    print_words(wrapper)
    output.print()
    print_found(examples.source, wrapper.read(page), everything=everything)


def _print_doubts(wrapper: Wrapper, pages: Sequence[tuple[Page, PageExamples]], out: Path | None) -> None:
    """Say why the wrapper is doubted on pages that it was taught on."""
    for page, examples in pages:
        found = wrapper.read(page)
        if found.verdict == "suspicious":
            explain = command("explain", out or "WRAPPER", examples.source)
            remark(doubts_of(wrapper, found, explain), source=examples.source)


def _print_notes(taught: TaughtWrapper, out: Path | None) -> None:
    for line in (*taught.left_out, *taught.notes):
        remark(line)
    if out:
        remark(f"Written: {out}\nNext: {command('extract', out)} SOURCE…")
