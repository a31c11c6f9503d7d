"""Runs of flow files for a schedule, and which flows it keeps apart."""

from pathlib import Path

import pytest

from sightline.errors import OutputError
from sightline.flow.schedule import FlowOrder, do_flow_run, kept_apart
from sightline.flow.spec import Flow

from ._services import BEGIN


def _flow(folder: Path, *steps: str, head: str = "variables: {shop: shop.example}") -> Flow:
    path = folder / "prices.flow.yaml"
    path.write_text("\n".join(["flow: 1", head, "steps:", *(f"  {step}" for step in steps)]) + "\n")
    return Flow.load(path)


def test_hosts_and_files_are_kept_apart(tmp_path: Path) -> None:
    """What a flow asks, with its variables, where it delivers, and what it queries; it may share what it reads."""
    flow = _flow(
        tmp_path,
        "pages: {extract: 'https://{shop}/cameras', take: tables}",
        "known: {query: SELECT * FROM offers, from: sub/../known.duckdb}",
        "rows: {read: rows.csv}",
        "one: {deliver: rows, to: prices.duckdb#offers}",
        "two: {deliver: rows, to: 'sqlite:prices.db#offers'}",
        "three: {deliver: rows, to: 'https://hooks.example/prices'}",
    )
    files = {f"file {(tmp_path / name).resolve()}" for name in ("known.duckdb", "prices.duckdb", "prices.db")}
    assert kept_apart(flow) == {"host shop.example", *files}


def test_secrets_are_not_asked_for_when_a_schedule_starts(tmp_path: Path) -> None:
    """A target that only a run knows keeps nothing apart."""
    flow = _flow(
        tmp_path,
        "rows: {read: rows.csv}",
        "one: {deliver: rows, to: {secret: warehouse}}",
        head="secrets: {warehouse: {environment: WAREHOUSE}}",
    )
    assert kept_apart(flow) == frozenset()


def test_a_run_says_what_came_of_it(tmp_path: Path) -> None:
    """In one line; asked again for the same time, it finds that all is done. A change of the file counts at once."""
    (tmp_path / "rows.csv").write_text("id\n1\n2\n")
    flow = _flow(tmp_path, "rows: {read: rows.csv}", "one: {deliver: rows, to: prices.csv}")
    order = FlowOrder(str(flow.file), str(tmp_path / "store"), BEGIN, {})
    assert [do_flow_run(order, print) for _ in range(2)] == ["ok, 2 rows delivered"] * 2
    _flow(tmp_path, "rows: {read: gone.csv}", "one: {deliver: rows, to: prices.csv}")
    with pytest.raises(OutputError, match=r"rows: .*gone\.csv.*it goes on with the next run"):
        do_flow_run(FlowOrder(order.file, str(tmp_path / "other"), BEGIN, {}), print)
