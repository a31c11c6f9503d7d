"""Runs for other days over a real server: a date that is given, backfills with their progress, and what is refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pytest

from .._server import Site, reply, serve_from_thread
from .._wait import wait_until
from ._running import Running, running

TEXT = """\
flow: 1
steps:
  shop:
    read: shop.csv
  kept:
    deliver: shop
    to: out.duckdb#log
    mode: append
"""
SCHEDULED = TEXT.replace("flow: 1\n", "flow: 1\nschedule: every day at 6:30 Europe/Vienna\n")
OFTEN = TEXT.replace("flow: 1\n", "flow: 1\nschedule: every 6 hours UTC\n")


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Running]:
    """A server of a project with a table."""
    (tmp_path / "shop.csv").write_text("name,price\nA,10\nB,20\n")
    with running(tmp_path) as found:
        yield found


def _flow(studio: Running, text: str = TEXT, name: str = "prices") -> None:
    studio.post("/flows", {"name": name, "text": text}, 201)


def _events(studio: Running, job: dict[str, Any]) -> list[dict[str, Any]]:
    """What a job found, in order, once it has ended."""
    text = studio.client.get(f"/api/jobs/{job['id']}/events").text
    parts = [part.splitlines() for part in text.split("\n\n") if "event: found" in part]
    return [orjson.loads(line.removeprefix("data: ")) for part in parts for line in part if line.startswith("data: ")]


def _count(studio: Running) -> int:
    with duckdb.connect(str(studio.studio.folder / "out.duckdb"), read_only=True) as database:
        found: tuple[int] = database.execute("SELECT count(*) FROM log").fetchall()[0]
    return found[0]


def _page(*names: str) -> bytes:
    rows = "".join(f"<tr><td>{name}<td>5" for name in names)
    return reply(f"<!doctype html><title>Prices</title><table><tr><th>name<th>price{rows}</table>".encode())


@contextmanager
def _shop() -> Iterator[tuple[Site, str]]:
    """A page on the loopback, and a flow that reads it."""
    with serve_from_thread({"/shop": _page("D", "E")}) as site:
        source = f'extract: "{site.url("/shop")}"\n    take: tables\n    static: true'
        yield site, TEXT.replace("read: shop.csv", source)


# ---------------------------------------------------------------------- one other day


def test_a_run_for_another_day_is_one_of_its_due_date(studio: Running) -> None:
    """A day means the time at which the schedule was due; the run says that it was asked for."""
    _flow(studio, SCHEDULED)
    done = studio.finished(studio.post("/flows/prices/runs", {"date": "2026-11-01"}, 202))
    assert done["state"] == "done", done
    run = studio.get(f"/flows/prices/runs/{done['result']['run']}")
    assert (run["due"], run["dated"], run["abandoned"]) == ("2026-11-01T06:30:00+01:00", True, "")
    assert datetime.fromisoformat(run["began"]) > datetime.fromisoformat(run["due"])
    again = studio.finished(studio.post("/flows/prices/runs", {}, 202))
    newest = studio.get("/flows/prices/runs")[0]
    assert (newest["id"], newest["dated"]) == (again["result"]["run"], False)
    assert newest["due"] == newest["began"]


@pytest.mark.parametrize(
    ("text", "date", "said"),
    [
        (TEXT, "yesterday", "“yesterday” isn't a date; write it as 2026-11-01"),
        (OFTEN, "2026-11-01", "was due 4 times on 2026-11-01 (00:00, 06:00, 12:00, 18:00); give the time as well"),
    ],
)
def test_a_day_that_cannot_be_meant_is_refused_at_once(studio: Running, text: str, date: str, said: str) -> None:
    """In a sentence, before a job is begun; with its time, one of several due dates can be meant."""
    _flow(studio, text)
    problem = studio.post("/flows/prices/runs", {"date": date}, 422)
    assert said in problem["detail"]
    assert studio.get("/flows/prices/runs") == []
    done = studio.finished(studio.post("/flows/prices/runs", {"date": "2026-11-01T06:00+00:00"}, 202))
    assert studio.get(f"/flows/prices/runs/{done['result']['run']}")["due"] == "2026-11-01T06:00:00+00:00"


# ---------------------------------------------------------------------- many days


def test_a_backfill_runs_every_due_date_and_tells_each(studio: Running) -> None:
    """Its events say which date is underway and what became of it; between them come those of the steps."""
    _flow(studio, SCHEDULED)
    job = studio.post("/flows/prices/backfills", {"from": "2026-11-01", "to": "2026-11-03"}, 202)
    assert job["kind"] == "backfill"
    events = _events(studio, job)
    done = studio.finished(job)
    assert done["state"] == "done", done
    assert done["progress"]["done"] == done["progress"]["total"] == 3
    days = [event for event in events if event["kind"] == "day"]
    due = [f"2026-11-0{day}T06:30:00+01:00" for day in (1, 2, 3)]
    assert [(day["due"], day["state"]) for day in days] == [
        (one, state) for one in due for state in ("running", "done")
    ]
    assert [day for day in days if day["state"] == "done"] == done["result"]["days"]
    between = events[events.index(days[0]) : events.index(days[1])]
    assert [event["step"] for event in between if event["kind"] == "done"] == ["shop", "kept"]
    runs = {run["id"]: run["due"] for run in studio.get("/flows/prices/runs")}
    assert [runs[day["run"]] for day in done["result"]["days"]] == due
    assert _count(studio) == 6


def test_only_missing_days_are_run_and_if_none_is_left_that_is_said(studio: Running) -> None:
    """What is left can be asked for beforehand."""
    _flow(studio)
    studio.finished(studio.post("/flows/prices/runs", {"date": "2026-11-02"}, 202))
    span = {"from": "2026-11-01", "to": "2026-11-03"}
    assert studio.get("/flows/prices/due-dates", params=span) == {
        "total": 3,
        "left": 2,
        "first": "2026-11-01T00:00:00+00:00",
        "last": "2026-11-03T00:00:00+00:00",
    }
    done = studio.finished(studio.post("/flows/prices/backfills", span | {"missing": True}, 202))
    assert [day["due"][:10] for day in done["result"]["days"]] == ["2026-11-01", "2026-11-03"]
    assert studio.get("/flows/prices/due-dates", params=span)["left"] == 0
    again = studio.finished(studio.post("/flows/prices/backfills", span | {"missing": True}, 202))
    words = "Nothing to do: prices has no due date from 2026-11-01 to 2026-11-03 that is left to be run."
    assert again["result"] == {"days": [], "nothing": words}
    later = f"{datetime.now(UTC).date() + timedelta(days=9):%Y-%m-%d}"
    assert studio.get("/flows/prices/due-dates", params={"from": later, "to": later})["total"] == 0


@pytest.mark.parametrize(
    ("span", "said"),
    [
        ({"from": "2026-11-03", "to": "2026-11-01"}, "give the earlier one first"),
        ({"from": "last week"}, "“last week” isn't a day; write it as 2026-11-01."),
        ({"from": "1600-01-01", "to": "2026-11-01"}, "more than 10,000 due dates"),
        ({}, "from: field required"),
    ],
)
def test_days_that_cannot_be_meant_are_refused_at_once(studio: Running, span: dict[str, str], said: str) -> None:
    """By the look beforehand as well."""
    _flow(studio)
    assert said in studio.post("/flows/prices/backfills", span, 422)["detail"]
    assert said in studio.get("/flows/prices/due-dates", 422, params=span)["detail"]


def test_a_live_page_is_refused_for_days_without_a_capture(studio: Running) -> None:
    """Each with a sentence; a day that was captured is read again as it was, and today is read as it is."""
    today = datetime.now(UTC).date()
    with _shop() as (site, text):
        _flow(studio, text)
        assert studio.finished(studio.post("/flows/prices/runs", {}, 202))["result"]["verdict"] == "ok"
        asked = len(site.paths())
        span = {"from": f"{today - timedelta(days=2)}", "to": f"{today}"}
        days = studio.finished(studio.post("/flows/prices/backfills", span, 202))["result"]["days"]
        assert [day["state"] for day in days] == ["refused", "refused", "done"]
        said = f"`shop` reads live pages, which can't show {today - timedelta(days=2)}, and none were captured for it"
        assert said in days[0]["problem"]
        assert str(studio.studio.folder) not in days[0]["problem"]
        assert days[0]["run"] is None
        assert len(site.paths()) == asked + 1
        assert len(studio.get("/flows/prices/runs")) == 2


def test_a_backfill_can_be_stopped_and_nothing_runs_beside_it(studio: Running) -> None:
    """What was done stays; another run is refused meanwhile, and begins when the backfill has ended."""
    _flow(studio)
    job = studio.post("/flows/prices/backfills", {"from": "2025-01-01", "to": "2026-11-03"}, 202)
    assert studio.get("/flows/prices")["running"] == job["id"]
    assert studio.post("/flows/prices/runs", {}, 503)["code"] == "busy"
    wait_until(lambda: studio.get(f"/jobs/{job['id']}")["progress"]["done"] >= 2)
    studio.client.delete(f"/api/jobs/{job['id']}")
    assert studio.finished(job)["state"] == "cancelled"
    days = [event for event in _events(studio, job) if event["kind"] == "day" and event["state"] == "done"]
    assert 2 <= len(days) < 600
    assert studio.finished(studio.post("/flows/prices/runs", {}, 202))["state"] == "done"
