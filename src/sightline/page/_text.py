"""The text of a node as a reader sees it: visible, with whitespace collapsed and a line for every block."""

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.page._columns import frozen
from sightline.page._page_columns import PageColumns
from sightline.page._visibility import visible

Numbers = npt.NDArray[np.integer[Any]]

# Tags that begin and end a line when no computed style says what they are (the HTML standard's style sheet).
BLOCK_TAGS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4"),
        *("h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav"),
        *("ol", "p", "plaintext", "pre", "search", "section", "summary", "table", "caption", "colgroup"),
        *("thead", "tbody", "tfoot", "tr", "ul", "xmp", "optgroup", "option", "br"),
    )
)
# The same for elements that were not laid out on a page that was, such as folded parts; cells part texts there as well.
PARTING_TAGS = (
    *("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog", "div"),
    *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"),
    *("hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody"),
    *("td", "tfoot", "th", "thead", "tr", "ul"),
)
CELL_TAGS = frozenset(("td", "th"))
INLINE_DISPLAYS = frozenset(
    ("inline", "inline-block", "inline-flex", "inline-grid", "inline-table", "contents", "ruby")
)
KEEPS_BLANKS = frozenset(("pre", "textarea", "listing", "xmp", "plaintext"))
BLANKS = re.compile(r"[ \t\n\r\f]+")
SPACES = re.compile(" {2,}")
PREVIEW_LINES = 12
LETTERS = {
    "sup": str.maketrans("0123456789+-−=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"),
    "sub": str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}
SOFT_HYPHEN = "\u00ad"
BYTE_ORDER_MARK = "\ufeff"  # in the middle of a text it shows nothing: files were put together
UNSEEN = (SOFT_HYPHEN, BYTE_ORDER_MARK)
LONGEST_RAISED = 4  # letters; more are words, such as the th of 5th in full or a remark
# Of the line's height. A blank is about a quarter as wide; the padding of inline code or a badge is less than that.
GAP = 0.3
# Of the nodes of a page. Who asks for the texts of so many gets them from a reading of the whole page, which serves all
# who ask later: a few texts are read by themselves in about a third of that time.
MUCH = 0.25


@dataclass(frozen=True, eq=False)
class ReadTexts:
    """Text nodes in order, and what each shows, with the line break or blank before it.

    `exact` counts those before each that keep their blanks; it is None where none does.
    """

    nodes: IntArray
    pieces: list[str]
    exact: list[int] | None


class ReadablePage(PageColumns):
    """The part of a page that is about reading it: what is visible, where lines and cells begin, and the texts."""

    @cached_property
    def visible(self) -> BoolArray:
        """Which nodes leave ink: not hidden by any CSS, not clipped away, not off the page."""
        return visible(self)

    @property
    def is_block(self) -> BoolArray:
        """Which elements begin and end a line, by their computed style or else by their tag; breaks do as well."""
        return self._blocks_and_cells[0]

    @property
    def is_cell(self) -> BoolArray:
        """Which elements are cells of a table, by their computed style or else by their tag."""
        return self._blocks_and_cells[1]

    @cached_property
    def _blocks_and_cells(self) -> tuple[BoolArray, BoolArray]:
        block, cell = _blocks_and_cells(self)
        return frozen(block), frozen(cell)

    @cached_property
    def borders(self) -> tuple[IntArray, IntArray]:
        """How many blocks and cells have begun or ended up to each node; every text is read by it."""
        return _borders(self, self.is_block), _borders(self, self.is_cell)

    @cached_property
    def read_texts(self) -> ReadTexts:
        """The texts of the whole page, from which any part of it is read."""
        return _read(self)

    @property
    def has_been_read(self) -> bool:
        """Whether `read_texts` is there already."""
        return "read_texts" in self.__dict__

    def text_of(self, number: int = 0) -> str:
        """The visible text of a node and all below it: blanks collapsed, a line for every block.

        Text in `pre` keeps its line breaks.
        """
        return self.texts_of([number])[0]

    def texts_of(self, numbers: npt.ArrayLike) -> list[str]:
        """As `text_of` for many nodes, much faster than one by one.

        >>> from sightline.testing import list_page
        >>> page = list_page(["one", "two"])
        >>> page.texts_of(page.with_tag("li"))
        ['one', 'two']
        """
        starts = np.asarray(numbers, dtype=np.int64)
        return _between(self, starts, self.end[starts])

    def texts_between(self, starts: npt.ArrayLike, stops: npt.ArrayLike) -> list[str]:
        r"""The visible texts of ranges of nodes, each from a start up to its stop, such as a heading and what follows.

        >>> from sightline.testing import list_page
        >>> page = list_page(["one", "two", "three"])
        >>> items = page.with_tag("li")
        >>> page.texts_between([items[0]], [items[2]])
        ['one\ntwo']
        """
        return _between(self, np.asarray(starts, dtype=np.int64), np.asarray(stops, dtype=np.int64))


