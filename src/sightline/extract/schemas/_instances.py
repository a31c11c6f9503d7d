"""Instances: the children of one element on one page, or a run of them, which all steps of the induction compare."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sightline.extract.schemas._alphabet import Alphabet
from sightline.extract.schemas._outline import Outline

__all__ = ["Instance", "Learning", "LearningStep", "mean"]


class Instance(NamedTuple):
    """Children of one element, or a run of them, on one page."""

    outline: Outline
    page: int
    kids: list[int]

    @property
    def symbols(self) -> list[int]:
        """The symbols of the children."""
        symbol = self.outline.symbol
        return [symbol[kid] for kid in self.kids]

    @property
    def contents(self) -> list[int]:
        """The shared first texts of the children, or 0."""
        content = self.outline.content
        return [content[kid] for kid in self.kids]

    @property
    def leaves(self) -> range:
        """The texts below the children."""
        if not self.kids:
            return range(0)
        return range(self.outline.first[self.kids[0]], self.outline.last[self.kids[-1]])

    @property
    def inside(self) -> list[int]:
        """The symbols of all nodes: the children and everything in them."""
        return self.outline.symbol[self.kids[0] : self.outline.end[self.kids[-1]]] if self.kids else []


class LearningStep(NamedTuple):
    """A decision about an element, and the rule behind it."""

    path: str
    rule: str
    what: str


@dataclass(frozen=True, eq=False)
class Learning:
    """What all steps share: the alphabet, the rules that are switched off, and the decisions made."""

    alphabet: Alphabet
    without: frozenset[str] = frozenset()
    trace: list[LearningStep] | None = None
    path: list[str] = field(default_factory=list)

    def allows(self, rule: str) -> bool:
        """Whether a rule is in use."""
        return rule not in self.without

    def tell(self, rule: str, what: str) -> None:
        """Record a decision."""
        if self.trace is not None:
            self.trace.append(LearningStep("/".join(self.path), rule, what))

    def texts(self, numbers: Sequence[int]) -> list[str]:
        """Shared texts by number."""
        by_number = list(self.alphabet.texts)
        return [by_number[number - 1] for number in numbers]


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
