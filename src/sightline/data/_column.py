"""One column: its name, its cells, its type, and the typed values."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import cached_property

from sightline.data._heading_text import read_title
from sightline.data._types import ColumnType, Typed, infer
from sightline.data._value import Value, values_with

__all__ = ["Column", "fits", "unique_names"]


@dataclass(frozen=True)
class Column:
    """A column of a table or of flattened records; None where nothing was found.

    >>> column = Column("price", (Value("3,50 €"), None, Value("12 €")), language="de")
    >>> str(column.type), column.values
    ('money EUR', (Decimal('3.50'), None, Decimal('12')))
    >>> column = Column("Weight (kg)[2]", (Value("5"), Value("7.5")))
    >>> column.label, column.unit, column.notes, str(column.type)
    ('Weight', 'kg', ('[2]',), 'measure kg')
    """

    name: str
    cells: tuple[Value | None, ...]
    declared: ColumnType | None = None
    language: str | None = None

    @property
    def label(self) -> str:
        """The name without its unit and the marks of notes."""
        return read_title(self.name).label

    @property
    def unit(self) -> str | None:
        """The unit, currency or scale stated in the name, as written there."""
        return read_title(self.name).unit

    @property
    def notes(self) -> tuple[str, ...]:
        """The marks in the name that point to notes."""
        return read_title(self.name).notes

    @cached_property
    def type(self) -> ColumnType:
        """The declared type, or the one inferred from all texts, with plain numbers in the unit of the name."""
        return self.declared or infer(self.texts, self.language, unit=self.unit)

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The texts as seen."""
        return tuple(cell.text if cell else None for cell in self.cells)

    @cached_property
    def values(self) -> tuple[Typed | None, ...]:
        """The typed values: those given with the cells if they fit the column, else parsed from the texts."""
        read: dict[str, Typed | None] = {}
        return tuple(self._value(cell, read) for cell in self.cells)

    def _value(self, cell: Value | None, read: dict[str, Typed | None]) -> Typed | None:
        if cell is None:
            return None
        if cell.value is not None and fits(cell.value, self.type):
            return cell.value
        if cell.text not in read:
            read[cell.text] = self.type.parse(cell.text)
        return read[cell.text]

    @cached_property
    def typed_cells(self) -> tuple[Value | None, ...]:
        """The cells, each with its typed value."""
        present = [cell for cell in self.cells if cell]
        values = [value for cell, value in zip(self.cells, self.values, strict=True) if cell]
        typed = iter(values_with(present, values))
        return tuple(next(typed) if cell else None for cell in self.cells)


def fits(value: Typed, type: ColumnType) -> bool:
    """Whether a value given with a cell fits the column, so that it need not be parsed again."""
    if isinstance(value, datetime) or type.kind == "date":
        return type.kind == "date" and _fits_date(value, type)
    if type.kind == "number":
        return isinstance(value, int if type.integer else float) and not isinstance(value, bool)
    expected = {"money": Decimal, "measure": float, "time": time}.get(type.kind, str)
    return isinstance(value, expected) and (not isinstance(value, Decimal) or value.is_finite())


def _fits_date(value: Typed, type: ColumnType) -> bool:
    if type.with_time:
        return isinstance(value, datetime) and bool(value.tzinfo) == type.zoned
    if type.without_year and type.year is None:
        return False
    return isinstance(value, date) and not isinstance(value, datetime)


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names for columns: empty ones get a number, double ones a counter.

    >>> unique_names(["a", "", "a", "a (2)"])
    ('a', 'column 2', 'a (3)', 'a (2)')
    """
    wanted = [name.strip() or f"column {place}" for place, name in enumerate(names, start=1)]
    taken = set(wanted)
    given: set[str] = set()
    counters: dict[str, int] = {}
    result = []
    for name in wanted:
        unique = name
        while unique in given:
            counters[name] = counters.get(name, 1) + 1
            candidate = f"{name} ({counters[name]})"
            unique = name if candidate in taken else candidate
        given.add(unique)
        result.append(unique)
    return tuple(result)
