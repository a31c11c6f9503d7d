"""Hand-made input for single steps: lines, words, rows, edges and sheets, in CSS pixels."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from sightline.extract.structure._layout import Edges, PrintedWords, SheetLines
from sightline.extract.structure._paragraphs import Paragraph
from sightline.extract.structure._printed_line import LineRow, PrintedLine, rows_of
from sightline.geometry import Box

SIZE = 10.0
LETTER = 5.0  # how wide a letter is
BLANK = 3.0
_numbers = count(1)


def line(text: str, x0: float = 0, y: float = 0, **other: Any) -> PrintedLine:
    """A line of text with its upper left corner at a place; letters are 5 wide, lines 10 high."""
    number = next(_numbers)
    size = other.pop("size", SIZE)
    fields = {
        "x1": x0 + LETTER * len(text), "y1": y + size, "words": (number,), "bold": False, "block": 0, **other
    }  # fmt: skip
    return PrintedLine(number=number, text=text, x0=x0, y0=y, size=size, **fields)


def lines(rows: Sequence[Sequence[str]], xs: Sequence[float], *, top: float = 0, step: float = 20) -> list[PrintedLine]:
    """Texts in rows, each beginning at one of the places across; empty texts are left out."""
    return [
        line(text, x, top + step * place)
        for place, row in enumerate(rows)
        for x, text in zip(xs, row, strict=True)
        if text
    ]


def rows(texts: Sequence[Sequence[str]], xs: Sequence[float], *, top: float = 0, step: float = 20) -> list[LineRow]:
    """As `lines`, in rows."""
    return rows_of(lines(texts, xs, top=top, step=step))


def texts(rows: Sequence[LineRow]) -> list[list[str]]:
    """The texts of some rows."""
    return [[line.text for line in row.lines] for row in rows]


def written(
    *rows: Sequence[str], gap: float = BLANK, y: float = 0, **other: Any
) -> tuple[PrintedWords, list[PrintedLine]]:
    """Lines of words with the same gap before each word, 20 pixels below each other; and the words."""
    names = ("text", "box", "spaced", "line", "style", "bold")
    words: dict[str, list[Any]] = {name: [] for name in names}
    found = []
    for place, row in enumerate(rows):
        x, top, first = 0.0, y + 20 * place, len(words["text"])
        for number, word in enumerate(row):
            words["text"].append(word)
            words["box"].append([x, top, x + LETTER * len(word), top + SIZE])
            words["spaced"].append(number > 0)
            words["line"].append(place)
            words["style"].append(0)
            words["bold"].append(other.get("bold", False))
            x += LETTER * len(word) + gap
        held = tuple(range(first, len(words["text"])))
        found.append(line(" ".join(row), 0, top, words=held, x1=x - gap, **other))
    return PrintedWords(**words), found


def edges(across: Sequence[Sequence[float]] = (), down: Sequence[Sequence[float]] = ()) -> Edges:
    """Edges across as y, x0, x1, and down as x, y0, y1."""
    return Edges(np.array(across, dtype=float).reshape(-1, 3), np.array(down, dtype=float).reshape(-1, 3))


def grid_edges(xs: Sequence[float], ys: Sequence[float]) -> Edges:
    """All edges of a grid."""
    return edges([(y, xs[0], xs[-1]) for y in ys], [(x, ys[0], ys[-1]) for x in xs])


def sheet(
    *,
    held: Sequence[PrintedLine] = (),
    rules: Sequence[Sequence[float]] = (),
    colours: Sequence[int] = (),
    lightness: Sequence[float] = (),
    pictures: Sequence[Sequence[float]] = (),
    box: Box = (0, 0, 800, 1000),
) -> SheetLines:
    """A sheet with some lines, drawn rectangles (black by default) and pictures."""
    return SheetLines(
        box=box,
        lines=list(held),
        rules=np.array(rules, dtype=np.float32).reshape(-1, 4),
        colours=np.array(colours or [0] * len(rules), dtype=np.int32),
        lightness=np.array(lightness or [0] * len(rules), dtype=float),
        images=np.array(pictures, dtype=np.float32).reshape(-1, 4),
        figures=np.zeros((0, 4), dtype=np.float32),
    )


def paragraph(*texts: str, x0: float = 0, y: float = 0, **other: Any) -> Paragraph:
    """A paragraph with a line for each text."""
    return Paragraph(tuple(line(text, x0, y + 12 * place, **other) for place, text in enumerate(texts)), 0)
