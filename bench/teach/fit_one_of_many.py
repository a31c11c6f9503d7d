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

import numpy as np

from bench.fitting import Floats, chances, logistic, newton
from bench.frame import Options, folder_of, program
from bench.induce.sites import listing, site_of
from bench.lists.pages import LISTS, lists_truth
from bench.pages import static
from bench.teach.lessons import example_order
from bench.teach.listing_truth import corrected
from bench.teach.listings import TITLE, examples_on
from sightline.errors import UsageError
from sightline.extract.wrappers._listings import Listing, listings_of
from sightline.extract.wrappers._one_of_many import MEASURES, lists_around
from sightline.extract.wrappers.patterns import View, locate_text

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
    """An example, whether it stands for a list, and the lists that it is in with whether each is the right one."""

    set: str
    site: str
    kind: str
    name: str
    is_list: bool
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
            view = View(page)
            listings = listings_of(view)
            site = known.id.rpartition("/")[2].partition("#")[0].removesuffix("__1").rpartition("__")[2]
            found = examples_on(known, page)
            is_single = all(len(cells) < 2 for cells in known.records)
            texts = [cells[0] for cells in known.records] if is_single else _titles(view, known.records, found)
            wanted = [found[0][TITLE]] if found else []
            wanted += [texts[len(texts) // 2]] if texts else []
            for text in wanted:
                kind = "text" if is_single else "title"
                yield from _example(name, site, kind, known.id, view, listings, text, texts)
    for name in SETS[2:]:
        folder = folder_of(name, options)
        for entry in listing(folder):
            site = site_of(folder, entry)
            for file in example_order(site.truth)[:PAGES]:
                truth_of = site.truth[file]
                (page,) = static(site.paths([file]))
                view = View(page)
                listings = listings_of(view)
                for field, several in truth_of.fields.items():
                    told = f"{site.name} {field}"
                    if len(several) == 1 or (several and field in site.any_of):
                        yield from _example(name, site.name, "value", told, view, listings, several[0], [])
                    elif len(several) >= LEAST:
                        for text in (several[0], several[len(several) // 2]):
                            yield from _example(name, site.name, "values", told, view, listings, text, several)
                for field in truth_of.records[0] if len(truth_of.records) >= LEAST else ():
                    column = [record[field][0] for record in truth_of.records if record.get(field)]
                    if len(column) >= LEAST and truth_of.records[0].get(field):
                        told = f"{site.name} .{field}"
                        for text in (column[0], column[len(column) // 2]):
                            yield from _example(name, site.name, "column", told, view, listings, text, column)


def _titles(view: View, records: Sequence[Sequence[str]], found: Sequence) -> list[str]:  # type: ignore[type-arg]
    """The titles of records: what is in the place of the first one's."""
    if not found:
        return []
    place = list(records[0]).index(found[0][TITLE])
    return [cells[place] for cells in records if len(cells) > place]


def _example(
    name: str, site: str, kind: str, told: str, view: View, listings: Sequence[Listing], text: str, texts: Sequence[str]
) -> Iterator[Example]:
    try:
        located = locate_text(view, text, 0, len(view.page))
    except UsageError:
        return
    if located.part or located.take != "text":
        return
    around = list(lists_around(view, listings, located))
    labels = [float(bool(texts) and _covers(view, one.listing, texts)) for one in around]
    rows = np.array([one.measures for one in around], dtype=np.float64).reshape(len(around), len(MEASURES))
    yield Example(name, site, kind, told, bool(texts), rows, np.array(labels))


def _covers(view: View, listing: Listing, texts: Sequence[str]) -> bool:
    """Whether the records of a listing have nearly all of some texts, each in another one, and hardly any has none."""
    places = [{view.leaves[begin] for begin, _ in view.places(text)} for text in texts]
    numbers = [set(listing.numbers(sorted(nodes)).tolist()) - {-1} for nodes in places if nodes]
    distinct = set().union(*numbers)
    return len(distinct) >= COVERED * len(numbers) > 1 and len(listing.start) <= MORE * len(numbers) + 1


def fitted(several: Sequence[Example]) -> Floats:
    """The weights that make what is known likeliest; examples of the sites together count as much as those of lists."""
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
    sites = sorted({one.site for one in several})
    fold = {site: number % FOLDS for number, site in enumerate(sites)}
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
        judged(f"{'second' if second else 'first'} sets, fitted on the others", [one.best(weights) for one in others], others)
    for measure, weight in zip((*MEASURES, "constant"), fitted(several).tolist(), strict=True):
        print(f'    "{measure}": {weight:.2f},')


if __name__ == "__main__":
    main()
