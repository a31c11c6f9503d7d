"""The step `about`: each page of a shop on loopback as the thing that it is about."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pyarrow as pa
import pytest

from sightline.errors import UsageError
from sightline.extract.about import KINDS
from sightline.flow.run import RunFolder, cell_places, plan_flow
from sightline.flow.spec import Flow

from ..deliver._service import Answer, Request, Service
from .conftest import FlowFolder

LAMP = (Path(__file__).parents[3] / "examples" / "lamp.html").read_text().replace("OutOfStock", "InStock")
IMPRINT = "<!doctype html><title>Imprint</title><h1>Imprint</h1><p>Lamps and Co, 1 High Street, Ghent.</p>"
MIRA = "Brass lamp “Mira”"
PAGES = {
    "/mira": LAMP,
    "/vega": LAMP.replace("Mira", "Vega").replace('€49.00 <s class="was">€59.00</s>', "€54.00"),
    "/imprint": IMPRINT,
}
STEPS = """
things:
  about: [{addresses}]
  static: true
good:
  check: things
  need: price
kept:
  deliver: good
  to: out.duckdb#lamps
  mode: append
"""


def _page(request: Request) -> Answer:
    html = PAGES.get(request.path)
    return Answer(404) if html is None else Answer(200, html.encode(), {"Content-Type": "text/html; charset=utf-8"})


@pytest.fixture
def shop() -> Iterator[str]:
    """The address of a shop with two lamps, one of which contradicts itself, and an imprint."""
    with Service(_page) as service:
        yield service.url


def _steps(shop: str, *names: str) -> str:
    return STEPS.format(addresses=", ".join(f"{shop}/{name}" for name in names))


def test_each_page_is_one_row_and_only_what_is_beyond_doubt_goes_on(folder: FlowFolder, shop: str) -> None:
    """What a page says and shows differently, and a page about no single thing, wait in quarantine with the reason."""
    found = folder.run(_steps(shop, "mira", "vega", "imprint"))
    mira, vega, imprint = found.rows("things").to_pylist()
    assert (mira["kind"], mira["name"], mira["sku"], mira["priceCurrency"]) == ("product", MIRA, "BL-1042", "EUR")
    assert (mira["_source"], mira["_verdict"], mira["_reasons"]) == (f"{shop}/mira", "ok", None)
    assert vega["_verdict"] == "suspicious"
    assert "49.00" in vega["_reasons"]
    assert "54.00" in vega["_reasons"]
    assert (imprint["kind"], imprint["name"], imprint["_verdict"]) == (None, None, "suspicious")
    assert "about no single thing" in imprint["_reasons"]
    assert found.verdict == "suspicious"
    assert folder.query("SELECT name FROM lamps", "out.duckdb") == [(MIRA,)]


def test_a_value_is_found_again_where_it_is_seen(folder: FlowFolder, shop: str) -> None:
    """The rows have the place of each value on its page, and a delivered value leads back to it."""
    found = folder.run(_steps(shop, "mira"))
    rows = found.rows("good")
    assert set(orjson.loads(rows.to_pylist()[0]["_origins"])) >= {"name", "price"}
    flow = Flow.load(folder.path / "prices.flow.yaml")
    places = cell_places(flow, RunFolder(found.folder), "good", rows)
    assert all(places["price"])
    assert "kind" not in places


def test_a_page_that_cannot_be_opened_makes_the_step_doubtful(folder: FlowFolder, shop: str) -> None:
    """The other pages are read, and the reason names the page."""
    found = folder.run(_steps(shop, "mira", "gone"))
    assert found.rows("things").num_rows == 1
    assert found.verdict == "suspicious"
    assert f"{shop}/gone" in " ".join(found.state.steps["things"].reasons)


def test_pages_are_read_as_the_kind_that_is_wanted(folder: FlowFolder, shop: str) -> None:
    """With `kind`, the columns are those of that kind, whatever the page is most like and whatever it has."""
    rows = folder.run(f"things:\n  about: {shop}/imprint\n  kind: organisation\n  static: true").rows("things")
    assert rows.column("kind").to_pylist() == ["organisation"]
    assert {one.name for one in KINDS["organisation"].fields} <= set(rows.column_names)


def test_a_kind_that_there_is_not_is_named_with_its_line(folder: FlowFolder) -> None:
    """So that nobody waits for a run to find out."""
    folder.write("things:\n  about: page.html\n  kind: produkt")
    with pytest.raises(UsageError, match=r"(?s)line 5.*product"):
        Flow.load(folder.path / "prices.flow.yaml")


def test_a_plan_opens_no_page_and_shows_the_last_rows(folder: FlowFolder, shop: str) -> None:
    """After a run its columns are known; before, the plan says that they will be."""
    folder.write(_steps(shop, "mira"))
    flow = Flow.load(folder.path / "prices.flow.yaml")
    before = plan_flow(flow, store=folder.path / "store")
    assert before.problems
    folder.run()
    after = plan_flow(flow, store=folder.path / "store")
    assert not after.problems
    assert {"kind", "name", "price"} <= set(after.steps[0].columns)


def test_rows_of_things_are_texts(folder: FlowFolder, shop: str) -> None:
    """As those of all pages: what they mean is for `normalise` to say."""
    rows = folder.run(_steps(shop, "mira")).rows("things")
    assert set(rows.schema.types) == {pa.string()}
