"""Growing the model that tells content from the rest: `python -m bench.content.grow`.

Needs LightGBM (the dependency group `grow`). It writes `forest.json` and `kinds.json` of the package, from all pages,
and `folds.json.xz` beside this file: five models, each grown without a fifth of the *domains*, by which
`python -m bench content` reads pages of sites that their model has never seen.
"""

import json
import lzma
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import orjson
from rapidfuzz.distance import LCSseq
from rich.progress import track

from bench.content.pages import FOLDS, PageTruth, Truth, read_articles, read_snippets, read_truth
from bench.content.scores import words
from bench.forests import SAME_EACH_TIME, grown
from bench.frame import Options, program
from bench.pages import rendered, static
from sightline.extract.content._measures import measure
from sightline.extract.content._model import PAGE_KINDS, ContentModel, page_measures, read_kinds
from sightline.files import write_bytes
from sightline.page import Page
from sightline.signals import TextBlocks, text_blocks
from sightline.trees import dump_forest, read_forest

Shingle: TypeAlias = tuple[int, ...]

HERE = Path(__file__).parent
FOLDS_FILE = HERE / "folds.json.xz"
PACKAGE = HERE.parents[1] / "src/sightline/extract/content"
SHINGLE = 4  # words, as in the scores
ASKED = re.compile(r"\d+(?=[<≤])")  # the number of the measure that a question asks for
# Of some twenty settings that were tried over five folds, all within 0.01 of F1, one of the best two; 16 leaves are
# what fits into the 16 bits of `Forest`.
ROUNDS = 140
SETTINGS = {
    "objective": "cross_entropy",
    "learning_rate": 0.13,
    "num_leaves": 16,
    "min_data_in_leaf": 60,
    "max_bin": 63,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.5,
    "bagging_freq": 1,
    "lambda_l2": 5,
    **SAME_EACH_TIME,
}
# Pages are few, and what is known of each is much: small trees, which ask for a tenth of it at a time.
KIND_ROUNDS = 100
KIND_SETTINGS = SETTINGS | {"learning_rate": 0.1, "num_leaves": 4, "min_data_in_leaf": 20, "feature_fraction": 0.1}
MOST_WEIGHT = 3.0  # per cent of the content of its page that a block may count for; long ones would crowd out the rest
SMOOTH = 50  # words, so that pages with next to no content do not weigh more than others
SNIPPET_WEIGHT = 1.0  # of a block that a snippet is in; those of which nothing is known weigh nothing


@dataclass(frozen=True, eq=False)
class Sample:
    """The blocks of a page: what is measured of them, how much of each is content, and what they weigh."""

    fold: int
    kind: str
    names: tuple[str, ...]
    matrix: npt.NDArray[np.float32]
    content: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]
    whole: Mapping[str, float]


def main() -> None:
    """Grow all models and write them."""
    parser = program(__doc__)
    arguments = parser.parse_args()
    samples = _samples(Options(data=arguments.data))
    models = [_model(samples, leave_out=fold) for fold in track(range(FOLDS), "growing without a fold")]
    write_bytes(FOLDS_FILE, lzma.compress(json.dumps(models).encode()))
    model = _model(samples, leave_out=None)
    write_bytes(PACKAGE / "forest.json", dump_forest(**model["blocks"]))
    write_bytes(PACKAGE / "kinds.json", orjson.dumps(model["kinds"]) + b"\n")
    asked = len(model["blocks"]["names"])
    print(f"{len(samples)} pages; {asked} measures are asked; written to {PACKAGE} and {FOLDS_FILE}.")


def folds_of(truth: Truth) -> dict[str, int]:
    """In which fold each page is left out."""
    return {page.id: page.fold for page in truth.pages}


def held_out() -> list[ContentModel]:
    """The models of the folds; the one of each fold has not seen its domains."""
    models = json.loads(lzma.decompress(FOLDS_FILE.read_bytes()))
    return [
        ContentModel(
            read_forest(tuple(own["blocks"]["names"]), own["blocks"]["trees"], own["blocks"]["bias"]),
            read_kinds(own["kinds"]),
        )
        for own in models
    ]


# ---------------------------------------------------------------------- samples


