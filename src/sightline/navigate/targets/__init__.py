"""Targets: what the steps of a script act on, and where that is on a page."""

from sightline.navigate.targets._find import (
    ANYTHING,
    LABEL,
    TEXT,
    FoundTarget,
    Relocation,
    Remembered,
    Target,
    find_named,
    find_target,
    nothing_found,
    relocate,
    remember,
    too_many,
)
from sightline.navigate.targets._names import CONTROLS, ROLES, NamedElement, NamedElements, same_name, squeezed

__all__ = [
    "ANYTHING",
    "CONTROLS",
    "LABEL",
    "ROLES",
    "TEXT",
    "FoundTarget",
    "NamedElement",
    "NamedElements",
    "Relocation",
    "Remembered",
    "Target",
    "find_named",
    "find_target",
    "nothing_found",
    "relocate",
    "remember",
    "same_name",
    "squeezed",
    "too_many",
]
