"""The structure of a PDF: a pure step from its bare page to one with headings, paragraphs, lists and tables."""

from sightline.extract.structure._paragraphs import BlockKind
from sightline.extract.structure._printed_line import FoundTable, PrintedCell
from sightline.extract.structure._sheet_parts import SheetPart
from sightline.extract.structure._structure import RULES, StructureSettings, StructureTrace, structured, trace_structure
from sightline.extract.structure._tables import SheetTables

__all__ = [
    "RULES",
    "BlockKind",
    "FoundTable",
    "PrintedCell",
    "SheetPart",
    "SheetTables",
    "StructureSettings",
    "StructureTrace",
    "structured",
    "trace_structure",
]
