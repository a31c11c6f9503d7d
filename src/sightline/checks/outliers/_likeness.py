"""Our own way to tell outliers: a block is judged among its own kind, by where it stands and by what was not taken.

The published methods compare all nodes with all others, and so find headings, list items and quotations strange that
are right. Here each measure is a share: how much of the extracted text stands at the same edge, looks the same among
blocks of its kind, is called the same, lies in the same container; and how much of what looks and is called like it on
the page was extracted at all. Decision trees that were grown on the output of real extractors weigh these shares.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, FloatArray, IntArray, prefix_sum
from sightline.checks.outliers._extracted import ExtractedBlocks
from sightline.page import Page, below, nearest
from sightline.trees import Forest, load_forest

__all__ = ["WITNESS", "kin_of", "kin_words", "the_kin_forest"]


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
LEFT_EDGE, RIGHT_EDGE = 12.0, 24.0  # pixels; edges as close as that are one: a bullet's indent, a ragged line
SMALLEST_SHARE = 0.005  # what is rarer than that is just rare
LONG_LETTERS, FEW_LINKS = 120, 1 / 3  # a block with as many letters and no more links reads like text
FAR = 20  # blocks; beyond that it does not matter how far
LEVELS = 4
# What tells together whether the neighbours of a block are usual.
COMMON = ("left edge", "right edge", "font size", "colour", "background", "container", "name")
# What each measure means, for people who ask why a block is an outlier; only those that people can see.
WORDS = {
    "left edge": "it begins at another edge than the rest",
    "right edge": "it ends at another edge than the rest",
    "font size": "its font size is rare here",
    "colour": "its colour is rare here",
    "look": "its size, weight and colour are rare here",
    "look of kind": "it does not look like the other blocks of its kind",
    "background": "it stands on another background",
    "box": "it stands in a box of its own",
    "alignment": "its text is aligned otherwise",
    "name": "few other blocks are marked as it is",
    "path": "few other blocks stand where it does in the page's structure",
    "container": "its container holds little else of what was extracted",
    "links": "it is mostly links",
    "hidden": "it cannot be seen",
    "taken of name": "most blocks that are marked as it is were not extracted",
    "taken of look": "most text that looks like it was not extracted",
    "taken of edge": "most text at its edge was not extracted",
    "taken around 2": "most of what stands beside it was not extracted",
    "taken around 6": "most of what stands around it was not extracted",
    **{f"taken {level} up": "most of what its container holds was not extracted" for level in range(1, LEVELS + 1)},
    **{
        f"share {level} up": "its part of the page holds little of what was extracted" for level in range(1, LEVELS + 1)
    },
    "text before": "no text stands right before it",
    "text after": "no text stands right after it",
    WITNESS: "its words do not read like the rest",
}


def kin_of(pieces: ExtractedBlocks, witness: FloatArray | None = None) -> dict[str, FloatArray]:
    """The measures of the extracted blocks; `witness` is how likely each block of the page is to be right."""
    return dict(_measures(pieces, witness)) if len(pieces.rows) else {}


def kin_words(name: str) -> str | None:
    """What a measure means, or None if nobody can see it."""
    return WORDS.get(name)


@lru_cache(maxsize=2)
def the_kin_forest(*, witness: bool) -> Forest:
    """The trees, with or without a witness; grown by `python -m bench.outliers.grow`."""
    return load_forest("sightline.checks.outliers", "witnessed_forest.json" if witness else "forest.json")


def _measures(pieces: ExtractedBlocks, witness: FloatArray | None) -> Iterator[tuple[str, FloatArray]]:
    page, rows = pieces.page, pieces.rows
    looks = _Looks(pieces)
    weight, start, owner = pieces.taken[rows], pieces.start[rows], pieces.owner[rows]
    shares = {
        "left edge": _near_share(page.box[owner, 0], weight, LEFT_EDGE),
        "right edge": _near_share(page.box[owner, 2], weight, RIGHT_EDGE),
        "font size": _share(looks.size[start], weight),
        "colour": _share(looks.colour[start], weight),
        "look": _share(looks.look[start], weight),
        "look of kind": _share(_numbered(looks.look[start], looks.kind[owner]), weight),
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
        yield f"common {step} before", _shifted(common, step, common.min())
        yield f"common {step} after", _shifted(common, -step, common.min())
    yield "length before", _shifted(size, 1, 0.0)
    yield "length after", _shifted(size, -1, 0.0)
    yield "place", np.cumsum(weight) / weight.sum()
    yield "blocks", np.full(len(rows), np.log(len(rows)))
    reads = (weight >= LONG_LETTERS) & (links < FEW_LINKS)
    before, after = _distances(reads)
    yield "text before", before
    yield "text after", after
    yield from _taken(pieces, looks)
    if witness is not None:
        inner = np.clip(np.nan_to_num(witness[rows], nan=0.5), 1e-4, 1 - 1e-4)
        yield WITNESS, np.log(inner / (1 - inner))


def _taken(pieces: ExtractedBlocks, looks: "_Looks") -> Iterator[tuple[str, FloatArray]]:
    """How much of what is like a block, around a block, or in the same containers was extracted."""
    page, rows = pieces.page, pieces.rows
    letters, taken = pieces.letters, pieces.taken
    edges = np.round(np.nan_to_num(page.box[pieces.owner, 0], nan=-99.0) / LEFT_EDGE)
    alike = (("name", looks.name[pieces.owner]), ("look", looks.look[pieces.start]), ("edge", edges))
    for name, values in alike:
        group = np.unique(values, return_inverse=True)[1]
        share = np.bincount(group, weights=taken) / np.maximum(np.bincount(group, weights=letters), 1)
        yield f"taken of {name}", share[group][rows]
    all_below, taken_below = _sums(pieces, letters), _sums(pieces, taken)
    around = pieces.owner[rows]
    for level in range(1, LEVELS + 1):
        around = _wider(page.parent, all_below, around)
        yield f"taken {level} up", taken_below[around] / np.maximum(all_below[around], 1)
        yield f"share {level} up", np.log(taken_below[around] / max(taken.sum(), 1.0) + SMALLEST_SHARE)
    for reach in (2, 6):
        yield f"taken around {reach}", (_around(taken, reach) / np.maximum(_around(letters, reach), 1))[rows]


class _Looks:
    """How the nodes of a page look and what they are called, as numbers that are equal where they are."""

    def __init__(self, pieces: ExtractedBlocks) -> None:
        page = pieces.page
        self.kinds = sorted({PARAGRAPH, *KINDS.values()})
        self.kind = _kinds(page, self.kinds)
        self.size = page.style_column("font-size")
        self.colour = page.style_column("color")
        self.look = _numbered(self.size, page.style_column("font-weight"), self.colour)
        self.alignment = page.style_column("text-align")
        self.name = _numbered(page.path, page.attribute("class"))
        own = page.style_column("background-color")
        clear = [page.string_id(value) for value in ("rgba(0, 0, 0, 0)", "transparent")]
        self.box = nearest(page.parent, (own >= 0) & ~np.isin(own, clear) & ~page.is_text)
        self.background = np.where(self.box[:-1] >= 0, own[np.maximum(self.box[:-1], 0)], -1)
        linked = page.mask("a")
        inside = below(linked, page.end)[pieces.texts]
        size = np.array([len(page.strings[text]) for text in page.text[pieces.texts].tolist()], dtype=np.float64)
        # A block of which a part was extracted has links as the whole has them.
        share = np.bincount(pieces.block_of, weights=size * inside, minlength=len(pieces)) / np.maximum(
            pieces.letters, 1
        )
        self.linked = share * pieces.taken


def _kinds(page: Page, kinds: list[str]) -> AnyInts:
    """What kind of block each node is in: a heading, an item, a cell, or else a paragraph."""
    marked = page.mask(*KINDS)
    table = np.array([kinds.index(KINDS.get(name, PARAGRAPH)) for name in page.strings] or [0], dtype=np.int64)
    around = nearest(page.parent, marked)[:-1]
    kind: AnyInts = np.where(around >= 0, table[page.tag[np.maximum(around, 0)]], kinds.index(PARAGRAPH))
    return kind


def _numbered(*columns: AnyInts) -> AnyInts:
    """A number for every distinct row of some columns."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        key = key * 1_000_003 + column
    numbers: AnyInts = np.unique(key, return_inverse=True)[1]
    return numbers