def _samples(options: Options) -> Sequence[Sample]:
    """The pages of all sets, static and rendered; a page that is in two sets is taken once."""
    found: list[Sample] = []
    known: set[str] = set()
    sets = (
        *(read_truth(options), read_truth(options, set_name="content"), read_snippets(options)),
        read_articles(options),
    )
    for truth in sets:
        fresh = [place for place, page in enumerate(truth.pages) if not page.url or page.url not in known]
        known |= {page.url for page in truth.pages}
        part = Truth(truth.folder, tuple(truth.pages[place] for place in fresh), truth.listed)
        for is_rendered, pages in ((False, static(part.files)), (True, rendered(part.files, keep=True))):
            pairs = list(zip(pages, part.pages, strict=True))
            told = track(pairs, f"{truth.corpus.name}, {'rendered' if is_rendered else 'static'}")
            found.extend(one for page, own in told if (one := sample(page, own)))
    return found


def sample(page: Page, truth: PageTruth) -> Sample | None:
    """The blocks of a page with what the truth says of them; None where it shows no text."""
    blocks = text_blocks(page)
    if not len(blocks):
        return None
    measured = measure(blocks)
    content, weight = _by_text(blocks, truth) if truth.has_text else _by_snippets(blocks, truth)
    whole = page_measures(page, measured)
    return Sample(truth.fold, truth.type, tuple(measured.columns), measured.matrix, content, weight, whole)


def _by_text(blocks: TextBlocks, truth: PageTruth) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    content, counts = shares(blocks.texts, truth.text)
    weight = 100 * np.maximum(counts, 1) / ((counts * content).sum() + SMOOTH)
    return content, np.minimum(weight, MOST_WEIGHT)


def _by_snippets(blocks: TextBlocks, truth: PageTruth) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """What snippets say: a block with an unwanted one is none; one with a wanted one is content if it is the only one.

    A wanted snippet in several blocks does not tell which of them was meant.
    """
    content, weight = np.zeros(len(blocks)), np.zeros(len(blocks))
    for snippet in truth.absent:
        weight[_rows_with(blocks, snippet)] = SNIPPET_WEIGHT
    for snippet in truth.present:
        rows = _rows_with(blocks, snippet)
        if len(rows) == 1:
            content[rows], weight[rows] = 1.0, SNIPPET_WEIGHT
    return content, weight


def _rows_with(blocks: TextBlocks, snippet: str) -> list[int]:
    said = " ".join(snippet.split())
    return [row for row, text in enumerate(blocks.texts) if said and said in text]


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


# ---------------------------------------------------------------------- models


def _model(samples: Sequence[Sample], leave_out: int | None) -> dict[str, Any]:
    """A model grown on the pages of all folds but one, as plain values."""
    own = [one for one in samples if one.fold != leave_out]
    blocks = grown(
        np.concatenate([one.matrix[one.weight > 0] for one in own]),
        np.concatenate([one.content[one.weight > 0] for one in own]),
        np.concatenate([one.weight[one.weight > 0] for one in own]),
        own[0].names,
        SETTINGS,
        ROUNDS,
    )
    return {"blocks": blocks, "kinds": _kinds([one for one in own if one.kind in PAGE_KINDS])}


def _kinds(samples: Sequence[Sample]) -> dict[str, Any]:
    """A forest for each kind of page, grown on pages whose kind is known."""
    names = tuple(samples[0].whole)
    table = np.array([[one.whole[name] for name in names] for one in samples], dtype=np.float32)
    even = np.ones(len(samples))
    goals = {kind: np.array([float(one.kind == kind) for one in samples]) for kind in PAGE_KINDS}
    forests = {kind: grown(table, goal, even, names, KIND_SETTINGS, KIND_ROUNDS) for kind, goal in goals.items()}
    return joined(forests)


def joined(forests: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Forests as one: their trees one after another, with one list of measures for all, and how many each has.

    >>> joined({"a": {"names": ["x"], "trees": "0<1:2|1 2"}, "b": {"names": ["y", "x"], "trees": "1<1:2|1 2"}})["trees"]
    ['0<1:2|1 2', '0<1:2|1 2']
    """
    names = list(dict.fromkeys(name for own in forests.values() for name in own["names"]))
    place = {name: number for number, name in enumerate(names)}
    trees, sizes = [], {}
    for kind, own in forests.items():
        lines = own["trees"].split("\n")
        trees += [_renumbered(line, [place[name] for name in own["names"]]) for line in lines]
        sizes[kind] = len(lines)
    return {"measures": names, "trees": trees, "sizes": sizes}


def _renumbered(tree: str, numbers: Sequence[int]) -> str:
    """A tree that asks for its measures by other numbers."""
    return ASKED.sub(lambda found: str(numbers[int(found[0])]), tree)


if __name__ == "__main__":
    main()
