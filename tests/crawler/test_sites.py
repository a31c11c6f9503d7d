"""Which site an address belongs to."""

import pytest

from sightline.crawler import site_of
from sightline.crawler._addresses import web_site


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.shop.example/a", "shop.example"),
        ("https://a.b.shop.example/", "shop.example"),
        ("http://www.bbc.co.uk/news", "bbc.co.uk"),
        ("http://co.uk/", "co.uk"),
        ("https://ana.blogspot.com/2024", "ana.blogspot.com"),
        ("https://blogspot.com/", "blogspot.com"),
        ("https://x.com.au/", "x.com.au"),
        ("https://x.com.example/", "com.example"),
        ("http://127.0.0.1:8000/x", "127.0.0.1:8000"),
        ("http://[::1]/x", "::1"),
        ("http://localhost/x", "localhost"),
        ("https://SHOP.example:443/", "shop.example"),
        ("http://shop.example:8080/", "shop.example:8080"),
        ("http://[broken", "http://[broken"),
    ],
)
def test_site_is_what_one_owner_runs(url: str, site: str) -> None:
    """The registrable domain by the two rules of the module."""
    assert site_of(url) == site


def test_saved_page_belongs_to_its_folder() -> None:
    """Where it has no address of its own."""
    assert site_of("file:///saved/shop/a/b.html", "/saved") == "shop"
    assert site_of("file:///saved/b.html", "/saved") == "saved"
    assert site_of("file:///else/where/b.html", "/saved") == "where"


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://www.example.org/x", "example.org"),
        ("https://shop.example.co.uk", "example.co.uk"),
        ("http://anna.github.io/x", "anna.github.io"),
        ("http://127.0.0.1:8000/x", "127.0.0.1:8000"),
        ("http://localhost:8001/", "localhost:8001"),
        ("mailto:x", ""),
    ],
)
def test_web_site_is_nothing_off_the_web(address: str, site: str) -> None:
    """Hosts of one registered name are one site; hosts of many people's sites are not; other addresses have none."""
    assert web_site(address) == site


def test_web_site_refuses_what_is_no_address() -> None:
    """A broken address is a ValueError, which callers treat as they need."""
    with pytest.raises(ValueError, match="IPv6"):
        web_site("http://[")
