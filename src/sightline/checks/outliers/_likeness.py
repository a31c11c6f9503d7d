"""Sightline's outlier method: a block is judged among its own kind, by its place and by what was not extracted.

The published methods compare all nodes with all others, so correct headings, list items and quotations look strange.
Here each feature is a share: how much of the extracted text is at the same edge, looks the same among blocks of its
kind, has the same tags and classes, is in the same container; and how much of the page's text that is alike in look or
markup was extracted at all. Decision trees grown on the output of real extractors weigh these shares.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, FloatArray, IntArray, around_sum, number_rows, prefix_sum, shifted
from sightline.errors import UsageError
from sightline.page import Page, below, nearest, parting
from sightline.signals import block_starts
from sightline.trees import Forest, load_forest

# -- extracted nodes grouped into blocks of text: a node is judged as part of the block that readers see ------------

NOT_READ = ("head", "script", "style", "template", "title", "select", "iframe", "svg", "video", "audio", "textarea")


@dataclass(frozen=True, eq=False)
class ExtractedNodes:
    """Nodes extracted from a page by any extractor: numbers of texts or elements.

    Nodes that the page does not have are left out. `witness` may give, for every text node of the page in order, an
    independent likelihood that it is right (such as an extractor's score, from 0 to 1; NaN where unknown).

    >>> from sightline.testing import list_page
    >>> ExtractedNodes(list_page(["one", "two"]), [3, 99]).texts.tolist()
    [4]
    """

    page: Page
    nodes: Sequence[int]
    source: str = ""
    witness: npt.NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Reject anything that is not a page."""
        if not isinstance(self.page, Page):
            raise UsageError(f"ExtractedNodes needs a Page, not {self.page!r:.60}.")

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers without a node on the page."""
        return tuple(int(node) for node in self.nodes if not 0 <= int(node) < len(self.page))

    @cached_property
    def texts(self) -> IntArray:
        """The text nodes among and below them that are not blank."""
        page = self.page
        marked = np.zeros(len(page), dtype=bool)
        numbers = np.asarray([int(node) for node in self.nodes if 0 <= int(node) < len(page)], dtype=np.int64)
        marked[numbers] = True
        found: IntArray = np.flatnonzero(below(marked, page.end) & page.is_text & ~page.is_blank).astype(np.int32)
        return found


@dataclass(frozen=True, eq=False)
class ExtractedBlocks:
    """The blocks of a page: `start` is the first text node of each, `owner` the element around it.

    `letters` is how much text each has, `extracted` how much of that was extracted.
    """

    page: Page
    texts: IntArray
    block_of: npt.NDArray[np.intp]
    start: IntArray
    owner: IntArray
    letters: npt.NDArray[np.float64]
    extracted: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def rows(self) -> npt.NDArray[np.intp]:
        """The blocks with any extracted text."""
        return np.flatnonzero(self.extracted > 0)


def extracted_blocks(extracted: ExtractedNodes) -> ExtractedBlocks:
    """All blocks of a page, and how much of each was extracted."""
    page = extracted.page
    parts = parting(page)
    unread = page.mask(*NOT_READ)
    chosen = np.zeros(len(page), dtype=bool)
    chosen[extracted.texts] = True
    # Extracted text counts, even in elements that are not for reading.
    texts = np.flatnonzero(page.is_text & ~page.is_blank & (chosen | ~below(unread, page.end))).astype(np.int32)
    begins = block_starts(page, parts, texts)
    block_of = np.cumsum(begins) - 1
    start = texts[begins]
    size = np.array([len(page.strings[text]) for text in page.text[texts].tolist()], dtype=np.float64)
    return ExtractedBlocks(
        page,
        texts,
        block_of,
        start,
        nearest(page.parent, parts)[start].astype(np.int32),
        np.bincount(block_of, weights=size, minlength=len(start)).astype(np.float64),
        np.bincount(block_of, weights=size * chosen[texts], minlength=len(start)).astype(np.float64),
    )


# Maps nodes of one capture of a page to another, such as from parsed HTML to the rendered page.
#
# Scripts and frames change a tree, so a node is looked up by its XPath and, if the text there differs, by its text; of
# several matches, the one nearest to its place wins.


def map_nodes(nodes: Sequence[int], page: Page, onto: Page) -> list[int | None]:
    """For each node of a page, the same node on another capture; None if that has nothing like it.

    >>> from sightline.testing import list_page
    >>> map_nodes([4, 6], list_page(["one", "two"]), list_page(["new", "one", "two"]))
    [6, 8]
    """
    by_text: dict[str, list[int]] = defaultdict(list)
    for node in onto.is_text.nonzero()[0].tolist():
        by_text[_text(onto, node)].append(node)
    return [_same(node, page, onto, by_text) if 0 <= node < len(page) else None for node in map(int, nodes)]


def _same(node: int, page: Page, onto: Page, by_text: dict[str, list[int]]) -> int | None:
    there = onto.find(page.xpath(node))
    wanted = _text(page, node)
    if there is not None and _text(onto, there) == wanted:
        return there
    texts = by_text.get(wanted, []) if page.is_text[node] else _elements(wanted, page, node, onto, by_text)
    place = node / max(1, len(page))
    return min(texts, key=lambda other: abs(other / max(1, len(onto)) - place), default=None)


def _elements(wanted: str, page: Page, node: int, onto: Page, by_text: dict[str, list[int]]) -> list[int]:
    """The elements of the same tag and text: ancestors of its first text, up to where they hold more text."""
    first = next(
        (other for other in range(node, int(page.end[node])) if page.is_text[other] and not page.is_blank[other]), None
    )
    if first is None:
        return []
    found = []
    for text in by_text.get(_text(page, first), []):
        around = int(onto.parent[text])
        while around >= 0 and len(_text(onto, around)) <= len(wanted):
            if _text(onto, around) == wanted and onto.strings[onto.tag[around]] == page.strings[page.tag[node]]:
                found.append(around)
                break
            around = int(onto.parent[around])
    return found


def _text(page: Page, node: int) -> str:
    """The text of a node, hidden or not, with single spaces."""
    below = page.text[node : page.end[node]]
    return " ".join("".join(page.strings[text] for text in below.tolist() if text >= 0).split())


# -- sightline's outlier method -------------------------------------------------------------------------------------

KINDS = {
    **{f"h{level}": "heading" for level in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    **dict.fromkeys(("td", "th"), "cell"),
    "pre": "code",
    "blockquote": "quotation",
    "figcaption": "caption",
}
PARAGRAPH = "paragraph"
WITNESS = "witness"
LEFT_EDGE, RIGHT_EDGE = 12.0, 24.0  # pixels; edges this close count as one: a bullet's indent, a ragged line
SMALLEST_SHARE = 0.005  # anything rarer is simply rare
LONG_LETTERS, FEW_LINKS = 120, 1 / 3  # a block with this many letters and no more links reads like text
FAR = 20  # blocks; beyond this, the distance does not matter
LEVELS = 4
# The features that together say whether the neighbours of a block are usual.
COMMON = ("left edge", "right edge", "font size", "colour", "background", "container", "name")
# What each feature means, to explain why a block is an outlier; only features that people can see.
WORDS = {
    "left edge": "it starts at a different edge than the rest",
    "right edge": "it ends at a different edge than the rest",
    "font size": "its font size is rare here",
    "colour": "its colour is rare here",
    "look": "its size, weight and colour are rare here",
    "look of kind": "it does not look like the other blocks of its kind",
    "background": "it has a different background",
    "box": "it is in a separate box",
    "alignment": "its text is aligned differently",
    "name": "few other blocks have its tags and classes",
    "path": "few other blocks share its place in the page's structure",
    "container": "its container holds little other extracted text",
    "links": "it is mostly links",
    "hidden": "it is hidden",
    "taken of name": "most blocks with its tags and classes were not extracted",
    "taken of look": "most text that looks like it was not extracted",
    "taken of edge": "most text at its edge was not extracted",
    "taken around 2": "most of the text beside it was not extracted",
    "taken around 6": "most of the text around it was not extracted",
    **{f"taken {level} up": "most of its container was not extracted" for level in range(1, LEVELS + 1)},
    **{
        f"share {level} up": "its part of the page holds little of the extracted text" for level in range(1, LEVELS + 1)
    },
    "text before": "no running text is right before it",
    "text after": "no running text is right after it",
    WITNESS: "its words do not read like the rest",
}


def likeness_features(blocks: ExtractedBlocks, witness: FloatArray | None = None) -> dict[str, FloatArray]:
    """The features of the extracted blocks; `witness` is how likely each block of the page is to be right."""
    return dict(_measures(blocks, witness)) if len(blocks.rows) else {}


def feature_in_words(name: str) -> str | None:
    """What a feature means in words, or None if people cannot see it."""
    return WORDS.get(name)


@lru_cache(maxsize=2)
def likeness_forest(*, witness: bool) -> Forest:
    """The trees, with or without a witness; grown by `python -m bench.outliers.grow`."""
    return load_forest("sightline.checks.outliers", "witnessed_forest.json" if witness else "forest.json")


def _measures(blocks: ExtractedBlocks, witness: FloatArray | None) -> Iterator[tuple[str, FloatArray]]:
    page, rows = blocks.page, blocks.rows
    looks = _Looks(blocks)
    weight, start, owner = blocks.extracted[rows], blocks.start[rows], blocks.owner[rows]
    shares = {
        "left edge": _near_share(page.box[owner, 0], weight, LEFT_EDGE),
        "right edge": _near_share(page.box[owner, 2], weight, RIGHT_EDGE),
        "font size": _share(looks.size[start], weight),
        "colour": _share(looks.colour[start], weight),
        "look": _share(looks.look[start], weight),
        "look of kind": _share(number_rows(looks.look[start], looks.kind[owner]), weight),
        "background": _share(looks.background[owner], weight),
        "box": _share(looks.box[owner], weight),
        "alignment": _share(looks.alignment[owner], weight),
        "name": _share(looks.name[owner], weight),
        "path": _share(page.path[owner], weight),
        "container": _share(page.parent[owner], weight),
        "kind": _share(looks.kind[owner], weight),
    }
    rare = {name: np.log(share + SMALLEST_SHARE) for name, share in shares.items()}
    yield from rare.items()
    links = looks.linked[rows] / weight
    size = np.log(weight + 1)
    yield "links", links
    yield "length", size
    yield "hidden", (~page.visible[start]).astype(np.float64)
    yield "heading", (looks.kind[owner] == looks.kinds.index("heading")).astype(np.float64)
    yield "item", (looks.kind[owner] == looks.kinds.index("item")).astype(np.float64)
    common: FloatArray = np.sum([rare[name] for name in COMMON], axis=0)
    for step in (1, 2):
        yield f"common {step} before", shifted(common, step, common.min())
        yield f"common {step} after", shifted(common, -step, common.min())
    yield "length before", shifted(size, 1, 0.0)
    yield "length after", shifted(size, -1, 0.0)
    yield "place", np.cumsum(weight) / weight.sum()
    yield "blocks", np.full(len(rows), np.log(len(rows)))
    reads = (weight >= LONG_LETTERS) & (links < FEW_LINKS)
    before, after = _distances(reads)
    yield "text before", before
    yield "text after", after
    yield from _extracted_shares(blocks, looks)
    if witness is not None:
        inner = np.clip(np.nan_to_num(witness[rows], nan=0.5), 1e-4, 1 - 1e-4)
        yield WITNESS, np.log(inner / (1 - inner))


def _extracted_shares(blocks: ExtractedBlocks, looks: "_Looks") -> Iterator[tuple[str, FloatArray]]:
    """How much of the text that is like a block, around it or in its containers was extracted."""
    page, rows = blocks.page, blocks.rows
    letters, extracted = blocks.letters, blocks.extracted
    edges = np.round(np.nan_to_num(page.box[blocks.owner, 0], nan=-99.0) / LEFT_EDGE)
    alike = (("name", looks.name[blocks.owner]), ("look", looks.look[blocks.start]), ("edge", edges))
    for name, values in alike:
        group = np.unique(values, return_inverse=True)[1]
        share = np.bincount(group, weights=extracted) / np.maximum(np.bincount(group, weights=letters), 1)
        yield f"taken of {name}", share[group][rows]
    all_below, taken_below = _sums(blocks, letters), _sums(blocks, extracted)
    around = blocks.owner[rows]
    for level in range(1, LEVELS + 1):
        around = _wider(page.parent, all_below, around)
        yield f"taken {level} up", taken_below[around] / np.maximum(all_below[around], 1)
        yield f"share {level} up", np.log(taken_below[around] / max(extracted.sum(), 1.0) + SMALLEST_SHARE)
    for reach in (2, 6):
        yield f"taken around {reach}", (around_sum(extracted, reach) / np.maximum(around_sum(letters, reach), 1))[rows]


class _Looks:
    """The looks and markup of the nodes of a page as numbers, equal numbers for equal ones."""

    def __init__(self, blocks: ExtractedBlocks) -> None:
        page = blocks.page
        self.kinds = sorted({PARAGRAPH, *KINDS.values()})
        self.kind = _kinds(page, self.kinds)
        self.size = page.style_column("font-size")
        self.colour = page.style_column("color")
        self.look = number_rows(self.size, page.style_column("font-weight"), self.colour)
        self.alignment = page.style_column("text-align")
        self.name = number_rows(page.path, page.attribute("class"))
        background = page.style_column("background-color")
        clear = [page.string_id(value) for value in ("rgba(0, 0, 0, 0)", "transparent")]
        self.box = nearest(page.parent, (background >= 0) & ~np.isin(background, clear) & ~page.is_text)
        self.background = np.where(self.box[:-1] >= 0, background[np.maximum(self.box[:-1], 0)], -1)
        inside = below(page.mask("a"), page.end)[blocks.texts]
        size = np.array([len(page.strings[text]) for text in page.text[blocks.texts].tolist()], dtype=np.float64)
        # A partly extracted block is assumed to have the same share of links as the whole.
        share = np.bincount(blocks.block_of, weights=size * inside, minlength=len(blocks)) / np.maximum(
            blocks.letters, 1
        )
        self.linked = share * blocks.extracted


def _kinds(page: Page, kinds: list[str]) -> AnyInts:
    """The kind of block that each node is in: a heading, an item, a cell …, or else a paragraph."""
    marked = page.mask(*KINDS)
    table = np.array([kinds.index(KINDS.get(name, PARAGRAPH)) for name in page.strings] or [0], dtype=np.int64)
    around = nearest(page.parent, marked)[:-1]
    kind: AnyInts = np.where(around >= 0, table[page.tag[np.maximum(around, 0)]], kinds.index(PARAGRAPH))
    return kind


def _share(values: AnyInts, weight: FloatArray) -> FloatArray:
    """For each value, how much of the weight shares it."""
    group = np.unique(values, return_inverse=True)[1]
    share: FloatArray = (np.bincount(group, weights=weight) / max(weight.sum(), 1.0))[group]
    return share


def _near_share(places: npt.NDArray[np.float32], weight: FloatArray, reach: float) -> FloatArray:
    """For each place, how much of the weight is within reach; values without a place count together."""
    placed = np.nan_to_num(places.astype(np.float64), nan=-9999.0)
    order = np.argsort(placed)
    running = prefix_sum(weight[order])
    low = np.searchsorted(placed[order], placed - reach)
    high = np.searchsorted(placed[order], placed + reach, side="right")
    share: FloatArray = (running[high] - running[low]) / max(weight.sum(), 1.0)
    return share


def _distances(marked: npt.NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """The distance in blocks to the nearest marked block before, and after."""
    place = np.arange(len(marked), dtype=np.float64)
    before = place - np.maximum.accumulate(np.where(marked, place, -1000.0))
    after = np.minimum.accumulate(np.where(marked, place, 1e6)[::-1])[::-1] - place
    return np.minimum(before, FAR), np.minimum(after, FAR)


def _sums(blocks: ExtractedBlocks, amount: FloatArray) -> FloatArray:
    """The amount in every subtree."""
    at = np.bincount(blocks.start, weights=amount, minlength=len(blocks.page))
    running = prefix_sum(at)
    total: FloatArray = running[blocks.page.end] - running[:-1]
    return total


def _wider(parent: IntArray, amount: FloatArray, nodes: IntArray) -> IntArray:
    """For each node, the next element around it that holds more."""
    around = np.maximum(parent[nodes], 0)
    for _ in range(6):
        same = (amount[around] <= amount[nodes]) & (around > 0)
        if not same.any():
            break
        around = np.where(same, np.maximum(parent[around], 0), around)
    return around


# Two published outlier scores: histograms, and the distance to the nearest neighbours.

AT_ONCE = 1_024  # rows whose distances to all others are in memory at a time: 40 MB for ten thousand rows


def hbos(matrix: FloatArray, bins: int | None = None) -> FloatArray:
    """The histogram-based outlier score (Goldstein & Dengel 2012): the sum over columns of how rare a row's bin is.

    There are √n bins of equal width by default; the highest bar of each column counts as 1.

    >>> hbos(np.array([[0.0], [0.0], [0.0], [9.0]])).round(2).tolist()
    [0.0, 0.0, 0.0, 1.1]
    """
    rows = len(matrix)
    if rows == 0 or matrix.shape[1] == 0:
        return np.zeros(rows)
    count = bins or max(2, int(np.sqrt(rows)))
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    varied = high > low
    if not varied.any():
        return np.zeros(rows)
    inner = matrix[:, varied]
    width = (high - low)[varied] / count
    place = np.clip(((inner - low[varied]) / width).astype(np.int64), 0, count - 1)
    columns = np.arange(inner.shape[1])
    bars = np.bincount((place + columns * count).ravel(), minlength=count * inner.shape[1]).reshape(-1, count)
    score: FloatArray = np.log(bars.max(axis=1) / bars[columns, place]).sum(axis=1)
    return score


def nearest_neighbours(matrix: FloatArray, k: int, distance: str = "mean") -> FloatArray:
    """The Euclidean distance of each row to its k nearest neighbours: their mean, or that of the k-th.

    Equal rows are computed once: on real pages most rows are equal. If there are fewer than k others, all count.

    >>> nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), k=2).tolist()
    [2.0, 1.5, 2.5]
    """
    if k < 1:
        raise UsageError(f"The number of neighbours must be at least 1, not {k}.")
    if distance not in ("mean", "kth"):
        raise UsageError(f"The distance to neighbours must be 'mean' or 'kth', not {distance!r:.60}.")
    rows = len(matrix)
    if rows < 2:
        return np.zeros(rows)
    distinct, place, count = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
    score = _neighbours(distinct - distinct.mean(axis=0), count, min(k, rows - 1), distance)
    found: FloatArray = score[place.reshape(-1)]
    return found


def _neighbours(rows: FloatArray, count: npt.NDArray[np.int64], k: int, distance: str) -> FloatArray:
    """The scores of distinct rows, each of which occurs `count` times."""
    square = (rows**2).sum(axis=1)
    score = np.empty(len(rows))
    most = min(k + 1, len(rows))  # every distinct row stands for at least one neighbour
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        far = square[start : start + AT_ONCE, None] + square[None, :] - 2 * part @ rows.T
        closest = (
            np.argpartition(far, most - 1, axis=1)[:, :most]
            if most < len(rows)
            else np.tile(np.arange(len(rows)), (len(part), 1))
        )
        away = np.sqrt(np.maximum(np.take_along_axis(far, closest, axis=1), 0))
        order = np.argsort(away, axis=1, kind="stable")
        away, times = np.take_along_axis(away, order, axis=1), count[np.take_along_axis(closest, order, axis=1)].copy()
        times[:, 0] -= 1  # a row is not its own neighbour, but is the closest
        until = np.minimum(np.cumsum(times, axis=1), k)
        used = np.diff(until, axis=1, prepend=0)
        if distance == "mean":
            score[start : start + AT_ONCE] = (away * used).sum(axis=1) / np.maximum(until[:, -1], 1)
        else:
            score[start : start + AT_ONCE] = np.where(used > 0, away, 0).max(axis=1)
    return score
