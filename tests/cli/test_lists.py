"""`sightline lists`: every list of a page for people, JSON for programs, files of every format, and a picture."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ._inside import sightline

HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title><style>body{margin:40px}</style>"
MENU = "<nav><ul>" + "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "Lenses", "Help")) + "</ul></nav>"
CAMERAS = "<main><h2>Cameras [bold]</h2>" + "".join(
    f"<article><h3><a href=/{place}>{name}</a></h3><p>{price}</p><p>{text}</p></article>"
    for place, (name, price, text) in enumerate(
        [
            ("Arden R5", "$4,299.00", "A fast one for sports and for the dusk."),
            ("Lumora Z7", "$2,899.95", "Many pixels, and a handle that fits."),
            ("Norda A1", "$6,499.00", "The dearest of them, and the slowest."),
            ("Kestrel X", "$1,699.00", "Small enough for any coat that we know."),
            ("Halden Q", "$999.00", "Sold without a strap and without a lid."),
            ("Halden S", "$899.00", "As the one before it, yet in a red case."),
        ]
    )
)
NEWS = "<h2>News</h2><ul><li>The shop is open on Sundays<li>Our walk along the river<li>Repairs</ul></main>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page of two lists and a menu, a page of a menu, and one of neither."""
    (tmp_path / "two.html").write_text(f"{HEAD}{MENU}{CAMERAS}{NEWS}")
    (tmp_path / "menu.html").write_text(f"{HEAD}{MENU}<h1>Hello</h1><p>Nothing but prose on this page.")
    (tmp_path / "none.html").write_text(f"{HEAD}<h1>Hello</h1><p>Nothing but prose on this page.")
    return tmp_path


def test_lists_prints_what_is_seen(folder: Path) -> None:
    """People get number, name, size and the first records under the names of their parts; menus as one line."""
    done = sightline("lists", "two.html", folder=folder)
    assert done.status == 0
    heading = next(line for line in done.output.splitlines() if "Cameras [bold]" in line)
    assert heading.startswith("1  ")
    assert "6 records" in heading
    assert "Halden Q" in done.output
    assert "Halden S" not in done.output
    assert "--all" in done.errors
    menu = next(line for line in done.output.splitlines() if "Home" in line)
    assert menu.strip() == "Home · Lenses · Help"
    assert "navigation" in done.output


def test_lists_prints_everything_when_asked(folder: Path) -> None:
    """`--all` leaves out nothing, also no address."""
    done = sightline("lists", "two.html", "--static", "--all", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert "Halden S" in done.output
    assert "/5" in done.output


def test_lists_keeps_the_json_contract(folder: Path) -> None:
    """One document with one result a source, each list and item with exactly the promised names."""
    done = sightline("lists", "two.html", "none.html", "gone.html", "--json", "--static", folder=folder)
    assert done.status == 1
    assert [list(result) for result in done.results] == [["source", "kind", "verdict", "lists", "error"]] * 3
    assert [result["kind"] for result in done.results] == ["lists"] * 3
    assert [result["verdict"] for result in done.results] == ["ok", "ok", "failed"]
    assert [result["lists"] for result in done.results][1:] == [[], None]
    cameras = done.results[0]["lists"][0]
    assert list(cameras) == ["k", "items", "box", "score", "kind", "caption"]
    assert (cameras["k"], len(cameras["items"]), cameras["kind"]) == (6, 6, "items")
    item = cameras["items"][1]
    assert list(item) == ["title", "text", "image", "link", "rank", "components"]
    assert item["title"] == "Lumora Z7"
    assert "$2,899.95" in item["components"].values()


def test_lists_tells_where_each_part_stands(folder: Path) -> None:
    """`--origins` adds box and XPath of the item and of each part, which lead to them in the page."""
    done = sightline("lists", "two.html", "--json", "--origins", folder=folder)
    item = done.results[0]["lists"][0]["items"][1]
    price = next(part for part in item["components"].values() if part and part["text"] == "$2,899.95")
    assert price["xpath"].endswith("/article[2]/p[1]")
    assert price["box"][2] > price["box"][0] >= 40
    assert {"item", "title", "link"} <= set(item["origins"])
    assert all("/article[2]" in place["xpath"] for place in item["origins"].values())


def test_lists_files_tell_it_too(folder: Path) -> None:
    """With `--origins` every value of a JSON lines file has its XPath, also the joined ones."""
    done = sightline("lists", "two.html", "--static", "--first", "1", "--origins", "-o", "x.jsonl", folder=folder)
    assert done.status == 0
    for line in (folder / "x.jsonl").read_text().splitlines():
        assert all(value["xpath"] for value in json.loads(line).values() if value)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "xml", "parquet"])
def test_lists_numbers_the_files_of_formats_for_one(folder: Path, suffix: str) -> None:
    """Several lists are several files, and standard error names them."""
    done = sightline("lists", "two.html", "--static", "--no-navigation", "-o", f"x.{suffix}", folder=folder)
    assert (done.status, done.output) == (0, "")
    assert f"Written: x-1.{suffix}, x-2.{suffix} (2 lists; --first 1 writes only the best)" in done.errors
    assert sorted(path.name for path in folder.glob("x*")) == [f"x-1.{suffix}", f"x-2.{suffix}"]


