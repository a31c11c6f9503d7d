"""Checks whether extracted data can be trusted; every check reports a verdict, reasons and evidence.

`records` checks what a wrapper read, `outliers` finds parts of a text that look unlike the rest. See docs/checks.md.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.checks._report import Issue, Report, Severity
    from sightline.checks.outliers import (
        ExtractedNodes,
        Outlier,
        Outliers,
        OutlierSettings,
        find_outliers,
        hbos,
        map_nodes,
        nearest_neighbours,
        outlier_report,
    )
    from sightline.checks.records import (
        CHECKS,
        CheckSettings,
        PageRecords,
        RecordCheck,
        ValuePlaces,
        check_records,
        element_signature,
        is_far,
        number_of,
        place_profile,
        profile_of_run,
        text_profile,
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
    "RecordCheck",
    "Report",
    "Severity",
    "ValuePlaces",
    "check_records",
    "element_signature",
    "find_outliers",
    "hbos",
    "is_far",
    "map_nodes",
    "nearest_neighbours",
    "number_of",
    "outlier_report",
    "place_profile",
    "profile_of_run",
    "text_profile",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_report": "Issue Report Severity",
        "outliers": "ExtractedNodes Outlier Outliers OutlierSettings find_outliers hbos map_nodes nearest_neighbours "
        "outlier_report",
        "records": "CHECKS CheckSettings PageRecords RecordCheck ValuePlaces check_records element_signature "
        "is_far number_of place_profile profile_of_run text_profile",
    },
)
