"""The steps with other steps in them: frames, conditions, loops over records and pages."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sightline.data import Field, Record, Records, Value, named_values
from sightline.errors import BlockedError, SightlineError, UsageError, VerificationError
from sightline.navigate.collect import BrowserTurns, ReadRecords, RecordsOnPage, Walk, list_reader
from sightline.navigate.paging import find_paging
from sightline.navigate.play._browsing import TargetError
from sightline.navigate.play._looking import is_there
from sightline.navigate.play._page_records import PageRecord, same_record, spans_of
from sightline.navigate.play._run import RecordFinder, Run, StepError, StopAsked
from sightline.navigate.script import (
    FollowStep,
    ForEachStep,
    FrameStep,
    IfMissingStep,
    IfPresentStep,
    NextPagesStep,
    PageCondition,
    RepeatUntilStep,
    RepeatWhileStep,
    Step,
)
from sightline.page import Page

MOST_FAILING = 3  # records in a row whose steps fail; then it is not the records
PROBLEM = "problem"  # the field of a record whose steps failed

DoSteps: TypeAlias = Callable[[Sequence[Step]], None]
"""Does the steps inside of another one."""


def _frame(run: Run, step: FrameStep, do: DoSteps) -> None:
    path = run.place(step.target, "frame").xpath
    before, run.browsing.frames = run.browsing.frames, [path]
    try:
        do(step.steps)
    finally:
        run.browsing.frames = before


def _if_present(run: Run, step: IfPresentStep, do: DoSteps) -> None:
    do(step.then if is_there(run, step.condition) else step.otherwise)


def _if_missing(run: Run, step: IfMissingStep, do: DoSteps) -> None:
    do(step.otherwise if is_there(run, step.condition) else step.then)


def _repeat_until(run: Run, step: RepeatUntilStep, do: DoSteps) -> None:
    for _ in range(step.most):
        if is_there(run, step.condition):
            return
        do(step.steps)
    if not is_there(run, step.condition):
        run.doubts.append(f"line {step.line} was repeated {step.most} times without {step.condition}")


def _repeat_while(run: Run, step: RepeatWhileStep, do: DoSteps) -> None:
    for _ in range(step.most):
        if not is_there(run, step.condition):
            return
        do(step.steps)
    if is_there(run, step.condition):
        run.doubts.append(f"line {step.line} was repeated {step.most} times, and {step.condition} is still there")


# ---------------------------------------------------------------------- records


def _for_each(run: Run, step: ForEachStep, do: DoSteps) -> None:
    records = run.records(step.source, step.line)
    page, home, failing, names = run.browsing.page, run.browsing.address, 0, _names(records)
    for one in spans_of(page, records):
        values = _taken(one.record, step, names)
        finder = _Finder(run, step, one, page)
        try:
            problem = _in_record(run, step, finder, values, home, do)
        except StopAsked:
            run.put_out(step.output, Record(values))
            raise
        if problem is not None:
            values[PROBLEM] = Value(run.secrets.redact(problem.message))
            run.doubts.append(problem.message)
        run.put_out(step.output, Record(values))
        failing = failing + 1 if problem is not None else 0
        if problem is not None and (failing >= MOST_FAILING or _is_hopeless(problem)):
            raise problem


def _in_record(
    run: Run, step: ForEachStep, finder: RecordFinder, values: dict[str, Field], home: str, do: DoSteps
) -> SightlineError | None:
    """Do the steps for a record; what went wrong is returned, so that the others go on."""
    with run.inner(values, finder):
        try:
            _come_back(run, finder, home)
            do(step.steps)
        except SightlineError as problem:
            return problem
    return None


def _come_back(run: Run, finder: RecordFinder, home: str) -> None:
    """Be on the page of a record; if steps have left it, open it again."""
    if finder() is None:
        run.browsing.goto(home)
        if finder() is None:
            raise TargetError("The record is no longer on the page where it was.")


def _is_hopeless(problem: SightlineError) -> bool:
    """Whether the next record would fail as well: the site has closed its door."""
    return isinstance(problem, StepError) and isinstance(problem.cause, BlockedError)


def _names(records: Records) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record))


def _taken(record: Record, step: ForEachStep, known: Sequence[str]) -> dict[str, Field]:
    """The fields of a record that a loop takes, under their new names."""
    names = step.take or {name: name for name in record}
    for name in names.values():
        if name not in known:
            raise UsageError(f"The records have no field “{name}”; they have {', '.join(known)}.")
    return {new: record.get(name) for new, name in names.items()}


class _Finder:
    """Finds a record again, on whatever the page is by then."""

    def __init__(self, run: Run, step: ForEachStep, one: PageRecord, page: Page) -> None:
        self._run = run
        self._step = step
        self._one = one
        self.label = next((value.text for _, value in named_values(one.record) if value.text), "")
        self._latest: tuple[Page, tuple[int, int] | None] = (page, one.span)

    def __call__(self) -> tuple[int, int] | None:
        page = self._run.browsing.page
        if self._latest[0] is not page:
            self._latest = page, self._found(page)
        return self._latest[1]

    def _found(self, page: Page) -> tuple[int, int] | None:
        try:
            records = self._run.read(page, self._step.source, self._step.line).records
        except (UsageError, VerificationError):  # there is no such list on this page
            return None
        here = spans_of(page, records)
        same = (now.span for now in here if now.twin == self._one.twin and same_record(now.record, self._one.record))
        return next(same, None)


# ---------------------------------------------------------------------- pages


def _next_pages(run: Run, step: NextPagesStep, do: DoSteps) -> None:
    """Do steps on every page of a list; the walk itself knows how pages are turned, and when they end."""
    home, before, run.known = run.browsing.address, run.known, {}
    try:
        if not _grown(run, step):
            run.return_to(home)
            _page_by_page(run, step, do)
        else:
            do(step.steps)
    finally:
        run.known = before


def _grown(run: Run, step: NextPagesStep) -> bool:
    """Whether the list grows on its page, by a button or by scrolling: then it is let grow to its end first.

    Steps may leave the page, and what had grown would be lost with each of them.
    """
    page = run.browsing.page
    if find_paging(page).next is not None:
        return False
    walk = _walk(run, step, page)
    pages = 0
    for visited in walk.visits(page, run.browsing.address):
        pages += 1
        if visited.way == "link" or visited.shown < len(walk.known):
            run.browsing.changed()
            run.browsing.goto(walk.start)
            return False
    run.browsing.changed()
    if pages > 1:
        _tell(run, walk)
    return pages > 1


def _page_by_page(run: Run, step: NextPagesStep, do: DoSteps) -> None:
    page = run.browsing.page
    walk = _walk(run, step, page)
    for number, visited in enumerate(walk.visits(page, run.browsing.address), 1):
        run.browsing.changed()
        if number == 1 or len(visited.records):  # a page that only repeats records has nothing for the steps
            with run.inner({"page": Value(str(number))}):
                do(step.steps)
        run.return_to(visited.address)
    _tell(run, walk)


def _walk(run: Run, step: NextPagesStep, page: Page) -> Walk:
    return Walk(BrowserTurns(run.session), _reader(page), run.browsing.address, step.most)


def _tell(run: Run, walk: Walk) -> None:
    run.doubts += walk.doubts
    if walk.stop is not None and walk.stop.kind == "budget":
        run.doubts.append(f"{walk.most_pages} pages were read, and there are more; raise the number of `next pages`")
    elif walk.stop is not None and walk.stop.kind == "failed":
        run.doubts.append(f"the pages after {walk.start} ended early: {walk.stop.why}")


def _reader(page: Page) -> ReadRecords:
    """Reads what tells pages of a list apart: its records, or where there is no list, the whole text."""
    try:
        return list_reader(page)
    except UsageError:
        return lambda one: RecordsOnPage(Records([{"text": one.text_of(0)}]))


def _follow(run: Run, step: FollowStep, do: DoSteps) -> None:
    address = _address_of(run, step.condition)
    with run.browsing.aside(address):
        do(step.steps)


def _address_of(run: Run, condition: PageCondition) -> str:
    if condition.target is not None:
        return run.browsing.link_at(run.place(condition.target))
    if condition.address:
        return run.scope.fill(condition.address)
    text = run.scope.text(condition.value)
    if not text:
        raise UsageError(f"The variable `{condition.value}` has no address to follow.")
    return text


BLOCKS: dict[type[Step], Callable[[Run, Any, DoSteps], None]] = {
    FrameStep: _frame,
    ForEachStep: _for_each,
    IfPresentStep: _if_present,
    IfMissingStep: _if_missing,
    RepeatUntilStep: _repeat_until,
    RepeatWhileStep: _repeat_while,
    NextPagesStep: _next_pages,
    FollowStep: _follow,
}
"""What each of these steps does."""
