"""Title, byline and date of a text: what the page says about itself, located where it can be read.

Each is the best of several candidates, taken from the page's own data, its headings and the lines around the text. What
speaks for one is weighed; the weights were fitted over the pages of a benchmark. A value that can be read on the page
has its place there; one that is only in the page's own data has none.
"""

from functools import cached_property

from sightline.arrays import BoolArray
from sightline.data import Value
from sightline.extract.content._beginning import Beginning, Said
from sightline.extract.content._byline import find_byline
from sightline.extract.content._date import find_date
from sightline.extract.content._title import find_title
from sightline.page import Page
from sightline.signals import TextBlocks

__all__ = ["About", "about_from_data", "find_about"]


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
        """Who wrote it, which is no part of its title, and is said of most texts that have a date."""
        title = self.title.text if self.title else ""
        return find_byline(self._said, self._beginning, title, dated=self.date is not None)


def find_about(blocks: TextBlocks, kept: BoolArray, page_kind: str = "") -> About:
    """Title, byline and date of the text made of the kept blocks, on a page judged to be of this kind."""
    return About(Said(blocks.page, page_kind), Beginning(blocks, kept))


def about_from_data(page: Page) -> About:
    """Title, byline and date of a page that shows no text, from its own data."""
    return About(Said(page), None)
