"""Indexes of a crawl's archive, in the form that other tools read: one line a page, sorted (CDXJ)."""

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from sightline.crawl._archive import archive_path
from sightline.crawl._state import Standing, connect

__all__ = ["ALL_PAGES", "FOUND_PAGES", "sort_key", "write_indexes"]

ALL_PAGES = "pages.cdxj"
FOUND_PAGES = "found.cdxj"

_ROWS = """
SELECT sort_key(address.url), address.url, visit.at, visit.status, visit.digest, visit.file, visit.offset, visit.length,
  visit.is_target
FROM visit JOIN address ON address.id = visit.address {where} ORDER BY 1
"""


def sort_key(url: str) -> str:
    """An address as archives sort it: the host backwards, everything in lower case.

    >>> sort_key("https://www.Example.org/A?b=1")
    'org,example)/a?b=1'
    """
    parts = urlsplit(url.lower())
    host = re.sub(r"^www\d*\.", "", parts.hostname or "")
    port = f":{parts.port}" if parts.port else ""
    query = f"?{'&'.join(sorted(parts.query.split('&')))}" if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}{port}){parts.path or '/'}{query}"


def write_indexes(folder: Path) -> None:
    """Write the index of all pages, and that of the pages found."""
    database = connect(folder, read_only=True)
    database.create_function("sort_key", 1, sort_key, deterministic=True)
    try:
        for name, where in (
            (ALL_PAGES, ""),
            (FOUND_PAGES, f"WHERE visit.is_target AND address.standing = {int(Standing.VISITED)}"),
        ):
            temporary = folder / f".{name}.part"
            with temporary.open("w", encoding="utf-8") as stream:
                for row in database.execute(_ROWS.format(where=where)):
                    stream.write(_line(folder, row))
            os.replace(temporary, folder / name)
    finally:
        database.close()


def _line(folder: Path, row: tuple[str, str, float, int, str, int, int, int, int]) -> str:
    key, url, when, status, digest, file, offset, length, _ = row
    told = {
        "url": url,
        "status": str(status),
        "digest": digest,
        "length": str(length),
        "offset": str(offset),
        "filename": archive_path(folder, file).name,
    }
    return f"{key} {datetime.fromtimestamp(when, UTC):%Y%m%d%H%M%S} {json.dumps(told, ensure_ascii=False)}\n"
