"""`sightline collect`: all records of a list, for people, programs and files."""

import csv
import json
from pathlib import Path

import pytest

from sightline.errors import OutputError

from ..navigate._site import served
from ..navigate.collect.test_collect import numbers, shop
from ..navigate.collect.test_what import countdown, stars
from ._inside import sightline

FAST = ("--static", "--delay", "0")


def test_collect_writes_all_records(tmp_path: Path) -> None:
    """One file with every record once, and why it stopped."""
    with served(shop(13, numbers)) as site:
        done = sightline("collect", site("/list"), *FAST, "-o", "lenses.csv", folder=tmp_path)
    assert done.status == 0
    assert "Stopped: there is no further page." in done.errors
    assert "13 records of" in done.output
    rows = list(csv.DictReader((tmp_path / "lenses.csv").read_text("utf-8-sig").splitlines()))
    assert len({row["title"] for row in rows}) == 13
    assert not (tmp_path / "lenses.csv.collecting").exists()


def test_collect_with_details(tmp_path: Path) -> None:
    """The pages that records lead to are read as well."""
    with served(shop(6)) as site:
        done = sightline("collect", site("/list"), *FAST, "--details", "auto", "--json", folder=tmp_path)
    [result] = json.loads(done.output)["results"]
    assert (result["kind"], result["verdict"]) == ("records", "ok")
    assert [record["Weight"] for record in result["records"]["records"]] == [f"{300 + n} g" for n in range(1, 7)]
    assert result["records"]["stop"]["kind"] == "end"


def test_collect_says_that_there_is_more(tmp_path: Path) -> None:
    """With the flag that reads it, and status 3."""
    with served(shop(31)) as site:
        done = sightline("collect", site("/list"), *FAST, "--pages", "2", folder=tmp_path)
    assert done.status == 3
    assert "raise --pages to read them" in done.errors


def test_collect_wants_an_address(tmp_path: Path) -> None:
    """A file has no next pages."""
    done = sightline("collect", "list.html", folder=tmp_path)
    assert done.status == 2
    assert "list.html is not an address; give one that begins with https://." in done.errors


def test_a_list_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    """And status 1."""
    with served(lambda _: None) as site:
        done = sightline("collect", site("/list"), *FAST, folder=tmp_path)
    assert done.status == 1
    assert "404" in done.errors


def test_what_was_collected_outlives_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """The same command goes on from it."""
    with served(shop(13)) as site:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sightline.cli._files.write_bytes", _full)
            done = sightline("collect", site("/list"), *FAST, "-o", "lenses.csv", folder=tmp_path)
        assert (done.status, "No space left" in done.errors) == (1, True)
        assert (tmp_path / "lenses.csv.collecting").exists()
        site.asked.clear()
        done = sightline("collect", site("/list"), *FAST, "-o", "lenses.csv", folder=tmp_path)
    assert done.status == 0
    assert site.asked == []  # the list was read to its end
    assert len((tmp_path / "lenses.csv").read_text("utf-8-sig").splitlines()) == 14


def test_what_is_collected_is_a_flag(tmp_path: Path) -> None:
    """The rows of a table, or the items that a title promises; one of them."""
    with served(stars(9)) as site:
        done = sightline("collect", site("/list"), *FAST, "--tables", "-o", "stars.csv", folder=tmp_path)
    assert done.status == 0
    rows = list(csv.DictReader((tmp_path / "stars.csv").read_text("utf-8-sig").splitlines()))
    assert [list(row) for row in rows] == [["Star", "Magnitude", "Seen"]] * 9
    with served(countdown(9, 3)) as site:
        done = sightline("collect", site("/list"), *FAST, "--top", folder=tmp_path)
    assert (done.status, "Stopped: all 9 items that the title promises are found." in done.errors) == (0, True)
    done = sightline("collect", "https://example.org", "--lists", "--tables", folder=tmp_path)
    assert (done.status, "--lists and --tables exclude each other; give one of them." in done.errors) == (2, True)


def _full(path: Path, _content: bytes) -> Path:
    raise OutputError(f"Could not write {path}: No space left on device; choose another place.")
