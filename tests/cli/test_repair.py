"""`sightline repair`: a wrapper for pages that were built anew, proposed and never taken."""

import json
from pathlib import Path

import pytest

from sightline import Wrapper

from ._inside import sightline
from ._lessons import CAMERAS, FIRST, OF_FIRST, SECOND, rebuilt, taught
from ._shop import build, learn


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A wrapper for cameras, and their pages after a redesign."""
    taught(tmp_path, FIRST, *OF_FIRST, SECOND, "name=Arden R50", "price=$679.00", "weight=375 g")
    (tmp_path / "new").mkdir()
    for page in CAMERAS.glob("*.html"):
        (tmp_path / "new" / page.name).write_text(rebuilt(page), "utf-8")
    return tmp_path


def test_repair_says_when_nothing_is_to_be_repaired(folder: Path) -> None:
    """Pages that are as they were leave the wrapper as it is; it is written all the same where it is asked for."""
    done = sightline("repair", "x.wrapper.json", FIRST, SECOND, "-o", "y.wrapper.json", folder=folder)
    assert (done.status, done.output) == (0, "Nothing to repair: the wrapper reads all 2 pages correctly.\n")
    assert done.errors == "Written: y.wrapper.json\n"
    assert Wrapper.load(folder / "y.wrapper.json").words() == Wrapper.load(folder / "x.wrapper.json").words()


def test_repair_proposes_a_wrapper_that_reads_the_pages_again(folder: Path) -> None:
    """The old one does not read the new pages; the proposed one does. The old file is as it was."""
    before = (folder / "x.wrapper.json").read_bytes()
    assert sightline("extract", "x.wrapper.json", "new/arden-r50.html", folder=folder).status in (1, 3)
    done = sightline("repair", "x.wrapper.json", "new/*.html", "-o", "y.wrapper.json", folder=folder)
    assert done.status == 0, done.output
    assert "price: found again" in done.output
    assert any(line.startswith("   - ") for line in done.output.splitlines())
    assert any(line.startswith("   + ") for line in done.output.splitlines())
    assert "   before: " in done.output
    assert "   now:    " in done.output
    assert "Confidence " in done.output.splitlines()[-1]
    assert "Written: y.wrapper.json\n" in done.errors
    assert "mv y.wrapper.json x.wrapper.json" in done.errors
    assert (folder / "x.wrapper.json").read_bytes() == before
    done = sightline("extract", "y.wrapper.json", "new/kestrel-z8.html", "--json", folder=folder)
    (record,) = done.results[0]["records"]["records"]
    assert record == {"name": "Kestrel Z8", "price": "$3,696.95", "weight": "910 g"}


def test_repair_tells_what_is_missing(folder: Path) -> None:
    """A page about something else has none of the fields: they are missing, and the status says so."""
    (folder / "other.html").write_text("<title>News</title><p>It rained today.</p><p>And it rained yesterday.</p>")
    done = sightline("repair", "x.wrapper.json", "other.html", "--json", folder=folder)
    assert done.status == 3
    (result,) = done.results
    assert list(result) == ["source", "kind", "verdict", "repair", "error"]
    assert (result["source"], result["kind"], result["verdict"]) == ("other.html", "repair", "suspicious")
    changes = {change["field"]: change["status"] for change in result["repair"]["changes"]}
    assert set(changes) == {"name", "price", "weight"}
    assert changes["price"] == "missing"
    assert Wrapper.from_json(result["repair"]["wrapper"]).fields == ["name", "price", "weight"]


def test_repair_goes_on_without_a_page_that_cannot_be_opened(folder: Path) -> None:
    """It is an error, and the others count all the same."""
    done = sightline("repair", "x.wrapper.json", "gone.html", FIRST, "--json", folder=folder)
    assert done.status == 1
    assert done.errors.startswith("sightline: gone.html: there is no such file")
    assert [result["verdict"] for result in done.results] == ["ok", "failed"]
    done = sightline("repair", "x.wrapper.json", "gone.html", "-o", "y.wrapper.json", folder=folder)
    assert (done.status, done.output) == (1, "")
    assert not (folder / "y.wrapper.json").exists()


@pytest.mark.parametrize("name", ["x.wrapper.json", "./x.wrapper.json", "link.json"])
def test_repair_never_writes_over_the_wrapper(folder: Path, name: str) -> None:
    """Whatever the file is called, it is refused, with how to replace it by hand."""
    (folder / "link.json").symlink_to(folder / "x.wrapper.json")
    before = (folder / "x.wrapper.json").read_bytes()
    done = sightline("repair", "x.wrapper.json", "new/*.html", "-o", name, folder=folder)
    assert done.status == 2
    assert "mv repaired.wrapper.json x.wrapper.json" in done.errors
    assert (folder / "x.wrapper.json").read_bytes() == before


def test_repair_takes_wrappers_that_were_induced(tmp_path: Path) -> None:
    """Their template is learned anew, and the fields keep their names."""
    build(tmp_path)
    learn(tmp_path, "p")
    for number in range(4):
        page = (tmp_path / f"p{number}.html").read_text("utf-8")
        page = page.replace("<table>", "<section><div><table>").replace("</table>", "</table></div></section>")
        page = page.replace("<h1>", "<main><h2>").replace("</h1>", "</h2></main>").replace("<footer>", "<aside>")
        (tmp_path / f"n{number}.html").write_text(page, "utf-8")
    done = sightline("repair", "p.wrapper.json", "n*.html", "-o", "y.wrapper.json", folder=tmp_path)
    assert done.status in (0, 3), done.errors
    assert "Price" in Wrapper.load(tmp_path / "y.wrapper.json").fields
    done = sightline("repair", "p.wrapper.json", "other.html", "--json", folder=tmp_path)
    assert done.status == 1
    assert done.results[0]["error"]["type"] == "UsageError"


def test_repair_opens_pages_as_the_wrapper_was_taught(folder: Path) -> None:
    """A wrapper that was taught without a browser needs none."""
    arguments = ("repair", "x.wrapper.json", FIRST, "--json")
    done = sightline(*arguments, folder=folder, SIGHTLINE_BROWSER="/nonexistent")
    assert done.status == 0
    assert json.loads(done.output)["results"][0]["repair"]["wrapper"]["rendered"] is False


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["gone.wrapper.json", "x.html"], "there is no such file; make one with `sightline teach`"),
        (["x.wrapper.json", "x.html", "-o", "x.csv"], "shop.wrapper.json"),
    ],
)
def test_repair_helps_newcomers(folder: Path, arguments: list[str], advice: str) -> None:
    """What cannot be is told at once in one line."""
    done = sightline("repair", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1
