"""What a step tells of a whole stream, as `Normalised` tells it of a column."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from sightline.data import ColumnType

__all__ = ["OTHER_CAUSES", "StepReport"]

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
