"""How nodes look, as numbers: the 32 properties of Potvin & Villemaire (2018), normalised as they published it.

Numbers stay numbers, in pixels; colours become red, green, blue and alpha; each value that the CSS specification knows
for a property is a column of its own. What cannot be read as a number (`calc()`, NaN, `auto`) is taken for the median
of its column, so that it makes nobody an outlier.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sightline.arrays import FloatArray, IntArray
from sightline.page import Page

__all__ = ["PROPERTIES", "StyleFeatures", "colour_channels", "joined_features", "style_features"]


_SIDES = ("bottom", "left", "right", "top")
_LINES = ("none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset")
COLOURS = ("background-color", *(f"border-{side}-color" for side in _SIDES), "color", "outline-color")
LENGTHS = (
    *(f"border-{side}-width" for side in _SIDES),
    *("border-top-left-radius", "border-top-right-radius", "font-size", "font-weight"),
    *(f"margin-{side}" for side in _SIDES),
    *(f"padding-{side}" for side in _SIDES),
)
CATEGORIES: dict[str, tuple[str, ...]] = {
    **{f"border-{side}-style": _LINES for side in _SIDES},
    "font-style": ("normal", "italic", "oblique"),
    "position": ("static", "relative", "absolute", "fixed", "sticky"),
    "text-align": ("start", "end", "left", "right", "center", "justify", "match-parent"),
    "text-decoration": ("none", "underline", "overline", "line-through", "blink"),
    "visibility": ("visible", "hidden", "collapse"),
}
PROPERTIES = tuple(sorted((*COLOURS, *LENGTHS, *CATEGORIES)))

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?")
_UNITS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6}
_UNITS |= {"em": 16.0, "rem": 16.0}
_WEIGHTS = {"normal": 400.0, "bold": 700.0, "lighter": 300.0, "bolder": 700.0}
_LENGTH = re.compile(rf"({_NUMBER.pattern})([a-z]*)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class StyleFeatures:
    """One row for each node, one column for each feature."""

    names: tuple[str, ...]
    matrix: FloatArray

    def __len__(self) -> int:
        return len(self.matrix)


def style_features(page: Page, nodes: Sequence[int] | IntArray) -> StyleFeatures:
    """The features of some nodes by their computed style; a page without styles gives rows without any difference.

    >>> from sightline.testing import list_page
    >>> features = style_features(list_page(["one", "two"]), [3, 5])
    >>> len(features), "font-size" in features.names
    (2, True)
    """
    rows = page.style_of[np.asarray(nodes, dtype=np.int64)] if len(page) else np.zeros(0, dtype=np.int32)
    used, place = np.unique(rows, return_inverse=True)
    columns = dict(_columns(page, used))
    matrix = np.column_stack(list(columns.values())) if len(used) else np.zeros((0, len(columns)))
    return StyleFeatures(tuple(columns), matrix[place])


def joined_features(parts: Sequence[StyleFeatures]) -> FloatArray:
    """The rows of several pages stacked, with unknown values replaced by the median of their column."""
    matrix = np.concatenate([part.matrix for part in parts]) if parts else np.zeros((0, 0))
    if not matrix.size:
        return matrix
    is_known = np.isfinite(matrix)
    if is_known.all():
        return matrix
    middle = np.array(
        [
            np.median(column[column_known]) if column_known.any() else 0.0
            for column, column_known in zip(matrix.T, is_known.T, strict=True)
        ]
    )
    filled: FloatArray = np.where(is_known, matrix, middle)
    return filled


def _columns(page: Page, used: IntArray) -> Iterator[tuple[str, FloatArray]]:
    for name in PROPERTIES:
        values = _values(page, name, used)
        if name in COLOURS:
            colours = np.array([colour_channels(value) for value in values]).reshape(-1, 4)
            for number, part in enumerate(("red", "green", "blue", "alpha")):
                yield f"{name} {part}", colours[:, number]
        elif name in LENGTHS:
            yield name, np.array([_length(value) for value in values])
        else:
            for word in CATEGORIES[name]:
                yield f"{name}: {word}", np.array([float(word in value.split()) for value in values])


def _values(page: Page, name: str, used: IntArray) -> list[str]:
    """The computed values of a property for some of the page's styles; empty if it has none."""
    if name not in page.style_names:
        return [""] * len(used)
    ids = page.styles[used, page.style_names.index(name)].tolist()
    return [page.strings[value] if value >= 0 else "" for value in ids]


@lru_cache(maxsize=4096)
def colour_channels(value: str) -> tuple[float, float, float, float]:
    """The red, green and blue of a CSS colour from 0 to 255, its alpha from 0 to 1; NaN for what is no colour.

    >>> colour_channels("rgba(0, 10, 20, 0.5)"), colour_channels("#fff"), colour_channels("transparent")
    ((0.0, 10.0, 20.0, 0.5), (255.0, 255.0, 255.0, 1.0), (0.0, 0.0, 0.0, 0.0))
    """
    if value == "transparent":
        return (0.0, 0.0, 0.0, 0.0)
    if re.fullmatch(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", value, re.IGNORECASE):
        return _hexadecimal(value[1:])
    if not value.startswith("rgb"):
        return (np.nan, np.nan, np.nan, np.nan)
    parts = [float(part) for part in _NUMBER.findall(value)]
    if len(parts) not in (3, 4):
        return (np.nan, np.nan, np.nan, np.nan)
    return (parts[0], parts[1], parts[2], parts[3] if len(parts) == 4 else 1.0)


def _hexadecimal(digits: str) -> tuple[float, float, float, float]:
    whole = digits if len(digits) > 4 else "".join(2 * digit for digit in digits)
    parts = [float(int(whole[place : place + 2], 16)) for place in range(0, len(whole), 2)]
    return (parts[0], parts[1], parts[2], parts[3] / 255 if len(parts) == 4 else 1.0)


@lru_cache(maxsize=4096)
def _length(value: str) -> float:
    """A length in pixels; NaN for anything else.

    >>> _length("12pt"), _length("bold"), _length("calc(1px + 2%)"), _length("4px 8px")
    (16.0, 700.0, nan, 4.0)
    """
    if value in _WEIGHTS:
        return _WEIGHTS[value]
    first = _LENGTH.fullmatch(value.split()[0]) if value.strip() and "(" not in value else None
    scale = _UNITS.get(first[2].lower()) if first else None
    number = float(first[1]) * scale if first and scale else np.nan
    return number if np.isfinite(number) else np.nan


ColumnReader = Callable[[FloatArray], FloatArray]
