"""Sheets of paper for tests: pages of PDFs as they are once their blocks and tables have been found."""

import re
from collections.abc import Sequence

import numpy as np

from sightline.page import Builder, Page

LETTER, LINE, SIZE = 6.0, 15.0, 12.0  # pixels
WIDTH, HEIGHT = 794.0, 1123.0

Cell = tuple[float, str]
"""Where a cell begins, and its lines; an empty one has none."""


class Paper:
    """Sheets that blocks and tables are put on, wherever they shall stand."""

    def __init__(self, sheets: int = 1) -> None:
        self._builder = Builder(("font-size",))
        self._sheets = sheets
        for tag in ("html", "body", "section"):
            self._builder.open(tag, style=(f"{SIZE:g}px",))

    def block(self, tag: str, x: float, y: float, text: str) -> "Paper":
        """A block of lines."""
        self._builder.open(tag)
        self._text(x, y, text)
        self._builder.close()
        return self

    def table(self, y: float, rows: Sequence[Sequence[Cell]], *, head: bool = False, pitch: float = LINE) -> "Paper":
        """A table of rows, of which the first may be its heading."""
        self._builder.open("table")
        for number, row in enumerate(rows):
            self._builder.open("tr")
            for x, text in row:
                self.block("th" if head and not number else "td", x, y, text)
            self._builder.close()
            y += pitch * max(1, max(text.count("\n") + 1 for _, text in row))
        self._builder.close()
        return self

    def page(self) -> Page:
        """The page that these make."""
        for _ in range(3):
            self._builder.close()
        sheets = [[0.0, HEIGHT * number, WIDTH, HEIGHT * (number + 1)] for number in range(self._sheets)]
        return self._builder.page(kind="pdf", sheets=np.array(sheets, dtype=np.float32))

    def _text(self, x: float, y: float, text: str) -> None:
        words = []
        start = 0
        for number, line in enumerate(text.split("\n")):
            for word in re.finditer(r"\S+", line):
                box = (x + LETTER * word.start(), y + LINE * number)
                far = (x + LETTER * word.end() - 1, y + LINE * number + SIZE - 2)
                words.append((start + word.start(), start + word.end(), (*box, *far)))
            start += len(line) + 1
        if words:
            self._builder.text(text.replace("\n", " "), words)


def forms(page: Page) -> list[str]:
    """What a form holds, top to bottom: entries as “label = value”, rows as cells with bars, all else as it is."""
    found = []
    for child in page.node(int(page.with_tag("body")[0])).children:
        parts = [part.text for part in child.children if part.tag != "#text"]
        if child.tag == "table":
            found += [" | ".join(cell.text for cell in row.children) for row in child.children]
        else:
            found.append(" = ".join(parts) if parts else child.text)
    return found
