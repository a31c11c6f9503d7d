"""Tree, names, attributes and styles of a page as streams.

What a node is (levels closed before it, tag, names of its attributes, style, whether it has a box) repeats from row to
row and from item to item. So each distinct combination is one token, and a page is a sequence of tokens.
"""

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray, LongArray, prefix_sum
from sightline.page._canonical import Columns
from sightline.page._streams import StreamReader, StreamWriter
from sightline.page._tree import depths, parents

__all__ = ["read_tree", "write_tree"]

# What a token is made of.
TOKEN = ("closed", "tag", "shape", "style_of", "edge", "has_text", "has_box")


def write_tree(columns: Columns, out: StreamWriter) -> None:
    """Everything but boxes and words."""
    shapes, shape = _shapes(columns)
    depth = depths(columns["parent"]).astype(np.int64)
    node = columns | {
        "closed": np.concatenate([[0], depth[:-1] + 1 - depth[1:]]) if len(depth) else depth,
        "shape": shape,
        "has_text": columns["text"] >= 0,
        "has_box": ~np.isnan(columns["box"][:, 0]),
    }
    table, token = _distinct(np.stack([node[key].astype(np.int64) for key in TOKEN], axis=1))
    out.ids(token)
    for column in table.T:
        out.ids(column)
    out.ids(np.array([len(one) for one in shapes], dtype=np.int64))
    out.ids(np.array([name for one in shapes for name in one], dtype=np.int64))
    known = _write_new(columns["text"][node["has_text"]], 0, out)
    _write_new(columns["attribute_value"], known, out)
    _write_styles(columns["styles"], out)


def read_tree(source: StreamReader) -> Columns:
    """The columns again, with `has_box` in place of boxes."""
    token = source.ids()
    table = {key: source.ids() for key in TOKEN}
    if len({len(column) for column in table.values()}) != 1:
        raise ValueError("the tokens do not agree")
    node = {key: column[token] for key, column in table.items()}
    shape_size = source.ids()
    names = source.ids(int(shape_size.sum()))
    start = prefix_sum(shape_size[node["shape"]])
    source.expect(int(start[-1]))
    shape_start = np.cumsum(shape_size) - shape_size
    offset = np.repeat(shape_start[node["shape"]] - start[:-1], np.diff(start))
    has_text = node["has_text"] > 0
    text = np.full(len(token), -1, dtype=np.int32)
    text[has_text], known = _read_new(int(has_text.sum()), 0, source)
    value, _ = _read_new(int(start[-1]), known, source)
    return {
        "parent": parents(_depths(node["closed"])),
        "tag": node["tag"].astype(np.int32),
        "text": text,
        "edge": node["edge"].astype(np.int8),
        "style_of": node["style_of"].astype(np.int32),
        "attribute_start": start.astype(np.int32),
        "attribute_name": names[offset + np.arange(len(offset))].astype(np.int32),
        "attribute_value": value,
        "styles": _read_styles(source),
        "has_box": node["has_box"] > 0,
    }


def _depths(closed: LongArray) -> IntArray:
    depth = np.cumsum(1 - closed) - 1
    if len(depth) and (depth.min() < 0 or depth[0] != 0):
        raise ValueError("the tree has no root")
    return depth.astype(np.int32)


def _shapes(columns: Columns) -> tuple[list[tuple[int, ...]], LongArray]:
    """The distinct sequences of attribute names, and the number of its own for each node."""
    names = columns["attribute_name"].tolist()
    bounds = columns["attribute_start"].tolist()
    numbers: dict[tuple[int, ...], int] = {}
    shape = [numbers.setdefault(tuple(names[start:end]), len(numbers)) for start, end in itertools.pairwise(bounds)]
    return list(numbers), np.array(shape, dtype=np.int64)


def _distinct(rows: LongArray) -> tuple[LongArray, LongArray]:
    """The distinct rows in the order of first use, and the number of each row."""
    numbers: dict[bytes, int] = {}
    width = rows.shape[1] * rows.itemsize
    content = np.ascontiguousarray(rows).tobytes()
    order = [
        numbers.setdefault(content[start : start + width], len(numbers)) for start in range(0, len(content), width)
    ]
    table = np.frombuffer(b"".join(numbers), dtype=np.int64).reshape(-1, rows.shape[1])
    return table, np.array(order, dtype=np.int64)


def _write_new(ids: npt.NDArray[Any], known: int, out: StreamWriter) -> int:
    """String ids numbered by first use: 0 for the next new one, others two higher than they are, since -1 is none."""
    highest = np.maximum.accumulate(np.concatenate([[known - 1], ids])) if len(ids) else np.array([known - 1])
    out.ids(np.where(ids > highest[:-1], 0, ids.astype(np.int64) + 2))
    return int(highest[-1]) + 1


def _read_new(count: int, known: int, source: StreamReader) -> tuple[IntArray, int]:
    coded = source.ids(count)
    is_new = coded == 0
    ids = np.where(is_new, known + np.cumsum(is_new) - 1, coded - 2)
    return ids.astype(np.int32), known + int(is_new.sum())


def _write_styles(styles: IntArray, out: StreamWriter) -> None:
    """Property by property; 0 where the style before has the same value."""
    out.ids(np.array(styles.shape))
    out.ids(np.where(styles == _row_above(styles), 0, styles.astype(np.int64) + 2).T.ravel())


def _read_styles(source: StreamReader) -> IntArray:
    rows, width = source.ids(2).tolist()
    coded = source.ids(rows * width).reshape(width, rows).T
    if not coded.size:
        return np.full((rows, width), -1, dtype=np.int32)
    source_row = np.maximum.accumulate(np.where(coded > 0, np.arange(rows)[:, None], 0), axis=0)
    return (np.take_along_axis(coded, source_row, axis=0) - 2).astype(np.int32)


def _row_above(styles: IntArray) -> IntArray:
    return np.concatenate([np.full((1, styles.shape[1]), -2, dtype=np.int32), styles[:-1]])
