"""What it means for a line to stand in columns of a grid."""

from typing import TypeAlias

from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["Extent", "Span", "Spans"]

Span: TypeAlias = tuple[int, int]
"""The first and the last column that a line stands in."""

Spans: TypeAlias = dict[PrintedLine, Span]

Extent: TypeAlias = tuple[float, float]
"""How far the texts of a column reach from left to right."""
