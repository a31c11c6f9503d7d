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
from sightline.extract.about._kind_model import FIELDS, KIND_MEASURES, LEARNED, field_measures, page_measures
from sightline.extract.about._model import ASKED, FieldLikelihoods
from sightline.extract.about._said import things_said
from sightline.files import write_bytes
from sightline.trees import read_forest

FOLDS_FILE = Path(__file__).with_name("kind_folds.json.xz")
FOLDS = 5
AS_GOOD = 0.0005  # a first sight that costs more than this is not worth its time
SURE = (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99)
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
        ROWS.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(ROWS, pickle.dumps(rows))
    fold = dealt((row.site for row in rows), FOLDS, seed=1)
    folds = np.array([fold[row.site] for row in rows])
    first, chances = (np.zeros((len(rows), len(LEARNED))) for _ in range(2))
    kept = []
    for number in range(FOLDS):
        models = _models([row for row, own in zip(rows, folds, strict=True) if own != number])
        kept.append(models)
        held = np.flatnonzero(folds == number)
        own = [rows[place] for place in held]
        first[held], chances[held] = _likely(models["first"], own, FIELDS), _likely(models["all"], own, 0)
    _tell(rows, chances)
    sure = _sure(rows, first, chances)
    seen = _at_first_sight(rows, first, sure)
    print(f"told at first sight from {sure} on: {seen.mean():.3f} of the pages; then all together")
    _tell(rows, np.where(seen[:, None], first, chances))
    if arguments.write:
        write_bytes(PACKAGE / "kinds.json", orjson.dumps({**_models(rows), "sure": sure}) + b"\n")
        write_bytes(FOLDS_FILE, lzma.compress(orjson.dumps({"fold": fold, "models": kept, "sure": sure})))


def _models(rows: Sequence[Row]) -> dict[str, Any]:
    """The trees of each kind: those that know nothing of the fields, and those that do."""
    matrix = np.array([row.measures for row in rows], dtype=np.float32)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        counts[row.kind, row.site] += 1
    weight = np.array([counts[row.kind, row.site] ** -0.5 for row in rows])
    models: dict[str, Any] = {"first": {}, "all": {}}
    for kind in LEARNED:
        goal = np.array([float(row.kind == kind) for row in rows])
        for name, start in (("first", FIELDS), ("all", 0)):
            forest = grown(matrix[:, start:], goal, weight, KIND_MEASURES[start:], SETTINGS, ROUNDS)
            models[name][kind] = {**forest, "trees": forest["trees"].split("\n")}
    return models


def _likely(models: Mapping[str, Any], rows: Sequence[Row], start: int) -> npt.NDArray[np.float64]:
    matrix = np.array([row.measures for row in rows], dtype=np.float32)[:, start:]
    columns = []
    for kind in LEARNED:
        one = models[kind]
        forest = read_forest(tuple(one["names"]), "\n".join(one["trees"]), one["bias"])
        columns.append(forest.likely(matrix[:, [KIND_MEASURES[start:].index(name) for name in forest.names]]))
    return np.array(columns).T


def _sure(rows: Sequence[Row], first: npt.NDArray[np.float64], chances: npt.NDArray[np.float64]) -> float:
    """The least bound from which on pages of every kind, whole and bare, are on average about most often right.

    A kind counts as one, however many of its pages are there: most are articles, which a first sight tells best.
    """
    kinds = np.array([LEARNED.index(row.kind) for row in rows])
    groups = np.unique([2 * kind + row.is_bare for kind, row in zip(kinds, rows, strict=True)], return_inverse=True)[1]
    sizes = np.bincount(groups)

    def right(told: npt.NDArray[np.float64]) -> float:
        return float((np.bincount(groups, told.argmax(axis=1) == kinds) / sizes).mean())

    for bound in SURE:
        seen = _at_first_sight(rows, first, bound)
        print(
            f"   {bound}: {seen.mean():.3f} at first sight, {right(np.where(seen[:, None], first, chances)):.4f} right"
        )
    rights = [right(np.where(_at_first_sight(rows, first, bound)[:, None], first, chances)) for bound in SURE]
    return next(bound for bound, one in zip(SURE, rights, strict=True) if one >= max(rights) - AS_GOOD)


def _at_first_sight(rows: Sequence[Row], first: npt.NDArray[np.float64], bound: float) -> npt.NDArray[np.bool_]:
    """Which pages are told at first sight: those that describe something, and of which it is sure enough."""
    place = KIND_MEASURES.index("says anything")
    return np.array([row.measures[place] > 0 for row in rows]) & (first.max(axis=1) >= bound)


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
    likely = dict(FieldLikelihoods(found))
    for name in ASKED:
        unseen = told[name].get(id)
        if unseen is not None and len(unseen) == len(found):
            likely[name] = unseen
    return [*field_measures(likely), *page_measures(page, things_said(page), found)]


if __name__ == "__main__":
    main()
