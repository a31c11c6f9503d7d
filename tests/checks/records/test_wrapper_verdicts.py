"""What the wrapper said of the pages, and pages that are walls."""

from dataclasses import replace

import pytest

from sightline.checks import CheckSettings, PageRecords, check_records
from sightline.data import Records
from sightline.testing import element, page_of

from ._shop import run_of_pages


def test_refused_pages_are_told_apart_from_bad_values() -> None:
    """All pages refused: failed. Some: suspicious, each with its source and the wrapper's own reason."""
    run = run_of_pages(3)
    refused = [replace(own, verdict="failed", problems=("the field “price” is missing.",)) for own in run]
    assert {issue.severity for issue in check_records(refused).of("reading")} == {"failed"}
    [issue] = check_records([refused[0], *run[1:]]).of("reading")
    assert (issue.severity, issue.source) == ("suspicious", "page0.html")
    assert "price" in issue.reason


def test_a_run_is_not_ok_if_the_wrapper_is_unsure_of_a_page() -> None:
    """Checking says what extracting says; whoever knows better may allow a share of such pages."""
    run = run_of_pages(3)
    unsure = [replace(own, verdict="suspicious", problems=("it is built otherwise",)) for own in run]
    one = [unsure[0], *run[1:]]
    assert check_records(run).verdict == "ok"
    assert check_records(one).verdict == check_records(unsure).verdict == "suspicious"
    allowing = CheckSettings(most_suspicious=0.4)
    assert check_records(one, settings=allowing).verdict == "ok"
    assert check_records(one, settings=allowing).of("reading")[0].severity == "notice"
    assert check_records(unsure, settings=allowing).verdict == "suspicious"


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("Just a moment...", "Checking if the site connection is secure", "captcha"),
        ("Access Denied", "You don't have permission to access this on this server.", "block page"),
        ("Too Many Requests", "Try again later.", "rate limit"),
    ],
)
def test_block_pages_are_told(title: str, text: str, kind: str) -> None:
    """A block page that was served as if all were well, also where something was extracted from it."""
    page = page_of(element("html", element("h1", title), element("p", text)), title=title, kind="static")
    blocked = PageRecords(Records([{"name": title}]), page, "blocked.html")
    [issue] = check_records([*run_of_pages(2), blocked]).of("walls")
    assert (issue.severity, issue.source) == ("suspicious", "blocked.html")
    assert kind in issue.reason
    assert check_records([blocked]).verdict == "failed"


def test_a_page_that_was_cut_is_told() -> None:
    """Records of a page of which something is missing may be a part, and the reason says what is missing."""
    run = run_of_pages(3)
    assert run[1].page is not None
    cut = replace(run[1], page=replace(run[1].page, gaps=("Only 100 of 800 rows were read.",)))
    report = check_records([run[0], cut, run[2]])
    assert report.verdict == "suspicious"
    assert [(issue.source, issue.reason) for issue in report.of("cuts")] == [
        (cut.name, "Only 100 of 800 rows were read.")
    ]
    assert check_records(run).of("cuts") == ()
