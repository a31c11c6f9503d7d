"""Extracted text that looks different is probably wrong (Potvin & Villemaire 2018); the cut needs no ground truth.

Scores are published ones or Sightline's. The published method then deletes from the top of the ranking until F1 is
best, which takes the ground truth. Here the cut is chosen without it, and a clean set stays whole:

* Sightline's scores are probabilities, so the set with the largest expected F1 can be computed;
* published scores are cut at the largest gap between them, if one stands out;
* nothing is removed if no part of the page holds a good share of the extracted text, since then nothing is usual;
* no more than a given share of the text is ever removed.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray
from sightline.checks._report import Issue, Report, Severity
from sightline.checks.outliers._likeness import (
    WITNESS,
    ExtractedBlocks,
    ExtractedNodes,
    extracted_blocks,
    feature_in_words,
    hbos,
    likeness_features,
    likeness_forest,
    nearest_neighbours,
)
from sightline.data import Origin, defused, origin_of
from sightline.errors import UsageError
from sightline.settings import Settings, setting
from sightline.signals import StyleFeatures, joined_features, style_features

METHODS = ("kin", "hbos", "knn")
NORMS = ("page", "site", "all")
# The trees are overconfident on pages that they were not grown on. Of 0.6, 0.7, 0.8 and 1 as factors for their
# log-odds, only with 0.6 does no extractor lose 0.3 points of F1 by looks on any type of page (five folds). It costs a
# fifth of what the others gain on articles.
CAUTION = 0.6
# This share of the extracted text must be in one container for anything to be usual. Pages of tiles and cards have
# less; at 0.2 the cut costs none of them 0.5 points, at 0 it costs up to 1.4.
LEAST_CONTAINER = 0.2
EXTRACTED = 0.92  # of the right text is usually extracted: the recall of the benchmark's extractors on articles
WIDEST_GAP = 0.35  # of the range of scores; a gap of this size separates two groups, smaller ones are everywhere
LEAST_ROWS = 4  # among fewer blocks, nothing is usual
MOST_WHY = 3
SHOWN = 60  # letters of an outlier in a report
SUSPICIOUS_SHARE = 0.25  # of the text; if this much is probably wrong, so was the extractor


@dataclass(frozen=True, kw_only=True)
class OutlierSettings(Settings):
    """How visual outliers are found."""

    method: str = setting(
        "kin", help="how to score blocks: kin (Sightline's), hbos or knn (published)", choices=METHODS
    )
    k: int = setting(50, help="how many neighbours knn compares with", minimum=1)
    distance: str = setting(
        "mean", help="the distance that knn uses: mean, or that of the kth neighbour", choices=("mean", "kth")
    )
    norm: str = setting(
        "page", help="what to compare with: the same page, the same site or all pages (hbos, knn)", choices=NORMS
    )
    most_removed: float = setting(
        0.5, help="remove nothing if more than this share of the text would go", minimum=0.0, maximum=1.0
    )


@dataclass(frozen=True, eq=False)
class Outlier:
    """An extracted block: its score, whether it is removed, and what makes it different.

    `node` is the element around it, `nodes` are its extracted text nodes.
    """

    source: str
    page: str
    node: int
    nodes: tuple[int, ...]
    text: str
    letters: int
    score: float
    removed: bool
    why: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, eq=False)
class Outliers:
    """All extracted blocks with their scores, page by page, and what the automatic cut removes."""

    extracted: tuple[ExtractedNodes, ...]
    rows: tuple[Outlier, ...]
    page_of: tuple[int, ...]
    names: tuple[str, ...]
    matrix: FloatArray
    method: str

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def removed(self) -> tuple[Outlier, ...]:
        """The blocks that the cut removes, strangest first."""
        return tuple(sorted((row for row in self.rows if row.removed), key=lambda row: -row.score))

    @property
    def scores(self) -> FloatArray:
        """The score of every block."""
        return np.array([row.score for row in self.rows])

    @property
    def letters(self) -> FloatArray:
        """The length of every block."""
        return np.array([row.letters for row in self.rows], dtype=np.float64)

    @property
    def share(self) -> float:
        """The share of the text that is removed."""
        letters = self.letters
        gone = np.array([row.removed for row in self.rows], dtype=bool)
        return float(letters[gone].sum() / letters.sum()) if letters.sum() else 0.0

    @property
    def cut(self) -> float | None:
        """The lowest score that is removed, or None."""
        return min((row.score for row in self.rows if row.removed), default=None)

    @cached_property
    def _gone(self) -> list[set[int]]:
        gone: list[set[int]] = [set() for _ in self.extracted]
        for row, place in zip(self.rows, self.page_of, strict=True):
            if row.removed:
                gone[place].update(row.nodes)
        return gone

    def kept(self, place: int) -> tuple[int, ...]:
        """The text nodes of one page without those removed."""
        return tuple(node for node in self.extracted[place].texts.tolist() if node not in self._gone[place])

    def to_csv(self) -> str:
        """Features and scores as CSV, one row per block."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["source", "xpath", "text", "letters", "score", "removed", *self.names])
        for row, place, features in zip(self.rows, self.page_of, self.matrix.tolist(), strict=True):
            xpath = self.extracted[place].page.xpath(row.node)
            shown = defused(" ".join(row.text.split())[:SHOWN])
            values = [f"{value:.6g}" for value in features]
            writer.writerow(
                [defused(row.source), xpath, shown, row.letters, f"{row.score:.6g}", int(row.removed), *values]
            )
        return out.getvalue()


