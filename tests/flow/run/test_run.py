"""Runs: from files to the warehouse, taken up where they were left, each row delivered once."""

import os
import resource
import sqlite3
import subprocess
import sys
from datetime import timedelta
from decimal import Decimal

import duckdb
import psycopg
import pyarrow as pa
import pytest
from bench.flow.postgres import LocalPostgres

import sightline as sl
from sightline.errors import UsageError
from sightline.flow.run import FlowRun, FlowStore, row_changes
from sightline.flow.spec import Flow

from .conftest import FlowFolder, day

STEPS = """
shop:
  read: shop.csv
catalogue:
  read: catalogue.csv
euro:
  normalise: shop
  columns:
    - money: price
      to: EUR
known:
  match: euro
  to: catalogue
good:
  check: known
  need: [name]
  rules:
    a price: price > 0
positions:
  sql: SELECT match AS product, name, price FROM good WHERE match_zone = 'matched'
kept:
  deliver: positions
  to: prices.duckdb#positions
  key: product
"""


def test_rows_go_from_files_to_the_warehouse(folder: FlowFolder) -> None:
    """Normalised, matched, checked and delivered, with decimals that are exact."""
    found = folder.run(STEPS)
    assert found.verdict == "ok"
    assert {name: state.rows for name, state in found.state.steps.items()} == {
        "shop": 3,
        "catalogue": 4,
        "euro": 3,
        "known": 3,
        "good": 3,
        "positions": 3,
        "kept": 3,
    }
    assert folder.query("SELECT product, price FROM positions ORDER BY 1") == [
        ("P-001", Decimal("2849.00")),
        ("P-004", Decimal("879.00")),
        ("P-008", Decimal("369.00")),
    ]


def test_the_original_stays_beside_what_was_normalised(folder: FlowFolder) -> None:
    """In the rows of the step, for whoever wants to see it."""
    rows = folder.run(STEPS).rows("euro").to_pylist()
    assert (rows[0]["price"], rows[0]["price_original"]) == (Decimal("2849.00"), "2.849,00 €")


@pytest.mark.slow
def test_a_second_run_changes_only_what_changed(folder: FlowFolder) -> None:
    """And the difference of the two runs is told row by row."""
    first = folder.run(STEPS, now=day(16))
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace("879,00", "849,00"))
    second = folder.run(now=day(17))
    assert second.state.steps["kept"].counts == {"updated": 1, "unchanged": 2}
    changes = row_changes(
        first.folder / "positions.arrow", second.folder / "positions.arrow", ["product"], second.folder
    )
    assert (changes.new, changes.gone, changes.changed, changes.same) == (0, 0, 1, 2)
    assert changes.changed_rows[0].key == ("P-004",)
    assert changes.changed_rows[0].values == {"price": (Decimal("879.00"), Decimal("849.00"))}


def test_runs_of_the_same_second_are_in_their_order(folder: FlowFolder) -> None:
    """The last run is the one that began last, however short the runs are."""
    folder.write("shop:\n  read: shop.csv")
    begun = [folder.run(now=day(16) + timedelta(milliseconds=10 * number)).id for number in range(8)]
    assert FlowStore(folder.path / "store", "prices").run_ids() == begun


@pytest.mark.slow
def test_a_history_says_what_the_price_was(folder: FlowFolder) -> None:
    """Each price holds from the run that saw it first to the one that saw another."""
    steps = STEPS.replace("key: product", "key: product\n  mode: history")
    folder.run(steps, now=day(16))
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace("879,00", "849,00"))
    folder.run(now=day(17))
    asked = (
        "SELECT price FROM positions WHERE product = 'P-004' AND valid_from <= TIMESTAMPTZ '{0}' "
        "AND (valid_to IS NULL OR valid_to > TIMESTAMPTZ '{0}')"
    )
    assert folder.query(asked.format("2026-11-16 12:00:00+00")) == [(Decimal("879.00"),)]
    assert folder.query(asked.format("2026-11-17 12:00:00+00")) == [(Decimal("849.00"),)]


@pytest.mark.slow
def test_a_history_does_not_close_what_a_check_held_back(folder: FlowFolder) -> None:
    """A price that could not be read says nothing about the old one."""
    steps = STEPS.replace("key: product", "key: product\n  mode: history")
    folder.run(steps, now=day(16))
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace('"879,00 €"', "ask us").replace("369,00", "349,00"))
    assert folder.run(now=day(17)).state.steps["kept"].counts == {"updated": 1, "unchanged": 1}
    current = "SELECT product, price FROM positions WHERE valid_to IS NULL ORDER BY 1"
    assert folder.query(current) == [
        ("P-001", Decimal("2849.00")),
        ("P-004", Decimal("879.00")),
        ("P-008", Decimal("349.00")),
    ]