def _between(page: ReadablePage, starts: Numbers, stops: Numbers) -> list[str]:
    """The visible texts from each start up to its stop, in document order."""
    whole = page.has_been_read or (stops - starts).sum() >= MUCH * len(page)
    read = page.read_texts if whole else _read(page, _within(page, starts, stops))
    if not len(read.nodes):
        return [""] * len(starts)
    first, last = read.nodes.searchsorted(starts).tolist(), read.nodes.searchsorted(stops).tolist()
    pieces, exact = read.pieces, read.exact
    joined = ["".join(pieces[start:stop]) for start, stop in zip(first, last, strict=True)]
    if exact is None:
        return _tidied(joined)
    keeps = [exact[stop] > exact[start] for start, stop in zip(first, last, strict=True)]
    return [_tidy(text, exact=keep) for text, keep in zip(joined, keeps, strict=True)]


def _read(page: ReadablePage, inside: BoolArray | None = None) -> ReadTexts:
    """The texts of a page, or of the nodes `inside`, ready to be joined."""
    nodes = _visible_texts(page, inside)
    kept = _keeps_blanks(page, nodes)
    lines, cells = _breaks(page, nodes)
    before = np.where(lines, "\n", np.where(cells & ~kept, " ", ""))
    pieces = list(map(add, before.tolist(), _shown(page, nodes, kept)))
    exact: list[int] = prefix_sum(kept).tolist() if kept.any() else []
    return ReadTexts(nodes, pieces, exact or None)


def _within(page: ReadablePage, starts: Numbers, stops: Numbers) -> BoolArray:
    """Which nodes are in one of some ranges."""
    change = np.bincount(starts, minlength=len(page) + 1) - np.bincount(stops, minlength=len(page) + 1)
    return np.cumsum(change[:-1]) > 0


def _shown(page: ReadablePage, nodes: IntArray, kept: BoolArray) -> list[str]:
    """What each of some text nodes shows, apart from what its neighbours add.

    What hardly any text has is looked for in all of them together, which takes no time.
    """
    shown = list(map(page.strings.__getitem__, page.text[nodes].tolist()))
    together = "".join(shown)
    for unseen in UNSEEN:
        if unseen in together:
            shown = [text.replace(unseen, "") for text in shown]
    blanks = [blank for blank in "\n\t\r\f" if blank in together]
    if blanks:
        texts = set(shown)  # the blanks between elements come again and again
        # Runs of spaces in other texts are left to be tidied all at once.
        spaced = {text: BLANKS.sub(" ", text) for blank in blanks for text in texts if blank in text}
        shown = [text if keep else spaced.get(text, text) for text, keep in zip(shown, kept.tolist(), strict=True)]
    _raise(page, nodes, shown)
    return shown


def _raise(page: ReadablePage, nodes: IntArray, shown: list[str]) -> None:
    """Write what is raised or lowered as such, where there are letters for it: 10⁸ is not 108, nor 1200¹ 12001."""
    for tag, letters in LETTERS.items():
        holders = page.with_tag(tag)
        if not len(holders):
            continue
        last = np.searchsorted(holders, nodes, side="right") - 1
        for place in np.flatnonzero((last >= 0) & (nodes < page.end[holders[last]])).tolist():
            text = shown[place]
            if len(text) <= LONGEST_RAISED and all(ord(letter) in letters for letter in text):
                shown[place] = text.translate(letters)


def _visible_texts(page: ReadablePage, inside: BoolArray | None) -> IntArray:
    """The text nodes that can be read; blank ones too, for they part words."""
    chosen = page.is_text & (page.visible | page.is_blank)
    nodes = np.flatnonzero(chosen if inside is None else chosen & inside).astype(np.int32)
    return nodes if not page.is_blank[nodes].all() else nodes[:0]


def _breaks(page: ReadablePage, nodes: IntArray) -> tuple[BoolArray, BoolArray]:
    """Before which of the text nodes a line or a cell begins: some block starts or ends since the one before."""
    previous = np.concatenate([nodes[:1], nodes[:-1]])
    lines, cells = page.borders
    return lines[nodes] > lines[previous], (cells[nodes] > cells[previous]) | _gaps(page, nodes)


