"""How similar the structure of two parts of a page is: the tag paths of what is visible in them, counted and compared.

The tag paths of two siblings' contents are equal exactly when the paths inside them are, so one table of counts, summed
up over the page, tells the make of every range of nodes by one subtraction.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, IntArray
from sightline.page import Page
from sightline.signals._tallies import leaves_of

__all__ = ["TagProfiles"]

# Columns shared by the paths. Parts of a page have some dozens of paths; with 64 columns two of them rarely collide.
COLUMNS = 64
SPREAD = 2654435761  # Knuth's multiplier, which puts neighbouring numbers far apart

PathCounts = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TagProfiles:
    """Counts of tag paths below any range of nodes.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> profiles = TagProfiles(page)
    >>> one, two = profiles.of(page.with_tag("li"), page.end[page.with_tag("li")])
    >>> bool((one == two).all())
    True
    """

    page: Page

    def of(self, starts: AnyInts, stops: AnyInts) -> PathCounts:
        """The profile of each range, as a row of length 1; paths count by the square root of their number."""
        leaves, sums = self._sums
        counts = np.sqrt(sums[leaves.searchsorted(stops)] - sums[leaves.searchsorted(starts)])
        length = np.sqrt(np.add.reduce(counts * counts, axis=1, keepdims=True))
        rows: PathCounts = counts / np.maximum(length, 1e-9)
        return rows

    @cached_property
    def _sums(self) -> tuple[IntArray, PathCounts]:
        page = self.page
        nodes = np.flatnonzero(leaves_of(page)).astype(np.int32)
        column = (page.path[nodes].astype(np.int64) * SPREAD >> 12) % COLUMNS
        sums = np.zeros((len(nodes) + 1, COLUMNS), dtype=np.float32)
        sums[np.arange(1, len(nodes) + 1), column] = 1
        return nodes, np.cumsum(sums, axis=0, out=sums)
