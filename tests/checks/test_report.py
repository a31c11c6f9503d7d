"""Reports: the verdict follows from the issues, and nothing is lost on the way to JSON, text and HTML."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.checks import Issue, Report
from sightline.data import Origin
from sightline.errors import UsageError

SEVERITIES = ("notice", "suspicious", "failed")
ORDER = ("ok", "suspicious", "failed")

origins = st.builds(
    Origin, st.text(max_size=4), st.tuples(st.integers(0, 9)), st.none() | st.just((0.0, 1.0, 2.0, 3.0))
)
issues = st.builds(
    Issue,
    st.sampled_from(("fill", "coverage")),
    st.sampled_from(SEVERITIES),
    st.text(max_size=9),
    st.none() | st.text(max_size=5),
    st.none() | st.text(max_size=5),
    st.lists(origins, max_size=3).map(tuple),
)
reports = st.lists(issues, max_size=5).map(lambda own: Report(tuple(own)))


@pytest.mark.parametrize(
    ("severities", "verdict"),
    [
        ([], "ok"),
        (["notice", "notice"], "ok"),
        (["notice", "suspicious"], "suspicious"),
        (["suspicious", "failed", "notice"], "failed"),
    ],
)
def test_verdict_is_the_worst_issue(severities: list[str], verdict: str) -> None:
    """One issue that failed is enough, and notices change nothing."""
    report = Report(tuple(Issue("fill", severity, "why.") for severity in severities))  # type: ignore[arg-type]
    assert report.verdict == verdict


@given(reports, issues)
def test_verdict_never_becomes_better_by_an_issue(report: Report, issue: Issue) -> None:
    """More issues make a verdict worse or leave it."""
    more = Report((*report.issues, issue))
    assert ORDER.index(more.verdict) >= ORDER.index(report.verdict)


@given(reports)
def test_report_survives_json(report: Report) -> None:
    """The way to JSON text and back gives the same report."""
    assert Report.from_json(json.loads(json.dumps(report.to_json()))) == report


@given(reports)
def test_strict_turns_doubt_into_failure(report: Report) -> None:
    """What is suspicious has failed, what is ok stays ok, and reasons stay as they are."""
    strict = report.strict()
    assert strict.verdict == ("ok" if report.verdict == "ok" else "failed")
    assert sorted(own.reason for own in strict.issues) == sorted(own.reason for own in report.issues)


@given(st.lists(reports, max_size=4))
def test_joined_is_as_bad_as_the_worst(several: list[Report]) -> None:
    """A joined report has every issue once, and the worst verdict."""
    joined = Report.joined(several)
    assert joined.verdict == max((own.verdict for own in several), key=ORDER.index, default="ok")
    assert set(joined.issues) == {issue for own in several for issue in own.issues}
    assert len(set(joined.issues)) == len(joined.issues)


def test_report_tells_the_worst_first_for_people() -> None:
    """The text begins with the verdict, and the worst issue stands above the others."""
    report = Report((Issue("fill", "notice", "a."), Issue("walls", "failed", "b.", source="x.html")))
    assert str(report).splitlines() == ["failed", "  failed: walls: b. (x.html)", "  notice: fill: a."]
    assert report.of("fill") == (Issue("fill", "notice", "a."),)


def test_html_is_escaped() -> None:
    """What pages say cannot become markup in a notebook."""
    html = Report((Issue("fill", "notice", "<script>"),))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_evidence_has_xpaths_when_somebody_finds_them() -> None:
    """Boxes that are none are null; the XPath stands there only when it was asked for."""
    nothing = (float("nan"),) * 4
    issue = Issue("fill", "notice", "a.", evidence=(Origin("p", (7,), nothing),))
    [plain] = Report((issue,)).to_json()["issues"][0]["evidence"]
    [found] = Report((issue,)).to_json(xpath=lambda origin: f"/{origin.nodes[0]}")["issues"][0]["evidence"]
    assert plain == {"page": "p", "nodes": [7], "box": None, "sheet": 1}
    assert found["xpath"] == "/7"


@pytest.mark.parametrize(
    "document", [None, [], {}, {"issues": [{}]}, {"issues": [{"check": "a", "severity": "bad", "reason": ""}]}]
)
def test_what_is_no_report_is_refused(document: object) -> None:
    """A damaged report says so."""
    with pytest.raises(UsageError):
        Report.from_json(document)  # type: ignore[arg-type]


def test_wrong_types_are_refused() -> None:
    """A report holds Issue objects, and issues have a severity that exists."""
    with pytest.raises(UsageError, match="holds Issue objects"):
        Report(("fill",))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not a severity"):
        Issue("fill", "terrible", "why.")  # type: ignore[arg-type]
