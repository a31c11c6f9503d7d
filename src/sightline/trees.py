"""Decision trees, evaluated together over all rows at once.

Each question of a tree answered with no rules out the leaves on its left; the first remaining leaf counts (Lucchese et
al. 2015, QuickScorer). So a tree is a row of questions and a row of leaves, with no walk from node to node.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import orjson

__all__ = ["Forest", "dump_forest", "load_forest", "read_forest"]

# Whether an unknown measure counts as no, which measure, and the bound.
Question: TypeAlias = tuple[bool, int, float]

MOST_LEAVES = 16
AT_ONCE = 512  # rows; a thousand of them take 7 MB for the answers
# A power of two as a 32-bit float is its exponent, above so many bits of fraction, plus this.
FRACTION_BITS, EXPONENT_ZERO = 23, 127


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees as arrays: (trees, questions) of measure, bound and leaves ruled out; (trees, leaves) of their values.

    A question is "is this measure at most the bound?"; an unknown measure counts as yes where `unknown` says so.

    >>> forest = Forest(("words",), np.array([[0]]), np.float32([[9]]), np.array([[True]]),
    ...                 np.uint16([[2]]), np.float32([[-1, 2]]), 0.0)
    >>> forest.likely(np.float32([[3], [30], [np.nan]])).round(2).tolist()
    [0.27, 0.88, 0.27]
    """

    names: tuple[str, ...]
    measure: npt.NDArray[np.intp]
    bound: npt.NDArray[np.float32]
    unknown: npt.NDArray[np.bool_]
    left: npt.NDArray[np.uint16]
    leaf: npt.NDArray[np.float32]
    bias: float

    def likely(self, matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The probability that each row is what the trees were grown to recognise, from 0 to 1."""
        return self.likely_by_columns(np.ascontiguousarray(matrix.T))

    def likely_by_columns(self, columns: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The same from a row for each measure, as the trees ask for them.

        The values of leaves are short enough for their sums to be exact in 64 bits, in whatever order they are added.
        """
        sums = [
            self.said(columns[:, start : start + AT_ONCE]).sum(axis=0, dtype=np.float64)
            for start in range(0, columns.shape[1], AT_ONCE)
        ]
        score = np.concatenate(sums) if sums else np.zeros(0)
        return 1 / (1 + np.exp(-(score + self.bias)))

    def said(self, columns: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """What each tree says: all questions are answered, then those of every tree taken one after the other."""
        no = self._answers(columns)
        closed = np.zeros((len(self.leaf), columns.shape[1]), dtype=np.uint16)
        for places, ruled_out in self._by_place:
            closes = np.take(no, places, axis=0, mode="clip").astype(np.uint16)
            closes *= ruled_out
            closed |= closes
        found: npt.NDArray[np.float32] = np.take(self.leaf.ravel(), _lowest(~closed) + self._first_leaf, mode="clip")
        return found

    def _answers(self, columns: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Of every distinct question, which rows answer it with no; an unknown measure is above no bound, nor below."""
        is_yes, measure, bound = self._distinct
        known = np.take(columns, measure, axis=0, mode="clip")
        no = np.empty(known.shape, dtype=bool)
        np.greater(known[:is_yes], bound[:is_yes], out=no[:is_yes])
        np.less_equal(known[is_yes:], bound[is_yes:], out=no[is_yes:])
        np.logical_not(no[is_yes:], out=no[is_yes:])
        return no

    @cached_property
    def _numbered(self) -> tuple[list[Question], npt.NDArray[np.intp]]:
        """The distinct questions, about half of all; and for each tree, which of them it asks.

        Those that an unknown measure answers with yes come first.
        """
        columns = (~self.unknown, self.measure, self.bound)
        every: list[Question] = list(zip(*(column.ravel().tolist() for column in columns), strict=True))
        distinct = sorted(set(every))
        number = {question: place for place, question in enumerate(distinct)}
        return distinct, np.array([number[question] for question in every]).reshape(self.measure.shape)

    @cached_property
    def _distinct(self) -> tuple[int, npt.NDArray[np.intp], npt.NDArray[np.float32]]:
        """How many questions are answered with yes by an unknown measure, and measure and bound of all."""
        is_no, measure, bound = (np.array(column) for column in zip(*self._numbered[0], strict=True))
        return int((~is_no).sum()), measure, bound.astype(np.float32)[:, None]

    @cached_property
    def _by_place(self) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.uint16]]]:
        """For the first question of all trees, the second and so on: which it is, and the leaves ruled out by a no."""
        columns = zip(self._numbered[1].T, ~self.left.T, strict=True)
        return [(which.copy(), ruled_out[:, None].copy()) for which, ruled_out in columns]

    @cached_property
    def _first_leaf(self) -> npt.NDArray[np.intp]:
        """Where the leaves of each tree start, with all leaves in one row."""
        first: npt.NDArray[np.intp] = self.leaf.shape[1] * np.arange(len(self.leaf))[:, None]
        return first


def _lowest(numbers: npt.NDArray[np.uint16]) -> npt.NDArray[np.intp]:
    """The place of the lowest set bit of every number; as a float it is the exponent, quicker than to look it up.

    >>> _lowest(np.uint16([1, 6, 0x8000])).tolist()
    [0, 1, 15]
    """
    exponents = (numbers & -numbers).astype(np.float32).view(np.int32) >> FRACTION_BITS
    return exponents.astype(np.intp) - EXPONENT_ZERO


def load_forest(package: str, name: str) -> Forest:
    """The forest in a JSON file of a package: its measures, its bias, and a line for each tree."""
    document = orjson.loads(resources.files(package).joinpath(name).read_bytes())
    return read_forest(tuple(document["measures"]), "\n".join(document["trees"]), document["bias"])


def dump_forest(names: Sequence[str], trees: str, bias: float) -> bytes:
    r"""The content of such a file, from a table of trees.

    >>> dump_forest(("words",), "0<9:fffe|-1 2", 0.0)
    b'{"measures":["words"],"bias":0.0,"trees":["0<9:fffe|-1 2"]}\n'
    """
    lines = [line for line in trees.split("\n") if line]
    return orjson.dumps({"measures": list(names), "bias": bias, "trees": lines}) + b"\n"


def read_forest(names: tuple[str, ...], trees: str, bias: float) -> Forest:
    """The inverse of `dump_forest`: one tree per line, its questions `measure<bound:leaves` and `|`, then its leaves.

    >>> read_forest(("words",), "0<9:fffe|-1 2", 0.0).leaf[0, :2].tolist()
    [-1.0, 2.0]
    """
    lines = [line.split("|") for line in trees.split("\n") if line]
    deep = max(question.count(" ") + 1 for question, _ in lines)
    shape = (len(lines), deep)
    measure = np.zeros(shape, dtype=np.intp)
    bound, unknown = np.full(shape, np.inf, dtype=np.float32), np.ones(shape, dtype=bool)
    left, leaf = np.full(shape, 0xFFFF, dtype=np.uint16), np.zeros((len(lines), MOST_LEAVES), dtype=np.float32)
    for row, (questions, leaves) in enumerate(lines):
        for column, question in enumerate(questions.split()):
            asked, ruled_out = question.split(":")
            number, limit = asked.replace("≤", "<").split("<")
            unknown[row, column] = "≤" in asked
            measure[row, column], bound[row, column] = int(number), float(limit)
            left[row, column] = int(ruled_out, 16)
        said = [float(value) for value in leaves.split()]
        leaf[row, : len(said)] = said
    return Forest(names, measure, bound, unknown, left, leaf, bias)
