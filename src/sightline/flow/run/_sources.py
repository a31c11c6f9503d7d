"""The steps whose rows come from outside: files, databases, pages, lists over many pages, scripts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sightline.checks import PageRecords, Report, check_records, profile_of_run
from sightline.data import Profile, Record, Records, Thing, Value, Verdict, worst_verdict
from sightline.errors import SightlineError, UnreadableError, UsageError
from sightline.extract.about import KINDS, AboutSettings
from sightline.extract.wrappers import Wrapper
from sightline.flow.integrate import union_rows
from sightline.flow.rows import FILE_SUFFIXES, RowBatches, RowLimits, read_batches
from sightline.flow.run._captures import Capture, CapturedSource
from sightline.flow.run._context import StepContext, StepResult
from sightline.flow.run._record_rows import SourcedRecords, rows_of_records
from sightline.flow.spec import (
    AboutSource,
    CollectSource,
    ExtractSource,
    Flow,
    FlowStep,
    PagesSource,
    PlaySource,
    ReadSource,
)
from sightline.jobs import Job, Outcome, checked_records, extractor, record_checks
from sightline.navigate import Playing, Script, missing_secret
from sightline.navigate.collect import AUTO, collect
from sightline.page import Page
from sightline.project import History, Project
from sightline.settings import describe
from sightline.sources import Session
from sightline.yaml import did_you_mean

# Pages that are held in the memory for the checks of how they look; beyond, only their records are compared.
MOST_PAGES_HELD = 100
_HOST = re.compile(r"https?://([^/\s\"'{}?#]+)")


def _all_rows(rows: RowBatches) -> RowBatches:
    return rows


def read_files(
    context: StepContext, step: ReadSource, only: Callable[[RowBatches], RowBatches] = _all_rows
) -> StepResult:
    """The rows of files, one after the other; columns of the same name are one. `only` some rows of each are taken."""
    captured = context.captured
    paths = captured.files if captured else [path for name in step.files for path in file_paths(context, name)]
    limits = _limits(context, step)
    tables = {str(path): only(read_batches(path, limits, context.cancel.check)) for path in paths}
    if len(tables) == 1:
        return StepResult(context.keep(next(iter(tables.values()))))
    joined = union_rows(tables, label="_source")
    return StepResult(context.keep(joined.rows), notes=joined.notes)


def _limits(context: StepContext, step: ReadSource) -> RowLimits:
    """What each file may cost; a name that is none of a limit is an error with its line."""
    given = {name.replace(" ", "_"): value for name, value in (step.limits or {}).items()}
    known = [one.name for one in describe(RowLimits)]
    for name in given:
        if name not in known:
            hint = did_you_mean(name.replace("_", " "), [one.replace("_", " ") for one in known])
            raise context.fail(f"there is no limit `{name.replace('_', ' ')}`; {hint}", "limits")
    try:
        return RowLimits(**given)
    except UsageError as problem:
        raise context.fail(problem.message, "limits") from problem


def file_paths(context: StepContext, name: str) -> list[Path]:
    """The files that a name of a step means: itself, those like a pattern, or those of a folder."""
    path = context.path(name)
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if one.suffix.lower() in FILE_SUFFIXES)
        if not found:
            raise context.fail(f"the folder {path} has no tables; they end in {', '.join(FILE_SUFFIXES)}.", "read")
        return found
    if any(sign in name for sign in "*?["):
        found = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not found:
            raise context.fail(f"no file is like {path}; check the pattern.", "read")
        return found
    return [path]


# ---------------------------------------------------------------------- pages


def extract_pages(context: StepContext, step: ExtractSource) -> StepResult:
    """The records of pages; those that were read before an interruption are read from the store."""
    if bool(step.wrapper) == bool(step.take):
        raise context.fail("`extract` needs either a `wrapper`, or `take` with tables, lists or top.", "extract")
    if not step.wrapper:
        return _read_pages(context, step, _taken(step))
    wrapper = _wrapper(context, step.wrapper)
    return _read_pages(context, step, checked_records(wrapper), wrapper.profile)


def read_things(context: StepContext, step: AboutSource) -> StepResult:
    """The things that pages are about, one row a page; the row of a page about none has no values and says so."""
    return _read_pages(context, step, _thing(step))


def _read_pages(
    context: StepContext,
    step: PagesSource,
    read: Callable[[Page, str], object],
    profile: Profile | None = None,
) -> StepResult:
    """The records that `read` finds on the pages of a step, with a verdict on each page and on them all."""
    outcomes = list(_Fetched(context, step).read(read))
    pages = [outcome.found for outcome in outcomes if isinstance(outcome.found, PageRecords)]
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    if not pages:
        if failed and failed[0].error:
            raise failed[0].error
        raise UnreadableError(step.sources[0], "there is no page; check the sources.")
    report = _report(context, pages, profile)
    parts = [_part(page, report) for page in pages]
    reasons = [f"{outcome.source}: {outcome.error.message}" for outcome in failed if outcome.error]
    verdict: Verdict = "suspicious" if reasons and report.verdict == "ok" else report.verdict
    outcome = _kept(context, parts, verdict, (*reasons, *_said(report)))
    _remember(context, pages, verdict)
    return outcome


class _Fetched:
    """The pages of a step: fetched, kept in the store, and noted, so that none is fetched twice for one run."""

    def __init__(self, context: StepContext, step: PagesSource) -> None:
        self._context = context
        self._step = step
        self._notes = context.notes
        self._held = 0

    def read(self, work: Callable[[Page, str], object]) -> Iterator[Outcome[object]]:
        """What is found on each page; a page that fails is an outcome with its error."""
        captured = self._context.captured
        if captured is not None and self._context.replay is not None and self._context.replay.is_whole:
            yield from self._replayed(work, captured)
            return
        known = self._noted(captured)
        sources = [self._source(one) for one in self._step.sources]
        left = [source for source in sources if source not in known]
        for source in sources:
            if source in known:
                found = self._again(work, source, Project(self._context.pages).page(known[source]))
                if found.error is None or captured is not None:
                    yield found
                else:
                    left.append(source)  # a page that gave nothing may have been filled since
        if not left:
            return
        with self._context.loader(self._step.static) as loader:
            for outcome in Job(
                left,
                lambda page, source: self._kept(work, page, source),
                loader,
                on_progress=self._context.on_progress,
                cancel=self._context.cancel,
            ):
                if outcome.error is not None and outcome.page is None:
                    self._notes.add_error(outcome.source, outcome.error.message)
                yield outcome

    def _replayed(self, work: Callable[[Page, str], object], captured: CapturedSource) -> Iterator[Outcome[object]]:
        """What is found on the pages that were captured, in the order in which they came."""
        for one in captured.captures:
            if one.error:
                yield Outcome(one.source, error=UnreadableError(one.source, one.error))
            else:
                yield self._again(work, one.source, captured.page(one))

    def _kept(self, work: Callable[[Page, str], object], page: Page, source: str) -> object:
        self._notes.add(page, source)
        return self._found(work, page, source)

    def _again(self, work: Callable[[Page, str], object], source: str, page: Page) -> Outcome[object]:
        try:
            return Outcome(source, page, self._found(work, page, source))
        except SightlineError as problem:
            return Outcome(source, page, error=problem)

    def _source(self, name: str) -> str:
        return name if _is_address(name) or name == "-" else str(self._context.path(name))

    def _found(self, work: Callable[[Page, str], object], page: Page, name: str) -> object:
        found = work(page, name)
        self._held += 1
        if isinstance(found, PageRecords) and self._held > MOST_PAGES_HELD:
            return PageRecords(found.records, None, found.source, found.verdict, found.problems)
        return found

    def _noted(self, captured: CapturedSource | None) -> dict[str, str]:
        """The pages at addresses that were fetched before an interruption, or captured on the day of the run."""
        noted = {one.source: one.page for one in self._notes.captures if one.page and _is_address(one.source)}
        for source, page in (captured.addresses if captured else {}).items():
            if source not in noted:
                self._notes.note(Capture(source, page))
                noted[source] = page
        return noted


def _is_address(source: str) -> bool:
    """Whether a source is an address, of the web or of what a plugin opens, and not a file."""
    return "://" in source and bool(urlsplit(source).scheme)


def _taken(step: ExtractSource) -> Callable[[Page, str], PageRecords]:
    """Reads the main table or list of a page."""
    chosen = extractor(step.take)
    options = {"containing": step.containing} if step.containing else {}

    def read(page: Page, source: str) -> PageRecords:
        found = chosen(page, **options).results
        if not found:
            what = {"tables": "table", "lists": "list", "top": "list"}[step.take]
            raise UnreadableError(source, f"has no {what}{' with that text' if step.containing else ''}; look at it.")
        result: Any = found[0]  # a table or a list; both have records
        return PageRecords(result.records(), page, source)

    return read


def _thing(step: AboutSource) -> Callable[[Page, str], PageRecords]:
    """Reads the thing that a page is about; what is doubtful about it is doubtful about its row."""
    find, settings = extractor("about"), AboutSettings(kind=step.kind)
    # Where the kind is said, the columns are always the same: a field that no page has today is no column that is gone.
    columns = dict.fromkeys(("kind", *(one.name for one in KINDS[step.kind].fields))) if step.kind else {}

    def read(page: Page, source: str) -> PageRecords:
        found = find(page, settings=settings)
        (thing,) = (result for result in found if isinstance(result, Thing))
        kind = {"kind": Value(thing.kind) if thing.kind else None}
        rows = [Record({**columns, **kind, **record}) for record in thing.records()]
        return PageRecords(Records(rows, None, thing.language), page, source, found.verdict, found.reasons)

    return read


def _wrapper(context: StepContext, name: str) -> Wrapper:
    return Wrapper.load(context.path(name))


# ---------------------------------------------------------------------- lists and scripts


def collect_pages(context: StepContext, step: CollectSource) -> StepResult:
    """The records of a list over all its pages; it goes on where it was interrupted."""
    details = None if not step.details else AUTO if step.details == AUTO else _wrapper(context, step.details)
    journal, notes, captured = context.run.journal(step.name), context.notes, context.captured
    address = step.address if _is_address(step.address) else str(context.path(step.address))
    if not journal.exists():
        notes.forget()
    with captured.loader(static=step.static) if captured else context.loader(step.static) as loader:
        found = collect(
            address,
            what=step.what,  # type: ignore[arg-type]
            wrapper=_wrapper(context, step.wrapper) if step.wrapper else None,
            details=details,
            pages=step.pages,
            loader=loader,
            journal=journal,
            on_progress=context.on_progress,
            on_page=notes.add,
        )
    if captured:
        notes.take_over(captured.captures)
    if not len(found.records):
        journal.unlink(missing_ok=True)  # or an empty list would be remembered
        raise UnreadableError(address, f"no records were found ({found.stop}); look at the page.")
    doubts = found.doubts if found.verdict == "ok" or found.doubts else (str(found.stop),)
    outcome = _whole(context, PageRecords(found.records, None, address, found.verdict, tuple(doubts)))
    journal.unlink(missing_ok=True)
    return outcome


def play_script(context: StepContext, step: PlaySource) -> StepResult:
    """The records that a script extracts; what it did once can't be done again, so its rows of that day are taken."""
    if (captured := context.captured) is not None:
        return context.take(captured)
    script = Script.load(context.path(step.script))
    if missing := missing_secret(script, 1):
        raise UsageError(missing)
    with Session() as tab:
        player = Playing(
            script,
            tab,
            variables=step.variables or {},
            on_progress=context.on_progress,
            on_page=lambda page: context.notes.add(page, page.url),
        )
        played = player.run(1)
    if step.output not in played.outputs:
        if played.verdict == "failed":
            raise UnreadableError(step.script, f"the script failed ({played.why.rstrip('.')}); play it to see why.")
        known = ", ".join(played.outputs) or "nothing"
        raise context.fail(f"the script has no output `{step.output}`; it gave {known}.", "output")
    doubts = (*([played.why] if played.why and played.verdict != "ok" else []), *played.doubts)
    return _whole(context, PageRecords(played.outputs[step.output], None, step.script, played.verdict, doubts))


