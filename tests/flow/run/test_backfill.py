"""Days that are run again, or late: what they replace, where they go, and from where they are read."""

import json
import sqlite3
import tarfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from pyarrow import parquet

import sightline as sl
from sightline.errors import UsageError
from sightline.flow.run import FlowRun, FlowStore, due_dates, due_meant, due_on_day
from sightline.flow.spec import Flow
from sightline.page import Page
from sightline.project import Project, page_info

from ...cli._inside import sightline
from ..deliver._service import Answer, Request, Service
from ..deliver.test_webhook import Replacing
from ._shops import CAMERAS, Opened, Shop, source
from .conftest import FlowFolder, day

EVERYWHERE = """
log:
  deliver: a
  to: prices.duckdb#log
  mode: append
history:
  deliver: a
  to: prices.duckdb#history
  mode: history
  key: name
lite:
  deliver: a
  to: sqlite:prices.sqlite#log
  mode: append
folder:
  deliver: a
  to: parquet:daily/
  mode: append
lake:
  deliver: a
  to: delta:lake/
  mode: append
file:
  deliver: a
  to: latest.csv
"""
READ = "a:\n  read: shop.csv\n"


def write_shop(folder: FlowFolder, **prices: int) -> None:
    """What the file says now."""
    rows = "".join(f"{name},{price}\n" for name, price in prices.items())
    (folder.path / "shop.csv").write_text(f"name,price\n{rows}")


def history(folder: FlowFolder) -> list[tuple[str, str, int, int | None]]:
    """The history by days."""
    rows = folder.query("SELECT name, price, valid_from, valid_to FROM history ORDER BY name, valid_from")
    return [(name, price, since.day, until.day if until else None) for name, price, since, until in rows]


def counts(folder: FlowFolder) -> dict[str, int]:
    """How many rows each target has that adds them."""
    with sqlite3.connect(folder.path / "prices.sqlite") as connection:
        lite = connection.execute("SELECT count(*) FROM log").fetchone()[0]
    from deltalake import DeltaTable

    return {
        "log": folder.query("SELECT count(*) FROM log")[0][0],
        "lite": lite,
        "folder": sum(parquet.read_metadata(one).num_rows for one in (folder.path / "daily").glob("*.parquet")),
        "lake": DeltaTable(folder.path / "lake").to_pyarrow_dataset().count_rows(),
    }


def test_a_day_that_is_run_again_replaces_what_it_delivered(folder: FlowFolder) -> None:
    """In every target: nothing is there twice, and nothing of that day stays that it no longer has."""
    write_shop(folder, arden=10, lumora=20)
    folder.run(READ + EVERYWHERE, due=day(10), now=day(16))
    write_shop(folder, arden=11, lumora=20)
    folder.run(due=day(11), now=day(16) + timedelta(hours=2))
    write_shop(folder, arden=12, corvus=30, heliox=40)
    again = folder.run(due=day(10), now=day(17))
    assert again.verdict == "ok", again.state.reasons
    assert counts(folder) == dict.fromkeys(("log", "lite", "folder", "lake"), 5)
    assert history(folder) == [
        ("arden", "12", 10, 11),
        ("arden", "11", 11, None),
        ("corvus", "30", 10, 11),
        ("heliox", "40", 10, 11),
        ("lumora", "20", 11, None),
    ]
    # The file shows the latest day, whichever is run last.
    assert '"arden","11"' in (folder.path / "latest.csv").read_text()
    assert "left as it is: it shows 2026-11-11 06:30 UTC" in again.state.steps["file"].notes[0]


def test_a_late_day_goes_into_its_place(folder: FlowFolder) -> None:
    """What was known of the days around it stays."""
    write_shop(folder, arden=10)
    steps = READ + EVERYWHERE[EVERYWHERE.index("history:") : EVERYWHERE.index("lite:")]
    folder.run(steps, due=day(10), now=day(10))
    write_shop(folder, arden=12)
    folder.run(due=day(12), now=day(12))
    write_shop(folder, arden=11)
    folder.run(due=day(11), now=day(13))
    assert history(folder) == [("arden", "10", 10, 11), ("arden", "11", 11, 12), ("arden", "12", 12, None)]


def test_a_web_hook_gets_a_day_again_only_if_it_differs(folder: FlowFolder) -> None:
    """The same rows are not posted again, and other ones replace them."""
    receiver = Replacing()
    with Service(receiver) as service:
        (folder.path / "ids.csv").write_text("id\n1\n2\n")
        steps = f"a:\n  read: ids.csv\nhook:\n  deliver: a\n  to: {service.url}/hook\n"
        folder.run(steps, due=day(10), now=day(16))
        folder.run(due=day(10), now=day(17))
        assert receiver.posts == 1
        (folder.path / "ids.csv").write_text("id\n1\n3\n")
        folder.run(due=day(10), now=day(18))
    assert receiver.ids == ["1", "3"]


