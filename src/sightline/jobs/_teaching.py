"""Teaching a wrapper from examples on many pages; what is wrong with some of them is reported and left out."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson

from sightline.documents import MOST_BYTES
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.files import read_bytes
from sightline.page import Page

if TYPE_CHECKING:
    from sightline.extract.wrappers import Lesson, TeachSettings, Wrapper

ExampleTexts: TypeAlias = dict[str, list[str]]
"""For each field, the texts that are examples of it."""

KEYS = ("source", "fields", "records")
LINE = '{"source": "p1.html", "fields": {"name": ["EOS 5D"], "price": ["500 €"]}}'
RECORDS = "items"  # what a lesson calls the set of the records that it is shown
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class PageExamples:
    """The examples on one page. A page that is shown as a `whole` has no values beyond its examples."""

    source: str
    fields: ExampleTexts = field(default_factory=dict)
    records: list[ExampleTexts] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    whole: bool = False

    @property
    def names(self) -> list[str]:
        """The fields that have examples."""
        return list(dict.fromkeys([*self.fields, *(name for record in self.records for name in record)]))

    def without(self, names: Iterable[str]) -> "PageExamples":
        """The examples of all other fields."""
        gone = set(names)
        records = [_without(record, gone) for record in self.records]
        return replace(
            self,
            fields=_without(self.fields, gone),
            records=[record for record in records if record],
            rejected=[(name, text) for name, text in self.rejected if name not in gone],
            absent=[name for name in self.absent if name not in gone],
        )


def _without(texts: Mapping[str, list[str]], gone: set[str]) -> ExampleTexts:
    return {name: several for name, several in texts.items() if name not in gone}


# ---------------------------------------------------------------- files of examples


def read_examples(file: Path) -> list[PageExamples]:
    """The examples in a file with one line of JSON for each page; every page in it is shown as a whole."""
    content = read_bytes(file, f"write one with a line for each page, such as {LINE}", MOST_BYTES)
    lines = content.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    return [_line(line, f"{file}, line {number}", file) for number, line in enumerate(lines, start=1) if line.strip()]


def _line(line: bytes, where: str, file: Path) -> PageExamples:
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as problem:
        raise UsageError(f"{where}: it is not JSON ({problem}); write a line such as {LINE}") from problem
    if not isinstance(document, dict) or not isinstance(document.get("source"), str) or not document["source"]:
        raise UsageError(f'{where}: it names no page; a line has a "source", such as {LINE}')
    strange = next((key for key in document if key not in KEYS), None)
    if strange is not None:
        raise UsageError(f'{where}: it has a key "{strange}"; the keys of a line are {", ".join(KEYS)}.')
    records = document.get("records") or []
    if not isinstance(records, list):
        raise UsageError(f'{where}: "records" is a list of records, such as [{{"name": ["EOS 5D"]}}].')
    return PageExamples(
        _beside(document["source"], file),
        _texts(document.get("fields") or {}, f'{where}: "fields"'),
        [texts for record in records if (texts := _texts(record, f'{where}: a record of "records"'))],
        whole=True,
    )


def _texts(document: Any, what: str) -> ExampleTexts:
    problem = UsageError(f'{what} has a list of texts for each name, such as {{"name": ["EOS 5D"]}}.')
    if not isinstance(document, dict):
        raise problem
    several = {name: [texts] if isinstance(texts, str) else texts or [] for name, texts in document.items()}
    for name, texts in several.items():
        if not name.strip() or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise problem
    return {name: texts for name, texts in several.items() if texts}


def _beside(source: str, file: Path) -> str:
    """A source in the folder of the file if there is one, else as it is: an address, or relative to where we are."""
    beside = file.parent / source
    return str(beside) if os.path.lexists(beside) else source


def joined_examples(pages: Iterable[PageExamples]) -> list[PageExamples]:
    """All examples of each page together, checked for names that cannot be."""
    by_source: dict[str, PageExamples] = {}
    for page in pages:
        known = by_source.get(page.source)
        by_source[page.source] = _both(known, page) if known else page
    found = list(by_source.values())
    _check_names(found)
    return found


def _both(first: PageExamples, second: PageExamples) -> PageExamples:
    names = dict.fromkeys([*first.fields, *second.fields])
    return PageExamples(
        first.source,
        {name: [*first.fields.get(name, []), *second.fields.get(name, [])] for name in names},
        [*first.records, *second.records],
        [*first.rejected, *second.rejected],
        [*first.absent, *second.absent],
        whole=first.whole or second.whole,
    )


def _check_names(pages: Sequence[PageExamples]) -> None:
    known = {name for page in pages for name in page.names}
    if not known:
        raise UsageError("There is no example; write what is wanted behind its page, such as name='EOS 5D'.")
    dotted = next((name for name in sorted(known) if "." in name), None)
    if dotted:
        raise UsageError(f"A field cannot be called “{dotted}”: a dot parts a set from its fields; leave it out.")
    if any(page.records for page in pages) and any(RECORDS in page.names for page in pages):
        raise UsageError(f"The records of a page are called “{RECORDS}”, so no field can be; give it another name.")
    for page in pages:
        for name in [*(name for name, _ in page.rejected), *page.absent]:
            if name not in known:
                raise UsageError(
                    f"{page.source}: there is no example of “{name}” to tell it from; "
                    f"the fields with examples are {', '.join(sorted(known))}."
                )


# ---------------------------------------------------------------- learning


@dataclass(frozen=True)
class TaughtWrapper:
    """The wrapper that examples make, what is worth knowing about it, and what was wrong with some examples."""

    wrapper: "Wrapper"
    notes: list[str]
    left_out: list[str]


def teach_pages(
    pages: Sequence[tuple[Page, PageExamples]], settings: "TeachSettings | None" = None, *, strict: bool = False
) -> TaughtWrapper:
    """Learn from the examples on some pages.

    A wrong example is reported and left out, as long as others remain; with `strict` the first one is an error.
    """
    from sightline.extract.wrappers import Lesson

    problems = _Problems(strict)
    lesson = Lesson(settings=settings)
    kept = [(page, _present(lesson, page, examples, problems)) for page, examples in pages]
    lost = _names(pages) - _names(kept)
    for name in sorted(lost):
        problems.add(f"“{name}” is left out: none of its examples was found.")
    while True:
        kept = [(page, examples.without(lost)) for page, examples in kept]
        if not _names(kept):
            raise UsageError(f"No example is left to learn from. {problems.found[0]}")
        lesson = _lesson(kept, settings)
        lost = _unlearnable(lesson, kept, problems)
        if not lost:
            return TaughtWrapper(lesson.wrapper, lesson.notes, problems.found)


@dataclass
class _Problems:
    """What was wrong so far; with `strict` the first is raised."""

    strict: bool
    found: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        if self.strict:
            raise UsageError(problem)
        self.found.append(problem)


def _present(lesson: "Lesson", page: Page, examples: PageExamples, problems: _Problems) -> PageExamples:
    """Those of the examples that are on the page."""
    try:
        lesson.on(page)
    except UsageError as problem:  # a page without any text
        problems.add(f"{examples.source}: {problem.message}")
        return PageExamples(examples.source)

    def texts(name: str, several: Sequence[str]) -> list[str]:
        return [text for text in several if _is_present(lesson, name, text, examples.source, problems)]

    def fields(given: ExampleTexts) -> ExampleTexts:
        return {name: found for name, several in given.items() if (found := texts(name, several))}

    found = replace(
        examples,
        fields=fields(examples.fields),
        records=[record for given in examples.records if (record := fields(given))],
        rejected=[(name, text) for name, text in examples.rejected if texts(name, [text])],
    )
    # On a page that is shown as a whole, a field without an example would have no value, and nobody said that.
    return replace(found, whole=examples.whole and (bool(found.records) or found.fields == examples.fields))


def _is_present(lesson: "Lesson", name: str, text: str, source: str, problems: _Problems) -> bool:
    try:
        lesson.want(name, text)
    except UsageError as problem:
        problems.add(f"{source}: {problem.message}")
        return False
    lesson.undo()  # this was only to see whether it can be found
    return True


def _lesson(pages: Iterable[tuple[Page, PageExamples]], settings: "TeachSettings | None") -> "Lesson":
    from sightline.extract.wrappers import Lesson

    lesson = Lesson(settings=settings)
    for page, examples in pages:
        if examples.whole:
            lesson.show(page, examples.fields, examples.records)
        else:
            for name, texts in examples.fields.items():
                for text in texts:
                    lesson.want(name, text, page=page)
        for name, text in examples.rejected:
            lesson.reject(name, text, page=page)
        for name in examples.absent:
            lesson.absent(name, page=page)
    return lesson


def _unlearnable(lesson: "Lesson", pages: Sequence[tuple[Page, PageExamples]], problems: _Problems) -> set[str]:
    """The fields for which no rule was found."""
    lost: set[str] = set()
    for name in lesson.names:
        try:
            lesson.pattern(name)
        except UsageError as problem:
            problems.add(problem.message)
            inside = {part for _, examples in pages for record in examples.records for part in record}
            lost |= inside if name == RECORDS and inside else {name}
            problems.add(f"“{name}” is left out.")
    return lost


def _names(pages: Iterable[tuple[Page, PageExamples]]) -> set[str]:
    return {name for _, examples in pages for name in examples.names}


# Whether a wrapper needs the browser: tried on pages that it was learned from, opened without one.

TRIED = 3  # pages; each may be one more request to the site


def tried_without_browser(
    wrapper: Wrapper, pages: Sequence[tuple[str, Page]], open_static: Callable[[str], Page | None]
) -> Wrapper:
    """The wrapper, knowing whether its pages read the same without a browser: same records, and no doubt about them.

    `pages` are rendered ones with their sources, `open_static` opens a source without a browser, or gives None.
    """
    rendered = [(source, page) for source, page in pages if page.kind == "rendered"]
    tried = _spread(rendered)
    if not wrapper.rendered or not tried:
        return wrapper
    return replace(wrapper, plain=all(_reads_alike(wrapper, page, open_static(source)) for source, page in tried))


def _spread(pages: Sequence[tuple[str, Page]]) -> list[tuple[str, Page]]:
    """The first page, the last, and one between."""
    places = sorted({round(place * (len(pages) - 1) / (TRIED - 1)) for place in range(TRIED)}) if pages else []
    return [pages[place] for place in places]


def _reads_alike(wrapper: Wrapper, rendered: Page, static: Page | None) -> bool:
    if static is None:
        return False
    with_browser, without = wrapper.read(rendered, heal=False), wrapper.read(static, heal=False)
    same = with_browser.records.to_dicts() == without.records.to_dicts()
    return same and without.verdict == "ok" and len(without.records) > 0