def _gaps(page: ReadablePage, nodes: IntArray) -> BoolArray:
    """Before which of the text nodes there is room on the page: margins part words as well as blanks do."""
    apart = np.zeros(len(nodes), dtype=bool)
    words = page.words
    first = np.searchsorted(words.node, nodes)
    last = np.searchsorted(words.node, nodes, side="right") - 1
    has_words = np.flatnonzero(last >= first)
    if len(has_words) > 1:
        before, after = words.box[last[has_words[:-1]]], words.box[first[has_words[1:]]]
        height = np.minimum(before[:, 3] - before[:, 1], after[:, 3] - after[:, 1])
        apart[has_words[1:]] = after[:, 0] - before[:, 2] > GAP * height
    return apart


def _borders(page: ReadablePage, marked: BoolArray) -> IntArray:
    closing = np.bincount(page.end[marked], minlength=len(page) + 1)[: len(page)]
    return np.cumsum(marked + closing).astype(np.int32)


def _blocks_and_cells(page: ReadablePage) -> tuple[BoolArray, BoolArray]:
    """Which elements are blocks and which are table cells, by computed style or else by tag."""
    if not page.style_names:
        return page.mask(*BLOCK_TAGS), page.mask(*CELL_TAGS)
    if "display" not in page.style_names:
        return page.tag == page.tag_id("br"), np.zeros(len(page), dtype=bool)
    display = page.styles[:, page.style_names.index("display")]
    inline = [page.style_id(name) for name in INLINE_DISPLAYS]
    is_cell = display == page.style_id("table-cell")
    is_block = (display >= 0) & ~np.isin(display, inline) & ~is_cell
    block, cell = is_block[page.style_of], is_cell[page.style_of]
    return (block & ~page.is_text) | (page.tag == page.tag_id("br")), cell & ~page.is_text


def parting(page: ReadablePage) -> BoolArray:
    """Which elements part blocks of text: by their computed style, or by their tag where nothing was laid out."""
    by_tag = page.mask(*PARTING_TAGS)
    if "display" not in page.style_names:
        return by_tag
    styled = page.style_column("display") >= 0
    parted: BoolArray = np.where(styled, page.is_block | page.is_cell, by_tag) & ~page.is_text
    return parted


def _keeps_blanks(page: ReadablePage, nodes: IntArray) -> BoolArray:
    keepers = page.with_tag(*KEEPS_BLANKS)
    if not len(keepers):
        return np.zeros(len(nodes), dtype=bool)
    last = np.searchsorted(keepers, nodes, side="right") - 1
    return (last >= 0) & (nodes < page.end[keepers[last]])


def _tidy(text: str, *, exact: bool) -> str:
    if exact and not text.isspace():  # nothing but blanks says nothing, whatever else is read with it
        # Not by an expression: `[ \t]+\n` tries every blank of a long run again.
        *lines, last = text.split("\n")
        return "\n".join([*(line.rstrip(" \t") for line in lines), last]).strip("\n ")
    return _tidied([text])[0]


def _tidied(texts: list[str]) -> list[str]:
    """Texts without blanks around them and runs of blanks in them; the cells of a table have nearly always none."""
    return [_tidy_lines(text) if "\n" in text or "  " in text else text for text in map(str.strip, texts)]


def _tidy_lines(text: str) -> str:
    lines = [line.strip() for line in SPACES.sub(" ", text).split("\n")]
    return "\n".join([line for line in lines if line])


def preview(page: ReadablePage) -> str:
    """A few lines of the page, as safe HTML."""
    lines = page.text_of(0).split("\n")[:PREVIEW_LINES] if len(page) else []
    body = "<br>".join(escape(line[:120]) for line in lines)
    facts = f"{page.kind} · {len(page):,} nodes · {len(page.words):,} words"
    return f"<div><b>{escape(page.title)}</b><br><small>{escape(page.url)} · {facts}</small><br>{body}</div>"


def single_page_title(strings: tuple[str, ...], tag: IntArray, text: IntArray) -> str:
    """The text of the first `<title>`, as browsers show it."""
    if not len(tag):
        return ""
    try:  # tags are numbered one after another, behind hundreds of texts and values
        titles = np.flatnonzero(tag == strings.index("title", int(tag.min()), int(tag.max()) + 1))
    except ValueError:
        return ""
    behind = titles[:1] + 1
    if not len(behind) or behind[0] >= len(text) or text[behind[0]] < 0:
        return ""
    return BLANKS.sub(" ", strings[text[behind[0]]]).strip(" ")
