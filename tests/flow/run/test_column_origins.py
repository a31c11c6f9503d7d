"""Which columns of the sources a column comes from, through each kind of step."""

import pytest

from sightline.flow.run import ColumnOrigins
from sightline.flow.spec import Flow

FLOW = """\
flow: 1
steps:
  north: {read: north.csv}
  south: {read: south.csv}
  catalogue: {read: catalogue.csv}
  both:
    union: [north, south]
    columns:
      name: {north: title, south: name}
    label: shop
  clean:
    normalise: both
    columns:
      - money: price
        to: EUR
        rates: rates.csv
        currency column: currency
      - text: name
        into: label
  joined:
    join: [clean, catalogue]
    on: {label: name}
    how: full
  known:
    match: joined
    to: catalogue
    id: id
    columns: [label]
    catalogue columns: [name]
  guessed:
    match: joined
    to: catalogue
  once:
    deduplicate: known
    by: [id]
    order: price
  packed:
    nest: once
    by: [shop]
    into: offers
  unpacked:
    unnest: packed
    column: offers
  best:
    sql: SELECT label AS product, min(price) AS cheapest FROM known GROUP BY label
"""
COLUMNS = {
    "north": ("title", "price", "currency", "name"),
    "south": ("name", "price", "currency"),
    "catalogue": ("id", "name", "price"),
    "both": ("shop", "name", "price", "currency", "name_north"),
    "clean": ("shop", "name", "price", "price_original", "price_problem", "currency", "name_north", "label"),
    "joined": ("shop", "name", "price", "currency", "label", "id", "price_catalogue"),
    "known": ("shop", "name", "price", "currency", "label", "id", "price_catalogue", "match", "match_score"),
    "once": ("shop", "label", "price", "_verdict"),
    "packed": ("shop", "offers"),
}


def sources(step: str, column: str) -> dict[str, str]:
    """The columns of sources that a column comes from, and what becomes of each."""
    found = ColumnOrigins(Flow.loads(FLOW), COLUMNS.get).of(step, column)
    assert not found.doubt, found.doubt
    return {f"{one.table}.{one.column}": one.way for one in sorted(found.used)}


@pytest.mark.parametrize(
    ("step", "column", "expected"),
    [
        ("both", "name", {"north.title": "same", "south.name": "same"}),
        ("both", "name_north", {"north.name": "same"}),
        ("both", "shop", {}),
        (
            "clean",
            "price",
            {
                "north.currency": "computed",
                "north.price": "computed",
                "south.currency": "computed",
                "south.price": "computed",
            },
        ),
        ("clean", "price_original", {"north.price": "same", "south.price": "same"}),
        ("clean", "label", {"north.title": "computed", "south.name": "computed"}),
        ("clean", "name", {"north.title": "same", "south.name": "same"}),
        ("joined", "price_catalogue", {"catalogue.price": "same"}),
        ("joined", "id", {"catalogue.id": "same"}),
        ("joined", "label", {"catalogue.name": "same", "north.title": "computed", "south.name": "computed"}),
        ("known", "match", {"catalogue.id": "computed", "catalogue.name": "computed"}),
        ("packed", "shop", {}),
        ("best", "product", {"catalogue.name": "same", "north.title": "computed", "south.name": "computed"}),
    ],
)
def test_a_column_is_followed_to_the_sources(step: str, column: str, expected: dict[str, str]) -> None:
    """With what becomes of its values on the way; the strongest of it counts."""
    found = sources(step, column)
    assert {name: way for name, way in found.items() if name in expected} == expected
    assert set(found) == set(expected) or column == "match"


def test_lists_of_rows_hold_all_columns_that_were_packed() -> None:
    """And those that are unpacked again come from all of them, since the list says no more."""
    packed = sources("packed", "offers")
    assert {"north.price", "north.title", "catalogue.name"} <= set(packed)
    assert set(packed.values()) == {"aggregated"}
    assert sources("unpacked", "price") == packed


def test_a_sum_is_of_many_rows() -> None:
    """Also where it was computed with before."""
    assert set(sources("best", "cheapest").values()) == {"aggregated"}


def test_what_a_match_chose_itself_is_not_guessed() -> None:
    """Its own columns come from whatever it compared; the others are as they were."""
    origins = ColumnOrigins(Flow.loads(FLOW), COLUMNS.get)
    assert "left to the match" in origins.of("guessed", "match").doubt
    assert not origins.of("guessed", "id").doubt


def test_what_decides_about_rows() -> None:
    """Keys of joins, groups and duplicates."""
    found = ColumnOrigins(Flow.loads(FLOW), COLUMNS.get).deciding("packed")
    assert {(one.step, one.column, one.how) for one in found} >= {
        ("catalogue", "name", "JOIN"),
        ("catalogue", "id", "GROUP_BY"),
        ("north", "price", "GROUP_BY"),
    }


def test_what_a_function_of_python_makes_is_not_guessed() -> None:
    """Neither of its rows nor of none; the rest of the flow is told."""
    flow = Flow.loads(
        "flow: 1\nsteps:\n  shop: {read: shop.csv}\n  made: {python: 'own:make', takes: shop}\n"
        "  fresh: {python: 'own:rows'}\n  all: {union: [shop, made, fresh]}\n"
    )
    found = ColumnOrigins(flow, {"shop": ("a",), "made": ("a",), "fresh": ("a",)}.get).of("all", "a")
    assert {(one.table, one.column) for one in found.used} == {("shop", "a")}
    assert "`made`: nobody can tell" in found.doubt
    assert "`fresh`: nobody can tell" in found.doubt
