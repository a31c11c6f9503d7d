"""Rows from files and objects: columns of texts by their names, or a stream of Arrow batches, read in one way."""

from sightline.flow.rows._limits import Budget, RowLimits
from sightline.flow.rows._read import (
    BATCH_ROWS,
    FILE_SUFFIXES,
    RowBatches,
    RowSource,
    TextColumns,
    read_batches,
    read_columns,
)
from sightline.flow.rows._text_files import numbered_cells

__all__ = [
    "BATCH_ROWS",
    "FILE_SUFFIXES",
    "Budget",
    "RowBatches",
    "RowLimits",
    "RowSource",
    "TextColumns",
    "numbered_cells",
    "read_batches",
    "read_columns",
]
