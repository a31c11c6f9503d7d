"""The wrapper's own verdicts on the pages, and pages that are walls instead of content."""

from collections.abc import Iterator

from sightline.checks._report import Issue, Severity
from sightline.checks.records._run import PageRecords, RecordRun
from sightline.checks.records._settings import CheckSettings
from sightline.data import verdict_of_pages
from sightline.signals import wall_on

__all__ = ["check_cuts", "check_readings", "check_walls"]

MOST_NAMED = 5  # pages named individually


def check_readings(run: RecordRun, settings: CheckSettings) -> Iterator[Issue]:
    """Report pages that the wrapper rejected or was unsure of; the name of this check marks extraction errors.

    Most uncertain pages are read correctly, but a run with one of them is not ok, as it is not when it is extracted.
    """
    verdict = verdict_of_pages([page.verdict for page in run.pages], most_suspicious=settings.most_suspicious)
    failed = [page_records for page_records in run.pages if page_records.verdict == "failed"]
    if failed:
        severity: Severity = "failed" if verdict == "failed" else "suspicious"
        count = f"{len(failed)} of {len(run.pages)} pages do not fit the wrapper" if len(run.pages) > 1 else ""
        for page_records in failed[:MOST_NAMED]:
            why = _why(page_records) or "the page does not fit the wrapper"
            yield Issue("reading", severity, f"{count}; {why}." if count else f"{why}.", source=page_records.name)
    unsure = [page_records for page_records in run.pages if page_records.verdict == "suspicious"]
    if unsure:
        reason = f"the wrapper is unsure of {len(unsure)} of {len(run.pages)} pages; {_why(unsure[0])}."
        yield Issue("reading", "notice" if verdict == "ok" else "suspicious", reason, source=unsure[0].name)


def check_cuts(run: RecordRun) -> Iterator[Issue]:
    """Report pages of which something is missing, such as rows beyond a limit: their records may be a part."""
    for page_records in run.pages:
        gaps = page_records.page.gaps if page_records.page is not None else ()
        if gaps:
            yield Issue("cuts", "suspicious", gaps[0], source=page_records.name)


def check_walls(run: RecordRun) -> Iterator[Issue]:
    """Report pages that are a wall instead of content; if all pages are, the run has failed."""
    walls = [
        (page_records, wall)
        for page_records in run.pages
        if page_records.page is not None and (wall := wall_on(page_records.page)) is not None
    ]
    severity: Severity = "failed" if len(walls) == len(run.pages) else "suspicious"
    for page_records, wall in walls[:MOST_NAMED]:
        yield Issue("walls", severity, f"this is a {wall.kind}: {wall.evidence}.", source=page_records.name)


def _why(page_records: PageRecords) -> str:
    return page_records.problems[0].rstrip(".") if page_records.problems else ""
