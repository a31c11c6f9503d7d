"""What a wrapper extracted when it worked: the yardstick for every later page."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from sightline.data._types import ColumnType
from sightline.errors import UsageError

MOST = 1_000_000_000  # of anything that is counted on pages
LARGEST = sys.float_info.max  # so that a whole number that isn't a float is refused as well


@dataclass(frozen=True, slots=True)
class FieldProfile:
    """The known values of a field: how many, of which type and size, where, and some examples.

    `fill` is the share of records (or pages) that had the field, `least` and `most` how many values one had, `low` and
    `high` the range of numbers; `shortest` and `longest` count characters. `labels` are the texts beside and above the
    values, `looks` their size, weight and colour, `evidence` the conditions that held on all of them.

    `left` is how many elements of the values' make were left out on a page, at most.
    There were `count` values, `distinct` different ones; `middle` is the median of numbers, `newest` the latest date
    (ISO), `titled` the share of values in the title of their page, `places` the elements around them. Older files
    lack these.
    """

    name: str
    fill: float = 1.0
    least: int = 1
    most: int = 1
    type: ColumnType = field(default_factory=ColumnType)
    low: float | None = None
    high: float | None = None
    shortest: int = 0
    longest: int = 0
    examples: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    evidence: tuple[tuple[str, str, str], ...] = ()
    count: int = 0
    distinct: int = 0
    middle: float | None = None
    newest: str | None = None
    titled: float | None = None
    places: tuple[str, ...] = ()
    left: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The profile as plain values."""
        return asdict(self) | {
            "type": self.type.to_json(),
            "evidence": [list(condition) for condition in self.evidence],
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> "FieldProfile":
        """The inverse of `to_json`."""
        values = dict(document)
        unknown = sorted(set(values) - {part.name for part in fields(FieldProfile)})
        if unknown:
            raise UsageError(f"A field's profile has no {', '.join(unknown):.60}.")
        for name in ("examples", "labels", "looks", "places"):
            values[name] = tuple(map(str, values.get(name, ())))
        values["evidence"] = tuple(_triple(condition) for condition in values.get("evidence", ()))
        values["type"] = ColumnType.from_json(values.get("type", {}))
        for name in ("fill", "least", "most", "shortest", "longest", "count", "distinct"):
            values[name] = _number(name, values.get(name, 0), least=0, most=MOST)
        for name in ("low", "high", "middle", "titled"):
            values[name] = None if values.get(name) is None else _number(name, values[name])
        values["left"] = (
            None if values.get("left") is None else int(_number("left", values["left"], least=0, most=MOST))
        )
        values["newest"] = None if values.get("newest") is None else str(values["newest"])
        return FieldProfile(**values)


@dataclass(frozen=True, slots=True)
class Profile:
    """What was extracted from the pages that a wrapper was learned from, and how they were built.

    `marks` are classes, ids and tag paths around the values, which reveal a page that is built differently; `records`
    are some whole records by the name of their set (empty for those of pages), to find them again.

    >>> profile = Profile(pages=1, fields=(FieldProfile("price", low=5, high=9, examples=("5 €", "9 €")),))
    >>> Profile.from_json(profile.to_json()) == profile
    True
    """

    pages: int = 0
    least: int = 1
    most: int = 1
    fields: tuple[FieldProfile, ...] = ()
    marks: tuple[str, ...] = ()
    records: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = ()

    def of(self, name: str) -> FieldProfile | None:
        """The profile of a field by its name."""
        return next((field_profile for field_profile in self.fields if field_profile.name == name), None)

    def to_json(self) -> dict[str, Any]:
        """The profile as plain values."""
        return {
            "pages": self.pages,
            "least": self.least,
            "most": self.most,
            "fields": [field_profile.to_json() for field_profile in self.fields],
            "marks": list(self.marks),
            "records": [[name, {key: list(texts) for key, texts in record.items()}] for name, record in self.records],
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> "Profile":
        """The inverse of `to_json`."""
        return Profile(
            pages=int(_number("pages", document.get("pages", 0), 0, MOST)),
            least=int(_number("least", document.get("least", 1), 0, MOST)),
            most=int(_number("most", document.get("most", 1), 0, MOST)),
            fields=tuple(map(FieldProfile.from_json, document.get("fields", ()))),
            marks=tuple(map(str, document.get("marks", ()))),
            records=tuple((str(name), _texts(record)) for name, record in document.get("records", ())),
        )


def _number(name: str, value: object, least: float = -LARGEST, most: float = LARGEST) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"The {name} of a field's profile must be a number, not {value!r:.60}.")
    if not least <= value <= most:
        raise UsageError(f"The {name} of a profile must be a number from {least:g} to {most:g}, not {value!r:.60}.")
    return value


def _texts(record: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(map(str, texts)) for name, texts in record.items()}


def _triple(condition: Sequence[str]) -> tuple[str, str, str]:
    if len(condition) != 3:
        raise UsageError(f"A piece of evidence must be a path, a test and a value, not {condition!r:.60}.")
    return str(condition[0]), str(condition[1]), str(condition[2])
