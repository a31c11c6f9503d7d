"""A running site: its records, its pages of records, and what all sites answer alike."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from ..._server import Request, reply
from ._looks import Look, frame
from ._records import Record

__all__ = ["Answer", "Shop", "SiteMaker", "as_json", "as_page", "window"]

Answer = Callable[[Request], bytes | None]
"""What a site says to a request; None leaves it to what all sites answer alike."""

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="{}" fill="#445"/></svg>'
SHAPES = {"next": "M8 4l10 8-10 8z", "prev": "M16 4L6 12l10 8z"}


def as_page(text: str, status: int = 200, **headers: str) -> bytes:
    """An answer with a page."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(text.encode(), status, {"Content-Type": "text/html; charset=utf-8", **named})


def as_json(value: object) -> bytes:
    """An answer for a script."""
    content = json.dumps(value, ensure_ascii=False).encode()
    return reply(content, headers={"Content-Type": "application/json; charset=utf-8"})


@dataclass
class Shop:
    """A site with its records in pages.

    `extra` is what it began to list while it was read, and `expected` what a run must find if that is
    not all there is.
    """

    name: str
    look: Look
    pages: int
    per_page: int
    records: list[Record]
    extra: list[Record] = field(default_factory=list)
    expected: list[Record] | None = None

    def on(self, page: int) -> Sequence[Record]:
        """The records of a page; none for pages that do not exist."""
        return self.records[max(page - 1, 0) * self.per_page : max(page, 0) * self.per_page]

    def html(self, main: str, *, head: str = "", beside: str = "") -> bytes:
        """A page of the site."""
        return as_page(frame(self.look, main, head=head, beside=beside))

    def list(self, page: int) -> str:
        """The list of a page."""
        return self.look.list(self.on(page))

    def common(self, request: Request) -> bytes:
        """The pages of single records, guides and sections, pictures, and 404."""
        by_link = {record.link: record for record in (*self.records, *self.extra)}
        if request.path in by_link:
            return self._single(by_link[request.path])
        if request.path.startswith("/i/"):
            shape = next((drawn for name, drawn in SHAPES.items() if name in request.path), "M2 2h20v20H2z")
            return reply(PICTURE.format(shape).encode(), headers={"Content-Type": "image/svg+xml"})
        if request.path.startswith(("/guide/", "/section/")) or request.path in ("/terms", "/privacy"):
            return as_page(frame(self.look, "<p>We will tell you more about this soon.</p>", title="Good to know"))
        return as_page(frame(self.look, "<p>There is no such page.</p>", title="Not found"), 404)

    def _single(self, record: Record) -> bytes:
        main = f"<p>{record.about}</p><p>{record.price}</p><p>No. {record.link.rpartition('/')[2]}</p>"
        return as_page(frame(self.look, main, title=escape(record.title)))


SiteMaker = Callable[[Shop], Answer]


def window(page: int, pages: int, around: int = 2) -> Iterator[int | None]:
    """The numbers that a pager shows: the ends, and some around the page; None for a gap."""
    shown = sorted({1, pages, *range(max(1, page - around), min(pages, page + around) + 1)})
    for place, number in enumerate(shown):
        if place and number - shown[place - 1] > 1:
            yield None
        yield number
