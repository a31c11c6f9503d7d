"""The main text made of the blocks that were chosen: each part of the result is made when it is first asked for."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import Content, ContentImage, ContentPart, Value, content_parts, origins_at, values_at
from sightline.extract.content._beginning import Beginning, Said
from sightline.extract.content._byline import find_byline
from sightline.extract.content._date import find_date
from sightline.extract.content._markup import Markup
from sightline.extract.content._title import find_title
from sightline.geometry import Box
from sightline.page import Page, nearest
from sightline.signals import NodeNumbers, TextBlocks

__all__ = ["About", "MainText", "about_from_data"]

KINDS = (
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption", "p"),
    *("caption", "summary"),
)


class MainText:
    """What the kept blocks of a page are as content, of which the `chosen` nodes were taken.

    Without `texts`, they are the texts of the blocks as they are read; `said` are the blocks of comments.
    """

    def __init__(
        self,
        blocks: TextBlocks,
        kept: BoolArray,
        chosen: BoolArray,
        page_kind: str = "",
        said: BoolArray | None = None,
        texts: Sequence[str] | None = None,
    ) -> None:
        self.blocks, self.chosen, self.said, self._texts = blocks, chosen, said, texts
        self.rows: NodeNumbers = np.flatnonzero(kept)
        self.about = find_about(blocks, kept, page_kind)
        self.page_kind = page_kind

    def content(self, score: float, doubts: tuple[str, ...] = ()) -> Content:
        """The result; what is not asked for is never made."""
        page = self.blocks.page
        return Content.made_later(
            {name: partial(self._made, *names) for name, names in MADE_TOGETHER.items()},
            score=score,
            language=page.language,
            by=None,
            evidence=(),
            address=page.address or None,
            page_kind=self.page_kind or None,
            doubts=doubts,
        )

    def _made(self, *names: str) -> Mapping[str, object]:
        """The fields of these names."""
        return {name: getattr(self.about if name in ABOUT else self, name.lstrip("_")) for name in names}

    @cached_property
    def read(self) -> Sequence[str]:
        """The text of each part."""
        return _visible_texts(self.blocks, self.rows) if self._texts is None else self._texts

    @property
    def parts(self) -> tuple[ContentPart, ...]:
        """The parts of the text, with their places and markup."""
        told = _telling(self.blocks, self.rows)
        kinds = _kinds(self.blocks.page, told)
        values = _values(self.blocks, self.rows, self.read, self.chosen)
        return content_parts(values, kinds, self._markup.parts(self.read, told, kinds))

    @property
    def images(self) -> tuple[ContentImage, ...]:
        """The images between the parts."""
        return self._markup.images()

    @cached_property
    def _markup(self) -> Markup:
        return Markup(self.blocks, self.rows, self.chosen)

    @property
    def comments(self) -> tuple[ContentPart, ...]:
        """What readers say, a part for each block."""
        if self.said is None or not self.said.any():
            return ()
        blocks, rows = self.blocks, np.flatnonzero(self.said)
        values = _values(blocks, rows, _visible_texts(blocks, rows), ~blocks.page.is_blank)
        return content_parts(values, _kinds(blocks.page, _telling(blocks, rows)))


ABOUT = ("title", "byline", "date")
# What is made when a field is asked for: the field, or what comes with it at no cost.
MADE_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "_read": ("_read",),
    "parts": ("parts", "images"),
    "images": ("parts", "images"),
    "comments": ("comments",),
    **{name: (name,) for name in ABOUT},
}


def _values(blocks: TextBlocks, rows: NodeNumbers, texts: Sequence[str], chosen: BoolArray) -> list[Value]:
    """The values of some blocks: their texts, and the places of their chosen nodes."""
    places = np.flatnonzero(chosen[blocks.nodes])
    nodes = blocks.nodes[places].tolist()
    bounds = places.searchsorted(np.stack([blocks.first[rows], blocks.first[rows + 1]])).T.tolist()
    boxes: list[Box | None] = [tuple(box) if box[0] == box[0] else None for box in blocks.boxes[rows].tolist()]
    return values_at(texts, origins_at(blocks.page, [nodes[first:last] for first, last in bounds], boxes))


def _visible_texts(blocks: TextBlocks, rows: NodeNumbers) -> list[str]:
    """The texts of some blocks; visible ones as they are read, with line breaks in code."""
    visible = rows[blocks.visible[rows]]
    read = dict(
        zip(visible.tolist(), blocks.page.texts_between(blocks.start[visible], blocks.last[visible] + 1), strict=True)
    )
    return [read.get(row, blocks.texts[row]) for row in rows.tolist()]


def _telling(blocks: TextBlocks, rows: NodeNumbers) -> list[int]:
    """The innermost element around each of some blocks that tells of what kind it is, or -1."""
    page = blocks.page
    telling: list[int] = nearest(page.parent, page.mask(*KINDS))[blocks.owner[rows]].tolist()
    return telling


def _kinds(page: Page, told: Sequence[int]) -> list[str]:
    """The kinds of some blocks: the tag of the element that tells, else a paragraph."""
    return [page.strings[page.tag[node]] if node >= 0 else "p" for node in told]


# Title, byline and date of a text: what the page says about itself, located where it can be read.
#
# Each is the best of several candidates, taken from the page's own data, its headings and the lines around the text.
# What speaks for one is weighed; the weights were fitted over the pages of a benchmark. A value that can be read on the
# page has its place there; one that is only in the page's own data has none.


class About:
    """Who wrote what when, as far as it is found; each is looked for when it is first asked for."""

    def __init__(self, said: Said, beginning: Beginning | None) -> None:
        self._said, self._beginning = said, beginning

    @cached_property
    def title(self) -> Value | None:
        """What the text is called."""
        return find_title(self._said, self._beginning)

    @cached_property
    def date(self) -> Value | None:
        """When it was published."""
        return find_date(self._said, self._beginning)

    @cached_property
    def byline(self) -> Value | None:
        """Who wrote it, which isn't part of its title, and is said of most texts that have a date."""
        title = self.title.text if self.title else ""
        return find_byline(self._said, self._beginning, title, dated=self.date is not None)


def find_about(blocks: TextBlocks, kept: BoolArray, page_kind: str = "") -> About:
    """Title, byline and date of the text made of the kept blocks, on a page judged to be of this kind."""
    return About(Said(blocks.page, page_kind), Beginning(blocks, kept))


def about_from_data(page: Page) -> About:
    """Title, byline and date of a page that shows no text, from its own data."""
    return About(Said(page), None)
