"""Tables as people see them, however they were coded."""

from sightline.extract.tables._evidence import PARTS
from sightline.extract.tables._find import RULES, TableSettings, find_tables, trace_tables
from sightline.extract.tables._grid import CellGrid, clusters
from sightline.extract.tables._trace import TableCandidate, TableTrace

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
