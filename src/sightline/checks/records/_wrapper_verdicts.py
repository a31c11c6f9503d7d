"""What the wrapper itself said of the pages, and pages that are walls instead of content."""

from collections.abc import Iterator

from sightline.checks._report import Issue, Severity
from sightline.checks.records._run import PageRecords, RecordRun
from sightline.checks.records._settings import CheckSettings
from sightline.signals import wall_on

__all__ = ["check_readings", "check_walls"]

MOST_TOLD = 5  # pages that are named one by one


def check_readings(run: RecordRun, settings: CheckSettings) -> Iterator[Issue]:
    """Pages that the wrapper refused, or was unsure of; extraction errors are told apart from all else by this name.

    Single pages that it is unsure of are normal: most of them are right, and the other checks look at the values.
    """
    failed = [own for own in run.taken if own.verdict == "failed"]
    if failed:
        severity: Severity = "failed" if len(failed) == len(run.taken) else "suspicious"
        told = f"{len(failed)} of {len(run.taken)} pages are not of the wrapper's kind" if len(run.taken) > 1 else ""
        for own in failed[:MOST_TOLD]:
            why = _why(own) or "the page is not of the wrapper's kind"
            yield Issue("reading", severity, f"{told}; {why}." if told else f"{why}.", source=own.called)
    unsure = [own for own in run.taken if own.verdict == "suspicious"]
    if unsure:
        many = len(unsure) > settings.most_suspicious * len(run.taken)
        reason = f"the wrapper is unsure of {len(unsure)} of {len(run.taken)} pages; {_why(unsure[0])}."
        yield Issue("reading", "suspicious" if many else "notice", reason, source=unsure[0].called)


def check_walls(run: RecordRun) -> Iterator[Issue]:
    """Pages that are no content but a wall: all of them, and the run has failed."""
    walls = [(own, wall) for own in run.taken if own.page is not None and (wall := wall_on(own.page)) is not None]
    severity: Severity = "failed" if len(walls) == len(run.taken) else "suspicious"
    for own, wall in walls[:MOST_TOLD]:
        yield Issue("walls", severity, f"this is a {wall.kind}: {wall.evidence}", source=own.called)


def _why(own: PageRecords) -> str:
    return own.problems[0].rstrip(".") if own.problems else ""
