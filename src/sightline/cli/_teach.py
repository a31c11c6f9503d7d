"""`sightline teach`: a wrapper from examples, each written after the page that it is on."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from sightline import Wrapper
from sightline.cli._console import complain, output, print_json, remark, working
from sightline.cli._files import draw, prepare_image
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._record_text import doubts_of, print_found
from sightline.cli._report import Reporter, entry, exit_with
from sightline.cli._sources import LOADING, Json, opened
from sightline.cli._wrappers import check_wrapper_name, command, document, print_words, without_browser
from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.extract.wrappers import TeachSettings
from sightline.jobs import ExampleTexts, PageExamples, TaughtWrapper, joined_examples, read_examples, teach_pages
from sightline.page import Page

__all__ = ["register_teach"]

KIND = "wrapper"

ExampleWords = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE NAME=TEXT…",
        help="A page, followed by its examples as NAME=TEXT; then the next page.",
        show_default=False,
    ),
]


def register_teach(app: typer.Typer) -> None:
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


# The examples of a lesson on the command line: words that follow the page they are on.

# No address looks like this: it has a colon or a slash before its first equals sign.
_EXAMPLE = re.compile(r"(?P<name>\w[\w .-]*?)\s*(?P<sign>!?=)(?P<text>.*)", re.DOTALL)


class ExampleWord(NamedTuple):
    """An example on the command line; if not `wanted`, the text is wrong, or without a text, the page has none."""

    name: str
    text: str
    wanted: bool


def examples_of(words: Sequence[str]) -> list[PageExamples]:
    """The examples of a command line: `name=text` belongs to the page before it, any other word is the next page.

    >>> (page,) = examples_of(["x.html", "name=EOS 5D", "price!=0 €"])
    >>> page.fields, page.rejected, page.whole
    ({'name': ['EOS 5D']}, [('price', '0 €')], False)
    """
    pages: dict[str, list[ExampleWord]] = {}
    current: list[ExampleWord] | None = None
    for word in words:
        example = _example(word)
        if example is None:
            current = pages.setdefault(word, [])
        elif current is None:
            raise UsageError(
                f"{word}: this example has no page; write it after its page: sightline teach SOURCE {word}"
            )
        else:
            current.append(example)
    for source, examples in pages.items():
        if not examples:
            raise UsageError(f"{source}: this page has no examples; write some after it, such as name='EOS 5D'.")
    inside = {
        name
        for examples in pages.values()
        for name in _record_names([example.name for example in examples if example.wanted])
    }
    return [_page(source, examples, inside) for source, examples in pages.items()]


def _example(word: str) -> ExampleWord | None:
    """The example that a word gives, or None if it is a source.

    >>> _example("main price=a=b"), _example("https://example.org/?id=7")
    (ExampleWord(name='main price', text='a=b', wanted=True), None)
    """
    found = _EXAMPLE.fullmatch(word)
    if not found or os.path.lexists(word):
        return None
    text, wanted = found["text"].strip(), found["sign"] == "="
    if wanted and not text:
        raise UsageError(
            f"{word}: the example is empty; give its text, or {found['name']}!= where the page has no {found['name']}."
        )
    return ExampleWord(found["name"], text, wanted)


def _record_names(names: Sequence[str]) -> set[str]:
    """The fields of records: names that recur, though not in a row, and everything between them.

    >>> sorted(_record_names(["heading", "name", "price", "sale", "name", "price", "total"]))
    ['name', 'price', 'sale']
    >>> _record_names(["name", "genre", "genre"])
    set()
    """
    runs = [name for name, _ in groupby(names)]
    places = [place for place, name in enumerate(runs) if runs.count(name) > 1]
    return set(runs[places[0] : places[-1] + 1]) if places else set()


def _page(source: str, examples: Sequence[ExampleWord], inside: set[str]) -> PageExamples:
    wanted = [example for example in examples if example.wanted]
    for example in examples:
        contrary = [
            other for other in wanted if other.name == example.name and (other.text == example.text or not example.text)
        ]
        if not example.wanted and contrary:
            first = f"{example.name}={contrary[0].text}"
            raise UsageError(
                f"{source}: {first} and {example.name}!={example.text} contradict each other; leave out one of them."
            )
    fields: ExampleTexts = {}
    for example in wanted:
        if example.name not in inside:
            fields.setdefault(example.name, []).append(example.text)
    records = _records([example for example in wanted if example.name in inside])
    return PageExamples(
        source,
        fields,
        records,
        rejected=[(example.name, example.text) for example in examples if not example.wanted and example.text],
        absent=[example.name for example in examples if not example.wanted and not example.text],
        # One example of each may stand for a whole list; several show everything there is.
        whole=bool(records) or any(len(texts) > 1 for texts in fields.values()),
    )


def _records(examples: Iterable[ExampleWord]) -> list[ExampleTexts]:
    """The records in order: a new one starts where a name recurs, unless it directly follows itself.

    >>> words = [("name", "A"), ("tag", "x"), ("tag", "y"), ("name", "B")]
    >>> _records(ExampleWord(name, text, wanted=True) for name, text in words)
    [{'name': ['A'], 'tag': ['x', 'y']}, {'name': ['B']}]
    """
    records: list[ExampleTexts] = []
    last = None
    for name, text, _ in examples:
        if not records or (name in records[-1] and name != last):
            records.append({})
        records[-1].setdefault(name, []).append(text)
        last = name
    return records
