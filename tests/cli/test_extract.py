"""`sightline extract`: records with a verdict on every page, as text, JSON, files and a picture."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from sightline.errors import VerificationError

from ._inside import sightline
from ._shop import build, learn


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a shop, with a wrapper for its products and one for its lists."""
    folder = build(tmp_path_factory.mktemp("shop"))
    for letter in "pl":
        learn(folder, letter)
    return folder


def test_extract_prints_a_single_record_from_top_to_bottom(shop: Path) -> None:
    """What a page about one thing has stands below each other; what it has not is not there."""
    done = sightline("extract", "p.wrapper.json", "p4.html", "p5.html", folder=shop)
    assert (done.status, done.errors) == (0, "")
    assert [line.rstrip() for line in done.output.splitlines()] == [
        "p4.html · 1 record · ok",
        "   title   Camera 4",
        "   Price   104.50 €",
        "   Weight  540 g",
        "p5.html · 1 record · ok",
        "   title  Camera 5",
        "   Price  105.50 €",
    ]


def test_extract_prints_several_records_side_by_side(shop: Path) -> None:
    """A page of several things is rows below the names of the fields."""
    done = sightline("extract", "l.wrapper.json", "l4.html", folder=shop)
    assert done.status == 0
    lines = [line.split() for line in done.output.splitlines()]
    assert lines[0] == ["l4.html", "·", "9", "records", "·", "ok"]
    assert lines[1][1] == "price"
    assert lines[2][:4] == ["Lens", "4-1", "41.50", "€"]
    assert len(lines) == 11


def test_extract_keeps_the_json_contract(shop: Path) -> None:
    """One result a source: records with their schema, or an error, never both."""
    done = sightline(
        "extract", "p.wrapper.json", "p5.html", "odd.html", "other.html", "gone.html", "--json", folder=shop
    )
    assert done.status == 1
    assert [list(result) for result in done.results] == [["source", "kind", "verdict", "records", "error"]] * 4
    assert [result["kind"] for result in done.results] == ["records"] * 4
    assert [result["verdict"] for result in done.results] == ["ok", "suspicious", "failed", "failed"]
    good, odd, refused, gone = done.results
    assert good["records"]["schema"]["node"] == "tuple"
    assert good["records"]["records"] == [{"title": "Camera 5", "Price": "105.50 €", "Weight": None}]
    assert odd["records"]["records"][0]["title"] == "Camera 8"
    assert (odd["error"], refused["records"], gone["records"]) == (None, None, None)
    assert refused["error"]["type"] == VerificationError.__name__
    assert refused["error"]["message"].startswith("other.html: ")
    assert gone["error"]["type"] == "UnreachableError"


def test_extract_gives_values_with_their_origins(shop: Path) -> None:
    """`--origins` has text, typed value, XPath and box of every value; what is not there stays null."""
    done = sightline("extract", "p.wrapper.json", "p5.html", "--json", "--origins", folder=shop)
    (record,) = done.results[0]["records"]["records"]
    place = "/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]"
    assert record["Price"] == {"text": "105.50 €", "value": 105.5, "xpath": place, "box": None}
    assert record["Weight"] is None


def test_extract_refuses_a_page_of_another_template(shop: Path) -> None:
    """One line says which page, how little of the template it has, and how to see more; the others go on."""
    done = sightline("extract", "p.wrapper.json", "other.html", "p4.html", folder=shop)
    assert done.status == 1
    assert done.errors.count("\n") == 1
    assert done.errors.startswith("sightline: other.html: it is not a page of this wrapper's template (")
    assert done.errors.endswith("sightline explain p.wrapper.json other.html\n")
    assert "other.html" not in done.output
    assert "Camera 4" in done.output


def test_extract_gives_the_records_of_a_suspicious_page_and_says_so(shop: Path) -> None:
    """The status is 3, and standard error has the first problems with their places."""
    done = sightline("extract", "p.wrapper.json", "odd.html", "p4.html", folder=shop)
    assert done.status == 3
    assert "odd.html · 1 record · suspicious" in done.output
    assert "Camera 8" in done.output
    assert done.errors.startswith("odd.html: suspicious; ")
    assert "“Only today!”: the template has no place for it\n      /html[1]/body[1]/div[1]" in done.errors
    assert "see everything with: sightline explain p.wrapper.json odd.html" in done.errors.replace("See", "see")


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "xml", "xlsx", "parquet", "html"])
def test_extract_writes_all_records_into_one_file(shop: Path, tmp_path: Path, suffix: str) -> None:
    """Whatever the format, one file has the records of all pages."""
    out = tmp_path / f"x.{suffix}"
    done = sightline("extract", "l.wrapper.json", "l4.html", "l5.html", "-o", out, folder=shop)
    assert (done.status, done.output) == (0, "")
    assert done.errors == f"Written: {out} (19 records of 2 pages)\n"
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_extract_files_hold_the_records(shop: Path, tmp_path: Path) -> None:
    """Several pages are told apart by the column `source`, one page needs none."""
    out = tmp_path / "x.csv"
    sightline("extract", "p.wrapper.json", "p[45].html", "-o", out, folder=shop)
    rows = list(csv.reader(out.read_text().splitlines()))
    assert rows == [
        ["source", "title", "Price", "Weight"],
        ["p4.html", "Camera 4", "104.50 €", "540 g"],
        ["p5.html", "Camera 5", "105.50 €", ""],
    ]
    sightline("extract", "p.wrapper.json", "p4.html", "-o", out, folder=shop)
    assert out.read_text().splitlines()[0] == "title,Price,Weight"
    out = tmp_path / "x.json"
    sightline("extract", "p.wrapper.json", "p4.html", "p5.html", "-o", out, folder=shop)
    found = json.loads(out.read_text())
    assert list(found) == ["schema", "records"]
    assert [record["source"] for record in found["records"]] == ["p4.html", "p5.html"]
    out = tmp_path / "x.xml"
    sightline("extract", "l.wrapper.json", "l5.html", "-o", out, folder=shop)
    assert len(ElementTree.parse(out).getroot()) == 10


