"""Sitemaps and feeds."""

import gzip

from hypothesis import given
from hypothesis import strategies as st

from sightline.crawler._fetch import feed_addresses, is_sitemap_index, sitemap_addresses, unpacked_sitemap


def test_sitemap_addresses_reads_what_people_write() -> None:
    """Prefixes, blanks, CDATA, pictures and news between the addresses, and a file that is cut: all are read."""
    content = b"""<?xml version="1.0"?><urlset xmlns:image="x" xmlns:news="y">
    <url><loc>
       https://example.org/a </loc><image:image><image:loc>https://example.org/a.jpg</image:loc></image:image></url>
    <url><loc><![CDATA[https://example.org/b?x=1&y=2]]></loc><news:news><news:title>T</news:title></news:news></url>
    <url><LOC>https://example.org/c&amp;d</LOC></url><url><loc>https://example.org/cu"""
    assert list(sitemap_addresses(content)) == [
        "https://example.org/a",
        "https://example.org/b?x=1&y=2",
        "https://example.org/c&d",
    ]


def test_is_sitemap_index_tells_the_two_kinds() -> None:
    """A sitemap of sitemaps is told by its first tag."""
    assert is_sitemap_index(b'<?xml version="1.0"?>\n<sitemapindex xmlns="x">')
    assert not is_sitemap_index(b"<urlset><url><loc>https://example.org/sitemapindex</loc>")


def test_unpacked_sitemap_stops_a_bomb() -> None:
    """A file that would become a thousand times larger is cut at the limit, and that is said."""
    bomb = gzip.compress(b"<loc>https://example.org/</loc>" * 1_000_000)
    content, cut = unpacked_sitemap(bomb, 1_000_000)
    assert cut
    assert 0 < len(content) <= 1_000_000


def test_unpacked_sitemap_says_what_is_damaged() -> None:
    """A compressed file that ends too early gives what it has."""
    whole = gzip.compress(b"<loc>https://example.org/a</loc>" + bytes(range(256)) * 50)
    content, cut = unpacked_sitemap(whole[:-200], 1_000_000)
    assert cut
    assert b"example.org/a" in content


@given(st.binary(max_size=300))
def test_nothing_in_a_sitemap_is_an_error(content: bytes) -> None:
    """Whatever a site sends as a sitemap or feed, reading it ends with addresses or without."""
    assert all(isinstance(url, str) for url in sitemap_addresses(content))
    assert all(isinstance(url, str) for url in feed_addresses(content))


def test_feed_addresses_reads_both_kinds() -> None:
    """Of RSS and Atom, the addresses of the entries are taken, and not those of the feed itself."""
    rss = (
        b"<rss><channel><link>https://e.org/</link><item><title>x</title><link>https://e.org/1</link></item></channel>"
    )
    atom = (
        b'<feed><link rel="self" href="https://e.org/feed"/><entry><link rel="edit" href="https://e.org/edit"/>'
        b'<link rel="alternate" href="https://e.org/2"/></entry><entry><link href="https://e.org/3"/></entry></feed>'
    )
    assert feed_addresses(rss) == ["https://e.org/1"]
    assert feed_addresses(atom) == ["https://e.org/2", "https://e.org/3"]
