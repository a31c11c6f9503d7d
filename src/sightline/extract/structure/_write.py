"""Writes the structured page: the same words in elements that say what they are."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sightline.extract.structure._layout import BOLD, Layout, Line
from sightline.page import Builder

__all__ = ["Writer"]

SOFT_HYPHEN = "\u00ad"
HYPHENS = ("-", "\u2010")
DISPLAYS = {
    "table": "table", "tr": "table-row", "td": "table-cell", "th": "table-cell", "caption": "table-caption",
    "li": "list-item", "a": "inline", "sup": "inline", "sub": "inline", "span": "inline", "img": "inline",
}  # fmt: skip

Run: TypeAlias = tuple[tuple[str, ...], str, str]
Look: TypeAlias = tuple[str, ...] | None


class Writer:
    """Opens elements and writes words into them, with the styles that the words have on the bare page."""

    def __init__(self, layout: Layout) -> None:
        page = layout.page
        self.layout = layout
        self.builder = Builder(page.style_names)
        self.names = page.style_names
        self._shown: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        self._weight, self._slant = self.names.index("font-weight"), self.names.index("font-style")
        self._rows = [tuple(page.strings[value] if value >= 0 else "" for value in row) for row in page.styles.tolist()]
        self._style = page.style_of[page.words.node].tolist()
        self._boxes = layout.word_box
        self._line = layout.word_line
        above = page.parent[page.words.node]
        self._shift, self._link = self._wrappings(above.tolist())
        hyphens = page.attribute("data-hyphen")
        self._hyphens = {int(node) for node in (hyphens >= 0).nonzero()[0]}

    def _wrappings(self, above: list[int]) -> tuple[list[str], list[str]]:
        """For each word whether it is raised or lowered, and where it leads."""
        page = self.layout.page
        tags = [page.strings[value] for value in page.tag.tolist()]
        href = page.attribute("href").tolist()
        parent = page.parent.tolist()
        shift, link = [], []
        for node in above:
            tag = tags[node]
            shift.append(tag if tag in ("sup", "sub") else "")
            outer = parent[node] if shift[-1] else node
            link.append(page.strings[href[outer]] if href[outer] >= 0 else "")
        return shift, link

    def style(self, tag: str, words: Sequence[int]) -> tuple[str, ...] | None:
        """The style of most of the words, shown as the element is."""
        if not words:
            return None
        styles = [self._style[word] for word in words]
        if styles.count(styles[0]) == len(styles):
            return self.shown(tag, self._rows[styles[0]])
        widths: dict[int, float] = {}
        for style, word in zip(styles, words, strict=True):
            x0, _, x1, _ = self._boxes[word]
            widths[style] = widths.get(style, 0.0) + x1 - x0
        return self.shown(tag, self._rows[max(widths, key=widths.__getitem__)])

    def shown(self, tag: str, row: tuple[str, ...]) -> tuple[str, ...]:
        """A style with the display of an element."""
        display = DISPLAYS.get(tag, "block")
        if (display, row) not in self._shown:
            place = self.names.index("display")
            self._shown[display, row] = (*row[:place], display, *row[place + 1 :])
        return self._shown[display, row]

    def element(self, tag: str, lines: Sequence[Line], attributes: dict[str, str] | None = None) -> None:
        """An element of nothing but text."""
        words = [word for line in lines for word in line.words]
        style = self.style(tag, words)
        self.builder.open(tag, attributes, style=style)
        self.lines(lines, style)
        self.builder.close()

    def lines(self, lines: Sequence[Line], main: Look) -> None:
        """The words of some lines; hyphens that only break a word at the end of a line become soft ones."""
        pieces: list[tuple[str, int, bool]] = []
        glue = False
        for number, line in enumerate(lines):
            after = lines[number + 1].text if number + 1 < len(lines) else ""
            soft = (
                line.number in self._hyphens
                and line.text.endswith(HYPHENS)
                and after[:1].islower()
                and len(line.text) > 2
            )
            for place, word in enumerate(line.words):
                text = self.layout.word_text[word]
                if soft and place == len(line.words) - 1:
                    text = text[:-1] + SOFT_HYPHEN
                blank = self.layout.spaced[word] if place else bool(pieces) and not glue
                pieces.append((text, word, blank))
            glue = soft
        self._pieces(pieces, main)

    def words(self, words: Iterable[int], main: Look) -> None:
        """Words of a cell: a blank wherever there was one, and where a new line begins."""
        pieces: list[tuple[str, int, bool]] = []
        last = -2
        for word in words:
            blank = bool(pieces) and (self.layout.spaced[word] or self._line[word] != self._line[last])
            pieces.append((self.layout.word_text[word], word, blank))
            last = word
        self._pieces(pieces, main)

    def _pieces(self, pieces: list[tuple[str, int, bool]], main: Look) -> None:
        start = 0
        kinds = [(self._rows[self._style[word]], self._shift[word], self._link[word]) for _, word, _ in pieces]
        for place in range(1, len(pieces) + 1):
            if place == len(pieces) or kinds[place] != kinds[start]:
                self._run(kinds[start], pieces[start:place], main)
                start = place

    def _run(self, kind: Run, pieces: list[tuple[str, int, bool]], main: Look) -> None:
        style, shift, link = kind
        tags = self._emphasis(style, main) + ([shift] if shift else [])
        words, text = [], ""
        for piece, word, blank in pieces:
            text += " " if blank else ""
            words.append((len(text), len(text) + len(piece), self._boxes[word]))
            text += piece
        if link:
            self.builder.open("a", {"href": link}, style=style)
        for tag in tags:
            self.builder.open(tag, style=style)
        self.builder.text(text, words, style=style)
        for _ in range(len(tags) + bool(link)):
            self.builder.close()

    def _emphasis(self, style: tuple[str, ...], main: Look) -> list[str]:
        """`b` and `i` where a run is set so and the element around it is not."""
        if main is None:
            return []
        bold = style[self._weight] >= str(BOLD) > main[self._weight]
        italic = style[self._slant] == "italic" != main[self._slant]
        return [tag for tag, on in (("b", bold), ("i", italic)) if on]