def test_extract_keeps_a_field_that_is_called_source(shop: Path, tmp_path: Path) -> None:
    """Where records have a field of that name, the column that says where they are from has another."""
    own = tmp_path / "own.json"
    sightline("edit", "p.wrapper.json", "--rename", "title=source", "-o", own, folder=shop)
    sightline("extract", own, "p4.html", "p5.html", "-o", tmp_path / "x.csv", folder=shop)
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[:2] == ["source page,source,Price,Weight", "p4.html,Camera 4,104.50 €,540 g"]


def test_extract_files_tell_origins_too(shop: Path, tmp_path: Path) -> None:
    """With `--origins` every value of a JSON lines file has its XPath, but for the name of the source."""
    out = tmp_path / "x.jsonl"
    sightline("extract", "l.wrapper.json", "l4.html", "l5.html", "--origins", "-o", out, folder=shop)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 19
    for line in lines:
        assert line.pop("source")["xpath"] is None
        assert all("/li[" in value["xpath"] for value in line.values())


def test_extract_writes_nothing_when_there_is_none(shop: Path, tmp_path: Path) -> None:
    """A refused page gives no file, and what the others gave is written."""
    out = tmp_path / "x.csv"
    done = sightline("extract", "p.wrapper.json", "other.html", "-o", out, folder=shop)
    assert done.status == 1
    assert f"Nothing was written to {out}." in done.errors
    assert not out.exists()
    done = sightline("extract", "p.wrapper.json", "other.html", "p4.html", "-o", out, folder=shop)
    assert done.status == 1
    assert len(out.read_text().splitlines()) == 2


def test_extract_uses_a_browser_only_if_it_is_needed(shop: Path, tmp_path: Path) -> None:
    """A wrapper of static pages needs no browser, one of rendered pages may, and flags say otherwise."""
    without_browser = {"SIGHTLINE_BROWSER": "/nonexistent"}
    done = sightline("extract", "p.wrapper.json", "p4.html", folder=shop, **without_browser)
    assert done.status == 0
    done = sightline("extract", "p.wrapper.json", "p4.html", "--no-static", folder=shop, **without_browser)
    assert done.status == 1
    seen = tmp_path / "seen.json"
    document = json.loads((shop / "p.wrapper.json").read_text())
    seen.write_text(json.dumps(document | {"rendered": True}))
    assert sightline("extract", seen, "p4.html", folder=shop, **without_browser).status == 0
    seen.write_text(json.dumps(document | {"rendered": True, "needs": "rendered"}))
    assert sightline("extract", seen, "p4.html", folder=shop, **without_browser).status == 1
    assert sightline("extract", seen, "p4.html", "--static", folder=shop, **without_browser).status == 0
    done = sightline("extract", seen, "other.html", "--static", folder=shop)
    assert "try --no-static" in done.errors


def test_extract_draws_every_value(shop: Path, tmp_path: Path) -> None:
    """`--image` renders the page, also for a wrapper of static pages, with a colour for each field."""
    out = tmp_path / "x.png"
    done = sightline("extract", "p.wrapper.json", "p4.html", "--image", out, "--width", "640", folder=shop)
    assert done.status == 0
    assert f"Picture: {out}" in done.errors
    with Image.open(out) as picture:
        assert (picture.format, picture.width) == ("PNG", 640)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert {(0, 114, 178), (213, 94, 0), (0, 158, 115)} <= colours


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["gone.wrapper.json", "p4.html"], "there is no such file; make"),
        (["p4.html", "p.wrapper.json"], "not a wrapper"),
        (["other.json", "p4.html"], "not a wrapper; make one with `sightline teach` or `sightline induce`"),
        ([".", "p4.html"], "cannot be read"),
        (["p.wrapper.json", "gone.html", "-o", "x.pdf"], ".csv"),
        (["p.wrapper.json", "gone.html", "-o", "p.wrapper.json"], "is the wrapper itself"),
        (["p.wrapper.json", "gone.html", "--image", "x.jpg"], ".png"),
        (["p.wrapper.json", "gone.html", "p4.html", "--image", "x.png"], "one source at a time"),
    ],
)
def test_extract_helps_newcomers(shop: Path, arguments: list[str], advice: str) -> None:
    """What cannot be is told at once in one line, with what would be right."""
    (shop / "other.json").write_text('{"results": []}')
    done = sightline("extract", *arguments, folder=shop)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1


def test_extract_wants_a_page(shop: Path) -> None:
    """A wrapper alone is wrong usage."""
    assert sightline("extract", "p.wrapper.json", folder=shop).status == 2
