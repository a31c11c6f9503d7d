"""What says that a list ends: anything but the missing of more."""

from typing import Any

import pytest

from sightline.navigate.behind import ListEnd
from sightline.page import PageAnswer, PageRequest

ITEMS = ("items",)


def answer(**beside: Any) -> PageAnswer:
    """An answer with records, and something beside them."""
    return PageAnswer(PageRequest("https://shop.example/api"), {"items": [1, 2], **beside})


def end(before: dict[str, Any], last: dict[str, Any], *, is_full: bool = True) -> ListEnd:
    """The end of a list of 40 records on 5 pages."""
    return ListEnd(answer(**before), answer(**last), ITEMS, is_full, False, 40, 5)


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ({"last": False}, {"last": True}),
        ({"more": True}, {"more": False}),
        ({"next": "/b"}, {"next": None}),
        ({"next": "/b"}, {}),
        ({"total": 40}, {"total": 40}),
        ({"page": 4, "pages": 5}, {"page": 5, "pages": 5}),
    ],
)
def test_these_say_that_a_list_ends(before: dict[str, Any], last: dict[str, Any]) -> None:
    """A yes that turns, an address that is gone, a count that is reached."""
    assert end(before, last).is_said


@pytest.mark.parametrize(
    ("before", "last"),
    [({}, {}), ({"page": 4}, {"page": 5}), ({"total": 41}, {"total": 41}), ({"ok": True}, {"ok": True})],
)
def test_these_say_nothing(before: dict[str, Any], last: dict[str, Any]) -> None:
    """The number of the page itself is no count; another count is a list that goes on."""
    assert not end(before, last).is_said


def test_a_page_that_is_not_full_is_the_last() -> None:
    """More would have stood on it."""
    assert end({}, {}, is_full=False).is_said


def test_what_answers_count_is_known_by_its_name() -> None:
    """A total, but no year, and no number of the page."""
    assert end({"total": 60}, {"total": 60}).counted == 60
    assert end({"total_results": 60}, {"total_results": 60}).counted == 60
    assert end({"year": 2024, "page": 4}, {"year": 2024, "page": 5}).counted is None