def test_the_verb_runs_a_file(folder: FlowFolder) -> None:
    """With the store beside it."""
    file = folder.write(STEPS)
    assert sl.run(file).verdict == "ok"
    assert FlowStore(folder.path / "store", "prices").last_finished() is not None


# ---------------------------------------------------------------------- failing and going on


def test_a_failing_step_stops_only_those_that_need_it(folder: FlowFolder) -> None:
    """The others run, and the run can be taken up when the trouble is over."""
    missing = STEPS.replace("read: catalogue.csv", "read: later.csv")
    found = folder.run(missing + "\ncopy:\n  deliver: shop\n  to: copy.duckdb#shop\n  mode: append\n")
    assert folder.kinds()["copy"] == "done"
    assert folder.kinds()["catalogue"] == "failed"
    assert folder.kinds()["kept"] == "skipped"
    assert found.verdict == "failed"
    assert not found.state.is_finished
    (folder.path / "catalogue.csv").rename(folder.path / "later.csv")
    again = folder.run()
    assert again.id == found.id
    assert again.verdict == "ok"
    assert folder.kinds()["shop"] == folder.kinds()["copy"] == "reused"
    assert folder.query("SELECT count(*) FROM shop", "copy.duckdb") == [(3,)]


def test_a_run_that_is_taken_up_uses_what_it_had_read(folder: FlowFolder) -> None:
    """A source that changed meanwhile is not mixed with what was read before: a new run begins, and says so."""
    broken = STEPS.replace("to: prices.duckdb#positions", "to: missing/prices.duckdb#positions")
    found = folder.run(broken)
    assert "Could not" in found.state.steps["kept"].reasons[0] or "missing" in found.state.steps["kept"].reasons[0]
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace("879,00", "869,00"))
    (folder.path / "missing").mkdir()
    again = folder.run()
    assert again.id != found.id
    assert again.state.notices == (f"The run {found.id} was abandoned: the files of `shop` have changed since.",)
    assert folder.query("SELECT price FROM positions WHERE product = 'P-004'", "missing/prices.duckdb") == [
        (Decimal("869.00"),)
    ]


def test_a_mended_flow_goes_on_with_what_is_the_same(folder: FlowFolder) -> None:
    """If it is asked for: steps that did not change, and whose rows did not, are not done again."""
    found = folder.run(STEPS.replace("a price: price > 0", "a price: prise > 0"))
    assert "prise" in found.state.steps["good"].reasons[0]
    again = folder.run(STEPS, resume=found.id)
    assert again.id == found.id
    assert {name for name, kind in folder.kinds().items() if kind == "reused"} == {"shop", "catalogue", "euro", "known"}


@pytest.mark.slow
def test_a_flow_that_changed_after_a_delivery_begins_anew(folder: FlowFolder) -> None:
    """What was delivered by the old flow cannot be told from what the new one delivers."""
    both = STEPS + "\ncopy:\n  deliver: shop\n  to: missing/copy.duckdb#shop\n  mode: append\n"
    found = folder.run(both)
    assert found.errors
    again = folder.run(STEPS)
    assert again.id != found.id


def test_fresh_begins_a_new_run(folder: FlowFolder) -> None:
    """Even if the last one was not finished."""
    found = folder.run(STEPS.replace("catalogue.csv", "missing.csv"))
    assert folder.run(STEPS, fresh=True).id != found.id


@pytest.mark.slow
def test_two_runs_at_once_are_refused(folder: FlowFolder) -> None:
    """The second says who runs the first."""
    file = folder.write(STEPS)
    store = FlowStore(folder.path / "store", "prices")
    code = "import sys, sightline as sl; sl.run(sys.argv[1])"
    with store.locked():
        found = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False)
    assert f"is being run by process {os.getpid()}" in found.stderr


@pytest.mark.slow
def test_a_full_disk_leaves_the_run_to_be_taken_up(folder: FlowFolder) -> None:
    """The step fails with a clear word, and nothing half-written is taken for rows."""
    lines = "".join(f"{number},camera {number * 7919},1 €\n" for number in range(200_000))
    (folder.path / "shop.csv").write_text("id,name,price\n" + lines)
    file = folder.write("shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: prices.duckdb#shop\n  mode: append")
    code = (
        "import resource, signal, sys, sightline as sl; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY)); "
        "found = sl.run(sys.argv[1]); print(found.state.steps['shop'].reasons[0])"
    )
    assert resource.RLIM_INFINITY
    found = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False)
    assert "Could not write" in found.stdout, found.stderr
    assert "free some space" in found.stdout
    assert folder.run().verdict == "ok"
    assert folder.query("SELECT count(*) FROM shop") == [(200_000,)]


