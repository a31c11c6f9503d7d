"""Growing the trees that tell tables of PDFs from the rest: `python -m bench.pdf.grow_tables`.

Needs LightGBM (the dependency group `grow`), and Debian's `apt-get download` for the manuals, which are kept. With
`--write` it writes `tables.json` of the package, and `folds_tables.json.xz` beside this file: for each fold trees that
were grown without it, by which `python -m bench pdf` reads the tables of `twins`. Folds are of families: a tool chain,
a package, a document of the competition, a style.
"""

import json
import lzma
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.fitting import dealt
from bench.forests import grown
from bench.frame import CACHE, Options, program
from bench.packages import download
from bench.pdf.areas import AreaSample, known_areas, of_manuals
from sightline.extract.structure._table_measures import AREA_MEASURES, LEAST_LIKELY
from sightline.files import write_bytes
from sightline.trees import Forest, dump_forest, read_forest

HERE = Path(__file__).parent
FOLDS_FILE = HERE / "folds_tables.json.xz"
PACKAGE = HERE.parents[1] / "src/sightline/extract/structure"
MANUALS = CACHE / "pdf-manuals"
PACKAGES = HERE / "manuals.txt"
FOLDS = 8
WORKERS = 2
ROUNDS = 200
SETTINGS = {
    "objective": "cross_entropy",
    "learning_rate": 0.08,
    "num_leaves": 8,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.2,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "verbose": -1,
    "num_threads": 1,
    "seed": 1,
    "deterministic": True,
}
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)
Matrix = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]


def main() -> None:
    """Gather the samples, tell how well trees judge families and sources they have not seen, and write the trees."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the trees")
    parser.add_argument("--manuals", type=Path, default=MANUALS, help="folder of unpacked packages")
    arguments = parser.parse_args()
    samples = gathered(Options(data=arguments.data), arguments.manuals)
    print(len(samples), "areas:", dict(Counter((one.source, one.is_table) for one in samples)))
    fold = dealt((one.family for one in samples), FOLDS, seed=1)
    models = [_forest([one for one in samples if fold[one.family] != number]) for number in range(FOLDS)]
    chance = np.array([_likely(models[fold[one.family]], [one])[0] for one in samples])
    for least in THRESHOLDS:
        print(f"out of fold, at least {least}:", _told(samples, chance >= least))
    for source in dict.fromkeys(one.source for one in samples):
        own = [one for one in samples if one.source == source]
        model = _forest([one for one in samples if one.source != source])
        print(f"out of set, {source}:", _told(own, _likely(model, own) >= LEAST_LIKELY))
    whole = _forest(samples)
    print("in fold:", _told(samples, _likely(whole, samples) >= LEAST_LIKELY))
    if arguments.write:
        write_bytes(PACKAGE / "tables.json", dump_forest(**whole))
        families = {one.family: fold[one.family] for one in samples}
        write_bytes(FOLDS_FILE, lzma.compress(json.dumps({"fold": families, "models": models}).encode()))


def gathered(options: Options, manuals: Path) -> list[AreaSample]:
    """The samples of all sets and of all manuals."""
    download(manuals, PACKAGES.read_text("utf-8").split())
    found = list(known_areas(options))
    folders = sorted(path for path in manuals.iterdir() if path.is_dir())
    with ProcessPoolExecutor(WORKERS) as pool:
        for several in pool.map(of_manuals, folders):
            found += several
    return found


def held_out() -> tuple[Mapping[str, int], list[Forest]]:
    """The fold of each family, and the trees that were grown without each fold."""
    document = json.loads(lzma.decompress(FOLDS_FILE.read_bytes()))
    return document["fold"], [_read(model) for model in document["models"]]


def _read(model: Mapping[str, Any]) -> Forest:
    return read_forest(tuple(model["names"]), model["trees"], model["bias"])


def _forest(samples: Sequence[AreaSample]) -> dict[str, Any]:
    """Trees grown on some samples; the more a document has, the less each of its areas counts."""
    counts = Counter(one.document for one in samples)
    weight = np.array([counts[one.document] ** -0.5 for one in samples])
    goal = np.array([one.shared for one in samples])
    return grown(_matrix(samples), goal, weight / weight.mean(), tuple(AREA_MEASURES), SETTINGS, ROUNDS)


def _matrix(samples: Sequence[AreaSample]) -> Matrix:
    return np.array([one.measures for one in samples], dtype=np.float32)


def _likely(model: Mapping[str, Any], samples: Sequence[AreaSample]) -> Floats:
    forest = _read(model)
    places = [list(AREA_MEASURES).index(name) for name in forest.names]
    return forest.likely(_matrix(samples)[:, places])


def _told(samples: Sequence[AreaSample], taken: Iterable[bool]) -> str:
    """Of each source, how many tables are taken for one, and how many other areas are."""
    right: Counter[tuple[str, bool]] = Counter()
    for one, is_taken in zip(samples, taken, strict=True):
        right[one.source, one.is_table] += bool(is_taken)
    counts = Counter((one.source, one.is_table) for one in samples)
    return "; ".join(
        f"{source} {right[source, True]} of {counts[source, True]}, "
        f"wrongly {right[source, False]} of {counts[source, False]}"
        for source in dict.fromkeys(one.source for one in samples)
    )


if __name__ == "__main__":
    main()
