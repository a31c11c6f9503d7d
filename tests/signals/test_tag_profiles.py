"""How alike two parts of a page are made."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.page import Page
from sightline.signals import TagProfiles
from sightline.testing import list_page


def _page(body: str) -> Page:
    return sl.open(f"<!doctype html><body>{body}".encode(), static=True)


def _rows(page: Page, tag: str) -> np.ndarray:
    nodes = page.with_tag(tag)
    return TagProfiles(page).of(nodes, page.end[nodes])


def test_equal_subtrees_have_equal_profiles() -> None:
    """What is made of the same elements has the same row, whatever it says."""
    one, two, three = _rows(_page("<ul><li><b>a</b> x<li><b>other</b> words<li><i>c</i> x</ul>"), "li")
    assert one == pytest.approx(two)
    assert float(one @ two) == pytest.approx(1)
    assert 0 < float(one @ three) < 1


def test_nothing_in_common_is_no_likeness() -> None:
    """Parts that share no path are not alike at all."""
    one, two = _rows(_page("<ul><li><b>a</b><li><i>b</i></ul>"), "li")
    assert float(one @ two) == pytest.approx(0)


def test_paths_count_by_the_root_of_their_number() -> None:
    """Four times as many of one path weigh twice as much: long records resemble short ones."""
    one, two = _rows(_page("<ul><li><b>a</b><i>b</i><li><b>a</b><i>b</i><i>b</i><i>b</i><i>b</i></ul>"), "li")
    assert float(one @ two) == pytest.approx(3 / np.sqrt(2 * 5))


def test_pictures_count_and_what_is_hidden_does_not() -> None:
    """Only what can be seen makes a profile."""
    one, two, three = _rows(_page("<ul><li><b>a</b><img src=x><li><b>a</b><li><b>a</b><i hidden>b</i></ul>"), "li")
    assert float(one @ two) == pytest.approx(1 / np.sqrt(2))
    assert two == pytest.approx(three)


@given(st.lists(st.lists(st.sampled_from(["<b>x</b>", "<i>x</i>", "x", "<img src=y>", " "]), max_size=6), max_size=6))
def test_rows_have_length_one_or_none(items: list[list[str]]) -> None:
    """Profiles can be compared as they are; what shows nothing has an empty one."""
    page = _page("<ul>" + "".join(f"<li>{''.join(item)}</li>" for item in items) + "</ul>")
    lengths = np.linalg.norm(_rows(page, "li"), axis=1)
    assert [length == pytest.approx(1) for length in lengths] == [any(part.strip() for part in item) for item in items]
    assert all(length == pytest.approx(1) or length == 0 for length in lengths)


def test_any_range_has_a_profile() -> None:
    """A range may hold several elements, or none."""
    page = list_page(["one", "two", "three"])
    nodes = page.with_tag("li")
    rows = TagProfiles(page).of(np.array([nodes[0], nodes[1]]), np.array([nodes[2], nodes[1]]))
    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 0])
