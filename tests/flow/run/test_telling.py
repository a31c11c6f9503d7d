"""What leaves a run besides rows in databases: files, posts to web addresses, messages to people."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.errors import UsageError
from sightline.flow.run import FlowRun, RunFolder

from ..deliver._service import Answer, Service
from .conftest import FlowFolder, day

STEPS = """
shop:
  read: shop.csv
euro:
  normalise: shop
  columns:
    - money: price
      to: EUR
kept:
  deliver: euro
  to: prices.duckdb#shop
  key: id
  columns: [id, name, price]
tell:
  notify: kept
  to: "{address}"
  key: id
  when: %s
"""


# One of the libraries that apprise looks for imports it.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")


class Receiver:
    """A web server that keeps the messages that it is sent."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.address = service.url.replace("http://", "json://")

    @property
    def messages(self) -> list[dict[str, str]]:
        """What was sent."""
        return [json.loads(request.body) for request in self._service.requests]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A web server that takes everything."""
    with Service(lambda _: Answer()) as service:
        yield Receiver(service)


def told(folder: FlowFolder, receiver: Receiver, when: str, number: int) -> FlowRun:
    """Run the flow on a day."""
    return folder.run(STEPS % when, head=f"variables:\n  address: {receiver.address}\n", now=day(number))


def change(folder: FlowFolder, old: str, new: str) -> None:
    """Change the shop."""
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace(old, new))


def test_nothing_is_told_after_the_first_run(folder: FlowFolder, receiver: Receiver) -> None:
    """There is nothing to compare it with."""
    found = told(folder, receiver, "[new rows, gone rows, verdict changed]", 16)
    assert found.state.steps["tell"].notes == ("nothing to tell",)
    assert receiver.messages == []


@pytest.mark.slow
def test_a_price_that_moved_is_told(folder: FlowFolder, receiver: Receiver) -> None:
    """By more than the share that was asked for; smaller changes are not."""
    told(folder, receiver, "[{changed: price, by: 5 %}]", 16)
    change(folder, "879,00", "799,00")
    change(folder, "369,00", "368,00")
    found = told(folder, receiver, "[{changed: price, by: 5 %}]", 17)
    assert found.verdict == "ok"
    message = receiver.messages[0]
    assert message["title"] == "prices: price changed by more than 5% in 1 rows"
    assert "2: 879.00 → 799.00" in message["message"]
    assert "368" not in message["message"]
    kept = RunFolder(found.folder).message("tell")
    assert kept is not None
    assert kept.lines == ("price changed by more than 5% in 1 rows", "  2: 879.00 → 799.00")
    assert (kept.to, kept.failed) == (("json://…",), ())


def test_rows_that_are_new_or_gone_are_told(folder: FlowFolder, receiver: Receiver) -> None:
    """By their keys."""
    told(folder, receiver, "[new rows, gone rows]", 16)
    change(folder, "3,Corvus", "4,Corvus")
    told(folder, receiver, "[new rows, gone rows]", 17)
    assert "1 new rows\n  4\n1 rows are gone\n  3" in receiver.messages[0]["message"]


def test_a_verdict_that_changed_is_told_with_the_reasons(folder: FlowFolder, receiver: Receiver) -> None:
    """What was ok, and is not any more."""
    told(folder, receiver, "[verdict changed]", 16)
    change(folder, "369,00 €", "ask us")
    told(folder, receiver, "[verdict changed]", 17)
    assert "the verdict was ok and is suspicious" in receiver.messages[0]["message"]
    assert "'ask us' is not an amount of money" in receiver.messages[0]["message"]


def test_an_address_that_fails_makes_the_run_suspicious_and_is_not_shown(folder: FlowFolder) -> None:
    """People rely on being told."""
    steps = STEPS % "[not ok]"
    head = "variables:\n  address: json://user:hunter2@127.0.0.1:1\n"
    change(folder, "369,00 €", "ask us")
    found = folder.run(steps, head=head)
    assert "did not take the messages" in found.state.steps["tell"].reasons[0]
    state = json.dumps({name: step.reasons for name, step in found.state.steps.items()})
    assert "hunter2" not in state
    assert "hunter2" not in RunFolder(found.folder).told("tell").read_text()


def test_rows_are_delivered_to_files(folder: FlowFolder) -> None:
    """By their suffix; a file is replaced."""
    found = folder.run(
        """
        shop:
          read: shop.csv
        one:
          deliver: shop
          to: out.csv
        two:
          deliver: shop
          to: parquet:out/
        """
    )
    assert found.verdict == "ok", found.state.reasons
    assert (folder.path / "out.csv").read_text().count("\n") == 4
    assert list((folder.path / "out").rglob("*.parquet"))


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("to: out.csv\n  mode: upsert\n  key: id", "line 7: The mode 'upsert' is not for a CSV file"),
        ("to: out.xml\n  options: {shema: x.xsd}", "schema"),
        ("to: ftp://x/y", "line 7: Rows cannot be delivered to an address of the kind ftp://"),
    ],
)
def test_a_delivery_that_cannot_be_meant_is_named_with_its_line(folder: FlowFolder, keys: str, problem: str) -> None:
    """Before anything is read or sent."""
    with pytest.raises(UsageError, match=re.escape(problem)):
        folder.run(f"shop:\n  read: shop.csv\none:\n  deliver: shop\n  {keys}")
    assert not folder.events
    assert not list(Path(folder.path).glob("out.*"))
