"""The main text of a page, step by step.

1. `blocks`: the page as text blocks, in reading order;
2. `measures`: what each block is like, and what is around it;
3. `likely`: how likely each block is to be content, by decision trees grown on real pages;
4. `chosen`: the set of blocks with the largest expected F1, which needs no threshold that fits all pages;
5. `kept`: without repetitions;
6. `about`: title, byline and date.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sightline.arrays import BoolArray, FloatArray, IntArray
from sightline.data import Content, ContentPart, TraceStep, Value, origin_at
from sightline.errors import UsageError
from sightline.extract.content._about import About, about_from_data, find_about
from sightline.extract.content._forest import the_forest
from sightline.extract.content._locate import locate_text
from sightline.extract.content._markup import Markup
from sightline.extract.content._measures import measure
from sightline.extract.content._other_extractors import EXTRACTORS
from sightline.extract.content._settings import ContentSettings
from sightline.geometry import as_box
from sightline.page import Page, nearest, page_address
from sightline.signals import NodeNumbers, TextBlocks, published_data, text_blocks
from sightline.trees import Forest

__all__ = ["ContentTrace", "content_of_nodes", "find_content", "trace_content"]


@dataclass(frozen=True, eq=False)
class ContentTrace:
    """Every step of the search: the text blocks, how likely each is content, what was chosen, and what was kept."""

    found: Content
    blocks: TextBlocks
    likely: FloatArray
    chosen: BoolArray
    kept: BoolArray

    def steps(self) -> tuple[TraceStep, ...]:
        """One step with a row for every block."""
        columns = zip(self.blocks.texts, self.likely.tolist(), self.chosen.tolist(), self.kept.tolist(), strict=True)
        rows = tuple({"text": text, "likely": p, "chosen": c, "kept": k} for text, p, c, k in columns)
        boxes = tuple(box for row in range(len(self.blocks)) if (box := self.blocks.box(row)))
        return (TraceStep("blocks", "text blocks, how likely each is content, and which were kept", rows, boxes),)


# Trees are overconfident on pages that they were not grown on. Their log-odds are shrunk by this factor before sets of
# blocks are compared: over two splits into five folds it is the best of 0.5, 0.6, 0.7, 0.85 and 1.
CAUTION = 0.7
# Words; a passage repeated in as many words or more is a copy (for another window width, say). Shorter lines may well
# recur: over five folds 8 to 12 are best.
REPEATED_WORDS = 8
KINDS = (
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption", "p"),
    *("caption", "summary"),
)
# Where a page describes its own text, for pages that show none.
OWN_WORDS = ("articleBody", "text", "description", "og:description", "twitter:description")


def find_content(page: Page, *, by: str | None = None, settings: ContentSettings | None = None) -> Content:
    """The main text of a page; with `by` as another extractor finds it.

    >>> from sightline.testing import list_page
    >>> find_content(list_page(["Home", "News"])).title.text
    'A list'
    """
    if not isinstance(page, Page):
        raise UsageError(f"The main text is read from a page, not from {page!r:.60}; open it first with open().")
    if by is not None:
        return replace(content_of_nodes(page, _nodes_by(page, by)), by=by)
    return trace_content(page, settings=settings).found


def trace_content(page: Page, *, settings: ContentSettings | None = None, forest: Forest | None = None) -> ContentTrace:
    """As `find_content`, with every step; `forest` are other decision trees than those that come with the package."""
    settings = settings or ContentSettings()
    forest = forest or the_forest()
    blocks = text_blocks(page)
    if not len(blocks):
        return ContentTrace(
            _from_data_only(page), blocks, np.zeros(0), np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
        )
    measured = measure(blocks)
    likely = forest.likely(measured.chosen(forest.names))
    words = measured.counts.words
    chosen = kept = _choose_blocks(likely, words, settings)
    if not settings.hidden:
        kept = kept & blocks.visible
    if not settings.repeated:
        kept = kept & _first_occurrences(blocks.texts, words, kept)
    found = _content(blocks, kept, find_about(blocks, kept), _score(likely, words, kept))
    return ContentTrace(found, blocks, likely, chosen, kept)


def _choose_blocks(likely: FloatArray, words: FloatArray, settings: ContentSettings) -> BoolArray:
    """The set of blocks with the largest expected F1: the likeliest, as many as pay off.

    With the likeliest blocks in, the expected F1 is `2 · right / (taken + all)`. `recall` weights missing words.
    """
    doubtful = 1 / (1 + np.exp(-CAUTION * _log_odds(likely)))
    order = np.argsort(-doubtful, kind="stable")
    right = np.cumsum((doubtful * words)[order])
    expected = 2 * right / np.maximum(np.cumsum(words[order]) + settings.recall * right[-1], 1e-9)
    chosen = np.zeros(len(likely), dtype=bool)
    chosen[order[: int(np.argmax(expected)) + 1]] = True
    return chosen


def _log_odds(likely: FloatArray) -> FloatArray:
    inner = np.clip(likely, 1e-6, 1 - 1e-6)
    odds: FloatArray = np.log(inner / (1 - inner))
    return odds


def _first_occurrences(texts: Sequence[str], words: FloatArray, kept: BoolArray) -> BoolArray:
    """Which blocks do not repeat a long block that was kept before."""
    kept_before: set[str] = set()
    first = np.ones(len(texts), dtype=bool)
    for row in np.flatnonzero(kept & (words >= REPEATED_WORDS)).tolist():
        first[row] = texts[row] not in kept_before
        kept_before.add(texts[row])
    return first


def _score(likely: FloatArray, words: FloatArray, kept: BoolArray) -> float:
    """How likely a word of the text is to be content."""
    total = float(words[kept].sum())
    return round(float((likely * words)[kept].sum()) / total, 4) if total else 0.0


def _content(blocks: TextBlocks, kept: BoolArray, found: About, score: float) -> Content:
    rows = np.flatnonzero(kept)
    chosen = np.zeros(len(blocks.page), dtype=bool)
    chosen[blocks.nodes[kept[blocks.block_of]]] = True
    return _made(blocks, rows, _visible_texts(blocks, rows), chosen & ~blocks.page.is_blank, found, score)


def _made(
    blocks: TextBlocks, rows: NodeNumbers, texts: Sequence[str], chosen: BoolArray, found: About, score: float
) -> Content:
    """The content of some blocks, with the texts and the nodes that were chosen of them."""
    page = blocks.page
    markup = Markup(blocks, rows, chosen)
    told = _telling(blocks, rows)
    parts = map(ContentPart, _values(blocks, rows, texts, chosen), _kinds(page, told), markup.parts(texts, told))
    about = (found.title, found.byline, found.date, score, page.language)
    return Content(tuple(parts), *about, address=page_address(page) or None, images=markup.images())


def _values(blocks: TextBlocks, rows: NodeNumbers, texts: Sequence[str], chosen: BoolArray) -> Iterator[Value]:
    """The values of some blocks: their texts, and the places of their chosen nodes."""
    for row, text, box in zip(rows.tolist(), texts, blocks.boxes[rows], strict=True):
        nodes = blocks.nodes[blocks.first[row] : blocks.first[row + 1]]
        yield Value(text, None, origin_at(blocks.page, nodes[chosen[nodes]], as_box(box)))


def _visible_texts(blocks: TextBlocks, rows: NodeNumbers) -> list[str]:
    """The texts of some blocks; visible ones as they are read, with line breaks in code."""
    visible = rows[blocks.visible[rows]]
    read = dict(
        zip(visible.tolist(), blocks.page.texts_between(blocks.start[visible], blocks.last[visible] + 1), strict=True)
    )
    return [read.get(row, blocks.texts[row]) for row in rows.tolist()]


def _telling(blocks: TextBlocks, rows: NodeNumbers) -> list[int]:
    """The innermost element around each of some blocks that tells of what kind it is, or -1."""
    page = blocks.page
    telling: list[int] = nearest(page.parent, page.mask(*KINDS))[blocks.owner[rows]].tolist()
    return telling


def _kinds(page: Page, told: Sequence[int]) -> list[str]:
    """The kinds of some blocks: the tag of the element that tells, else a paragraph."""
    return [page.strings[page.tag[node]] if node >= 0 else "p" for node in told]


def _nodes_by(page: Page, by: str) -> IntArray:
    """The text nodes that another extractor considers the main text."""
    if by not in EXTRACTORS:
        raise UsageError(f"There is no extractor {by!r}; choose one of {', '.join(EXTRACTORS)}.")
    return locate_text(page, EXTRACTORS[by](page))


def content_of_nodes(page: Page, nodes: IntArray | Sequence[int]) -> Content:
    """The content made of some text nodes of a page, as chosen by any extractor.

    >>> from sightline.testing import list_page
    >>> content_of_nodes(list_page(["one", "two"]), [6]).text
    'two'
    """
    blocks = text_blocks(page)
    chosen = np.zeros(len(page), dtype=bool)
    chosen[np.asarray(nodes, dtype=np.int64)] = True
    if not (is_chosen := chosen[blocks.nodes]).any():
        return Content(score=0.0, language=page.language, address=page_address(page) or None)
    kept = np.bincount(blocks.block_of[is_chosen], minlength=len(blocks)) > 0
    rows = np.flatnonzero(kept)
    return _made(blocks, rows, _texts_of_nodes(blocks, rows, chosen), chosen, find_about(blocks, kept), 1.0)


def _texts_of_nodes(blocks: TextBlocks, rows: NodeNumbers, chosen: BoolArray) -> list[str]:
    """The text of the chosen nodes of some blocks, with the white space between them."""
    page = blocks.page
    wanted = chosen | page.is_blank
    nodes_by_block = [blocks.nodes[blocks.first[row] : blocks.first[row + 1]] for row in rows.tolist()]
    texts = [
        "".join(page.strings[number] for number in page.text[nodes[wanted[nodes]]].tolist()) for nodes in nodes_by_block
    ]
    return [" ".join(text.split()) for text in texts]


def _from_data_only(page: Page) -> Content:
    """A page that shows no text: what it says about itself, if anything, with a score of 0."""
    published = published_data(page)
    text = next((text for name in OWN_WORDS for text in published.get(name, ()) if text.strip()), "")
    parts = (ContentPart(Value(" ".join(text.split()))),) if text else ()
    found = about_from_data(page)
    about = (found.title, found.byline, found.date, 0.0, page.language)
    return Content(parts, *about, address=page_address(page) or None)