def _whole(context: StepContext, read: PageRecords) -> StepResult:
    """The rows of a source that is one whole, checked."""
    report = _report(context, [read], None)
    verdict = worst_verdict((read.verdict, report.verdict))
    reasons = tuple(dict.fromkeys((*read.problems, *_said(report))))
    part = SourcedRecords(read.records, read.source, verdict, reasons if verdict != "ok" else ())
    outcome = _kept(context, [part], verdict, reasons if verdict != "ok" else ())
    _remember(context, [read], verdict)
    return outcome


def hosts_of(flow: Flow, step: FlowStep) -> frozenset[str]:
    """The hosts that a source asks, as far as its texts name them; none if it opens no pages."""
    texts: list[str] = []
    if isinstance(step, PagesSource):
        texts += step.sources
    elif isinstance(step, CollectSource):
        texts.append(step.address)
    elif isinstance(step, PlaySource):
        script = flow.folder / step.script
        texts += [script.read_text("utf-8", "replace") if script.exists() else "", *(step.variables or {}).values()]
    return frozenset(host.lower() for text in texts for host in _HOST.findall(text))


# ---------------------------------------------------------------------- verdicts


def _history(context: StepContext) -> History:
    return History(context.store.profiles / f"{context.name}.json")


def _report(context: StepContext, pages: Sequence[PageRecords], profile: Profile | None) -> Report:
    return check_records(pages, profile, _history(context).last(), more=record_checks())


