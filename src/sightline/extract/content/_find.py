"""The main text of a page, step by step.

1. `blocks`: the page as text blocks, in reading order;
2. `measures`: what each block is like, and what is around it;
3. `likely`: how likely each block is to be content, by decision trees grown on real pages;
4. `page_kind`: of which kind the page is, which says how much is worth keeping;
5. `chosen`: the set of blocks with the largest expected F1, which needs no threshold that fits all pages;
6. `kept`: without repetitions;
7. `comments`: what readers say below the text;
8. `about`: title, byline and date.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import ModuleType

import numpy as np

from sightline.arrays import BoolArray, FloatArray, IntArray
from sightline.checks import ExtractedNodes, find_outliers
from sightline.data import Content, ContentPart, TraceStep, Value
from sightline.errors import MissingExtra, UsageError
from sightline.extract.content._locate import locate_text
from sightline.extract.content._main_text import MainText, about_from_data
from sightline.extract.content._measures import Measured, measure
from sightline.extract.content._model import ContentModel, likelihoods, the_model
from sightline.page import Page, nearest
from sightline.settings import Settings, setting
from sightline.signals import NodeNumbers, TextBlocks, published_data, text_blocks

# Settings for reading main texts.

BALANCE, PRECISION, RECALL = "balance", "precision", "recall"


@dataclass(frozen=True, kw_only=True)
class ContentSettings(Settings):
    """How much counts as main text, and what part of it is returned."""

    favor: str = setting(
        BALANCE,
        help="what matters most: precision keeps only what is surely main text, recall all that may be",
        choices=(BALANCE, PRECISION, RECALL),
    )
    recall: float = setting(
        1.0,
        help="weight of a missing word against a wrong one; above 1 keeps more, below 1 less",
        minimum=0.1,
        maximum=10.0,
    )
    hidden: bool = setting(default=True, help="whether hidden text, such as folded parts, may be kept")
    repeated: bool = setting(default=False, help="whether to keep a long passage again when it is repeated")


@dataclass(frozen=True, eq=False)
class ContentTrace:
    """Every step of the search: the text blocks, how likely each is content, what was chosen, and what was kept.

    `page_kinds` says how likely the page is of each kind.
    """

    found: Content
    blocks: TextBlocks
    likely: FloatArray
    chosen: BoolArray
    kept: BoolArray
    page_kinds: Mapping[str, float] = field(default_factory=dict)

    def steps(self) -> tuple[TraceStep, ...]:
        """One step with a row for every kind of page, and one with a row for every block."""
        kinds = tuple({"kind": kind, "likely": likely} for kind, likely in self.page_kinds.items())
        columns = zip(self.blocks.texts, self.likely.tolist(), self.chosen.tolist(), self.kept.tolist(), strict=True)
        rows = tuple({"text": text, "likely": p, "chosen": c, "kept": k} for text, p, c, k in columns)
        boxes = tuple(box for row in range(len(self.blocks)) if (box := self.blocks.box(row)))
        return (
            TraceStep("page kind", "how likely the page is of each kind", kinds),
            TraceStep("blocks", "text blocks, how likely each is content, and which were kept", rows, boxes),
        )


# What a missing word weighs against a wrong one, on pages of each kind: `bench/content/fit_recall.py` chooses between
# weights of 0.2 to 3. One weight for each kind does worse on domains left out than these two.
NARROW, WIDE = 0.5, 1.5
RECALL_OF_KIND: Mapping[str, float] = {
    **dict.fromkeys(("article", "forum", "product"), NARROW),
    **dict.fromkeys(("documentation", "service", "collection", "listing"), WIDE),
}
# The same for those who would rather have less, or more, than what is best for both.
RECALL_OF_MODE: Mapping[str, float] = {BALANCE: 1.0, PRECISION: 0.3, RECALL: 3.0}
# Words; a passage repeated in as many words or more is a copy (for another window width, say). Shorter lines may well
# recur: over five folds 8 to 12 are best.
REPEATED_WORDS = 8
# The share of a document's words below which its text is doubted. Of 45 PDFs of the benchmark (reports, papers,
# invoices) half keep 98 % or more, and four less than this; manuals that lost half of their text are far below. Of 289
# pages of documentation (`bench/content/fit_doubts.py`) three are below it, two of the six that lose a quarter of their
# text among them. Fewer words than those of a cover sheet prove nothing.
LEAST_KEPT = 0.8
FEWEST_WORDS = 100
# The same for other pages, of the words that read like text. Most of what a page leaves out are teasers and notices, so
# only little is proof: of 1,051 pages 17 are below, 6 of which lose a quarter of their text or more (0.4: 23 and 6).
# Product pages are not judged: reviews and other goods outweigh their text (8 of 50 are below, 6 of them wrongly).
LEAST_KEPT_OF_PAGE = 0.3
UNJUDGED_KINDS = frozenset(("product",))
AS_IT_COMES = ContentSettings()
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


def trace_content(
    page: Page, *, settings: ContentSettings | None = None, model: ContentModel | None = None
) -> ContentTrace:
    """As `find_content`, with every step; `model` is another than the one that comes with the package."""
    settings = settings or AS_IT_COMES
    model = model or the_model()
    blocks = text_blocks(page)
    if not len(blocks):
        return ContentTrace(
            _from_data_only(page), blocks, np.zeros(0), np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
        )
    measured = measure(blocks, model.asked | COMMENT_MEASURES)
    likely = model.likely(measured)
    page_kinds = model.kinds.likely(page, measured)
    page_kind = max(page_kinds, key=lambda kind: page_kinds[kind])
    words = measured.counts.words
    whole = page.kind == "pdf" and settings.favor != PRECISION
    chosen = _text_on_paper(blocks) if whole else _choose_blocks(likely, words, _recall(settings, page_kind))
    kept = chosen if settings.hidden else chosen & blocks.visible
    if not settings.repeated and not whole:
        kept = kept & _first_occurrences(blocks.texts, words, kept)
    said = comment_blocks(measured, kept)
    text = MainText(blocks, kept, _nodes_of(blocks, kept), page_kind, said)
    shown = blocks.visible & ~said & (measured.counts.reads | (page.kind == "pdf"))
    shown &= _first_occurrences(blocks.texts, words, shown)
    doubts = _doubts(page.kind, page_kind, words * shown, kept) if settings.favor != PRECISION else ()
    return ContentTrace(text.content(_score(likely, words, kept), doubts), blocks, likely, chosen, kept, page_kinds)


def _text_on_paper(blocks: TextBlocks) -> BoolArray:
    """All blocks but running headers and footers: paper has no menus, teasers or notices about cookies."""
    page = blocks.page
    chosen: BoolArray = nearest(page.parent, page.mask("header", "footer"))[blocks.owner] < 0
    return chosen


def _doubts(source_kind: str, page_kind: str, words: FloatArray, kept: BoolArray) -> tuple[str, ...]:
    """That much of the `words` that read like text is missing: of a document nearly all of them are expected."""
    printed = source_kind == "pdf"
    shown, taken = float(words.sum()), float(words[kept].sum())
    least = LEAST_KEPT if printed or page_kind == "documentation" else LEAST_KEPT_OF_PAGE
    if shown < FEWEST_WORDS or taken >= least * shown or (page_kind in UNJUDGED_KINDS and not printed):
        return ()
    whole = "the words of the document" if printed else "the words that read like text on the page"
    left = f"only {taken / shown:.0%} of {whole} are in this text"
    if printed:
        return (f"{left}; the rest stands in running headers and footers, which `sightline show` gives as well.",)
    return (
        f"{left}; try --favor recall (in Python ContentSettings(favor='recall')), or `sightline show` for all of it.",
    )


def _recall(settings: ContentSettings, page_kind: str) -> float:
    """What a missing word weighs against a wrong one."""
    return settings.recall * RECALL_OF_MODE[settings.favor] * RECALL_OF_KIND.get(page_kind, 1.0)


def _choose_blocks(likely: FloatArray, words: FloatArray, recall: float) -> BoolArray:
    """The set of blocks with the largest expected F1: the likeliest, as many as pay off.

    With the likeliest blocks in, the expected F1 is `2 · right / (taken + all)`. `recall` weights missing words.
    """
    order = np.argsort(-likely, kind="stable")
    right = np.cumsum((likely * words)[order])
    expected = 2 * right / np.maximum(np.cumsum(words[order]) + recall * right[-1], 1e-9)
    chosen = np.zeros(len(likely), dtype=bool)
    chosen[order[: int(np.argmax(expected)) + 1]] = True
    return chosen


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


def _nodes_of(blocks: TextBlocks, kept: BoolArray) -> BoolArray:
    """Which nodes of the page are in the kept blocks, and more than blanks."""
    chosen = np.zeros(len(blocks.page), dtype=bool)
    chosen[blocks.nodes[kept[blocks.block_of]]] = True
    return chosen & ~blocks.page.is_blank


def _nodes_by(page: Page, by: str) -> IntArray:
    """The text nodes that another extractor considers the main text."""
    if by not in LIBRARIES:
        raise UsageError(f"There is no extractor {by!r}; choose one of {', '.join(LIBRARIES)}.")
    return locate_text(page, LIBRARIES[by](page))


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
        return Content(score=0.0, language=page.language, address=page.address or None)
    kept = np.bincount(blocks.block_of[is_chosen], minlength=len(blocks)) > 0
    texts = _texts_of_nodes(blocks, np.flatnonzero(kept), chosen)
    return MainText(blocks, kept, chosen, texts=texts).content(1.0)


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
    return Content(parts, *about, address=page.address or None, authors=found.authors)


# What readers say below a text: the blocks inside of elements that their names call comments.

CALLED = "comment"  # the mark of elements named after comments, replies and discussions
# Marks of what stands beside a comment: who said it and when, what can be clicked, and where an answer is written.
BESIDE = ("near byline", "near signature", "near share", "in form", "in nav", "in footer", "subscribe", "overlay")
MOST_LINKED = 0.5  # of a block; set by hand: a comment may have a link in it, "Reply" is one
MOST_OF_TEXT = (
    0.5  # of the words of the main text: where more of it is called comments, they are what the page is about
)
LOWEST_HEADING = 6
COMMENT_MEASURES = frozenset([CALLED, *BESIDE, "links", "heading", "notices a word", "closed"])
# Who said it and when, in a line that its element does not call so.
WHEN = re.compile(r"\d:\d\d|\b(?:19|20)\d\d\b|\b\d+ (?:second|minute|hour|day|week|month|year)s? ago\b|\bvor \d+ ")
LONGEST_BYLINE = 8  # words


def comment_blocks(measured: Measured, kept: BoolArray) -> BoolArray:
    """The blocks that are comments on the text made of the kept ones; none if that text is itself what people say."""
    columns, words = measured.columns, measured.counts.words
    called: BoolArray = columns[CALLED] > 0
    if words[called & kept].sum() > MOST_OF_TEXT * words[kept].sum():
        return np.zeros(len(kept), dtype=bool)
    said = called & ~kept & (columns["links"] < MOST_LINKED)
    for name in BESIDE:
        said &= columns[name] == 0
    said &= (columns["heading"] > LOWEST_HEADING) & (columns["notices a word"] < 1)
    for row in np.flatnonzero(said & (words <= LONGEST_BYLINE) & (columns["closed"] == 0)).tolist():
        said[row] = not WHEN.search(measured.counts.blocks.texts[row])
    return said


# A main text without the parts that look unlike the rest of it.


def without_outliers(page: Page, found: Content) -> Content:
    """The text without its visual outliers; the page needs a layout, since nobody knows how it looks without one."""
    if page.bounds is None:
        raise UsageError(
            f"{page.url or 'The page'} has no layout, so nobody can tell which parts look unlike the rest; "
            "open it with a browser."
        )
    return _only(page, found, frozenset(find_outliers([extracted_nodes(page, found)]).kept(0)))


def extracted_nodes(page: Page, found: Content, source: str = "") -> ExtractedNodes:
    """A main text as the search for outliers takes it.

    Our own text was chosen by its likelihoods, so these have nothing new to say about it; for the text of another
    extractor they are a second witness.
    """
    # A text knows its nodes by their numbers on the whole page; a part of a page numbers its own.
    nodes = np.flatnonzero(np.isin(page.numbers, found.nodes)).tolist() if page.part else found.nodes
    return ExtractedNodes(page, nodes, source=source, witness=likelihoods(page) if found.by else None)


def _only(page: Page, found: Content, kept: frozenset[int]) -> Content:
    """A text of which only these nodes are left; parts that keep all of their nodes stay as they are."""
    parts: list[ContentPart] = []
    for part in found:
        nodes = part.value.origin.nodes if part.value.origin else ()
        left = [node for node in nodes if node in kept]
        if len(left) == len(nodes):
            parts.append(part)
        elif left:
            parts.extend(replace(new, kind=part.kind) for new in content_of_nodes(page, left))
    return replace(found, parts=tuple(parts))


# Other people's main-text extractors, applied to the rendered page: each an extra, imported when needed.
#
# They read HTML, so they get that of the page; `located` leads from their text back to its nodes.

# Elements that end a line in the text that readability-lxml keeps.
LINES = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "br",
            "caption",
            "dd",
            "div",
            "dt",
            "figcaption",
            "figure",
            "footer",
        ),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "td"),
        *("th", "tr", "ul"),
    )
)
# lxml rejects text with these characters.
UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The best of boilerpy3's extractors on the set `content`, with F1 0.73; ArticleExtractor has 0.69, its default 0.71.
BOILERPY = "CanolaExtractor"


def trafilatura(page: Page) -> str:
    """The main text by trafilatura; without comments, which is better on the set `content` (F1 0.80, not 0.79)."""
    text: str | None = _module("trafilatura", "trafilatura").extract(_html(page), include_comments=False)
    return text or ""


def readability(page: Page) -> str:
    """The main text by readability-lxml: the text of the part that it keeps."""
    library = _module("readability.readability", "readability")
    try:
        summary: str = library.Document(_html(page)).summary(html_partial=True)
    except library.Unparseable:  # a page without any text
        return ""
    return _lines(summary)


def boilerpy3(page: Page) -> str:
    """The main text by boilerpy3."""
    extractors = _module("boilerpy3.extractors", "boilerpy3")
    text: str = getattr(extractors, BOILERPY)(raise_on_failure=False).get_content(_html(page))
    return text


def _module(name: str, extra: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as problem:
        raise MissingExtra(extra, f"Main text by {extra}") from problem


def _html(page: Page) -> str:
    return UNWRITABLE.sub(" ", page.to_html())


def _lines(html: str) -> str:
    """The text of some HTML, a line for every block."""
    lxml = import_module("lxml.html")
    parts = []
    for event, element in lxml.etree.iterwalk(lxml.document_fromstring(f"<div>{html}</div>"), events=("start", "end")):
        parts.append("\n" if element.tag in LINES else "")
        parts.append((element.text if event == "start" else element.tail) or "")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(filter(None, lines))


LIBRARIES: Mapping[str, Callable[[Page], str]] = {
    "trafilatura": trafilatura,
    "readability": readability,
    "boilerpy3": boilerpy3,
}
