"""Runs that nobody watches: which run goes on, what stands in for what can't be read, who hears of it."""

import json
import re
from datetime import UTC, datetime, timedelta

import duckdb
import psycopg
import pytest
from bench.flow.postgres import LocalPostgres

from sightline.errors import UsageError
from sightline.flow.run import FlowRun

from ._shops import CAMERAS, Opened, Shop, Told, source
from .conftest import FlowFolder, day

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")


def prices(found: FlowRun, step: str) -> dict[str, str]:
    """The rows of a step."""
    return {row["name"]: row["price"] for row in found.rows(step).to_pylist()}


def test_a_page_that_was_empty_is_asked_again(folder: FlowFolder, opened: Opened) -> None:
    """The failure isn't repeated without a request: once the page is filled, the same run ends well."""
    shop = Shop({})
    found = folder.run(source("a", opened(shop)))
    assert found.verdict == "failed"
    shop.prices = CAMERAS
    again = folder.run()
    assert again.id == found.id
    assert again.verdict == "ok", again.state.reasons
    assert prices(again, "a") == CAMERAS
    assert shop.asked == 2


@pytest.mark.parametrize("later", [timedelta(hours=2), timedelta(days=1)])
def test_rows_of_yesterday_are_never_those_of_today(folder: FlowFolder, opened: Opened, later: timedelta) -> None:
    """A run that failed is too old to be taken up the next day: all is read anew, and the old run is closed."""
    up, down = Shop(CAMERAS), Shop({"Astra": "7", "Borea": "8", "Cygna": "9", "Delta": "6", "Ember": "5"})
    down.status = 404
    steps = source("a", opened(up)) + source("b", opened(down)) + "both:\n  union: [a, b]\n"
    found = folder.run(steps, now=day(16))
    assert set(found.errors) == {"b"}
    up.prices, down.status = {**CAMERAS, "Arden": "11"}, 200
    again = folder.run(now=day(16) + later)
    assert again.id != found.id
    assert prices(again, "both") == {**up.prices, **down.prices}
    assert "abandoned" in again.state.notices[0]
    assert "runs are taken up within" in again.state.notices[0]


def test_a_young_run_goes_on_where_it_was(folder: FlowFolder, opened: Opened) -> None:
    """What was read is read once, if the run is taken up within the hour."""
    up, down = Shop(CAMERAS), Shop(CAMERAS)
    down.status = 404
    found = folder.run(source("a", opened(up)) + source("b", opened(down)), now=day(16))
    down.status = 200
    again = folder.run(now=day(16) + timedelta(minutes=40))
    assert (again.id, again.verdict, up.asked) == (found.id, "ok", 1)


def test_how_long_a_run_may_wait_is_said_by_the_flow(folder: FlowFolder, opened: Opened) -> None:
    """And a run that is named goes on however old it is."""
    up, down = Shop(CAMERAS), Shop(CAMERAS)
    down.status = 404
    steps = source("a", opened(up)) + source("b", opened(down))
    found = folder.run(steps, head="resume_within: 5 minutes\n", now=day(16))
    down.status = 200
    again = folder.run(now=day(17), resume=found.id)
    assert (again.id, again.verdict, up.asked) == (found.id, "ok", 1)
    down.status = 404
    other = folder.run(now=day(18))
    assert folder.run(now=day(18) + timedelta(minutes=6)).id != other.id


def test_another_date_is_another_run(folder: FlowFolder) -> None:
    """A run that was left belongs to its due date; a past one says so in what it makes."""
    steps = "shop:\n  read: shop.csv\nkept:\n  sql: SELECT id, '{date}' AS day, {month} AS month FROM shop\n"
    broken = folder.run(steps + "late:\n  read: later.csv\n", due=day(3), now=day(16))
    (folder.path / "later.csv").write_text("a\n1\n")
    other = folder.run(due=day(4), now=day(16))
    assert other.id != broken.id
    assert {(row["day"], row["month"]) for row in other.rows("kept").to_pylist()} == {("2026-11-04", "11")}
    assert folder.run(due=day(4), now=day(16)).id != other.id  # that one was finished