# ---------------------------------------------------------------------- captures


def prices_of(run: FlowRun, step: str) -> dict[str, str]:
    """The rows of a step."""
    return {row["name"]: row["price"] for row in run.rows(step).to_pylist()}


def test_a_past_day_is_read_from_what_was_captured_then(folder: FlowFolder, opened: Opened) -> None:
    """The page is not asked again: it shows another day by now."""
    shop = Shop(CAMERAS)
    steps = source("a", opened(shop)) + EVERYWHERE[: EVERYWHERE.index("lite:")]
    folder.run(steps, now=day(10))
    shop.prices = {**CAMERAS, "Arden": "99"}
    folder.run(now=day(11))
    asked = shop.asked
    again = folder.run(due=day(10), now=day(12))
    assert (again.verdict, prices_of(again, "a")) == ("ok", CAMERAS)
    assert shop.asked == asked
    assert folder.query("SELECT count(*) FROM log") == [(10,)]
    assert [row for row in history(folder) if row[0] == "Arden"] == [("Arden", "10", 10, 11), ("Arden", "99", 11, None)]


def test_a_day_without_a_capture_is_refused(folder: FlowFolder, opened: Opened) -> None:
    """Before anything is delivered."""
    shop = Shop(CAMERAS)
    folder.run(source("a", opened(shop)), now=day(10))
    with pytest.raises(UsageError, match="which can't show 2026-11-09, and none were captured for it"):
        folder.run(due=day(9), now=day(12))


def test_an_optional_source_without_a_capture_is_missing(folder: FlowFolder, opened: Opened) -> None:
    """The page is not asked: it would show another day."""
    shop = Shop(CAMERAS)
    optional = source("a", opened(shop)).rstrip() + "\n  optional: true\n"
    folder.run(optional + "b:\n  read: shop.csv\n", now=day(10))
    asked = shop.asked
    found = folder.run(due=day(9), now=day(12))
    assert (found.verdict, found.state.steps["a"].rows, found.state.steps["b"].rows) == ("suspicious", 0, 3)
    assert "can't show 2026-11-09" in " ".join(found.state.reasons)
    assert shop.asked == asked


def test_rows_of_later_days_do_not_stand_in(folder: FlowFolder) -> None:
    """What was read after a day says nothing about it."""
    kept = "a:\n  read: shop-{date}.csv\n  keep_last: 30 days\n  optional: true\n"
    for number in (10, 12):
        (folder.path / f"shop-2026-11-{number}.csv").write_text(f"name,price\narden,{number}\n")
        folder.run(kept, due=day(number), now=day(number))
    found = folder.run(due=day(11), now=day(13))
    assert found.rows("a").column("price").to_pylist() == ["10"]
    assert found.verdict == "suspicious"
    assert folder.run(due=day(8), now=day(13)).rows("a").num_rows == 0


def test_pages_that_anybody_captured_on_that_day_are_used(folder: FlowFolder, opened: Opened) -> None:
    """Such as those that were saved in the Studio; the last one of the day counts."""
    shop = Shop(CAMERAS)
    address = opened(shop)
    project = Project(folder.path / "store")
    for hour, price in ((8, "70"), (20, "71")):
        shop.prices = {**CAMERAS, "Arden": price}
        page: Page = sl.open(address, static=True)
        project.keep_page(page, page_info(page, source=address, opened=datetime(2026, 11, 9, hour, tzinfo=UTC)))
    found = folder.run(source("a", address), due=datetime(2026, 11, 9, tzinfo=UTC), now=day(12))
    assert prices_of(found, "a")["Arden"] == "71"


def test_a_list_over_several_pages_is_collected_again_from_its_captures(folder: FlowFolder) -> None:
    """All its pages, and the details of each record."""
    asked: list[str] = []

    def page(request: Request) -> Answer:
        path = request.path
        if path == "/robots.txt":
            return Answer(404)
        asked.append(path)
        number = int(path.rpartition("=")[2]) if "=" in path else 1
        items = "".join(
            f"<li><h3><a href='/item/{number}{one}'>Camera {number}{one}</a></h3><p>{number}{one} €</p></li>"
            for one in range(6)
        )
        following = f"<a rel=next href='/list?page={number + 1}'>Next</a>" if number < 3 else ""
        return Answer(200, f"<title>Cameras</title><ul>{items}</ul>{following}".encode(), {"Content-Type": "text/html"})

    with Service(page) as service:
        first = folder.run(f"a:\n  collect: {service.url}/list\n  static: true\n", now=day(10))
        assert first.state.steps["a"].rows == 18, first.state.reasons
        before = len(asked)
        again = folder.run(due=first.state.due_at, now=day(12))
        assert len(asked) == before
    assert again.rows("a").to_pylist() == first.rows("a").to_pylist()


