"""Every step of the searches, kept to be printed and drawn."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from sightline.data import ItemList
from sightline.extract.lists._promise import Promise
from sightline.geometry import Box

__all__ = ["ListCandidate", "ListDecision", "ListTrace", "TopCandidate", "TopDecision", "TopTrace"]

ListDecision: TypeAlias = Literal[
    "list", "navigation", "scores too little", "part of a record", "holds a whole list", "menu left out"
]
TopDecision: TypeAlias = Literal["the list", "less likely", "scores too little"]


@dataclass(frozen=True)
class ListCandidate:
    """A repeated region: how it was found, how many records it has, and the evidence for and against it."""

    how: str
    tag: str
    records: int
    box: Box | None
    example: str
    evidence: dict[str, float]
    score: float
    verdict: ListDecision


@dataclass(frozen=True)
class ListTrace:
    """What was considered on the way to the lists."""

    lists: tuple[ItemList, ...]
    candidates: tuple[ListCandidate, ...] = ()


@dataclass(frozen=True)
class TopCandidate:
    """A choice of k similar lines; `others` counts the lines of the same kind that it leaves out."""

    how: str
    k: int
    others: int
    titles: tuple[str, ...]
    evidence: dict[str, float]
    score: float
    verdict: TopDecision


@dataclass(frozen=True)
class TopTrace:
    """What the titles promise, the candidates that might keep it, and the list that does."""

    promises: tuple[Promise, ...]
    candidates: tuple[TopCandidate, ...] = ()
    found: ItemList | None = None
