"""What looks different among the extracted is probably wrong (Potvin & Villemaire 2018); the cut needs no truth.

Scores are the published ones or our own; the published method then deletes from the top of the ranking until F1 is
best, which only who knows the truth can see. Here the cut is chosen without it, and a set that is clean stays whole:

* our own scores are chances, so the set with the largest expected F1 can be worked out;
* the published ones are cut at the largest gap between scores, if one stands out at all;
* nothing is removed where no part of the page holds a good share of what was extracted, since then nothing is usual;
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
from sightline.checks.outliers._extracted import ExtractedBlocks, ExtractedNodes, extracted_blocks
from sightline.checks.outliers._likeness import WITNESS, kin_of, kin_words, the_kin_forest
from sightline.checks.outliers._published_scores import hbos, nearest_neighbours
from sightline.data import Origin, origin_of
from sightline.errors import UsageError
from sightline.settings import Settings, setting
from sightline.signals import StyleFeatures, joined_features, style_features

__all__ = ["Outlier", "OutlierSettings", "Outliers", "find_outliers", "outlier_report"]


METHODS = ("kin", "hbos", "knn")
NORMS = ("page", "site", "all")
# The trees are too sure of themselves on pages that they did not grow on. Of 0.6, 0.7, 0.8 and 1 for shrinking their
# log-odds, 0.6 is the one with which no extractor loses 0.3 points of F1 by looks on any type of page (five folds). It
# costs a fifth of what the others gain on articles.
CAUTION = 0.6
# Of the extracted text has to lie in one container, so that something is usual. Pages of tiles and cards have less; at
# 0.2 the cut costs none of them 0.5 points, at 0 it costs up to 1.4.
LEAST_CONTAINER = 0.2
EXTRACTED = 0.92  # of what is right is usually extracted: the recall of the extractors of the benchmark on articles
WIDEST_GAP = 0.35  # of the whole range of scores; a gap of that size parts two groups, smaller ones are everywhere
LEAST_ROWS = 4  # of fewer blocks none is usual
MOST_WHY = 3
SHOWN = 60  # letters of an outlier in a report
SUSPICIOUS_SHARE = 0.25  # of the text; if so much is probably wrong, the extractor was


@dataclass(frozen=True, kw_only=True)
class OutlierSettings(Settings):
    """How visual outliers are found."""

    method: str = setting("kin", help="how blocks are scored: kin (our own), hbos or knn (published)", choices=METHODS)
    k: int = setting(50, help="how many neighbours knn looks at", minimum=1)
    distance: str = setting(
        "mean", help="what counts for knn: the mean distance, or that of the kth", choices=("mean", "kth")
    )
    norm: str = setting("page", help="what is usual on a page, a site or in all (hbos, knn)", choices=NORMS)
    most_removed: float = setting(
        0.5, help="the share of the text beyond which nothing is removed", minimum=0.0, maximum=1.0
    )


@dataclass(frozen=True, eq=False)
class Outlier:
    """A block of what was extracted: its score, whether it is removed, and what makes it different.

    `node` is the element around it, `nodes` are its text nodes that were extracted.
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
    """All blocks of what was extracted, page by page, with their scores; and what the automatic cut removes."""

    seen: tuple[ExtractedNodes, ...]
    rows: tuple[Outlier, ...]
    page_of: tuple[int, ...]
    names: tuple[str, ...]
    matrix: FloatArray
    method: str

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def removed(self) -> tuple[Outlier, ...]:
        """What the cut removes, the strangest first."""
        return tuple(sorted((row for row in self.rows if row.removed), key=lambda row: -row.score))

    @property
    def scores(self) -> FloatArray:
        """The score of every block."""
        return np.array([row.score for row in self.rows])

    @property
    def letters(self) -> FloatArray:
        """How long every block is."""
        return np.array([row.letters for row in self.rows], dtype=np.float64)

    @property
    def share(self) -> float:
        """How much of the text is removed."""
        letters = self.letters
        gone = np.array([row.removed for row in self.rows], dtype=bool)
        return float(letters[gone].sum() / letters.sum()) if letters.sum() else 0.0

    @property
    def cut(self) -> float | None:
        """The lowest score that is removed, or None."""
        return min((row.score for row in self.rows if row.removed), default=None)

    @cached_property
    def _gone(self) -> list[set[int]]:
        gone: list[set[int]] = [set() for _ in self.seen]
        for row, place in zip(self.rows, self.page_of, strict=True):
            if row.removed:
                gone[place].update(row.nodes)
        return gone

    def kept(self, place: int) -> tuple[int, ...]:
        """The text nodes of one of the pages without those removed."""
        return tuple(node for node in self.seen[place].texts.tolist() if node not in self._gone[place])

    def to_csv(self) -> str:
        """Features and scores, a row for each block."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["source", "xpath", "text", "letters", "score", "removed", *self.names])
        for row, place, features in zip(self.rows, self.page_of, self.matrix.tolist(), strict=True):
            xpath = self.seen[place].page.xpath(row.node)
            shown = " ".join(row.text.split())[:SHOWN]
            values = [f"{value:.6g}" for value in features]
            writer.writerow([row.source, xpath, shown, row.letters, f"{row.score:.6g}", int(row.removed), *values])
        return out.getvalue()


def find_outliers(seen: Sequence[ExtractedNodes], settings: OutlierSettings | None = None) -> Outliers:
    """Score what was extracted from one page or many, and cut off what is probably wrong.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> find_outliers([ExtractedNodes(page, [4, 6])]).removed
    ()
    """
    settings = settings or OutlierSettings()
    for one in seen:
        if not isinstance(one, ExtractedNodes):
            raise UsageError(f"Outliers are looked for among ExtractedNodes, not {one!r:.60}.")
    pieces = [extracted_blocks(one) for one in seen]
    if settings.method == "kin":
        scored = [_by_kin(part, _witness(one, part)) for one, part in zip(seen, pieces, strict=True)]
    else:
        scored = _by_style(seen, pieces, settings)
    rows: list[Outlier] = []
    page_of: list[int] = []
    for place, (one, part, own) in enumerate(zip(seen, pieces, scored, strict=True)):
        removed = _cut(part, own, settings)
        rows += [_row(one, part, own, number, bool(gone)) for number, gone in enumerate(removed.tolist())]
        page_of += [place] * len(removed)
    filled = [own for own in scored if len(own.score)]
    matrix = np.concatenate([own.features.matrix for own in filled]) if filled else np.zeros((0, 0))
    names = filled[0].features.names if filled else ()
    return Outliers(tuple(seen), tuple(rows), tuple(page_of), names, matrix, settings.method)


@dataclass(frozen=True, eq=False)
class _Scored:
    """The blocks of a page with their features and scores; chances of being wrong, or scores of no scale."""

    features: StyleFeatures
    score: FloatArray
    chances: bool


def _witness(seen: ExtractedNodes, pieces: ExtractedBlocks) -> FloatArray | None:
    """What the witness says of each block: the mean over its letters."""
    if seen.witness is None:
        return None
    given = np.full(len(seen.page), np.nan)
    every = np.flatnonzero(seen.page.is_text)
    told = np.asarray(seen.witness, dtype=np.float64)
    if len(told) != len(every):
        raise UsageError(
            f"A witness says something of each of the {len(every)} text nodes of the page, not of {len(told)}."
        )
    given[every] = told
    values = given[pieces.texts]
    known = np.isfinite(values)
    sums = np.bincount(pieces.block_of, weights=np.where(known, values, 0.0), minlength=len(pieces))
    counts = np.bincount(pieces.block_of, weights=known, minlength=len(pieces))
    said: FloatArray = np.divide(sums, counts, out=np.full(len(pieces), np.nan), where=counts > 0)
    return said


def _by_kin(pieces: ExtractedBlocks, witness: FloatArray | None) -> _Scored:
    columns = kin_of(pieces, witness)
    if not columns:
        return _Scored(StyleFeatures((), np.zeros((0, 0))), np.zeros(0), chances=True)
    forest = the_kin_forest(witness=witness is not None)
    features = StyleFeatures(tuple(columns), np.column_stack(list(columns.values())))
    asked = np.column_stack([columns[name] for name in forest.names]).astype(np.float32)
    return _Scored(features, forest.likely(asked), chances=True)


def _by_style(
    seen: Sequence[ExtractedNodes], pieces: Sequence[ExtractedBlocks], settings: OutlierSettings
) -> list[_Scored]:
    """The published scores, over the pages that make up a norm."""
    features = [style_features(part.page, part.owner[part.rows]) for part in pieces]
    groups: dict[str, list[int]] = {}
    for place, one in enumerate(seen):
        name = {"page": str(place), "site": urlsplit(one.page.url).netloc, "all": ""}[settings.norm]
        groups.setdefault(name, []).append(place)
    scored: dict[int, _Scored] = {}
    for places in groups.values():
        matrix = joined_features([features[place] for place in places])
        score = hbos(matrix) if settings.method == "hbos" else nearest_neighbours(matrix, settings.k, settings.distance)
        stops = np.cumsum([len(features[place]) for place in places])
        for place, stop in zip(places, stops.tolist(), strict=True):
            own = slice(stop - len(features[place]), stop)
            filled = StyleFeatures(features[place].names, matrix[own])
            scored[place] = _Scored(filled, score[own], chances=False)
    return [scored[place] for place in range(len(seen))]


# ---------------------------------------------------------------------- the cut


def _cut(pieces: ExtractedBlocks, scored: _Scored, settings: OutlierSettings) -> npt.NDArray[np.bool_]:
    """Which blocks to remove."""
    rows = pieces.rows
    weight = pieces.taken[rows]
    nothing = np.zeros(len(rows), dtype=bool)
    if len(rows) < LEAST_ROWS or _largest_container(pieces) < LEAST_CONTAINER:
        return nothing
    removed = _by_expectation(scored.score, weight) if scored.chances else _by_gap(scored.score)
    return removed if weight[removed].sum() <= settings.most_removed * weight.sum() else nothing


def _largest_container(pieces: ExtractedBlocks) -> float:
    """The largest share of the extracted text that has one parent."""
    rows = pieces.rows
    parent = np.maximum(pieces.page.parent[pieces.owner[rows]], 0)
    held = np.bincount(parent, weights=pieces.taken[rows])
    return float(held.max() / max(pieces.taken.sum(), 1.0))


def _by_expectation(wrong: FloatArray, weight: FloatArray) -> npt.NDArray[np.bool_]:
    """Keep the set with the largest expected F1; what was not extracted counts as it usually does."""
    inner = np.clip(wrong, 1e-4, 1 - 1e-4)
    doubt = 1 / (1 + np.exp(-CAUTION * np.log(inner / (1 - inner))))
    order = np.argsort(doubt, kind="stable")
    right = np.cumsum(((1 - doubt) * weight)[order])
    expected = 2 * right / np.maximum(np.cumsum(weight[order]) + right[-1] / EXTRACTED, 1e-9)
    removed = np.zeros(len(wrong), dtype=bool)
    removed[order[int(np.argmax(expected)) + 1 :]] = True
    return removed


def _by_gap(score: FloatArray) -> npt.NDArray[np.bool_]:
    """Remove what lies beyond the widest gap in the upper half of the scores, if it is a wide one."""
    order = np.sort(score)
    span = order[-1] - order[0]
    upper = order[len(order) // 2 :]
    gaps = np.diff(upper)
    if not span > 0 or not len(gaps) or gaps.max() < WIDEST_GAP * span:
        return np.zeros(len(score), dtype=bool)
    removed: npt.NDArray[np.bool_] = score > upper[int(np.argmax(gaps))]
    return removed


# ---------------------------------------------------------------------- rows and reports


def _row(seen: ExtractedNodes, pieces: ExtractedBlocks, scored: _Scored, number: int, removed: bool) -> Outlier:  # noqa: FBT001
    page, row = pieces.page, int(pieces.rows[number])
    held = pieces.texts[pieces.block_of == row]
    nodes = held[np.isin(held, seen.texts)]
    text = " ".join("".join(page.strings[string] for string in page.text[nodes].tolist()).split())
    origin = origin_of(page, nodes)
    why = _why(scored, number) if removed else ()
    return Outlier(
        seen.source or page.url,
        page.whole_id,
        int(pieces.owner[row]),
        tuple(nodes.tolist()),
        text,
        int(pieces.taken[row]),
        float(scored.score[number]),
        removed,
        why,
        origin,
    )


def _why(scored: _Scored, number: int) -> tuple[str, ...]:
    """What makes a block most different: by the trees, what it would be worth to be usual; else what is rarest."""
    matrix, names = scored.features.matrix, scored.features.names
    usual = np.median(matrix, axis=0)
    spread = np.std(matrix, axis=0)
    own = matrix[number]
    if not scored.chances:
        away = np.where(spread > 0, np.abs(own - usual) / np.where(spread > 0, spread, 1), 0)
        chosen = [place for place in np.argsort(-away).tolist() if away[place] > 1][:MOST_WHY]
        return tuple(f"its {names[place]} is {own[place]:.4g}, usually {usual[place]:.4g}" for place in chosen)
    told = [place for place, name in enumerate(names) if kin_words(name)]
    forest = the_kin_forest(witness=WITNESS in names)
    asked = [place for place in told if names[place] in forest.names and own[place] != usual[place]]
    if not asked:
        return ()
    tried = np.tile(own, (len(asked) + 1, 1))
    for row, place in enumerate(asked, 1):
        tried[row, place] = usual[place]
    order = [names.index(name) for name in forest.names]
    chance = np.log(np.clip(forest.likely(tried[:, order].astype(np.float32)), 1e-6, 1 - 1e-6))
    gain = chance[0] - chance[1:]
    best = [asked[place] for place in np.argsort(-gain, kind="stable").tolist() if gain[place] > 0]
    best.sort(key=lambda place: names[place] == WITNESS)  # what can be seen is told first
    words = dict.fromkeys(kin_words(names[place]) or "" for place in best)
    return tuple(words)[:MOST_WHY]


def outlier_report(outliers: Outliers) -> Report:
    """What the outliers say of a run: notices, or a suspicion where much of a page is probably wrong."""
    issues = []
    for place, one in enumerate(outliers.seen):
        rows = [row for row, own in zip(outliers.rows, outliers.page_of, strict=True) if own == place]
        gone = [row for row in rows if row.removed]
        share = sum(row.letters for row in gone) / max(1, sum(row.letters for row in rows))
        severity: Severity = "suspicious" if share >= SUSPICIOUS_SHARE else "notice"
        issues += [_issue(row, severity) for row in sorted(gone, key=lambda row: -row.score)]
        if one.missing:
            source = one.source or one.page.url or None
            told = f"{len(one.missing)} of the nodes are not on the page, such as number {one.missing[0]}."
            issues.append(Issue("outliers", "suspicious", told, source=source))
    return Report(tuple(issues))


def _issue(row: Outlier, severity: Severity) -> Issue:
    shown = row.text if len(row.text) <= SHOWN else row.text[: SHOWN - 1] + "…"
    why = "; ".join(row.why) or "it is unlike the rest in several small ways"
    reason = f"“{shown}” looks different: {why}."
    return Issue("outliers", severity, reason, source=row.source or None, evidence=(row.origin,))
