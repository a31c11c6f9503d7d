"""Learn of which kind a page is: `python -m bench.about.grow_kinds [--write]`, after `bench.about.grow --write`.

The pages are those of `things`, and of `content` and `content2`, whose kinds were told by hand; each is read twice, as
it is and without anything for machines. What looks like the values of fields is told by models that do not know the
page's site.
"""

import json
import lzma
import pickle
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

import sightline as sl
from bench.about.grow import PACKAGE, SETTINGS, TOLD
from bench.about.samples import bare, kind_of, site_of
from bench.fitting import dealt
from bench.forests import grown
from bench.frame import CACHE, Options, folder_of, program
from sightline.extract.about._candidates import candidates_of
from sightline.extract.about._context import context_of
from sightline.extract.about._kind_model import KIND_MEASURES, LEARNED, kind_measures
from sightline.extract.about._measures import measured
from sightline.extract.about._model import ASKED, likely_values
from sightline.extract.about._said import things_said
from sightline.files import write_bytes
from sightline.trees import read_forest

FOLDS_FILE = Path(__file__).with_name("kind_folds.json.xz")
FOLDS = 5
ROUNDS = 80
ROWS = CACHE / "about-kinds.pickle"
# What the sets call kinds of pages, and what they are here.
KINDS_OF = {
    "article": "article",
    "product": "product",
    "forum": "thread",
    "listing": "list",
    "collection": "list",
    "service": "none",
    "documentation": "none",
}


@dataclass(frozen=True)
class Row:
    """A page as it is or bare: its source, site and kind, and what was measured."""

    source: str
    site: str
    kind: str
    is_bare: bool
    measures: tuple[float, ...]


def main() -> None:
    """Grow and judge the trees."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the trees")
    arguments = parser.parse_args()
    if ROWS.exists():
        rows: list[Row] = pickle.loads(ROWS.read_bytes())
    else:
        rows = list(_rows(Options(data=arguments.data)))
        write_bytes(ROWS, pickle.dumps(rows))
    fold = dealt((row.site for row in rows), FOLDS, seed=1)
    folds = np.array([fold[row.site] for row in rows])
    chances = np.zeros((len(rows), len(LEARNED)))
    kept = []
    for number in range(FOLDS):
        models = _models([row for row, own in zip(rows, folds, strict=True) if own != number])
        kept.append(models)
        held = np.flatnonzero(folds == number)
        chances[held] = _likely(models, [rows[place] for place in held])
    _tell(rows, chances)
    if arguments.write:
        write_bytes(PACKAGE / "kinds.json", orjson.dumps(_models(rows)) + b"\n")
        write_bytes(FOLDS_FILE, lzma.compress(orjson.dumps({"fold": fold, "models": kept})))


def _models(rows: Sequence[Row]) -> dict[str, Any]:
    matrix = np.array([row.measures for row in rows], dtype=np.float32)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        counts[row.kind, row.site] += 1
    weight = np.array([counts[row.kind, row.site] ** -0.5 for row in rows])
    models = {}
    for kind in LEARNED:
        goal = np.array([float(row.kind == kind) for row in rows])
        forest = grown(matrix, goal, weight, KIND_MEASURES, SETTINGS, ROUNDS)
        models[kind] = {"names": forest["names"], "bias": forest["bias"], "trees": forest["trees"].split("\n")}
    return models


def _likely(models: Mapping[str, Any], rows: Sequence[Row]) -> npt.NDArray[np.float64]:
    matrix = np.array([row.measures for row in rows], dtype=np.float32)
    columns = []
    for kind in LEARNED:
        one = models[kind]
        forest = read_forest(tuple(one["names"]), "\n".join(one["trees"]), one["bias"])
        columns.append(forest.likely(matrix[:, [KIND_MEASURES.index(name) for name in forest.names]]))
    return np.array(columns).T


def _tell(rows: Sequence[Row], chances: npt.NDArray[np.float64]) -> None:
    told: dict[tuple[str, str, bool], list[bool]] = defaultdict(list)
    wrong: dict[tuple[str, str, str], int] = defaultdict(int)
    for row, own in zip(rows, chances, strict=True):
        best = LEARNED[int(own.argmax())]
        told[row.source, row.kind, row.is_bare].append(best == row.kind)
        if best != row.kind:
            wrong[row.source, row.kind, best] += 1
    for (source, kind, is_bare), right in sorted(told.items()):
        print(f"{source} {kind} {'bare' if is_bare else 'whole'}: {np.mean(right):.3f} of {len(right)}")
    print(sorted(wrong.items(), key=lambda pair: -pair[1])[:12])


def _rows(options: Options) -> Iterator[Row]:
    told = pickle.loads(TOLD.read_bytes())
    for name in ("things", "content", "content2"):
        folder = folder_of(name, options)
        for line in (folder / "truth.jsonl").read_text("utf-8").strip("\n").split("\n"):
            page = json.loads(line)
            kind = page.get("kind") or KINDS_OF.get(page.get("type"))
            html = (folder / page["file"]).read_bytes()
            if kind is None:
                continue
            id = page["id"] if name == "things" else f"{name}/{Path(page['file']).stem}"
            whole = sl.open(html, static=True, url=page["url"])
            if name != "things" and kind_of(things_said(whole)) == "recipe":
                kind = "recipe"
            site = page.get("site") or site_of(page["url"])
            for is_bare in (False, True):
                opened = sl.open(bare(html), static=True, url=page["url"]) if is_bare else whole
                yield Row(name, site, kind, is_bare, tuple(_measures(opened, id, told)))


def _measures(page: sl.Page, id: str, told: Mapping[str, Mapping[str, npt.NDArray[np.float64]]]) -> list[float]:
    found = candidates_of(page)
    if not len(found):
        return kind_measures(page, things_said(page), found, {name: np.zeros(0) for name in ASKED})
    context, matrix = context_of(found), measured(found)
    likely = likely_values(found, context, matrix)
    for name in ASKED:
        unseen = told[name].get(id)
        if unseen is not None and len(unseen) == len(found):
            likely[name] = unseen
    return kind_measures(page, things_said(page), found, likely)


if __name__ == "__main__":
    main()
