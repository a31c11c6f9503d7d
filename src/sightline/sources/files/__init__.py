"""Files as sources: globs and folders, WARC, MHTML, and what the bytes of a file turn out to be."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.sources.files._bytes import WarcPlace
    from sightline.sources.files._read import SUFFIXES, documents, expand, read_mhtml, unreachable
    from sightline.sources.files._warc import (
        CRAWL_INDEX,
        INDEX_SUFFIX,
        NO_PAGE,
        NOTHING_FOUND,
        FoundRecord,
        IndexEntry,
        WarcReader,
        damage,
        index_entry,
        missing_archive,
        read_entry,
        read_warc,
        target,
        warc_pages,
    )

__all__ = [
    "CRAWL_INDEX",
    "INDEX_SUFFIX",
    "NOTHING_FOUND",
    "NO_PAGE",
    "SUFFIXES",
    "FoundRecord",
    "IndexEntry",
    "WarcPlace",
    "WarcReader",
    "damage",
    "documents",
    "expand",
    "index_entry",
    "missing_archive",
    "read_entry",
    "read_mhtml",
    "read_warc",
    "target",
    "unreachable",
    "warc_pages",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_bytes": "WarcPlace",
        "_read": "documents unreachable read_mhtml SUFFIXES expand",
        "_warc": "FoundRecord CRAWL_INDEX INDEX_SUFFIX NOTHING_FOUND IndexEntry index_entry missing_archive read_entry"
        " NO_PAGE WarcReader damage read_warc target warc_pages",
    },
)
