"""Running text in columns side by side, as newsletters and forms have it: what no table of a PDF is.

The texts are real articles, set by a browser in two to five columns, with lines between the columns or boxes around
them or nothing. Whatever looks like a table on these sheets is none.
"""

import hashlib
import itertools
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bench.frame import CACHE
from bench.pdf.setters import print_page

FLOWING = CACHE / "pdf-flowing"
FONTS = ('10pt/1.2 "Liberation Serif"', '9pt/1.35 "Liberation Sans"', '8pt/1.25 "DejaVu Serif"')
AROUND = {
    "nothing": "",
    "lines": "column-rule: .7pt solid",
    "ends": "border-top: .7pt solid; border-bottom: .7pt solid",
}
COLUMNS = (2, 3, 4, 5)
ALIGNS = ("justify", "left")
CHARACTERS = 900  # of a text
LEAST_TEXT = 300
BOXED = "boxes"  # each column a text of its own in a frame


@dataclass(frozen=True)
class Flowing:
    """A document: how its sheets are set, and its file."""

    style: str
    path: Path


def flowing(truth: Path) -> list[Flowing]:
    """A document for each number of columns and for what is drawn around them; what was set before is kept."""
    texts = itertools.cycle(_texts(truth))
    found = []
    for columns, around in itertools.product(COLUMNS, (*AROUND, BOXED)):
        sheets = [_sheet(texts, columns, around, font, align) for font in FONTS for align in ALIGNS]
        page = (
            "<!DOCTYPE html><meta charset=utf-8><style>@page { size: A4; margin: 20mm } body { margin: 0 }"
            " section { break-after: page } p { margin: 0 0 4pt } table { width: 100%; border-collapse: collapse }"
            " td { border: .6pt solid; padding: 4pt; vertical-align: top }</style>" + "".join(sheets)
        )
        key = hashlib.blake2b(page.encode(), digest_size=8).hexdigest()
        path = FLOWING / f"{columns}-{around}-{key}.pdf"
        if not path.exists():
            _print(page, path)
        found.append(Flowing(f"flowing, {columns} columns, {around}", path))
    return found


def _texts(truth: Path) -> Iterator[str]:
    for line in map(json.loads, truth.read_text("utf-8").splitlines()):
        text = " ".join(line["text"].split())
        if line["type"] == "article" and len(text) >= LEAST_TEXT:
            yield text


def _sheet(texts: Iterator[str], columns: int, around: str, font: str, align: str) -> str:
    style = f"font: {font}; text-align: {align}"
    if around == BOXED:
        cells = "".join(f"<td>{_cut(next(texts), CHARACTERS // columns)}</td>" for _ in range(columns))
        return f"<section style='{escape(style)}'><table><tr>{cells}</tr></table></section>"
    drawn = f"column-count: {columns}; column-gap: {60 // columns}pt; {AROUND[around]}"
    held = "".join(f"<p>{_cut(next(texts), CHARACTERS)}</p>" for _ in range(2))
    return (
        f"<section style='{escape(style)}'><h2>{_cut(next(texts), 40)}</h2><div style='{drawn}'>{held}</div></section>"
    )


def _cut(text: str, most: int) -> str:
    return escape(text[:most].rpartition(" ")[0] or text[:most])


def _print(page: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        written = Path(folder) / "set.html"
        written.write_text(page, "utf-8")
        print_page(written, Path(folder) / "set.pdf", Path(folder))
        (Path(folder) / "set.pdf").replace(path)
