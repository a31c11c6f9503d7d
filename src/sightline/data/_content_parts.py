"""The parts of a main text, and how each is marked on its page: bold, links, and the lists and tables around it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from sightline.data._value import Value, filled

# How a part follows another one of the same element: on its own, on a new line, or on the same line.
Placement = Literal["apart", "line", "space"]


@dataclass(frozen=True, slots=True)
class InlineText:
    """A stretch of text that is marked alike; with `image`, an image at this address, and `text` stands for it.

    >>> InlineText("flowers", bold=True).link
    ''
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """An element around parts, by the number of its node; `kind` is its tag.

    It is a list, an item, a quotation, a table, a row, a cell, a heading, a term or code. `number` is that of an item
    in its list, the column of a cell, or how many columns a table has. Code has a `language`, if the page tells, and
    its `text` with all blanks.

    >>> Enclosure("li", 17, 3).number
    3
    """

    kind: str
    node: int
    number: int = 0
    language: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class PartMarkup:
    """How a part is marked: its stretches (none if all is plain), what is around it, and how it follows the one before.

    >>> PartMarkup(around=(Enclosure("blockquote", 4),)).follows
    'apart'
    """

    inline: tuple[InlineText, ...] = ()
    around: tuple[Enclosure, ...] = ()
    element: int = -1
    follows: Placement = "apart"


def part_markups(
    inline: Sequence[tuple[InlineText, ...]],
    around: Sequence[tuple[Enclosure, ...]],
    elements: Sequence[int],
    follows: Sequence[Placement],
) -> list[PartMarkup]:
    """The markup of many parts, from columns."""
    return filled(PartMarkup, {"inline": inline, "around": around, "element": elements, "follows": follows})


@dataclass(frozen=True, slots=True)
class ContentPart:
    """One piece of the text: a paragraph, a heading (`kind` h1 to h6), an item (li), a cell (td), code (pre).

    `markup` is known for parts that were found on a page.
    """

    value: Value
    kind: str = "p"
    markup: PartMarkup | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The text as seen."""
        return self.value.text


def content_parts(
    values: Sequence[Value], kinds: Sequence[str], markups: Sequence[PartMarkup] | None = None
) -> tuple[ContentPart, ...]:
    """Many parts, from columns.

    >>> content_parts([Value("Bees")], ["h2"])
    (ContentPart(value=Value(text='Bees', ...), kind='h2'),)
    """
    markup = markups if markups is not None else [None] * len(values)
    return tuple(filled(ContentPart, {"value": values, "kind": kinds, "markup": markup}))


@dataclass(frozen=True, slots=True)
class ContentImage:
    """An image among the parts, by the number of its node: its address and the text that stands for it.

    >>> ContentImage("https://example.org/bee.png", "A bee", 40).text
    'A bee'
    """

    address: str
    text: str
    node: int
    around: tuple[Enclosure, ...] = ()
