"""What speaks against a name."""

import pytest

from sightline.extract.schemas._evidence import (
    FixedText,
    are_peers,
    can_be,
    common_steps,
    counted,
    is_byline,
    is_named_elsewhere,
)

NO_MARKS: frozenset[str] = frozenset()


def _text(*names: str, text: str = "Label", path: tuple[int, ...] = (), share: float = 1.0) -> FixedText:
    return FixedText(text, names, path or (*range(len(names) - 1), 0), NO_MARKS, share)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["Read reviews", "Be the first to review"], True),
        (["View all photos", "View all photos", "None"], True),
        (["Find it in:", "About the book:"], True),
        (["Find"], False),  # one word may be anything
        (["5 €", "View price"], False),
        ([], False),
    ],
)
def test_links_that_say_what_to_do_are_no_values(texts: list[str], said: bool) -> None:
    """Nor are labels of what follows; most of the texts decide."""
    assert is_named_elsewhere(texts) is said


def test_nothing_is_said_of_no_texts() -> None:
    """A field without texts is neither a byline nor a count, and may be a year."""
    assert (is_byline([]), counted([]), can_be("year", [])) == (False, "", False)


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["(220 Reviews)", "(1 Review)"], "reviews"),
        (["1,024 votes"], "votes"),
        (["160 pages"], "pages"),
        (["5 stars", "4 stars"], ""),
        (["Read 5 reviews"], ""),
    ],
)
def test_counts_say_what_they_count(texts: list[str], name: str) -> None:
    """Only where the whole text is a count."""
    assert counted(texts) == name


def test_texts_of_one_style_are_peers() -> None:
    """A heading beside a heading is not its label; a cell beside a cell may be, and so may one before a number."""
    label = _text("tr", "td :1", "div .head", path=(0, 0, 0))
    assert are_peers(label, ("tr", "td :2", "div .head"), (0, 1, 0), ["Rating"])
    assert not are_peers(label, ("tr", "td :2", "div .head"), (0, 1, 0), ["12"])
    assert not are_peers(label, ("tr", "td :2", "div .value"), (0, 1, 0), ["Rating"])
    assert not are_peers(label._replace(text="Label:"), ("tr", "td :2", "div .head"), (0, 1, 0), ["Rating"])
    cell = _text("tr", "td .cell :1", path=(0, 0))
    assert not are_peers(cell, ("tr", "td .cell :1"), (0, 1), ["Rating"])


def test_the_style_that_both_are_in_tells_nothing() -> None:
    """A label and its value are often in one box with a class."""
    label = _text("div .box", "span", path=(0, 0))
    assert not are_peers(label, ("div .box", "i"), (0, 1), ["Rating"])


def test_items_that_some_records_have_are_peers() -> None:
    """An item of a list before another one is no label, unless it is marked as one or always there."""
    names = ("ul", "li", "#text")
    label = _text(*names, path=(0, 0, 0), share=0.5)
    assert are_peers(label, names, (0, 1, 0), ["Two-year"])
    assert not are_peers(label._replace(share=1.0), names, (0, 1, 0), ["Two-year"])
    assert not are_peers(label._replace(marks=frozenset(["b"])), names, (0, 1, 0), ["Two-year"])
    assert not are_peers(label, ("ul", "li", "i"), (0, 1, 0), ["Two-year"])


def test_steps_are_shared_from_the_top() -> None:
    """Steps that are equal again further down do not count."""
    assert common_steps((1, 2, 3), (1, 5, 3)) == 1
    assert common_steps((), (1,)) == 0
