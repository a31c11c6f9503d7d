"""Product catalogues with true matches, as `sightline match` reads them."""

import csv
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Options, folder_of
from sightline.flow.match import ids_of
from sightline.flow.rows import TextColumns

NAMES = ("abt-buy", "walmart-amazon")


@dataclass(frozen=True)
class Catalogue:
    """Two tables, and the pairs of row numbers that are the same product."""

    name: str
    left: TextColumns
    right: TextColumns
    matches: frozenset[tuple[int, int]]

    @property
    def records(self) -> int:
        """Of the left table."""
        return len(ids_of(self.left))


def load(name: str, options: Options) -> Catalogue:
    """Read one of them."""
    folder = folder_of("match", options) / name
    left, right = _columns(folder / "left.csv"), _columns(folder / "right.csv")
    rows = {key: row for row, key in enumerate(ids_of(left))}
    columns = {key: row for row, key in enumerate(ids_of(right))}
    true = _columns(folder / "matches.csv")
    pairs = zip(true["left"], true["right"], strict=True)
    return Catalogue(name, left, right, frozenset((rows[one], columns[two]) for one, two in pairs))


def _columns(path: Path) -> dict[str, list[str | None]]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {name: [row[name] for row in rows] for name in rows[0]}
