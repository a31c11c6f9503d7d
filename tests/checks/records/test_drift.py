"""What changed since the last good run."""

from dataclasses import replace

from sightline.checks import PageRecords, check_records, profile_of_run
from sightline.data import Records

from ._shop import run_of_pages


def _dated(days: list[str]) -> list[PageRecords]:
    return [PageRecords(Records([{"title": f"News of {day}", "day": day}]), source=day) for day in days]


def test_dates_that_go_backwards_are_told() -> None:
    """The pages of an older run came back after those of a newer one."""
    newer, older = _dated(["2024-05-13", "2024-05-14", "2024-05-15"]), _dated(["2024-04-13", "2024-04-14"])
    [issue] = check_records(older, last=profile_of_run(newer)).of("drift")
    assert (issue.field, issue.severity) == ("day", "suspicious")
    assert check_records(newer, last=profile_of_run(older)).verdict == "ok"


def test_dates_whose_month_nobody_knows_are_read_in_both_orders() -> None:
    """Of 11/12 the day may be the month: backwards in one order is a notice, backwards in both is told."""
    last = profile_of_run(_dated(["11/12/2024", "10/12/2024", "9/12/2024"]))
    unsure = check_records(_dated(["12/11/2024", "8/11/2024"]), last=last)
    assert unsure.verdict == "ok"
    assert unsure.of("drift")
    assert check_records(_dated(["11/12/2023", "8/11/2023"]), last=last).verdict == "suspicious"


def test_the_same_run_again_is_a_notice() -> None:
    """Most pages do not change between two runs: that is told, and is ok."""
    run = run_of_pages()
    report = check_records(run, last=profile_of_run(run))
    assert report.verdict == "ok"
    assert [issue.severity for issue in report.of("drift")] == ["notice"]


def test_half_of_the_records_since_the_last_run_are_told() -> None:
    """The wrapper's own profile may not know how many there are; the last run does."""
    run = run_of_pages(6, 10)
    half = [replace(own, records=own.records[:5], page=None) for own in run]
    assert check_records(half, last=profile_of_run(run)).of("drift")
