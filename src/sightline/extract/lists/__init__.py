"""Lists: the k items that a title promises, and the records of every repeated region."""

from sightline.extract.lists._find import find_lists, trace_lists
from sightline.extract.lists._promise import Promise
from sightline.extract.lists._settings import LIST_RULES, TOP_RULES, ListSettings, TopSettings
from sightline.extract.lists._top import Following, basic_top, find_top, trace_top
from sightline.extract.lists._trace import ListCandidate, ListTrace, ListVerdict, TopCandidate, TopTrace, TopVerdict

__all__ = [
    "LIST_RULES",
    "TOP_RULES",
    "Following",
    "ListCandidate",
    "ListSettings",
    "ListTrace",
    "ListVerdict",
    "Promise",
    "TopCandidate",
    "TopSettings",
    "TopTrace",
    "TopVerdict",
    "basic_top",
    "find_lists",
    "find_top",
    "trace_lists",
    "trace_top",
]
