"""A page in canonical form: strings and styles numbered by first use, without unused ones.

Equal pages have equal canonical forms, whatever numbers their source gave; ids and files are made from it.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from sightline.arrays import IntArray
from sightline.geometry import BoxArray
from sightline.page._columns import is_without_boxes
from sightline.page._page_columns import PageColumns

# Pixels; what claims to be farther away is in no place at all (and would overflow when areas are computed).
NOWHERE = np.float32(1e9)

FACTS = ("url", "title", "kind", "viewport", "style_names", "notes")

ID_LENGTH = 32  # hexadecimal digits

Columns = dict[str, npt.NDArray[Any]]


class NumberedStrings(NamedTuple):
    """The strings in use by first use, how long each is (`<i4`), and all of them in one piece, as UTF-8.

    A source that numbers its strings so leaves this on the page, which saves its id a third of the time.
    """

    strings: Sequence[str]
    lengths: bytes
    letters: bytes


class Canonical(NamedTuple):
    """The columns by name, and the strings that they number."""

    columns: Columns
    numbered: NumberedStrings

    @property
    def strings(self) -> Sequence[str]:
        """The strings by their numbers."""
        return self.numbered.strings


# The columns of string ids, in the order in which they number the strings.
STRING_COLUMNS = ("text", "attribute_value", "tag", "attribute_name", "styles", "rule_colour")


def canonical(page: PageColumns) -> Canonical:
    """The canonical form of a page."""
    columns: Columns = {key: getattr(page, key) for key in ("parent", "tag", "text", "edge")}
    style_used, columns["style_of"] = _styles_by_first_use(page.style_of, len(page.styles))
    columns["styles"] = page.styles[style_used]
    columns |= {f"attribute_{key}": getattr(page.attributes, key) for key in ("start", "name", "value")}
    columns |= {f"word_{key}": getattr(page.words, key) for key in ("node", "start", "end")}
    columns |= {"box": _boxes(page.box), "word_box": _boxes(page.words.box), "sheets": _boxes(page.sheets)}
    columns |= {"rule_box": _boxes(page.rules.box), "rule_colour": page.rules.colour}
    if page.part:
        columns |= {"part_number": page.part.number, "part_position": page.part.position}
    return Canonical(columns, page.detach(NumberedStrings) or _numbered(page.strings, columns))


def facts(page: PageColumns) -> dict[str, Any]:
    """The facts about the page as a whole."""
    rest: dict[str, Any] = {"part": {"page": page.part.page, "above": page.part.above}} if page.part else {}
    if page.gaps:
        rest["gaps"] = _clean(page.gaps)
    if page.sheet_numbers:
        rest["sheet_numbers"] = list(page.sheet_numbers)
    return {key: _clean(getattr(page, key)) for key in FACTS} | rest


def content_id(page: PageColumns) -> str:
    """The hash of everything on the page but its screenshot."""
    form = canonical(page)
    parts = [orjson.dumps(facts(page)), form.numbered.lengths, form.numbered.letters]
    for key, column in form.columns.items():
        parts += (f"\0{key}{column.shape}".encode(), column.tobytes())
    # SHA-256 is in the hardware of most machines, and takes a third of the time of BLAKE2 there.
    return hashlib.sha256(b"".join(parts), usedforsecurity=False).hexdigest()[:ID_LENGTH]


def whole_id(page: PageColumns) -> str:
    """The id of the captured page that this is, or is a part of."""
    return page.part.page if page.part else page.cached(content_id)


def _clean(value: Any) -> Any:
    """A fact as UTF-8 can hold it: a lone surrogate in a title becomes a question mark."""
    if isinstance(value, tuple):
        return [_clean(one) for one in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _boxes(boxes: BoxArray) -> BoxArray:
    """Rows that are boxes as they are, the others all NaN; and no negative zero, which equals zero but looks unlike."""
    if is_without_boxes(boxes):
        return boxes
    if not boxes.any():  # as the only sheet of a web page; not even NaN
        return np.zeros(boxes.shape, dtype="<f4")
    if np.isnan(boxes).all():
        return np.full(boxes.shape, np.nan, dtype="<f4")
    near = np.abs(boxes) < NOWHERE  # not NaN either
    somewhere = near[:, 0] & near[:, 1] & near[:, 2] & near[:, 3]
    return np.where(somewhere[:, None], boxes + np.float32(0), np.float32(np.nan)).astype("<f4")


def _numbered(strings: tuple[str, ...], columns: Columns) -> NumberedStrings:
    """Only the strings in use, each once, in the order of first use; renumbers the columns in place."""
    compact = _compact_strings(strings, columns)
    lengths = np.fromiter(map(len, compact), dtype="<i4", count=len(compact))
    return NumberedStrings(compact, lengths.tobytes(), "".join(compact).encode("utf-8", "surrogatepass"))


def _compact_strings(strings: tuple[str, ...], columns: Columns) -> Sequence[str]:
    numbers_in_use = np.concatenate([columns[key].ravel() for key in STRING_COLUMNS])
    if _are_in_order(numbers_in_use, strings):
        return strings
    used = _first_used(numbers_in_use, len(strings))
    in_use = [strings[old] for old in used.tolist()]
    numbers = dict.fromkeys(in_use)
    new = np.full(len(strings) + 1, -1, dtype=np.int32)  # the last row serves the id -1
    new[used] = np.arange(len(in_use), dtype=np.int32)
    if len(numbers) < len(in_use):  # seldom: sources number a string once
        place = {string: number for number, string in enumerate(numbers)}
        new[used] = [place[string] for string in in_use]
    for key in STRING_COLUMNS:
        columns[key] = new[columns[key]]
    return list(numbers)


def _are_in_order(numbers: IntArray, strings: tuple[str, ...]) -> bool:
    """Whether strings are numbered by first use already, all are in use, and none is there twice."""
    highest = np.maximum.accumulate(numbers)
    if not len(numbers) or numbers[0] > 0 or highest[-1] != len(strings) - 1:
        return False
    return bool((numbers[1:] <= highest[:-1] + 1).all()) and len(set(strings)) == len(strings)


def _styles_by_first_use(style_of: IntArray, count: int) -> tuple[IntArray, IntArray]:
    if count == 1 and len(style_of):  # one style for all, as on pages without layout
        return np.zeros(1, dtype=np.int32), np.zeros(len(style_of), dtype=np.int32)
    return _by_first_use(style_of % count)


def _by_first_use(column: IntArray) -> tuple[IntArray, IntArray]:
    """The values in use in the order of first use, and the column in the new numbers."""
    used = _first_used(column, int(column.max(initial=-1)) + 1)
    rank = np.empty(int(column.max(initial=-1)) + 1, dtype=np.int32)
    rank[used] = np.arange(len(used), dtype=np.int32)
    return used, rank[column]


def _first_used(values: IntArray, count: int) -> IntArray:
    """The numbers below `count` that occur, in the order in which they first do; -1 isn't a number."""
    first = np.full(count + 1, len(values), dtype=np.int64)  # the last row serves the id -1
    first[values[::-1]] = np.arange(len(values) - 1, -1, -1)  # of several places the one written last stays: the first
    used = np.flatnonzero(first[:count] < len(values))
    return used[np.argsort(first[used])].astype(np.int32)
