"""What the automatic cut is worth on the output of extractors, beside the best cut that the truth could tell."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.content.grow import folds_of
from bench.content.pages import Truth
from bench.content.scores import PageScore, Summary, score, summary
from bench.outliers import grow
from bench.outliers.extracted import Extracted
from sightline.checks import OutlierSettings
from sightline.checks.outliers._likeness import likeness_features
from sightline.checks.outliers._outliers import _cut, _Scored
from sightline.signals._looks import StyleFeatures

Floats = npt.NDArray[np.float64]

VISUAL, WITNESSED = "visual", "with the text as witness"
ARTICLES = "article"
THRESHOLDS = np.linspace(0.05, 0.95, 19)


@dataclass(frozen=True)
class Cut:
    """F1 before and after a cut by type of page, and after the best cut of all for articles."""

    before: Mapping[str, Summary]
    after: Mapping[str, Summary]
    oracle: float  # F1 on articles with the one threshold that is best for all of them
    removed: float  # the share of the letters

    def gain(self, group: str) -> float:
        """Points of F1."""
        return 100 * (self.after[group].f1 - self.before[group].f1)

    @property
    def worst(self) -> tuple[str, float]:
        """The type of page that gains least."""
        return min(((group, self.gain(group)) for group in self.before), key=lambda own: own[1])

    @property
    def share_of_oracle(self) -> float:
        """How much of the gain of the oracle's cut on articles the automatic one gets."""
        possible = 100 * (self.oracle - self.before[ARTICLES].f1)
        return self.gain(ARTICLES) / possible if possible > 0 else 1.0


def scored(truth: Truth, found: Sequence[Extracted], way: str) -> list[Floats]:
    """How likely each block is to be wrong, by trees that have not seen its page."""
    forests, folds = grow.held_out(), folds_of(truth)
    scores = []
    for one in found:
        columns = likeness_features(one.pieces, one.witness if way == WITNESSED else None)
        forest = forests[folds[one.truth.id]][way == WITNESSED]
        rows = np.column_stack([columns[name] for name in forest.names]) if columns else np.zeros((0, 1))
        scores.append(forest.likely(rows.astype(np.float32)) if columns else np.zeros(0))
    return scores


def cuts(truth: Truth, found: Mapping[str, Sequence[Extracted]], way: str) -> dict[str, Cut]:
    """The cut of each extractor's output."""
    return {name: _cut_of(own, scored(truth, own, way)) for name, own in found.items()}


def _cut_of(found: Sequence[Extracted], scores: Sequence[Floats]) -> Cut:
    settings = OutlierSettings()
    gone = [
        _cut(one.pieces, _Scored(StyleFeatures((), np.zeros((len(own), 0))), own, chances=True), settings)
        for one, own in zip(found, scores, strict=True)
    ]
    before = _by_type(found, [np.zeros(len(own), dtype=bool) for own in gone])
    letters = [one.pieces.extracted[one.pieces.rows] for one in found]
    removed = sum(float(size[own].sum()) for size, own in zip(letters, gone, strict=True))
    return Cut(
        before,
        _by_type(found, gone),
        _oracle([one for one in found if one.truth.type == ARTICLES], _of_articles(found, scores)),
        removed / max(1.0, sum(float(size.sum()) for size in letters)),
    )


def _of_articles(found: Sequence[Extracted], scores: Sequence[Floats]) -> list[Floats]:
    return [own for one, own in zip(found, scores, strict=True) if one.truth.type == ARTICLES]


def _oracle(found: Sequence[Extracted], scores: Sequence[Floats]) -> float:
    """The best F1 that one threshold for all pages can reach, as the published method picks it."""
    tried = [[own > threshold for own in scores] for threshold in THRESHOLDS]
    return max(summary([_scored(one, gone) for one, gone in zip(found, each, strict=True)]).f1 for each in tried)


def _by_type(found: Sequence[Extracted], gone: Sequence[npt.NDArray[np.bool_]]) -> dict[str, Summary]:
    groups: dict[str, list[PageScore]] = defaultdict(list)
    for one, own in zip(found, gone, strict=True):
        result = _scored(one, own)
        groups["all"].append(result)
        groups[one.truth.type].append(result)
    return {name: summary(own) for name, own in sorted(groups.items())}


def _scored(one: Extracted, gone: npt.NDArray[np.bool_]) -> PageScore:
    return score(one.truth, "\n".join(text for text, out in zip(one.texts, gone.tolist(), strict=True) if not out))
