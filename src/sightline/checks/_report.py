"""The results of checks: issues with their reasons and evidence, and the verdict that follows from them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal, TypeAlias, get_args

from sightline.data import Origin, Verdict, XPath
from sightline.errors import UsageError

Severity: TypeAlias = Literal["notice", "suspicious", "failed"]
"""How serious an issue is; a notice does not change the verdict."""

MOST_EVIDENCE = 10  # origins of an issue; more prove nothing further and make a report unreadable


@dataclass(frozen=True, slots=True)
class Issue:
    """A finding of a check: how serious it is, what it concerns, why, and where to see it.

    `field` is the full name of a field, `source` the page; None means all of them.

    >>> print(Issue("fill", "suspicious", "only 2 of 20 records have it.", field="price"))
    suspicious: fill of “price”: only 2 of 20 records have it.
    """

    check: str
    severity: Severity
    reason: str
    field: str | None = None
    source: str | None = None
    evidence: tuple[Origin, ...] = ()

    def __post_init__(self) -> None:
        """Reject unknown severities; keep no more evidence than a reader can look at."""
        if self.severity not in get_args(Severity):
            raise UsageError(f"{self.severity!r:.60} is not a severity; use one of {', '.join(get_args(Severity))}.")
        object.__setattr__(self, "evidence", tuple(self.evidence)[:MOST_EVIDENCE])

    def __str__(self) -> str:
        """The issue on one line."""
        about = f" of “{self.field}”" if self.field else ""
        where = f" ({self.source})" if self.source else ""
        return f"{self.severity}: {self.check}{about}: {self.reason}{where}"

    def to_json(self, *, xpath: XPath | None = None) -> dict[str, Any]:
        """The issue as plain values; `xpath` gives the XPath of an origin, which takes the page itself."""
        return {
            "check": self.check,
            "severity": self.severity,
            "field": self.field,
            "source": self.source,
            "reason": self.reason,
            "evidence": [_origin_json(origin, xpath) for origin in self.evidence],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Issue":
        """The inverse of `to_json`."""
        try:
            evidence = tuple(map(_origin, document.get("evidence", ())))
            about = {name: document.get(name) for name in ("field", "source")}
            return cls(document["check"], document["severity"], document["reason"], **about, evidence=evidence)
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            if isinstance(problem, UsageError):
                raise
            raise UsageError(f"This is not an issue of a report: {problem}.") from problem


@dataclass(frozen=True)
class Report:
    """The issues of a run and its verdict: that of the worst issue, or ok.

    >>> report = Report((Issue("coverage", "suspicious", "the page announces 24 records, but 12 were extracted."),))
    >>> report.verdict, Report().verdict
    ('suspicious', 'ok')
    >>> print(report)
    suspicious
      suspicious: coverage: the page announces 24 records, but 12 were extracted.
    """

    issues: tuple[Issue, ...] = ()

    def __post_init__(self) -> None:
        """Sort the worst issues first, otherwise keep their order; reject anything that is not an issue."""
        for issue in self.issues:
            if not isinstance(issue, Issue):
                raise UsageError(f"A report holds Issue objects, not {issue!r:.60}.")
        object.__setattr__(self, "issues", tuple(sorted(self.issues, key=_weight, reverse=True)))

    @property
    def verdict(self) -> Verdict:
        """`failed` if any issue is, else `suspicious` if any is, else `ok`."""
        worst = max(map(_weight, self.issues), default=0)
        return _VERDICTS[worst]

    def of(self, check: str) -> tuple[Issue, ...]:
        """The issues of one check, by its name."""
        return tuple(issue for issue in self.issues if issue.check == check)

    def strict(self) -> "Report":
        """The same report with every suspicious issue raised to failed.

        >>> Report((Issue("fill", "suspicious", "it is empty."),)).strict().verdict
        'failed'
        """
        return Report(
            tuple(
                replace(issue, severity="failed") if issue.severity == "suspicious" else issue for issue in self.issues
            )
        )

    @classmethod
    def joined(cls, reports: Iterable["Report"]) -> "Report":
        """The issues of several reports in one, without duplicates.

        >>> Report.joined([Report(), Report()])
        Report(issues=())
        """
        return cls(tuple(dict.fromkeys(issue for report in reports for issue in report.issues)))

    def to_json(self, *, xpath: XPath | None = None) -> dict[str, Any]:
        """The report as plain values: the verdict, and every issue with its evidence."""
        return {"verdict": self.verdict, "issues": [issue.to_json(xpath=xpath) for issue in self.issues]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Report":
        """The inverse of `to_json`.

        >>> report = Report((Issue("fill", "notice", "it is empty.", evidence=(Origin("3f2a", (7,)),)),))
        >>> Report.from_json(report.to_json()) == report
        True
        """
        if not isinstance(document, Mapping) or not isinstance(document.get("issues"), list | tuple):
            raise UsageError(f"This is not a report: {document!r:.60} has no list of issues.")
        return cls(tuple(map(Issue.from_json, document["issues"])))

    def __str__(self) -> str:
        """The verdict, and a line for every issue."""
        return "\n".join([self.verdict, *(f"  {issue}" for issue in self.issues)])

    def _repr_html_(self) -> str:
        """A table of the issues, for notebooks."""
        rows = "".join(
            f"<tr><td>{'</td><td>'.join(escape(str(part or '')) for part in _parts(issue))}</td></tr>\n"
            for issue in self.issues
        )
        head = "<tr><th>severity</th><th>check</th><th>field</th><th>source</th><th>reason</th></tr>\n"
        return f"<table>\n<caption>{self.verdict}</caption>\n{head}{rows}</table>"


_WEIGHTS: dict[Severity, int] = {"notice": 0, "suspicious": 1, "failed": 2}
_VERDICTS: tuple[Verdict, ...] = ("ok", "suspicious", "failed")


def _weight(issue: Issue) -> int:
    return _WEIGHTS[issue.severity]


def _parts(issue: Issue) -> tuple[str | None, ...]:
    return issue.severity, issue.check, issue.field, issue.source, issue.reason


def _origin_json(origin: Origin, xpath: XPath | None) -> dict[str, Any]:
    # An undefined box (NaN) is null, as everywhere in JSON.
    box = list(origin.box) if origin.box and origin.box[0] == origin.box[0] else None
    place = {"page": origin.page, "nodes": list(origin.nodes), "box": box, "sheet": origin.sheet}
    return place | ({"xpath": xpath(origin)} if xpath else {})


def _origin(document: Mapping[str, Any]) -> Origin:
    box = document.get("box")
    place = None if box is None else (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
    return Origin(str(document["page"]), tuple(map(int, document.get("nodes", ()))), place, document.get("sheet", 1))
