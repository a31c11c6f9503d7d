"""`sightline check`: one report on what is extracted from pages, for people, programs and the next run."""

import csv
import json
from pathlib import Path

import pytest
from PIL import Image

import sightline as sl
from sightline.checks import Report
from sightline.data import Profile

from ._inside import sightline
from ._shop import FOOT, HEAD, build, product

LOUD = "<p style='font:bold 26px sans-serif;color:#c00;background:#ff0'>Buy honey now and save 50 percent!"
TEXT = "".join(
    f"<p>Sentence {number} of this text is about bees, and it is about as long as the others.</p>"
    for number in range(8)
)
ARTICLE = f"{HEAD}<title>Bees</title><article><h1>Bees</h1>{TEXT}{LOUD}{TEXT.replace('Sentence', 'Line')}</article>"
WALL = f"{HEAD}<title>Just a moment...</title><h1>Verify you are human</h1><p>Please complete the captcha to go on."


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a shop with a wrapper, pages whose prices are gone, and a rendered article with a loud part."""
    folder = build(tmp_path_factory.mktemp("shop"))
    for number in range(20, 40):
        (folder / f"p{number}.html").write_text(product(number), encoding="utf-8")
        odd = product(number).replace(f"{100 + number}.50 €", "on request")
        (folder / f"odd{number}.html").write_text(odd, encoding="utf-8")
    sl.induce([sl.open(folder / f"p{number}.html", static=True) for number in range(4)]).save(folder / "p.wrapper.json")
    (folder / "wall.html").write_text(WALL + FOOT, encoding="utf-8")
    (folder / "empty.html").write_text("<!doctype html><p>")
    (folder / "silent.html").write_text("<!doctype html><meta name=description content='A page about silence.'><p>")
    sl.save(sl.open(ARTICLE.encode()), folder / "bees.page")
    sl.save(sl.open(ARTICLE.encode(), static=True), folder / "static.page")
    return folder


def test_check_trusts_pages_that_are_as_they_were(shop: Path) -> None:
    """Nothing to say but the verdict, and status 0."""
    done = sightline("check", "p.wrapper.json", "p4.html", "p5.html", folder=shop)
    assert (done.status, done.errors) == (0, "")
    assert done.output == "ok · no issues on 2 pages\n"


def test_check_tells_what_is_wrong_and_why(shop: Path) -> None:
    """The verdict, then the issues of each check below its name, with field, reason and page."""
    done = sightline("check", "p.wrapper.json", "odd[23]?.html", folder=shop)
    assert done.status == 3
    lines = done.output.splitlines()
    assert lines[0].startswith("suspicious · ")
    assert lines[0].endswith(" on 20 pages")
    assert any(line.startswith("types · values of another type or currency than the field") for line in lines)
    assert any(line.startswith("   suspicious  Price: ") for line in lines)
    assert sightline("check", "p.wrapper.json", "odd[23]?.html", "--strict", folder=shop).status == 1
    left_out = [word for name in ("types", "reading", "ranges", "shift") for word in ("--without", name)]
    done = sightline("check", "p.wrapper.json", "odd[23]?.html", *left_out, folder=shop)
    assert "types" not in done.output


def test_check_goes_on_after_a_page_that_fails(shop: Path) -> None:
    """It is an issue of the report, told on standard error as well, and the run has failed."""
    done = sightline("check", "p.wrapper.json", "gone.html", "p4.html", folder=shop)
    assert done.status == 1
    assert done.errors.startswith("sightline: gone.html: there is no such file")
    assert done.output.splitlines()[:2] == [
        "failed · 1 issue on 2 pages",
        "opening · pages that could not be opened",
    ]
    assert done.output.splitlines()[3] == "      gone.html"


def test_check_fails_where_nothing_can_be_opened(shop: Path) -> None:
    """One reason is enough."""
    done = sightline("check", "p.wrapper.json", "gone.html", "--json", folder=shop)
    assert done.status == 1
    assert [issue["check"] for issue in json.loads(done.output)["report"]["issues"]] == ["opening"]


def test_check_keeps_the_json_contract(shop: Path) -> None:
    """One result a source, in order, with the issues that are about it; the whole report stands beside them."""
    done = sightline(
        "check", "p.wrapper.json", "p4.html", "other.html", "gone.html", "--json", "--origins", folder=shop
    )
    document = json.loads(done.output)
    assert list(document) == ["results", "report"]
    assert [list(one) for one in done.results] == [["source", "kind", "verdict", "report", "error"]] * 3
    assert [one["source"] for one in done.results] == ["p4.html", "other.html", "gone.html"]
    assert [one["kind"] for one in done.results] == ["report"] * 3
    good, other, gone = done.results
    assert (good["verdict"], good["report"]) == ("ok", {"verdict": "ok", "issues": []})
    assert other["verdict"] == other["report"]["verdict"] == "suspicious"
    assert {issue["source"] for issue in other["report"]["issues"]} == {"other.html"}
    assert (gone["verdict"], gone["report"], gone["error"]["type"]) == ("failed", None, "UnreachableError")
    whole = document["report"]
    assert whole["verdict"] == "failed"
    assert {issue["check"] for issue in whole["issues"]} >= {"opening", "reading"}
    assert Report.from_json(whole).verdict == "failed"


def test_check_knows_a_wall(shop: Path) -> None:
    """A page that asks whether one is human is no product, and that is what is said."""
    done = sightline("check", "p.wrapper.json", "wall.html", "--json", folder=shop)
    assert done.status == 1
    assert "walls" in {issue["check"] for issue in done.results[0]["report"]["issues"]}


def test_check_remembers_the_last_good_run(shop: Path, tmp_path: Path) -> None:
    """A file is written after a run that is ok, compared with in the next, and left alone by a bad one."""
    history = tmp_path / "x.history.json"
    done = sightline("check", "p.wrapper.json", "p2?.html", "--history", history, folder=shop)
    assert done.status == 0
    assert "Remembered: " in done.errors
    before = history.read_bytes()
    profile = Profile.from_json(json.loads(before))
    assert (profile.pages, {own.name for own in profile.fields}) == (10, {"title", "Price", "Weight"})
    done = sightline("check", "p.wrapper.json", "p2?.html", "--history", history, folder=shop)
    assert done.status == 0
    assert "the first records are the same as in the last run" in done.output
    done = sightline("check", "p.wrapper.json", "odd[23]?.html", "--history", history, folder=shop)
    assert done.status == 3
    assert history.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [history.name]


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"pages": [], "fields": 5, "marks": 0}', '{"learned": 1}'])
def test_check_does_not_take_another_file_for_a_history(shop: Path, tmp_path: Path, content: str) -> None:
    """What is not a history is neither read nor written over."""
    other = tmp_path / "x.json"
    other.write_text(content)
    done = sightline("check", "p.wrapper.json", "p4.html", "--history", other, folder=shop)
    assert done.status == 2
    assert "this is not the history of a run" in done.errors
    assert other.read_text() == content


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "xml", "xlsx", "parquet", "html"])
def test_check_writes_the_report(shop: Path, tmp_path: Path, suffix: str) -> None:
    """There is a file in every format, also where there is no issue: that it has none is what it says."""
    for name, count in (("other.html", ""), ("p4.html", "(ok, 0 issues)")):
        out = tmp_path / f"{name}.{suffix}"
        done = sightline("check", "p.wrapper.json", name, "--origins", "-o", out, folder=shop)
        assert done.output == ""
        assert count in done.errors.replace("\n", " ")
        assert out.is_file()
        assert (out.stat().st_size > 0) == (name == "other.html" or suffix != "jsonl")


def test_check_files_hold_the_issues(shop: Path, tmp_path: Path) -> None:
    """A row an issue with the same words as in the report."""
    sightline("check", "p.wrapper.json", "other.html", "-o", tmp_path / "x.csv", folder=shop)
    sightline("check", "p.wrapper.json", "other.html", "-o", tmp_path / "x.json", folder=shop)
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text("utf-8").splitlines()))
    report = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert list(rows[0]) == ["severity", "check", "field", "source", "reason"]
    assert [row["reason"] for row in rows] == [issue["reason"] for issue in report["issues"]]
    assert report["verdict"] == "failed"


def test_check_sees_what_looks_unlike_the_rest(shop: Path, tmp_path: Path) -> None:
    """With `--by` the loud part of a text is told with its place; features and plot are written."""
    files = ["--features", tmp_path / "x.csv", "--plot", tmp_path / "x.png"]
    done = sightline("check", "--by", "sightline", "bees.page", "--method", "hbos", "--origins", *files, folder=shop)
    assert done.status == 0
    assert "outliers · parts of the main text that look unlike the rest" in done.output
    assert "   notice  “Buy honey now and save 50 percent!” looks different: " in done.output
    assert "/html[1]/body[1]/article[1]/p[9]" in done.output
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text("utf-8").splitlines()))
    assert [row["text"] for row in rows if row["removed"] == "1"] == ["Buy honey now and save 50 percent!"]
    with Image.open(tmp_path / "x.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 1200)
    assert "Written: " in done.errors
    assert "Picture: " in done.errors


def test_check_of_texts_has_a_method_of_its_own(shop: Path, tmp_path: Path) -> None:
    """Without `--method` scores are chances; every block of the text has one."""
    out = tmp_path / "x.csv"
    done = sightline("check", "--by", "sightline", "bees.page", "--features", out, folder=shop)
    assert done.status in (0, 3)
    scores = [float(row["score"]) for row in csv.DictReader(out.read_text("utf-8").splitlines())]
    assert len(scores) >= 17
    assert "no main text was found" in sightline("check", "--by", "sightline", "silent.html", folder=shop).output
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.slow
def test_check_of_a_text_keeps_the_json_contract(shop: Path) -> None:
    """Evidence has XPath and box; a page without text is suspicious, one without a layout is told."""
    pages = ("bees.page", "empty.html", "static.page", "gone.html")
    done = sightline("check", "--by", "trafilatura", *pages, "--method", "hbos", "--json", "--origins", folder=shop)
    assert done.status == 1
    assert [one["verdict"] for one in done.results] == ["ok", "suspicious", "ok", "failed"]
    bees, empty, static, _ = done.results
    (place,) = bees["report"]["issues"][0]["evidence"]
    assert place["xpath"] == "/html[1]/body[1]/article[1]/p[9]"
    assert place["box"][3] > place["box"][1]
    assert empty["report"]["issues"][0]["check"] == "content"
    assert "no layout" in static["report"]["issues"][0]["reason"]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["p.wrapper.json"], "Give the pages after the wrapper"),
        (["gone.json", "p4.html"], "sightline induce"),
        (["p.wrapper.json", "p4.html", "-o", "x.pdf"], ".csv"),
        (["p.wrapper.json", "p4.html", "-o", "p.wrapper.json"], "is one of the inputs"),
        (["p.wrapper.json", "p4.html", "--history", "p.wrapper.json"], "is one of the inputs"),
        (["p.wrapper.json", "p4.html", "--history", "x.csv"], ".json"),
        (["p.wrapper.json", "p4.html", "--plot", "x.png"], "--by"),
        (["p.wrapper.json", "p4.html", "--features", "x.csv"], "--by"),
        (["p.wrapper.json", "p4.html", "--without", "nonsense"], "no rule 'nonsense'"),
        (["--by", "nonsense", "p4.html"], "trafilatura"),
        (["--by", "sightline", "p4.html", "--static"], "leave out --static"),
        (["--by", "sightline", "p4.html", "--history", "x.json"], "cannot be used with --by"),
        (["--by", "sightline", "p4.html", "--plot", "x.jpg"], ".png"),
    ],
)
def test_check_refuses_what_cannot_be_before_opening_anything(shop: Path, arguments: list[str], advice: str) -> None:
    """Wrong usage is told at once in one line, with what would be right."""
    before = (shop / "p.wrapper.json").read_bytes()
    done = sightline("check", *arguments, folder=shop)
    assert (done.status, done.output) == (2, "")
    assert advice in done.errors
    assert done.errors.count("\n") == 1
    assert (shop / "p.wrapper.json").read_bytes() == before


def test_check_names_the_methods_that_there_are(shop: Path) -> None:
    """A method that does not exist is told with those that do, before a page is opened."""
    done = sightline("check", "--by", "sightline", "p4.html", "--method", "nonsense", folder=shop)
    assert (done.status, done.output) == (2, "")
    assert "'nonsense' is not one of 'kin', 'hbos', 'knn'" in done.errors
