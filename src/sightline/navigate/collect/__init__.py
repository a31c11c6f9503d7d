"""Collecting a list over all its pages."""

from sightline.navigate.collect._collect import AUTO, MOST_PAGES, Collection, Details, What, collect
from sightline.navigate.collect._paged_list import Fingerprint, ReadRecords, RecordsOnPage, fingerprint, list_reader
from sightline.navigate.collect._walk import BrowserTurns, Stop, StopKind, Visited, Walk

__all__ = [
    "AUTO",
    "MOST_PAGES",
    "BrowserTurns",
    "Collection",
    "Details",
    "Fingerprint",
    "ReadRecords",
    "RecordsOnPage",
    "Stop",
    "StopKind",
    "Visited",
    "Walk",
    "What",
    "collect",
    "fingerprint",
    "list_reader",
]
