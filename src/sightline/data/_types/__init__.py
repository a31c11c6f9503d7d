"""Column typing: `infer` decides once for a whole column; `ColumnType.parse` parses each text accordingly."""

from sightline.data._types._amounts import Amount, Price, infer_money, read_amount, read_price
from sightline.data._types._lexicon import convert_measure, dimension_of
from sightline.data._types._money import currencies_of
from sightline.data._types._quantities import is_unit
from sightline.data._types._type import ColumnKind, ColumnType, Typed, are_codes, infer

__all__ = [
    "Amount",
    "ColumnKind",
    "ColumnType",
    "Price",
    "Typed",
    "are_codes",
    "convert_measure",
    "currencies_of",
    "dimension_of",
    "infer",
    "infer_money",
    "is_unit",
    "read_amount",
    "read_price",
]
