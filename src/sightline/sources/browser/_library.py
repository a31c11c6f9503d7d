"""Saved pages for the browser: its requests are answered from a folder or an archive, not from the network.

A saved page gets an http address, not a `file` one: style sheets with an integrity check load, and no page can reach
beyond its folder. From outside that folder only style sheets, images and fonts are served, since pages of several
folders may share them; neither a script nor a frame can read any other file.
"""

import mimetypes
import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from sightline.net import Document
from sightline.sources.html import decode

__all__ = ["Library", "SavedAnswer"]

# A name that no resolver knows (RFC 6761), so that nothing saved can be mixed up with a site.
SHELF = "http://saved.invalid"
DRAWING = frozenset(("Stylesheet", "Image", "Font"))
DRAWING_TYPES = ("text/css", "image/", "font/", "application/font", "application/vnd.ms-fontobject")
LARGEST_PART = 50_000_000


@dataclass(frozen=True)
class SavedAnswer:
    """The answer to the browser for an address."""

    body: bytes
    media_type: str


@dataclass(frozen=True)
class Library:
    """A saved page and everything saved with it."""

    address: str  # under which the browser opens the page
    page: SavedAnswer
    folder: Path | None = None
    parts: dict[str, Document] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document, text: str, parts: dict[str, Document] | None = None) -> "Library":
        """The library of a document whose text was decoded already."""
        page = SavedAnswer(text.encode("utf-8", "replace"), "text/html; charset=utf-8")
        place = urlsplit(document.url)
        if place.scheme == "file":
            return cls(SHELF + place.path, page, folder=_path(place.path).parent)
        address = document.url if place.scheme in ("http", "https") else f"{SHELF}/page.html"
        return cls(address, page, parts=parts or {})

    def find(self, url: str, resource: str) -> SavedAnswer | None:
        """The answer for an address that the page requests, or None if nothing was saved under it."""
        bare = url.partition("#")[0]
        if bare == self.address and resource == "Document":
            return self.page
        part = self.parts.get(bare)
        if part:
            return SavedAnswer(part.content, part.media_type)
        if self.folder and bare.startswith(SHELF + "/"):
            return _from_folder(self.folder, _path(urlsplit(bare).path), resource)
        return None


def _path(quoted: str) -> Path:
    """The path that stands in an address; file names are bytes, whatever they mean."""
    return Path(os.fsdecode(unquote_to_bytes(quoted)))


def _from_folder(folder: Path, path: Path, resource: str) -> SavedAnswer | None:
    try:
        place = path.resolve()
        media_type = mimetypes.guess_type(place.name)[0] or "application/octet-stream"
        inside = place.is_relative_to(folder.resolve())
        drawing = resource in DRAWING and media_type.startswith(DRAWING_TYPES)
        if not place.is_file() or not (inside or drawing) or place.stat().st_size > LARGEST_PART:
            return None
        body = place.read_bytes()
    except (OSError, ValueError):
        return None
    if media_type == "text/html":  # a frame; a browser left alone with the bytes would guess their charset
        return SavedAnswer(decode(body, None).text.encode("utf-8", "replace"), "text/html; charset=utf-8")
    return SavedAnswer(body, media_type)
