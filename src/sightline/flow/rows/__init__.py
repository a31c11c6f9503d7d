"""Rows from files and objects: columns of texts by their names, or a stream of Arrow batches."""

from sightline.flow.rows._batches import BATCH_ROWS, RowBatches, read_batches
from sightline.flow.rows._read import RowSource, TextColumns, read_columns

__all__ = ["BATCH_ROWS", "RowBatches", "RowSource", "TextColumns", "read_batches", "read_columns"]
