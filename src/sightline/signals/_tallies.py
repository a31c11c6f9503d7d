"""How much of something each subtree of a page contains: one running sum per page, two look-ups per node."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sightline.arrays import IntArray, LongArray, prefix_sum
from sightline.page import Page

__all__ = ["PICTURES", "Tallies"]

PICTURES = ("img", "svg", "canvas", "video", "picture")
CONTROLS = ("input", "select", "textarea", "button")


@dataclass(frozen=True, eq=False)
class Tallies:
    """Counts of what is visible below nodes: words, words in links, pictures, controls.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two words"])
    >>> tallies = Tallies(page)
    >>> tallies.below(page.with_tag("li"), tallies.words).tolist()
    [1, 2]
    """

    page: Page

    def below(self, nodes: IntArray, sums: LongArray) -> IntArray:
        """How much of something each of some nodes contains."""
        return (sums[self.page.end[nodes]] - sums[nodes]).astype(np.int32)

    @cached_property
    def words(self) -> LongArray:
        """Running sum of visible words."""
        return _running(self._words)

    @cached_property
    def linked(self) -> LongArray:
        """Running sum of visible words in links."""
        links, end = self.page.with_tag("a"), self.page.end
        change = np.bincount(links, minlength=len(self.page) + 1) - np.bincount(
            end[links], minlength=len(self.page) + 1
        )
        return _running(np.where(np.cumsum(change[:-1]) > 0, self._words, 0))

    @cached_property
    def links(self) -> LongArray:
        """Running sum of links."""
        return self._tagged(("a",))

    @cached_property
    def pictures(self) -> LongArray:
        """Running sum of pictures."""
        return self._tagged(PICTURES)

    @cached_property
    def controls(self) -> LongArray:
        """Running sum of what can be filled in or pressed."""
        return self._tagged(CONTROLS)

    @cached_property
    def _words(self) -> LongArray:
        page = self.page
        if len(page.words):
            return np.where(page.visible, np.bincount(page.words.node, minlength=len(page)), 0)
        # Without layout the words have not been separated yet.
        counts = np.array([len(string.split()) for string in page.strings] + [0], dtype=np.int64)
        return np.where(page.visible & page.is_text, counts[page.text], 0)

    def _tagged(self, names: tuple[str, ...]) -> LongArray:
        marked = np.zeros(len(self.page), dtype=np.int64)
        marked[self.page.with_tag(*names)] = 1
        return _running(np.where(self.page.visible, marked, 0))


def _running(amount: LongArray) -> LongArray:
    return prefix_sum(amount)