def test_live_pages_are_refused_for_a_past_date(folder: FlowFolder, opened: Opened) -> None:
    """They show what is there now; nothing is asked for."""
    shop = Shop(CAMERAS)
    with pytest.raises(UsageError, match="`a` reads live pages, which can't show 2026-11-03"):
        folder.run(source("a", opened(shop)), due=day(3), now=day(16))
    assert shop.asked == 0


def test_a_finished_run_is_not_resumed(folder: FlowFolder) -> None:
    """Asking for it is a mistake, and so is asking for one that never was."""
    found = folder.run("shop:\n  read: shop.csv\n")
    for run, why in ((found.id, "is finished"), ("nowhere", "has no run nowhere")):
        with pytest.raises(UsageError, match=why):
            folder.run(resume=run)


def test_rows_of_an_optional_source_may_be_missing(folder: FlowFolder, opened: Opened) -> None:
    """The others flow on, and everything behind it is suspicious."""
    up, down = Shop(CAMERAS), Shop({})
    down.status = 404
    steps = source("a", opened(up)) + source("b", opened(down), "optional: true") + "both:\n  union: [a, b]\n"
    found = folder.run(steps)
    assert prices(found, "both") == CAMERAS
    states = found.state.steps
    assert [states[name].verdict for name in ("a", "b", "both")] == ["ok", "suspicious", "suspicious"]
    assert "it is optional, so its rows are missing" in states["b"].reasons[0]
    assert found.state.is_finished


def test_the_last_good_rows_stand_in_for_a_while(folder: FlowFolder, opened: Opened) -> None:
    """Marked with the time at which they were read, and never under ok; when they are too old, the source fails."""
    shop = Shop(CAMERAS)
    steps = source("a", opened(shop), "keep_last: 3 days")
    first = folder.run(steps, now=day(10))
    assert first.verdict == "ok"
    shop.status = 404
    for number in (11, 12):  # rows that stand in are never taken for good ones of their day
        found = folder.run(now=day(number))
        assert (found.verdict, prices(found, "a")) == ("suspicious", CAMERAS)
        kept_from = {row["_kept_from"][:10] for row in found.rows("a").to_pylist()}
        assert kept_from == {"2026-11-10"}
        assert "the rows of 2026-11-10 06:30 UTC stand in" in found.state.reasons[0]
    assert set(folder.run(now=day(14)).errors) == {"a"}


def test_whoever_is_named_hears_how_a_run_ended(folder: FlowFolder, opened: Opened, told: Told) -> None:
    """Whatever becomes of its steps, and once for each way in which it ended."""
    shop = Shop({})
    shop.status = 404
    head = f'on_failure: "{told.address}"\non_suspicious: "{told.address}"\non_success: ["{told.address}"]\n'
    folder.run(source("a", opened(shop)), head=head)
    folder.run()
    assert told.titles == ["prices: failed"]
    shop.status, shop.prices = 200, CAMERAS
    assert folder.run().verdict == "ok"
    assert told.titles == ["prices: failed", "prices: ok"]


def test_a_run_that_cannot_begin_is_told_too(folder: FlowFolder, told: Told) -> None:
    """A missing secret is found before anything is read, and whoever is to hear of failures does."""
    head = f'secrets:\n  warehouse: {{environment: NO_SUCH_WAREHOUSE}}\non_failure: "{told.address}"\n'
    steps = (
        "shop:\n  read: shop.csv\none:\n  deliver: shop\n  to: one.csv\n"
        "two:\n  deliver: shop\n  to: {secret: warehouse}\n  table: t\n"
    )
    with pytest.raises(UsageError, match="The secret `warehouse` is not there"):
        folder.run(steps, head=head)
    assert not (folder.path / "one.csv").exists()
    assert told.titles == ["prices: failed"]


@pytest.mark.parametrize(
    ("steps", "head", "problem"),
    [
        ("told:\n  notify: shop\n  to: nowhere\n  when: new rows\n", "", "isn't one that apprise knows"),
        ("", "on_failure: nowhere\n", "isn't one that apprise knows"),
        ("kept:\n  deliver: shop\n  to: shop.csv/x.csv\n", "", "isn't a folder"),
        ("page:\n  extract: page.html\n  wrapper: gone.wrapper.json\n", "", "there is no file"),
    ],
)
def test_what_is_wrong_is_found_before_anything_is_read(
    folder: FlowFolder, steps: str, head: str, problem: str
) -> None:
    """Also an address that nobody would have been told at until there is something to tell."""
    with pytest.raises(UsageError, match=problem):
        folder.run("shop:\n  read: shop.csv\n" + steps, head=head)
    assert not folder.events


