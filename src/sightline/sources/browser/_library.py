"""Saved pages for the browser: its requests are answered from a folder or an archive, not from the network.

A saved page gets an http address, not a `file` one, so that style sheets with an integrity check load. From its
folder it gets what drawing needs: style sheets, images, fonts, scripts and frames, each only as what it is. A script
cannot read a file, by whatever means it asks for one, and frames are strangers to it, as they are to a `file` page.
From outside that folder only style sheets, images and fonts are served, since pages of several folders may share them.
"""

import mimetypes
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from sightline.net import Document
from sightline.sources.html import decode

# A name that no resolver knows (RFC 6761), so that nothing saved can be mixed up with a site.
SHELF = "http://saved.invalid"
ANY = "application/octet-stream"
# By what the browser wants: the media types that a file may have by its name, and the one for names that say nothing.
# Whatever a script could read is missing: requests of its own, JSON and text modules, subtitles, event streams.
SERVED = {
    "Stylesheet": (("text/css",), "text/css"),
    "Image": (("image/",), ANY),
    "Font": (("font/", "application/font", "application/x-font", "application/vnd.ms-fontobject"), ANY),
    "Script": (("text/javascript", "application/javascript"), "text/javascript"),
    "Document": (("text/html", "application/xhtml+xml", "image/"), "text/html"),
}
SHARED = frozenset(("Stylesheet", "Image", "Font"))
RENAMED = ".download"  # what Chromium puts behind the names of scripts when it saves a page
SCRIPT = re.compile(r"\.m?js\b")  # also `a.js?v=3`; other text would be run, and its words told in error messages
LARGEST_PART = 50_000_000


@dataclass(frozen=True)
class SavedAnswer:
    """The answer to the browser for an address."""

    body: bytes
    media_type: str
    sandboxed: bool = False  # a document that isn't part of the page: no script may look into it, nor out of it


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
        if document.folder:  # and not by its address, which a record of an archive may invent
            return cls(SHELF + place.path, page, folder=document.folder)
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
        place, folder = path.resolve(), folder.resolve()
        inside = place.is_relative_to(folder)
        media_type = _media_type(place.name, resource, guess=inside) if inside or resource in SHARED else None
        if (
            media_type is None
            or _is_hidden(place, folder)
            or not place.is_file()
            or place.stat().st_size > LARGEST_PART
        ):
            return None
        body = place.read_bytes()
    except (OSError, ValueError):
        return None
    if media_type == "text/html":  # a browser left alone with the bytes would guess their charset
        body, media_type = decode(body, None).text.encode("utf-8", "replace"), "text/html; charset=utf-8"
    return SavedAnswer(body, media_type, sandboxed=resource == "Document")


def _is_hidden(place: Path, folder: Path) -> bool:
    """Whether the way from the folder leads to something kept out of sight, as keys and histories are."""
    way = Path(os.path.relpath(place, folder))
    return any(part.startswith(".") and part != ".." for part in way.parts)


def _media_type(name: str, resource: str, *, guess: bool) -> str | None:
    """The media type under which a file is served as this resource; None if it is not."""
    if resource not in SERVED:
        return None
    allowed, usual = SERVED[resource]
    said = mimetypes.guess_type(name.removesuffix(RENAMED))[0]
    if said is None:
        return usual if guess and (resource != "Script" or SCRIPT.search(name)) else None
    return said if said.startswith(allowed) else None
