"""Runs all checks on the records of a run and collects their issues in one report."""

from collections.abc import Iterable, Iterator, Sequence

from sightline.checks._report import Issue, Report
from sightline.checks.records._advertisements import check_advertisements
from sightline.checks.records._appearance import check_appearance
from sightline.checks.records._column_shift import check_shift
from sightline.checks.records._coverage import check_count, check_coverage, check_gaps
from sightline.checks.records._drift import check_drift
from sightline.checks.records._duplicates import check_duplicates
from sightline.checks.records._fees import check_fees
from sightline.checks.records._fill import check_fill, check_hollow
from sightline.checks.records._ranges import check_ranges, check_types
from sightline.checks.records._row_shift import check_rows
from sightline.checks.records._run import PageRecords, RecordRun, run_of
from sightline.checks.records._settings import CheckSettings
from sightline.checks.records._wrapper_verdicts import check_cuts, check_readings, check_walls
from sightline.data import Profile
from sightline.errors import UsageError

__all__ = ["check_records"]

MOST_NAMED = 5  # pages named individually


def check_records(
    run: Sequence[PageRecords],
    profile: Profile | None = None,
    last: Profile | None = None,
    settings: CheckSettings | None = None,
) -> Report:
    """Check the records extracted from one or more pages; the report has the verdict and the reasons.

    `profile` describes what the wrapper read when it worked, `last` is the profile of the last good run. Bad data never
    raises; only an argument of the wrong type does.

    >>> from sightline.data import Records
    >>> check_records([PageRecords(Records([]))]).verdict
    'failed'
    """
    run = _checked(run, profile, last, settings)
    settings = settings or CheckSettings()
    record_run = run_of(run)
    issues = [
        issue
        for name, check in _checks(record_run, profile, last, settings)
        if name not in settings.without
        for issue in check
    ]
    return Report(tuple(dict.fromkeys(issues)))


def _checks(
    run: RecordRun, profile: Profile | None, last: Profile | None, settings: CheckSettings
) -> Iterator[tuple[str, Iterable[Issue]]]:
    """All checks by name. They are generators, so those left out never start."""
    yield "count", _nothing(run)
    yield "reading", check_readings(run, settings)
    yield "walls", check_walls(run)
    yield "cuts", check_cuts(run)
    yield "coverage", check_coverage(run, profile, settings)
    yield "coverage", check_gaps(run, profile, settings)
    yield "rows", check_rows(run, profile)
    yield "advertisements", check_advertisements(run, profile)
    yield "duplicates", check_duplicates(run, profile, settings)
    yield "looks", check_appearance(run)
    if profile is not None:
        yield "count", check_count(run, profile)
        yield "fill", check_fill(run, profile, settings)
        yield "fill", check_hollow(run, profile)
        yield "types", check_types(run, profile, settings)
        yield "ranges", check_ranges(run, profile, settings)
        yield "fees", check_fees(run, profile, settings)
        yield "shift", check_shift(run, profile, settings)
    if last is not None:
        yield "drift", check_drift(run, last, settings)


def _nothing(run: RecordRun) -> Iterator[Issue]:
    """Pages without any records."""
    empty = [
        page_records for page_records in run.pages if not any(any(record.values()) for record in page_records.records)
    ]
    if len(empty) == len(run.pages):
        yield Issue("count", "failed", "nothing was extracted." if run.pages else "there are no pages.")
        return
    for page_records in empty[:MOST_NAMED]:
        reason = f"nothing was extracted from {len(empty)} of {len(run.pages)} pages."
        yield Issue("count", "suspicious", reason, source=page_records.name)


def _checked(
    run: Sequence[PageRecords], profile: Profile | None, last: Profile | None, settings: CheckSettings | None
) -> Sequence[PageRecords]:
    """Reject arguments of the wrong type."""
    if isinstance(run, PageRecords | str) or not isinstance(run, Sequence):
        raise UsageError(f"A run is a list of PageRecords, not {run!r:.60}.")
    for item in run:
        if not isinstance(item, PageRecords):
            raise UsageError(f"A run is a list of PageRecords, which {item!r:.60} is not.")
    for given in (profile, last):
        if given is not None and not isinstance(given, Profile):
            raise UsageError(f"Records are compared with a Profile, not {given!r:.60}.")
    if settings is not None and not isinstance(settings, CheckSettings):
        raise UsageError(f"The settings of checks must be CheckSettings, not {settings!r:.60}.")
    return run
