"""Every step of the searches, kept to be printed and drawn."""

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from sightline.data import ItemList, TraceStep
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
    decision: ListDecision


@dataclass(frozen=True)
class ListTrace:
    """What was considered on the way to the lists."""

    found: tuple[ItemList, ...]
    candidates: tuple[ListCandidate, ...] = ()

    def steps(self) -> tuple[TraceStep, ...]:
        """Every region that repeats, with what became of it."""
        boxes = tuple(candidate.box for candidate in self.candidates if candidate.box)
        rows = tuple(asdict(candidate) for candidate in self.candidates)
        return (TraceStep("regions", "what repeats, what spoke for and against it, and the decision", rows, boxes),)


@dataclass(frozen=True)
class TopCandidate:
    """A choice of k similar lines; `others` counts the lines of the same kind that it leaves out."""

    how: str
    k: int
    others: int
    titles: tuple[str, ...]
    evidence: dict[str, float]
    score: float
    decision: TopDecision


@dataclass(frozen=True)
class TopTrace:
    """What the titles promise, the candidates that might keep it, and the list that does."""

    promises: tuple[Promise, ...]
    candidates: tuple[TopCandidate, ...] = ()
    found: ItemList | None = None

    def steps(self) -> tuple[TraceStep, ...]:
        """What the titles promise, then every choice of lines that might keep it."""
        promises = tuple(
            {"k": promise.k, "title": promise.title, "strength": promise.strength} for promise in self.promises
        )
        choices = tuple(asdict(candidate) for candidate in self.candidates)
        return (
            TraceStep("promises", "numbers of items that the titles promise", promises),
            TraceStep("choices", "lines that might be the titles of the items, and the decision", choices),
        )
