"""Addresses of a crawl: one spelling for each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.crawler._addresses import Addresses, address_key, clean_address, is_no_page, shape_of, without_parameter

PIECES = st.text("abzABZ019-._~!$&'()*+,;=:@/%é ?#", max_size=20)


@given(PIECES)
def test_clean_address_is_stable(link: str) -> None:
    """What was cleaned once stays as it is when it is cleaned again."""
    clean = clean_address("https://example.org/a/b", link)
    if clean is not None:
        assert clean_address("https://example.org/", clean) == clean


@given(PIECES)
def test_joined_remembers_what_clean_address_says(link: str) -> None:
    """Remembered links are the same as those that are worked out anew, from whichever page of a folder."""
    addresses = Addresses()
    for base in ("https://example.org/a/b", "https://example.org/a/c?x=1", "https://example.org/a/b"):
        if link[:1] != "?":
            assert addresses.joined(base, link) == clean_address(base, link)


PAGES = st.sampled_from(
    (
        *(
            "https://example.org/",
            "http://127.0.0.1:8080/a/b/c.html",
            "https://example.org/a/b/",
            "https://example.org",
        ),
        *("https://example.org/a//b/c", "https://example.org/a/../b/c", "https://example.org/a;b=1/c;d"),
        *("https://example.org:443/a/b", "https://example.org/.a/..b/c", "https://example.org/a%20b/c?d=e/f"),
    )
)
STEPS = st.lists(st.sampled_from(["../", "..", ".", "/", "a", "b-c.html", "~d", "..e", "#f", " "]), max_size=6)


@given(PAGES, STEPS.map("".join))
def test_joined_goes_steps_as_clean_address_does(page: str, link: str) -> None:
    """Links that are only steps are joined without a parser, and lead where the parser says."""
    assert Addresses().joined(page, link) == clean_address(page, link)


@pytest.mark.parametrize(
    ("link", "clean"),
    [
        ("HTTP://Example.ORG:80/x", "http://example.org/x"),
        ("//example.org", "https://example.org/"),
        ("x/../y/./z", "https://example.org/a/y/z"),
        ("?b=2&utm_source=mail&c=3#part", "https://example.org/a/b?b=2&c=3"),
        ("/x;jsessionid=AB12?PHPSESSID=7", "https://example.org/x"),
        ("/%7Eann/%c3%a9", "https://example.org/~ann/%C3%A9"),
        ("mailto:ann@example.org", None),
        ("javascript:void(0)", None),
        ("http://[broken", None),
        ("ftp://example.org/x", None),
    ],
)
def test_clean_address_has_one_spelling(link: str, clean: str | None) -> None:
    """Spellings of one address become one; what leads to no page becomes none."""
    assert clean_address("https://example.org/a/b", link) == clean


def test_address_key_tells_addresses_apart() -> None:
    """Ten thousand addresses have ten thousand keys, and each fits what SQLite calls an integer."""
    keys = {address_key(f"https://example.org/{number}") for number in range(10_000)}
    assert len(keys) == 10_000
    assert all(-(2**63) <= key < 2**63 for key in keys)


def test_shape_of_leaves_out_what_names_one_of_many() -> None:
    """Pages of one kind have one shape; pages of two kinds have two."""
    assert shape_of("https://a.example/p/12-red?id=4") == shape_of("https://a.example/p/7-red?id=9")
    assert shape_of("https://a.example/p/12") != shape_of("https://a.example/q/12")


def test_is_no_page_goes_by_the_name_alone() -> None:
    """Pictures and archives are left out; a query that ends like a picture is not one."""
    assert is_no_page("https://a.example/x.JPG?v=2")
    assert not is_no_page("https://a.example/x.html?picture=y.jpg")
    assert not is_no_page("https://a.example/v1.2/")


def test_without_parameter_keeps_the_others() -> None:
    """Only the parameter that is named goes, wherever it stands."""
    assert without_parameter("https://a.example/?x=1&sid=9&y", "sid") == "https://a.example/?x=1&y"
    assert without_parameter("https://a.example/?sid=9", "sid") == "https://a.example/"
