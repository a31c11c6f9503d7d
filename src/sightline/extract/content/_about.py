"""Title, byline and date of a text: what the page says about itself, located where it can be read.

Each is the best of several candidates, taken from the page's own data, its headings and the lines around the text. What
speaks for one is weighed; the weights were fitted over the pages of a benchmark. A value that can be read on the page
has its place there; one that is only in the page's own data has none.
"""

from dataclasses import dataclass

from sightline.arrays import BoolArray
from sightline.data import Value
from sightline.extract.content._beginning import Beginning
from sightline.extract.content._byline import find_byline
from sightline.extract.content._date import find_date
from sightline.extract.content._said import Said
from sightline.extract.content._title import find_title
from sightline.page import Page
from sightline.signals import TextBlocks

__all__ = ["About", "about_from_data", "find_about"]


@dataclass(frozen=True, slots=True)
class About:
    """Who wrote what when, as far as it was found."""

    title: Value | None = None
    byline: Value | None = None
    date: Value | None = None


def find_about(blocks: TextBlocks, kept: BoolArray, page_kind: str = "") -> About:
    """Title, byline and date of the text made of the kept blocks, on a page judged to be of this kind."""
    return _about(Said(blocks.page, page_kind), Beginning(blocks, kept))


def about_from_data(page: Page) -> About:
    """Title, byline and date of a page that shows no text, from its own data."""
    return _about(Said(page), None)


def _about(said: Said, beginning: Beginning | None) -> About:
    title, date = find_title(said, beginning), find_date(said, beginning)
    byline = find_byline(said, beginning, title.text if title else "", dated=date is not None)
    return About(title, byline, date)
