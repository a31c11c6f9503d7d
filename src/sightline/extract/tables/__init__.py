"""Tables as people see them, however they were coded."""

from sightline.extract.tables._evidence import PARTS
from sightline.extract.tables._find import RULES, TableCandidate, TableSettings, TableTrace, find_tables, trace_tables
from sightline.extract.tables._grid import CellGrid, clusters

__all__ = [
    "PARTS",
    "RULES",
    "CellGrid",
    "TableCandidate",
    "TableSettings",
    "TableTrace",
    "clusters",
    "find_tables",
    "trace_tables",
]
