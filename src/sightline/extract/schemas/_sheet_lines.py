"""What stands on the sheets of a PDF, line by line: the lines of its paragraphs, and the rows of its tables.

What a PDF calls a paragraph, a heading or a table may differ from one document to the next, though both were made from
one template: it depends on how much else is on the sheet. The lines do not.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from sightline.geometry import Box, around
from sightline.page import ABSENT, Page, rows_of

# Elements in which words stand, without beginning a block of their own.
INLINE = frozenset(["a", "b", "i", "span", "sub", "sup"])
FURNITURE = frozenset(["header", "footer"])  # numbers of sheets and what recurs on them
CELLS = frozenset(["td", "th"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "caption"])
SIZE = "font-size"
ALIGNED = 0.5  # sizes of the type, by which what is below something begins farther left or right
ONE_LINE = 0.5  # of the height of the lower one, that words of one line overlap


@dataclass(frozen=True, eq=False)
class SheetWords:
    """The words of a page as plain lists: its texts by node, and the node, the place in it and the box of each word."""

    page: Page
    node: list[int]
    start: list[int]
    end: list[int]
    box: list[Box]

    @classmethod
    def of(cls, page: Page) -> "SheetWords":
        """All words of a page."""
        words = page.words
        boxes: list[Box] = [(x0, y0, x1, y1) for x0, y0, x1, y1 in words.box.tolist()]
        return cls(page, words.node.tolist(), words.start.tolist(), words.end.tolist(), boxes)

    @cached_property
    def sizes(self) -> list[str]:
        """The size of the type of every node, as the page has it."""
        page = self.page
        if SIZE not in page.style_names:
            return []
        ids = page.styles[:, page.style_names.index(SIZE)][page.style_of].tolist()
        return [page.strings[number] if number >= 0 else "" for number in ids]

    def raw(self, node: int) -> str:
        """The whole text of a node."""
        text: str = self.page.strings[self.page.text[node]]
        return text

    def one(self, word: int) -> str:
        """The text of a word."""
        return self.raw(self.node[word])[self.start[word] : self.end[word]]

    def runs(self, words: Sequence[int]) -> list[list[int]]:
        """Words in runs of one text node each."""
        found: list[list[int]] = []
        for word in words:
            if found and self.node[found[-1][-1]] == self.node[word]:
                found[-1].append(word)
            else:
                found.append([word])
        return found

    def text(self, words: Sequence[int]) -> str:
        """What words say, with the blanks between them as they are."""
        text = ""
        before: int | None = None
        for run in self.runs(words):
            node, first, last = self.node[run[0]], self.start[run[0]], self.end[run[-1]]
            raw = self.raw(node)
            spaced = raw[:first][-1:].isspace() or (before is not None and self._goes_on_blank(before))
            text += (" " if text and spaced else "") + raw[first:last]
            before = run[-1]
        return " ".join(text.split())

    def _goes_on_blank(self, word: int) -> bool:
        return self.raw(self.node[word])[self.end[word] :][:1].isspace()


@dataclass(frozen=True, eq=False)
class SheetPiece:
    """Words that belong together: a line, several of them, or a part of one; from a block with this tag."""

    words: SheetWords
    lines: tuple[tuple[int, ...], ...]
    tag: str

    @cached_property
    def numbers(self) -> list[int]:
        """All its words."""
        return [word for line in self.lines for word in line]

    @cached_property
    def text(self) -> str:
        """What it says."""
        return self.words.text(self.numbers)

    @cached_property
    def box(self) -> Box:
        """Where it is."""
        return self._hull(self.numbers)

    @cached_property
    def first(self) -> Box:
        """Where its first line is."""
        return self._hull(self.lines[0])

    @cached_property
    def last(self) -> Box:
        """Where its last line is."""
        return self._hull(self.lines[-1])

    @cached_property
    def size(self) -> float:
        """The size of its type, or the height of its first line if the page has no styles."""
        column = self.words.sizes
        written = column[self.words.node[self.numbers[0]]] if column else ""
        number = written.removesuffix("px")
        return float(number) if number.replace(".", "", 1).isdigit() else self.first[3] - self.first[1]

    def part(self, start: int, stop: int | None = None) -> "SheetPiece":
        """Some of its lines."""
        return SheetPiece(self.words, self.lines[start:stop], self.tag)

    def each_line(self) -> "Iterator[SheetPiece]":
        """Its lines, one by one."""
        return (self.part(number, number + 1) for number in range(len(self.lines)))

    def cut(self, count: int) -> "tuple[SheetPiece, SheetPiece]":
        """Its first words, and all others."""
        line, *rest = self.lines
        after = (line[count:], *rest) if count < len(line) else tuple(rest)
        return SheetPiece(self.words, (line[:count],), self.tag), SheetPiece(self.words, after, self.tag)

    def joined(self, other: "SheetPiece") -> "SheetPiece":
        """This and what follows it, as one."""
        return SheetPiece(self.words, (*self.lines, *other.lines), self.tag)

    def _hull(self, words: Iterable[int]) -> Box:
        return around([self.words.box[word] for word in words])


@dataclass(frozen=True, eq=False)
class SheetRow:
    """A row of a table: its cells by the column that each begins in."""

    cells: dict[int, SheetPiece]

    @property
    def box(self) -> Box:
        """Where it is."""
        return around([piece.box for piece in self.cells.values()])


@dataclass(frozen=True, eq=False)
class SheetTable:
    """A table: its rows, and how many columns it has."""

    rows: tuple[SheetRow, ...]
    columns: int


@dataclass(frozen=True, eq=False)
class SheetContent:
    """Everything on the sheets: blocks of lines, tables, and what recurs on the sheets, each as the page has them."""

    blocks: tuple[SheetPiece, ...]
    tables: tuple[SheetTable, ...]
    furniture: tuple[SheetPiece, ...]


def read_lines(page: Page) -> SheetContent:
    """The lines and tables of a PDF."""
    words = SheetWords.of(page)
    held: dict[int, list[int]] = {}
    for word, node in enumerate(words.node):
        held.setdefault(_block_of(page, node), []).append(word)
    pieces = {
        node: SheetPiece(words, tuple(_lines(words, several)), _tag(page, node)) for node, several in held.items()
    }
    in_tables: set[int] = set()
    tables = []
    for node in page.with_tag("table").tolist():
        rows, columns = _rows(page, node, pieces, in_tables)
        tables += [SheetTable(rows, columns)] if rows else []
    plain = [piece for node, piece in pieces.items() if node not in in_tables]
    return SheetContent(
        tuple(piece for piece in plain if piece.tag not in FURNITURE),
        tuple(tables),
        tuple(piece for piece in plain if piece.tag in FURNITURE),
    )


def _tag(page: Page, node: int) -> str:
    tag: str = page.strings[page.tag[node]]
    return tag


def _block_of(page: Page, node: int) -> int:
    """The element around a text that begins a block of its own."""
    above = int(page.parent[node])
    while _tag(page, above) in INLINE and page.parent[above] >= 0:
        above = int(page.parent[above])
    return above


def _lines(words: SheetWords, numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Words that overlap in height, in runs."""
    line: list[int] = []
    for word in numbers:
        if line and not on_one_line(words.box[line[-1]], words.box[word]):
            yield tuple(line)
            line = []
        line.append(word)
    if line:
        yield tuple(line)


