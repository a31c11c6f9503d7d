"""Sites made of the list pages of the set `lists`: pages with parts of the records of one real page.

The set has one page of each site, and templates are learned from several. So every site here has some pages, each of
which has some of the records and no two the same, by chance and always alike. What surrounds the list is the same on
all of them. A page is used if its records are known with the same number of texts, and if each of them is in an
element of its own (or in several one after the other) in one container. Texts that are the same in all records are
labels, and not asked for.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from bench.frame import Options, folder_of
from bench.induce.sites import PageTruth, Site, opened
from bench.lists.pages import lists_truth
from bench.lists.records import ListTruth
from sightline.extract.wrappers.patterns import View
from sightline.page import Page

PAGES = 4  # of each site; half of them are learned from
LEAST_OF_PAGE = 2  # records that a page has
LEAST_RECORDS = 9
FOUND = 0.9  # of the records of a page that are found as elements
HELD = 0.5  # of the texts of a record that its element has
SOURCE = "estuka"
VERTICAL = "results"


def listed_sites(options: Options, folder: Path) -> Iterator[Site]:
    """The sites, with their pages written into a folder."""
    pages = folder_of("lists", options)
    for truth in lists_truth(options).known:
        widths = {len(cells) for cells in truth.records}
        if SOURCE not in truth.id or len(widths) != 1 or len(truth.records) < LEAST_RECORDS:
            continue
        (page,) = opened([pages / truth.file])
        if elements := _elements(page, truth):
            yield _made(page, truth, elements, folder)


def _made(page: Page, truth: ListTruth, elements: dict[int, list[int]], folder: Path) -> Site:
    """A site of pages that each have some of the records."""
    name = truth.id.rpartition("/")[2]
    home = folder / name
    (home / "pages").mkdir(parents=True)
    chance = random.Random(name)
    telling = _telling(truth, sorted(elements))
    known = {}
    for number, kept in enumerate(_shares(sorted(elements), chance)):
        left_out = [node for place, nodes in elements.items() if place not in kept for node in nodes]
        file = f"{number}.html"
        (home / "pages" / file).write_text(page.without(left_out).to_html(), "utf-8")
        records = tuple({f"column {column}": [truth.records[place][column]] for column in telling} for place in kept)
        known[file] = PageTruth(file, {}, records)
    return Site(f"listed-{name}", VERTICAL, complete=True, any_of=frozenset(), folder=home, truth=known)


def _shares(places: Sequence[int], chance: random.Random) -> list[Sequence[int]]:
    """The records of each page, one after the other; no two pages have equally many if there are enough."""
    ends = sorted(chance.sample(range(LEAST_OF_PAGE, len(places) - LEAST_OF_PAGE + 1), PAGES - 1))
    while any(later - end < LEAST_OF_PAGE for end, later in pairwise([0, *ends, len(places)])):
        ends = sorted(chance.sample(range(LEAST_OF_PAGE, len(places) - LEAST_OF_PAGE + 1), PAGES - 1))
    return [places[end:later] for end, later in pairwise([0, *ends, len(places)])]


def _telling(truth: ListTruth, places: Sequence[int]) -> list[int]:
    """The columns whose texts differ."""
    count = len(truth.records[0])
    return [column for column in range(count) if len({truth.records[place][column] for place in places}) > 1]


def _elements(page: Page, truth: ListTruth) -> dict[int, list[int]]:
    """The elements of each record that has some of its own, if nearly all have."""
    view = View(page)
    leaves = {place: leaf for place, cells in enumerate(truth.records) if (leaf := _anchor(view, cells)) is not None}
    container = _container(view, list(leaves.values()))
    if container is None:
        return {}
    kids = _kids(page, container)
    begins = {place: at for place, leaf in leaves.items() if (at := _kid_with(page, kids, leaf)) is not None}
    if len(set(begins.values())) < FOUND * len(truth.records) or len(set(begins.values())) < len(begins):
        return {}
    order = sorted(begins.values())
    size = Counter(later - at for at, later in pairwise(order)).most_common(1)[0][0]
    found = {place: kids[at : at + size] for place, at in begins.items()}
    held = [place for place, nodes in found.items() if _holds(view, nodes, truth.records[place])]
    return {place: found[place] for place in held} if len(held) >= FOUND * len(truth.records) else {}


def _anchor(view: View, cells: Sequence[str]) -> int | None:
    """The node of the first text of a record that is on the page only once."""
    for cell in cells:
        runs = view.places(cell)
        if len(runs) == 1:
            return int(view.leaves[runs[0][0]])
    return None


def _container(view: View, leaves: Sequence[int]) -> int | None:
    """The element that most neighbouring records share first."""
    parent, end = view.page.parent, view.page.end
    shared: Counter[int] = Counter()
    in_order = sorted(leaves)
    for leaf, later in pairwise(in_order):
        node = int(parent[leaf])
        while node >= 0 and end[node] <= later:
            node = int(parent[node])
        shared[node] += 1
    return shared.most_common(1)[0][0] if shared else None


def _kids(page: Page, container: int) -> list[int]:
    kids, node = [], container + 1
    while node < page.end[container]:
        if not page.is_blank[node]:
            kids.append(node)
        node = int(page.end[node])
    return kids


def _kid_with(page: Page, kids: Sequence[int], leaf: int) -> int | None:
    return next((at for at, kid in enumerate(kids) if kid <= leaf < page.end[kid]), None)


def _holds(view: View, nodes: Sequence[int], cells: Sequence[str]) -> bool:
    text = " ".join(view.text(node) for node in nodes).casefold()
    return sum(cell.casefold() in text for cell in cells) >= HELD * len(cells)
