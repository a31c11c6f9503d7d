"""Tables of PDFs as other libraries read them: `python bench/pdf/readers.py NAME` where they are installed.

Reads `{"files": […], "rounds": N}` from the input and writes one object: the `version` of the library and, in order,
what it found in each `documents`: `pages`, `tables` (each with its `page`, from 1; its `bbox` in points, origin at the
lower left; its `cells` as `[first row, last row, first column, last column, text]`, from 0), the `seconds` of processor
time of every round, children included, and the `error` if the library failed. A library that is not installed answers
`{"missing": why}`; the name `versions` asks for the versions of all. Nothing of this project is imported: the peers
live in an environment of their own.
"""

import json
import logging
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

WARM_UP = 1  # documents read before any is timed: modules and tables of characters load at first use

Table = dict[str, Any]
Reader = Callable[[str], list[Table]]


def main() -> None:
    """Read all files with the peer of this name."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    if sys.argv[1] == "versions":
        answer = {name: _version(package) for name, (package, _) in READERS.items()}
    else:
        question = json.load(sys.stdin)
        answer = _answer(*READERS[sys.argv[1]], question["files"], question["rounds"])
    json.dump(answer, sys.stdout)


def _version(package: str) -> str:
    """The version of a peer; empty where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _answer(package: str, make: Callable[[], Reader], files: list[str], rounds: int) -> dict[str, Any]:
    known = _version(package)
    if not known:
        return {"missing": f"{package} is not installed"}
    if package == "tabula-py" and shutil.which("java") is None:
        return {"missing": "there is no Java on this machine"}
    reader = make()
    for file in files[:WARM_UP]:
        _read(reader, file)
    documents: list[dict[str, Any]] = [{"pages": _pages(file), "seconds": []} for file in files]
    for _ in range(rounds):
        for document, file in zip(documents, files, strict=True):
            began = _processor_time()
            found = _read(reader, file)
            document["seconds"].append(_processor_time() - began)
            document |= found
    return {"version": known, "documents": documents}


def _read(reader: Reader, file: str) -> dict[str, Any]:
    """The tables of a document; what a peer cannot read counts against it, and stops nothing."""
    try:
        return {"tables": reader(file), "error": None}
    except Exception as problem:  # noqa: BLE001 - whatever another library raises is its answer
        return {"tables": [], "error": f"{type(problem).__name__}: {problem}"[:200]}


def _pages(file: str) -> int:
    return len(import_module("pypdfium2").PdfDocument(file))


def _processor_time() -> float:
    return sum(os.times()[:4])


def _placed(table: Any) -> Iterator[list[Any]]:
    """The cells of a table of pdfplumber by their boxes: one that reaches over several columns or rows spans them."""
    boxes = [box for row in table.rows for box in row.cells if box]
    lefts, tops = (sorted({box[side] for box in boxes}) for side in (0, 1))
    for row, texts in zip(table.rows, table.extract(), strict=True):
        for box, text in zip(row.cells, texts, strict=True):
            if box and text and text.strip():
                rows, columns = _span(tops, box[1], box[3]), _span(lefts, box[0], box[2])
                yield [*rows, *columns, text]


def _span(starts: list[float], low: float, high: float) -> tuple[int, int]:
    """The first and the last of the lines of a table that a cell stands in, by where these begin."""
    inside = [place for place, start in enumerate(starts) if low <= start < high]
    return inside[0], inside[-1]


def _filled(rows: list[list[Any]]) -> Iterator[list[Any]]:
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            if text and text.strip():
                yield [row, row, column, column, text]


def _pdfplumber(**settings: Any) -> Reader:
    library = import_module("pdfplumber")

    def read(file: str) -> list[Table]:
        with library.open(file) as document:
            return [
                {
                    "page": page.page_number,
                    "bbox": [x0, float(page.height) - bottom, x1, float(page.height) - top],
                    "cells": list(_placed(table)),
                }
                for page in document.pages
                for table in page.find_tables(settings)
                for x0, top, x1, bottom in [table.bbox]
            ]

    return read


def _camelot(**options: Any) -> Reader:
    library = import_module("camelot")

    def read(file: str) -> list[Table]:
        found = library.read_pdf(file, pages="all", suppress_stdout=True, **options)
        return [
            {"page": int(table.page), "bbox": _numbers(table._bbox), "cells": list(_bordered(table.cells))}
            for table in found
        ]

    return read


def _bordered(cells: list[list[Any]]) -> Iterator[list[Any]]:
    """The cells of a table of camelot: one without a border to the next reaches into that."""
    for row, line in enumerate(cells):
        for column, cell in enumerate(line):
            if cell.text.strip():
                right = _reach([not other.right for other in line[column:]])
                down = _reach([not below[column].bottom for below in cells[row:]])
                yield [row, row + down, column, column + right, cell.text]


def _reach(is_open: list[bool]) -> int:
    """How many places follow that no border parts; the last place has none behind it."""
    return next((place for place, open_ in enumerate(is_open) if not open_), len(is_open) - 1)


def _numbers(box: Any) -> list[float] | None:
    return None if box is None else [float(side) for side in box]


def _tabula(**options: Any) -> Reader:
    """Tabula's JSON tells the place of every cell, and where the table stands; one call of Java a page.

    It does not say which page a table stands on, hence the calls.
    """
    library = import_module("tabula")
    pdfium = import_module("pypdfium2")

    def read(file: str) -> list[Table]:
        with pdfium.PdfDocument(file) as document:
            heights = [page.get_height() for page in document]
        return [
            {
                "page": number,
                "bbox": _turned(table, height),
                "cells": list(_filled([[cell["text"] for cell in line] for line in table["data"]])),
            }
            for number, height in enumerate(heights, start=1)
            for table in library.read_pdf(file, pages=number, output_format="json", silent=True, **options)
            if table["data"]
        ]

    return read


def _turned(table: Table, height: float) -> list[float]:
    left, top = table["left"], table["top"]
    return [left, height - top - table["height"], left + table["width"], height - top]


READERS: dict[str, tuple[str, Callable[[], Reader]]] = {
    "pdfplumber": ("pdfplumber", lambda: _pdfplumber()),
    "pdfplumber, text": (
        "pdfplumber",
        lambda: _pdfplumber(vertical_strategy="text", horizontal_strategy="text"),
    ),
    "camelot, hybrid": ("camelot-py", lambda: _camelot(flavor="hybrid")),
    "camelot, vector": ("camelot-py", lambda: _camelot(flavor="hybrid", engine="vector")),
    "camelot, auto": ("camelot-py", lambda: _camelot(flavor="auto")),
    "tabula": ("tabula-py", lambda: _tabula(guess=True, stream=True)),
}


if __name__ == "__main__":
    main()
