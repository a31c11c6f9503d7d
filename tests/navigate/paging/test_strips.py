"""Strips of dates and letters are told from archives, menus and pagers."""

import pytest

import sightline as sl

URL = "https://shop.example/sales"


def strip(html: str) -> list[str]:
    """Where the strip of a page leads."""
    page = sl.open(f"<!doctype html><body>{html}", url=URL, static=True)
    return [address.removeprefix("https://shop.example") for address in sl.next_page(page).strip]


def entries(*labels: str, between: str = " ") -> str:
    """A strip; a label in stars is that of the page."""
    each = (
        f"<b>{one[1:-1]}</b>" if one[0] == "*" else f'<a href="/sales/{n}">{one}</a>' for n, one in enumerate(labels)
    )
    return f"<div>{between.join(each)}</div>"


@pytest.mark.parametrize(
    "labels",
    [
        ("*December 2024*", "November 2024", "October 2024"),
        ("2022", "2023", "*2024*"),
        ("*März*", "Februar", "Januar"),
        ("*Dez. 2024*", "Nov. 2024"),
        ("2024-10", "*2024-11*"),
        ("2024年10月", "*2024年11月*"),
        ("*May 2024 (17)*", "April 2024 (3)"),
        ("*A–F*", "G–M", "N–Z"),
        ("*0-9*", "A-K", "L-Z"),
        ("*#*", "A", "B", "C"),
    ],
)
@pytest.mark.parametrize("between", [" ", " | ", "</div><div>"])
def test_parts_of_a_list_are_found(labels: tuple[str, ...], between: str) -> None:
    """In any form of date or letters, whatever stands between them."""
    wanted = [f"/sales/{number}" for number, label in enumerate(labels) if label[0] != "*"]
    assert strip(f"<section>{entries(*labels, between=between)}</section><p>Much else.") == wanted


def test_a_link_to_the_page_itself_is_its_own_part() -> None:
    """Some strips link all of their parts."""
    assert strip('<p><a href="/sales">June</a> <a href="/sales/5">May</a></p>') == ["/sales/5"]


@pytest.mark.parametrize(
    "html",
    [
        entries(
            "December 2024", "November 2024", "October 2024"
        ),  # an archive beside a list: the page has no part in it
        entries("*December 2024*", "*November 2024*", "October 2024"),
        entries("*Kitchen*", "Garden", "Outlet"),
        entries("*1*", "2", "3"),
        entries("*December 2024*", "All months"),
        entries("*A*", "B"),
        '<p><b>May</b> <a href="https://other.example/april">April</a></p>',
        "<p>May 2024</p>",
    ],
)
def test_what_is_no_strip_is_left_alone(html: str) -> None:
    """Archives, menus, pagers, and dates that lead elsewhere."""
    assert strip(html) == []
