"""Fit what was added to the score of tables, by folds over domains: `python -m bench.tables.fit_score`.

Grids are those found on the pages of the set `tables`, labelled by its truth, and on pages of the sets `content2` and
`lists`, labelled by eye (`labels.json`). The weights of before stay as they are; those of the parts in `ADDED` are
fitted by logistic regression with a penalty. No two folds share a domain; each page of the set `tables` is one.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from bench.fitting import logistic, newton
from bench.frame import Options, folder_of, program
from bench.pages import loaded, rendered
from bench.tables.adjacency import Found, nearest_of, score
from bench.tables.pages import read_truth
from sightline.arrays import FloatArray
from sightline.extract.tables import TableSettings
from sightline.extract.tables._draft import PageTexts
from sightline.extract.tables._evidence import BIAS, WEIGHTS, measure_drafts
from sightline.extract.tables._find import LEAST_SCORE, _Search
from sightline.page import Page

ADDED = ("guiding", "items", "menu")
FOLDS = 5
PENALTIES = (0.03, 0.1, 0.3, 1.0)
NAMES = tuple(WEIGHTS)
# The fit begins with the weights in force, the parts that were added left out.
START = WEIGHTS | dict.fromkeys(ADDED, 0.0)
LABELS = Path(__file__).with_name("labels.json")


@dataclass(frozen=True, eq=False)
class Grid:
    """A grid found on a page: its domain, its parts of the score, and its label."""

    domain: str
    parts: tuple[float, ...]
    is_table: bool


def main() -> None:
    """Fit on all domains and in folds, and print weights and shares."""
    parser = program(__doc__)
    arguments = parser.parse_args()
    options = Options(data=arguments.data, keep_pages=True)
    grids = [*_of_tables(options), *_of_others(options)]
    parts = np.array([(*grid.parts, 1.0) for grid in grids])
    labels = np.array([grid.is_table for grid in grids], dtype=float)
    folds = np.array([crc32(grid.domain.encode()) % FOLDS for grid in grids])
    start = np.array([*(START[name] for name in NAMES), BIAS])
    print(f"{len(grids)} grids of {len({grid.domain for grid in grids})} domains, {int(labels.sum())} of them tables")
    print("before", _told(parts @ start, labels))
    in_force = np.array([*(WEIGHTS[name] for name in NAMES), BIAS])
    print("in force", _told(parts @ in_force, labels))
    for penalty in PENALTIES:
        weights = _fitted(parts, labels, start, penalty)
        outside = np.zeros(len(grids))
        for fold in range(FOLDS):
            inside = folds != fold
            outside[~inside] = parts[~inside] @ _fitted(parts[inside], labels[inside], start, penalty)
        print(f"penalty {penalty}: in fold", _told(parts @ weights, labels))
        print(f"penalty {penalty}: out of fold", _told(outside, labels))
        print({name: round(float(weights[NAMES.index(name)]), 2) for name in ADDED})


def _fitted(parts: FloatArray, labels: FloatArray, start: FloatArray, penalty: float) -> FloatArray:
    """Logistic regression of the labels on the parts that were added, by Newton's method with a penalty."""
    free = [NAMES.index(name) for name in ADDED]
    loss = logistic(parts[:, free], labels, known=parts @ start)
    weights = start.copy()
    weights[free] = newton(np.zeros(len(free)), np.full(len(free), penalty), loss)
    return weights


def _told(scores: FloatArray, labels: FloatArray) -> str:
    chance = 1 / (1 + np.exp(-scores))
    kept = chance >= LEAST_SCORE
    recall, precision = kept[labels > 0].mean(), labels[kept].mean()
    loss = -np.log(np.where(labels > 0, chance, 1 - chance).clip(1e-9)).mean()
    others = int(kept[labels == 0].sum())
    return f"tables kept {recall:.4f}, tables among the kept {precision:.4f}, others kept {others}, loss {loss:.4f}"


# ---------------------------------------------------------------------- grids


def _grids(page: Page) -> list[tuple[tuple[float, ...], Found]]:
    """All grids of a page that no better reading replaces, whatever they score: their parts, and the table."""
    search = _Search(PageTexts(page), None, TableSettings(least_score=0.0))
    parts = measure_drafts(search.drafts)
    found = []
    for number in search.kept:
        table = search.table(number)
        own = tuple(parts[number][name] for name in NAMES)
        found.append((own, Found(table.rows, table.header_rows)))
    return found


def _of_tables(options: Options) -> Iterator[Grid]:
    """The grids of the set `tables`: those that fit a true table, and, where all of these are known, the others."""
    truth = read_truth(options)
    for page_truth, page in zip(truth.pages, rendered(truth.files, keep=True), strict=True):
        grids = _grids(page)
        scored = score(page_truth, [found for _, found in grids])
        hits, wrong = {one.partner for one in scored.tables if one.is_found}, set(scored.wrong)
        for place, (parts, _) in enumerate(grids):
            known = page_truth.is_complete or nearest_of(page_truth, grids[place][1].bag)[0] == "layout"
            if place in hits or (known and place in wrong):
                yield Grid(page_truth.id, parts, place in hits)


def _of_others(options: Options) -> Iterator[Grid]:
    """The grids of other pages; what has no label scored too little to be looked at, and is no table."""
    for name, pages in json.loads(LABELS.read_text("utf-8")).items():
        folder = folder_of(name, options)
        for labels, page in zip(pages.values(), loaded([folder / file for file in pages]), strict=True):
            for parts, found in _grids(page):
                label = labels["grids"].get(_key(found), "none")
                if label != "unsure":
                    yield Grid(labels["domain"], parts, label == "table")


def _key(found: Found) -> str:
    """What a grid is known by: its first texts."""
    return " ".join(" ".join(text for row in found.rows for text in row).split())[:60]


if __name__ == "__main__":
    main()
