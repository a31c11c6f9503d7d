"""Integration: rows of several steps put below or beside each other, once each, in lists, or by any SQL."""

from sightline.flow.integrate._mapping import MappedColumn, Union, UnionMap, full_mapping, propose_mapping, union_rows
from sightline.flow.integrate._tables import (
    ROW_NUMBER,
    Duck,
    deduplicate_rows,
    join_rows,
    nest_rows,
    numbered,
    unnest_rows,
)

__all__ = [
    "ROW_NUMBER",
    "Duck",
    "MappedColumn",
    "Union",
    "UnionMap",
    "deduplicate_rows",
    "full_mapping",
    "join_rows",
    "nest_rows",
    "numbered",
    "propose_mapping",
    "union_rows",
    "unnest_rows",
]
