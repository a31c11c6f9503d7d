"""What gives the values that a page shows: arrays and keys in the JSON that it fetched or carries."""

from sightline.extract.behind._carried import Carried, CarriedName, CarriedParts, carried_by
from sightline.extract.behind._documents import (
    DataDocument,
    StatePlace,
    documents_behind,
    elements_of,
    leaves_of,
    state_at,
    told_path,
    value_at,
)
from sightline.extract.behind._forms import is_form
from sightline.extract.behind._list_paths import CarryingList, ListPath, find_list_path
from sightline.extract.behind._match import ArrayMatch, DataField, ShownRows, match_rows, shown_rows
from sightline.extract.behind._rules import DataRule, DataSlot, Leaves, NoWordError, ShownPart, find_rule, is_readable
from sightline.extract.behind._value_paths import CarryingPage, Shown, ValuePath, find_paths
from sightline.extract.behind._values import ValuePlace, match_values

__all__ = [
    "ArrayMatch",
    "Carried",
    "CarriedName",
    "CarriedParts",
    "CarryingList",
    "CarryingPage",
    "DataDocument",
    "DataField",
    "DataRule",
    "DataSlot",
    "Leaves",
    "ListPath",
    "NoWordError",
    "Shown",
    "ShownPart",
    "ShownRows",
    "StatePlace",
    "ValuePath",
    "ValuePlace",
    "carried_by",
    "documents_behind",
    "elements_of",
    "find_list_path",
    "find_paths",
    "find_rule",
    "is_form",
    "is_readable",
    "leaves_of",
    "match_rows",
    "match_values",
    "shown_rows",
    "state_at",
    "told_path",
    "value_at",
]
