"""All checks of the records of a run, in one report."""

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
from sightline.checks.records._wrapper_verdicts import check_readings, check_walls
from sightline.data import Profile
from sightline.errors import UsageError

__all__ = ["check_records"]

MOST_TOLD = 5  # pages that are named one by one


def check_records(
    run: Sequence[PageRecords],
    profile: Profile | None = None,
    last: Profile | None = None,
    settings: CheckSettings | None = None,
) -> Report:
    """The verdict on what was taken from one page or several, and the reasons.

    `profile` is what the wrapper read when it was good, `last` the profile of the last good run. Bad data is never an
    error here, only an argument of a wrong type is.

    >>> from sightline.data import Records
    >>> check_records([PageRecords(Records([]))]).verdict
    'failed'
    """
    run = _checked(run, profile, last, settings)
    settings = settings or CheckSettings()
    own = run_of(run)
    issues = [
        issue
        for name, check in _checks(own, profile, last, settings)
        if name not in settings.without
        for issue in check
    ]
    return Report(tuple(dict.fromkeys(issues)))


def _checks(
    run: RecordRun, profile: Profile | None, last: Profile | None, settings: CheckSettings
) -> Iterator[tuple[str, Iterable[Issue]]]:
    """All checks by their names. They are generators: what is left out is never begun."""
    yield "count", _nothing(run)
    yield "reading", check_readings(run, settings)
    yield "walls", check_walls(run)
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
    """Pages without any record."""
    empty = [own for own in run.taken if not any(any(record.values()) for record in own.records)]
    if len(empty) == len(run.taken):
        yield Issue("count", "failed", "nothing was extracted." if run.taken else "there is no page.")
        return
    for own in empty[:MOST_TOLD]:
        reason = f"nothing was extracted from {len(empty)} of {len(run.taken)} pages."
        yield Issue("count", "suspicious", reason, source=own.called)


def _checked(
    run: Sequence[PageRecords], profile: Profile | None, last: Profile | None, settings: CheckSettings | None
) -> Sequence[PageRecords]:
    """Refuse arguments of a wrong type."""
    if isinstance(run, PageRecords | str) or not isinstance(run, Sequence):
        raise UsageError(f"A run is a list of what was taken from pages, not {run!r:.60}.")
    for own in run:
        if not isinstance(own, PageRecords):
            raise UsageError(f"A run is a list of what was taken from pages (Taken), not of {own!r:.60}.")
    for known in (profile, last):
        if known is not None and not isinstance(known, Profile):
            raise UsageError(f"Records are held against a Profile, not {known!r:.60}.")
    if settings is not None and not isinstance(settings, CheckSettings):
        raise UsageError(f"The settings of checks are CheckSettings, not {settings!r:.60}.")
    return run
