"""The tables of Potvin & Villemaire (2018): what is gained by deleting from the top of a ranking, at the best F1.

For every way to score: precision, recall and F1 by bytes and by nodes, and the share deleted, with the cut where F1 is
best, which only who knows the truth can find. Precision is of what is left; recall of all that is right among what
was extracted and, by bytes, of the truth.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from rich.table import Column, Table

from bench.outliers.extracted import Extracted
from sightline.checks.outliers._likeness import hbos, nearest_neighbours
from sightline.signals._looks import joined_features, style_features

Floats = npt.NDArray[np.float64]

NEIGHBOURS = (10, 50, 100, 200, 500)


def published_scores(found: Sequence[Extracted]) -> dict[str, Floats]:
    """The published scores of all blocks of all pages, as one corpus; and one of them with the page as the norm."""
    matrix = joined_features(
        [style_features(one.seen.page, one.pieces.owner[one.pieces.rows]) for one in found if len(one.seen.page)]
    )
    scores = {f"{k}-NN": nearest_neighbours(matrix, k) for k in NEIGHBOURS}
    return {**scores, "HBOS": hbos(matrix), "HBOS, each page by itself": _by_page(found)}


def _by_page(found: Sequence[Extracted]) -> Floats:
    """The histogram score with the page as the norm, as a share of the highest of its page."""
    scores = []
    for one in found:
        own = hbos(joined_features([style_features(one.seen.page, one.pieces.owner[one.pieces.rows])]))
        scores.append(own / max(own.max(initial=0.0), 1e-9))
    return np.concatenate(scores)


def best_cut(found: Sequence[Extracted], score: Floats | None) -> tuple[float, ...]:
    """P, R and F1 by bytes and by nodes, and the share of bytes deleted, where F1 by bytes is best."""
    right = np.concatenate([one.right for one in found])
    size = np.concatenate([np.array([len(text.encode()) for text in one.texts], dtype=np.float64) for one in found])
    truth = float(sum(len(one.truth.text.encode()) for one in found))
    good = right > 0.5
    order = np.argsort(score, kind="stable") if score is not None else np.arange(len(right))
    kept, hits = np.cumsum(size[order]), np.cumsum((right * size)[order])
    recall, precision = hits / max(truth, 1.0), hits / np.maximum(kept, 1.0)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    place = int(np.argmax(f1)) if score is not None else len(f1) - 1
    nodes = np.arange(1, len(order) + 1)
    node_hits = np.cumsum(good[order])
    node_p, node_r = node_hits / nodes, node_hits / max(1, int(good.sum()))
    node_f1 = 2 * node_p * node_r / np.maximum(node_p + node_r, 1e-9)
    deleted = 1 - kept[place] / kept[-1]
    own = (precision, recall, f1, node_p, node_r, node_f1)
    return (*(float(values[place]) for values in own), float(deleted))


def sheet(title: str, rows: Mapping[str, tuple[float, ...]]) -> Table:
    """One of the tables."""
    heads = ("P bytes", "R bytes", "F1 bytes", "P nodes", "R nodes", "F1 nodes", "deleted")
    table = Table(Column("", no_wrap=True), *heads, title=title)
    for name, values in rows.items():
        table.add_row(name, *(f"{value:.3f}" for value in values))
    return table
