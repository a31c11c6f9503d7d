"""How nodes look, as numbers: computed styles decoded once per distinct style and mapped to the nodes."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IntArray
from sightline.page import Page

CLEAR = -1  # no background of its own
BOLD = 600
TRANSPARENT = re.compile(r"transparent|rgba\([^)]*,\s*0\)|.*/\s*0\)")
_SIDES = ("top", "right", "bottom", "left")


@dataclass(frozen=True, eq=False)
class Looks:
    """One row per node: weight, slant, background (as an id), size, and whether it has visible borders."""

    bold: BoolArray
    italic: BoolArray
    background: IntArray
    size: npt.NDArray[np.float32]
    lined: BoolArray


def looks_of(page: Page) -> Looks:
    """The looks of every node; on a page without styles all look the same."""
    return page.cached(_looks)


def bold_nodes(page: Page) -> BoolArray:
    """The `bold` of the looks alone, for those who need nothing else."""
    return page.cached(_bold)


def font_sizes(page: Page) -> npt.NDArray[np.float32]:
    """The `size` of the looks alone."""
    return page.cached(_sizes)


def _looks(page: Page) -> Looks:
    of = page.style_of
    return Looks(
        bold=bold_nodes(page),
        italic=_decoded(page, "font-style", lambda value: value != "normal", 0).astype(bool)[of],
        background=_backgrounds(page)[of],
        size=font_sizes(page),
        lined=_lined(page)[of],
    )


def _bold(page: Page) -> BoolArray:
    return _decoded(page, "font-weight", is_bold, 0).astype(bool)[page.style_of]


def _sizes(page: Page) -> npt.NDArray[np.float32]:
    return _decoded(page, "font-size", pixels, 0)[page.style_of]


def first_texts(page: Page, nodes: IntArray) -> IntArray:
    """The text with the first word of each node, which stands for the node's look; or the node itself.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one"])
    >>> page.node(first_texts(page, page.with_tag("li"))[0])
    <Node 4 #text>
    """
    if not len(page.words):
        return nodes
    place = np.minimum(np.searchsorted(page.words.node, nodes), len(page.words) - 1)
    first = page.words.node[place]
    return np.where((first >= nodes) & (first < page.end[nodes]), first, nodes).astype(np.int32)


def _decoded(page: Page, name: str, decode: Callable[[str], float], absent: float) -> npt.NDArray[np.float32]:
    """A property as a number for each distinct style."""
    decoded: dict[int, float] = {-1: absent}
    values = _ids(page, name).tolist()
    for value in values:
        if value not in decoded:
            decoded[value] = decode(page.strings[value])
    return np.array([decoded[value] for value in values], dtype=np.float32)


def _ids(page: Page, name: str) -> IntArray:
    if name not in page.style_names:
        return np.full(len(page.styles), -1, dtype=np.int32)
    return page.styles[:, page.style_names.index(name)]


def is_bold(weight: str) -> bool:
    """Whether a `font-weight` is that of bold letters."""
    return weight == "bold" or (weight.isdigit() and int(weight) >= BOLD)


def pixels(length: str) -> float:
    """A computed length in pixels as a number; 0 for any other."""
    number = length.removesuffix("px")
    return float(number) if re.fullmatch(r"-?\d+(\.\d+)?", number) else 0.0


def _backgrounds(page: Page) -> IntArray:
    values, place = np.unique(_ids(page, "background-color"), return_inverse=True)
    backgrounds = [
        CLEAR if value < 0 or TRANSPARENT.fullmatch(page.strings[value]) else value for value in values.tolist()
    ]
    return np.array(backgrounds, dtype=np.int32)[place]


def _lined(page: Page) -> BoolArray:
    """Which nodes have a visible border on some side."""
    lined = np.zeros(len(page.styles), dtype=bool)
    none, hidden, nothing = (page.style_id(value) for value in ("none", "hidden", "0px"))
    for side in _SIDES:
        style, width = _ids(page, f"border-{side}-style"), _ids(page, f"border-{side}-width")
        drawn = (style >= 0) & (style != none) & (style != hidden)
        lined |= drawn & (width >= 0) & (width != nothing)
    return lined


# How nodes look, as numbers: the 32 properties of Potvin & Villemaire (2018), normalised as they published it.
#
# Numbers stay numbers, in pixels; colours become red, green, blue and alpha; each value that the CSS specification
# knows for a property is a column of its own. What cannot be read as a number (`calc()`, NaN, `auto`) is taken for the
# median of its column, so that it makes nobody an outlier.

_BORDER_SIDES = ("bottom", "left", "right", "top")
_LINES = ("none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset")
COLOURS = ("background-color", *(f"border-{side}-color" for side in _BORDER_SIDES), "color", "outline-color")
LENGTHS = (
    *(f"border-{side}-width" for side in _BORDER_SIDES),
    *("border-top-left-radius", "border-top-right-radius", "font-size", "font-weight"),
    *(f"margin-{side}" for side in _BORDER_SIDES),
    *(f"padding-{side}" for side in _BORDER_SIDES),
)
CATEGORIES: dict[str, tuple[str, ...]] = {
    **{f"border-{side}-style": _LINES for side in _BORDER_SIDES},
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
    """The red, green and blue of a CSS colour from 0 to 255, its alpha from 0 to 1; NaN for what isn't a colour.

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
