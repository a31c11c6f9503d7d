"""Checking a run: what a wrapper, or an extractor of main texts, gives on many pages, and whether to trust it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sightline.checks import (
    CHECKS,
    CheckSettings,
    ExtractedNodes,
    Issue,
    Outliers,
    OutlierSettings,
    PageRecords,
    RecordCheck,
    Report,
    check_records,
    find_outliers,
    outlier_report,
    profile_of_run,
)
from sightline.data import Origin, Profile, Result, named_values
from sightline.errors import SightlineError, UsageError
from sightline.jobs._extractors import OWN_NAME
from sightline.jobs._job import Outcome
from sightline.page import Page
from sightline.plugins import plugins

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper

# XPaths of origins, looked up while the page is here, so that they can be written when it is gone.


class XPaths:
    """Knows the XPaths of what was found on some pages; call it with an origin.

    >>> from sightline.testing import list_page
    >>> page, xpaths = list_page(["one", "two"]), XPaths()
    >>> origin = Origin(page.id, (page.find("/html[1]/body[1]/ul[1]/li[2]"),))
    >>> xpaths.add(page, [origin])
    >>> xpaths(origin)
    '/html[1]/body[1]/ul[1]/li[2]'
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], str] = {}

    def __call__(self, origin: Origin) -> str | None:
        """The XPath of the lowest element around all nodes of the origin, if its page was seen."""
        return self._known.get((origin.page, origin.nodes))

    def add(self, page: Page, origins: Iterable[Origin]) -> None:
        """Look up some origins of a page."""
        for origin in origins:
            if origin.nodes:
                self._known[origin.page, origin.nodes] = page.xpath(_around(page, origin.nodes))

    def add_results(self, page: Page, results: Iterable[Result]) -> None:
        """Look up every value of some results, and what the columns of a flat file make of them."""
        for result in results:
            self.add(page, (value.origin for value in result.values() if value.origin))
            cells = (cell for column in result.columns for cell in column.cells)
            self.add(page, (cell.origin for cell in cells if cell and cell.origin))


def _around(page: Page, nodes: tuple[int, ...]) -> int:
    """The lowest element that holds all the nodes."""
    node, last = min(nodes), max(nodes)
    while page.parent[node] >= 0 and (page.is_text[node] or page.end[node] <= last):
        node = int(page.parent[node])
    return node


OPENING = "opening"  # the check whose issues are pages that could not be read at all

CheckedPage: TypeAlias = PageRecords | ExtractedNodes | Issue
"""What a check needs of one page: its records, the nodes of its text, or an issue where there is neither."""


def checked_records(wrapper: "Wrapper") -> Callable[[Page, str], CheckedPage]:
    """Reads pages by a wrapper, for a check of its records."""

    def read(page: Page, source: str) -> CheckedPage:
        found = wrapper.read(page)
        return PageRecords(found.records, page, source, found.verdict, tuple(one.what for one in found.problems))

    return read


def checked_content(by: str | None) -> Callable[[Page, str], CheckedPage]:
    """Reads the main text of pages by any extractor, for a check of how its parts look."""
    from sightline.extract.content import extracted_nodes, find_content

    def read(page: Page, source: str) -> CheckedPage:
        text = find_content(page, by=None if by == OWN_NAME else by)
        if not text.nodes:  # what a page only says about itself has no place on it
            return Issue("content", "suspicious", "no main text was found.", source=source)
        if page.bounds is None:
            reason = "the page has no layout, so nobody knows how its parts look; open it with a browser."
            return Issue("outliers", "notice", reason, source=source)
        return extracted_nodes(page, text, source)

    return read


@dataclass(frozen=True, eq=False)
class CheckedRun:
    """A whole run: the report on it, the sources in order with their errors, and what the checks looked at."""

    report: Report
    sources: tuple[tuple[str, SightlineError | None], ...]
    records: tuple[PageRecords, ...] = ()
    texts: tuple[ExtractedNodes, ...] = ()
    outliers: Outliers | None = None

    @property
    def profile(self) -> Profile:
        """What this run took, for the next run to be compared with."""
        return profile_of_run(self.records)

    def about(self, source: str) -> Report:
        """The part of the report that concerns one source."""
        return Report(tuple(issue for issue in self.report.issues if issue.source == source))

    def xpaths(self) -> XPaths:
        """The XPaths of all evidence."""
        pages = [read.page for read in self.records if read.page] + [read.page for read in self.texts]
        known = {page.whole_id: page for page in pages}
        xpaths = XPaths()
        for issue in self.report.issues:
            for origin in issue.evidence:
                if origin.page in known:
                    xpaths.add(known[origin.page], [origin])
        return xpaths


def record_outliers(records: Iterable[PageRecords], looks: OutlierSettings | None = None) -> Outliers | None:
    """How unusual the values of records look beside the others of their page; None where no page has a layout.

    This is for people to look at: the scores are made for texts, and the verdict on a run does not depend on them.
    """
    extracted = []
    for read in records:
        if read.page is None or read.page.bounds is None:
            continue
        values = (value for record in read.records for _, value in named_values(record))
        nodes = sorted({node for value in values if value.origin for node in value.origin.nodes})
        if nodes:
            extracted.append(ExtractedNodes(read.page, nodes, read.source))
    return find_outliers(extracted, looks) if extracted else None