def on_one_line(one: Box, other: Box) -> bool:
    """Whether two boxes are beside each other."""
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap >= ONE_LINE * max(0.1, min(one[3] - one[1], other[3] - other[1]))


def _rows(page: Page, table: int, pieces: dict[int, SheetPiece], seen: set[int]) -> tuple[tuple[SheetRow, ...], int]:
    rows, columns = [], 0
    for row in rows_of(page, table):
        cells: dict[int, SheetPiece] = {}
        column = 0
        for cell in page.node(row).children:
            if cell.tag not in CELLS:
                continue
            seen.add(cell.number)
            if cell.number in pieces:
                cells[column] = pieces[cell.number]
            column += _span(page, cell.number)
        columns = max(columns, column)
        if cells:
            rows.append(SheetRow(cells))
    return tuple(rows), columns


def _span(page: Page, cell: int) -> int:
    number = page.attribute_of(cell, "colspan")
    text = "" if number == ABSENT else page.strings[number]
    return int(text) if text.isdigit() and 0 < int(text) <= len(page) else 1


def is_next_line(above: SheetPiece, piece: SheetPiece, most: float) -> bool:
    """Whether a piece begins below the last line of another, so many sizes of the type farther down at most."""
    down, across = piece.first[1] - above.last[1], abs(piece.first[0] - above.last[0])
    return not on_one_line(above.last, piece.first) and 0 < down <= most * above.size and across <= ALIGNED * above.size
