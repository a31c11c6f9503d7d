"""Two addresses of one list differ in a number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.navigate.paging._steps import split_address, step_between


def _step(own: str, other: str) -> tuple[str, int | None, int | None] | None:
    first, second = split_address(own), split_address(other)
    assert first is not None
    assert second is not None
    found = step_between(first, second)
    return found and tuple(found)


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        ("http://a.b/l", "http://a.b/l?page=2", ("page", None, 2)),
        ("http://a.b/l?page=2", "http://www.a.b/l", ("page", 2, None)),
        ("http://a.b/l?p=2&q=x", "http://a.b/l?q=x&p=3", ("p", 2, 3)),
        ("http://a.b/l/page/2", "http://a.b/l/page/3/", ("page", 2, 3)),
        ("http://a.b/l", "http://a.b/l/page-2", ("page", None, 2)),
        ("http://a.b/l2.html", "http://a.b/l3.html", ("l", 2, 3)),
        ("http://a.b/l?f=2", "http://a.b/l?f=2&start=15&range=15", ("start", None, 15)),
        (
            "http://a.b/l?sid=81f0c5e29a6d4b37&page=2",
            "http://a.b/l?sid=c5e29a6d4b3781f0&page=3",
            ("page", 2, 3),
        ),
        ("http://a.b/l;jsessionid=A1?p=2", "http://a.b/l;jsessionid=B2?p=3", ("p", 2, 3)),
        ("http://a.b/l?page=2", "http://a.b/l?page=3&per=9", ("page", 2, 3)),
        ("http://a.b/l?page=2", "http://a.b/l?limit=all", None),
        ("http://a.b/t12-cats.html", "http://a.b/t12-o20-cats.html", ("o", None, 20)),
        ("http://a.b/l?sid=04-11-23&page=2", "http://a.b/l?sid=04-11-24&page=3", None),
        ("http://a.b/l?q=x", "http://a.b/l?q=y", None),
        ("http://a.b/l", "http://c.d/l?page=2", None),
        ("http://a.b/camera/2", "http://a.b/lens/3", None),
    ],
)
def test_the_step_between_addresses(own: str, other: str, step: tuple[str, int | None, int | None] | None) -> None:
    """What is counted, from where, and to where; nothing if more than that differs."""
    assert _step(own, other) == step


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_addresses_can_be_compared(own: str, other: str) -> None:
    """No address is an error."""
    first, second = split_address(f"https://{own}"), split_address(f"https://{other}")
    if first and second:
        found, back = step_between(first, second), step_between(second, first)
        assert (found is None) == (back is None)
