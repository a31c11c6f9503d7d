"""`python -m bench.teach.fit_strangers [--write]`: fit what gives away a value that isn't its field's.

The sites of both sets are taught by one page and by three; the others are read as they are, with the rows of their
tables and lists turned round, and with one field taken away from each page (see `bench.teach.remade_pages`). Every
value read is a row: its clues, and whether it is true. The weights make the truth likeliest, each held near nothing,
every site counting as much as another. Printed for each bound of the chance: the share of values that are wrong and
said to be ok, and the share of pages without an error that are doubted by it, with folds of whole sites; and what
each clue is worth. `--write` writes the weights to the package.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from bench.fitting import Bools, Floats, chances, dealt, logistic, newton
from bench.frame import Options, folder_of
from bench.induce.columns import key
from bench.induce.sites import SETS, listing, site_of
from bench.teach.lessons import TaughtSite
from bench.teach.remade_pages import KS, PAGES, rewritten
from bench.teach.ways import taught
from sightline.extract.wrappers import Wrapper
from sightline.extract.wrappers.patterns import View, _stranger, read_patterns, verify_reading
from sightline.extract.wrappers.patterns._stranger import CLUES, MOST_VALUES, acquainted, clues_of

WAYS = ("same", "rows", "gone")
FOLDS = 10
HELD = 1.0
SITE = 100.0  # the weight of all values of a site
LONGEST_STEP = 2.0
BOUNDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
WEIGHTS = Path(_stranger.__file__).with_name("_stranger_weights.py")


@dataclass(frozen=True)
class Row:
    """A value that was read: where, in which page made anew in which way, its clues, and whether it is wrong."""

    site: str
    page: str
    way: str
    is_ok: bool
    clues: Floats
    is_wrong: bool


@dataclass(frozen=True)
class Told:
    """What a bound gives: the share of wrong values said to be ok, by way, and of good pages that are doubted."""

    wrong: dict[str, float]
    doubted: float


def read_rows(options: Options) -> Iterator[Row]:
    """The values of all pages, in all ways."""
    for name in SETS:
        folder = folder_of(name, options)
        for entry in listing(folder):
            own = TaughtSite(site_of(folder, entry), entry.get("standing") or {})
            for k in KS:
                wrapper = taught(own.site.name, own.job(k).examples) if k in own.ks else None
                if wrapper is not None:
                    yield from _rows_of(own, k, wrapper)


def _rows_of(own: TaughtSite, k: int, wrapper: Wrapper) -> Iterator[Row]:
    site, rules = own.site, wrapper.rules
    asked = {name for example in own.job(k).examples for name in example.fields}
    known = acquainted(rules.profile.fields)
    names = [name for name in own.test if any(site.truth[name].fields.values())][:PAGES]
    for (place, name), way in ((one, way) for one in enumerate(names) for way in WAYS):
        page, truth = rewritten(site.paths([name])[0].read_bytes(), site.truth[name], way, place)
        view = View(page)
        reading = read_patterns(view, rules.patterns)
        is_ok = verify_reading(view, rules.patterns, reading, rules.profile).verdict == "ok"
        for field in asked & set(known):
            wanted = {key(text) for text in truth.fields.get(field, ())}
            for value in reading.of(field)[:MOST_VALUES]:
                clues = clues_of(view, known[field], value.node, value.text)
                yield Row(site.name, f"{name} {k} {way}", way, is_ok, clues, key(value.text) not in wanted)


# ---------------------------------------------------------------- fitting


def fitted(rows: Sequence[Row], clues: Sequence[int]) -> Floats:
    """The weights of some clues, and of being a value at all."""
    sites = [row.site for row in rows]
    count = {site: sites.count(site) for site in set(sites)}
    weights = np.array([SITE / count[site] for site in sites])
    measures, wrong = _measures(rows, clues), np.array([row.is_wrong for row in rows], dtype=float)
    size = len(clues) + 1
    return newton(np.zeros(size), np.full(size, HELD), logistic(measures, wrong, weights), longest=LONGEST_STEP)


def _measures(rows: Sequence[Row], clues: Sequence[int]) -> Floats:
    return np.array([[*row.clues[list(clues)], 1.0] for row in rows])


def out_of_fold(rows: Sequence[Row], clues: Sequence[int]) -> Floats:
    """The chance that each value is wrong, told without its site."""
    fold = dealt((row.site for row in rows), FOLDS, seed=0)
    own = np.array([fold[row.site] for row in rows])
    found = np.zeros(len(rows))
    for left_out in range(FOLDS):
        inside = own == left_out
        weights = fitted([row for row, is_inside in zip(rows, inside, strict=True) if not is_inside], clues)
        some = [row for row, is_inside in zip(rows, inside, strict=True) if is_inside]
        found[inside] = chances(_measures(some, clues) @ weights)
    return found


def told(rows: Sequence[Row], chance: Floats, bound: float) -> Told:
    """What a bound of the chance would give."""
    pages = np.array([f"{row.site} {row.page}" for row in rows])
    is_ok, wrong = (np.array([getattr(row, name) for row in rows]) for name in ("is_ok", "is_wrong"))
    ways = np.array([row.way for row in rows])
    doubted = np.isin(pages, pages[chance >= bound])
    left = is_ok & ~doubted
    good = is_ok & ~np.isin(pages, pages[wrong])
    shares = {way: _mean(wrong[left & (ways == way)]) for way in WAYS}
    return Told({**shares, "all": _mean(wrong[left])}, len(set(pages[good & doubted])) / len(set(pages[good])))


def _mean(values: Bools) -> float:
    return float(values.mean()) if len(values) else 0.0


def main() -> None:
    """Print the figures, and write the weights if asked to."""
    rows = list(read_rows(Options()))
    every = range(len(CLUES))
    say = partial(print, flush=True)
    say(f"{len(rows)} values; as it is: {told(rows, np.zeros(len(rows)), 1.0)}")
    chance = out_of_fold(rows, every)
    in_fold = chances(_measures(rows, every) @ fitted(rows, every))
    for bound in BOUNDS:
        say(f"{bound}: out of fold {told(rows, chance, bound)}; in fold {told(rows, in_fold, bound)}")
    if "--ablate" in sys.argv:
        for left_out in every:
            some = [place for place in every if place != left_out]
            say(f"without “{CLUES[left_out]}”: {told(rows, out_of_fold(rows, some), _stranger.LIKELY)}")
    if "--write" in sys.argv:
        weights = dict(zip((*CLUES, _stranger.BIAS), fitted(rows, every).round(3).tolist(), strict=True))
        lines = [f'    "{name}": {weight},' for name, weight in weights.items()]
        head = '"""The weights of the clues for strangers, written by `bench/teach/fit_strangers.py`."""'
        WEIGHTS.write_text("\n".join([head, "", "STRANGER_WEIGHTS = {", *lines, "}", ""]), "utf-8")


if __name__ == "__main__":
    main()
