"""What a file of rows may cost, and what counts it while the file is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sightline.errors import LimitError
from sightline.net import megabytes
from sightline.settings import Settings, setting

__all__ = ["Budget", "RowLimits"]

_MB = 1_000_000
_WIDEST = 4  # bytes of a letter in UTF-8


@dataclass(frozen=True, kw_only=True)
class RowLimits(Settings):
    """What a file of rows may cost; reaching a limit is an error that names it."""

    table_columns: int = setting(20_000, help="maximum number of columns of a file of rows", minimum=1)
    table_rows: int = setting(100_000_000, help="maximum number of rows of a file", minimum=1)
    cell_bytes: int = setting(4 * _MB, help="maximum bytes of a cell", minimum=1)
    row_bytes: int = setting(64 * _MB, help="maximum bytes of a row, or of anything else that is read whole", minimum=1)
    table_bytes: int = setting(1_000 * _MB, help="maximum bytes of a file of rows after decompression", minimum=1)


def _nothing() -> None:
    """Nobody may want the reading to stop."""


@dataclass
class Budget:
    """Counts what a file has cost so far; `check` raises an error as soon as nobody wants its rows any more."""

    path: Path
    limits: RowLimits = field(default_factory=RowLimits)
    check: Callable[[], None] = _nothing
    rows: int = 0
    decoded: int = 0

    def again(self) -> "Budget":
        """The same for reading the file once more."""
        return Budget(self.path, self.limits, self.check)

    def spend_columns(self, count: int) -> None:
        """There are so many columns."""
        if count > self.limits.table_columns:
            raise self._over(f"has more than {self.limits.table_columns:,} columns", "table_columns")

    def spend_rows(self, count: int = 1) -> None:
        """So many more rows were read."""
        self.rows += count
        if self.rows > self.limits.table_rows:
            raise self._over(f"has more than {self.limits.table_rows:,} rows", "table_rows")

    def spend_bytes(self, count: int) -> None:
        """So many more bytes were decoded."""
        self.decoded += count
        if self.decoded > self.limits.table_bytes:
            raise self._over(f"is larger than {megabytes(self.limits.table_bytes)} when decoded", "table_bytes")

    def spend_cells(self, cells: Sequence[str | None]) -> int:
        """A row of cells was read; returns how many letters they have."""
        self.spend_rows()
        lengths = [len(cell) for cell in cells if cell]
        longest = max(lengths, default=0)
        if longest * _WIDEST > self.limits.cell_bytes and longest > 0:
            self.spend_cell(max(len(cell.encode("utf-8", "replace")) for cell in cells if cell))
        return sum(lengths)

    def spend_cell(self, count: int) -> None:
        """A cell has so many bytes, or more."""
        if count > self.limits.cell_bytes:
            raise self._over(f"has a cell of more than {megabytes(self.limits.cell_bytes)}", "cell_bytes")

    def spend_row(self, count: int, what: str = "a row") -> None:
        """What is read whole has so many bytes, or more."""
        if count > self.limits.row_bytes:
            raise self._over(f"has {what} of more than {megabytes(self.limits.row_bytes)}", "row_bytes")

    def _over(self, problem: str, limit: str) -> LimitError:
        told = f"{problem}; check where it comes from, or raise the limit `{limit}`."
        return LimitError(str(self.path), told, limit=limit)