def check_run(
    outcomes: Iterable[Outcome[CheckedPage]],
    *,
    profile: Profile | None = None,
    last: Profile | None = None,
    settings: CheckSettings | None = None,
    looks: OutlierSettings | None = None,
) -> CheckedRun:
    """Check the outcomes of a job; a page that could not be read is an issue like any other.

    `profile` is what the wrapper took when it was good, `last` what the last good run took.
    """
    sources: list[tuple[str, SightlineError | None]] = []
    records: list[PageRecords] = []
    texts: list[ExtractedNodes] = []
    issues: list[Issue] = []
    for outcome in outcomes:
        sources.append((outcome.source, outcome.error))
        if outcome.error:
            reason = outcome.error.message.removeprefix(f"{outcome.source}: ")
            issues.append(Issue(OPENING, "failed", reason, source=outcome.source))
        elif isinstance(outcome.found, PageRecords):
            records.append(outcome.found)
        elif isinstance(outcome.found, ExtractedNodes):
            texts.append(outcome.found)
        elif outcome.found is not None:
            issues.append(outcome.found)
    reports = [Report(tuple(issues))]
    outliers = find_outliers(texts, looks) if texts else None
    if outliers:
        reports.append(outlier_report(outliers))
    if records or not (issues or texts):
        reports.append(check_records(records, profile, last, settings, record_checks()))
    return CheckedRun(Report.joined(reports), tuple(sources), tuple(records), tuple(texts), outliers)


def record_checks() -> tuple[RecordCheck, ...]:
    """The checks of records that plugins add."""
    return tuple(plugins("sightline.checks", RecordCheck, CHECKS).values())


# ---------------------------------------------------------------- results of any verb


def check_found(
    found: object,
    wrapper: "Wrapper | None" = None,
    *,
    pages: object = None,
    last: Profile | None = None,
    settings: CheckSettings | OutlierSettings | None = None,
) -> Report:
    """Whether records and main texts can be trusted, each by the check of its kind; see `sightline.check`."""
    from sightline.extract.wrappers import Wrapper

    if wrapper is not None and not isinstance(wrapper, Wrapper):
        raise UsageError(f"Records are checked by the wrapper that read them, not by {wrapper!r:.60}.")
    pairs = [(_kind(one), one, page) for one, page in _in_step(found, pages)]
    texts = [_extracted(one, page) for kind, one, page in pairs if kind == "content"]
    run = [_read(one, page) for kind, one, page in pairs if kind == "records"]
    about_texts = settings if isinstance(settings, OutlierSettings) else None
    if settings is not None and ((about_texts is None and not run) or (about_texts is not None and not texts)):
        raise UsageError(
            f"{type(settings).__name__} do not fit; records take CheckSettings, main texts take OutlierSettings."
        )
    profile = wrapper.profile if wrapper else None
    about_records = None if isinstance(settings, OutlierSettings) else settings
    reports = [outlier_report(find_outliers(texts, about_texts))] if texts else []
    if run or not texts:
        reports.append(check_records(run, profile, last, about_records, record_checks()))
    return Report.joined(reports)


def _kind(found: object) -> str:
    """What kind of check a result needs; what `wrapper.read` gives is checked as its records are."""
    kind = getattr(found, "result_kind", "")
    if kind not in ("content", "records"):
        raise UsageError(f"What can be checked are Records, what wrapper.read gives, or a Content, not {found!r:.60}.")
    return str(kind)


def _in_step(found: object, pages: object) -> list[tuple[object, Page | None]]:
    """Each thing that was found with its page, if pages were given."""
    several = isinstance(found, Sequence) and not isinstance(found, str | bytes)
    things = list(found) if isinstance(found, Sequence) and several else [found]
    if pages is None:
        return [(thing, None) for thing in things]
    given = list(pages) if isinstance(pages, Sequence) and not isinstance(pages, str | bytes) else [pages]
    if len(given) != len(things):
        told = f"({len(things)} and {len(given)})"
        raise UsageError(f"Got results and pages in different numbers {told}; give one page for each result.")
    return [(thing, _is_page(page)) for thing, page in zip(things, given, strict=True)]


def _is_page(page: object) -> Page:
    if not isinstance(page, Page):
        raise UsageError(f"Records and texts are checked on their pages, not on {page!r:.60}; open it first.")
    return page


def _read(found: Any, page: Page | None) -> PageRecords:
    if not hasattr(found, "records"):
        return PageRecords(found, page)
    return PageRecords(found.records, page, "", found.verdict, tuple(problem.what for problem in found.problems))


def _extracted(found: Any, page: Page | None) -> ExtractedNodes:
    from sightline.extract.content import extracted_nodes

    if page is None:
        raise UsageError("How a main text looks can only be seen on its page; give it with pages=.")
    homes = {part.value.origin.page for part in found if part.value.origin}
    if homes - {page.whole_id}:
        raise UsageError("This main text is from another page; give pages= in the order of the results.")
    return extracted_nodes(page, found, page.url)
