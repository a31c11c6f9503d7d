"""A lesson from pages and what is said of them; where much is said, what is wrong of it is told and left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from sightline import Lesson, Page, TeachSettings, Wrapper
from sightline.cli._examples import RECORDS, PageExamples, without
from sightline.errors import UsageError

__all__ = ["TaughtLesson", "learned_from"]


@dataclass(frozen=True)
class TaughtLesson:
    """The wrapper that examples make, what is worth knowing about them, and what was wrong with some of them."""

    wrapper: Wrapper
    notes: list[str]
    left_out: list[str]


def learned_from(
    pages: Sequence[tuple[Page, PageExamples]], settings: TeachSettings, *, all_or_nothing: bool
) -> TaughtLesson:
    """Learn from examples; the first that is wrong is an error, or is told and left out while something is left."""
    doubts = _Doubts(all_or_nothing)
    lesson = Lesson(settings=settings)
    kept = [(page, _there(lesson, page, told, doubts)) for page, told in pages]
    lost = _names(told for _, told in pages) - _names(told for _, told in kept)
    for name in sorted(lost):
        doubts.tell(f"“{name}” is left out: none of its examples was found.")
    while True:
        kept = [(page, without(told, lost)) for page, told in kept]
        if not _names(told for _, told in kept):
            raise UsageError(f"No example is left to learn from. {doubts.told[0]}")
        lesson = _lesson(kept, settings)
        lost = _unlearnable(lesson, kept, doubts)
        if not lost:
            return TaughtLesson(lesson.wrapper, lesson.notes, doubts.told)


@dataclass
class _Doubts:
    """What was wrong so far; nothing may be where everything counts."""

    all_or_nothing: bool
    told: list[str] = field(default_factory=list)

    def tell(self, problem: str) -> None:
        if self.all_or_nothing:
            raise UsageError(problem)
        self.told.append(problem)


def _there(lesson: Lesson, page: Page, told: PageExamples, doubts: _Doubts) -> PageExamples:
    """What is said of a page, as far as it is on it."""
    try:
        lesson.on(page)
    except UsageError as problem:  # a page without any text
        doubts.tell(f"{told.source}: {problem.message}")
        return PageExamples(told.source)

    def texts(name: str, several: Sequence[str]) -> list[str]:
        return [text for text in several if _is_there(lesson, name, text, told.source, doubts)]

    def fields(own: dict[str, list[str]]) -> dict[str, list[str]]:
        return {name: found for name, several in own.items() if (found := texts(name, several))}

    found = replace(
        told,
        fields=fields(told.fields),
        records=[own for record in told.records if (own := fields(record))],
        rejected=[(name, text) for name, text in told.rejected if texts(name, [text])],
    )
    # Of a page that is shown as a whole, a field without an example would have no value; that was not said.
    return replace(found, whole=told.whole and (bool(found.records) or found.fields == told.fields))


def _is_there(lesson: Lesson, name: str, text: str, source: str, doubts: _Doubts) -> bool:
    try:
        lesson.want(name, text)
    except UsageError as problem:
        doubts.tell(f"{source}: {problem.message}")
        return False
    lesson.undo()  # it was said only to see whether it can be
    return True


def _lesson(pages: Iterable[tuple[Page, PageExamples]], settings: TeachSettings) -> Lesson:
    lesson = Lesson(settings=settings)
    for page, told in pages:
        if told.whole:
            lesson.show(page, told.fields, told.records)
        else:
            for name, texts in told.fields.items():
                for text in texts:
                    lesson.want(name, text, page=page)
        for name, text in told.rejected:
            lesson.reject(name, text, page=page)
        for name in told.absent:
            lesson.absent(name, page=page)
    return lesson


def _unlearnable(lesson: Lesson, pages: Iterable[tuple[Page, PageExamples]], doubts: _Doubts) -> set[str]:
    """The fields that no rule was found for."""
    lost: set[str] = set()
    for name in lesson.names:
        try:
            lesson.pattern(name)
        except UsageError as problem:
            doubts.tell(problem.message)
            inside = {own for _, told in pages for record in told.records for own in record}
            lost |= inside if name == RECORDS and inside else {name}
            doubts.tell(f"“{name}” is left out.")
    return lost


def _names(pages: Iterable[PageExamples]) -> set[str]:
    return {name for told in pages for name in told.names}
