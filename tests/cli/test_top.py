"""`sightline top`: the list that a title promises, for people, programs, files and as a picture."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ._inside import sightline

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
STARS = [
    ("Sirius", "The brightest of all, in the Great Dog, seen in winter."),
    ("Canopus", "It guides ships in the south, and never rises in the north."),
    ("Arcturus", "An orange giant that the handle of the Plough points to."),
    ("Vega", "Overhead in summer, and once the star of the pole."),
]


def _page(title: str) -> str:
    items = "".join(f"<h2>{n}. <a href=/{n}>{name}</a></h2><p>{text}" for n, (name, text) in enumerate(STARS, start=1))
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><h1>{title}</h1><main>{items}</main>"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page that keeps its promise, one that does not, and one that promises nothing."""
    (tmp_path / "kept.html").write_text(_page("4 Bright Stars [bold]"))
    (tmp_path / "broken.html").write_text(_page("9 Bright Stars"))
    (tmp_path / "none.html").write_text(_page("Bright stars"))
    return tmp_path


def test_top_prints_what_the_title_promises(folder: Path) -> None:
    """People get the title, how many items there are, and one line an item with its number and first words."""
    done = sightline("top", "kept.html", folder=folder)
    assert (done.status, done.errors) == (0, "")
    lines = done.output.splitlines()
    assert lines[1] == "4 Bright Stars [bold]"
    assert lines[2].startswith("4 of 4 items · score ")
    assert [line.split()[:2] for line in lines[3:]] == [[str(n), name] for n, (name, _) in enumerate(STARS, start=1)]
    assert "in the Great Dog" in lines[3]
    assert "/1" in lines[3]


def test_top_of_the_example_counts_down() -> None:
    """The numbers are those on the page, not the places of the items."""
    done = sightline("top", EXAMPLES / "telescopes.html", COLUMNS="80")
    assert (done.status, done.errors) == (0, "")
    lines = done.output.splitlines()
    assert lines[1] == "7 Telescopes Worth a Detour"
    assert [line.split()[0] for line in lines[3:]] == ["7", "6", "5", "4", "3", "2", "1"]
    assert "Corrie Hill Refractor   In service since 1894 · The oldest" in lines[3]
    assert max(map(len, lines)) <= 80


def test_top_prints_everything_when_asked(folder: Path) -> None:
    """`--all` gives the whole text and the link of every item, however narrow the terminal is."""
    done = sightline("top", "kept.html", "--static", "--all", folder=folder, COLUMNS="30")
    assert all(text in done.output for _, text in STARS)
    assert all(f"/{n}\n" in done.output for n in range(1, 5))


def test_top_keeps_the_json_contract(folder: Path) -> None:
    """One document with one result a source; a page without such a list has null."""
    done = sightline("top", "kept.html", "none.html", "gone.html", "--json", "--static", folder=folder)
    assert done.status == 1
    assert [list(result) for result in done.results] == [["source", "kind", "verdict", "list", "error"]] * 3
    assert [result["kind"] for result in done.results] == ["list"] * 3
    assert [result["verdict"] for result in done.results] == ["ok", "ok", "failed"]
    assert [result["list"] for result in done.results][1:] == [None, None]
    found = done.results[0]["list"]
    assert list(found) == ["k", "items", "box", "score", "kind", "caption"]
    assert (found["k"], found["caption"]) == (4, "4 Bright Stars [bold]")
    assert [(item["rank"], item["title"]) for item in found["items"]] == [
        (n, name) for n, (name, _) in enumerate(STARS, start=1)
    ]


def test_top_tells_where_each_item_stands(folder: Path) -> None:
    """`--origins` adds box and XPath of the item and its parts."""
    done = sightline("top", "kept.html", "--json", "--origins", folder=folder)
    places = done.results[0]["list"]["items"][1]["origins"]
    assert "/h2[2]" in places["title"]["xpath"]
    assert places["item"]["box"][3] > places["title"]["box"][1]


