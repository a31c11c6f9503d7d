"""Plays a script in a session, step by step. Nothing is clicked unless it is certain what it is."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from sightline.data import Field, Record, Records, Value, join_records, named_values, origin_of
from sightline.errors import BlockedError, CrashError, SightlineError, UsageError, VerificationError
from sightline.navigate.collect import BrowserTurns, ReadRecords, RecordsOnPage, Walk, list_reader
from sightline.navigate.play._browsing import Browsing, Located, TargetError
from sightline.navigate.play._page_records import PageRecord, cell_in, records_of, same_record, spans_of, wrapper_values
from sightline.navigate.play._played import Ended, Played
from sightline.navigate.play._scope import RecordFinder, Scope
from sightline.navigate.play._secrets import Secrets
from sightline.navigate.play._watch import Moment, Watcher
from sightline.navigate.script import (
    Back,
    Check,
    Click,
    Condition,
    Dialog,
    Download,
    Drag,
    Extract,
    Fill,
    Follow,
    ForEach,
    Frame,
    Hover,
    IfMissing,
    IfPresent,
    LogIn,
    NextPages,
    Open,
    Press,
    Reading,
    RecordSource,
    Reload,
    RepeatUntil,
    Script,
    Scroll,
    SecretName,
    Select,
    Set,
    Step,
    Stop,
    Tab,
    Uncheck,
    Upload,
    WaitFor,
    WaitUntilGone,
)
from sightline.navigate.targets import Target, same_name
from sightline.page import Page
from sightline.sources import Session

__all__ = ["Player", "StepError"]

MOST_SCROLLS = 100  # of one `scroll: end`; whatever still grows then is endless
MOST_FAILING = 3  # records in a row whose steps fail; then it is not the records
FIRST_LOOK, LAST_LOOK = 0.05, 0.5  # seconds between two looks at a page that is waited for, growing
WITHOUT_PAGE = (Open, LogIn, Dialog, Set)  # steps that need no page before them
PROBLEM = "problem"  # the field of a record whose steps failed


class _Ended(Exception):
    """A step said to stop."""


class Player:
    """Plays one script once."""

    def __init__(
        self,
        script: Script,
        session: Session,
        *,
        secrets: Secrets,
        scope: Scope,
        watchers: Sequence[Watcher] = (),
        slow: float = 0.0,
    ) -> None:
        self._script = script
        self._secrets = secrets
        self._scope = scope
        self._watchers = watchers
        self._slow = slow
        self._browsing = Browsing(session, script.folder, self._record_span)
        self._outputs: dict[str, list[Records | Record]] = {}
        self._doubts: list[str] = []
        self._downloads: list[Path] = []
        self._done = 0
        self._how = ""
        self._logging_in = False  # from a secret that was typed to what sends it

    def play(self, start: int = 1) -> Played:
        """Play from a step on, by its number in the script; what was extracted is kept, however it ends."""
        try:
            self._begin(start)
            self._steps(self._script.steps[start - 1 :], "", start)
        except _Ended as told:
            return self._played("stop", str(told))
        except SightlineError as problem:
            return self._played("failed", problem.message)
        return self._played("end", "")

    def so_far(self) -> Played:
        """What was extracted until somebody interrupted it."""
        return self._played("interrupted", "it was interrupted")

    @property
    def _session(self) -> Session:
        return self._browsing.session

    def _played(self, ended: Ended, why: str) -> Played:
        outputs = {name: self._joined(parts) for name, parts in self._outputs.items()}
        doubts = tuple(dict.fromkeys(self._secrets.blacken(doubt) for doubt in self._doubts))
        return Played(outputs, ended, self._secrets.blacken(why), doubts, self._done, tuple(self._downloads))

    def _joined(self, parts: list[Records | Record]) -> Records:
        """All records of an output; a secret that a page repeats stays out of it."""
        whole: list[Records] = []
        rows: list[Record] = []
        for part in [*parts, None]:
            if isinstance(part, Record):
                rows.append(self._secrets.blacken_record(part))
                continue
            if rows:
                whole.append(Records(rows))
                rows = []
            if part is not None:
                clean = [self._secrets.blacken_record(one) for one in part]
                same = all(one is old for one, old in zip(clean, part, strict=True))
                whole.append(part if same else Records(clean, language=part.language))
        return join_records(whole)

    # ------------------------------------------------------------------ one step after another

    def _begin(self, start: int) -> None:
        """Get ready for a later step: the last address before it is opened, and settings are made."""
        before = self._script.steps[: start - 1]
        opened = [step for step in before if isinstance(step, Open)][-1:]
        for number, step in enumerate(before, 1):
            if isinstance(step, LogIn | Dialog) or step in opened or (isinstance(step, Set) and _is_plain(step)):
                self._step(step, str(number))

    def _steps(self, steps: Sequence[Step], prefix: str, first: int = 1) -> None:
        for number, step in enumerate(steps, first):
            self._step(step, f"{prefix}{number}")

    def _step(self, step: Step, place: str) -> None:
        if "." not in place:
            self._browsing.log_in = self._logging_in or _logs_in(self._script.steps[int(place) - 1 :])
        around = self._scope.current
        moment = Moment(place, step, self._done, around.label if around else "")
        if self._slow and self._done:
            sleep(self._slow)
        for watcher in self._watchers:
            watcher.before(moment, self._browsing)
        self._how = ""
        problem = "it was interrupted"
        try:
            self._do(step, place)
            problem = ""
            self._logging_in = self._logging_in and not isinstance(step, Click | Press)
        except _Ended:
            problem = ""
            raise
        except SightlineError as error:
            problem = self._secrets.blacken(error.message)
            raise self._placed(error, step, place) from error
        finally:
            self._done += not problem
            for watcher in self._watchers:
                watcher.after(moment, problem, self._how)

    def _placed(self, error: SightlineError, step: Step, place: str) -> SightlineError:
        """An error that says at which step it happened; inner steps have said so already."""
        if isinstance(error, StepError):
            return error
        what = self._secrets.blacken(error.message)
        where = f"{self._script.file}, line {step.line}, step {place} ({self._secrets.blacken(str(step))})"
        return StepError(f"{where}: {what}", cause=error)

    def _do(self, step: Step, place: str) -> None:
        block = self._blocks.get(type(step))
        if block:
            block(step, place)
            return
        try:
            self._plain[type(step)](step)
        except CrashError:
            self._session.renew()
            self._browsing.changed()
            self._doubts.append(f"the tab crashed at step {place} ({step}), which was then done in a fresh one")
            self._plain[type(step)](step)

    @property
    def _plain(self) -> dict[type[Step], Callable[[Any], None]]:
        return {
            Open: self._open,
            Click: self._click,
            Fill: self._fill,
            Select: self._select,
            Check: self._check,
            Uncheck: self._uncheck,
            Press: self._press,
            Hover: self._hover,
            Scroll: self._scroll,
            Drag: self._drag,
            Upload: self._upload,
            Download: self._download,
            WaitFor: self._wait_for,
            WaitUntilGone: self._wait_until_gone,
            Back: self._back,
            Reload: self._reload,
            Tab: self._tab,
            Dialog: self._dialog,
            LogIn: self._log_in,
            Extract: self._extract,
            Set: self._set,
            Stop: self._stop,
        }

    @property
    def _blocks(self) -> dict[type[Step], Callable[[Any, str], None]]:
        return {
            Frame: self._frame,
            ForEach: self._for_each,
            IfPresent: self._if_present,
            IfMissing: self._if_missing,
            RepeatUntil: self._repeat_until,
            NextPages: self._next_pages,
            Follow: self._follow,
        }

    # ------------------------------------------------------------------ pages and elements

    def _open(self, step: Open) -> None:
        self._browsing.goto(self._scope.fill(step.address))

    def _place(self, target: Target) -> Located:
        """Where a target is, for an action on it."""
        place = self._browsing.locate(self._scope.fill_target(target))
        self._how = place.how
        self._browsing.check(place)
        return place

    def _acted(self, action: Callable[[], object]) -> None:
        """Do something to the page; whatever comes of it, the page may have changed."""
        try:
            action()
        finally:
            self._browsing.changed()

    def _click(self, step: Click) -> None:
        place = self._place(step.target)
        self._acted(lambda: self._session.click(place.xpath))

    def _fill(self, step: Fill) -> None:
        place = self._place(step.target)
        if isinstance(step.text, SecretName):
            self._browsing.hidden.append(place.xpath)
            self._logging_in = True
        text = self._typed(step.text)
        self._acted(lambda: self._session.fill(place.xpath, text))

    def _typed(self, text: str | SecretName) -> str:
        return self._secrets.get(text.name) if isinstance(text, SecretName) else self._scope.fill(text)

    def _select(self, step: Select) -> None:
        place = self._place(step.target)
        self._acted(lambda: self._session.select(place.xpath, *map(self._scope.fill, step.options)))

    def _check(self, step: Check) -> None:
        place = self._place(step.target)
        self._acted(lambda: self._session.check(place.xpath))

    def _uncheck(self, step: Uncheck) -> None:
        place = self._place(step.target)
        self._acted(lambda: self._session.uncheck(place.xpath))

    def _press(self, step: Press) -> None:
        self._acted(lambda: self._session.press(self._scope.fill(step.key)))

    def _hover(self, step: Hover) -> None:
        place = self._place(step.target)
        self._acted(lambda: self._session.hover(place.xpath))

    def _scroll(self, step: Scroll) -> None:
        if isinstance(step.to, Target):
            node = self._place(step.to).node
            top = int(self._browsing.page.box[node][1]) if node is not None else 0
            self._acted(lambda: self._session.scroll(top))
        elif step.to == "end":
            self._scroll_to_end()
        else:
            pixels = 0 if step.to == "top" else int(step.to)
            self._acted(lambda: self._session.scroll(pixels))

    def _scroll_to_end(self) -> None:
        """Scroll until the page no longer grows."""
        for _ in range(MOST_SCROLLS):
            bottom = self._browsing.bottom()
            self._acted(lambda: self._session.scroll(bottom))  # noqa: B023 - called at once
            if self._browsing.bottom() <= bottom:
                return
        self._doubts.append(f"the page still grew after {MOST_SCROLLS} scrolls; what is below was not seen")

    def _drag(self, step: Drag) -> None:
        place = self._place(step.target)
        if step.onto is not None:
            to = self._place(step.onto)
            self._acted(lambda: self._session.drag(place.xpath, to=to.xpath))
        else:
            self._acted(lambda: self._session.drag(place.xpath, by=step.by))

    def _upload(self, step: Upload) -> None:
        place = self._place(step.target)
        files = [self._script.folder / self._scope.fill(name) for name in step.files]
        self._acted(lambda: self._session.upload(place.xpath, *files))

    def _download(self, step: Download) -> None:
        place = self._place(step.target)
        try:
            found = self._session.download(place.xpath)
        finally:
            self._browsing.changed()
        self._downloads.append(found.path)
        if step.variable:
            self._scope.put_in_record(step.variable, Value(str(found.path)))

    def _back(self, step: Back) -> None:
        for _ in range(step.times):
            self._acted(self._session.back)

    def _reload(self, _: Reload) -> None:
        self._acted(self._session.reload)

    def _tab(self, step: Tab) -> None:
        words = {"newest": -1, "first": 0}
        which = self._scope.fill(step.which)
        if which not in words and not which.isdigit():
            raise UsageError(f"There is no tab “{which}”; say `newest`, `first`, or a number from 1.")
        self._acted(lambda: self._session.tab(words.get(which, int(which) - 1 if which.isdigit() else 0)))

    def _dialog(self, step: Dialog) -> None:
        text = None if step.text is None else self._scope.fill(step.text)
        self._session.dialog(accept=step.answer == "accept", text=text)

    def _log_in(self, step: LogIn) -> None:
        self._session.login(self._scope.fill(step.address), self._typed(step.user), self._typed(step.password))

    # ------------------------------------------------------------------ conditions

    def _is_there(self, condition: Condition) -> bool:
        if condition.value:
            return bool((self._scope.text(condition.value) or "").strip())
        if condition.address:
            return same_name(self._scope.fill(condition.address), self._browsing.address)
        assert condition.target is not None
        return bool(self._browsing.look_for(self._scope.fill_target(condition.target)))

    def _wait_for(self, step: WaitFor) -> None:
        if not self._waited(step.condition, step.seconds, there=True):
            raise TargetError(f"It was not there after {step.seconds} s; raise `seconds`, or check what it is called.")

    def _wait_until_gone(self, step: WaitUntilGone) -> None:
        if not self._waited(step.condition, step.seconds, there=False):
            raise TargetError(f"It was still there after {step.seconds} s; raise `seconds` to wait longer.")

    def _waited(self, condition: Condition, seconds: float, *, there: bool) -> bool:
        end, look = monotonic() + seconds, FIRST_LOOK
        while self._is_there(condition) != there:
            if monotonic() >= end:
                return False
            sleep(look)
            look = min(LAST_LOOK, 2 * look)
            self._browsing.changed()
        return True

    def _if_present(self, step: IfPresent, place: str) -> None:
        self._steps(step.then if self._is_there(step.condition) else step.otherwise, f"{place}.")

    def _if_missing(self, step: IfMissing, place: str) -> None:
        self._steps(step.otherwise if self._is_there(step.condition) else step.then, f"{place}.")

    def _repeat_until(self, step: RepeatUntil, place: str) -> None:
        for _ in range(step.most):
            if self._is_there(step.condition):
                return
            self._steps(step.steps, f"{place}.")
        if not self._is_there(step.condition):
            self._doubts.append(f"step {place} was repeated {step.most} times without {step.condition}")

    # ------------------------------------------------------------------ what is read

    def _extract(self, step: Extract) -> None:
        found = records_of(self._browsing.page, step.source, self._browsing.wrapper)
        self._doubt(found.doubt)
        self._outputs.setdefault(step.output, []).append(found.records)

    def _doubt(self, doubt: str) -> None:
        self._doubts += [f"{self._browsing.address}: {one}" for one in (doubt, *self._browsing.page.gaps) if one]

    def _set(self, step: Set) -> None:
        for name, reading in step.values.items():
            value = self._read(reading)
            if value is None:
                self._doubt(f"there is no value for “{name}”")
            self._scope.put_in_record(name, value)

    def _read(self, reading: Reading) -> Value | None:
        page = self._browsing.page if reading.text is None else None
        if page is None:
            return Value(self._scope.fill(reading.text or ""))
        if reading.address:
            return Value(self._browsing.address)
        if reading.column:
            return cell_in(page, self._scope.fill(reading.column), self._scope.fill(reading.row))
        if reading.wrapper:
            values = wrapper_values(page, self._browsing.wrapper(reading.wrapper), reading.field)
            return values[0] if len(values) == 1 else None
        assert reading.target is not None
        return self._read_target(reading.target, reading.attribute)

    def _read_target(self, target: Target, attribute: str) -> Value | None:
        found = self._browsing.look_for(self._scope.fill_target(target))
        if not found:
            return None
        if len(found) > 1:
            raise TargetError(f"{target} is on the page {len(found)} times; say which one with `in` or `number`.")
        page, node = self._browsing.page, found[0].node
        if node is None:
            facts = self._session.element(found[0].xpath)
            return Value(facts.attributes.get(attribute, "") if attribute else facts.text) if facts else None
        text = page.node(node).attributes.get(attribute) if attribute else page.text_of(node)
        return None if text is None else Value(text, origin=origin_of(page, [node]))

    def _stop(self, step: Stop) -> None:
        raise _Ended(self._scope.fill(step.why))

    # ------------------------------------------------------------------ loops

    def _frame(self, step: Frame, place: str) -> None:
        path = self._place(step.target).xpath
        before = list(self._browsing.frames)
        self._browsing.frames = [path]
        try:
            self._steps(step.steps, f"{place}.")
        finally:
            self._browsing.frames = before

    def _for_each(self, step: ForEach, place: str) -> None:
        found = records_of(self._browsing.page, step.source, self._browsing.wrapper)
        self._doubt(found.doubt)
        home, failing, names = self._browsing.address, 0, _names(found.records)
        for one in spans_of(self._browsing.page, found.records):
            values = _taken(one.record, step, names)
            problem = self._in_record(step, place, one, values, home)
            if problem is not None:
                values[PROBLEM] = Value(self._secrets.blacken(problem.message))
                self._doubts.append(problem.message)
            self._outputs.setdefault(step.output, []).append(Record(values))
            failing = failing + 1 if problem is not None else 0
            if problem is not None and (failing >= MOST_FAILING or _is_hopeless(problem)):
                raise problem

    def _in_record(
        self, step: ForEach, place: str, one: PageRecord, values: dict[str, Field], home: str
    ) -> SightlineError | None:
        """Do the steps for a record; what went wrong is returned, so that the others go on."""
        outer, finder = self._scope, _Finder(self._browsing, step.source, one)
        self._scope = Scope(values, outer, finder)
        try:
            self._come_back(finder, home)
            self._steps(step.steps, f"{place}.")
        except _Ended:
            self._outputs.setdefault(step.output, []).append(Record(values))
            raise
        except SightlineError as problem:
            return problem
        finally:
            self._scope = outer
        return None

    def _come_back(self, finder: RecordFinder, home: str) -> None:
        """Be on the page of a record; if steps have left it, open it again."""
        if finder() is None:
            self._browsing.goto(home)
            if finder() is None:
                raise TargetError("The record is no longer on the page where it was.")

    def _record_span(self) -> tuple[int, int]:
        """The nodes of the record that a step is limited to."""
        finder = self._scope.current
        if finder is None:
            raise UsageError("`in: record` means nothing outside of `for each`.")
        span = finder()
        if span is None:
            raise TargetError("The record is not on this page; leave out `in: record`, or go `back` first.")
        return span

    def _next_pages(self, step: NextPages, place: str) -> None:
        """Do steps on every page of a list; the walk itself knows how pages are turned, and when they end."""
        page = self._browsing.page
        turns = BrowserTurns(self._session)
        walk = Walk(turns, _reader(page), self._browsing.address, step.most)
        for number, visited in enumerate(walk.visits(page, self._browsing.address), 1):
            self._browsing.changed()
            with self._inner_scope({"page": Value(str(number))}):
                self._steps(step.steps, f"{place}.")
            self._return_to(visited.address)
        self._doubts += walk.doubts
        if walk.stop is not None and walk.stop.kind in ("budget", "failed"):
            self._doubts.append(f"the pages after {walk.start} ended early: {walk.stop.why}")

    @contextmanager
    def _inner_scope(self, values: dict[str, Field]) -> Iterator[None]:
        outer = self._scope
        self._scope = Scope(values, outer)
        try:
            yield
        finally:
            self._scope = outer

    def _return_to(self, address: str) -> None:
        """Be on a page again that steps may have left."""
        if self._browsing.address.partition("#")[0] != address.partition("#")[0]:
            self._browsing.goto(address)

    def _follow(self, step: Follow, place: str) -> None:
        home, address = self._browsing.address, self._address_of(step.condition)
        self._browsing.goto(address)
        try:
            self._steps(step.steps, f"{place}.")
        finally:
            self._return_to(home)

    def _address_of(self, condition: Condition) -> str:
        if condition.target is not None:
            place = self._place(condition.target)
            return self._browsing.link_at(place)
        if condition.address:
            return self._scope.fill(condition.address)
        text = self._scope.text(condition.value)
        if not text:
            raise UsageError(f"The variable `{condition.value}` has no address to follow.")
        return text


def _reader(page: Page) -> ReadRecords:
    """Reads what tells pages of a list apart: its records, or where there is no list, the whole text."""
    try:
        return list_reader(page)
    except UsageError:
        return lambda one: RecordsOnPage(Records([{"text": one.text_of(0)}]))


class StepError(UsageError):
    """A step could not be done; `cause` is why."""

    def __init__(self, message: str, *, cause: SightlineError) -> None:
        super().__init__(message)
        self.cause = cause


def _logs_in(steps: Sequence[Step]) -> bool:
    """Whether one of these steps types a secret, also in a block of others."""
    for step in steps:
        if isinstance(step, Fill) and isinstance(step.text, SecretName):
            return True
        blocks = [value for value in vars(step).values() if isinstance(value, tuple)]
        if any(_logs_in([one for one in block if isinstance(one, Step)]) for block in blocks):
            return True
    return False


def _is_plain(step: Set) -> bool:
    return all(reading.text is not None for reading in step.values.values())


def _is_hopeless(problem: SightlineError) -> bool:
    """Whether the next record would fail as well: the site has closed its door."""
    return isinstance(problem, StepError) and isinstance(problem.cause, BlockedError)


def _names(records: Records) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record))


def _taken(record: Record, step: ForEach, known: Sequence[str]) -> dict[str, Field]:
    """The fields of a record that a loop takes, under their new names."""
    names = step.take or {name: name for name in record}
    for name in names.values():
        if name not in known:
            raise UsageError(f"The records have no field “{name}”; they have {', '.join(known)}.")
    return {new: record.get(name) for new, name in names.items()}


class _Finder:
    """Finds a record again, on whatever the page is by then."""

    def __init__(self, browsing: Browsing, source: RecordSource, one: PageRecord) -> None:
        self._browsing = browsing
        self._source = source
        self._one = one
        self.label = next((value.text for _, value in named_values(one.record) if value.text), "")
        self._latest: tuple[Page, tuple[int, int] | None] = (browsing.page, one.span)

    def __call__(self) -> tuple[int, int] | None:
        page = self._browsing.page
        if self._latest[0] is not page:
            self._latest = page, self._found(page)
        return self._latest[1]

    def _found(self, page: Page) -> tuple[int, int] | None:
        try:
            records = records_of(page, self._source, self._browsing.wrapper).records
        except (UsageError, VerificationError):  # there is no such list on this page
            return None
        here = spans_of(page, records)
        same = (now.span for now in here if now.twin == self._one.twin and same_record(now.record, self._one.record))
        return next(same, None)
