"""`sightline edit`: fields renamed, merged, split, dropped and restored, and what a record is."""

import shutil
from pathlib import Path

import pytest

from sightline import Wrapper
from sightline.extract.wrappers import Templates

from ._inside import sightline
from ._shop import build, learn


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a shop, with a wrapper for its products and one for its lists."""
    folder = build(tmp_path_factory.mktemp("shop"))
    for letter in "pl":
        learn(folder, letter)
    return folder


@pytest.fixture
def folder(shop: Path, tmp_path: Path) -> Path:
    """A folder with both wrappers, to be changed."""
    for letter in "pl":
        shutil.copy(shop / f"{letter}.wrapper.json", tmp_path)
    return tmp_path


def _fields(path: Path) -> list[str]:
    return Wrapper.load(path).fields


def test_edit_shows_a_wrapper_and_leaves_it_alone(folder: Path) -> None:
    """Without changes it prints the outline, and nothing is written."""
    before = (folder / "p.wrapper.json").stat().st_mtime_ns
    done = sightline("edit", "p.wrapper.json", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert [line.split()[0] for line in done.output.splitlines()] == ["A", "title:", "Price:", "Weight:"]
    assert (folder / "p.wrapper.json").stat().st_mtime_ns == before


def test_edit_changes_the_file_itself(folder: Path) -> None:
    """Several changes at once; the outline is the new one."""
    flags = ("--rename", "title=name", "--rename", "Price=price", "--drop", "Weight")
    done = sightline("edit", "p.wrapper.json", *flags, folder=folder)
    assert (done.status, done.errors) == (0, "Written: p.wrapper.json\n")
    assert [line.split()[0] for line in done.output.splitlines()] == ["A", "name:", "price:"]
    assert _fields(folder / "p.wrapper.json") == ["name", "price"]
    sightline("edit", "p.wrapper.json", "--restore", "Weight", folder=folder)
    assert _fields(folder / "p.wrapper.json") == ["name", "price", "Weight"]


def test_edit_writes_another_file(folder: Path) -> None:
    """With `-o` the wrapper itself stays as it is; without changes that is a copy."""
    done = sightline("edit", "p.wrapper.json", "--drop", "Weight", "-o", "q.wrapper.json", folder=folder)
    assert (done.status, done.errors) == (0, "Written: q.wrapper.json\n")
    assert _fields(folder / "p.wrapper.json") == ["title", "Price", "Weight"]
    assert _fields(folder / "q.wrapper.json") == ["title", "Price"]
    sightline("edit", "p.wrapper.json", "-o", "r.wrapper.json", folder=folder)
    assert _fields(folder / "r.wrapper.json") == ["title", "Price", "Weight"]


def test_edit_merges_and_splits_after_renaming(folder: Path) -> None:
    """The order is that of the help, not of the flags."""
    flags = ("--merge", "cost+Weight=fact", "--rename", "Price=cost")
    assert sightline("edit", "p.wrapper.json", *flags, folder=folder).status == 0
    assert _fields(folder / "p.wrapper.json") == ["title", "fact"]
    assert sightline("edit", "p.wrapper.json", "--split", "fact", folder=folder).status == 0
    assert _fields(folder / "p.wrapper.json") == ["title", "fact", "fact 2"]


def test_edit_says_what_a_record_is(folder: Path) -> None:
    """The items of a set, or the whole page."""
    rules = Wrapper.load(folder / "l.wrapper.json").rules
    assert isinstance(rules, Templates)
    (name,) = rules.each
    done = sightline("edit", "l.wrapper.json", "--whole-page", folder=folder)
    assert "A page is one record" in done.output
    assert f"{name}: set of records" in done.output
    done = sightline("edit", "l.wrapper.json", "--records-of", name, folder=folder)
    assert f"A record is one of “{name}”" in done.output


def test_edit_prints_the_wrapper_as_json(folder: Path) -> None:
    """As `induce` does."""
    done = sightline("edit", "p.wrapper.json", "--drop", "Weight", "--json", folder=folder)
    (result,) = done.results
    assert (result["source"], result["kind"], result["verdict"]) == ("p.wrapper.json", "wrapper", "ok")
    assert Wrapper.from_json(result["wrapper"]).fields == ["title", "Price"]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["gone.json"], "there is no such file; make"),
        (["p.wrapper.json", "--rename", "title"], "--rename Price=price"),
        (["p.wrapper.json", "--rename", "=x"], "--rename Price=price"),
        (["p.wrapper.json", "--rename", "titel=x"], "did you mean 'title'?"),
        (["p.wrapper.json", "--rename", "title=Price"], "There is already a field 'Price'"),
        (["p.wrapper.json", "--merge", "title=x"], "name the fields to merge"),
        (["p.wrapper.json", "--merge", "title+"], "name the fields to merge"),
        (["p.wrapper.json", "--drop", "title", "--drop", "nonsense"], "no field 'nonsense'"),
        (["p.wrapper.json", "--split", "title"], "nothing to split"),
        (["p.wrapper.json", "--records-of", "nonsense"], "no set 'nonsense'"),
        (["p.wrapper.json", "--records-of", "x", "--whole-page"], "Give either"),
        (["p.wrapper.json", "--drop", "title", "-o", "x.csv"], "shop.wrapper.json"),
    ],
)
def test_edit_changes_nothing_that_it_cannot(folder: Path, arguments: list[str], advice: str) -> None:
    """One line says what is wrong, and the file is as it was."""
    before = (folder / "p.wrapper.json").read_bytes()
    done = sightline("edit", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1
    assert (folder / "p.wrapper.json").read_bytes() == before


def test_edit_has_had_another_name(folder: Path) -> None:
    """Scripts that say `sightline mend` go on, with a hint."""
    done = sightline("mend", "p.wrapper.json", folder=folder)
    assert done.status == 0
    assert done.output == sightline("edit", "p.wrapper.json", folder=folder).output
    assert "`sightline mend` is called `sightline edit` now" in done.errors
