"""Whether what was extracted can be trusted: one report for every check, with verdict, reasons and evidence.

The checks are described in docs/checks.md.
"""

from sightline.checks._check import check_records
from sightline.checks._features import PROPERTIES, Features, features_of
from sightline.checks._mapped import mapped
from sightline.checks._nodes import Seen
from sightline.checks._outliers import Outlier, Outliers, OutlierSettings, find_outliers, outlier_report
from sightline.checks._places import Places
from sightline.checks._profiles import measured, number_of, placed, profile_of_run
from sightline.checks._ranges import is_far
from sightline.checks._report import Issue, Report, Severity, Verdict
from sightline.checks._run import Taken
from sightline.checks._scores import hbos, nearest_neighbours
from sightline.checks._settings import CHECKS, CheckSettings
from sightline.checks._walls import Wall, recognise

__all__ = [
    "CHECKS",
    "PROPERTIES",
    "CheckSettings",
    "Features",
    "Issue",
    "Outlier",
    "OutlierSettings",
    "Outliers",
    "Places",
    "Report",
    "Seen",
    "Severity",
    "Taken",
    "Verdict",
    "Wall",
    "check_records",
    "features_of",
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
    "recognise",
]
