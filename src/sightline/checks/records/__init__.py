"""Checks of the records of a run: counts, fill, ranges, shifted columns, fees, advertisements, drift."""

from sightline.checks.records._check import check_records
from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._ranges import is_far
from sightline.checks.records._run import PageRecords
from sightline.checks.records._run_profile import measured, number_of, placed, profile_of_run
from sightline.checks.records._settings import CHECKS, CheckSettings

__all__ = [
    "CHECKS",
    "CheckSettings",
    "PageRecords",
    "ValuePlaces",
    "check_records",
    "is_far",
    "measured",
    "number_of",
    "placed",
    "profile_of_run",
]
