"""What is known of a kept page without opening it, so that a list of pages costs a few small files."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import ceil
from typing import Any

from sightline.geometry import Box
from sightline.page import Page, PageKind

__all__ = ["PageInfo", "page_info"]


@dataclass(frozen=True, kw_only=True)
class PageInfo:
    """A kept page in a few facts: where it is from, when it was opened, its size, and what to know about it.

    `sheets` are the sheets of a PDF by number; `pictures` are the parts of its picture, from top to bottom; `wall` says
    what blocked the way to the content, if anything did.
    """

    id: str
    title: str = ""
    url: str = ""
    source: str = ""
    kind: PageKind = "static"
    opened: str = ""
    width: int = 0
    height: int = 0
    nodes: int = 0
    sheets: tuple[tuple[int, Box], ...] = ()
    pictures: tuple[Box, ...] = ()
    notes: tuple[str, ...] = ()
    wall: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The facts as plain values."""
        return asdict(self)


def page_info(
    page: Page, *, source: str, pictures: Sequence[Box] = (), wall: str | None = None, opened: datetime | None = None
) -> PageInfo:
    """The facts of a page, opened now if not said.

    >>> from sightline.testing import list_page
    >>> page_info(list_page(["one", "two"]), source="stars.html").nodes
    7
    """
    when = opened or datetime.now(UTC)
    bounds = page.bounds or (0.0, 0.0, 0.0, 0.0)
    sheets = [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in page.sheets.tolist()]
    numbers = page.sheet_numbers or range(1, len(sheets) + 1)
    right, bottom = (max([bounds[side], *(sheet[side] for sheet in sheets)]) for side in (2, 3))
    return PageInfo(
        id=page.id,
        title=page.title,
        url=page.url,
        source=source,
        kind=page.kind,
        opened=when.isoformat(timespec="milliseconds"),
        width=ceil(right),
        height=ceil(bottom),
        nodes=len(page),
        sheets=tuple(zip(numbers, sheets, strict=True)) if page.kind == "pdf" else (),
        pictures=tuple(pictures),
        notes=page.notes,
        wall=wall,
    )