KEPT = "shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: prices.duckdb#shop\n"


@pytest.mark.parametrize(
    ("made", "keys", "problem"),
    [
        ("CREATE TABLE shop (id VARCHAR, name VARCHAR)", "", "lacks the column 'price'"),
        ("CREATE TABLE shop (code VARCHAR)", "  key: id\n", "has no column 'id' for the key"),
        ("CREATE TABLE shop (id VARCHAR)", "  mode: history\n  key: id\n", "so it keeps no history"),
    ],
)
def test_a_table_that_does_not_fit_is_found_before_anything_is_read(
    folder: FlowFolder, made: str, keys: str, problem: str
) -> None:
    """By the columns that the last run had, or by the key alone before there is a run."""
    if "lacks" in problem:
        assert folder.run(KEPT + keys).verdict == "ok"
        (folder.path / "prices.duckdb").unlink()
    with duckdb.connect(str(folder.path / "prices.duckdb")) as connection:
        connection.execute(made)
    with pytest.raises(UsageError, match=problem):
        folder.run(KEPT + keys)
    assert not folder.events


def test_a_right_that_is_missing_is_found_before_anything_is_read(folder: FlowFolder, server: LocalPostgres) -> None:
    """A user who may only read cannot be delivered by."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS rights, _sightline_loads; DROP ROLE IF EXISTS reader")
        connection.execute("CREATE TABLE rights (id text, name text, price text, seen text)")
        connection.execute("CREATE ROLE reader LOGIN; GRANT SELECT ON rights TO reader")
    address = server.url().replace("postgres@", "reader@")
    steps = f'shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: "{address}#rights"\n  key: id\n'
    with pytest.raises(UsageError, match="the user lacks the right to INSERT, UPDATE there"):
        folder.run(steps)
    assert not folder.events


def test_a_server_that_is_down_stops_nothing_beforehand(folder: FlowFolder) -> None:
    """Rows of today are read today; the delivery is done when the server is up again."""
    steps = 'shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: "postgresql://nobody@127.0.0.1:1/x#t"\n  key: id\n'
    found = folder.run(steps)
    assert set(found.errors) == {"kept"}
    assert found.state.steps["shop"].is_done


VALUE = 'it\'s {1} "all" -- ;DROP TABLE shop'


def test_variables_in_sql_are_bound_and_never_pasted(folder: FlowFolder) -> None:
    """Whatever they hold: alone, inside of a text, and in a comparison."""
    sql = "SELECT id, {note} AS note, 'on {day}: {note}' AS told FROM shop WHERE id < {most} -- {not one}"
    head = f"variables:\n  note: {json.dumps(VALUE)}\n  day: 2026-11-16\n  most: '3'\n"
    found = folder.run(f"shop:\n  read: shop.csv\nkept:\n  sql: {json.dumps(sql)}\n", head=head)
    assert found.verdict == "ok", found.state.reasons
    expected = {"note": VALUE, "told": f"on 2026-11-16: {VALUE}"}
    assert found.rows("kept").to_pylist() == [{"id": one, **expected} for one in ("1", "2")]


@pytest.mark.parametrize("database", ["duckdb", "sqlite", "postgresql"])
def test_variables_in_queries_are_bound(folder: FlowFolder, database: str, request: pytest.FixtureRequest) -> None:
    """In the SQL of each database; a per cent sign stays one."""
    to = f"{folder.path}/x.{database}"
    if database == "postgresql":
        to = request.getfixturevalue("server").url()
    target = f"sqlite:{to}#shop" if database == "sqlite" else f"{to}#shop_of_nights"
    table = "shop" if database == "sqlite" else "shop_of_nights"
    made = folder.run(f'shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: "{target}"\n  mode: replace\n')
    assert made.verdict == "ok", made.state.reasons
    sql = f"SELECT id, 'of {{note}}' AS told FROM {table} WHERE name LIKE 'Ard%' AND id = {{wanted}}"
    head = f"variables:\n  note: {json.dumps(VALUE)}\n  wanted: '2'\n"
    found = folder.run(f'found:\n  query: {json.dumps(sql)}\n  from: "{to}"\n', head=head)
    assert found.rows("found").to_pylist() == [{"id": "2", "told": f"of {VALUE}"}]


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT {dya} FROM shop", "the variable `dya` is not known; did you mean `day`?"),
        ('SELECT "{day}" FROM shop', "the variable `day` stands in a name"),
    ],
)
def test_variables_in_sql_that_cannot_be_meant(folder: FlowFolder, sql: str, problem: str) -> None:
    """The text `{dya}` is never delivered."""
    with pytest.raises(UsageError, match=re.escape(problem)):
        folder.run(f"shop:\n  read: shop.csv\nkept:\n  sql: {json.dumps(sql)}\n", head="variables:\n  day: monday\n")


def test_a_length_of_time_is_read_in_words(folder: FlowFolder) -> None:
    """What isn't one is a mistake with its line."""
    with pytest.raises(UsageError, match="line 2: “soon” isn't a length of time"):
        folder.run("shop:\n  read: shop.csv\n", head="resume_within: soon\n")


