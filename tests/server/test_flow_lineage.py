"""Where delivered columns come from, over a real server; and what becomes of sources that could not be read."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from .._server import Request, reply, serve_from_thread
from ._flow_project import FlowProject
from ._running import Running, running

FLOW = """
flow: 1
steps:
  shop:
    extract: {shop}
    take: tables
    static: true
    keep_last: 3 days
  weather:
    extract: {weather}
    take: tables
    static: true
    optional: true
  goods:
    read: goods.csv
  both:
    join: [shop, goods]
    on: name
  priced:
    normalise: both
    columns:
      - type: price
  groups:
    sql: SELECT kind AS sort, max(price) AS dearest, count(*) AS offers FROM priced WHERE price > 0 GROUP BY kind
  kept:
    deliver: groups
    to: out.duckdb#groups
    key: sort
  offers:
    deliver: priced
    to: out.duckdb#offers
    columns: {{product: name, price: price}}
    key: product
  seen:
    deliver: weather
    to: out.duckdb#weather
    mode: append
"""
PAGE = "<!doctype html><title>A page</title><table><tr><th>name<th>price<tr><td>Arden<td>5<tr><td>Lumora<td>7</table>"


@dataclass
class Site:
    """Two pages that can be taken away."""

    url: Callable[[str], str]
    gone: set[str] = field(default_factory=set)


@contextmanager
def _site() -> Iterator[Site]:
    site: list[Site] = []

    async def page(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"gone", 404) if request.path in site[0].gone else reply(PAGE.encode()))

    with serve_from_thread({"/shop": page, "/weather": page}) as served:
        site.append(Site(served.url))
        yield site[0]


@dataclass
class Watched:
    """A server, and the ids of two runs: one that read everything, and one of the next day that read files only."""

    studio: Running
    whole: str
    holey: str


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Two days of a flow; on the second both pages are gone."""
    with _site() as site:
        project = FlowProject(tmp_path_factory.mktemp("lineage"))
        (project.folder / "goods.csv").write_text("name,kind,colour\nArden,camera,red\nLumora,lens,blue\n")
        project.write(FLOW.format(shop=site.url("/shop"), weather=site.url("/weather")))
        whole = project.run(16).id
        site.gone |= {"/shop", "/weather"}
        holey = project.run(17).id
        with running(project.folder) as studio:
            yield Watched(studio, whole, holey)


def _lineage(watched: Watched, run: str) -> tuple[dict[str, Any], dict[str, Any]]:
    found = watched.studio.get(f"/flows/prices/runs/{run}/lineage")
    return tuple({one["name"]: one for one in found[key]} for key in ("sources", "deliveries"))  # type: ignore[return-value]


def _uses(delivery: dict[str, Any]) -> dict[str, list[str]]:
    return {
        column["name"]: [f"{one['source']}.{one['column']} {one['kind']}" for one in column["uses"]]
        for column in delivery["columns"]
    }


def test_every_delivered_column_leads_to_its_sources(watched: Watched) -> None:
    """Through joins, normalising and SQL, and what becomes of the values on the way."""
    _, deliveries = _lineage(watched, watched.whole)
    assert list(deliveries) == ["kept", "offers", "seen"]
    assert _uses(deliveries["kept"]) == {
        "sort": ["goods.kind identity"],
        "dearest": ["shop.price aggregation"],
        "offers": [],
    }
    assert _uses(deliveries["offers"]) == {
        "product": ["shop.name identity"],
        "price": ["shop.price transformation"],
    }
    deciding = {(one["source"], one["column"], one["how"]) for one in deliveries["kept"]["deciding"]}
    assert {("shop", "name", "join"), ("goods", "name", "join"), ("shop", "price", "")} <= deciding
    assert [column["unknown"] for column in deliveries["offers"]["columns"]] == ["", ""]


def test_sources_say_when_they_were_read_and_where_their_values_were_seen(watched: Watched) -> None:
    """A place leads to the row and the page; files were seen on none, and columns that nobody delivers are there."""
    sources, _ = _lineage(watched, watched.whole)
    assert list(sources) == ["shop", "weather", "goods"]
    assert (sources["shop"]["pages"], sources["goods"]["pages"]) == (1, 0)
    assert sources["shop"]["at"].startswith("2026-11-16T06:30")
    price = next(one for one in sources["shop"]["columns"] if one["name"] == "price")
    assert price["seen"]["row"] == 0
    assert watched.studio.get(f"/pages/{price['seen']['page']}")["title"] == "A page"
    assert [one["name"] for one in sources["goods"]["columns"]] == ["name", "kind", "colour"]
    assert {one["seen"] for one in sources["goods"]["columns"]} == {None}


