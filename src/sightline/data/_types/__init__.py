"""Column typing: `infer` decides once for a whole column; `ColumnType.parse` parses each text accordingly."""

from sightline.data._types._amounts import Amount, read_amount
from sightline.data._types._codes import are_codes
from sightline.data._types._infer import infer
from sightline.data._types._stated import is_unit
from sightline.data._types._type import ColumnKind, ColumnType, Typed

__all__ = ["Amount", "ColumnKind", "ColumnType", "Typed", "are_codes", "infer", "is_unit", "read_amount"]
