"""What the blocks of a PDF are: a pure step from a bare page to one with headings, paragraphs, lists and tables."""

from sightline.extract.structure._settings import RULES, StructureSettings
from sightline.extract.structure._structure import Part, StructureTrace, structured, trace_structure
from sightline.extract.structure._tables import Cell, FoundTable

__all__ = [
    "RULES",
    "Cell",
    "FoundTable",
    "Part",
    "StructureSettings",
    "StructureTrace",
    "structured",
    "trace_structure",
]
