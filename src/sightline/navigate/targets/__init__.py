"""Targets: what the steps of a script act on, and where that is on a page."""

from sightline.navigate.targets._find import FoundTarget, find_named, find_target, nothing_found, too_many
from sightline.navigate.targets._names import CONTROLS, ROLES, NamedElement, NamedElements, same_name, squeezed
from sightline.navigate.targets._remember import (
    ANYTHING,
    LABEL,
    TEXT,
    Relocation,
    Remembered,
    Target,
    relocate,
    remember,
)

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
