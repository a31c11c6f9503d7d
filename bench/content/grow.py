"""Growing the trees that tell content from the rest: `python -m bench.content.grow`.

Needs LightGBM (the dependency group `grow`). It writes `src/sightline/extract/content/forest.json`, the trees grown on
all pages, and `folds.json.xz` beside this file: five forests, each grown without a fifth of the pages, by which
`python -m bench content` reads pages that their trees have never seen.
"""

import json
import lzma
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from bench.content.pages import PageTruth, Truth, read_truth, rendered, static
from bench.content.scores import words
from bench.frame import Options
from sightline.extract.content._measures import measure
from sightline.page import Page
from sightline.signals._text_blocks import text_blocks
from sightline.trees import Forest, dump_forest, read_forest

__all__ = ["FOLDS", "folds_of", "grown", "held_out", "shares"]

Shingle: TypeAlias = tuple[int, ...]

HERE = Path(__file__).parent
FOLDS_FILE = HERE / "folds.json.xz"
GROWN_FILE = HERE.parents[1] / "src/sightline/extract/content/forest.json"
FOLDS = 5
SHINGLE = 4  # words, as in the scores
ROUNDS = 250
CHECKED = 2_000  # rows on which the table is held against the trees that LightGBM has
ROUNDED = 1e-3  # what the digits that the table leaves out may change
# Of some twenty settings that were tried over five folds, all within 0.01 of F1, one of the best two; 16 leaves are
# what fits into the 16 bits of `Forest`.
SETTINGS = {
    "objective": "cross_entropy",
    "learning_rate": 0.06,
    "num_leaves": 15,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "verbose": -1,
    "num_threads": 1,
    "seed": 1,
    "deterministic": True,
}
MOST_WEIGHT = 3.0  # per cent of the content of its page that a block may count for; long ones would crowd out the rest
SMOOTH = 50  # words, so that pages with next to no content do not weigh more than others


@dataclass(frozen=True)
class Sample:
    """The blocks of one page: what is measured of them, how much of each is content, and what they weigh."""

    names: tuple[str, ...]
    matrix: npt.NDArray[np.float32]
    content: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]


def main() -> None:
    """Grow all forests and write them."""
    truth = read_truth(Options())
    pages = list(zip(truth.pages, rendered(truth, keep=False), static(truth), strict=True))
    samples = [[sample(page, own) for page in two] for own, *two in pages]
    folds = folds_of(truth)
    left_out = [folds[page.id] for page in truth.pages]
    forests = [
        _grown([two for two, own in zip(samples, left_out, strict=True) if own != fold]) for fold in range(FOLDS)
    ]
    FOLDS_FILE.write_bytes(lzma.compress(json.dumps(forests).encode()))
    forest = _grown(samples)
    GROWN_FILE.write_bytes(dump_forest(forest["measures"], re.sub(" +", " ", forest["trees"]), forest["bias"]))
    print(f"{len(samples)} pages; {len(forest['measures'])} measures are asked; {GROWN_FILE} and {FOLDS_FILE} written.")


def folds_of(truth: Truth) -> dict[str, int]:
    """In which fold each page is left out: by a hash of its id, so that it does not hang on which pages are there."""
    return {page.id: zlib.crc32(page.id.encode()) % FOLDS for page in truth.pages}


def held_out() -> list[Forest]:
    """The forests of the folds; the one of each fold has not seen its pages."""
    forests = json.loads(lzma.decompress(FOLDS_FILE.read_bytes()))
    return [read_forest(tuple(own["measures"]), own["trees"], own["bias"]) for own in forests]


def sample(page: Page, truth: PageTruth) -> Sample | None:
    """The blocks of a page with what the truth says of them; None where it shows no text."""
    blocks = text_blocks(page)
    if not len(blocks):
        return None
    measured = measure(blocks)
    content, counts = shares(blocks.texts, truth.text)
    weight = 100 * np.maximum(counts, 1) / ((counts * content).sum() + SMOOTH)
    return Sample(tuple(measured.columns), measured.matrix, content, np.minimum(weight, MOST_WEIGHT))


