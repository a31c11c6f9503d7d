"""`python -m bench.teach.fit_one_of_many`: weigh what tells whether a single example stands for a list.

Examples that do: the first and the middle text of every list of texts of the sets `lists` and `lists2`, and so the
titles of records; and of fields with several values and of records in the sets `sites` and `sites2`, on the page of
each site that is its first example. Examples that do not: values of the same pages that are alone. What is weighed are
the lists that an example is in; the right one has nearly all known texts, each in another record.

The weights are fitted on all sites but those of one fold, and judged there; and on the first two sets, and judged on
the others, and the reverse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bench.fitting import Floats, chances, dealt, logistic, newton
from bench.frame import Options, folder_of, program
from bench.induce.sites import PageTruth, listing, site_of
from bench.lists.pages import LISTS, lists_truth
from bench.lists.records import ListTruth
from bench.pages import static
from bench.teach.fit_look_alikes import site_of_list
from bench.teach.lessons import example_order
from bench.teach.listing_truth import corrected
from bench.teach.listings import CELL, TITLE, examples_on
from sightline.errors import UsageError
from sightline.extract.wrappers._listings import Listing, listings_of
from sightline.extract.wrappers._one_of_many import WEIGHTS, lists_around
from sightline.extract.wrappers.patterns import View, locate_text

MEASURES = tuple(WEIGHTS)
SETS = (LISTS, "lists2", "sites", "sites2")
SECOND = ("lists2", "sites2")
PAGES = 2  # of a site
LEAST = 3  # values of a field that is a list
COVERED = 0.9  # of the known texts
MORE = 1.3  # times as many records as known texts, at most
FOLDS = 10
HELD = 1.0
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, eq=False)
class Example:
    """An example of some kind, and the lists that it is in with whether each is the one that it stands for."""

    set: str
    site: str
    kind: str
    rows: Floats
    labels: Floats

    def best(self, weights: Floats) -> tuple[float, bool]:
        """The chance of the likeliest list, and whether it is the right one."""
        if not len(self.rows):
            return 0.0, False
        chance = chances(measures_of(self.rows) @ weights)
        return float(chance.max()), bool(self.labels[int(chance.argmax())])


def measures_of(rows: Floats) -> Floats:
    """Rows with a constant."""
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def examples(options: Options) -> Iterator[Example]:
    """All examples of all sets."""
    for name in SETS[:2]:
        truth = lists_truth(options, of=name)
        for known in map(corrected, truth.known):
            (page,) = static([truth.folder / known.file])
            yield from _of_list(_Judging(name, site_of_list(known), View(page)), known)
    for name in SETS[2:]:
        folder = folder_of(name, options)
        for site in (site_of(folder, entry) for entry in listing(folder)):
            for file in example_order(site.truth)[:PAGES]:
                (page,) = static(site.paths([file]))
                yield from _of_page(_Judging(name, site.name, View(page)), site.truth[file], site.any_of)


def _of_list(judging: "_Judging", known: ListTruth) -> Iterator[Example]:
    """The first and the middle text of a list, or title of a record."""
    found = examples_on(known, judging.view.page)
    if all(len(cells) < 2 for cells in known.records):
        texts = [cells[0] for cells in known.records]
    else:
        place = list(known.records[0]).index(found[0][TITLE]) if found else 0
        texts = [cells[place] for cells in known.records if found and len(cells) > place]
    kind = "title" if found and CELL in found[0] else "text"
    for text in (found[0][TITLE], texts[len(texts) // 2]) if found else ():
        yield from judging.example(kind, text, texts)


def _of_page(judging: "_Judging", truth: PageTruth, any_of: frozenset[str]) -> Iterator[Example]:
    """The values of a page: those that are alone, and the first and the middle one of those that are several."""
    for name, several in truth.fields.items():
        if len(several) == 1 or (several and name in any_of):
            yield from judging.example("value", several[0], [])
        elif len(several) >= LEAST:
            for text in (several[0], several[len(several) // 2]):
                yield from judging.example("values", text, several)
    for name in truth.records[0] if len(truth.records) >= LEAST else ():
        column = [record[name][0] for record in truth.records if record.get(name)]
        if len(column) >= LEAST and truth.records[0].get(name):
            for text in (column[0], column[len(column) // 2]):
                yield from judging.example("column", text, column)


@dataclass(frozen=True, eq=False)
class _Judging:
    """A page, and the lists that it has."""

    set: str
    site: str
    view: View

    @cached_property
    def listings(self) -> list[Listing]:
        """The regions of the page that repeat."""
        return listings_of(self.view)

    def example(self, kind: str, text: str, texts: Sequence[str]) -> Iterator[Example]:
        """An example with the lists that it is in; `texts` are those of the list that it stands for, if any."""
        try:
            located = locate_text(self.view, text, 0, len(self.view.page))
        except UsageError:
            return
        if located.part or located.take != "text":
            return
        around = list(lists_around(self.view, self.listings, located))
        labels = [float(bool(texts) and _covers(self.view, one.listing, texts)) for one in around]
        rows = np.array([one.measures for one in around], dtype=np.float64).reshape(len(around), len(MEASURES))
        yield Example(self.set, self.site, kind, rows, np.array(labels))


def _covers(view: View, listing: Listing, texts: Sequence[str]) -> bool:
    """Whether the records of a listing have nearly all of some texts, each in another one, and hardly any has none."""
    places = [{view.leaves[begin] for begin, _ in view.places(text)} for text in texts]
    numbers = [set(listing.numbers(sorted(nodes)).tolist()) - {-1} for nodes in places if nodes]
    distinct = set().union(*numbers)
    return len(distinct) >= COVERED * len(numbers) > 1 and len(listing.start) <= MORE * len(numbers) + 1


def fitted(several: Sequence[Example]) -> Floats:
    """The weights that make what is known likeliest; every kind of examples counts alike."""
    some = [one for one in several if len(one.rows)]
    rows = measures_of(np.concatenate([one.rows for one in some]))
    labels = np.concatenate([one.labels for one in some])
    kinds = [one.kind for one in some]
    each = {kind: len(some) / kinds.count(kind) / len(set(kinds)) for kind in set(kinds)}
    counts = np.concatenate([np.full(len(one.rows), each[one.kind] / len(one.rows)) for one in some])
    held = np.full(rows.shape[1], HELD)
    held[-1] = 0.01
    return newton(np.zeros(rows.shape[1]), held, logistic(rows, labels, counts))


def judged(told: str, best: Sequence[tuple[float, bool]], several: Sequence[Example]) -> None:
    """Print what each threshold is worth."""
    for least in THRESHOLDS:
        line = []
        for kind in ("text", "title", "values", "column", "value"):
            own = [found for found, one in zip(best, several, strict=True) if one.kind == kind]
            if kind == "value":
                line.append(f"{kind}: {sum(chance >= least for chance, _ in own)} lists of {len(own)}")
            else:
                right = sum(chance >= least and is_right for chance, is_right in own)
                wrong = sum(chance >= least and not is_right for chance, is_right in own)
                line.append(f"{kind}: {right} right, {wrong} wrong of {len(own)}")
        print(f"{told}, {least:g}: {'; '.join(line)}")


def out_of_fold(several: Sequence[Example]) -> list[tuple[float, bool]]:
    """For each example the likeliest list by weights fitted without its site."""
    fold = dealt((one.site for one in several), FOLDS)
    weights = [fitted([one for one in several if fold[one.site] != number]) for number in range(FOLDS)]
    return [one.best(weights[fold[one.site]]) for one in several]


def main() -> None:
    """Fit, judge and print the weights."""
    given = program(__doc__).parse_args()
    several = list(examples(Options(data=given.data)))
    judged("sites left out", out_of_fold(several), several)
    for second in (True, False):
        others = [one for one in several if (one.set in SECOND) == second]
        weights = fitted([one for one in several if (one.set in SECOND) != second])
        judged(
            f"{'second' if second else 'first'} sets, fitted on the others",
            [one.best(weights) for one in others],
            others,
        )
    for measure, weight in zip((*MEASURES, "constant"), fitted(several).tolist(), strict=True):
        print(f'    "{measure}": {weight:.2f},')


if __name__ == "__main__":
    main()