@pytest.mark.parametrize(
    ("page", "arguments", "why"),
    [
        ("none.html", [], "no title promises a number of items; give the number with -k N"),
        ("broken.html", [], "no list of 9 items found for “9 Bright Stars”; try another number with -k"),
        ("kept.html", ["-k", "9"], "no list of 9 items found; try another -k"),
    ],
)
def test_top_says_why_there_is_none(folder: Path, page: str, arguments: list[str], why: str) -> None:
    """No list is no error; standard error says why, and what to try."""
    done = sightline("top", page, "--static", *arguments, folder=folder)
    assert (done.status, done.output) == (0, "")
    assert f"{page}: {why}" in done.errors
    assert "`sightline lists`" in done.errors


@pytest.mark.parametrize("flag", ["-k", "--items"])
def test_top_takes_a_number(folder: Path, flag: str) -> None:
    """`-k` says how many, whatever the title says; the heading is then the title of the page."""
    for page in ("none.html", "broken.html"):
        done = sightline("top", page, "--static", flag, "4", folder=folder)
        assert (done.status, done.errors) == (0, "")
        assert "4 of 4 items" in done.output
        assert "right" in done.output.splitlines()[1]


@pytest.mark.parametrize("number", ["1", "0", "-3"])
def test_top_refuses_numbers_of_no_list(number: str) -> None:
    """One item is no list: wrong usage, told in one line before any page is opened."""
    done = sightline("top", "gone.html", "-k", number)
    assert (done.status, done.output) == (2, "")
    assert f"-k {number}: a list has at least 2 items" in done.errors
    assert done.errors.count("\n") == 1


def test_top_writes_one_list_under_the_name_given(folder: Path) -> None:
    """`-o` takes its format from the suffix; standard output stays empty, standard error names the file."""
    done = sightline("top", "kept.html", "--static", "-o", "x.csv", folder=folder)
    assert (done.status, done.output) == (0, "")
    assert "Written: x.csv (1 list)" in done.errors
    lines = (folder / "x.csv").read_text().splitlines()
    assert lines[0].startswith("title,rank,")
    assert lines[2].startswith("Canopus,2,")
    sightline("top", "kept.html", "--static", "-o", "x.xml", folder=folder)
    assert len(ElementTree.parse(folder / "x.xml").getroot()) == 4


def test_top_writes_the_lists_of_several_pages(folder: Path) -> None:
    """Each page gives one list: numbered files, or one file where the format holds several."""
    pages = ["kept.html", "none.html", EXAMPLES / "telescopes.html"]
    done = sightline("top", *pages, "--static", "-o", "x.csv", folder=folder)
    assert done.status == 0
    assert "Written: x-1.csv, x-2.csv (2 lists)" in done.errors
    sightline("top", *pages, "--static", "-o", "x.json", folder=folder)
    assert [found["k"] for found in json.loads((folder / "x.json").read_text())] == [4, 7]


def test_top_draws_a_picture(folder: Path) -> None:
    """`--image` makes a PNG of the page's width with the list in it."""
    done = sightline("top", "kept.html", "--image", "x.png", "--width", "640", folder=folder)
    assert done.status == 0
    assert "Picture: x.png" in done.errors
    with Image.open(folder / "x.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 640)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert (0, 114, 178) in colours


def test_top_traces_promises_and_candidates(folder: Path) -> None:
    """`--trace` tells what the titles promise and what might keep it; with `--json` the list has its evidence."""
    done = sightline("top", "kept.html", "--static", "--trace", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert "│ 4 │ 4 Bright Stars [bold] │ 3        │" in done.output
    assert all(word in done.output for word in ("found by", "others", "the list", "Sirius"))
    done = sightline("top", "kept.html", "--static", "--trace", "-k", "9", folder=folder)
    assert "│ 9 │" in done.output
    assert "the list" not in done.output
    done = sightline("top", "none.html", "--static", "--trace", folder=folder)
    assert "The search found nothing to examine on this page." in done.output
    done = sightline("top", "kept.html", "--static", "--trace", "--json", folder=folder)
    assert done.results[0]["list"]["evidence"]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["-o", "x.pdf"], ".csv"),
        (["--image", "x.jpg"], ".png"),
        (["--without", "nonsense"], "no rule 'nonsense'"),
    ],
)
def test_top_refuses_what_cannot_be_before_opening_anything(folder: Path, arguments: list[str], advice: str) -> None:
    """A wrong name is told at once in one line, with what would be right."""
    done = sightline("top", "gone.html", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1
