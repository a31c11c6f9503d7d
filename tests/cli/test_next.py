"""`sightline next`: where a page of a list leads, for people and programs."""

import json
from pathlib import Path

import pytest

from ._inside import sightline

PAGER = "<div class=pager>1 <a href=?page=2>2</a> <a href=?page=3>3</a> <a href=?page=2>Next</a> Page 1 of 3</div>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page of a list, and one that leads nowhere."""
    (tmp_path / "list.html").write_text(f"<ul><li>A<li>B<li>C</ul>{PAGER}")
    (tmp_path / "alone.html").write_text("<p>Nothing more.")
    return tmp_path


def test_next_prints_where_a_page_leads(folder: Path) -> None:
    """People get the next page, what the page counts, the other pages and why."""
    done = sightline("next", "list.html", "--static", "--base", "https://example.org/list", folder=folder)
    assert done.status == 0
    assert "next: https://example.org/list?page=2 (by a link)" in done.output
    assert "the page counts 3 pages" in done.output
    assert "because a link says “2”" in done.output


def test_next_as_json(folder: Path) -> None:
    """Programs get the contract, a result for each source."""
    arguments = ("--static", "--json", "--base", "https://example.org/list")
    done = sightline("next", "list.html", "alone.html", *arguments, folder=folder)
    first, second = json.loads(done.output)["results"]
    assert (first["kind"], first["verdict"]) == ("paging", "ok")
    assert first["paging"]["next"] == "https://example.org/list?page=2"
    assert first["paging"]["pages"] == [f"https://example.org/list?page={n}" for n in (2, 3)]
    assert (first["paging"]["way"], first["paging"]["total"]) == ("link", 3)
    nothing = dict.fromkeys(("next", "way", "total", "records"))
    assert second["paging"] == {**nothing, "pages": [], "strip": [], "others": [], "evidence": []}


def test_a_page_without_a_next_one_is_told(folder: Path) -> None:
    """It is no failure."""
    done = sightline("next", "alone.html", "--static", folder=folder)
    assert done.status == 0
    assert "no next page was found" in done.errors


def test_a_base_that_is_no_address_is_refused(folder: Path) -> None:
    """Before any page is opened."""
    done = sightline("next", "list.html", "--base", "example.org", folder=folder)
    assert done.status == 2
    assert "--base example.org: this is not an address; give one that begins with https://." in done.errors