def test_rows_that_stand_in_are_told_apart_from_rows_that_are_missing(watched: Watched) -> None:
    """The run names the age of the ones and the reason for the others; what the flow allows stands beside them."""
    run = watched.studio.get(f"/flows/prices/runs/{watched.holey}")
    steps = {one["name"]: one for one in run["steps"]}
    told = ("source", "stands_in", "missing", "optional", "keeps_last")
    assert [steps["shop"][key] for key in told] == [True, True, False, False, "3 days"]
    assert [steps["weather"][key] for key in told] == [True, False, True, True, ""]
    assert [steps["goods"][key] for key in told] == [True, False, False, False, ""]
    assert [steps["both"][key] for key in told] == [False, False, False, False, ""]
    assert steps["shop"]["at"].startswith("2026-11-16T06:30")
    assert "stand in for them" in steps["shop"]["reasons"][0]
    assert "its rows are missing" in steps["weather"]["reasons"][0]
    sources, _ = _lineage(watched, watched.holey)
    assert (sources["shop"]["stands_in"], sources["weather"]["missing"]) == (True, True)
    before = watched.studio.get(f"/flows/prices/runs/{watched.whole}")
    assert not any(one["stands_in"] or one["missing"] for one in before["steps"])


@pytest.mark.parametrize("step", ["shop", "both", "offers"])
def test_each_row_that_stands_in_says_when_it_was_read(watched: Watched, step: str) -> None:
    """Wherever it goes; the rows of a run that read everything have no such column."""
    path = "/flows/prices/runs/{}/steps/{}/rows"
    rows = watched.studio.get(path.format(watched.holey, step))
    kept = next(one for one in rows["columns"] if one["name"] == "_kept_from")
    assert [text[:16] for text in kept["texts"]] == ["2026-11-16T06:30"] * 2
    fresh = watched.studio.get(path.format(watched.whole, step))
    assert "_kept_from" not in [one["name"] for one in fresh["columns"]]


def test_a_flow_without_a_delivery_has_a_lineage_too(tmp_path: Path) -> None:
    """That of the steps whose rows nobody takes; a run that stopped before them has none to show."""
    project = FlowProject(tmp_path)
    project.write("flow: 1\nsteps:\n  a:\n    read: shop.csv\n  b:\n    sql: SELECT upper(name) AS n FROM a\n")
    run = project.run().id
    (tmp_path / "shop.csv").unlink()
    failed = project.run(17).id
    with running(tmp_path) as studio:
        found = studio.get(f"/flows/prices/runs/{run}/lineage")["deliveries"]
        assert [(one["name"], _uses(one)) for one in found] == [("b", {"n": ["a.name transformation"]})]
        found = studio.get(f"/flows/prices/runs/{failed}/lineage")
        assert [(one["name"], one["columns"]) for one in found["deliveries"]] == [("b", [])]
        told = studio.get(f"/flows/prices/runs/{failed}")
        assert told["reasons"] == ["a: shop.csv: cannot be read (No such file or directory); check its name."]
        assert told["steps"][0]["reasons"] == [
            told["reasons"][0].removeprefix("a: ")
        ]  # where it is is nobody's business
        assert studio.get("/flows/prices/runs/nowhere/lineage", 404)["code"] == "not-found"


def test_charts_have_runs_at_the_times_that_they_are_for(tmp_path: Path) -> None:
    """A late day goes into its place, and a day that was run again is there once, as it was the last time."""
    project = FlowProject(tmp_path)
    project.write("flow: 1\nsteps:\n  a:\n    read: shop.csv\n")
    days = (16, 12, 14, 12)
    runs = [project.run(at, due=_due(day)).id for at, day in zip((16, 17, 18, 19), days, strict=True)]
    with running(tmp_path) as studio:
        found = studio.get("/flows/prices/series")["runs"]
        assert [(one["due"][8:10], one["id"]) for one in found] == [("12", runs[3]), ("14", runs[2]), ("16", runs[0])]
        assert studio.get("/home")["flows"][0]["last"]["run"] == runs[0]


def _due(day: int) -> datetime:
    return datetime(2026, 11, day, 6, 30, tzinfo=UTC)