# ---------------------------------------------------------------------- which date is meant


def flow_of(folder: FlowFolder, head: str = "") -> Flow:
    """A flow of one file."""
    return Flow.load(folder.write(READ, head))


def test_a_day_means_its_only_due_date(folder: FlowFolder) -> None:
    """That of its run, else that of the schedule, else its beginning."""
    store = FlowStore(folder.path / "store", "prices")
    assert due_on_day(flow_of(folder), store, date(2026, 11, 10)) == datetime(2026, 11, 10, tzinfo=UTC)
    scheduled = flow_of(folder, "schedule: every day at 6:30 Europe/Vienna\n")
    assert due_on_day(scheduled, store, date(2026, 11, 10)).isoformat() == "2026-11-10T06:30:00+01:00"
    write_shop(folder, arden=1)
    found = folder.run(READ, now=day(10))
    assert due_on_day(flow_of(folder), store, date(2026, 11, 10)) == found.state.due_at
    folder.run(now=day(10) + timedelta(hours=5))
    with pytest.raises(UsageError, match=r"was due 2 times on 2026-11-10 \(06:30, 11:30\)"):
        due_on_day(flow_of(folder), store, date(2026, 11, 10))


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("2026-11-10", "2026-11-10T06:30:00+01:00"),
        ("2026-11-10T08:00", "2026-11-10T08:00:00+01:00"),
        ("2026-11-10T08:00+00:00", "2026-11-10T08:00:00+00:00"),
    ],
)
def test_a_time_without_a_zone_is_of_the_schedule(folder: FlowFolder, text: str, due: str) -> None:
    """As days are; without a schedule it is of UTC."""
    store = FlowStore(folder.path / "store", "prices")
    scheduled = flow_of(folder, "schedule: every day at 6:30 Europe/Vienna\n")
    assert due_meant(text, scheduled, store).isoformat() == due
    assert due_meant("2026-11-10T08:00", flow_of(folder), store) == datetime(2026, 11, 10, 8, tzinfo=UTC)


def test_due_dates_between_two_days(folder: FlowFolder) -> None:
    """Those of the schedule that have come, or one each day; with `missing`, those without a complete run."""
    store = FlowStore(folder.path / "store", "prices")
    flow = flow_of(folder, "schedule: every weekday at 6:30 UTC\n")
    span = date(2026, 11, 13), date(2026, 11, 20)
    dues = due_dates(flow, store, *span, now=day(18))
    assert [due.day for due in dues] == [13, 16, 17, 18]
    write_shop(folder, arden=1)
    folder.run(READ, due=day(16), now=day(18), head="schedule: every weekday at 6:30 UTC\n")
    assert [due.day for due in due_dates(flow, store, *span, now=day(18), missing=True)] == [13, 17, 18]
    assert len(due_dates(flow_of(folder), store, *span, now=day(18))) == 6
    with pytest.raises(UsageError, match="give the earlier one first"):
        due_dates(flow, store, *reversed(span), now=day(18))


def test_a_day_with_several_runs_stops_no_backfill(folder: FlowFolder) -> None:
    """Without a schedule, each of its runs is a due date of its own; days without a run have one."""
    write_shop(folder, arden=1)
    runs = [folder.run(READ, now=day(10) + timedelta(hours=hours)) for hours in (0, 5)]
    store = FlowStore(folder.path / "store", "prices")
    span = date(2026, 11, 9), date(2026, 11, 11)
    dues = due_dates(flow_of(folder), store, *span, now=day(16))
    assert dues == (
        datetime(2026, 11, 9, tzinfo=UTC),
        *(run.state.due_at for run in runs),
        datetime(2026, 11, 11, tzinfo=UTC),
    )
    assert due_dates(flow_of(folder), store, *span, now=day(16), missing=True) == (dues[0], dues[-1])
    assert due_dates(flow_of(folder), store, span[0], now=day(11))[-1] == dues[-1]  # to today, if nobody says


