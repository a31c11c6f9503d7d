"""Step 14: write the parts of all sheets as a page of elements."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from operator import add
from typing import NamedTuple, TypeAlias

from sightline.extract.structure._broken_words import SOFT_HYPHEN, BrokenWords
from sightline.extract.structure._layout import Layout, PrintedWords
from sightline.extract.structure._paragraphs import BlockKind
from sightline.extract.structure._printed_line import FoundTable, PrintedCell, PrintedLine
from sightline.extract.structure._sheet_parts import SheetPart
from sightline.geometry import Box, around
from sightline.page import Builder, Page, PrintedLines, PrintedSheet
from sightline.right_to_left import OURS, is_right_to_left, words_as_read

# Opens elements and writes words into them, with the styles in which the words are printed.

SHIFTED = {0: "", 1: "sup", -1: "sub"}
SHORTEST_BROKEN = 3  # characters of a line that ends in a broken word
DISPLAYS = {
    "table": "table", "tr": "table-row", "td": "table-cell", "th": "table-cell", "caption": "table-caption",
    "li": "list-item", "a": "inline", "sup": "inline", "sub": "inline", "span": "inline", "img": "inline",
}  # fmt: skip

StyleRow: TypeAlias = tuple[str, ...]


class _Pieces(NamedTuple):
    """Words to be written: their numbers, the texts of them that are written, and whether blanks stand before these."""

    words: list[int]
    texts: list[str]
    blanks: list[bool]

    def between(self, start: int, stop: int) -> "_Pieces":
        """Some of them."""
        return _Pieces(self.words[start:stop], self.texts[start:stop], self.blanks[start:stop])


class _RunKind(NamedTuple):
    """What words that are written as one text have in common: their style, `sup` or `sub`, and a link."""

    style: int
    shift: str
    link: str


class StructuredPageWriter:
    """Writes the words of a printed document into the elements of a page."""

    def __init__(self, layout: Layout) -> None:
        printed = layout.printed
        self.words = layout.words
        self.builder = Builder(printed.style_names)
        self._display = printed.style_names.index("display")
        self._shown: dict[tuple[str, int], StyleRow] = {}
        self._tags: dict[tuple[_RunKind, StyleRow | None], list[str]] = {}
        self._rows = printed.styles
        self._styles = printed.lines.style
        self._confidence = printed.lines.confidence
        self._recognised = max(self._confidence, default=-1) >= 0
        self._emphasis = {row: (look.bold, look.italic) for row, look in zip(printed.styles, layout.looks, strict=True)}
        self._kinds = _run_kinds(printed.lines)
        lines = zip(printed.lines.node, printed.lines.hyphenated, strict=True)
        self.has_right_to_left = OURS.search("".join(layout.words.text)) is not None
        self._broken = BrokenWords(layout.words)
        self._hyphenated = {line for line, hyphenated in lines if hyphenated}

    def style(self, tag: str, words: Sequence[int]) -> StyleRow | None:
        """The style of most of the words, as an element with this tag displays it."""
        if not words:
            return None
        of = self._styles
        styles = [of[word] for word in words]
        if styles.count(styles[0]) == len(styles):
            return self._displayed(tag, styles[0])
        widths: dict[int, float] = {}
        for style, word in zip(styles, words, strict=True):
            x0, _, x1, _ = self.words.box[word]
            widths[style] = widths.get(style, 0.0) + x1 - x0
        return self._displayed(tag, max(widths, key=widths.__getitem__))

    def _displayed(self, tag: str, style: int) -> StyleRow:
        display = DISPLAYS.get(tag, "block")
        if (display, style) not in self._shown:
            row = self._rows[style]
            shown = (*row[: self._display], display, *row[self._display + 1 :])
            self._shown[display, style] = shown
            self._emphasis[shown] = self._emphasis[row]
        return self._shown[display, style]

    def element(self, tag: str, lines: Sequence[PrintedLine], attributes: dict[str, str] | None = None) -> None:
        """An element with nothing but text in it."""
        words = [word for line in lines for word in line.words]
        style = self.style(tag, words)
        self.builder.open(tag, {**(attributes or {}), **self.evidence(words)}, style=style)
        self._write_lines(lines, style)
        self.builder.close()

    def evidence(self, words: Sequence[int]) -> dict[str, str]:
        """The confidence of words that were recognised in a picture, in percent: that of the least sure one."""
        if not self._recognised:
            return {}
        known = [self._confidence[word] for word in words if self._confidence[word] >= 0]
        return {"data-confidence": str(min(known))} if known else {}

    def _write_lines(self, lines: Sequence[PrintedLine], main: StyleRow | None) -> None:
        """The words of some lines; a word broken at the end of a line is written as one."""
        words, texts, blanks = pieces = _Pieces([], [], [])
        text_of = self.words.text
        glued = True  # to what stands before, which is nothing
        for line, after in pairwise((*lines, None)):
            assert line is not None
            start = len(words)
            held = self._as_read(line.words)
            words += held
            texts += [text_of[word] for word in held]
            blanks += self._blanks(held)
            blanks[start] = not glued
            glued = False
            if after is not None and line.number in self._hyphenated and len(line.text) >= SHORTEST_BROKEN:
                written = self._broken.before_break(texts[-1], text_of[after.words[0]], otherwise=SOFT_HYPHEN)
                if written is not None:
                    texts[-1], glued = written, True
        self._write_pieces(pieces, main)

    def write_words(self, words: Iterable[int], main: StyleRow | None, *, without: int = 0) -> None:
        """The words of a cell: with a blank wherever there was one, and where a new line begins that breaks no word.

        So many characters at the end of the last word are left out.
        """
        line_of = self.words.line
        lines = groupby(words, key=line_of.__getitem__)
        held = [word for _, own in lines for word in self._as_read(tuple(own))]
        texts = [self.words.text[word] for word in held]
        blanks = self._blanks(held)[1:]
        for place, (before, word) in enumerate(pairwise(held)):
            if line_of[word] == line_of[before]:
                continue
            # Cells are narrow, so that words are broken at their own hyphens more often than not.
            written = self._broken.before_break(texts[place], texts[place + 1], otherwise=texts[place][-1:])
            blanks[place] = written is None
            texts[place] = texts[place] if written is None else written
        if without:
            texts[-1] = texts[-1][:-without]
        self._write_pieces(_Pieces(held, texts, [False, *blanks]), main)

    def _as_read(self, words: Sequence[int]) -> Sequence[int]:
        """The words of a line in the order in which they are read."""
        if not self.has_right_to_left:
            return words
        return [words[place] for place in words_as_read([self.words.text[word] for word in words])]

    def _blanks(self, words: Sequence[int]) -> list[bool]:
        """Whether a blank stands before each word, as it is read."""
        spaced = self.words.spaced
        if not self.has_right_to_left:
            return [spaced[word] for word in words]
        return [False, *(spaced[max(before, word)] or abs(before - word) > 1 for before, word in pairwise(words))]

    def _write_pieces(self, pieces: _Pieces, main: StyleRow | None) -> None:
        """Pieces that are set alike as one text each."""
        start = 0
        of = self._kinds
        kinds = [of[word] for word in pieces.words]
        if kinds and kinds.count(kinds[0]) == len(kinds):
            self._write_run(kinds[0], pieces, main)
            return
        for place in range(1, len(kinds) + 1):
            if place == len(kinds) or kinds[place] != kinds[start]:
                self._write_run(kinds[start], pieces.between(start, place), main)
                start = place

    def _write_run(self, kind: _RunKind, pieces: _Pieces, main: StyleRow | None) -> None:
        style, tags = self._rows[kind.style], self._tags_of(kind, main)
        words, texts, blanks = pieces
        parts = [f" {text}" if blank else text for text, blank in zip(texts, blanks, strict=True)]
        ends = list(accumulate(map(len, parts)))
        starts = list(map(add, (0, *ends), blanks))
        boxes = [self.words.box[word] for word in words]
        if len(texts[-1]) < len(self.words.text[words[-1]]):  # only of the last word something may be left out
            boxes[-1] = self._box(words[-1], texts[-1])
        if kind.link:
            self.builder.open("a", {"href": kind.link}, style=style)
        for tag in tags:
            self.builder.open(tag, style=style)
        self.builder.text_of_words("".join(parts), starts, ends, boxes, style=style)
        for _ in range(len(tags) + bool(kind.link)):
            self.builder.close()

    def _box(self, word: int, piece: str) -> list[float]:
        """The box of a word whose end is left out: as much of it as its characters are."""
        x0, y0, x1, y1 = self.words.box[word]
        return [x0, y0, x0 + (x1 - x0) * len(piece) / len(self.words.text[word]), y1]

    def _tags_of(self, kind: _RunKind, main: StyleRow | None) -> list[str]:
        """`b` and `i` where a run is bold or italic and the element around it is not; then `sup` or `sub`."""
        if (kind, main) not in self._tags:
            marked = self._marked(self._rows[kind.style], main)
            self._tags[kind, main] = [*marked, kind.shift] if kind.shift else marked
        return self._tags[kind, main]

    def _marked(self, style: StyleRow, main: StyleRow | None) -> list[str]:
        if main is None or style == main:
            return []
        (bold, italic), (around_bold, around_italic) = self._emphasis[style], self._emphasis[main]
        return [tag for tag, on in (("b", bold and not around_bold), ("i", italic and not around_italic)) if on]


def _run_kinds(lines: PrintedLines) -> list[_RunKind]:
    """For each word its style, whether it is raised or lowered, and where it leads."""
    known: dict[tuple[int, int, str], _RunKind] = {}
    found = []
    for key in zip(lines.style, lines.shift, lines.link, strict=True):
        if key not in known:
            style, shift, link = key
            known[key] = _RunKind(style, SHIFTED[shift], link)
        found.append(known[key])
    return found


ELEMENTS: dict[BlockKind, tuple[str, dict[str, str] | None]] = {
    BlockKind.PLAIN: ("p", None),
    BlockKind.CAPTION: ("figcaption", None),
    BlockKind.NOTE: ("aside", {"role": "doc-footnote"}),
    BlockKind.FORMULA: ("div", {"role": "math"}),
    BlockKind.REFERENCE: ("div", {"role": "doc-biblioentry"}),
    BlockKind.FIGURE: ("figure", None),
    BlockKind.HEADER: ("header", None),
    BlockKind.FOOTER: ("footer", None),
}


def written_page(layout: Layout, parts: Sequence[Sequence[SheetPart]]) -> Page:
    """The page of a document, its words in elements that say what they are."""
    printed = layout.printed
    writer = StructuredPageWriter(layout)
    builder = writer.builder
    builder.open("html", style=printed.styles[0])
    builder.open("body")
    for sheet, held in zip(printed.sheets, parts, strict=True):
        builder.open("section", sheet.attributes, box=sheet.box)
        _write_parts(writer, held)
        _write_pictures(writer, sheet)
        builder.close()
    builder.close()
    builder.close()
    return printed.finished(builder)


def _write_pictures(writer: StructuredPageWriter, sheet: PrintedSheet) -> None:
    for tag, boxes in (("img", sheet.images), ("svg", sheet.figures)):
        for box in boxes.tolist():
            writer.builder.open(tag, box=box)
            writer.builder.close()


def _write_parts(writer: StructuredPageWriter, parts: Sequence[SheetPart]) -> None:
    """The parts of a sheet; items that follow each other are one list."""
    for is_item, group in groupby(parts, key=lambda part: part.kind is BlockKind.ITEM):
        if is_item:
            writer.builder.open("ul")
            for item in group:
                writer.element("li", item.lines)
            writer.builder.close()
        else:
            for part in group:
                _write_part(writer, part)


def _write_part(writer: StructuredPageWriter, part: SheetPart) -> None:
    if part.table is not None:
        _write_table(writer, part, part.table)
    elif part.kind is BlockKind.HEADING:
        writer.element(f"h{part.level}", part.lines)
    else:
        tag, attributes = ELEMENTS[part.kind]
        writer.element(tag, part.lines, attributes)


# ------------------------------------------------------------------ tables


def _write_table(writer: StructuredPageWriter, part: SheetPart, table: FoundTable) -> None:
    words = [word for cell in table.cells for word in cell.words]
    is_mirrored = writer.has_right_to_left and is_right_to_left([writer.words.text[word] for word in words])
    if is_mirrored:
        table = _mirrored(table)
    cell_style, row_style = writer.style("td", words), writer.style("tr", words)
    heights = _heights(writer.words, table)
    covered = _covered(table)
    rows: list[dict[int, PrintedCell]] = [{} for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell
    writer.builder.open("table", style=writer.style("table", words))
    if part.caption:
        writer.element("caption", part.caption)
    for row, cells in enumerate(rows):
        tag = "th" if row < table.header_rows else "td"
        writer.builder.open("tr", style=row_style)
        last = max((column for column, cell in cells.items() if cell.words), default=-1)
        for column in range(table.columns):
            if column in cells:
                _write_cell(writer, tag, cells[column], cell_style, leads=column < last)
            elif (row, column) not in covered:
                place = table.columns - 1 - column if is_mirrored else column
                writer.builder.open(tag, box=_empty_box(table, heights[row], place), style=cell_style)
                writer.builder.close()
        writer.builder.close()
    writer.builder.close()


def _mirrored(table: FoundTable) -> FoundTable:
    """A table with its columns from right to left."""
    cells = [cell._replace(column=table.columns - cell.column - cell.columns) for cell in table.cells]
    return replace(table, cells=tuple(sorted(cells, key=lambda cell: (cell.row, cell.column))))


def _covered(table: FoundTable) -> set[tuple[int, int]]:
    """The places of a table that some cell covers."""
    return {
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }


def _write_cell(
    writer: StructuredPageWriter, tag: str, cell: PrintedCell, plain: tuple[str, ...] | None, *, leads: bool
) -> None:
    """A cell without the dots that lead from it to its row, which are kept as an attribute."""
    attributes = {}
    if cell.rows > 1:
        attributes["rowspan"] = str(cell.rows)
    if cell.columns > 1:
        attributes["colspan"] = str(cell.columns)
    texts = [writer.words.text[word] for word in cell.words]
    dots, tail = leader_of(texts, leads=leads)
    held = cell.words[: len(cell.words) - dots]
    if dots or tail:
        last = texts[len(held) - 1]
        attributes["data-leader"] = " ".join([*([last[len(last) - tail :]] if tail else []), *texts[len(held) :]])
    attributes |= writer.evidence(cell.words)
    style = writer.style(tag, held) or plain
    writer.builder.open(tag, attributes, style=style)
    writer.write_words(held, style, without=tail)
    writer.builder.close()


def _heights(words: PrintedWords, table: FoundTable) -> list[tuple[float, float]]:
    """The upper and lower end of each row, by the words of its cells; without any, those of the row above."""
    held: list[list[int]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        if cell.rows == 1:
            held[cell.row] += cell.words
    found: list[tuple[float, float]] = []
    for row in held:
        if row:
            _, top, _, bottom = around([words.box[word] for word in row])
            found.append((top, bottom))
        else:
            found.append(found[-1] if found else (table.box[1], table.box[1] + 1))
    return found


def _empty_box(table: FoundTable, height: tuple[float, float], column: int) -> Box:
    """The box of an empty cell."""
    left = table.lefts[column]
    right = table.lefts[column + 1] if column + 1 < len(table.lefts) else table.box[2]
    return left, height[0], max(right, left + 1), height[1]


# Dots and lines that lead the eye from a label to its row: how much of a cell they are.

DOTS, LINES = ".…·", "_"
# By judgement: three dots are an ellipsis, and so is one with a full stop behind it. Where nothing stands to the right
# of a cell, four may be a careless ellipsis as well.
FEWEST, FEWEST_TO_NOTHING = 4, 8
WORTH = {"…": 2}  # how many dots a character counts for


def leader_of(texts: Sequence[str], *, leads: bool) -> tuple[int, int]:
    """How many words at the end of a cell are a leader, and how many characters at the end of the word before them.

    `leads` says that something stands to the right of the cell; without it, a line is a place to write on.

    >>> leader_of(["Total", ".", ".", ".", "."], leads=True), leader_of(["Total......"], leads=True)
    ((4, 0), (0, 6))
    >>> leader_of(["and", "so", "on..."], leads=True), leader_of(["Name", "____"], leads=False)
    ((0, 0), (0, 0))
    """
    signs = DOTS + LINES if leads else DOTS
    if texts and texts[-1] and texts[-1][-1] not in signs:
        return 0, 0  # as most cells
    words = 0
    while words < len(texts) and not texts[-1 - words].strip(signs):
        words += 1
    if words == len(texts):
        return 0, 0  # nothing but dots stands for a missing value
    last = texts[-1 - words]
    tail = len(last) - len(last.rstrip(signs))
    if tail == 1 and words and len(texts[len(texts) - words]) > 1:
        tail = 0  # the full stop of the label itself, before dots that are set as one
    found = last[len(last) - tail :] + "".join(texts[len(texts) - words :])
    count = sum(WORTH.get(sign, 1) for sign in found)
    return (words, tail) if count >= (FEWEST if leads else FEWEST_TO_NOTHING) else (0, 0)
