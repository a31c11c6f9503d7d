"""Whether extracted data can be trusted: one report for every check, with verdict, reasons and evidence.

`records` checks what a wrapper read, `outliers` finds parts of a text that look unlike the rest. docs/checks.md
describes both.
"""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.checks._report import Issue, Report, Severity
    from sightline.checks.outliers import (
        ExtractedNodes,
        Outlier,
        Outliers,
        OutlierSettings,
        find_outliers,
        hbos,
        mapped,
        nearest_neighbours,
        outlier_report,
    )
    from sightline.checks.records import (
        CHECKS,
        CheckSettings,
        PageRecords,
        ValuePlaces,
        check_records,
        is_far,
        measured,
        number_of,
        placed,
        profile_of_run,
    )

__all__ = [
    "CHECKS",
    "CheckSettings",
    "ExtractedNodes",
    "Issue",
    "Outlier",
    "OutlierSettings",
    "Outliers",
    "PageRecords",
    "Report",
    "Severity",
    "ValuePlaces",
    "check_records",
    "find_outliers",
    "hbos",
    "is_far",
    "mapped",
    "measured",
    "nearest_neighbours",
    "number_of",
    "outlier_report",
    "placed",
    "profile_of_run",
]

__getattr__ = lazily(
    __name__,
    {
        "_report": "Issue Report Severity",
        "outliers": "ExtractedNodes Outlier Outliers OutlierSettings find_outliers hbos mapped nearest_neighbours "
        "outlier_report",
        "records": "CHECKS CheckSettings PageRecords ValuePlaces check_records is_far measured number_of placed "
        "profile_of_run",
    },
)
