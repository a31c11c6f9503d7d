"""Checks on the records of a run: counts, fill, ranges, shifted columns, fees, advertisements, drift."""

from sightline.checks.records._check import RecordCheck, check_records
from sightline.checks.records._ranges import is_far
from sightline.checks.records._run import PageRecords, ValuePlaces, element_signature
from sightline.checks.records._run_profile import number_of, place_profile, profile_of_run, text_profile
from sightline.checks.records._settings import CHECKS, CheckSettings

__all__ = [
    "CHECKS",
    "CheckSettings",
    "PageRecords",
    "RecordCheck",
    "ValuePlaces",
    "check_records",
    "element_signature",
    "is_far",
    "number_of",
    "place_profile",
    "profile_of_run",
    "text_profile",
]
