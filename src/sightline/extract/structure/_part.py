"""A part of a sheet: what the steps after the tables and paragraphs hand on to each other."""

from dataclasses import dataclass

from sightline.extract.structure._grid import FoundTable
from sightline.extract.structure._layout import Line

__all__ = ["Part"]


@dataclass(frozen=True, eq=False)
class Part:
    """What stands on a sheet in its place of the reading order: a paragraph, a table, or what runs at the edge."""

    kind: str
    lines: tuple[Line, ...] = ()
    table: FoundTable | None = None
    level: int = 0
    caption: tuple[Line, ...] = ()
