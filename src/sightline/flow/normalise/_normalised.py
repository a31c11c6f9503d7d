"""The result of every step: a new column with the originals beside it, and what could not be read."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import Any, TypeAlias

from sightline.data import ColumnType, Typed, Value

CellItem: TypeAlias = str | Decimal | None
"""A cell as the steps read it: a text, a number that was typed before, or nothing."""

Read: TypeAlias = tuple[Any, str | None]
"""What a step makes of one cell, and why it could not read it; both None where there is nothing to read."""

# Enough to recognise a value in a report, and short enough for one line of it.
_LONGEST_QUOTE = 40
# Below this, surrounding blanks do not matter for speed; above, a cell may be megabytes of them.
_LONG_TEXT = 200


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normalised column: `values` in the order of `originals`, row by row; nothing is dropped.

    `problems` says for each row (from 0) why its value could not be read; the new value is None there. A row that is
    empty, or says only that there is no value (`n/a`), is None without a problem. `notes` are about the whole column:
    what was ambiguous and how it was taken. `name` and `original_name` are the names of the two columns.

    >>> column = Normalised("eur", "price", (5, None, None), ("5 €", "ask", ""), {1: "'ask' is not a price."})
    >>> column.read, column.missing, column.summary
    (1, 1, "eur: 1 read, 1 missing, 1 not read ('ask' is not a price.)")
    """

    name: str
    original_name: str
    values: Sequence[Typed | None]
    originals: Sequence[Any]
    problems: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    type: ColumnType | None = None

    @property
    def missing(self) -> int:
        """How many rows have no value to read."""
        return sum(value is None for value in self.values) - len(self.problems)

    @property
    def read(self) -> int:
        """How many rows have a new value."""
        return len(self.values) - sum(value is None for value in self.values)

    @property
    def causes(self) -> dict[str, int]:
        """The problems, each once, with the number of rows that have it; the commonest first."""
        return dict(Counter(self.problems.values()).most_common())

    @property
    def summary(self) -> str:
        """One line: what was read, what was missing, what was not read and mostly why."""
        line = f"{self.name}: {self.read} read, {self.missing} missing, {len(self.problems)} not read"
        return f"{line} ({next(iter(self.causes))})" if self.problems else line

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        """Both columns by their names, the new one first."""
        return {self.name: self.values, self.original_name: self.originals}


def item_of(value: Any) -> CellItem:
    """A cell as a text or a finite decimal; whatever else it is becomes the text that names it.

    >>> [item_of(cell) for cell in ("5 €", 5, 2.5, None, float("nan"), True, Value("x"))]
    ['5 €', Decimal('5'), Decimal('2.5'), None, 'nan', 'True', 'x']
    """
    match value:
        case None | str():
            return value
        case Value():
            return value.text
        case bool():
            return str(value)
        case int():
            return Decimal(value)
        case float():
            return Decimal(repr(float(value))) if isfinite(value) else str(value)
        case Decimal():
            return value if value.is_finite() else str(value)
    return str(value)


def text_of(value: Any) -> str | None:
    """A cell as a text; a number as Python writes it."""
    item = item_of(value)
    return item if isinstance(item, str) or item is None else str(item)


def quoted(item: CellItem) -> str:
    """A cell in quotes, shortened, for a sentence about it.

    >>> quoted("x" * 50)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    text = str(item)
    if len(text) > _LONG_TEXT:
        text = text.strip()
    return repr(text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…")


# What a step tells of a whole stream, as `Normalised` tells it of a column.

# Sentences that are kept apart. Each quotes a value, so a column of prose has as many as rows; they are in the batches.
_MOST_CAUSES = 1_000
_EXACTNESS = "exactness:"
OTHER_CAUSES = "other problems, each told beside its row."


@dataclass(slots=True)
class StepReport:
    """The counts of one step; complete when all batches have been taken.

    `causes` has at most a thousand different sentences; the rows of further ones are counted together. Every row has
    its own sentence in the column `problem_name` of the batches.
    """

    name: str
    original_name: str
    problem_name: str
    rows: int = 0
    missing: int = 0
    unread: int = 0
    type: ColumnType | None = None
    date_type: ColumnType | None = None
    mended: int = 0
    _causes: Counter[str] = field(default_factory=Counter)
    _notes: list[str] = field(default_factory=list)

    @property
    def read(self) -> int:
        """How many rows have a new value."""
        return self.rows - self.missing - self.unread

    @property
    def causes(self) -> dict[str, int]:
        """The problems, each once, with the number of rows that have it; the commonest first."""
        return dict(self._causes.most_common())

    @property
    def summary(self) -> str:
        """One line: what was read, what was missing, what was not read and mostly why."""
        line = f"{self.name}: {self.read} read, {self.missing} missing, {self.unread} not read"
        return f"{line} ({next(iter(self.causes))})" if self.unread else line

    def add(self, rows: int, empty: int, causes: Counter[str], notes: tuple[str, ...], mended: int) -> None:
        """Count one batch; `empty` rows have no new value."""
        self.rows += rows
        self.unread += causes.total()
        self.missing += empty - causes.total()
        self.mended += mended
        for cause, count in causes.items():
            has_room = cause in self._causes or len(self._causes) < _MOST_CAUSES
            self._causes[cause if has_room else OTHER_CAUSES] += count
        self.note(notes)

    def note(self, notes: Iterable[str]) -> None:
        """Keep what was not told before; of the values that are not exact, the first one is told."""
        for note in notes:
            is_told = note.startswith(_EXACTNESS) and any(one.startswith(_EXACTNESS) for one in self._notes)
            if note not in self._notes and not is_told:
                self._notes.append(note)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was ambiguous about the whole column, and how many texts were not UTF-8."""
        told = f"encoding: {self.mended} texts are not UTF-8; their bytes are written as \\xff"
        return (*self._notes, *([told] if self.mended else ()))
