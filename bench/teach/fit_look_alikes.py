"""`python -m bench.teach.fit_look_alikes [--static] [--data FOLDER]`: weigh what tells records that were left out.

Every list of the sets `lists` and `lists2` is taught by one, two and three of its records, from its first one on and
from its middle. What resembles the records that are then read, and is none of them, is measured in groups; a group is
known to have records if a third of its elements have the words of known records that were not read. As rules rarely
take a part, records are also left out on purpose: those in every container, and of every class, but one, and every
second one.

The weights are fitted on all sites but those of one fold, and judged there; and on one set, and judged on the other.
What is printed for each threshold: of lists read in part the share with a doubt, and of whole ones the share with none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from bench.fitting import Floats, chances, logistic, newton
from bench.frame import Options, program
from bench.lists.items import one_to_one
from bench.lists.pages import LISTS, lists_truth
from bench.lists.records import ListTruth
from bench.pages import rendered, static
from bench.teach.listing_truth import corrected
from bench.teach.listings import CONTAINED, ENOUGH, MOST_TAUGHT, NUMBER, ONE_BY_ONE, WAYS, examples_on, on_page, taught_wrapper
from bench.texts import bag_of
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import View, read_patterns
from sightline.extract.wrappers.patterns._look_alikes import WEIGHTS, look_alikes

MEASURES = tuple(WEIGHTS)
from sightline.page import Page

SETS = (LISTS, "lists2")
PLACES = (0.0, 0.5)  # of a list, where its first example is
KNOWN = 1 / 3  # of a group's elements that have records, from which on it has some
LONGEST = 5  # times as many words as a record, above which an element holds more than one
FOLDS = 10
HELD = 1.0  # of the weights: how much they are held at nothing
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True, eq=False)
class Read:
    """What was read of a list, whether it is whole, and the groups beside it with what is known of them."""

    set: str
    site: str
    is_natural: bool
    is_whole: bool
    rows: Floats
    labels: Floats

    def chance(self, weights: Floats) -> float:
        """That something was left out: of the likeliest group."""
        return float(chances(measures_of(self.rows) @ weights).max()) if len(self.rows) else 0.0


def measures_of(rows: Floats) -> Floats:
    """Rows with a constant."""
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


# ---------------------------------------------------------------- what is known


def reads(options: Options, *, is_static: bool) -> Iterator[Read]:
    """Every list of the sets, taught in several ways."""
    for name in SETS:
        truth = lists_truth(options, of=name)
        for known in map(corrected, truth.known):
            path = truth.folder / known.file
            (page,) = static([path]) if is_static else rendered([path], keep=True)
            yield from _reads_of(name, known, page)


def _reads_of(name: str, known: ListTruth, page: Page) -> Iterator[Read]:
    view = View(page)
    bags = on_page(known, page)
    site = known.id.rpartition("/")[2].partition("#")[0].removesuffix("__1").rpartition("__")[2]
    for place in PLACES:
        start = round(place * (len(known.records) - 1))
        turned = replace(known, records=known.records[start:] + known.records[:start])
        examples = examples_on(turned, page)
        for way in WAYS:
            if len(examples) < NUMBER[way] or (ONE_BY_ONE not in way and NUMBER[way] > 1):
                continue
            try:
                wrapper = taught_wrapper(way, page, examples)
            except UsageError:
                continue
            pattern = wrapper.rules.patterns[0]
            reading = read_patterns(view, wrapper.rules.patterns)
            items = reading.items.get(pattern.name)
            if pattern.flat or items is None or not items.kept or page.is_text[items.kept].any():
                continue
            kept, dropped = (np.array(sorted(several), dtype=np.int64) for several in (items.kept, items.dropped))
            values = [[value.node for value in reading.of(f"{pattern.name}.{one.name}")] for one in pattern.fields]
            values = [nodes for nodes in values if nodes]
            parts = [(True, kept), *((False, part) for part in _parts(view, kept))]
            for is_natural, part in parts if way == WAYS[0] else parts[:1]:
                of = [_within(view, part, nodes) for nodes in values]
                if any(of):
                    yield _read(name, site, is_natural, view, part, dropped, [one for one in of if one], bags)


def _parts(view: View, kept: np.ndarray) -> Iterator[np.ndarray]:
    """Records without those in one container or of one class, the fewest first, and without every second one."""
    for column in (view.page.parent, view.attribute("class"), view.page.path):
        several, counts = np.unique(column[kept], return_counts=True)
        if 1 < len(several):
            for number in several[np.argsort(counts)][:2].tolist():
                yield kept[column[kept] != number]
                yield kept[column[kept] == number]
    if len(kept) > 3:
        yield kept[::2]


def _within(view: View, records: np.ndarray, nodes: Sequence[int]) -> list[int]:
    own = np.array(sorted(set(nodes)), dtype=np.int64)
    place = np.searchsorted(records, own, side="right") - 1
    found: list[int] = own[(place >= 0) & (own < view.page.end[records[place]])].tolist()
    return found


def _read(name, site, is_natural, view, kept, dropped, values, bags) -> Read:  # type: ignore[no-untyped-def]
    taken = set(one_to_one([_held(view, int(node), bags, ()) for node in kept]).values())
    groups = list(look_alikes(view, kept, dropped, values))
    labels = [
        np.mean([bool(_held(view, int(node), bags, taken)) for node in islice(group.nodes, 40)]) >= KNOWN
        for group in groups
    ]
    rows = np.array([group.measures for group in groups], dtype=np.float64).reshape(len(groups), len(MEASURES))
    is_whole = len(taken) >= ENOUGH * len(bags)
    return Read(name, site, is_natural, is_whole, rows, np.array(labels, dtype=np.float64))


def _held(view: View, node: int, bags, without) -> list[int]:  # type: ignore[no-untyped-def]
    """The known records whose words an element has, if it is not much longer; the longest first."""
    own = bag_of([view.text(node)])
    found = [
        (-bag.total(), number)
        for number, bag in enumerate(bags)
        if number not in without
        and bag.total()
        and own.total() <= LONGEST * max(4, bag.total())
        and (bag & own).total() >= CONTAINED * bag.total()
    ]
    return [number for _, number in sorted(found)]


# ---------------------------------------------------------------- fitting and judging


def fitted(several: Sequence[Read]) -> Floats:
    """The weights that make what is known likeliest; every reading counts alike, however many groups it has."""
    some = [one for one in several if len(one.rows)]
    rows = measures_of(np.concatenate([one.rows for one in some]))
    labels = np.concatenate([one.labels for one in some])
    counts = np.concatenate([np.full(len(one.rows), (1.0 if one.is_natural else 0.5)) for one in some])
    held = np.full(rows.shape[1], HELD)
    held[-1] = 0.01
    return newton(np.zeros(rows.shape[1]), held, logistic(rows, labels, counts))


def judged(told: str, chance: Sequence[float], several: Sequence[Read]) -> None:
    """Print what each threshold is worth."""
    for least in THRESHOLDS:
        doubted = [one >= least for one in chance]
        parts = [d for d, one in zip(doubted, several, strict=True) if not one.is_whole]
        whole = [not d for d, one in zip(doubted, several, strict=True) if one.is_whole]
        print(
            f"{told}, {least:g}: {sum(parts)} of {len(parts)} parts are doubted, {sum(whole)} of {len(whole)} are not"
        )


def out_of_fold(several: Sequence[Read]) -> list[float]:
    """For each reading the chance by weights fitted without its site."""
    sites = sorted({one.site for one in several})
    fold = {site: number % FOLDS for number, site in enumerate(sites)}
    weights = [fitted([one for one in several if fold[one.site] != number]) for number in range(FOLDS)]
    return [one.chance(weights[fold[one.site]]) for one in several]


def main() -> None:
    """Fit, judge and print the weights."""
    asked = program(__doc__)
    asked.add_argument("--static", action="store_true", help="only pages as they are parsed")
    given = asked.parse_args()
    options = Options(data=given.data)
    several = [one for way in ((True,) if given.static else (True, False)) for one in reads(options, is_static=way)]
    natural = [number for number, one in enumerate(several) if one.is_natural]
    chance = out_of_fold(several)
    judged("sites left out", [chance[number] for number in natural], [several[number] for number in natural])
    for name in SETS:
        weights = fitted([one for one in several if one.set != name])
        others = [several[number] for number in natural if several[number].set == name]
        judged(f"{name}, fitted on the other set", [one.chance(weights) for one in others], others)
    for measure, weight in zip((*MEASURES, "constant"), fitted(several).tolist(), strict=True):
        print(f'    "{measure}": {weight:.2f},')


assert MOST_TAUGHT >= max(NUMBER.values())

if __name__ == "__main__":
    main()
