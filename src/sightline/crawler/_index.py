"""Indexes of a crawl's archive, in the form that other tools read: one line a page, sorted (CDXJ)."""

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from sightline.crawler._archive import archive_path
from sightline.crawler._state import Standing, connect, damage_told

__all__ = ["ALL_PAGES", "FOUND_PAGES", "sort_key", "write_indexes"]

ALL_PAGES = "pages.cdxj"
FOUND_PAGES = "found.cdxj"

_ROWS = """
SELECT sort_key(address.url), address.url, visit.at, visit.status, visit.digest, visit.file, visit.offset, visit.length,
  visit.is_target AND address.standing = ?
FROM visit JOIN address ON address.id = visit.address ORDER BY 1
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
        with (
            damage_told(folder),
            _part(folder, ALL_PAGES).open("w", encoding="utf-8") as pages,
            _part(folder, FOUND_PAGES).open("w", encoding="utf-8") as found,
        ):
            for *columns, is_found in database.execute(_ROWS, (int(Standing.VISITED),)):
                line = _line(folder, *columns)
                pages.write(line)
                if is_found:
                    found.write(line)
    finally:
        database.close()
    for name in (ALL_PAGES, FOUND_PAGES):
        os.replace(_part(folder, name), folder / name)


def _part(folder: Path, name: str) -> Path:
    return folder / f".{name}.part"


def _line(  # noqa: PLR0913 - the columns of a row
    folder: Path, key: str, url: str, when: float, status: int, digest: str, file: int, offset: int, length: int
) -> str:
    told = {
        "url": url,
        "status": str(status),
        "digest": digest,
        "length": str(length),
        "offset": str(offset),
        "filename": archive_path(folder, file).name,
    }
    return f"{key} {datetime.fromtimestamp(when, UTC):%Y%m%d%H%M%S} {json.dumps(told, ensure_ascii=False)}\n"