def find_outliers(extracted: Sequence[ExtractedNodes], settings: OutlierSettings | None = None) -> Outliers:
    """Score the blocks extracted from one or more pages, and remove those that are probably wrong.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> find_outliers([ExtractedNodes(page, [4, 6])]).removed
    ()
    """
    settings = settings or OutlierSettings()
    for nodes in extracted:
        if not isinstance(nodes, ExtractedNodes):
            raise UsageError(f"find_outliers needs a list of ExtractedNodes, which {nodes!r:.60} is not.")
    blocks = [extracted_blocks(nodes) for nodes in extracted]
    if settings.method == "kin":
        scored = [
            _score_by_likeness(page_blocks, _witness(nodes, page_blocks))
            for nodes, page_blocks in zip(extracted, blocks, strict=True)
        ]
    else:
        scored = _score_by_style(extracted, blocks, settings)
    rows: list[Outlier] = []
    page_of: list[int] = []
    for place, (nodes, page_blocks, scores) in enumerate(zip(extracted, blocks, scored, strict=True)):
        removed = _cut(page_blocks, scores, settings)
        rows += [_row(nodes, page_blocks, scores, number, bool(gone)) for number, gone in enumerate(removed.tolist())]
        page_of += [place] * len(removed)
    filled = [scores for scores in scored if len(scores.score)]
    matrix = np.concatenate([scores.features.matrix for scores in filled]) if filled else np.zeros((0, 0))
    names = filled[0].features.names if filled else ()
    return Outliers(tuple(extracted), tuple(rows), tuple(page_of), names, matrix, settings.method)


@dataclass(frozen=True, eq=False)
class _Scored:
    """The features and scores of a page's blocks: probabilities of being wrong, or scores without a scale."""

    features: StyleFeatures
    score: FloatArray
    chances: bool


def _witness(extracted: ExtractedNodes, blocks: ExtractedBlocks) -> FloatArray | None:
    """The witness's mean likelihood for each block."""
    if extracted.witness is None:
        return None
    given = np.full(len(extracted.page), np.nan)
    every = np.flatnonzero(extracted.page.is_text)
    likelihoods = np.asarray(extracted.witness, dtype=np.float64)
    if len(likelihoods) != len(every):
        raise UsageError(
            f"The witness has {len(likelihoods)} values; give one for each of the page's {len(every)} text nodes."
        )
    given[every] = likelihoods
    values = given[blocks.texts]
    known = np.isfinite(values)
    sums = np.bincount(blocks.block_of, weights=np.where(known, values, 0.0), minlength=len(blocks))
    counts = np.bincount(blocks.block_of, weights=known, minlength=len(blocks))
    means: FloatArray = np.divide(sums, counts, out=np.full(len(blocks), np.nan), where=counts > 0)
    return means