@pytest.mark.slow
def test_a_destination_that_is_down_leaves_the_run_to_be_taken_up(folder: FlowFolder, server: LocalPostgres) -> None:
    """When it is up again, each row is delivered once."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS down_rows, _sightline_loads")
    steps = "shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: {secret: db}\n  table: down_rows\n  mode: append"
    head = "secrets:\n  db: {environment: TEST_WAREHOUSE}\n"
    os.environ["TEST_WAREHOUSE"] = "postgresql://nobody:hunter2@127.0.0.1:1/test"
    try:
        found = folder.run(steps, head=head)
        assert found.verdict == "failed"
        assert "hunter2" not in str(found.state.to_json())
        os.environ["TEST_WAREHOUSE"] = server.url()
        again = folder.run()
        assert again.id == found.id
        assert again.verdict == "ok"
        assert folder.kinds()["shop"] == "reused"
    finally:
        del os.environ["TEST_WAREHOUSE"]
    with psycopg.connect(server.url()) as connection:
        assert connection.execute("SELECT count(*) FROM down_rows").fetchall() == [(3,)]


# ---------------------------------------------------------------------- sources


def test_queries_of_three_databases_are_sources(folder: FlowFolder, server: LocalPostgres) -> None:
    """With the types that the values have."""
    with duckdb.connect(str(folder.path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS n, 'x' AS s, 1.50::DECIMAL(5,2) AS d")
    with sqlite3.connect(folder.path / "b.sqlite") as connection:
        connection.execute("CREATE TABLE t (n, s, d)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [(1, "x", 1.5), (None, "y", 2)])
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute("CREATE TABLE t AS SELECT 1 AS n, 'x' AS s, 1.50::numeric AS d, date '2026-11-17' AS day")
    found = folder.run(
        f"""
        one:
          query: SELECT * FROM t
          from: a.duckdb
        two:
          query: SELECT * FROM t
          from: b.sqlite
        three:
          query: SELECT * FROM t
          from: {server.url()}
        """
    )
    assert found.verdict == "ok", found.state.reasons
    assert found.rows("one").to_pylist() == [{"n": 1, "s": "x", "d": Decimal("1.50")}]
    assert found.rows("two").to_pylist() == [{"n": 1, "s": "x", "d": 1.5}, {"n": None, "s": "y", "d": 2.0}]
    assert found.rows("three").schema.types == [pa.int64(), pa.string(), pa.decimal128(3, 2), pa.date32()]


PAGE = "<h1>Cameras</h1><table><tr><th>name<th>price{}</table>"
ROWS = "".join(f"<tr><td>Camera {number}<td>{number}9,00 €" for number in range(1, 6))


def test_tables_of_pages_are_rows_that_say_where_they_are_from(folder: FlowFolder) -> None:
    """Texts as they are seen, with the page, the verdict and the place of every value."""
    (folder.path / "page.html").write_text(PAGE.format(ROWS))
    found = folder.run("cameras:\n  extract: page.html\n  take: tables\n  static: true")
    row = found.rows("cameras").to_pylist()[0]
    assert (row["name"], row["price"], row["_verdict"]) == ("Camera 1", "19,00 €", "ok")
    assert row["_source"].endswith("page.html")
    assert '"nodes":' in row["_origins"]


def test_pages_of_a_wrapper_that_do_not_fit_are_held_back(folder: FlowFolder) -> None:
    """The good pages flow on; the others go to quarantine with the reason."""
    shop = "<html><body><h1>{0}</h1><p>Price: <b>{1} €</b></p><p>In our shop since 1999</p></body></html>"
    for number in range(1, 6):
        (folder.path / f"page{number}.html").write_text(shop.format(f"Camera {number}", f"{number}9"))
    wrapper = sl.induce([sl.open(folder.path / f"page{number}.html", static=True) for number in range(1, 6)])
    wrapper.save(folder.path / "shop.wrapper.json")
    (folder.path / "page6.html").write_text("<html><body><div>We moved</div><form><input name=q></form></body></html>")
    found = folder.run(
        """
        cameras:
          extract: page*.html
          wrapper: shop.wrapper.json
          static: true
        good:
          check: cameras
        kept:
          deliver: good
          to: prices.duckdb#cameras
          mode: append
        """
    )
    assert found.verdict == "suspicious", found.state.reasons
    assert folder.query("SELECT count(*) FROM cameras") == [(5,)]
    assert "page6.html" in " ".join(found.state.steps["cameras"].reasons)


# ---------------------------------------------------------------------- bad input


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("money: price", "money: prise", "line 10: `shop` has no column `prise`; did you mean `price`?"),
        ("need: [name]", "need: [nam]", "`known` has no column `nam`; did you mean `name`?"),
        ("key: product", "key: prodct", "`positions` has no column `prodct`; did you mean `product`?"),
        ("match AS product", "matsch AS product", "matsch"),
        ("read: shop.csv", "read: shopp.csv", "shopp.csv: cannot be read"),
        ("read: shop.csv", "read: 'x*.csv'", "no file is like"),
    ],
)
def test_a_missing_column_or_file_is_named(folder: FlowFolder, old: str, new: str, told: str) -> None:
    """With what was probably meant."""
    found = folder.run(STEPS.replace(old, new))
    assert told in " ".join(found.state.reasons)


def test_a_price_without_a_rate_is_told_and_held_back(folder: FlowFolder) -> None:
    """An unknown currency or date stops its row, not the others."""
    shop = folder.path / "shop.csv"
    shop.write_text(SHOP_IN_CURRENCIES)
    found = folder.run(STEPS.replace("to: EUR", "to: EUR\n      rates: rates.csv\n      date: seen"))
    assert found.state.steps["good"].held == 2
    held = " ".join(found.state.steps["good"].reasons)
    assert "no rate for GBP on 2027-01-01" in held
    assert "XAU" in held
    assert folder.query("SELECT count(*) FROM positions") == [(1,)]


SHOP_IN_CURRENCIES = """\
id,name,price,seen
1,LUMORA Z7 body only,EUR 2849.00,2026-11-16
2,Arden R50 kit RF 18-45mm,GBP 879.00,2027-01-01
3,Corvus M-12 10x42 binoculars,XAU 369.00,2026-11-16
"""


@pytest.mark.slow
def test_an_ambiguous_column_is_not_delivered(folder: FlowFolder) -> None:
    """2.849 € may be two thousand or less than three; somebody has to say."""
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace(",00 €", " €"))
    shop.write_text(shop.read_text().replace("369 €", "3.690 €").replace("879 €", "8.790 €"))
    found = folder.run(STEPS)
    assert found.state.steps["good"].state == "held"
    assert "decimal separator" in found.state.steps["good"].reasons[0]
    assert not (folder.path / "prices.duckdb").exists()
    said = folder.run(STEPS.replace("to: EUR", 'to: EUR\n      decimal: ","'))
    assert said.verdict == "ok"


def test_an_empty_or_doubled_key_is_named(folder: FlowFolder) -> None:
    """With its rows; nothing is delivered."""
    (folder.path / "shop.csv").write_text("id,name\n1,a\n1,b\n,c\n")
    found = folder.run("shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: prices.duckdb#shop\n  key: id")
    assert "the key id is empty in row 3" in found.state.reasons[0]
    (folder.path / "shop.csv").write_text("id,name\n1,a\n1,b\n")
    found = folder.run(fresh=True)
    assert "'1' in rows 1 and 2" in found.state.reasons[0]


@pytest.mark.slow
def test_a_catalogue_that_changed_is_told(folder: FlowFolder) -> None:
    """What was matched before may be matched otherwise now."""
    folder.run(STEPS, now=day(16))
    catalogue = folder.path / "catalogue.csv"
    catalogue.write_text(catalogue.read_text() + "P-010,Astra 150 telescope,449.00\n")
    found = folder.run(now=day(17))
    assert (
        "the catalogue changed since the last run: 1 rows are new or other, 0 are gone or other"
        in found.state.steps["known"].notes
    )


@pytest.mark.slow
def test_a_huge_cell_goes_through(folder: FlowFolder) -> None:
    """Fifty megabytes in one cell arrive whole, if they are allowed."""
    (folder.path / "shop.csv").write_text("id,name\n1," + "x" * 50_000_000 + "\n")
    read = "shop:\n  read: shop.csv\n  limits: {cell bytes: 60000000}\n"
    found = folder.run(f"{read}kept:\n  deliver: shop\n  to: prices.duckdb#shop\n  key: id")
    assert found.verdict == "ok", found.state.reasons
    assert folder.query("SELECT length(name) FROM shop") == [(50_000_000,)]


def test_bytes_that_are_no_utf8_are_named(folder: FlowFolder) -> None:
    """By their line."""
    (folder.path / "shop.csv").write_bytes(b"id,name\n1,caf\xc3\xa9\n2,caf\xe9\n")
    found = folder.run("shop:\n  read: shop.csv")
    assert "line 3: is not UTF-8" in found.state.reasons[0]


# ---------------------------------------------------------------------- checks


def gate(folder: FlowFolder, keys: str, now: int = 16) -> FlowRun:
    """Run a check of the shop."""
    body = "\n".join(f"  {line}" for line in keys.splitlines())
    return folder.run(
        f"shop:\n  read: shop.csv\ngood:\n  check: shop\n{body}\n"
        "kept:\n  deliver: good\n  to: prices.duckdb#shop\n  key: id",
        now=day(now),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "held", "reason"),
    [
        ("need: [price]", 1, "`price` is missing"),
        ("unique: [name]", 2, "another row has the same name"),
        ("rules:\n  is cheap: length(price) < 6", 2, "not so: is cheap"),
        ("rules:\n  is cheap: length(price) < 6", 2, "cannot be told: is cheap"),
    ],
)
def test_rows_are_held_back_with_the_reason(folder: FlowFolder, keys: str, held: int, reason: str) -> None:
    """The others flow on, and the run is suspicious."""
    (folder.path / "shop.csv").write_text("id,name,price\n1,a,5 €\n2,b,\n3,b,12345 €\n4,c,7 €\n")
    found = gate(folder, keys)
    assert found.verdict == "suspicious"
    assert found.state.steps["good"].held == held
    rows = pa.ipc.open_file(found.folder / "good.held.arrow").read_all().to_pylist()
    assert any(reason in row["_held_because"] for row in rows)
    assert folder.query("SELECT count(*) FROM shop") == [(4 - held,)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "reason"), [("at least: 4", "at least 4"), ("at most fewer: 20 %", "after 3 in the last run")]
)
def test_too_few_rows_stop_the_flow(folder: FlowFolder, keys: str, reason: str) -> None:
    """A table is not emptied because a shop was."""
    gate(folder, "need: [name]")
    shop = folder.path / "shop.csv"
    shop.write_text("".join(shop.read_text().splitlines(keepends=True)[:2]))
    found = gate(folder, keys, now=17)
    assert reason in found.state.steps["good"].reasons[0]
    assert found.state.steps["good"].held == 1
    assert "kept" not in found.state.steps
    assert folder.query("SELECT count(*) FROM shop") == [(3,)]


def test_a_word_that_is_no_verdict_is_named(folder: FlowFolder) -> None:
    """With what was meant."""
    assert "did you mean `suspicious`?" in gate(folder, "let: [ok, suspicous]").state.reasons[0]


# ---------------------------------------------------------------------- reading what is kept


def test_a_damaged_state_is_named(folder: FlowFolder) -> None:
    """With the file and what to do about it."""
    found = folder.run(STEPS)
    (found.folder / "run.json").write_text("{")
    with pytest.raises(UsageError, match=r"run.json: this is not the state of a run .*; remove its folder"):
        folder.run()


def test_rows_of_a_step_that_has_none_are_named(folder: FlowFolder) -> None:
    """The run says which it has."""
    found = folder.run("shop:\n  read: shop.csv")
    assert found.rows("shop").num_rows == 3
    with pytest.raises(KeyError):
        Flow.loads(found.state.text).holder("shopp")


def test_a_limit_of_files_is_named_and_raised_by_the_step(folder: FlowFolder) -> None:
    """And a name that is none of a limit is an error with its line."""
    failed = folder.run("shop:\n  read: shop.csv\n  limits: {table columns: 3}")
    assert "raise the limit `table_columns`" in failed.state.reasons[0]
    assert folder.run("shop:\n  read: shop.csv\n  limits: {table columns: 4}").state.steps["shop"].rows == 3
    failed = folder.run("shop:\n  read: shop.csv\n  limits: {tabel columns: 4}")
    assert "line 5: there is no limit `tabel columns`; did you mean `table columns`?" in failed.state.reasons[0]


def test_a_name_of_a_file_with_a_nul_is_an_error_with_its_line(folder: FlowFolder) -> None:
    """No file can have it."""
    with pytest.raises(UsageError, match="line 4: the text holds a NUL"):
        folder.run('shop:\n  read: "shop\\0.csv"')
