"""What a page holds: its columns, how they are looked up, and the columns that follow from them alone."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from sightline import native
from sightline.arrays import BoolArray, IntArray
from sightline.geometry import Box, BoxArray, union
from sightline.page._columns import (
    ABSENT,
    Attributes,
    DrawnRules,
    PageKind,
    PagePart,
    Words,
    depths,
    dom_positions,
    freeze_columns,
    frozen,
    path_ids,
)

Cached = TypeVar("Cached")

FEW = 6  # names; for no more than this, comparing with each is faster than a table of all strings
HAIR = 0.01  # CSS pixels; what begins right at the edge of a sheet stands on it, whatever was rounded


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PageColumns:
    """The columns of a page with what is looked up in them; `Page` adds what is read, written and cut out of them."""

    strings: tuple[str, ...]
    parent: IntArray
    end: IntArray
    tag: IntArray
    text: IntArray
    attributes: Attributes
    box: BoxArray
    styles: IntArray = field(default_factory=lambda: np.full((1, 0), ABSENT, dtype=np.int32))
    style_of: IntArray
    style_names: tuple[str, ...] = ()
    words: Words = field(default_factory=Words.empty)
    rules: DrawnRules = field(default_factory=DrawnRules.empty)
    edge: npt.NDArray[np.int8]
    url: str = ""
    title: str = ""
    kind: PageKind = "static"
    viewport: tuple[int, int] = (0, 0)
    sheets: BoxArray = field(default_factory=lambda: np.zeros((1, 4), dtype=np.float32))
    screenshot: bytes | None = None
    notes: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()  # those of the notes that say that something is missing
    part: PagePart | None = None
    sheet_numbers: tuple[int, ...] = ()  # in the document; empty where these are all of its sheets

    def __post_init__(self) -> None:
        """Freeze the arrays: a page never changes."""
        freeze_columns(self)

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.parent)

    # ------------------------------------------------------------------ what is kept with the page

    def cached(self, make: Callable[[Self], Cached]) -> Cached:
        """What a function makes of the page, made once: so extractors share the signals that they start from.

        It must not refer to the page: they would keep each other in memory until Python's collector runs.

        >>> from sightline.page import Page
        >>> from sightline.testing import list_page
        >>> page = list_page(["one"])
        >>> page.cached(Page.to_xhtml) is page.cached(Page.to_xhtml)
        True
        """
        made = self._kept.get(make)
        if made is None:
            made = self._kept[make] = make(self)
        return cast("Cached", made)

    def attach(self, known: object) -> None:
        """Leave on the page what its source knows of it and one other step will need."""
        self._kept[type(known)] = known

    def detach(self, kind: type[Cached]) -> Cached | None:
        """What of this kind was left on the page; it is not kept any longer."""
        return cast("Cached | None", self._kept.pop(kind, None))

    @cached_property
    def _kept(self) -> dict[object, object]:
        return {}

    # ------------------------------------------------------------------ numbers of nodes

    @property
    def numbers(self) -> IntArray:
        """The numbers of the nodes in the captured page, for origins that outlive a part."""
        return self.part.number if self.part else frozen(np.arange(len(self), dtype=np.int32))

    @cached_property
    def number_list(self) -> Sequence[int]:
        """`numbers` as plain integers: faster to look up one by one."""
        if self.part is None:
            return range(len(self))
        numbers: list[int] = self.part.number.tolist()
        return numbers

    # ------------------------------------------------------------------ columns made on demand

    @cached_property
    def style(self) -> IntArray:
        """The computed styles of every node, (nodes, properties), as ids into `strings`; -1 where there is none."""
        return frozen(self.styles[self.style_of])

    @cached_property
    def depth(self) -> IntArray:
        """How many ancestors each node has."""
        return depths(self.parent)

    @cached_property
    def position(self) -> IntArray:
        """The 1-based position of each node among its siblings of one tag in the browser's DOM, as XPath counts."""
        return self.part.position if self.part else dom_positions(self.parent, self.tag, self.edge)

    @cached_property
    def is_text(self) -> BoolArray:
        """Which nodes are text nodes."""
        return frozen(self.text >= 0)

    @cached_property
    def is_blank(self) -> BoolArray:
        """Which nodes are text nodes of nothing but blanks."""
        if native.kernels is not None:
            return np.frombuffer(native.kernels.blank(self.strings, (self.text,)), dtype=bool)
        blank = np.zeros(len(self.strings) + 1, dtype=bool)  # the last row serves the id -1
        blank[self.text] = True
        used = np.flatnonzero(blank[:-1]).tolist()
        blank[used] = [text.isspace() or not text for text in map(self.strings.__getitem__, used)]
        blank[-1] = False
        return frozen(blank[self.text])

    @cached_property
    def path(self) -> IntArray:
        """A number for the tag path of each node; equal numbers are equal paths. See `path_names`."""
        return self._paths[0]

    @cached_property
    def path_names(self) -> tuple[str, ...]:
        """The tag paths by their number, such as `html/body/ul/li/#text`."""
        names: list[str] = []
        for above, tag in self._paths[1]:
            names.append(f"{names[above]}/{self.strings[tag]}" if above >= 0 else self.strings[tag])
        return tuple(names)

    @cached_property
    def _paths(self) -> tuple[IntArray, list[tuple[int, int]]]:
        return path_ids(self.parent, self.tag)

    # ------------------------------------------------------------------ names and values

    @cached_property
    def _string_ids(self) -> dict[str, int]:
        return {string: number for number, string in enumerate(self.strings)}

    # The names of tags and attributes are few, and most of what is asked for is one of them.
    @cached_property
    def _tag_ids(self) -> dict[str, int]:
        return self._names_in(self.tag)

    @cached_property
    def _attribute_ids(self) -> dict[str, int]:
        return self._names_in(self.attributes.name)

    @cached_property
    def _style_ids(self) -> dict[str, int]:
        return self._names_in(self.styles.ravel())

    def _names_in(self, column: IntArray) -> dict[str, int]:
        used = np.flatnonzero(np.bincount(column[column >= 0], minlength=1))
        return {self.strings[number]: number for number in used.tolist()}

    def tag_id(self, name: str) -> int:
        """The id of a tag that is on this page, or -1."""
        return self._tag_ids.get(name, ABSENT)

    def attribute_id(self, name: str) -> int:
        """The id of the name of an attribute that is on this page, or -1."""
        return self._attribute_ids.get(name, ABSENT)

    def style_id(self, value: str) -> int:
        """The id of a value that some computed property has on this page, or -1."""
        return self._style_ids.get(value, ABSENT)

    def value_id(self, name: str, value: str) -> int:
        """The id of a value that this attribute has somewhere on the page, or -1.

        >>> from sightline.testing import element, page_of
        >>> page = page_of(element("a", rel="next"))
        >>> page.value_id("rel", "next") == page.string_id("next"), page.value_id("rel", "prev")
        (True, -1)
        """
        held = self.attributes.value[self.attributes.name == self.attribute_id(name)]
        return next((number for number in held.tolist() if number >= 0 and self.strings[number] == value), ABSENT)

    def string_id(self, string: str) -> int:
        """The id of any string on this page, or -1; where it is known what it is, the methods above are faster."""
        return self._string_ids.get(string, ABSENT)

    def with_tag(self, *names: str) -> IntArray:
        """The numbers of all elements with one of these tags, in document order."""
        return np.flatnonzero(self.mask(*names)).astype(np.int32)

    def mask(self, *names: str) -> BoolArray:
        """Which nodes are elements with one of these tags."""
        known = self._tag_ids
        ids = [known[name] for name in names if name in known]
        if len(ids) <= FEW:
            marked = np.zeros(len(self), dtype=bool)
            for number in ids:
                marked |= self.tag == number
            return marked
        wanted = np.zeros(len(self.strings), dtype=bool)
        wanted[ids] = True
        found: BoolArray = wanted[self.tag]
        return found

    def attribute(self, name: str) -> IntArray:
        """The value of one attribute for every node, as ids into `strings`; -1 where it is missing."""
        number = self.attribute_id(name)
        column = self._attribute_columns.get(number)
        if column is None:
            column = np.full(len(self), ABSENT, dtype=np.int32)
            if number != ABSENT:
                rows = np.flatnonzero(self.attributes.name == number)
                column[np.searchsorted(self.attributes.start, rows, side="right") - 1] = self.attributes.value[rows]
            self._attribute_columns[number] = frozen(column)
        return column

    def attribute_of(self, number: int, name: str) -> int:
        """The value of one attribute of one node, as an id into `strings`; -1 where it is missing.

        For a few nodes this is faster than `attribute`, which goes through all of them.

        >>> from sightline.testing import element, page_of
        >>> page = page_of(element("a", href="/bees"))
        >>> page.strings[page.attribute_of(0, "href")]
        '/bees'
        """
        wanted, held = self.attribute_id(name), self.attributes
        if wanted == ABSENT:
            return ABSENT
        names, start = held.name.data, held.start.data  # whose numbers are plain ones
        for row in range(start[number + 1] - 1, start[number] - 1, -1):
            if names[row] == wanted:
                return int(held.value[row])
        return ABSENT

    @cached_property
    def _attribute_columns(self) -> dict[int, IntArray]:
        """The columns that have been asked for, by the id of the name; names that the page lacks share one."""
        return {}

    def style_column(self, name: str) -> IntArray:
        """One computed property for every node, as ids into `strings`; -1 where the page has none."""
        if name not in self.style_names:
            return frozen(np.full(len(self), ABSENT, dtype=np.int32))
        return frozen(self.styles[:, self.style_names.index(name)][self.style_of])

    @cached_property
    def language(self) -> str | None:
        """The language that the page declares, such as `de` or `en-GB`."""
        declared = self.attribute("lang")[:1]
        return self.strings[declared[0]] or None if len(declared) and declared[0] >= 0 else None

    @cached_property
    def bounds(self) -> Box | None:
        """The box around everything that is laid out."""
        return union(self.box)

    def sheet_of(self, box: Box | None) -> int:
        """The sheet on which the upper edge of a box lies, as the document counts them, from 1; web pages have one."""
        numbers = self.sheet_numbers
        if box is None or len(self.sheets) < 2:
            return numbers[0] if numbers else 1
        place = max(bisect_right(self._tops, box[1] + HAIR), 1)
        return numbers[place - 1] if numbers else place

    @cached_property
    def _tops(self) -> list[float]:
        tops: list[float] = self.sheets[:, 1].tolist()
        return tops
