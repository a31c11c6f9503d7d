"""`sightline induce`: a wrapper from pages alone, and what newcomers do wrong."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from sightline import Wrapper
from sightline.extract.schemas import INDUCE_RULES

from .._wait import BOUND
from ._command import COMMAND, environment
from ._inside import sightline
from ._shop import build

PRODUCTS = [f"p{number}.html" for number in range(4)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The pages of a shop."""
    return build(tmp_path)


def test_induce_writes_a_wrapper_and_tells_what_it_learned(folder: Path) -> None:
    """The outline has every field with its type and an example; standard error says what to do next."""
    done = sightline("induce", *PRODUCTS, "--static", "-o", "shop.wrapper.json", folder=folder)
    assert done.status == 0
    lines = done.output.splitlines()
    assert lines[0] == "Learned 3 fields from all 4 pages; all of them comply."
    assert lines[1] == "A page is one record"
    assert [line.split() for line in lines[2:]] == [
        ["title:", "text", "“Camera", "0”"],
        ["Price:", "money", "EUR", "“100.50", "€”"],
        ["Weight:", "optional", "measure", "g", "“500", "g”"],
    ]
    assert done.errors == "Written: shop.wrapper.json\nNext: sightline extract shop.wrapper.json SOURCE…\n"
    assert Wrapper.load(folder / "shop.wrapper.json").fields == ["title", "Price", "Weight"]


def test_induce_says_of_what_a_page_has_records(folder: Path) -> None:
    """On pages of lists the items are the records."""
    done = sightline("induce", "l0.html", "l1.html", "l2.html", "--static", "-o", "x.json", folder=folder)
    assert "A record is one of “" in done.output
    assert "price: money EUR" in done.output


def test_induce_prints_the_wrapper_as_json(folder: Path) -> None:
    """`--json` needs no file; what it prints is what the file would hold."""
    done = sightline("induce", *PRODUCTS, "--static", "--json", "-o", "shop.json", folder=folder)
    (result,) = done.results
    assert list(result) == ["source", "kind", "verdict", "wrapper", "error"]
    assert (result["source"], result["kind"], result["verdict"]) == (" ".join(PRODUCTS), "wrapper", "ok")
    assert result["wrapper"] == json.loads((folder / "shop.json").read_text())
    assert Wrapper.from_json(result["wrapper"]).training.pages == 4
    assert sightline("induce", *PRODUCTS, "--static", "--json", folder=folder).results == done.results


def test_induce_goes_on_without_a_source_that_fails(folder: Path) -> None:
    """It is told in one line, the wrapper is written all the same, and the status tells of the failure."""
    done = sightline("induce", "gone.html", *PRODUCTS, "--static", "-o", "shop.json", folder=folder)
    assert done.status == 1
    assert done.errors.splitlines()[0].startswith("sightline: gone.html: there is no such file")
    assert Wrapper.load(folder / "shop.json").training.pages == 4
    done = sightline("induce", "gone.html", *PRODUCTS, "--static", "--json", folder=folder)
    assert [result["verdict"] for result in done.results] == ["ok", "failed"]
    assert done.results[1]["source"] == "gone.html"
    assert done.results[1]["wrapper"] is None
    assert done.results[1]["error"]["type"] == "UnreachableError"


def test_induce_tells_which_pages_were_of_no_use(folder: Path) -> None:
    """A page that no other is like is left out; one that differs is named, with how to see where."""
    done = sightline("induce", *PRODUCTS, "other.html", "--static", "-o", "x.json", folder=folder)
    assert done.status == 0
    assert "Learned 3 fields from 4 of 5 pages; 4 of them comply." in done.output
    assert "Left out, as no other page is built like it: other.html" in done.errors
    few = ["--learn-from", "2", "--static", "-o", "x.json"]
    done = sightline("induce", *PRODUCTS, "odd.html", *few, folder=folder)
    assert "2 of 5 pages" in done.output


def test_induce_traces_its_decisions(folder: Path) -> None:
    """`--trace` has the rule, the decision and the place, and with `--json` they are there as well."""
    done = sightline("induce", *PRODUCTS, "--static", "-o", "x.json", "--trace", folder=folder)
    assert "what was decided" in done.output
    assert "2 rows by their label: Price:, Weight:" in done.output
    done = sightline("induce", *PRODUCTS, "--static", "--json", "--trace", folder=folder)
    assert {"path", "rule", "what"} == set(done.results[0]["steps"][0])


def test_induce_leaves_out_rules(folder: Path) -> None:
    """`--without` takes the name of any rule."""
    without = [word for rule in INDUCE_RULES for word in ("--without", rule)]
    assert sightline("induce", *PRODUCTS, "--static", "-o", "x.json", *without, folder=folder).status == 0


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["gone.html", "gone.html"], "-o shop.wrapper.json"),
        (["gone.html", "-o", "x.csv"], "shop.wrapper.json"),
        (["gone.html", "-o", "x.json", "--without", "nonsense"], "no rule 'nonsense'"),
        (["p0.html", "--static", "-o", "x.json"], "at least two pages"),
        (["p0.html", "other.html", "--static", "-o", "x.json"], "No two of these pages"),
        (["same.html", "same.html", "--static", "-o", "x.json"], "have the same text"),
    ],
)
def test_induce_helps_newcomers(folder: Path, arguments: list[str], advice: str) -> None:
    """What cannot be is wrong usage, told in one line with what would be right; nothing is written."""
    (folder / "same.html").write_text("<h1>The river</h1><p>It rained today.")
    done = sightline("induce", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1
    assert not (folder / "x.json").exists()


def test_induce_tells_a_folder_that_is_not_there_before_it_learns(folder: Path) -> None:
    """Nobody waits for pages whose wrapper cannot be written."""
    done = sightline("induce", "gone.html", "-o", "missing/x.json", folder=folder)
    assert done.status == 1
    assert done.errors.startswith("sightline: Could not write missing/x.json")
    assert done.errors.count("\n") == 1


@pytest.mark.parametrize("width", [80, 120])
def test_induce_fits_the_terminal(folder: Path, width: int) -> None:
    """No line of the outline is wider than the terminal, however long names and examples are."""
    for number in range(3):
        text = f"<dl><dt>{'A very long name of a field ' * 4}</dt><dd>{f'{number} and more of it ' * 9}</dd></dl>"
        (folder / f"long{number}.html").write_text((folder / f"p{number}.html").read_text() + text)
    done = sightline("induce", "long*.html", "--static", "-o", "x.json", folder=folder, COLUMNS=str(width))
    assert done.status == 0
    assert max(map(len, done.output.splitlines())) <= width


@pytest.mark.slow
def test_induce_shows_on_a_terminal_that_it_is_learning(folder: Path) -> None:
    """A bar is drawn where somebody looks at it."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, "induce", *PRODUCTS, "--static", "--learn-from", "3", "-o", "x.json"]
    more = environment(TERM="xterm", COLUMNS="100")
    with subprocess.Popen(command, cwd=folder, stderr=theirs, stdout=subprocess.DEVNULL, env=more) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                read = os.read(ours, 4096)
            except OSError:
                break
            if not read:
                break
            shown += read
        assert running.wait(timeout=BOUND) == 0
    os.close(ours)
    assert "Learn" in shown.decode()
    assert "Written: x.json" in shown.decode()
