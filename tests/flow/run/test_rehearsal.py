"""Tests of flows: captured once, run over the same pages, and held against rows that people may edit."""

import json
from pathlib import Path

import duckdb
import pytest

from ...cli._inside import sightline
from ._shops import CAMERAS, Opened, Shop, source
from .conftest import FlowFolder

MORE = """
catalogue:
  read: catalogue.csv
euro:
  normalise: a
  columns:
    - money: price
      to: EUR
      from currency: EUR
good:
  check: euro
  rules: {not dear: price < 45}
cheap:
  sql: SELECT name, price FROM good WHERE price < 35 ORDER BY name
kept:
  deliver: cheap
  to: prices.duckdb#cheap
  key: name
"""


@pytest.fixture
def captured(folder: FlowFolder, opened: Opened) -> tuple[FlowFolder, Shop, Path]:
    """A flow with what it is tested with."""
    shop = Shop(CAMERAS)
    file = folder.write(source("a", opened(shop)) + MORE)
    done = sightline("test", file, "--capture")
    assert done.status == 0, done.errors
    return folder, shop, file


def test_a_flow_is_tested_over_what_was_captured(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """Nothing is asked again and nothing delivered, whatever the page shows by now."""
    folder, shop, file = captured
    assert not (folder.path / "prices.duckdb").exists()
    assert not (folder.path / "store").exists()
    shop.prices, asked = {"Other": "1"}, shop.asked
    (folder.path / "catalogue.csv").write_text("id,name\n")
    done = sightline("test", file)
    assert (done.status, shop.asked) == (0, asked), done.output
    assert "prices: as it is to be" in done.output
    assert not (folder.path / "prices.duckdb").exists()


def test_what_differs_is_shown_step_by_step(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """By the key of the rows, with what is and what was to be."""
    _, _, file = captured
    file.write_text(
        file.read_text()
        .replace("price < 35", "price < 25")
        .replace("SELECT name, price", "SELECT name, 2 * price AS price")
    )
    done = sightline("test", file, "--json")
    assert done.status == 1
    steps = {step["step"]: step for step in json.loads(done.output)["tests"][0]["steps"]}
    assert [name for name, step in steps.items() if step["outcome"] == "same"] == ["a", "catalogue", "euro", "good"]
    assert [row["name"] for row in steps["cheap"]["missing"]] == ["Corvus"]
    changed = {row["key"][0]: row["values"]["price"] for row in steps["kept"]["changed"]}
    assert changed["Arden"] == ["10.00", "20.00"]
    shown = sightline("test", file).output
    assert "Arden: price is 20.00, and was to be 10.00" in shown
    assert "is missing: name=Corvus" in shown


def test_expected_rows_are_edited_by_hand(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """They are lines of JSON; the flow has to be changed until it gives them."""
    folder, _, file = captured
    rows = folder.path / "prices.test/expected/cheap.jsonl"
    rows.write_text(rows.read_text().replace("Lumora", "LUMORA"))
    done = sightline("test", file)
    assert done.status == 1
    assert "was not expected: name=Lumora" in done.output
    rows.write_text("not JSON\n")
    assert "isn't JSON lines" in sightline("test", file).errors


def test_what_a_flow_gives_now_may_be_taken(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """With --update."""
    _, _, file = captured
    file.write_text(file.read_text().replace("price < 35", "price < 25"))
    assert sightline("test", file).status == 1
    assert sightline("test", file, "--update").status == 0
    assert sightline("test", file).status == 0


def test_a_verdict_and_rows_held_back_are_compared(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """Also where the rows that go on are the same."""
    _, _, file = captured
    file.write_text(file.read_text().replace("price < 45", "price < 400"))
    done = sightline("test", file)
    assert "rows held back: 0, and was to be 1" in done.output


def test_other_sources_need_another_capture(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """A test of pages that the flow no longer reads says nothing."""
    _, _, file = captured
    file.write_text(file.read_text().replace("/prices", "/other"))
    assert "reads something else than was captured" in sightline("test", file).output


def test_a_flow_without_a_capture_says_what_to_do(folder: FlowFolder) -> None:
    """And a failed capture keeps nothing."""
    file = folder.write("shop:\n  read: shop.csv\n")
    assert "make it by `sightline test FLOW --capture`" in sightline("test", file).errors
    broken = folder.write("shop:\n  read: missing.csv\n")
    done = sightline("test", broken, "--capture")
    assert (done.status, (folder.path / "prices.test").exists()) == (1, False)


def test_answers_of_databases_are_captured(folder: FlowFolder) -> None:
    """With their types."""
    with duckdb.connect(str(folder.path / "x.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS id, 2.50 AS price, DATE '2026-11-16' AS day")
    file = folder.write("t:\n  query: SELECT * FROM t\n  from: x.duckdb\n")
    assert sightline("test", file, "--capture").status == 0
    (folder.path / "x.duckdb").unlink()
    done = sightline("test", file)
    assert done.status == 0, done.output
    rows = (folder.path / "prices.test/expected/t.jsonl").read_text()
    assert json.loads(rows) == {"id": 1, "price": "2.50", "day": "2026-11-16"}


def test_a_plan_shows_what_was_captured(captured: tuple[FlowFolder, Shop, Path]) -> None:
    """Before the first run, with columns and rows of every step."""
    _, shop, file = captured
    asked = shop.asked
    done = sightline("plan", file, "--json")
    steps = {step["step"]: step for step in json.loads(done.output)["plan"]["steps"]}
    assert list(steps["a"]["columns"]) == ["name", "price"]
    assert steps["a"]["rows"][0] == {"name": "Arden", "price": "10"}
    assert "captured at" in steps["a"]["notes"][0]
    assert list(steps["cheap"]["columns"]) == ["name", "price"]
    assert shop.asked == asked
