"""The score of top-k lists: as it was published for them, and strictly.

As published: a page is correct when some item found has the labelled first item in it. Precision is over the pages
where anything was found, those without a list included; recall over those with a list.

Strictly: an item is right when its title is that of a labelled item, or its heading as the page writes it, without the
number in front; `near` lets it be somewhat longer. They are paired one to one, and the means are over the pages with a
list. `perfect` is a page whose items are all found with nothing else; over the pages where anything was found it is a
precision, over those with a list a recall.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from bench.lists.items import NOTHING, Bag, Found, FoundList, Rates, one_to_one, rates
from bench.measures import mean
from bench.texts import bag_of, cell_key, normal

CONTAINED = 0.8  # of a label's words that a near title has
LONGER = 2  # so many times the words of its label may a near title have,
MORE_WORDS = 4  # and so many more
RANK = re.compile(
    r"""
    (?: (?: \# | no\.? | nr\.? | number | tip | step | reason | idea | way | day | rule | lesson | myth | mistake )
        \s* \#? \s* )?
    \d{1,3}
    (?: \s* [.):/\-–—]+ \s* | \s+ )  # not the end: a number alone is a title
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class TopTruth:
    """A page whose title promises `k` items, and their titles; no `k` where it has no such list.

    Each item has two names: its title, and the heading that the page gives it.
    """

    id: str
    set: str
    part: str
    file: str
    k: int | None
    items: tuple[tuple[str, str], ...]
    title: str = ""

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> "TopTruth":
        """One line of `truth.jsonl`."""
        titles = line["items"]
        headings = line.get("headings") or [None] * len(titles)
        items = tuple((title, heading or title) for title, heading in zip(titles, headings, strict=True))
        known = line["id"], line["set"], str(line.get("part")), line["file"]
        return cls(*known, line["k"], items, line.get("title") or "")

    @property
    def has_list(self) -> bool:
        """Whether there is anything to be found."""
        return self.k is not None

    @cached_property
    def keys(self) -> tuple[frozenset[str], ...]:
        """What the names of every item are compared by."""
        return tuple(frozenset(map(title_key, names)) for names in self.items)

    @cached_property
    def bags(self) -> tuple[tuple[Bag, ...], ...]:
        """The words of the names of every item."""
        return tuple(tuple(bag_of([without_rank(name)]) for name in names) for names in self.items)


@dataclass(frozen=True)
class TopScore:
    """How well the list of a page was found; of a page without one only the number of items matters.

    `partners` gives the labelled item of each found one that is right.
    """

    truth: TopTruth
    size: int
    correct: bool = False
    items: Rates = NOTHING
    near: float = 0.0
    exact_k: bool = False
    perfect: bool = False
    partners: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Summary:
    """The figures of several pages; None where there is nothing to take them of."""

    pages: int
    positive: int
    paper_precision: float | None = None
    paper_recall: float | None = None
    strict_precision: float | None = None
    strict_recall: float | None = None
    exact_k: float | None = None
    item_precision: float | None = None
    item_recall: float | None = None
    item_f1: float | None = None
    near_f1: float | None = None
    false_alarms: float | None = None


@lru_cache(100_000)
def without_rank(title: str) -> str:
    """The title as it is compared, without the number that it begins with.

    >>> without_rank("3) Bellows"), without_rank("Tip #12: Rest"), without_rank("7 Up"), without_rank("1984")
    ('bellows', 'rest', 'up', '1984')
    """
    plain = normal(title)
    rank = RANK.match(plain)
    return plain[rank.end() :] if rank else plain


def title_key(title: str) -> str:
    """What titles are compared by: no number in front, no case, no white space, no punctuation at the ends."""
    return cell_key(without_rank(title))


def score(truth: TopTruth, found: FoundList) -> TopScore:
    """The items found on a page against those that it has."""
    if not truth.has_list:
        return TopScore(truth, len(found))
    titles = [item.title or item.text for item in found]
    right = [[number for number, keys in enumerate(truth.keys) if title_key(title) in keys] for title in titles]
    near = [
        [number for number in range(len(truth.items)) if number in sure or _is_near(title, truth.bags[number])]
        for title, sure in zip(titles, right, strict=True)
    ]
    partners = one_to_one(right)
    return TopScore(
        truth,
        len(found),
        correct=_has_first(truth, found),
        items=rates(len(partners), len(found), len(truth.items)),
        near=rates(len(one_to_one(near)), len(found), len(truth.items)).f1,
        exact_k=len(found) == truth.k,
        perfect=len(partners) == len(truth.items) == len(found),
        partners=partners,
    )


def summary(pages: Sequence[TopScore]) -> Summary:
    """Shares of pages, and the means over pages with a list."""
    own = [page for page in pages if page.truth.has_list]
    alarms = mean(page.size > 0 for page in pages if not page.truth.has_list)
    if not own:
        return Summary(len(pages), 0, false_alarms=alarms)
    extracted = sum(page.size > 0 for page in pages)
    paper = rates(sum(page.correct for page in own), extracted, len(own))
    strict = rates(sum(page.perfect for page in own), extracted, len(own))
    return Summary(
        len(pages),
        len(own),
        paper.precision,
        paper.recall,
        strict.precision,
        strict.recall,
        mean(page.exact_k for page in own),
        mean(page.items.precision for page in own),
        mean(page.items.recall for page in own),
        mean(page.items.f1 for page in own),
        mean(page.near for page in own),
        alarms,
    )


def groups(pages: Sequence[TopScore]) -> dict[str, Summary]:
    """Summaries of everything and of each part."""
    parts = sorted({page.truth.part for page in pages})
    return {"all": summary(pages)} | {
        part: summary([page for page in pages if page.truth.part == part]) for part in parts
    }


def _has_first(truth: TopTruth, found: Sequence[Found]) -> bool:
    texts = [cell_key(f"{item.title} {item.text}") for item in found]
    return any(key in text for key in truth.keys[0] if key for text in texts)


def _is_near(title: str, names: Sequence[Bag]) -> bool:
    bag = bag_of([title])
    return any(
        total and (name & bag).total() >= CONTAINED * total and bag.total() <= LONGER * total + MORE_WORDS
        for name in names
        for total in [name.total()]
    )
