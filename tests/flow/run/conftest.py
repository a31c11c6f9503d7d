"""A folder with tables and a flow, which every test runs for itself."""

import textwrap
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from bench.flow.postgres import LocalPostgres

from sightline.flow.run import FlowEvent, FlowRun, run_flow
from sightline.flow.spec import Flow

from ..deliver._service import Answer, Service
from ._shops import Opened, Told

SHOP = """\
id,name,price,seen
1,LUMORA Z7 body only,"2.849,00 €",2026-11-16
2,Arden R50 kit RF 18-45mm,"879,00 €",2026-11-16
3,Corvus M-12 10x42 binoculars,"369,00 €",2026-11-16
"""
CATALOGUE = """\
id,name,price
P-001,Lumora Z-7 mirrorless camera body,2899.00
P-004,Arden R-50 camera with RF 18-45 lens,899.00
P-008,Corvus M12 binoculars 10x42,379.00
P-009,Heliox TG9343T cordless telephone,99.00
"""
RATES = "date,currency,rate\n2026-11-16,GBP,0.85\n2026-11-16,CHF,0.95\n"


class FlowFolder:
    """A folder in which a flow is run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[FlowEvent] = []
        for name, text in (("shop.csv", SHOP), ("catalogue.csv", CATALOGUE), ("rates.csv", RATES)):
            (path / name).write_text(text)

    def write(self, steps: str, head: str = "") -> Path:
        """Write the flow of these steps."""
        file = self.path / "prices.flow.yaml"
        body = textwrap.indent(textwrap.dedent(steps).strip(), "  ")
        file.write_text(f"flow: 1\n{textwrap.dedent(head)}steps:\n{body}\n")
        return file

    def run(self, steps: str | None = None, *, head: str = "", now: datetime | None = None, **options: Any) -> FlowRun:
        """Run the flow of these steps, or that of the last time."""
        if steps is not None:
            self.write(steps, head)
        self.events.clear()
        flow = Flow.load(self.path / "prices.flow.yaml")
        return run_flow(flow, store=self.path / "store", now=now, on_event=self.events.append, **options)

    def kinds(self) -> dict[str, str]:
        """The last event of each step."""
        return {event.step: event.kind for event in self.events}

    def query(self, sql: str, file: str = "prices.duckdb") -> list[tuple[Any, ...]]:
        """What DuckDB says."""
        with duckdb.connect(str(self.path / file), read_only=True) as connection:
            return connection.execute(sql).fetchall()


@pytest.fixture
def folder(tmp_path: Path) -> FlowFolder:
    """A folder with a shop, a catalogue and rates."""
    return FlowFolder(tmp_path)


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Serves shops; gives the address of each."""
    with ExitStack() as stack:
        yield lambda shop: f"{stack.enter_context(Service(shop.page)).url}/prices"


@pytest.fixture
def told() -> Iterator[Told]:
    """Somebody who is to hear of runs."""
    with Service(lambda _: Answer()) as service:
        yield Told(service)


@pytest.fixture(scope="session")
def server() -> Iterator[LocalPostgres]:
    """A PostgreSQL server of this session."""
    server = LocalPostgres()
    yield server
    server.close()


def day(number: int) -> datetime:
    """A day in November 2026."""
    return datetime(2026, 11, number, 6, 30, tzinfo=UTC)