@pytest.mark.parametrize("suffix", ["json", "html", "xlsx"])
def test_lists_puts_all_into_one_file_where_it_can(folder: Path, suffix: str) -> None:
    """Several lists are one file with all of them in it."""
    done = sightline("lists", "two.html", "--static", "--no-navigation", "-o", f"x.{suffix}", folder=folder)
    assert f"Written: x.{suffix} (2 lists)" in done.errors
    assert [path.name for path in folder.glob("x*")] == [f"x.{suffix}"]


def test_lists_files_hold_the_records(folder: Path) -> None:
    """A row a record under the names of the parts, in the formats that people read."""
    sightline("lists", "two.html", "--static", "--first", "1", "-o", "x.csv", folder=folder)
    lines = (folder / "x.csv").read_text().splitlines()
    assert len(lines) == 7
    assert "title" in lines[0].split(",")
    assert 'Lumora Z7,"$2,899.95"' in lines[2]
    sightline("lists", "two.html", "--static", "--first", "1", "-o", "x.json", folder=folder)
    (found,) = json.loads((folder / "x.json").read_text())
    assert [item["title"] for item in found["items"]][:2] == ["Arden R5", "Lumora Z7"]
    sightline("lists", "two.html", "--static", "--first", "1", "-o", "x.xml", folder=folder)
    assert len(ElementTree.parse(folder / "x.xml").getroot()) == 6


def test_lists_takes_only_the_wanted_ones(folder: Path) -> None:
    """`--containing`, `--first` and `--no-navigation` choose."""

    def names(*arguments: str) -> list[str]:
        done = sightline("lists", "two.html", "--json", "--static", *arguments, folder=folder)
        return [found["items"][0]["title"] for found in done.results[0]["lists"]]

    everything = names()
    assert "Home" in everything
    assert names("--no-navigation") == [name for name in everything if name != "Home"]
    assert names("--first", "1") == everything[:1] == ["Arden R5"]
    (news,) = names("--containing", "RIVER")
    assert news.startswith("The shop is open")
    assert names("--containing", "river", "--first", "1") == [news]


def test_lists_says_when_there_is_none_and_what_to_try(folder: Path) -> None:
    """Nothing found is no error; standard error tells the next step, and nothing is written."""
    done = sightline("lists", "none.html", "-o", "x.csv", folder=folder)
    assert (done.status, done.output) == (0, "")
    assert "none.html: no list found; nothing on the page repeats" in done.errors
    assert "Nothing was written to x.csv" in done.errors
    assert not (folder / "x.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["two.html", "--static", "--containing", "zebra"], "leave out --containing"),
        (["none.html", "--static"], "leave out --static"),
        (["menu.html", "--no-navigation"], "leave out --no-navigation"),
        (["two.html", "--no-navigation", "--least-score", "1"], "lower --least-score, or see every candidate"),
    ],
)
def test_lists_gives_advice_that_fits(folder: Path, arguments: list[str], advice: str) -> None:
    """The next step follows from why there is nothing."""
    done = sightline("lists", *arguments, folder=folder)
    assert (done.status, done.output) == (0, "")
    assert advice in done.errors


def test_lists_draws_a_picture(folder: Path) -> None:
    """`--image` makes a PNG of the page's width, with a colour for each list and grey for menus."""
    done = sightline("lists", "two.html", "--image", "x.png", "--width", "640", folder=folder)
    assert done.status == 0
    assert "Picture: x.png" in done.errors
    with Image.open(folder / "x.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 640)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert {(0, 114, 178), (213, 94, 0), (120, 120, 120)} <= colours


def test_lists_traces_what_it_looked_at(folder: Path) -> None:
    """`--trace` shows the candidates with what became of them; with `--json` the lists have their evidence."""
    done = sightline("lists", "two.html", "--static", "--trace", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert all(word in done.output for word in ("found by", "score", "decision", "navigation", "Arden R5"))
    done = sightline("lists", "two.html", "--static", "--trace", "--json", folder=folder)
    assert done.results[0]["lists"][0]["evidence"]


def test_lists_goes_on_after_a_source_that_fails(folder: Path) -> None:
    """What the other pages gave is written, and the status tells of the failure."""
    done = sightline("lists", "--static", "gone.html", "two.html", "--first", "1", "-o", "x.csv", folder=folder)
    assert done.status == 1
    assert "gone.html" in done.errors
    assert (folder / "x.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["-o", "x.pdf"], ".csv"),
        (["-o", "x"], ".csv"),
        (["--image", "x.jpg"], ".png"),
        (["none.html", "--image", "x.png"], "one source at a time"),
        (["--without", "nonsense"], "no rule 'nonsense'"),
    ],
)
def test_lists_refuses_what_cannot_be_before_opening_anything(folder: Path, arguments: list[str], advice: str) -> None:
    """A wrong name is told at once in one line, with what would be right."""
    done = sightline("lists", "gone.html", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--first", "0"], ["--least-score", "2"], ["--least-records", "1"]])
def test_lists_calls_wrong_usage_by_its_status(arguments: list[str]) -> None:
    """Impossible numbers end with status 2."""
    assert sightline("lists", "x.html", *arguments).status == 2


def test_lists_tells_a_folder_that_is_not_there(folder: Path) -> None:
    """Where to write is looked at before any page is opened: one line, and the status of wrong usage."""
    done = sightline("lists", "gone.html", "-o", "missing/x.json", folder=folder)
    assert done.status == 2
    assert "there is no folder missing" in done.errors
    assert "gone.html" not in done.errors
