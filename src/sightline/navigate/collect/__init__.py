"""Collecting a list over all its pages."""

from sightline.navigate.collect._collect import MOST_PAGES, Collection, What, collect
from sightline.navigate.collect._details import AUTO, Details
from sightline.navigate.collect._walk import Stop, StopKind, Visited

__all__ = [
    "AUTO",
    "MOST_PAGES",
    "Collection",
    "Details",
    "Stop",
    "StopKind",
    "Visited",
    "What",
    "collect",
]