def test_the_command_runs_days_and_says_if_none_is_left(folder: FlowFolder) -> None:
    """One document for all of them; the exit status is 4 if there is nothing to do."""
    write_shop(folder, arden=10)
    folder.write(READ + "log:\n  deliver: a\n  to: prices.duckdb#log\n  mode: append\n")
    command = ["run", folder.path / "prices.flow.yaml", "--from", "2026-11-01", "--to", "2026-11-03", "--json"]
    done = sightline(*command)
    assert done.status == 0, done.errors
    runs = json.loads(done.output)["runs"]
    assert [run["due"][:10] for run in runs] == ["2026-11-01", "2026-11-02", "2026-11-03"]
    assert folder.query("SELECT count(*) FROM log") == [(3,)]
    again = sightline(*command, "--missing")
    assert (again.status, json.loads(again.output)) == (4, {"runs": []})
    assert sightline(*command).status == 0
    assert folder.query("SELECT count(*) FROM log") == [(3,)]
    assert sightline("run", folder.path / "prices.flow.yaml", "--date", "2026-11-02", "--missing").status == 4


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--to", "2026-11-03"], "are for --from"),
        (["--from", "yesterday"], "isn't a day"),
        (["--from", "2026-11-03", "--date", "2026-11-03"], "leave out --date"),
        (["--from", "2026-11-03", "--to", "2026-11-01"], "give the earlier one first"),
    ],
)
def test_dates_that_cannot_be_meant(folder: FlowFolder, words: list[str], problem: str) -> None:
    """Are told in one sentence, before anything is read."""
    folder.write(READ)
    done = sightline("run", folder.path / "prices.flow.yaml", *words)
    assert done.status == 2
    assert problem in " ".join(done.errors.split())


# ---------------------------------------------------------------------- stores of earlier versions


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A flow with its store and targets, as version 1 left them: a day that is done, and one that failed."""
    with tarfile.open(Path(__file__).with_name("state-1.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def _run_old(folder: Path, due: datetime) -> FlowRun:
    return sl.run(folder / "prices.flow.yaml", store=folder / "store", due=due)


def test_a_store_of_an_earlier_version_is_upgraded_with_a_backup(old_store: Path) -> None:
    """Its runs are all there, and a copy of what they were."""
    runs = old_store / "store/flows/prices/runs"
    before = {path.parent.name: path.read_bytes() for path in runs.glob("*/run.json")}
    (old_store / "later.csv").write_text("a,b\n1,x\n")
    found = _run_old(old_store, datetime(2026, 11, 18, 6, 30, tzinfo=UTC))
    assert found.verdict == "ok", found.state.reasons
    backup = old_store / "store/flows/prices/backup-1/runs"
    assert {path.parent.name: path.read_bytes() for path in backup.glob("*/run.json")} == before
    states = FlowStore(old_store / "store", "prices").runs()
    assert [state.version for state in states] == [2, 2, 2]
    with duckdb.connect(str(old_store / "prices.duckdb")) as connection:
        assert connection.execute("SELECT count(*) FROM log").fetchone() == (9,)
        kept = connection.execute("SELECT price, valid_from FROM kept WHERE id = '2' ORDER BY valid_from").fetchall()
        assert [(str(price), since.day) for price, since in kept] == [("879.00", 16), ("859.00", 17)]


def test_a_day_of_an_earlier_version_is_replaced_where_it_can_be_told(old_store: Path) -> None:
    """A folder knows its files and a history its dates; rows that were added to a table are not guessed at."""
    (old_store / "later.csv").write_text("a,b\n1,x\n")
    found = _run_old(old_store, datetime(2026, 11, 16, 6, 30, tzinfo=UTC))
    errors = found.errors
    assert set(errors) == {"log", "lite", "last"}, errors
    assert "no column _sightline_load says which they are" in str(errors["log"])
    files = list((old_store / "daily").glob("*.parquet"))
    assert sum(parquet.read_metadata(one).num_rows for one in files) == 6
    with duckdb.connect(str(old_store / "prices.duckdb")) as connection:
        kept = connection.execute("SELECT price, valid_from FROM kept WHERE id = '2' ORDER BY valid_from").fetchall()
        assert [(str(price), since.day) for price, since in kept] == [("859.00", 16)]


def test_a_store_of_a_newer_version_is_left_alone(old_store: Path) -> None:
    """With a sentence that says what to do."""
    (old_store / "store/flows/prices/store.json").write_text(
        '{"format": "sightline flow store", "version": 9, "token": "x"}'
    )
    with pytest.raises(UsageError, match="was written by a newer version of Sightline"):
        _run_old(old_store, datetime(2026, 11, 18, tzinfo=UTC))
