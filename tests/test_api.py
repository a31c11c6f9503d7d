"""The public verbs."""

from pathlib import Path

import pytest

import sightline as sl


def test_open_takes_bytes_and_paths(tmp_path: Path) -> None:
    """The same document gives the same texts from bytes, a path and a string."""
    content = b"<!doctype html><title>One</title><p>Hello"
    path = tmp_path / "one.html"
    path.write_bytes(content)
    pages = [sl.open(source, static=True) for source in (content, path, str(path))]
    assert {page.title for page in pages} == {"One"}
    assert {page.text_of() for page in pages} == {"Hello"}


def test_open_refuses_an_archive_of_several_pages(tmp_path: Path) -> None:
    """Several pages in one source are not reduced to the first in silence."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(f"<p>{name}")
    with pytest.raises(sl.errors.UsageError, match="open_all"):
        sl.open(tmp_path, static=True)


def test_open_all_gives_one_result_each_in_order(tmp_path: Path) -> None:
    """A source that fails has its error in its place and stops no other."""
    good = tmp_path / "good.html"
    good.write_text("<p>good")
    empty = tmp_path / "empty.html"
    empty.touch()
    names = [str(good), str(tmp_path / "missing.html"), str(empty), str(good)]
    results = list(sl.open_all(names, static=True))
    assert [result.source for result in results] == names
    assert [type(result.error).__name__ for result in results] == [
        "NoneType",
        "UnreachableError",
        "UnreadableError",
        "NoneType",
    ]


def test_save_and_open_give_the_same_page(tmp_path: Path) -> None:
    """What was saved comes back with the same id, without a browser."""
    page = sl.open(b"<p>Hello <b>you</b>", static=True)
    path = sl.save(page, tmp_path / "x.page")
    again = sl.open(path)
    assert again.id == page.id
    assert again.text_of() == "Hello you"


def test_save_asks_for_the_suffix(tmp_path: Path) -> None:
    """A page is saved under its own suffix only, so that nobody takes it for something else."""
    with pytest.raises(sl.errors.UsageError, match=r"\.page"):
        sl.save(sl.open(b"<p>x", static=True), tmp_path / "x.html")