def _score_by_likeness(blocks: ExtractedBlocks, witness: FloatArray | None) -> _Scored:
    columns = likeness_features(blocks, witness)
    if not columns:
        return _Scored(StyleFeatures((), np.zeros((0, 0))), np.zeros(0), chances=True)
    forest = likeness_forest(witness=witness is not None)
    features = StyleFeatures(tuple(columns), np.column_stack(list(columns.values())))
    asked = np.column_stack([columns[name] for name in forest.names]).astype(np.float32)
    return _Scored(features, forest.likely(asked), chances=True)


def _score_by_style(
    extracted: Sequence[ExtractedNodes], blocks: Sequence[ExtractedBlocks], settings: OutlierSettings
) -> list[_Scored]:
    """The published scores, computed over the pages that share a norm."""
    features = [style_features(page_blocks.page, page_blocks.owner[page_blocks.rows]) for page_blocks in blocks]
    groups: dict[str, list[int]] = {}
    for place, nodes in enumerate(extracted):
        name = {"page": str(place), "site": urlsplit(nodes.page.url).netloc, "all": ""}[settings.norm]
        groups.setdefault(name, []).append(place)
    scored: dict[int, _Scored] = {}
    for places in groups.values():
        matrix = joined_features([features[place] for place in places])
        score = hbos(matrix) if settings.method == "hbos" else nearest_neighbours(matrix, settings.k, settings.distance)
        stops = np.cumsum([len(features[place]) for place in places])
        for place, stop in zip(places, stops.tolist(), strict=True):
            rows = slice(stop - len(features[place]), stop)
            filled = StyleFeatures(features[place].names, matrix[rows])
            scored[place] = _Scored(filled, score[rows], chances=False)
    return [scored[place] for place in range(len(extracted))]


# ---------------------------------------------------------------------- the cut


def _cut(blocks: ExtractedBlocks, scored: _Scored, settings: OutlierSettings) -> npt.NDArray[np.bool_]:
    """The blocks to remove."""
    rows = blocks.rows
    weight = blocks.extracted[rows]
    nothing = np.zeros(len(rows), dtype=bool)
    if len(rows) < LEAST_ROWS or _largest_container(blocks) < LEAST_CONTAINER:
        return nothing
    removed = _by_expectation(scored.score, weight) if scored.chances else _by_gap(scored.score)
    return removed if weight[removed].sum() <= settings.most_removed * weight.sum() else nothing


def _largest_container(blocks: ExtractedBlocks) -> float:
    """The largest share of the extracted text under one parent."""
    rows = blocks.rows
    parent = np.maximum(blocks.page.parent[blocks.owner[rows]], 0)
    letters = np.bincount(parent, weights=blocks.extracted[rows])
    return float(letters.max() / max(blocks.extracted.sum(), 1.0))


def _by_expectation(wrong: FloatArray, weight: FloatArray) -> npt.NDArray[np.bool_]:
    """Keep the set with the largest expected F1, assuming that the usual share of the right text was missed."""
    inner = np.clip(wrong, 1e-4, 1 - 1e-4)
    doubt = 1 / (1 + np.exp(-CAUTION * np.log(inner / (1 - inner))))
    order = np.argsort(doubt, kind="stable")
    right = np.cumsum(((1 - doubt) * weight)[order])
    expected = 2 * right / np.maximum(np.cumsum(weight[order]) + right[-1] / EXTRACTED, 1e-9)
    removed = np.zeros(len(wrong), dtype=bool)
    removed[order[int(np.argmax(expected)) + 1 :]] = True
    return removed


