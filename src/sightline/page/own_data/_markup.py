"""Looking up what readers of markup need: elements with an attribute, texts, addresses."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from sightline.arrays import IntArray
from sightline.page._columns import ABSENT
from sightline.page._page_columns import PageColumns
from sightline.page._parts import full_address, link_base
from sightline.page._text import BLOCK_TAGS, CELL_TAGS
from sightline.page.own_data._limits import OwnBudget

UNREAD = ("script", "style", "noscript", "template")
# Pages that load their pictures lazily keep the address in another attribute.
PICTURE_SOURCES = ("data-src", "data-lazy-src", "data-original")
BLANK = re.compile(r"[ \t\n\r\f]+")


class MarkupReader:
    """A page, seen by those who read data in its markup. It lives as long as they read."""

    def __init__(self, page: PageColumns, budget: OwnBudget) -> None:
        self.page, self.budget = page, budget
        self.ends = page.end

    # ------------------------------------------------------------------ attributes

    def having(self, *names: str) -> list[int]:
        """The elements with one of these attributes, in document order."""
        held = self.page.attributes
        wanted = [number for name in names if (number := self.page.attribute_id(name)) != ABSENT]
        if not wanted:
            return []
        rows = np.flatnonzero(np.isin(held.name, wanted) if len(wanted) > 1 else held.name == wanted[0])
        nodes: list[int] = np.unique(np.searchsorted(held.start, rows, side="right") - 1).tolist()
        return nodes

    def value(self, node: int, name: str) -> str | None:
        """An attribute of an element; None where it has no such attribute."""
        held, wanted = self.page.attributes, self.page.attribute_id(name)
        if wanted == ABSENT:
            return None
        names, start = held.name.data, held.start.data
        for row in range(start[node + 1] - 1, start[node] - 1, -1):
            if names[row] == wanted:
                return self.page.strings[int(held.value[row])] if held.value[row] >= 0 else ""
        return None

    def words(self, node: int, name: str) -> list[str]:
        """The words of an attribute, such as those of `class`."""
        return (self.value(node, name) or "").split()

    def tag(self, node: int) -> str:
        """The tag of an element."""
        return self.page.strings[int(self.page.tag[node])]

    def end(self, node: int) -> int:
        """The node after all that is below an element."""
        return int(self.ends[node])

    def first(self, node: int, names: Iterable[str]) -> str | None:
        """The first of some attributes that says anything."""
        said = (self.value(node, name) for name in names)
        return next((value for value in said if value and value.strip()), None)

    # ------------------------------------------------------------------ addresses

    @cached_property
    def base(self) -> str:
        """What addresses are relative to."""
        return link_base(self.page)

    def address(self, written: str) -> str:
        """An address in full; as it is written where nobody knows from where, or it leads nowhere."""
        return full_address(self.base, written) or written.strip()

    def source(self, node: int) -> str | None:
        """The address of a picture or another medium; the one that is shown in the end where it is loaded late."""
        source = self.value(node, "src")
        late = self.first(node, PICTURE_SOURCES) if source is None or source.strip()[:5] in ("", "data:") else None
        found = late or source
        return self.address(found) if found is not None else None

    # ------------------------------------------------------------------ texts

    def text_of(self, node: int, what: str) -> str:
        """The text of an element and all below it, seen or not, with a line for every block."""
        first, last = bisect_left(self._nodes, node), bisect_left(self._nodes, self.end(node))
        if first == last or not self.budget.takes_text(self._lengths[last] - self._lengths[first], what):
            return ""
        strings, ids = self.page.strings, self._texts
        if last - first == 1:
            return BLANK.sub(" ", strings[ids[first]]).strip()
        joined = strings[ids[first]] + "".join(
            [self._before[place] + strings[ids[place]].replace("\n", " ") for place in range(first + 1, last)]
        )
        lines = [" ".join(line.split()) for line in joined.split("\r\n")]
        return "\n".join([line for line in lines if line])

    @cached_property
    def _read(self) -> IntArray:
        """The text nodes that belong to the text of an element."""
        page = self.page
        apart = page.with_tag(*UNREAD)
        unread = np.zeros(len(page) + 1, dtype=np.int32)
        np.add.at(unread, apart, 1)
        np.add.at(unread, page.end[apart], -1)
        return np.flatnonzero(page.is_text & (np.cumsum(unread[:-1]) == 0)).astype(np.int32)

    @cached_property
    def _nodes(self) -> list[int]:
        nodes: list[int] = self._read.tolist()
        return nodes

    @cached_property
    def _texts(self) -> list[int]:
        texts: list[int] = self.page.text[self._read].tolist()
        return texts

    @cached_property
    def _lengths(self) -> list[int]:
        """How many characters stand before each text."""
        lengths = np.array([len(self.page.strings[text]) for text in self._texts], dtype=np.int64)
        before: list[int] = np.concatenate([[0], np.cumsum(lengths + 1)]).tolist()
        return before

    @cached_property
    def _before(self) -> list[str]:
        """What parts each text from the one before it: the border of a block or of a cell, or nothing."""
        nodes = self._read
        previous = np.concatenate([nodes[:1], nodes[:-1]])
        lines, cells = self._borders(BLOCK_TAGS), self._borders(CELL_TAGS)
        parted = np.where(lines[nodes] > lines[previous], "\r\n", np.where(cells[nodes] > cells[previous], " ", ""))
        before: list[str] = parted.tolist()
        return before

    def _borders(self, tags: Iterable[str]) -> IntArray:
        """How many elements of some tags have begun or ended before each node."""
        page = self.page
        marked = page.mask(*tags)
        closing = np.bincount(page.end[marked], minlength=len(page) + 1)[: len(page)]
        return np.cumsum(marked + closing).astype(np.int32)