def _share(values: AnyInts, weight: FloatArray) -> FloatArray:
    """How much of the weight has the same value as each."""
    group = np.unique(values, return_inverse=True)[1]
    share: FloatArray = (np.bincount(group, weights=weight) / max(weight.sum(), 1.0))[group]
    return share


def _near_share(places: npt.NDArray[np.float32], weight: FloatArray, reach: float) -> FloatArray:
    """How much of the weight stands within reach of each place; what has no place stands with its like."""
    known = np.nan_to_num(places.astype(np.float64), nan=-9999.0)
    order = np.argsort(known)
    running = prefix_sum(weight[order])
    low = np.searchsorted(known[order], known - reach)
    high = np.searchsorted(known[order], known + reach, side="right")
    share: FloatArray = (running[high] - running[low]) / max(weight.sum(), 1.0)
    return share


def _shifted(values: FloatArray, step: int, outside: float) -> FloatArray:
    moved = np.full(len(values), outside)
    if abs(step) < len(values):
        source, target = (
            (slice(None, -step), slice(step, None)) if step > 0 else (slice(-step, None), slice(None, step))
        )
        moved[target] = values[source]
    return moved


def _distances(marked: npt.NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """How many blocks it is to the nearest marked one before, and behind."""
    place = np.arange(len(marked), dtype=np.float64)
    before = place - np.maximum.accumulate(np.where(marked, place, -1000.0))
    after = np.minimum.accumulate(np.where(marked, place, 1e6)[::-1])[::-1] - place
    return np.minimum(before, FAR), np.minimum(after, FAR)


def _around(values: FloatArray, reach: int) -> FloatArray:
    running = prefix_sum(values)
    place = np.arange(len(values))
    held: FloatArray = running[np.minimum(place + reach + 1, len(values))] - running[np.maximum(place - reach, 0)]
    return held


def _sums(pieces: ExtractedBlocks, amount: FloatArray) -> FloatArray:
    """How much every subtree holds."""
    at = np.bincount(pieces.start, weights=amount, minlength=len(pieces.page))
    running = prefix_sum(at)
    held: FloatArray = running[pieces.page.end] - running[:-1]
    return held


def _wider(parent: IntArray, held: FloatArray, nodes: IntArray) -> IntArray:
    """The next element around each that holds more."""
    around = np.maximum(parent[nodes], 0)
    for _ in range(6):
        same = (held[around] <= held[nodes]) & (around > 0)
        if not same.any():
            break
        around = np.where(same, np.maximum(parent[around], 0), around)
    return around
