"""Growing the trees that weigh what makes an extracted block different: `python -m bench.outliers.grow`.

Needs LightGBM (the dependency group `grow`) and the answers of the peers of `python -m bench content`. It writes
`forest.json` and `witnessed_forest.json` in `src/sightline/checks/outliers` and, beside this file, `folds.json.xz`:
five pairs of forests, each grown without a fifth of the pages, so that `python -m bench outliers` judges pages that
their trees have never seen.
"""

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.content import grow as content
from bench.content.pages import FOLDS, SETS, read_truth
from bench.content.ways import DEFAULT, read_by_peers, read_by_us
from bench.forests import grown
from bench.frame import Options
from bench.outliers.extracted import Extracted, extracted
from bench.pages import rendered
from sightline.checks.outliers._likeness import likeness_features
from sightline.trees import Forest, dump_forest, read_forest

HERE = Path(__file__).parent
FOLDS_FILE = HERE / "folds.json.xz"
FOLDER = HERE.parents[1] / "src/sightline/checks/outliers"
ROUNDS = 150
# Small trees: of 7 and 15 leaves and a linear model, those of 7 did least harm over five folds.
SETTINGS = content.SETTINGS | {
    "learning_rate": 0.05,
    "num_leaves": 7,
    "min_data_in_leaf": 100,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.6,
}
MOST_WEIGHT = 5.0  # per cent of what was extracted from its page that a block may count for
SMOOTH = 20


def main() -> None:
    """Grow all forests and write them."""
    truth = read_truth(Options(), set_name=SETS[1])
    pages = rendered(truth.files, keep=True)
    answers = {name: answer.texts for name, answer in read_by_peers(truth.files).items()}
    answers[DEFAULT] = read_by_us(truth, pages).texts
    found = extracted(truth, pages, answers)
    folds = content.folds_of(truth)
    pairs = [_pair(found, _all_but(fold, folds)) for fold in range(FOLDS)]
    FOLDS_FILE.write_bytes(lzma.compress(json.dumps(pairs).encode()))
    plain, witnessed = _pair(found, lambda _page: True)
    for name, forest in (("forest.json", plain), ("witnessed_forest.json", witnessed)):
        (FOLDER / name).write_bytes(dump_forest(forest["names"], forest["trees"], 0.0))
    print(f"{sum(map(len, found.values()))} readings of {len(truth.pages)} pages; {FOLDER} written.")


def _all_but(fold: int, folds: dict[str, int]) -> Callable[[str], bool]:
    return lambda page: folds[page] != fold


def held_out() -> list[tuple[Forest, Forest]]:
    """The forests of the folds, without and with a witness."""
    pairs = json.loads(lzma.decompress(FOLDS_FILE.read_bytes()))
    return [tuple(read_forest(tuple(own["names"]), own["trees"], 0.0) for own in pair) for pair in pairs]  # type: ignore[misc]


def _pair(found: dict[str, list[Extracted]], wanted: Callable[[str], bool]) -> list[dict[str, Any]]:
    samples = [one for rows in found.values() for one in rows if wanted(one.truth.id) and len(one.pieces.rows)]
    return [_grown(samples, witness=witness) for witness in (False, True)]


def _grown(samples: list[Extracted], *, witness: bool) -> dict[str, Any]:
    columns = [likeness_features(one.pieces, one.witness if witness else None) for one in samples]
    names = tuple(columns[0])
    matrix = np.concatenate([np.column_stack(list(own.values())) for own in columns]).astype(np.float32)
    wrong = np.concatenate([1 - one.right for one in samples])
    weight = np.concatenate([100 * (one.words + 0.5) / (one.words.sum() + SMOOTH) for one in samples])
    return grown(matrix, wrong, np.minimum(weight, MOST_WEIGHT), names, SETTINGS, ROUNDS)


if __name__ == "__main__":
    main()
