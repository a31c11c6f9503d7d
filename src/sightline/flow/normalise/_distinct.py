"""Steps that read each different value of a column once; of countries, whose names need nothing more, here as well."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sightline.data import ColumnType
from sightline.flow.normalise._cells import LONGEST, CellColumn, Labels
from sightline.flow.normalise._countries import country_code
from sightline.flow.normalise._normalised import Read, text_of
from sightline.flow.normalise._normaliser import BatchCells, Made, Normaliser, sample_shapes
from sightline.flow.normalise._steps import BatchStep, CountryStep

# Texts that are remembered from batch to batch, of at most 200 characters each: some 20 MB at worst.
_MOST_REMEMBERED = 65_536


class DistinctNormaliser(Normaliser):
    """A normaliser that reads each different value of a batch once."""

    def __init__(self, step: BatchStep, type: ColumnType | None = None, *, is_decided: bool) -> None:
        super().__init__(step, type, is_decided=is_decided)
        self._known: dict[str, Read] = {}

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts."""
        sample_shapes(self.seen, batch, self.name)
        return True

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told of the whole column."""
        return self.seen.notes

    @abstractmethod
    def read(self, value: Any) -> Read:
        """One value, and its problem."""

    def make(self, batch: BatchCells) -> Made:
        """Read the different values, then give each row its own."""
        labels = batch.labels(self.name)
        return self.made(None, np.arange(batch.rows), labels)

    def made(self, at_once: Any, rows: Any, cells: Labels[Any]) -> Made:
        """Read some rows one by one."""
        reads = self._remembered(cells.values)
        return Made(at_once, rows, cells, reads, self.notes)

    def _remembered(self, values: Sequence[Any]) -> list[Read]:
        """What each value becomes, and its problem; most texts were met in the batches before."""
        if len(self._known) > _MOST_REMEMBERED:
            self._known = {}
        known, found = self._known, []
        for value in values:
            if (read := known.get(value) if isinstance(value, str) else None) is None:
                read = self.read(value)
                if isinstance(value, str) and len(value) <= LONGEST:
                    known[value] = read
            found.append(read)
        return found

    def arrow_type(self, _column: CellColumn) -> Any:
        """Texts, unless a step makes something else."""
        return pa.string()


class CountryNormaliser(DistinctNormaliser):
    """Countries to ISO 3166."""

    step: CountryStep

    def __init__(self, step: CountryStep) -> None:
        super().__init__(step, is_decided=True)

    def read(self, value: Any) -> Read:
        """The code of a country."""
        return country_code(text_of(value), self.step.settings.language)