def _remember(context: StepContext, pages: Sequence[PageRecords], verdict: Verdict) -> None:
    """A good run is what the next one is compared with, unless it is for a date that is past."""
    if verdict == "ok" and context.replay is None:
        _history(context).remember(profile_of_run(pages))


def _part(page: PageRecords, report: Report) -> SourcedRecords:
    """The records of a page with what is said about it, and about the whole run."""
    own = Report(tuple(issue for issue in report.issues if issue.source in (page.source, None, "")))
    verdict = worst_verdict((page.verdict, own.verdict))
    more = _said(Report(tuple(issue for issue in own.issues if issue.check != "reading" or not page.problems)))
    reasons = (*page.problems, *more) if verdict != "ok" else ()  # what the page's problems say is said once
    return SourcedRecords(page.records, page.source, verdict, tuple(dict.fromkeys(reasons)))


def _said(report: Report) -> tuple[str, ...]:
    return tuple(str(issue) for issue in report.issues if issue.severity != "notice")


def _kept(
    context: StepContext, parts: Sequence[SourcedRecords], verdict: Verdict, reasons: Iterable[str]
) -> StepResult:
    rows: RowBatches = rows_of_records(parts)
    return StepResult(context.keep(rows), verdict=verdict, reasons=tuple(reasons))
