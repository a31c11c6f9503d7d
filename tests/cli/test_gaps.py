"""What a limit cuts off is said: the verdict is suspicious, the status 3, and the flag that raises the limit named."""

from pathlib import Path

import pytest

import sightline as sl

from ..sources.browser._site import reply, site
from ._inside import sightline
from ._shop import build, learn


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop with a wrapper for its lists, and a table of a hundred rows."""
    folder = build(tmp_path_factory.mktemp("gaps"))
    learn(folder, "l")
    rows = "".join(f"<tr><td>{number}</td><td>{number * number}</td></tr>" for number in range(100))
    (folder / "table.html").write_text(f"<!doctype html><title>t</title><table><tr><th>a<th>b</tr>{rows}</table>")
    return folder


@pytest.mark.parametrize("command", [["tables"], ["lists"], ["content"], ["show"]])
def test_commands_that_read_a_part_are_suspicious(folder: Path, command: list[str]) -> None:
    """The JSON has the verdict and the flag, and so has standard error; the status is 3."""
    done = sightline(*command, "table.html", "--static", "--nodes", "200", "--json", folder=folder)
    (result,) = done.results
    assert (done.status, result["verdict"], result["error"]) == (3, "suspicious", None)
    assert "raise --nodes" in result["gaps"][0]
    assert "raise --nodes" in done.errors


def test_commands_that_read_everything_have_no_gaps(folder: Path) -> None:
    """Without a cut nothing is added to the contract."""
    done = sightline("tables", "table.html", "--static", "--json", folder=folder)
    (result,) = done.results
    assert (done.status, result["verdict"], "gaps" in result) == (0, "ok", False)


def test_save_keeps_what_is_missing(folder: Path, tmp_path: Path) -> None:
    """A saved page goes on saying that it is not whole."""
    assert (
        sightline("save", "table.html", "--static", "--nodes", "200", "-o", tmp_path / "x.page", folder=folder).status
        == 3
    )
    page = sl.open(tmp_path / "x.page")
    assert "raise `nodes`" in page.gaps[0]
    assert sightline("tables", tmp_path / "x.page").status == 3


def test_an_answer_that_breaks_off_is_a_gap() -> None:
    """What a server did not send is missing, and no result of it is ok."""
    with site({"/": reply(b"<!doctype html><p>beginning", length=5_000)}) as here:
        done = sightline("show", here.url(), "--static", "--json")
    (result,) = done.results
    assert (done.status, result["verdict"]) == (3, "suspicious")
    assert "missing" in result["gaps"][0]


def test_errors_name_flags(folder: Path) -> None:
    """On the command line a limit is called by its flag, also in JSON."""
    done = sightline("tables", "table.html", "--document-bytes", "100", "--json", folder=folder)
    assert "raise --document-bytes" in done.results[0]["error"]["message"]
    assert "raise --document-bytes" in done.errors


def test_what_is_learned_and_checked_on_a_part_is_suspicious(folder: Path, tmp_path: Path) -> None:
    """A wrapper that was learned from pages of which something is missing, and a check of such pages, are not ok."""
    pages = [f"p{number}.html" for number in range(4)]
    cut = ("--static", "--nodes", "30")
    learned = sightline("induce", *pages, *cut, "-o", tmp_path / "part.wrapper.json", folder=folder)
    assert (learned.status, "raise --nodes" in learned.errors) == (3, True)
    sightline("induce", *pages, "--static", "-o", tmp_path / "whole.wrapper.json", folder=folder)
    checked = sightline("check", tmp_path / "whole.wrapper.json", *pages, *cut, folder=folder)
    assert checked.status in (1, 3)
    assert "raise --nodes" in checked.output + checked.errors
