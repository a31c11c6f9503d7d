"""What a page is about over the API: the fields with their places and paths, doubts with both values, and files."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.extract.about import KINDS

from ._running import Running, running

LAMP = Path(__file__).parents[2] / "examples" / "lamp.html"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without a browser."""
    with running(tmp_path_factory.mktemp("project")) as found:
        yield found


def _opened(studio: Running, name: str, content: bytes) -> str:
    answer = studio.client.post("/api/uploads", files={"files": (name, content)})
    job = studio.finished(answer.json())
    found: str = job["result"]["pages"][0]["id"]
    return found


@pytest.fixture(scope="module")
def lamp(studio: Running) -> str:
    """The id of a page about a lamp."""
    return _opened(studio, "lamp.html", LAMP.read_bytes())


def test_a_thing_has_its_fields_with_their_places_and_paths(studio: Running, lamp: str) -> None:
    """Seen values have a box; what the page's own data says has its path; both can be."""
    found = studio.get(f"/pages/{lamp}/thing")
    assert (found["kind"], found["name"], found["kinds"]) == ("product", "Brass lamp “Mira”", list(KINDS))
    fields = {field["name"]: field for field in found["fields"]}
    price = fields["price"]["values"][0]
    assert (price["text"], price["said"]) == ("49.00", "json-ld 1: offers.price")
    assert len(price["box"]) == 4
    currency = fields["priceCurrency"]["values"][0]
    assert (currency["text"], currency["box"], currency["said"]) == ("EUR", None, "json-ld 1: offers.priceCurrency")


def test_a_doubt_has_both_values_and_where_one_is_seen(studio: Running, lamp: str) -> None:
    """And the whole is suspicious, with the reason in words."""
    found = studio.get(f"/pages/{lamp}/thing")
    (availability,) = (field for field in found["fields"] if field["doubts"])
    (doubt,) = availability["doubts"]
    assert (availability["name"], doubt["said"], doubt["seen"]) == ("availability", "OutOfStock", "Add to cart")
    assert len(doubt["box"]) == 4
    assert found["verdict"] == "suspicious"
    assert found["reasons"] == [f"availability: {doubt['reason']}"]


def test_a_page_is_read_as_the_kind_that_is_wanted(studio: Running, lamp: str) -> None:
    """A kind that there is not is named with those that there are."""
    assert studio.get(f"/pages/{lamp}/thing?kind=article")["kind"] == "article"
    problem = studio.get(f"/pages/{lamp}/thing?kind=lamp", 422)
    assert "product" in problem["detail"]
    assert studio.get("/pages/0123456789abcdef/thing", 404)["code"] == "not-found"


def test_a_page_about_no_single_thing_says_so(studio: Running) -> None:
    """It has no fields and no file, and the problem says what to do."""
    page = _opened(studio, "imprint.html", b"<title>Imprint</title><h1>Imprint</h1><p>Lamps and Co, Ghent.")
    found = studio.get(f"/pages/{page}/thing")
    assert (found["kind"], found["fields"]) == (None, [])
    assert "about no single thing" in found["reasons"][0]
    assert "read it as a kind" in studio.get(f"/pages/{page}/thing/export", 422)["detail"]


def test_a_thing_is_exported_as_other_results_are(studio: Running, lamp: str) -> None:
    """One row, a column for each field; with `origins` in JSON, where each value was seen."""
    answer = studio.client.get(f"/api/pages/{lamp}/thing/export?format=csv")
    (row,) = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert (row["name"], row["sku"]) == ("Brass lamp “Mira”", "BL-1042")
    told = studio.client.get(f"/api/pages/{lamp}/thing/export?format=json&origins=true").json()
    assert "xpath" in str(told)
    assert studio.get(f"/pages/{lamp}/thing/export?format=odt", 422)["code"] == "usage"
