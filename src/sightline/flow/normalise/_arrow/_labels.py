"""A column of few different values, as numbers of those values: what is asked of the values is asked once for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from sightline.flow.normalise._arrow._cells import Ints

__all__ = ["Labels"]

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Labels(Generic[T]):
    """The number of each row's value among `values`."""

    ids: Ints
    values: Sequence[T]

    @classmethod
    def of(cls, column: Any) -> "Labels[Any]":
        """Those of a column of Arrow; the values as Python has them, in the order of their first rows."""
        encoded = column.dictionary_encode(null_encoding="encode")
        return Labels(encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist())

    @classmethod
    def same(cls, value: T, count: int) -> "Labels[T]":
        """One value for all rows."""
        return cls(np.zeros(count, np.int64), [value])

    def mapped(self, change: Callable[[T], U]) -> "Labels[U]":
        """Other values instead."""
        return Labels(self.ids, [change(value) for value in self.values])

    def replaced(self, values: Sequence[U]) -> "Labels[U]":
        """Other values instead, in the same order."""
        return Labels(self.ids, values)

    def at(self, rows: Ints) -> "Labels[T]":
        """Those of some rows."""
        return Labels(self.ids[rows], self.values)

    def joined(self, other: "Labels[U]") -> "Labels[tuple[T, U]]":
        """Pairs of values: those that occur, in the order of their first rows."""
        width = len(other.values)
        encoded = pa.array(self.ids * width + other.ids).dictionary_encode()
        pairs = [(self.values[key // width], other.values[key % width]) for key in encoded.dictionary.to_pylist()]
        return Labels(encoded.indices.to_numpy().astype(np.int64), pairs)
