"""Headers, footers and page numbers: what stands at the edge of several sheets in the same place."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sightline.sources.pdf._lines import PdfLines

__all__ = ["Edge", "edge_of", "running"]

EDGE = 0.16  # of the height of a sheet: how far from its edge a header or footer may stand
SHIFT = 6.0  # CSS pixels: how far it may move from sheet to sheet
NUMBER = re.compile(
    r"[-–—\s\[(]*(?:page|seite|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of|von|de)\s*\d{1,4})?[-–—\s\])]*",
    re.IGNORECASE,
)
DIGITS = re.compile(r"\d+")
# What browsers print into the margins: when and where from, and which sheet of how many. They print all three or none.
MARGIN = 0.06  # of the height of a sheet
WHEN = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? +\d{1,2}[:.]\d\d(?: ?[ap]m)?\b", re.IGNORECASE)
WHERE = re.compile(r"\b(?:https?|file)://\S|\babout:\w")
WHICH = re.compile(r"\d{1,4} ?(?:/|of|von|de|sur|di) ?\d{1,4}$")
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
FEWEST_CELLS = 2  # lines side by side, from which on they may be a row of a table
ROOM = 1.7  # of the size: a page number stands at least so far below or above the text
APART = 14.0  # of the size: a page number stands at least so far from the title beside it


@dataclass(frozen=True, slots=True)
class Edge:
    """A line near the upper or lower edge of a sheet: its text without digits, and where it stands.

    `close` says that another row of lines stands right below it, or above it at the lower edge; `marginal` that it
    stands where browsers print headers and footers.
    """

    line: int
    text: str
    pattern: str
    top: bool
    y: float
    outermost: bool
    close: bool = False
    marginal: bool = False


def edge_of(lines: PdfLines, height: float) -> list[Edge]:
    """The lines of a sheet that may be running headers or footers."""
    if not len(lines):
        return []
    upright = lines.line_angle == 0
    middle = (lines.line_box[:, 1] + lines.line_box[:, 3]) / 2
    inner: list[float] = middle[upright].tolist()
    upper, lower = EDGE * height, (1 - EDGE) * height
    placed = zip(inner, np.flatnonzero(upright).tolist(), strict=True)
    near = [(y, line) for y, line in placed if y < upper or y > lower]
    firsts, stops = (np.searchsorted(lines.line, [line for _, line in near], side).tolist() for side in SIDES)
    spaced = lines.spaced.tolist()
    least, most = min(inner, default=0.0), max(inner, default=0.0)
    found = []
    for (y, line), first, stop in zip(near, firsts, stops, strict=True):
        pieces = zip(lines.text[first:stop], spaced[first:stop], strict=True)
        text = "".join([f" {piece}" if blank else piece for piece, blank in pieces]).strip()
        pattern = DIGITS.sub("#", text).casefold()
        size = float(lines.line_size[line])
        outermost = y < least + 0.5 * size or y > most - 0.5 * size
        top = y < height / 2
        apart = outermost and _is_apart(lines, line, middle)
        marginal = y < MARGIN * height or y > (1 - MARGIN) * height
        found.append(Edge(line, text, pattern, top, y, apart, _is_close(inner, y, size, top=top), marginal))
    return found


def _is_close(middles: Sequence[float], y: float, size: float, *, top: bool) -> bool:
    """Whether another row stands right beside a line, on the side of the text."""
    least, most = 0.5 * size, ROOM * size
    if top:
        return any(least < other - y < most for other in middles)
    return any(least < y - other < most for other in middles)


def _is_apart(lines: PdfLines, line: int, middle: npt.NDArray[np.floating[Any]]) -> bool:
    """Whether nothing stands beside a line or right above or below it, as it does around the numbers of a table."""
    box, size = lines.line_box, lines.line_size[line]
    level = np.abs(middle - middle[line]) < 0.5 * size
    gap = np.maximum(box[:, 0] - box[line, 2], box[line, 0] - box[:, 2])
    level[line] = False
    close = np.abs(middle - middle[line]) < ROOM * size
    close[line] = False
    beside = (level & (gap < APART * size)) | (close & ~level)
    return not bool(beside.any())


def running(sheets: Sequence[list[Edge]]) -> list[set[int]]:
    """For each sheet its running lines: those that come again in one place, and page numbers at the very edge."""
    places: dict[tuple[str, bool], list[tuple[int, float]]] = defaultdict(list)
    for number, edges in enumerate(sheets):
        for edge in edges:
            places[edge.pattern, edge.top].append((number, edge.y))
    return [
        _from_the_edge(edges, _again(edges, number, places)) | _of_a_browser(edges)
        for number, edges in enumerate(sheets)
    ]


def _of_a_browser(edges: Sequence[Edge]) -> set[int]:
    """The outermost rows of a sheet if a browser printed them: its date and time, address and number are in them."""
    rows = [_outermost([edge for edge in edges if edge.marginal and edge.top == top], top=top) for top in (True, False)]
    texts = [edge.text for row in rows for edge in row]
    if all(rows) and all(any(said.search(text) for text in texts) for said in (WHEN, WHERE, WHICH)):
        return {edge.line for row in rows for edge in row}
    return set()


def _outermost(edges: list[Edge], *, top: bool) -> list[Edge]:
    """The lines in the row that is nearest to the edge of the sheet."""
    if not edges:
        return []
    outer = (min if top else max)(edge.y for edge in edges)
    return [edge for edge in edges if abs(edge.y - outer) <= SHIFT]


def _again(edges: list[Edge], number: int, places: dict[tuple[str, bool], list[tuple[int, float]]]) -> set[int]:
    """The lines that stand in the same place of another sheet, and lone page numbers."""
    mine = set()
    for edge in edges:
        again = any(abs(y - edge.y) < SHIFT and other != number for other, y in places[edge.pattern, edge.top])
        lone = edge.outermost and NUMBER.fullmatch(edge.text) is not None
        if lone or (again and any(letter.isalpha() for letter in edge.pattern)):  # numbers come again in tables too
            mine.add(edge.line)
    return mine


def _from_the_edge(edges: list[Edge], again: set[int]) -> set[int]:
    """Those of them with nothing else between them and the edge: the heading of a table comes again as well."""
    kept: set[int] = set()
    for top in (True, False):
        stopped = None
        for edge in sorted((edge for edge in edges if edge.top == top), key=lambda edge: edge.y if top else -edge.y):
            if stopped is not None and abs(edge.y - stopped) > SHIFT:
                break
            if edge.line in again:
                kept.add(edge.line)
            elif stopped is None:
                stopped = edge.y
        kept -= _in_tables(edges, kept, top=top)
    return kept


def _in_tables(edges: Sequence[Edge], kept: set[int], *, top: bool) -> set[int]:
    """The running lines next to the text that stand in a row of several, with the next row right beside it.

    Cells of the first row of a table come again on other sheets. Titles side by side in a header stand apart from the
    text.
    """
    own = [edge for edge in edges if edge.top == top]
    running = [edge.y for edge in own if edge.line in kept]
    if not running:
        return set()
    last = max(running) if top else min(running)
    row = [edge for edge in own if abs(edge.y - last) <= SHIFT]
    if len(row) < FEWEST_CELLS or not all(edge.close for edge in row):
        return set()
    return {edge.line for edge in row}
