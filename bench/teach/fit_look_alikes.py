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

import numpy as np

from bench.fitting import Floats, chances, dealt, logistic, newton
from bench.frame import Options, program
from bench.lists.items import Bag, one_to_one
from bench.lists.pages import LISTS, lists_truth
from bench.lists.records import ListTruth
from bench.pages import rendered, static
from bench.teach.listing_truth import corrected
from bench.teach.listings import (
    CONTAINED,
    ENOUGH,
    NUMBER,
    ONE_BY_ONE,
    WAYS,
    Texts,
    examples_on,
    on_page,
    taught_wrapper,
)
from bench.texts import bag_of
from sightline.arrays import LongArray
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import View, read_patterns
from sightline.extract.wrappers.patterns._look_alikes import WEIGHTS, look_alikes
from sightline.page import Page

MEASURES = tuple(WEIGHTS)
SETS = (LISTS, "lists2")
PLACES = (0.0, 0.5)  # of a list, where its first example is
KNOWN = 1 / 3  # of a group's elements that have records, from which on it has some
LONGEST, FEWEST = 5, 4  # times as many words as a record, or as so many, above which an element holds more than one
LEAST_HALVED = 4  # records of which every second one is left out
JUDGED = 40  # elements of a group whose words are compared
FOLDS = 10
HELD = 1.0  # of the weights: how much they are held at nothing
MADE = 0.5  # how much a reading counts in which records were left out on purpose
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
    judging = _Judging(name, site_of_list(known), View(page), on_page(known, page))
    for place in PLACES:
        start = round(place * (len(known.records) - 1))
        turned = replace(known, records=known.records[start:] + known.records[:start])
        examples = examples_on(turned, page)
        for way in (way for way in WAYS if NUMBER[way] == 1 or way.endswith(ONE_BY_ONE)):
            if len(examples) >= NUMBER[way]:
                yield from _read_by(judging, way, page, examples)


def site_of_list(known: ListTruth) -> str:
    """The site that a list is from: two lists of a page are of one."""
    return known.id.rpartition("/")[2].partition("#")[0].removesuffix("__1").rpartition("__")[2]


def _read_by(judging: "_Judging", way: str, page: Page, examples: Sequence[Texts]) -> Iterator[Read]:
    """What a wrapper reads that is taught in one way; by one example also with records left out on purpose."""
    try:
        wrapper = taught_wrapper(way, page, examples)
    except UsageError:
        return
    pattern, reading = wrapper.rules.patterns[0], read_patterns(judging.view, wrapper.rules.patterns)
    items = reading.items.get(pattern.name)
    if pattern.flat or items is None or not items.kept or page.is_text[items.kept].any():
        return
    kept = np.array(sorted(items.kept), dtype=np.int64)
    values = [[value.node for value in reading.of(f"{pattern.name}.{one.name}")] for one in pattern.fields]
    parts = [(True, kept), *((False, part) for part in _parts(judging.view, kept))]
    for is_natural, part in parts if NUMBER[way] == 1 else parts[:1]:
        inside = [own for nodes in values if (own := _within(judging.view, part, nodes))]
        if inside:
            yield judging.read(part, inside, is_natural=is_natural)


def _parts(view: View, kept: LongArray) -> Iterator[LongArray]:
    """Records without those in one container or of one class, the fewest first, and without every second one."""
    for column in (view.page.parent, view.attribute("class"), view.page.path):
        several, counts = np.unique(column[kept], return_counts=True)
        for number in several[np.argsort(counts)][:2].tolist() if len(several) > 1 else ():
            yield kept[column[kept] != number]
            yield kept[column[kept] == number]
    if len(kept) >= LEAST_HALVED:
        yield kept[::2]


def _within(view: View, records: LongArray, nodes: Sequence[int]) -> list[int]:
    own = np.array(sorted(set(nodes)), dtype=np.int64)
    place = np.searchsorted(records, own, side="right") - 1
    found: list[int] = own[(place >= 0) & (own < view.page.end[records[place]])].tolist()
    return found


@dataclass(frozen=True, eq=False)
class _Judging:
    """A page, and the words of the records that it is known to have."""

    set: str
    site: str
    view: View
    bags: Sequence[Bag]

    def read(self, kept: LongArray, values: Sequence[Sequence[int]], *, is_natural: bool) -> Read:
        """What is known of some records that were read, and of what resembles them."""
        taken = frozenset(one_to_one([self.held(int(node)) for node in kept]).values())
        groups = list(look_alikes(self.view, kept, values))
        labels = [np.mean([bool(self.held(int(node), taken)) for node in one.nodes[:JUDGED]]) for one in groups]
        rows = np.array([group.measures for group in groups], dtype=np.float64).reshape(len(groups), len(MEASURES))
        known = np.array([share >= KNOWN for share in labels], dtype=np.float64)
        return Read(self.set, self.site, is_natural, len(taken) >= ENOUGH * len(self.bags), rows, known)

    def held(self, node: int, without: frozenset[int] = frozenset()) -> list[int]:
        """The known records whose words an element has, if it is not much longer; the longest first."""
        own = bag_of([self.view.text(node)])
        found = [
            (-bag.total(), number)
            for number, bag in enumerate(self.bags)
            if number not in without
            and bag.total()
            and own.total() <= LONGEST * max(FEWEST, bag.total())
            and (bag & own).total() >= CONTAINED * bag.total()
        ]
        return [number for _, number in sorted(found)]


# ---------------------------------------------------------------- fitting and judging


def fitted(several: Sequence[Read]) -> Floats:
    """The weights that make what is known likeliest; readings made on purpose count for less."""
    some = [one for one in several if len(one.rows)]
    rows = measures_of(np.concatenate([one.rows for one in some]))
    labels = np.concatenate([one.labels for one in some])
    counts = np.concatenate([np.full(len(one.rows), 1.0 if one.is_natural else MADE) for one in some])
    held = np.full(rows.shape[1], HELD)
    held[-1] = 0.01
    return newton(np.zeros(rows.shape[1]), held, logistic(rows, labels, counts))


def judged(told: str, chance: Sequence[float], several: Sequence[Read]) -> None:
    """Print what each threshold is worth."""
    for least in THRESHOLDS:
        doubted = [one >= least for one in chance]
        parts = [is_doubted for is_doubted, one in zip(doubted, several, strict=True) if not one.is_whole]
        whole = [not is_doubted for is_doubted, one in zip(doubted, several, strict=True) if one.is_whole]
        print(
            f"{told}, {least:g}: {sum(parts)} of {len(parts)} parts are doubted, {sum(whole)} of {len(whole)} are not"
        )


def out_of_fold(several: Sequence[Read]) -> list[float]:
    """For each reading the chance by weights fitted without its site."""
    fold = dealt((one.site for one in several), FOLDS)
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


if __name__ == "__main__":
    main()
