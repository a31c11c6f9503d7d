"""Rows from files and objects: columns of texts by their names."""

from sightline.flow.rows._read import RowSource, TextColumns, read_columns

__all__ = ["RowSource", "TextColumns", "read_columns"]