def shares(texts: Sequence[str], truth: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How much of each text is in the truth, and how many words it has.

    Of four words and more, by shingles; of fewer, by whether they are part of the longest common subsequence.
    """
    numbers: dict[str, int] = {}
    goal = [numbers.setdefault(word, len(numbers)) for word in words(truth)]
    own = [[numbers.setdefault(word, len(numbers)) for word in words(text)] for text in texts]
    known = set(_shingles(goal))
    common = _common([number for text in own for number in text], goal)
    counts = np.array([len(text) for text in own], dtype=np.float64)
    stops = np.cumsum(counts).astype(int).tolist()
    found = [_share(text, known, common[stop - len(text) : stop]) for text, stop in zip(own, stops, strict=True)]
    return np.array(found, dtype=np.float64), counts


def _share(text: Sequence[int], known: set[Shingle], common: npt.NDArray[np.bool_]) -> float:
    """How much of one text is in the truth."""
    if len(text) >= SHINGLE:
        return float(np.mean([own in known for own in _shingles(text)]))
    return float(common.mean()) if text else 0.0


def _shingles(text: Sequence[int]) -> list[Shingle]:
    return [tuple(text[place : place + SHINGLE]) for place in range(len(text) - SHINGLE + 1)]


def _common(text: Sequence[int], goal: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which words of a text are part of the longest common subsequence."""
    common = np.zeros(len(text), dtype=bool)
    for step in LCSseq.opcodes(text, goal):
        if step.tag == "equal":
            common[step.src_start : step.src_end] = True
    return common


def _grown(pages: Sequence[Sequence[Sample | None]]) -> dict[str, Any]:
    """A forest grown on some pages, rendered and static, as plain values."""
    samples = [one for two in pages for one in two if one]
    return grown(
        np.concatenate([one.matrix for one in samples]),
        np.concatenate([one.content for one in samples]),
        np.concatenate([one.weight for one in samples]),
        samples[0].names,
        SETTINGS,
        ROUNDS,
    )


def grown(
    matrix: npt.NDArray[np.float32],
    goal: npt.NDArray[np.float64],
    weight: npt.NDArray[np.float64],
    names: Sequence[str],
    settings: Mapping[str, Any],
    rounds: int,
) -> dict[str, Any]:
    """A forest that tells the goal of each row from its measures, as plain values."""
    import lightgbm  # only those who grow trees have it

    booster = lightgbm.train(dict(settings), lightgbm.Dataset(matrix, goal, weight=weight), rounds)
    trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    asked = sorted({number for tree in trees for number in _asked(tree)})
    place = {number: order for order, number in enumerate(asked)}
    forest: dict[str, Any] = {
        "measures": [names[number] for number in asked],
        "trees": "\n".join(_line(tree, place) for tree in trees),
        "bias": 0.0,
    }
    read = read_forest(tuple(forest["measures"]), forest["trees"], forest["bias"]).likely(matrix[:CHECKED, asked])
    if np.abs(read - booster.predict(matrix[:CHECKED])).max() >= ROUNDED:
        raise SystemExit("grow: the table does not say what the trees say.")
    return forest


def _asked(node: dict[str, Any]) -> set[int]:
    if "leaf_value" in node:
        return set()
    return {node["split_feature"]} | _asked(node["left_child"]) | _asked(node["right_child"])


def _line(tree: dict[str, Any], place: dict[int, int]) -> str:
    """A tree as a line: its questions, each with the leaves that a no leaves open, then its leaves, left to right."""
    leaves: list[float] = []
    questions: list[str] = []

    def walk(node: dict[str, Any]) -> int:
        """Note what is below a node; its leaves as bits."""
        if "leaf_value" in node:
            leaves.append(node["leaf_value"])
            return 1 << (len(leaves) - 1)
        left = walk(node["left_child"])
        # Where no value was missing when it was grown, LightGBM takes a missing one for 0.
        unknown = node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0
        sign = "≤" if unknown else "<"
        questions.append(f"{place[node['split_feature']]}{sign}{node['threshold']:.7g}:{0xFFFF & ~left:x}")
        return left | walk(node["right_child"])

    walk(tree)
    return " ".join(questions) + "|" + " ".join(f"{leaf:.5g}" for leaf in leaves)


if __name__ == "__main__":
    main()
