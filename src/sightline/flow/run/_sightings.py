"""Where the values of a source were seen: for each column how many, and for its first rows the page and the box."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from sightline.flow._duckdb import quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._context import dataset_of
from sightline.flow.run._record_rows import ORIGINS, SOURCE
from sightline.flow.run._state import RunFolder


@dataclass(frozen=True)
class SeenValue:
    """Where the value of one row was seen: the number of the row, its source, the page and the box on it."""

    row: int
    source: str
    page: str
    box: tuple[float, ...] | None
    sheet: int | None


@dataclass(frozen=True)
class SeenColumn:
    """How many values of a column were seen on pages, and where those of the first rows were."""

    total: int
    first: tuple[SeenValue, ...]


def seen_columns(run: RunFolder, step: str, most_rows: int) -> Mapping[str, SeenColumn]:
    """The columns of a source that were seen on pages, with the places of the first rows that have some."""
    path = run.rows(step)
    if not path.exists() or ORIGINS not in dataset_of(path).schema.names:
        return {}
    duck = Duck({"rows_of": dataset_of(path)}, run.path)
    origins = quoted(ORIGINS)
    seen = f"SELECT {origins} AS origins FROM rows_of WHERE json_valid({origins})"
    totals = dict(duck.rows(f"SELECT unnest(json_keys(origins)) AS name, count(*) FROM ({seen}) GROUP BY 1"))
    source = quoted(SOURCE) if SOURCE in dataset_of(path).schema.names else "NULL"
    numbered = f"SELECT row_number() OVER () - 1 AS place, {source} AS source, {origins} AS origins FROM rows_of"
    rows = duck.rows(f"SELECT * FROM ({numbered}) WHERE json_valid(origins) ORDER BY place LIMIT {int(most_rows)}")
    places: dict[str, list[SeenValue]] = {name: [] for name in totals}
    for at, known_source, text in rows:
        for name, place in orjson.loads(text).items():
            if (found := _seen(at, known_source or "", place)) is not None:
                places[name].append(found)
    return {name: SeenColumn(total, tuple(places[name])) for name, total in sorted(totals.items())}


def _seen(row: int, source: str, place: Any) -> SeenValue | None:
    if not isinstance(place, dict) or not isinstance(place.get("page"), str):
        return None
    box = place.get("box")
    return SeenValue(row, source, place["page"], tuple(box) if box else None, place.get("sheet"))
