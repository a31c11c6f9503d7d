"""Getting to the data: where the pages of a list lead, and all records of all of them."""

from sightline.navigate.collect import AUTO, MOST_PAGES, Collection, Details, Stop, StopKind, Visited, What, collect
from sightline.navigate.paging import Paging, PagingWay, find_paging

__all__ = [
    "AUTO",
    "MOST_PAGES",
    "Collection",
    "Details",
    "Paging",
    "PagingWay",
    "Stop",
    "StopKind",
    "Visited",
    "What",
    "collect",
    "find_paging",
]