def _by_gap(score: FloatArray) -> npt.NDArray[np.bool_]:
    """Remove everything beyond the widest gap in the upper half of the scores, if it is wide enough."""
    order = np.sort(score)
    span = order[-1] - order[0]
    upper = order[len(order) // 2 :]
    gaps = np.diff(upper)
    if not span > 0 or not len(gaps) or gaps.max() < WIDEST_GAP * span:
        return np.zeros(len(score), dtype=bool)
    removed: npt.NDArray[np.bool_] = score > upper[int(np.argmax(gaps))]
    return removed


# ---------------------------------------------------------------------- rows and reports


def _row(extracted: ExtractedNodes, blocks: ExtractedBlocks, scored: _Scored, number: int, removed: bool) -> Outlier:  # noqa: FBT001
    page, row = blocks.page, int(blocks.rows[number])
    texts = blocks.texts[blocks.block_of == row]
    nodes = texts[np.isin(texts, extracted.texts)]
    text = " ".join("".join(page.strings[string] for string in page.text[nodes].tolist()).split())
    origin = origin_of(page, nodes)
    why = _why(scored, number) if removed else ()
    return Outlier(
        extracted.source or page.url,
        page.whole_id,
        int(blocks.owner[row]),
        tuple(nodes.tolist()),
        text,
        int(blocks.extracted[row]),
        float(scored.score[number]),
        removed,
        why,
        origin,
    )


def _why(scored: _Scored, number: int) -> tuple[str, ...]:
    """What makes a block most different: for the trees, what would help most if it were usual; else what is rarest."""
    matrix, names = scored.features.matrix, scored.features.names
    usual = np.median(matrix, axis=0)
    spread = np.std(matrix, axis=0)
    row = matrix[number]
    if not scored.chances:
        away = np.where(spread > 0, np.abs(row - usual) / np.where(spread > 0, spread, 1), 0)
        chosen = [place for place in np.argsort(-away).tolist() if away[place] > 1][:MOST_WHY]
        return tuple(f"its {names[place]} is {row[place]:.4g}, usually {usual[place]:.4g}" for place in chosen)
    visible = [place for place, name in enumerate(names) if feature_in_words(name)]
    forest = likeness_forest(witness=WITNESS in names)
    asked = [place for place in visible if names[place] in forest.names and row[place] != usual[place]]
    if not asked:
        return ()
    tried = np.tile(row, (len(asked) + 1, 1))
    for number, place in enumerate(asked, 1):
        tried[number, place] = usual[place]
    order = [names.index(name) for name in forest.names]
    chance = np.log(np.clip(forest.likely(tried[:, order].astype(np.float32)), 1e-6, 1 - 1e-6))
    gain = chance[0] - chance[1:]
    best = [asked[place] for place in np.argsort(-gain, kind="stable").tolist() if gain[place] > 0]
    best.sort(key=lambda place: names[place] == WITNESS)  # visible features come first
    words = dict.fromkeys(feature_in_words(names[place]) or "" for place in best)
    return tuple(words)[:MOST_WHY]


def outlier_report(outliers: Outliers) -> Report:
    """The outliers as a report: notices, or suspicious issues if much of a page is probably wrong."""
    issues = []
    for place, nodes in enumerate(outliers.extracted):
        rows = [row for row, page in zip(outliers.rows, outliers.page_of, strict=True) if page == place]
        gone = [row for row in rows if row.removed]
        share = sum(row.letters for row in gone) / max(1, sum(row.letters for row in rows))
        severity: Severity = "suspicious" if share >= SUSPICIOUS_SHARE else "notice"
        issues += [_issue(row, severity) for row in sorted(gone, key=lambda row: -row.score)]
        if nodes.missing:
            source = nodes.source or nodes.page.url or None
            reason = f"{len(nodes.missing)} of the nodes are not on the page, such as node {nodes.missing[0]}."
            issues.append(Issue("outliers", "suspicious", reason, source=source))
    return Report(tuple(issues))


def _issue(row: Outlier, severity: Severity) -> Issue:
    shown = row.text if len(row.text) <= SHOWN else row.text[: SHOWN - 1] + "…"
    why = "; ".join(row.why) or "it differs from the rest in several small ways"
    reason = f"“{shown}” looks different: {why}."
    return Issue("outliers", severity, reason, source=row.source or None, evidence=(row.origin,))
