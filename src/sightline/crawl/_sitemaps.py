"""The addresses that a site names itself: sitemaps (also of sitemaps, compressed, of news) and feeds."""

import re
from collections.abc import Iterator
from html import unescape

from sightline.net import DamagedStreamError, Inflater, TooLargeError

__all__ = ["feed_addresses", "is_sitemap_index", "sitemap_addresses", "unpacked_sitemap"]

# Sitemaps are often cut, wrongly escaped or of 50 MB, and all that is wanted of them stands between two tags; other
# parts (pictures, videos, news) have tags with a prefix.
_LOCATION = re.compile(rb"<loc\b[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,8192}?)\s*(?:\]\]>)?\s*</loc\s*>", re.IGNORECASE)
_INDEX = re.compile(rb"<sitemapindex[\s>]", re.IGNORECASE)
_ITEM = re.compile(rb"<(item|entry)[\s>](.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_LINK_TEXT = re.compile(
    rb"<link\b[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,8192}?)\s*(?:\]\]>)?\s*</link\s*>", re.IGNORECASE
)
_LINK_HREF = re.compile(
    rb"""<link\b(?![^>]*\brel=["'](?!alternate))[^>]*\bhref=["']([^"']{1,8192})["']""", re.IGNORECASE
)
_GZIP = b"\x1f\x8b"
_PLAIN = re.compile(rb"https?://\S{1,8192}")


def unpacked_sitemap(content: bytes, limit: int) -> tuple[bytes, bool]:
    """The text of a sitemap, unpacked if it is compressed, and whether it was cut at the limit or is damaged."""
    if not content.startswith(_GZIP):
        return content[:limit], len(content) > limit
    pieces = bytearray()
    inflater = Inflater(("gzip",), limit=limit)
    try:
        for piece in inflater.feed(content):
            pieces += piece
    except (TooLargeError, DamagedStreamError):
        return bytes(pieces), True
    return bytes(pieces), not inflater.complete


def is_sitemap_index(content: bytes) -> bool:
    """Whether this is a sitemap of sitemaps."""
    return bool(_INDEX.search(content, 0, 4096))


def sitemap_addresses(content: bytes) -> Iterator[str]:
    r"""The addresses of a sitemap, as they stand there.

    >>> list(sitemap_addresses(b"<urlset><url><loc>https://example.org/?a=1&amp;b=2</loc></url></urlset>"))
    ['https://example.org/?a=1&b=2']
    >>> list(sitemap_addresses(b"https://example.org/a\nhttps://example.org/b\n"))
    ['https://example.org/a', 'https://example.org/b']
    """
    if content.lstrip()[:4].lower() == b"http":  # the third form that is allowed: one address a line
        for line in _PLAIN.finditer(content):
            yield line[0].decode("utf-8", "replace")
        return
    for found in _LOCATION.finditer(content):
        yield unescape(found[1].decode("utf-8", "replace"))


def feed_addresses(content: bytes) -> list[str]:
    """The addresses of the entries of a feed, RSS or Atom.

    >>> feed_addresses(b"<rss><channel><link>https://example.org/</link><item><link>https://example.org/a</link></item>")
    ['https://example.org/a']
    """
    found = []
    for entry in _ITEM.finditer(content):
        link = _LINK_TEXT.search(entry[2]) or _LINK_HREF.search(entry[2])
        if link:
            found.append(unescape(link[1].decode("utf-8", "replace")))
    return found
