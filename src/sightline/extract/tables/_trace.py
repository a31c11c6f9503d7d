"""Every step of the search, kept to be printed and drawn."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from sightline.data import Table
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
    verdict: TableDecision
    cells: tuple[Box, ...] = ()


@dataclass(frozen=True)
class TableTrace:
    """What was considered on the way to the tables: blocks of the page, areas of words, grids, and what was kept."""

    tables: tuple[Table, ...]
    candidates: tuple[TableCandidate, ...] = ()
    blocks: tuple[Box, ...] = ()
    areas: tuple[Box, ...] = ()
