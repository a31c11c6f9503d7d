"""Lists: the k items that a title promises, and the records of every repeated region."""

from sightline.extract.lists._find import (
    ListCandidate,
    ListDecision,
    ListTrace,
    RankedRegion,
    TopCandidate,
    TopDecision,
    TopTrace,
    find_lists,
    rank_regions,
    trace_lists,
)
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._promise import Promise, promises_of
from sightline.extract.lists._region import Region
from sightline.extract.lists._settings import LIST_RULES, TOP_RULES, ListSettings, TopSettings
from sightline.extract.lists._span_reader import SpanReader
from sightline.extract.lists._title_lines import expand_to_items, path_classes
from sightline.extract.lists._top import Following, find_top, trace_top

__all__ = [
    "LIST_RULES",
    "TOP_RULES",
    "Following",
    "ListCandidate",
    "ListDecision",
    "ListSettings",
    "ListTrace",
    "PageSignals",
    "Promise",
    "RankedRegion",
    "Region",
    "SpanReader",
    "TopCandidate",
    "TopDecision",
    "TopSettings",
    "TopTrace",
    "expand_to_items",
    "find_lists",
    "find_top",
    "path_classes",
    "promises_of",
    "rank_regions",
    "trace_lists",
    "trace_top",
]