def test_the_due_date_is_that_of_a_history(folder: FlowFolder) -> None:
    """Rows of a late run are valid from the day that it is for."""
    folder.run(
        "shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: prices.duckdb#shop\n  mode: history\n  key: id\n",
        due=day(3),
        now=datetime(2026, 11, 16, tzinfo=UTC),
    )
    assert {row[0].date() for row in folder.query("SELECT valid_from FROM shop")} == {day(3).date()}


def _shop(folder: FlowFolder, columns: str, *rows: str) -> None:
    (folder.path / "shop.csv").write_text("\n".join([columns, *rows]) + "\n")


def test_a_new_column_is_told_once_and_kept(folder: FlowFolder) -> None:
    """The run is suspicious the first time; from then on the column belongs to the source."""
    steps = "shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: out.csv\n"
    assert folder.run(steps, now=day(10)).verdict == "ok"
    _shop(folder, "id,name,price,seen,stock", "1,Arden,10,2026-11-16,3")
    found = folder.run(now=day(11))
    assert found.verdict == "suspicious"
    assert found.state.reasons == ("shop: has the new column `stock`, which it did not have before.",)
    assert "stock" in (folder.path / "out.csv").read_text()
    assert folder.run(now=day(12)).verdict == "ok"


def test_a_column_that_is_gone_is_told_once(folder: FlowFolder) -> None:
    """One that comes back is known."""
    folder.run("shop:\n  read: shop.csv\n", now=day(10))
    _shop(folder, "id,name,price", "1,Arden,10")
    found = folder.run(now=day(11))
    assert found.state.reasons == ("shop: no longer has the column `seen`.",)
    assert folder.run(now=day(12)).verdict == "ok"
    _shop(folder, "id,name,price,seen", "1,Arden,10,2026-11-16")
    assert folder.run(now=day(13)).verdict == "ok"


def test_a_retyped_column_is_told(folder: FlowFolder) -> None:
    """As a database gives it."""
    with duckdb.connect(str(folder.path / "x.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS id, 2 AS price")
    folder.run("t:\n  query: SELECT * FROM t\n  from: x.duckdb\n", now=day(10))
    with duckdb.connect(str(folder.path / "x.duckdb")) as connection:
        connection.execute("ALTER TABLE t ALTER price TYPE VARCHAR")
    found = folder.run(now=day(11))
    assert found.state.reasons == ("t: `price` was of the type int32 and is of string.",)


def test_a_new_column_may_be_ignored_or_stop_the_run(folder: FlowFolder) -> None:
    """As its source says."""
    steps = "shop:\n  read: shop.csv\n  on_new_column: {how}\nkept:\n  deliver: shop\n  to: out.csv\n"
    folder.run(steps.format(how="ignore"), now=day(10))
    _shop(folder, "id,name,price,seen,stock", "1,Arden,10,2026-11-16,3")
    for number in (11, 12):
        found = folder.run(now=day(number))
        assert found.verdict == "ok", found.state.reasons
        assert found.state.steps["shop"].notes == ("left out the new column `stock`",)
        assert "stock" not in (folder.path / "out.csv").read_text()
    found = folder.run(steps.format(how="stop"), now=day(13))
    assert "`shop` has the new column `stock`" in str(found.errors["shop"])
