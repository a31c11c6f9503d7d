"""`sightline show`: text for people, one JSON document for programs, a picture for both."""

from pathlib import Path

import pytest
from PIL import Image

from ._inside import sightline

PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Cameras [bold]</title>
<body style="margin:0"><h1>Prices</h1><p>Canon EOS 5D: 2,499 [red]€[/red]<p hidden>secret"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page, an empty and a binary file."""
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "empty.html").write_bytes(b"")
    (tmp_path / "image.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    return tmp_path


def test_show_prints_what_is_seen(folder: Path) -> None:
    """People get title, address, counts and every visible text with its place; marks of ours stay text."""
    done = sightline("show", "page.html", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert "Cameras [bold]" in done.output
    assert "2,499 [red]€[/red]" in done.output
    assert "secret" not in done.output
    assert "rendered" in done.output


def test_show_keeps_the_json_contract(folder: Path) -> None:
    """One document with one result a source, each with exactly the promised names, and nothing else."""
    done = sightline("show", "page.html", "--json", folder=folder)
    (result,) = done.results
    assert list(result) == ["source", "kind", "verdict", "page", "error"]
    assert (result["source"], result["kind"], result["verdict"], result["error"]) == ("page.html", "page", "ok", None)
    page = result["page"]
    assert (page["title"], page["kind"], page["language"], page["viewport"]) == (
        "Cameras [bold]",
        "rendered",
        "en",
        [1280, 1024],
    )
    assert [text["text"] for text in page["texts"]] == ["Prices", "Canon EOS 5D: 2,499 [red]€[/red]"]
    assert page["texts"][0]["xpath"] == "/html[1]/body[1]/h1[1]"
    assert page["texts"][0]["box"][0] == 0
    assert page["notes"] == []


def test_show_draws_a_picture(folder: Path) -> None:
    """`--image` makes a PNG of the page's width."""
    done = sightline("show", "page.html", "--image", "x.png", "--width", "640", folder=folder)
    assert done.status == 0
    with Image.open(folder / "x.png") as picture:
        assert picture.format == "PNG"
        assert picture.width == 640
        assert 100 < picture.height < 3000
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 3


def test_show_goes_on_after_a_source_that_fails(folder: Path) -> None:
    """Each bad source costs one line on standard error and the status 1; the others are done."""
    done = sightline("show", "--static", "--json", "empty.html", "page.html", "image.html", "none.html", folder=folder)
    assert done.status == 1
    assert [result["verdict"] for result in done.results] == ["failed", "ok", "failed", "failed"]
    errors = [result["error"]["type"] for result in done.results if result["error"]]
    assert errors == ["UnreadableError", "UnreadableError", "UnreachableError"]
    assert [line.split(":")[1].strip() for line in done.errors.splitlines()] == [
        "empty.html",
        "image.html",
        "none.html",
    ]


def test_show_reads_a_list_from_standard_input(folder: Path) -> None:
    """`-` takes one source a line, or a document."""
    done = sightline("show", "--static", "--json", "-", stdin=b"page.html\n\nnone.html\n", folder=folder)
    assert [result["source"] for result in done.results] == ["page.html", "none.html"]
    done = sightline("show", "--static", "--json", "-", stdin=PAGE.encode(), folder=folder)
    assert [result["page"]["title"] for result in done.results] == ["Cameras [bold]"]


def test_show_takes_globs_and_folders(folder: Path) -> None:
    """A quoted glob and a folder name all their files."""
    for source in ("p*.html", "."):
        done = sightline("show", "--static", "--json", source, folder=folder)
        assert any(result["source"].endswith("page.html") and result["verdict"] == "ok" for result in done.results)


@pytest.mark.parametrize(
    "arguments", [["show"], ["show", "--nonsense", "x"], ["show", "--width", "5", "x"], ["nonsense"], ["save", "x"]]
)
def test_show_calls_wrong_usage_by_its_status(arguments: list[str]) -> None:
    """Missing, unknown and impossible arguments end with status 2 and a hint."""
    done = sightline(*arguments)
    assert done.status == 2
    assert "sightline" in done.errors


def test_show_draws_one_page_only(folder: Path) -> None:
    """Several pages would overwrite one another's picture, so that is refused."""
    done = sightline("show", "--static", "page.html", "empty.html", "--image", "x.png", folder=folder)
    assert done.status != 0
    assert "one source at a time" in done.errors
