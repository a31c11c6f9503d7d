"""Headings of tables: how many rows at the top are headings, against labels by eye and against what was printed.

A table is right if the texts of its headings are those of the true ones. Rows are not counted, since one that is empty
or parted in two makes no difference to anyone. A true table that was not found is wrong.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.pdf.icdar import Document, Found, plain, structure_score, truths_of

LABELS = Path(__file__).with_name("header_rows.json")


@dataclass(frozen=True)
class Headings:
    """A true table: where it stands, how many header rows it has, how many were found, and whether they are right."""

    name: str
    true: int
    found: int | None
    right: bool


def share_right(headings: Sequence[Headings]) -> float:
    """The share of tables whose headings are right."""
    return sum(one.right for one in headings) / max(1, len(headings))


@cache
def labels() -> Mapping[str, Sequence[int]]:
    """The header rows of the true tables of each truth, in its order."""
    tables: Mapping[str, Sequence[int]] = json.loads(LABELS.read_text("utf-8"))["tables"]
    return tables


def headings_of(document: Document, found: Sequence[Found]) -> list[Headings]:
    """The headings of a labelled document, by the truth that its tables fit best; none where it has no labels."""
    names = [truth.name.removesuffix("-str.xml") for truth in truths_of(document.path, "str")]
    known = [
        (labels()[name], truth) for name, truth in zip(names, document.structures, strict=True) if name in labels()
    ]
    if not known:
        return []
    rows, truth = max(known, key=lambda one: structure_score(one[1], found).f1)
    return right_headings(document.name, truth, rows, found)


def right_headings(name: str, truth: Sequence[Found], rows: Sequence[int], found: Sequence[Found]) -> list[Headings]:
    """Each true table with the table found for it, as the measure of structure pairs them."""
    left = list(found)
    told = []
    for number, (table, count) in enumerate(zip(truth, rows, strict=True), start=1):
        here = [other for other in left if other.pages & table.pages]
        best = max(here, key=lambda other: (table.relations & other.relations).total(), default=None)
        if best is not None:
            left.remove(best)
        own = None if best is None else best.header_rows
        right = best is not None and own is not None and _texts(best, own) == _texts(table, count)
        told.append(Headings(f"{name}, table {number}", count, own, right))
    return told


def _texts(table: Found, rows: int) -> Counter[str]:
    """The texts of the first rows."""
    texts = (plain(cell.text) for cell in table.cells if cell.top < rows)
    return Counter(text for text in texts if text)
