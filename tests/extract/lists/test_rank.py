"""Which list of a page comes first: what it is about, not the text around it."""

import pytest

from sightline.extract.lists import ListSettings, find_lists

from ._pages import WORDS, listed, prose, static

STORY = "".join(f"<p>{prose(place, 18)}</p>" for place in range(4))
QUANTITIES = [f"{place * 50} g {word}" for place, word in enumerate(WORDS[:7], start=1)]


def _first(body: str, *, without: tuple[str, ...] = ()) -> list[str]:
    lists = find_lists(static(f"<h1>Bread</h1>{body}", "Bread"), settings=ListSettings(without=without))
    return [item.text.text for item in lists[0]]


@pytest.mark.parametrize("behind", [False, True], ids=["before the story", "behind the story"])
def test_a_list_of_quantities_comes_before_the_paragraphs_of_a_story(behind: bool) -> None:
    """Paragraphs have more words, but they are no list."""
    body = f"{STORY}<h2>You need</h2>{listed(QUANTITIES, 'ul')}" if behind else listed(QUANTITIES, "ul") + STORY
    assert _first(body) == QUANTITIES


def test_measures_can_be_left_out() -> None:
    """Without what tells paragraphs from lists, the longer text comes first."""
    told_by = ("digits", "sentences", "paragraphs", "items")
    body = f"{STORY}<h2>You need</h2>{listed(QUANTITIES, 'ul')}"
    assert _first(body, without=tuple(f"measure: {name}" for name in told_by)) != QUANTITIES
