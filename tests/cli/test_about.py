"""`sightline about`: cards for people, JSON for programs, files with a row for each page, and a picture."""

import csv
import json
from pathlib import Path

import pytest
from PIL import Image

from ._inside import sightline

EXAMPLES = Path(__file__).parents[2] / "examples"
LAMP = str(EXAMPLES / "lamp.html")
BREAD = """<!doctype html><html lang=en><title>Rye bread</title><script type="application/ld+json">
{"@type": "Recipe", "name": "Rye bread", "recipeIngredient": ["500 g rye flour", "1 tsp salt"], "totalTime": "PT3H",
"recipeInstructions": "Mix.\\nBake."}</script><h1>Rye bread</h1>
<h2>Ingredients</h2><ul><li>500 g rye flour<li>1 tsp salt</ul>
<h2>Method</h2><ol><li>Mix.<li>Bake.</ol><p>Total time: 3 hours</p>"""


@pytest.fixture
def bread(tmp_path: Path) -> str:
    """A recipe that says what it is."""
    (tmp_path / "bread.html").write_text(BREAD, encoding="utf-8")
    return str(tmp_path / "bread.html")


def test_a_card_shows_every_field_and_marks_the_doubtful() -> None:
    """A card shows every field; what is doubtful is marked, told, and ends with status 3."""
    done = sightline("about", LAMP, "--static")
    assert done.status == 3
    assert "product" in done.output
    assert "Brass lamp “Mira”" in done.output
    assert "availability ?" in done.output
    assert "Add to cart" in done.errors


def test_json_has_the_thing_of_the_contract() -> None:
    """JSON has kind, fields and doubts; with origins each value has its place and where it is said."""
    done = sightline("about", LAMP, "--static", "--json", "--origins")
    (result,) = json.loads(done.output)["results"]
    assert (result["kind"], result["verdict"]) == ("thing", "suspicious")
    thing = result["thing"]
    assert thing["kind"] == "product"
    assert thing["fields"]["sku"]["said"] == "json-ld 1: sku"
    assert thing["fields"]["sku"]["xpath"].startswith("/html[1]/body[1]/main[1]/dl[1]/dd[1]")
    assert [(doubt["field"], doubt["said"], doubt["seen"]) for doubt in thing["doubts"]] == [
        ("availability", "OutOfStock", "Add to cart")
    ]


def test_a_file_has_a_row_for_every_page(bread: str, tmp_path: Path) -> None:
    """A file has a row for every page, with its source and its kind."""
    out = tmp_path / "things.csv"
    sightline("about", LAMP, bread, "--static", "-o", str(out))
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines(keepends=True)))
    assert [(row["source"], row["kind"], row["name"]) for row in rows] == [
        (LAMP, "product", "Brass lamp “Mira”"),
        (bread, "recipe", "Rye bread"),
    ]
    assert rows[1]["recipeIngredient"] == "500 g rye flour\n1 tsp salt"


def test_a_kind_can_be_asked_for(bread: str) -> None:
    """`--as` reads a page as that kind; an unknown one is a wrong use that names those there are."""
    told = json.loads(sightline("about", bread, "--static", "--as", "article", "--json").output)["results"][0]
    assert told["thing"]["kind"] == "article"
    wrong = sightline("about", bread, "--as", "lamp")
    assert wrong.status == 2
    assert "product" in wrong.errors


def test_a_picture_frames_every_value_that_is_seen(tmp_path: Path) -> None:
    """`--image` draws the page with a frame around every value."""
    sightline("about", LAMP, "--image", str(tmp_path / "lamp.png"))
    with Image.open(tmp_path / "lamp.png") as drawn:
        assert drawn.width >= 600


def test_a_source_that_fails_does_not_stop_the_others(bread: str, tmp_path: Path) -> None:
    """A source that fails has its error, and the others are read."""
    done = sightline("about", str(tmp_path / "none.html"), bread, "--static", "--json")
    first, second = json.loads(done.output)["results"]
    assert first["error"] is not None
    assert second["thing"]["kind"] == "recipe"


def test_fields_of_ones_own_are_read_by_their_names(tmp_path: Path) -> None:
    """`--fields` gives what is asked for, in that order; what is not there is null, with proposals, and is no doubt."""
    done = sightline("about", LAMP, "--static", "--json", "--fields", "price: money, name, sku, wingspan")
    (result,) = json.loads(done.output)["results"]
    thing = result["thing"]
    assert list(thing["fields"]) == ["price", "name", "sku", "wingspan"]
    assert (thing["fields"]["price"], thing["fields"]["name"]) == (49.0, "Brass lamp “Mira”")
    assert thing["fields"]["wingspan"] is None
    assert {"text", "xpath", "box"} <= set(thing["proposals"]["wingspan"][0])
    shown = sightline("about", LAMP, "--static", "--fields", "name, wingspan")
    assert "perhaps:" in shown.output
    out = tmp_path / "lamp.csv"
    sightline("about", LAMP, "--static", "--fields", "name, sku", "-o", str(out))
    (row,) = csv.DictReader(out.read_text("utf-8").splitlines(keepends=True))
    assert (row["name"], row["sku"]) == ("Brass lamp “Mira”", thing["fields"]["sku"])


def test_fields_may_be_a_json_schema(tmp_path: Path) -> None:
    """A file with a JSON Schema says names and types; a required property that is missing ends with status 3."""
    schema = tmp_path / "lamp.json"
    properties = {"name": {"type": "string"}, "bloodType": {"type": "string", "format": "phone"}}
    schema.write_text(json.dumps({"type": "object", "properties": properties}), encoding="utf-8")
    assert sightline("about", LAMP, "--static", "--fields", str(schema)).status == 0
    required = {"type": "object", "properties": properties, "required": ["bloodType"]}
    schema.write_text(json.dumps(required), encoding="utf-8")
    done = sightline("about", LAMP, "--static", "--fields", str(schema))
    assert done.status == 3
    assert "bloodType: It is required" in done.errors


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("price: cash", "There is no type 'cash'"),
        ("name, name", "asked for twice"),
        ("", "No field is asked for"),
        ("missing.json", "there is no such file"),
    ],
)
def test_a_mistake_in_fields_is_told_before_a_page_is_opened(fields: str, told: str) -> None:
    """A mistake in `--fields` is one line, and the page is not opened."""
    done = sightline("about", "nowhere.html", "--fields", fields)
    assert done.status != 0
    assert told in done.errors
    assert "nowhere" not in done.errors
