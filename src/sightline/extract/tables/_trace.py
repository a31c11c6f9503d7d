"""Every step of the search, kept to be printed and drawn."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sightline.data import Table, TraceStep
from sightline.geometry import Box

__all__ = ["TableCandidate", "TableDecision", "TableTrace"]

TableDecision: TypeAlias = Literal["table", "scores too little", "overlaps a better one", "does not hold the word"]


@dataclass(frozen=True)
class TableCandidate:
    """A grid of cells that might be a data table: which method found it, the evidence, and the verdict."""

    method: str
    box: Box | None
    shape: tuple[int, int]
    evidence: dict[str, float]
    score: float
    decision: TableDecision
    cells: tuple[Box, ...] = ()


@dataclass(frozen=True)
class TableTrace:
    """What was considered on the way to the tables: blocks of the page, areas of words, grids, and what was kept."""

    found: tuple[Table, ...]
    candidates: tuple[TableCandidate, ...] = ()
    blocks: tuple[Box, ...] = ()
    areas: tuple[Box, ...] = ()

    def steps(self) -> tuple[TraceStep, ...]:
        """Blocks, areas of words, cells, and every candidate with what became of it."""
        candidates = tuple(_facts(candidate) for candidate in self.candidates)
        boxes = tuple(candidate.box for candidate in self.candidates if candidate.box)
        cells = tuple(dict.fromkeys(cell for candidate in self.candidates for cell in candidate.cells))
        return (
            TraceStep("blocks", "laid-out boxes that are not part of a line of text", boxes=self.blocks),
            TraceStep("areas", "areas in which words may form a table", boxes=self.areas),
            TraceStep("cells", "what lines up in rows and columns, comb by comb", boxes=cells),
            TraceStep(
                "candidates", "grids of cells, what spoke for and against each, and the decision", candidates, boxes
            ),
        )


def _facts(candidate: TableCandidate) -> dict[str, Any]:
    return {
        "method": candidate.method,
        "shape": f"{candidate.shape[0]} × {candidate.shape[1]}",
        "box": candidate.box,
        "score": candidate.score,
        "evidence": candidate.evidence,
        "decision": candidate.decision,
    }
