"""Rows put together: nothing is lost, nothing is guessed silently, and the order is that of the rows."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.flow.integrate import (
    Duck,
    deduplicate_rows,
    full_mapping,
    join_rows,
    nest_rows,
    numbered,
    propose_mapping,
    union_rows,
    unnest_rows,
)
from sightline.flow.rows import RowBatches

BATCH = 2  # rows, so that even small tables have several batches


def rows(given: list[dict[str, Any]], schema: pa.Schema | None = None) -> RowBatches:
    """Rows in batches of two."""
    table = pa.Table.from_pylist(given, schema)
    return RowBatches(table.schema, lambda: iter(table.to_batches(BATCH)))


def listed(found: RowBatches) -> list[dict[str, Any]]:
    """All rows of a table."""
    return pa.Table.from_batches(list(found.batches()), found.schema).to_pylist()  # type: ignore[no-any-return]


NORTH = rows(
    [
        {"title": "Lumora Z-7", "price": "2.849 €", "stock": "yes"},
        {"title": "Arden R-50", "price": "879 €", "stock": "no"},
        {"title": "Vireo tripod", "price": "119 €", "stock": "no"},
    ]
)
SOUTH = rows(
    [
        {"product": "Lumora Z-7", "price_eur": "2.799 €", "ean": "1"},
        {"product": "Corvus M-12", "price_eur": "369 €", "ean": "2"},
    ]
)


# ---------------------------------------------------------------------- union


def test_columns_of_the_same_name_are_one_and_no_other_is_lost() -> None:
    """Rows keep their order, and say which step they are from."""
    found = union_rows(
        {"north": NORTH, "south": SOUTH}, {"title": {"north": "title", "south": "product"}}, label="shop"
    )
    assert found.rows.schema.names == ["shop", "title", "price", "stock", "price_eur", "ean"]
    assert [(row["shop"], row["title"]) for row in listed(found.rows)] == [
        ("north", "Lumora Z-7"),
        ("north", "Arden R-50"),
        ("north", "Vireo tripod"),
        ("south", "Lumora Z-7"),
        ("south", "Corvus M-12"),
    ]


def test_types_that_differ_become_text_and_that_is_said() -> None:
    """A number beside a text is written, not dropped."""
    found = union_rows({"a": rows([{"x": 5}]), "b": rows([{"x": "5 kg"}])})
    assert [row["x"] for row in listed(found.rows)] == ["5", "5 kg"]
    assert "`x` is text, since its types differ: int64 in a, string in b" in found.notes


def test_decimals_of_several_scales_keep_all_digits() -> None:
    """The common type holds each of them exactly."""
    found = union_rows(
        {"a": rows([{"x": Decimal("1.5")}]), "b": rows([{"x": Decimal("12.345")}]), "c": rows([{"x": 7}])}
    )
    assert [row["x"] for row in listed(found.rows)] == [Decimal("1.500"), Decimal("12.345"), Decimal("7.000")]


def test_lists_beside_texts_are_written_as_json() -> None:
    """So that nothing of them is lost."""
    found = union_rows({"a": rows([{"x": ["p", "q"]}]), "b": rows([{"x": "r"}])})
    assert [row["x"] for row in listed(found.rows)] == ['["p","q"]', "r"]


names = st.sampled_from(["a", "b", "c", "d"])
tables = st.dictionaries(st.sampled_from(["one", "two", "three"]), st.lists(names, unique=True, min_size=1), min_size=1)


@given(tables, st.data())
def test_a_mapping_takes_each_column_of_each_table_once(columns: dict[str, list[str]], data: st.DataObject) -> None:
    """Whatever is given, all columns come out, each under one name."""
    given_map: dict[str, dict[str, str]] = {}
    for table, own in columns.items():
        for name in data.draw(st.lists(st.sampled_from(own), unique=True)):
            target = data.draw(names)
            if table not in given_map.get(target, {}):
                given_map.setdefault(target, {})[table] = name
    found = full_mapping({table: tuple(own) for table, own in columns.items()}, given_map)
    taken = [(table, old) for steps in found.values() for table, old in steps.items()]
    assert sorted(taken) == sorted((table, name) for table, own in columns.items() for name in own)


def test_a_mapping_is_proposed_by_names_types_and_values() -> None:
    """With the reasons; a column without a partner stays alone."""
    mapping, proposals = propose_mapping({"north": NORTH, "south": SOUTH})
    assert mapping["title"] == {"north": "title", "south": "product"}
    assert mapping["price"] == {"north": "price", "south": "price_eur"}
    assert mapping["stock"] == {"north": "stock"}
    assert {(one.column, one.same_as) for one in proposals} == {("product", "title"), ("price_eur", "price")}
    assert all("both are" in one.why for one in proposals)


def test_columns_of_other_types_are_not_proposed() -> None:
    """A date is no price, whatever it is called."""
    other = rows([{"price date": "2026-11-17"}, {"price date": "2026-11-18"}])
    assert propose_mapping({"north": NORTH, "other": other})[1] == ()


# ---------------------------------------------------------------------- join, deduplicate, nest


@pytest.mark.parametrize(
    ("how", "titles"),
    [
        ("inner", ["Lumora Z-7"]),
        ("left", ["Lumora Z-7", "Arden R-50", "Vireo tripod"]),
        ("full", ["Lumora Z-7", "Arden R-50", "Vireo tripod", "Corvus M-12"]),
    ],
)
def test_a_join_keeps_the_rows_that_it_should(how: str, titles: list[str], tmp_path: Path) -> None:
    """In the order of the left table; a full join has the keys of both."""
    found, _ = join_rows(("north", NORTH), ("south", SOUTH), {"title": "product"}, how, tmp_path)
    assert [row["title"] for row in listed(found)] == titles
    assert listed(found)[0]["ean"] == "1"


def test_a_column_that_both_have_is_named_after_its_table(tmp_path: Path) -> None:
    """Neither hides the other, and it is said."""
    left, right = rows([{"id": 1, "price": 5}]), rows([{"id": 1, "price": 7}])
    found, notes = join_rows(("ours", left), ("theirs", right), {"id": "id"}, "left", tmp_path)
    assert listed(found) == [{"id": 1, "price": 5, "price_theirs": 7}]
    assert notes == ("both have `price`; that of theirs is `price_theirs`",)


KEYED = rows(
    [
        {"k": "a", "v": 3},
        {"k": "b", "v": 1},
        {"k": "a", "v": 2},
        {"k": None, "v": 2},
        {"k": None, "v": 3},
        {"k": "b", "v": 9},
    ]
)


@pytest.mark.parametrize(
    ("order", "keep", "kept"),
    [
        ("", "first", [3, 1, 2, 3]),
        ("", "last", [2, 2, 3, 9]),
        ("v", "first", [1, 2, 2, 3]),
        ("v", "last", [3, 2, 3, 9]),
    ],
)
def test_one_row_of_each_key_is_kept(order: str, keep: str, kept: list[int], tmp_path: Path) -> None:
    """The first or last, by a column if one is named; rows without a key are no duplicates of each other."""
    assert [row["v"] for row in listed(deduplicate_rows(KEYED, ["k"], order, keep, tmp_path))] == kept


def test_what_was_nested_is_unnested_again(tmp_path: Path) -> None:
    """In the same order within each key."""
    nested = nest_rows(KEYED, ["k"], "vs", tmp_path)
    assert [(row["k"], [one["v"] for one in row["vs"]]) for row in listed(nested)] == [
        ("a", [3, 2]),
        ("b", [1, 9]),
        (None, [2, 3]),
    ]
    flat = listed(unnest_rows(nested, "vs", tmp_path))
    assert [(row["k"], row["v"]) for row in flat] == [("a", 3), ("a", 2), ("b", 1), ("b", 9), (None, 2), (None, 3)]


def test_a_row_with_an_empty_list_stays(tmp_path: Path) -> None:
    """Nobody would miss it otherwise."""
    given_rows = rows([{"k": "a", "x": ["p", "q"]}, {"k": "b", "x": []}, {"k": "c", "x": None}])
    assert [(row["k"], row["x"]) for row in listed(unnest_rows(given_rows, "x", tmp_path))] == [
        ("a", "p"),
        ("a", "q"),
        ("b", None),
        ("c", None),
    ]


# ---------------------------------------------------------------------- SQL


def test_a_query_reads_tables_as_often_as_it_likes(tmp_path: Path) -> None:
    """A join of a table with itself, for instance."""
    table = pa.table({"a": [1, 2]})
    found = Duck({"t": table}, tmp_path).query("SELECT x.a, y.a AS b FROM t AS x CROSS JOIN t AS y ORDER BY ALL")
    assert len(listed(found)) == 4


def test_a_query_that_names_no_column_says_which_there_are(tmp_path: Path) -> None:
    """Before anything is run."""
    with pytest.raises(UsageError, match=r'cannot be run: .*"prise" not found .*"price"'):
        Duck({"t": pa.table({"price": [1]})}, tmp_path).query("SELECT prise FROM t")


@pytest.mark.parametrize("end", ["   -- all of them", ";", " ;\n", "\n/* all */"])
def test_a_query_may_end_as_people_end_them(tmp_path: Path, end: str) -> None:
    """With a comment or a semicolon, a query says the same as without."""
    found = Duck({"t": pa.table({"a": [1]})}, tmp_path).query(f"SELECT a FROM t{end}")
    assert listed(found) == [{"a": 1}]


@pytest.mark.slow
def test_a_query_larger_than_its_memory_uses_the_disk(tmp_path: Path) -> None:
    """A sort of more rows than fit still gives all of them."""

    def batches() -> Iterator[pa.RecordBatch]:
        for part in range(40):
            yield pa.record_batch(
                {"n": pa.array(range(part * 50_000, (part + 1) * 50_000)), "s": [f"{part:0200}"] * 50_000}
            )

    table = RowBatches(next(batches()).schema, batches)
    found = Duck({"t": numbered(table)}, tmp_path, memory_mb=100).query("SELECT n FROM t ORDER BY s DESC, n DESC")
    assert sum(batch.num_rows for batch in found.batches()) == 2_000_000


def test_a_query_that_takes_long_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Standard output is for results; the bar of DuckDB would break them."""
    with Duck({"t": pa.table({"a": [1]})}, tmp_path)._connected() as connection:
        assert connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(False,)]
    assert capfd.readouterr().out == ""
