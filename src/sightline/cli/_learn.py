"""`sightline induce` and `teach`: a wrapper, learned from a few pages of a site or from examples on them."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated, NamedTuple

from sightline import Wrapper
from sightline.cli._console import complain, output, print_json, remark, showing_progress, working
from sightline.cli._files import draw, prepare_image
from sightline.cli._flags import argument, flag, switch
from sightline.cli._sources import ALL, Reporter, SourceOpening, Sources, entry, exit_with, opened
from sightline.cli._text import clean, counted, print_trace
from sightline.cli._wrappers import (
    LearningFlags,
    command,
    count_fields,
    document,
    doubts_of,
    print_found,
    print_outline,
    print_words,
    without_browser,
    wrapper_file,
)
from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import TeachSettings, trace_induction
from sightline.jobs import (
    ExampleTexts,
    Meter,
    OnProgress,
    PageExamples,
    TaughtWrapper,
    joined_examples,
    read_examples,
    teach_pages,
)
from sightline.page import Page

NAMED = 3  # pages listed by name; the others are only counted
KIND = "wrapper"


@dataclass(frozen=True, kw_only=True)
class InduceFlags(LearningFlags):
    """Where the wrapper goes, and how much is told."""

    out: Path | None = wrapper_file()
    trace: bool = switch(help="show every decision and the rule behind it")


def induce_command(sources: Sources, flags: InduceFlags, learning_by: InduceSettings, loading: SourceOpening) -> None:
    """Learn a wrapper from a few pages of a site: no examples, no rules, no code.

    Give several pages of one kind, such as the products of a shop; two are enough to start with, ten are better.

    Whatever is the same on all of them is the template; whatever differs is data, and gets a name and a type.

    sightline extract then reads further pages of the site with the wrapper, and reports pages that do not fit.

    [bold]Examples[/]

      sightline induce "products/*.html" -o shop.wrapper.json

      sightline induce "products/*.html" --static -o shop.wrapper.json --trace

      sightline induce - -o shop.wrapper.json < addresses.txt

      sightline extract shop.wrapper.json "products/*.html" -o products.csv
    """
    flags.check()
    reporter = Reporter(KIND, json=flags.json)
    pages = reporter.pages(opened(sources, loading))
    with showing_progress() as on_progress:
        found = trace_induction(
            [page for _, page in pages],
            names=[source for source, _ in pages],
            settings=learning_by,
            progress=_listener(on_progress, len(pages)),
            traced=flags.trace,
        )
    wrapper = without_browser(found.found, pages, loading)
    if flags.out:
        wrapper.save(flags.out)
    if flags.json:
        more = {"steps": list(found.steps()[0].rows)} if flags.trace else {}
        print_json({"results": [document(" ".join(sources), wrapper) | more, *reporter.entries]})
    else:
        if flags.trace:
            print_trace(found)
        _print_induced(wrapper)
    _print_left_out(wrapper)
    flags.tell_next()
    exit_with(*reporter.verdicts)


def _listener(on_progress: OnProgress | None, total: int) -> Callable[[int, int], None]:
    """The callback for the learner, with the number of pages learned from and the number that fit."""
    meter = Meter(f"Learning from {total} pages", on_progress, total=total)
    return lambda learned, complying: meter.at(complying, what=f"Learned from {learned}; pages that comply")


def _print_induced(wrapper: Wrapper) -> None:
    training = wrapper.training
    used = "all" if training.needed == training.pages else f"{training.needed} of"
    comply = "all" if training.complying == training.pages else str(training.complying)
    learned = f"Learned {counted(count_fields(wrapper), 'field')} from {used} {training.pages} pages"
    output.print(f"{learned}; {comply} of them comply.", style="bold")
    print_outline(wrapper)
    if wrapper.behind:
        remark(f"The pages' own data has as well, and has to agree: {', '.join(map(clean, wrapper.behind.names))}.")


def _print_left_out(wrapper: Wrapper) -> None:
    """Say which pages were of no use, and which do not fit what was learned."""
    if wrapper.aside:
        remark(
            f"Set aside because the pages are not about them: {_named(wrapper.aside)}; --all-fields keeps them, "
            "and `extract --all-fields` reads them."
        )
    if wrapper.beside:
        remark(f"Not in these records: {_named(wrapper.beside)}; `sightline edit --whole-page` includes them.")
    left_out = wrapper.training.left_out
    if left_out:
        remark(f"Left out, as no other page is built like it: {_named(left_out)}")
    doubtful = [check.page for check in wrapper.checked if check.verdict != "ok" and check.page not in left_out]
    if doubtful:
        remark(f"Differ from the template: {_named(doubtful)}; see where with `sightline explain`.")


def _named(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(map(clean, names[:NAMED])) + (f" and {more} more" if more > 0 else "")


# `sightline teach`: a wrapper from examples, each written after the page that it is on.


ExampleWords = Annotated[
    list[str],
    argument(metavar="SOURCE NAME=TEXT…", help="A page, followed by its examples as NAME=TEXT; then the next page."),
]


@dataclass(frozen=True, kw_only=True)
class TeachFlags(LearningFlags):
    """The lesson, and where the wrapper goes."""

    examples: Path | None = flag(
        None,
        help="read examples from a file, one line of JSON per page with its source, fields and records",
        metavar="FILE.jsonl",
    )
    out: Path | None = wrapper_file()
    image: Path | None = flag(None, help="draw the first page with every extracted value framed")
    everything: bool = switch(help=ALL, names="--all")

    def given(self, words: Sequence[str]) -> list[PageExamples]:
        """The examples of the file and of the command line."""
        return joined_examples([*(read_examples(self.examples) if self.examples else []), *examples_of(words)])


def teach_command(
    words: ExampleWords = [],  # noqa: B006 - typer's way of saying that there may be none
    *,
    flags: TeachFlags,
    learning_by: TeachSettings,
    loading: SourceOpening,
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
    flags.check()
    given = flags.given(words)
    loading = prepare_image(flags.image, [given[0].source], loading)
    reporter = Reporter(KIND, json=flags.json)
    pages = _open(given, loading, reporter)
    if not pages:
        reporter.finish()
    taught = _taught(given, pages, learning_by, reporter, strict=not flags.examples)
    learned = [(examples.source, page) for page, examples in pages]
    taught = replace(taught, wrapper=without_browser(taught.wrapper, learned, loading))
    if flags.image:
        draw(pages[0][0], taught.wrapper.read(pages[0][0]).records.marks(), flags.image)
    if flags.out:
        taught.wrapper.save(flags.out)
    doubted = any(page.verdict == "suspicious" for page in taught.wrapper.checked)
    verdict: Verdict = "suspicious" if taught.left_out or doubted else "ok"
    if flags.json:
        print_json({"results": [document(_sources(given), taught.wrapper, verdict), *reporter.entries]})
    else:
        _print(taught.wrapper, *pages[0], everything=flags.everything)
    _print_doubts(taught, pages, flags.out)
    flags.tell_next()
    exit_with(verdict, *reporter.verdicts)


def _taught(
    given: Sequence[PageExamples],
    pages: list[tuple[Page, PageExamples]],
    learning_by: TeachSettings,
    reporter: Reporter,
    *,
    strict: bool,
) -> TaughtWrapper:
    """What is learned from the examples; a single one has to be found, if `strict`."""
    single = len(given) == 1 and len(given[0].names) == 1  # then there is nothing else to learn from
    try:
        with working("Learning"):
            return teach_pages(pages, learning_by, strict=single and strict)
    except UsageError as problem:  # the command is valid, but its examples do not match the pages
        complain(problem.message)
        reporter.entries.insert(0, entry(_sources(given), KIND, error=problem))
        reporter.finish()
        raise


def _open(given: Sequence[PageExamples], loading: SourceOpening, reporter: Reporter) -> list[tuple[Page, PageExamples]]:
    """The pages of the lesson, each with its examples; those that cannot be opened are reported."""
    pages: list[tuple[Page, PageExamples]] = []
    for number, outcome in enumerate(opened([page.source for page in given], loading)):
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


def _print_doubts(taught: TaughtWrapper, pages: Sequence[tuple[Page, PageExamples]], out: Path | None) -> None:
    """Say why the wrapper is doubted on pages that it was taught on, and what else to know about it."""
    wrapper = taught.wrapper
    for page, examples in pages:
        found = wrapper.read(page)
        if found.verdict == "suspicious":
            explain = command("explain", out or "WRAPPER", examples.source)
            remark(doubts_of(wrapper, found, explain), source=examples.source)
    for line in (*taught.left_out, *taught.notes):
        remark(line)


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
