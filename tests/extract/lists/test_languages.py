"""The small readers: numbers before titles, names from classes and labels, and what nodes grow up to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.lists._span_reader import are_counting, read_number, without_numbers
from sightline.extract.lists._title_lines import expand_to_items
from sightline.signals import class_name, label_of


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [
        ("1. Sirius", 1, "Sirius"),
        ("1) Sirius", 1, "Sirius"),
        ("(1) Sirius", 1, "Sirius"),
        ("#7 – Osprey Atmos", 7, "Osprey Atmos"),
        ("№ 3 Vega", 3, "Vega"),
        ("No. 5: Vega", 5, "Vega"),
        ("Tip #3 Rest", 3, "Rest"),
        ("Step 3: Rinse", 3, "Rinse"),
        ("Step 3", 3, ""),
        ("1st. Sirius", 1, "Sirius"),
        ("01. Sirius", 1, "Sirius"),
        ("10 Sirius", 10, "Sirius"),
        ("1: Sirius", 1, "Sirius"),
        ("  3. Vega", 3, "Vega"),
        ("7", 7, ""),
    ],
)
def test_numbers_before_a_title_are_read_with_their_marks(text: str, number: int, rest: str) -> None:
    """Dots, brackets, signs and words such as "step" go with the number."""
    assert read_number(text) == (number, rest)


@pytest.mark.parametrize(
    "text",
    ["Osprey 65 pack", "1.5 litres", "1:30 train", "1/2 apple", "12345 steps", "4x4", "I. Sirius", "Area 51 is", ""],
)
def test_other_numbers_stay_in_the_title(text: str) -> None:
    """Decimals, times, fractions, names: nothing counts there."""
    assert read_number(text) == (None, text)


@pytest.mark.parametrize("numbers", [[1, 2, 3], [3, 2, 1], [2, 3, 4], [1, 2, 4, 5, 6], [1, None, 3, 4], [0, 1, 2]])
def test_numbers_that_count_are_known(numbers: list[int | None]) -> None:
    """Upwards and downwards, from any number on, with a slip or a gap."""
    assert are_counting(numbers)


@pytest.mark.parametrize("numbers", [[], [1], [None, None], [5, 5, 5], [10, 20, 30], [1, 2, None, None, None]])
def test_other_numbers_do_not_count(numbers: list[int | None]) -> None:
    """One number, equal ones, larger steps, or too few of them."""
    assert not are_counting(numbers)


@given(st.integers(1, 50), st.integers(2, 60), st.booleans())
def test_a_run_counts_in_both_directions(first: int, length: int, upwards: bool) -> None:
    """Any run of neighbouring numbers counts."""
    run = list(range(first, first + length))
    assert are_counting(run if upwards else run[::-1])


def test_numbers_are_taken_off_when_they_count() -> None:
    """All texts are told together: a number of one alone stays."""
    assert without_numbers(["1. Sirius", "2. Vega"]) == ([1, 2], ["Sirius", "Vega"])
    assert without_numbers(["7 Cups", "4 Houses"]) == ([None, None], ["7 Cups", "4 Houses"])
    assert without_numbers(["1. a", "2. b", "four", "4. d"]) == ([1, 2, None, 4], ["a", "b", "four", "d"])
    assert without_numbers([]) == ([], [])


def test_a_text_that_is_nothing_but_its_number_keeps_it() -> None:
    """A title is never empty."""
    assert without_numbers(["1.", "2."]) == ([1, 2], ["1.", "2."])


@given(st.lists(st.text(max_size=12), max_size=8))
def test_taking_numbers_off_leaves_a_part_of_each_text(texts: list[str]) -> None:
    """One number and one text for each, and each text a part of what it was."""
    ranks, names = without_numbers(texts)
    assert len(ranks) == len(names) == len(texts)
    assert all(name in text for name, text in zip(names, texts, strict=True))


@pytest.mark.parametrize(
    ("token", "name"),
    [
        *(("title", "title"), ("item-title", "title"), ("productName", "name"), ("a-price-whole", "price")),
        *(("price_current", "price"), ("desc", "description"), ("results__heading", "title"), ("URL", "url")),
        *(("list-price", "list price"), ("itemprice", "price"), ("authors", "authors"), ("now", "now")),
    ],
)
def test_classes_that_tell_give_names(token: str, name: str) -> None:
    """The telling word of a class is the name, with a word before it that belongs to it."""
    assert class_name(token) == name


@pytest.mark.parametrize(
    "token",
    [
        "col-md-4",
        "mb-4",
        "css-1q2w3e",
        "x9f2Qz",
        "x",
        "",
        "main-content",
        "A1B2",
        "a" * 50,
        "fooBar",
        "card",
        "xg12",
        "mtx3",
        "oddrow",
        "buy-now",
    ],
)
def test_classes_of_layout_and_machines_give_none(token: str) -> None:
    """What says how something is laid out, or nothing at all, is no name."""
    assert class_name(token) == ""


@given(st.text(max_size=50))
def test_any_class_is_read(token: str) -> None:
    """A name is short and has no capitals, whatever the class."""
    name = class_name(token)
    assert name == name.lower()
    assert len(name) <= 50


@pytest.mark.parametrize(
    ("texts", "label"),
    [
        (["Price: 5 €", "Price: 7 €", "Price: free"], "Price"),
        (["Price : 5", "Price : 6"], "Price"),
        (["Price: 5", "Price: 6", "free"], "Price"),
        (["Price: 5", "free", "free"], ""),
        (["Price: 5"], ""),
        (["12:30", "12:40"], ""),
        (["http://a", "http://b"], ""),
        ([], ""),
    ],
)
def test_a_label_is_what_most_texts_begin_with(texts: list[str], label: str) -> None:
    """Up to a colon with a blank behind it, in more than half of the texts, and never in one alone."""
    assert label_of(texts) == label


def _grown(parent: list[int], nodes: list[int]) -> list[int]:
    return expand_to_items(np.array(parent, dtype=np.int32), np.array(nodes, dtype=np.int32)).tolist()


def test_nodes_grow_up_to_the_items_that_they_are_in() -> None:
    """Up to the last ancestors that are one for each node."""
    #          root ul  li span t  li span t
    parent = [-1, 0, 1, 2, 3, 1, 5, 6]
    assert _grown(parent, [4, 7]) == [2, 5]
    assert _grown(parent, [2, 5]) == [2, 5]


def test_a_node_alone_grows_up_to_the_root() -> None:
    """Nothing stops one node but the end of the page."""
    assert _grown([-1, 0, 1, 2], [3]) == [0]


@given(st.integers(2, 8), st.integers(0, 4))
def test_equal_chains_grow_up_to_their_tops(count: int, depth: int) -> None:
    """Items of any depth below one list are found from the texts at their bottom."""
    parent, bottoms, tops = [-1], [], []
    for _ in range(count):
        tops.append(len(parent))
        parent.append(0)
        for _ in range(depth):
            parent.append(len(parent) - 1)
        bottoms.append(len(parent) - 1)
    assert _grown(parent, bottoms) == tops
