"""`sightline teach`: a wrapper from examples, each written behind the page that it stands on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Page, TeachSettings, Wrapper
from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._examples import PageExamples, examples_in, examples_of, joined
from sightline.cli._flags import takes
from sightline.cli._lesson import TaughtLesson, learned_from
from sightline.cli._listing import Everything
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._record_text import print_found
from sightline.cli._sources import LOADING, SUSPICIOUS, Json, failure, pages
from sightline.cli._wrappers import check_wrapper_name, command, document, print_words
from sightline.errors import SightlineError, UsageError

__all__ = ["register"]

KIND = "wrapper"

ExampleWords = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE NAME=TEXT…",
        help="A page, and behind it what is wanted of it, each with a name; then the next page.",
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
            help="Examples from a file, a line of JSON for each page, with its source, fields and records.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the wrapper into this file, such as shop.wrapper.json."),
    ] = None,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the first page with a frame around everything that is taken.")
    ] = None,
    everything: Everything = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Teach a wrapper by examples: texts of a page, each with the name that it shall have.

    One example is enough to begin with; examples on a second page make sure. What was learned is told in words.

    One text of a list stands for the whole list. Names that take turns, as in the third example, are records.

    The same name twice in a row is a field with several values; whoever shows several shows all that the page has.

    [bold]name!=TEXT[/] says that this is none, and [bold]name!=[/] that the page has none.

    [bold]Examples[/]

      sightline teach p1.html name="EOS 5D" price="500 €" -o shop.wrapper.json

      sightline teach p1.html name=5D price=500 p2.html name=R5 price!= -o x.wrapper.json

      sightline teach list.html name=5D price=500 name=R5 price=900 -o x.wrapper.json

      sightline teach --examples shop.jsonl --static -o shop.wrapper.json
    """
    if out:
        check_wrapper_name(out)
    elif not json:
        raise UsageError("A wrapper is kept in a file; name it, such as -o shop.wrapper.json (or print it by --json).")
    told = joined([*(examples_in(examples) if examples else []), *examples_of(words)])
    prepare_image(image, [told[0].source], settings)
    learning_by = settings.pop("learning_by")
    opened = _open(told, settings)
    if not opened.pages:
        _print_failed(opened.failed, json=json)
        raise typer.Exit(1)
    try:
        single = len(told) == 1 and len(list(told[0].names)) == 1  # then there is nothing else to learn from
        learned = learned_from(opened.pages, learning_by, all_or_nothing=single and not examples)
    except UsageError as problem:  # the command was right; what it says of the pages is not
        complain(problem.message)
        _print_failed([_failed(_sources(told), problem), *opened.failed], json=json)
        raise typer.Exit(1) from problem
    if image:
        _draw(opened.pages[0][0], learned.wrapper, image)
    if out:
        learned.wrapper.save(out)
    if json:
        verdict = "suspicious" if learned.left_out else "ok"
        print_json({"results": [document(_sources(told), learned.wrapper) | {"verdict": verdict}, *opened.failed]})
    else:
        _print(learned.wrapper, *opened.pages[0], everything=everything)
    _tell(learned, out)
    if opened.failed or learned.left_out:
        raise typer.Exit(1 if opened.failed else SUSPICIOUS)


@dataclass
class _Opened:
    """The pages of a lesson with what is said of them, and the results of those that could not be opened."""

    pages: list[tuple[Page, PageExamples]] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)


def _open(told: Sequence[PageExamples], settings: dict[str, Any]) -> _Opened:
    opened = _Opened()
    for number, one in enumerate(pages([own.source for own in told], settings)):
        if number == len(told):
            raise UsageError("Each source of a lesson is one page, and here is one of several; name them one by one.")
        if one.page is None:
            assert one.error is not None
            complain(one.error.message)
            opened.failed.append(_failed(one.source, one.error))
            continue
        for note in one.page.notes:
            remark(f"{one.source}: {note}")
        opened.pages.append((one.page, told[number]))
    return opened


def _print_failed(failed: list[dict[str, Any]], *, json: bool) -> None:
    if json:
        print_json({"results": failed})


def _failed(source: str, problem: SightlineError) -> dict[str, Any]:
    return {"source": source, "kind": KIND, "verdict": None, KIND: None, "error": None} | failure(problem)


def _sources(told: Sequence[PageExamples]) -> str:
    return " ".join(own.source for own in told)


def _draw(page: Page, wrapper: Wrapper, image: Path) -> None:
    from sightline.draw import marks_of_records  # slow to import, and seldom asked for

    draw(page, marks_of_records(wrapper.read(page).records), image)


def _print(wrapper: Wrapper, page: Page, told: PageExamples, *, everything: bool) -> None:
    """The rules in words, and what they take from the first page."""
    print_words(wrapper)
    output.print()
    print_found(told.source, wrapper.read(page), everything=everything)


def _tell(learned: TaughtLesson, out: Path | None) -> None:
    for told in (*learned.left_out, *learned.notes):
        remark(told)
    if out:
        remark(f"Written: {out}\nNext: {command('extract', out)} SOURCE…")
