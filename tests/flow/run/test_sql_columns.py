"""Which columns a query depends on: what the tree tells is compared with what the database does."""

import re
from collections.abc import Iterator

import duckdb
import pytest

from sightline.flow.run import QueryColumns, UsedColumn

TABLES = {"t": ("a", "b", "c"), "u": ("a", "d")}
ROWS = {"t": [(1, "x", 10), (2, "y", 20), (3, "x", 30)], "u": [(1, 5), (2, 6), (4, 7)]}
QUERIES = (
    "SELECT a, t.b AS bb, c + 1 AS more FROM t",
    "SELECT *, upper(b) AS loud FROM t WHERE c > 10",
    "SELECT b, sum(c) AS total, count(*) AS times, count(c) AS filled FROM t GROUP BY b",
    "SELECT t.* EXCLUDE (c) REPLACE (lower(b) AS b), x.d FROM t JOIN u AS x USING (a)",
    "SELECT * FROM t LEFT JOIN u USING (a)",
    "SELECT * FROM t NATURAL JOIN u",
    "WITH k(z) AS (SELECT a FROM t), l AS (SELECT z * 2 AS y FROM k) SELECT y FROM l",
    "SELECT a, (SELECT max(d) FROM u WHERE u.a = t.a) AS highest FROM t",
    "SELECT a, a IN (SELECT a FROM u WHERE d > 5) AS known, EXISTS (FROM u WHERE u.a = t.a) AS there FROM t",
    "SELECT a FROM t UNION ALL SELECT d FROM u",
    "SELECT a, b FROM t UNION ALL BY NAME SELECT d AS c, a FROM u",
    "SELECT a FROM t EXCEPT SELECT a FROM u",
    "SELECT a, row_number() OVER (PARTITION BY b ORDER BY c) AS place FROM t",
    "SELECT DISTINCT ON (b) a FROM t ORDER BY b, c DESC",
    "SELECT a FROM t QUALIFY c = max(c) OVER (PARTITION BY b)",
    "SELECT CASE WHEN b = 'x' THEN c ELSE a END AS one, coalesce(c, a) AS other, c::VARCHAR || b AS text FROM t",
    "SELECT a * 2 AS twice, twice + c AS sum FROM t",
    "SELECT list_transform([a, c], lambda e: e + 1) AS l, {'x': a, 'y': b} AS both FROM t",
    "SELECT b, list(struct_pack(a := a, c := c) ORDER BY c) AS rows FROM t GROUP BY ALL",
    "SELECT t.b, x.y FROM t, unnest([t.a, t.c]) AS x(y)",
    "SELECT s.q FROM (SELECT a AS q, c FROM t) AS s WHERE s.c > 10 LIMIT 2",
    "SELECT p, q FROM (VALUES (1, 2)) AS v(p, q)",
    "WITH RECURSIVE r AS (SELECT a AS n FROM t UNION ALL SELECT n + 10 FROM r WHERE n < 10) SELECT n FROM r",
    "SELECT * FROM t SEMI JOIN u USING (a)",
    "SELECT max(c) FILTER (WHERE b = 'x') AS most FROM t HAVING count(a) > 1",
)


def _tables(connection: duckdb.DuckDBPyConnection, changed: tuple[str, str] | None = None) -> None:
    """The two tables; the values of one column may be changed, in all rows but the first and in their order."""
    connection.execute("CREATE OR REPLACE TABLE t (a INT, b VARCHAR, c INT)")
    connection.execute("CREATE OR REPLACE TABLE u (a INT, d INT)")
    for name, rows in ROWS.items():
        connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(TABLES[name]))})", rows)
    if changed is not None:
        table, column = changed
        other = "CASE WHEN b = 'x' THEN 'zz' ELSE 'x' END" if column == "b" else f"27 - {column}"
        connection.execute(f"UPDATE {table} SET {column} = {other}")


def _columns(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, list[str]]:
    found = connection.execute(f"SELECT * FROM ({sql})")
    names = [one[0] for one in found.description]
    rows = found.fetchall()
    return {name: sorted(str(row[place]) for row in rows) for place, name in enumerate(names)}


def _changes() -> Iterator[tuple[str, str]]:
    return ((table, column) for table, columns in TABLES.items() for column in columns)


@pytest.mark.parametrize("sql", QUERIES)
def test_whatever_changes_a_column_is_told(sql: str) -> None:
    """Change each column of each table: where the result changes, that column is among what was told."""
    told = QueryColumns.of(sql, TABLES)
    assert not told.doubt
    with duckdb.connect() as connection:
        _tables(connection)
        before = _columns(connection, sql)
        named = told.named(list(before))
        assert not [one.doubt for one in named.values() if one.doubt]
        rows = {(one.table, one.column) for one in told.rows}
        for changed in _changes():
            _tables(connection, changed)
            after = _columns(connection, sql)
            for name, made in named.items():
                used = {(one.table, one.column) for one in made.used} | rows
                assert before[name] == after[name] or changed in used, (name, changed)


def test_what_becomes_of_values_is_told() -> None:
    """They stay, are computed with, or are some of many; through queries within the query, too."""
    sql = "WITH k AS (SELECT a, b || '' AS e, max(c) AS m FROM t GROUP BY ALL) SELECT a, e, m, m + 1 AS n FROM k"
    found = QueryColumns.of(sql, TABLES)
    assert [one.used for one in found.columns] == [
        frozenset({UsedColumn("t", "a", "same")}),
        frozenset({UsedColumn("t", "b", "computed")}),
        frozenset({UsedColumn("t", "c", "aggregated")}),
        frozenset({UsedColumn("t", "c", "aggregated")}),
    ]


@pytest.mark.parametrize(
    ("sql", "column", "doubt"),
    [
        ("SELECT COLUMNS('a.*') FROM t", "a", "by a pattern"),
        ("FROM t PIVOT (sum(a) FOR b IN ('x', 'y'))", "x", "kind pivot"),
        ("SELECT b, rate FROM t JOIN read_csv('x.csv') AS r ON r.day = t.a", "rate", "`read_csv`"),
        ("SELECT * FROM elsewhere", "a", "`elsewhere`"),
        ("SELECT a FROM t JOIN elsewhere ON true", "gone", "no column `gone`"),
        ("CREATE TABLE x AS SELECT 1", "x", "of a kind"),
        ("SELECT FROM WHERE", "x", "cannot be read|of a kind"),
    ],
)
def test_what_cannot_be_told_is_said(sql: str, column: str, doubt: str) -> None:
    """With the reason; what can be told of the same query is."""
    found = QueryColumns.of(sql, TABLES).column(column)
    assert re.search(doubt, found.doubt)
    assert not found.used


def test_what_is_known_beside_what_is_not() -> None:
    """A file that a query reads hides only its own columns."""
    found = QueryColumns.of("SELECT b, rate FROM t JOIN read_csv('x.csv') AS r ON r.day = t.a", TABLES)
    assert found.column("b").used == {UsedColumn("t", "b")}


def test_tables_of_a_database_are_taken_as_they_are() -> None:
    """Their columns are not known, so that a column is told where only one table can have it."""
    whole = QueryColumns.of("SELECT * FROM shop.prices")
    assert whole.column("id").used == {UsedColumn("shop.prices", "id")}
    joined = QueryColumns.of("SELECT p.id, q.name, price FROM prices p JOIN names q ON p.id = q.id")
    assert joined.column("name").used == {UsedColumn("names", "name")}
    assert "nobody can tell which table `price` is of" in joined.column("price").doubt
    assert {one.column for one in joined.rows} == {"id"}
