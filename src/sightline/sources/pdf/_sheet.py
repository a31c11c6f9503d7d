"""What is drawn on one sheet of a PDF: the plain values that the child process hands over."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["NO_RUN", "Bookmark", "PdfFont", "PdfSheet", "Tag"]

NO_RUN = -1
"""The run of a character that stands in no text object: a blank or line end that pdfium put in."""


class PdfFont(NamedTuple):
    """A font as far as it can be seen."""

    name: str
    weight: int
    italic: bool
    fixed: bool


class Tag(NamedTuple):
    """An element of the tag tree of a tagged PDF: its type, such as `H1` or `TD`, and the place of its parent."""

    name: str
    parent: int


class Bookmark(NamedTuple):
    """A line of the outline that readers show beside the pages."""

    title: str
    level: int
    sheet: int


@dataclass(frozen=True, eq=False, kw_only=True)
class PdfSheet:
    """The objects of a sheet, in columns; boxes in CSS pixels from the top left of the sheet as it is shown."""

    number: int
    size: tuple[float, float]
    code: npt.NDArray[np.int32]
    box: npt.NDArray[np.float32]
    run: npt.NDArray[np.int32]
    run_font: npt.NDArray[np.int32]
    run_colour: npt.NDArray[np.int32]
    run_marked: npt.NDArray[np.int32]
    run_size: npt.NDArray[np.float32]
    run_angle: npt.NDArray[np.int32]
    fonts: tuple[PdfFont, ...] = ()
    rules: npt.NDArray[np.float32]
    rule_colour: npt.NDArray[np.int32]
    images: npt.NDArray[np.float32]
    drawings: npt.NDArray[np.float32]
    links: npt.NDArray[np.float32]
    addresses: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    tag_of: dict[int, int] = field(default_factory=dict)
