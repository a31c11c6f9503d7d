"""A view of one node, for people; algorithms use the columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.geometry import Box, as_box

if TYPE_CHECKING:
    from sightline.page._page import Page

__all__ = ["Node"]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a page: just a page and a number, so cheap to create."""

    page: "Page"
    number: int

    def __repr__(self) -> str:
        return f"<Node {self.number} {self.tag}>"

    @property
    def tag(self) -> str:
        """The tag name in lower case, or `#text`."""
        return self.page.strings[int(self.page.tag[self.number])]

    @property
    def text(self) -> str:
        """The visible text of the node and all below it."""
        return self.page.text_of(self.number)

    @property
    def raw_text(self) -> str:
        """The text of a text node exactly as in the document; empty for an element."""
        text = self.page.text[self.number]
        return self.page.strings[text] if text >= 0 else ""

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes by name."""
        columns, strings = self.page.attributes, self.page.strings
        rows = slice(columns.start[self.number], columns.start[self.number + 1])
        pairs = zip(columns.name[rows].tolist(), columns.value[rows].tolist(), strict=True)
        return {strings[name]: strings[value] if value >= 0 else "" for name, value in pairs}

    @property
    def parent(self) -> "Node | None":
        """The element around this node, or None at the root."""
        parent = int(self.page.parent[self.number])
        return Node(self.page, parent) if parent >= 0 else None

    @property
    def children(self) -> Iterator["Node"]:
        """The nodes directly below, in document order."""
        child, end = self.number + 1, int(self.page.end[self.number])
        while child < end:
            yield Node(self.page, child)
            child = int(self.page.end[child])

    @property
    def box(self) -> Box | None:
        """The border box in CSS pixels, or None when the node is not laid out."""
        return as_box(self.page.box[self.number])

    @property
    def style(self) -> dict[str, str]:
        """The computed style, property by property; empty on pages without layout."""
        row = self.page.styles[self.page.style_of[self.number]]
        pairs = zip(self.page.style_names, row, strict=True)
        return {name: self.page.strings[value] for name, value in pairs if value >= 0}

    @property
    def visible(self) -> bool:
        """Whether the node leaves ink."""
        return bool(self.page.visible[self.number])

    @property
    def xpath(self) -> str:
        """The indexed XPath, valid in the browser's own DOM."""
        return self.page.xpath(self.number)
