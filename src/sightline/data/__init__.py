"""The data that extractors return: values with their origins, records, tables, schemas, and exports.

The model and the rules of typing are described in docs/data.md, the formats in docs/exports.md.
"""

from sightline.data._cell import Cell, Role, cells_at
from sightline.data._column import Column, Title, read_title, what_is_lost
from sightline.data._content import Content
from sightline.data._content_parts import (
    ContentImage,
    ContentPart,
    Enclosure,
    InlineText,
    PartMarkup,
    Placement,
    content_parts,
    part_markups,
)
from sightline.data._exports import FORMATS, Exportable, defused, export, json_lines, xml_row
from sightline.data._items import Item, ItemList, ListKind
from sightline.data._join_records import join_records
from sightline.data._multisets import MultisetCounts, RowTimes, count_differences, row_times, surplus
from sightline.data._profile import FieldProfile, Profile
from sightline.data._record import Field, Record, named_values
from sightline.data._result import (
    Extraction,
    Mark,
    Result,
    Trace,
    TraceStep,
    Verdict,
    XPath,
    result_marks,
    verdict_of_pages,
    worst_verdict,
)
from sightline.data._schema import Basic, Disjunction, Option, Schema, SetOf, TupleOf
from sightline.data._table import Records, Table
from sightline.data._table_body import Heading, Triple
from sightline.data._thing import Thing, ThingDoubt, ThingProposal, ThingValue
from sightline.data._types import (
    Amount,
    ColumnKind,
    ColumnType,
    Price,
    Typed,
    convert_measure,
    currencies_of,
    dimension_of,
    infer,
    infer_money,
    read_amount,
    read_price,
)
from sightline.data._value import (
    Origin,
    OriginPage,
    Value,
    joined_origin,
    origin_at,
    origin_of,
    origins_at,
    shortened,
    values_at,
)

__all__ = [
    "FORMATS",
    "Amount",
    "Basic",
    "Cell",
    "Column",
    "ColumnKind",
    "ColumnType",
    "Content",
    "ContentImage",
    "ContentPart",
    "Disjunction",
    "Enclosure",
    "Exportable",
    "Extraction",
    "Field",
    "FieldProfile",
    "Heading",
    "InlineText",
    "Item",
    "ItemList",
    "ListKind",
    "Mark",
    "MultisetCounts",
    "Option",
    "Origin",
    "OriginPage",
    "PartMarkup",
    "Placement",
    "Price",
    "Profile",
    "Record",
    "Records",
    "Result",
    "Role",
    "RowTimes",
    "Schema",
    "SetOf",
    "Table",
    "Thing",
    "ThingDoubt",
    "ThingProposal",
    "ThingValue",
    "Title",
    "Trace",
    "TraceStep",
    "Triple",
    "TupleOf",
    "Typed",
    "Value",
    "Verdict",
    "XPath",
    "cells_at",
    "content_parts",
    "convert_measure",
    "count_differences",
    "currencies_of",
    "defused",
    "dimension_of",
    "export",
    "infer",
    "infer_money",
    "join_records",
    "joined_origin",
    "json_lines",
    "named_values",
    "origin_at",
    "origin_of",
    "origins_at",
    "part_markups",
    "read_amount",
    "read_price",
    "read_title",
    "result_marks",
    "row_times",
    "shortened",
    "surplus",
    "values_at",
    "verdict_of_pages",
    "what_is_lost",
    "worst_verdict",
    "xml_row",
]
