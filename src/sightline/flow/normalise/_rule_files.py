"""Tables of rates and rules: rows by the names of their columns, each with its place in the file."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from sightline.data import ColumnType
from sightline.errors import UnreadableError
from sightline.files import read_bytes
from sightline.flow.rows import Budget, RowLimits, RowSource, numbered_cells, read_columns

__all__ = ["RuleRow", "read_day", "read_decimal", "rule_rows"]

# Far above the history of the ECB (0.6 MB); a table of rates is no place for more.
_MOST_BYTES = 200_000_000
_DECIMAL = re.compile(r"\d{1,20}(?:\.\d{1,20})?", re.ASCII)
# Data frames write a day as its midnight.
_ISO_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]00:00:00)?", re.ASCII)
_NAMED_MONTH = re.compile(r"\d{1,2}\.? [A-Za-z]{3,9}\.? \d{4}", re.ASCII)
_ENGLISH = ColumnType(kind="date", date_order="DMY", language="en")


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row of a table: its cells by name, in order, and where it is, for errors."""

    where: str
    cells: dict[str, str]

    def damaged(self, problem: str) -> UnreadableError:
        """The error that names this row."""
        return UnreadableError(self.where, problem)


def rule_rows(source: RowSource, what: str) -> list[RuleRow]:
    """The rows of a table; names of columns are as written, cells without blanks around them."""
    if isinstance(source, str | os.PathLike) and Path(source).suffix.lower() in (".csv", ".tsv", ".txt"):
        return list(_lines(Path(source), what))
    columns = read_columns(source, what)
    place = str(source) if isinstance(source, str | os.PathLike) else what
    names = list(columns)
    return [
        RuleRow(
            f"{place}, row {number}",
            {name.strip(): (cell or "").strip() for name, cell in zip(names, row, strict=True)},
        )
        for number, row in enumerate(zip(*columns.values(), strict=True), start=1)
    ]


def _lines(path: Path, what: str) -> Iterator[RuleRow]:
    budget = Budget(path, RowLimits(table_bytes=_MOST_BYTES))
    budget.spend_bytes(len(read_bytes(path, f"give the file of {what}", _MOST_BYTES)))
    lines = _stripped(budget)
    where, names = next(lines, (str(path), []))
    if not any(names):
        raise UnreadableError(str(path), f"is empty; give a file of {what} with a line of names.")
    doubled = next((name for name, times in Counter(filter(None, names)).items() if times > 1), None)
    if doubled:
        raise UnreadableError(where, f"there are two columns named {doubled!r}; rename one of them.")
    for where, cells in lines:
        if any(cells[len(names) :]):
            raise UnreadableError(where, f"there are {len(cells)} cells under {len(names)} names; mend that line.")
        if any(cells):
            padded = cells + [""] * (len(names) - len(cells))
            yield RuleRow(where, {name: cell for name, cell in zip(names, padded, strict=False) if name})


def _stripped(budget: Budget) -> Iterator[tuple[str, list[str]]]:
    for number, cells in numbered_cells(budget):
        yield f"{budget.path}, line {number}", [cell.strip() for cell in cells]


def read_decimal(text: str) -> Decimal | None:
    """A number with a decimal point and no grouping, as machines write it.

    >>> read_decimal("0.8562"), read_decimal("0,8562"), read_decimal("NaN")
    (Decimal('0.8562'), None, None)
    """
    return Decimal(text) if _DECIMAL.fullmatch(text) else None


def read_day(text: str) -> date | None:
    """A day that has one meaning: 2024-05-03, or 3 May 2024 as in the daily file of the ECB.

    >>> read_day("2024-05-03"), read_day("03 May 2024"), read_day("03/05/2024")
    (datetime.date(2024, 5, 3), datetime.date(2024, 5, 3), None)
    """
    if iso := _ISO_DAY.fullmatch(text):
        try:
            return date.fromisoformat(iso[1])
        except ValueError:
            return None
    found = _ENGLISH.parse(text) if _NAMED_MONTH.fullmatch(text) else None
    return found if isinstance(found, date) else None
