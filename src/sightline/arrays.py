"""Small array helpers and the names of array types, for everything that works on columns."""

from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = [
    "AnyFloats",
    "AnyInts",
    "BoolArray",
    "FloatArray",
    "IndexArray",
    "IntArray",
    "LongArray",
    "next_values",
    "prefix_sum",
    "previous_values",
    "sum_between",
]

IntArray: TypeAlias = npt.NDArray[np.int32]
"""Node numbers, string ids and counts: the columns of a page."""

LongArray: TypeAlias = npt.NDArray[np.int64]
IndexArray: TypeAlias = npt.NDArray[np.intp]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
AnyInts: TypeAlias = npt.NDArray[np.signedinteger[Any]]
AnyFloats: TypeAlias = npt.NDArray[np.floating[Any]]

Column = TypeVar("Column", bound=npt.NDArray[Any])


def prefix_sum(values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """The sums of the first 0, 1, 2, … values, so that `sums[stop] - sums[start]` is the sum of a range.

    >>> prefix_sum(np.array([3, 1, 2])).tolist()
    [0, 3, 4, 6]
    >>> prefix_sum(np.array([True, False, True])).tolist()
    [0, 1, 1, 2]
    """
    sums = np.cumsum(values, dtype=dtype)
    return np.concatenate([np.zeros(1, dtype=sums.dtype), sums])


def sum_between(sums: npt.NDArray[Any], start: npt.NDArray[Any], stop: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The sum of each range, from the prefix sums of the values.

    >>> sum_between(prefix_sum(np.array([3, 1, 2])), np.array([0, 1]), np.array([2, 3])).tolist()
    [4, 3]
    """
    found: npt.NDArray[Any] = sums[stop] - sums[start]
    return found


def previous_values(values: Column, first: Any) -> Column:
    """The value before each one; `first` stands before the first.

    >>> previous_values(np.array([3, 1, 2]), 0).tolist()
    [0, 3, 1]
    """
    shifted: Column = np.empty_like(values)
    shifted[:1] = first
    shifted[1:] = values[:-1]
    return shifted


def next_values(values: Column, last: Any) -> Column:
    """The value after each one; `last` stands after the last.

    >>> next_values(np.array([3, 1, 2]), 0).tolist()
    [1, 2, 0]
    """
    shifted: Column = np.empty_like(values)
    shifted[-1:] = last
    shifted[:-1] = values[1:]
    return shifted
