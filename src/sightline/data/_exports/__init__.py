"""Exports: one module a format; `Exportable` gives them to tables and records, `export` finds them by suffix."""

from sightline.data._exports._exportable import FORMATS, Exportable, export
from sightline.data._exports._text import defused, grid_html, grid_xml, json_lines, jsonable, rows_html, xml_row

__all__ = [
    "FORMATS",
    "Exportable",
    "defused",
    "export",
    "grid_html",
    "grid_xml",
    "json_lines",
    "jsonable",
    "rows_html",
    "xml_row",
]
