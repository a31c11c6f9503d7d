"""What many pages say together: facts with their consensus, support, conflicts and places."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, overload

import numpy as np
import numpy.typing as npt

from sightline.crawler.facts._compare import name_key, text_key
from sightline.crawler.facts._statements import Sighting
from sightline.data import (
    Basic,
    Column,
    ColumnType,
    Exportable,
    Option,
    Record,
    Records,
    TupleOf,
    Value,
    Verdict,
    XPath,
)
from sightline.errors import SightlineError

_TEXT, _COUNT = Basic(ColumnType()), Basic(ColumnType(kind="number", integer=True))
_SCHEMA = TupleOf(
    (
        ("subject", _TEXT),
        ("attribute", _TEXT),
        ("value", Option(_TEXT)),
        ("number", Option(Basic(ColumnType(kind="number")))),
        ("unit", Option(_TEXT)),
        ("sites", _COUNT),
        ("of", _COUNT),
        ("pages", _COUNT),
        ("verdict", _TEXT),
        ("reasons", Option(_TEXT)),
        ("conflicts", Option(_TEXT)),
        ("seen_at", _TEXT),
    )
)
_JOINER = "; "


@dataclass(frozen=True, slots=True)
class StatedValue:
    """One value of a fact: how most sites write it, who says so, on how many pages, and where.

    `probability` is that of this value among those that were stated, by the weights of the sites.
    """

    text: str
    number: float | None
    unit: str
    sites: tuple[str, ...]
    pages: int
    probability: float
    spellings: tuple[str, ...]
    places: tuple[Sighting, ...]

    def to_json(self) -> dict[str, Any]:
        """The value with everything that is known about it."""
        return {
            "value": self.text,
            "number": self.number,
            "unit": self.unit or None,
            "sites": list(self.sites),
            "pages": self.pages,
            "probability": round(self.probability, 4),
            "spellings": list(self.spellings),
            "origins": [_place_json(place) for place in self.places],
        }


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said about one attribute of one subject; `stated` has the consensus first, if there is one.

    `names` and `headings` are the spellings that were taken for this subject and this attribute.
    """

    subject: str
    attribute: str
    stated: tuple[StatedValue, ...]
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()
    tied: bool = False
    names: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()

    @property
    def consensus(self) -> StatedValue | None:
        """The value that most speaks for; None where none is ahead."""
        return None if self.tied else self.stated[0]

    @property
    def conflicts(self) -> tuple[StatedValue, ...]:
        """The other values, the likeliest first; all of them where none is ahead."""
        return self.stated if self.tied else self.stated[1:]

    @property
    def value(self) -> str | None:
        """The text of the consensus."""
        return self.consensus.text if self.consensus else None

    @property
    def sites(self) -> int:
        """How many sites say what the consensus says; of a tie, the most that say one thing."""
        return len(self.stated[0].sites)

    @property
    def of(self) -> int:
        """How many sites say anything about it."""
        return len({site for value in self.stated for site in value.sites})

    @property
    def pages(self) -> int:
        """How many pages say what the consensus says."""
        return self.stated[0].pages

    def to_json(self, *, origins: bool = False) -> dict[str, Any]:
        """The fact as a plain dict; with origins every value has its sites, spellings and places."""
        consensus = self.consensus
        document: dict[str, Any] = {
            "subject": self.subject,
            "attribute": self.attribute,
            "value": self.value,
            "number": consensus.number if consensus else None,
            "unit": (consensus.unit or None) if consensus else None,
            "sites": self.sites,
            "of": self.of,
            "pages": self.pages,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "conflicts": [
                {"value": value.text, "sites": len(value.sites), "pages": value.pages} for value in self.conflicts
            ],
        }
        if origins:
            document["values"] = [value.to_json() for value in self.stated]
            document |= {"names": list(self.names), "headings": list(self.headings)}
        return document


@dataclass(frozen=True, slots=True)
class SiteStanding:
    """How a site stands: how many facts it speaks about, and how often it is right as far as others can tell.

    `copies` are the sites with which it shares so many mistakes that they count as one where they agree.
    """

    site: str
    facts: int
    accuracy: float
    weight: float
    copies: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The standing as a plain dict."""
        return {
            "site": self.site,
            "facts": self.facts,
            "accuracy": round(self.accuracy, 3),
            "weight": round(self.weight, 3),
            "copies": list(self.copies),
        }


@dataclass(frozen=True)
class Facts(Exportable):
    """Facts of many pages, by subject and attribute; every format of tables holds them, one row each.

    `sites` says how far each site was trusted, `failed` which sources could not be read, with why. `set_aside` counts
    the cells whose table names no clear subject or attribute; `mirrors` the pages that repeat another site's page.
    """

    result_kind: ClassVar[str] = "facts"

    facts: tuple[Fact, ...]
    sites: tuple[SiteStanding, ...] = ()
    pages: int = 0
    mirrors: int = 0
    set_aside: int = 0
    failed: tuple[tuple[str, SightlineError], ...] = ()
    gaps: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.facts)

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    @overload
    def __getitem__(self, index: int) -> Fact: ...
    @overload
    def __getitem__(self, index: slice) -> "Facts": ...
    def __getitem__(self, index: int | slice) -> "Fact | Facts":
        """A fact, or some of them."""
        return replace(self, facts=self.facts[index]) if isinstance(index, slice) else self.facts[index]

    def __repr__(self) -> str:
        return f"<Facts {len(self)} from {self.pages} pages of {len(self.sites)} sites, {self.verdict}>"

    @property
    def verdict(self) -> Verdict:
        """Suspicious if a fact is, or if a page failed or was cut; failed if no page could be read."""
        if self.failed and not self.pages:
            return "failed"
        is_doubtful = any(fact.verdict != "ok" for fact in self.facts) or self.failed or self.gaps
        return "suspicious" if is_doubtful else "ok"

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the facts are about, each subject once."""
        return tuple(dict.fromkeys(fact.subject for fact in self.facts))

    @property
    def conflicting(self) -> "Facts":
        """Only the facts about which sites disagree."""
        return self._where(lambda fact: bool(fact.conflicts))

    def about(self, subject: str) -> "Facts":
        """Only the facts about a subject, in any spelling; if there is none, about those that have all its words.

        >>> Facts(()).about("EOS 5D")
        <Facts 0 from 0 pages of 0 sites, ok>
        """
        wanted = name_key(subject)
        same = self._where(lambda fact: any(name_key(name).letters == wanted.letters for name in _all_names(fact)))
        same = same if len(same) else self._where(lambda fact: _key(fact.subject) == wanted.in_any_order)
        parts = {*wanted.words, *wanted.numbers}
        return same if len(same) else self._where(lambda fact: parts <= _words(fact.subject))

    def containing(self, word: str) -> "Facts":
        """Only the facts with a text in their subject, attribute or one of their values."""
        wanted = text_key(word)
        return self._where(
            lambda fact: any(
                wanted in text_key(text) for text in (fact.subject, fact.attribute, *(one.text for one in fact.stated))
            )
        )

    def _where(self, holds: Callable[[Fact], bool]) -> "Facts":
        return replace(self, facts=tuple(fact for fact in self.facts if holds(fact)))

    def get(self, subject: str, attribute: str) -> Fact | None:
        """The fact about an attribute of a subject, in any spelling; None if nothing is said about it."""
        wanted = text_key(attribute)
        found = (fact for fact in self.about(subject) if wanted in {text_key(fact.attribute), *_keys(fact.headings)})
        return next(found, None)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """One row a fact: its consensus, support, verdict, conflicts and the first page of each site."""
        return Records.trusted([_row(fact) for fact in self.facts], _SCHEMA).columns

    def to_dicts(
        self,
        *,
        origins: bool = False,
        typed: bool = False,  # noqa: ARG002 - counts are numbers, and values are texts as seen beside their numbers
        xpath: XPath | None = None,  # noqa: ARG002 - places have theirs
    ) -> list[dict[str, Any]]:
        """One plain dict a fact, with its conflicts; with origins also every value with all its places."""
        return [fact.to_json(origins=origins) for fact in self.facts]

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:  # noqa: ARG002
        """All facts, and what is known about the sites, as plain dicts and lists."""
        return {
            "facts": self.to_dicts(origins=origins),
            "sites": [site.to_json() for site in self.sites],
            "pages": self.pages,
            "mirrors": self.mirrors,
            "set_aside": self.set_aside,
        }


def _all_names(fact: Fact) -> Sequence[str]:
    return (fact.subject, *fact.names)


def _key(name: str) -> str:
    return name_key(name).in_any_order


def _keys(texts: Sequence[str]) -> set[str]:
    return {text_key(text) for text in texts}


def _words(name: str) -> set[str]:
    key = name_key(name)
    return {*key.words, *key.numbers}


def _place_json(place: Sighting) -> dict[str, Any]:
    origin = place.origin
    box = list(origin.box) if origin and origin.box else None
    return {"address": place.address, "page": place.page, "xpath": place.xpath, "box": box}


def _row(fact: Fact) -> Record:
    consensus = fact.consensus
    firsts = {place.address: place for value in fact.stated[:1] for place in value.places}
    texts: Mapping[str, Value | None] = {
        "subject": Value(fact.subject),
        "attribute": Value(fact.attribute),
        "value": _text(fact.value),
        "number": _number(consensus.number if consensus else None),
        "unit": _text(consensus.unit if consensus else None),
        "sites": _number(fact.sites),
        "of": _number(fact.of),
        "pages": _number(fact.pages),
        "verdict": Value(fact.verdict),
        "reasons": _text(_JOINER.join(fact.reasons)),
        "conflicts": _text(_JOINER.join(f"{one.text} ({_sites(one)})" for one in fact.conflicts)),
        "seen_at": Value(" ".join(firsts)),
    }
    return Record(texts)


def _sites(value: StatedValue) -> str:
    return f"{len(value.sites)} site{'s' * (len(value.sites) != 1)}"


def _text(text: str | None) -> Value | None:
    return Value(text) if text else None


def _number(number: float | None) -> Value | None:
    return None if number is None else Value(f"{number:g}" if isinstance(number, float) else str(number), number)


# -- which value is right: votes of independent sites, weighed by how often each site is right elsewhere ------------
# A site has one vote for a fact, however many of its pages repeat it. How far a site can be trusted and which values
# are true are found together, each from the other (the accuracy model of Dong, Berti-Equille and Srivastava,
# "Integrating conflicting data: the role of source dependence", VLDB 2009, with their idea about copies: sites that
# share many mistakes have them from each other). `python -m bench.crawl.fit_facts` chose the constants, and compares
# with a plain majority.

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class WeighingConstants:
    """What was fitted; see the module."""

    accuracy: float = 0.8  # of a site about which nothing is known
    firmness: float = 2.0  # how many facts that first guess is worth
    wrong_values: float = 3.0  # from which a site that is wrong chooses
    rounds: int = 20
    fewest_copied: int = 5  # mistakes that two sites share before one may be a copy
    least_copied: float = 0.9  # of the mistakes on facts that both know


CONSTANTS = WeighingConstants()
MOST_ACCURATE, LEAST_ACCURATE = (
    0.99,
    0.05,
)  # bounds of a site's accuracy: nobody is beyond doubt, and no vote counts against
SETTLED = 1e-4  # change of accuracies below which the rounds end


@dataclass(frozen=True, slots=True)
class Votes:
    """One row a vote: the value (numbered over all facts), the site, and the part of the site's vote it has.

    `fact` has the fact of each value.
    """

    value: Ints
    site: Ints
    part: Floats
    fact: Ints

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, float]], fact: Sequence[int]) -> "Votes":
        """Votes of plain rows: value, site, part."""
        value, site, part = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(
            np.array(value, dtype=np.int64),
            np.array(site, dtype=np.int64),
            np.array(part, dtype=np.float64),
            np.array(fact, dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class Weighed:
    """The probability of each value, and for each site its accuracy, its weight, and the sites it shares mistakes with.

    `copies` has one number for each site; sites with the same number count as one where they say the same.
    """

    probability: Floats
    accuracy: Floats
    weight: Floats
    copies: Ints


def weigh(votes: Votes, sites: int, constants: WeighingConstants = CONSTANTS, *, by_sources: bool = True) -> Weighed:
    """Weigh all votes; without `by_sources` all sites weigh the same and nobody counts as a copy.

    >>> votes = Votes.of([(0, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0)], [0, 0])
    >>> weigh(votes, 3).probability.round(2).tolist()
    [0.99, 0.01]
    """
    accuracy = np.full(sites, constants.accuracy)
    copies = np.arange(sites)
    probability = _probability(votes, _weights(accuracy, constants), copies)
    if not by_sources or not len(votes.fact):
        return Weighed(probability, accuracy, _weights(accuracy, constants), copies)
    for _ in range(constants.rounds):
        copies = _copies(votes, probability, sites, constants)
        probability = _probability(votes, _weights(accuracy, constants), copies)
        before, accuracy = accuracy, _accuracy(votes, probability, sites, constants)
        if np.abs(accuracy - before).max() < SETTLED:
            break
    weights = _weights(accuracy, constants)
    return Weighed(_probability(votes, weights, copies), accuracy, weights, copies)


def _weights(accuracy: Floats, constants: WeighingConstants) -> Floats:
    """How much a vote counts: the logarithm of how much likelier the value is true with it than without."""
    told: Floats = np.maximum(np.log(constants.wrong_values * accuracy / (1 - accuracy)), 0.0)
    return told


def _probability(votes: Votes, weights: Floats, copies: Ints) -> Floats:
    """The probability of each value among those of its fact; copies that say the same have one vote together."""
    _, group, count = np.unique(
        np.stack((votes.value, copies[votes.site])), axis=1, return_inverse=True, return_counts=True
    )
    each = weights[votes.site] * votes.part / count[group.ravel()]
    score = np.bincount(votes.value, each, minlength=len(votes.fact))
    facts = int(votes.fact.max(initial=-1)) + 1
    best = np.full(facts, -np.inf)
    np.maximum.at(best, votes.fact, score)
    likely = np.exp(score - best[votes.fact])
    told: Floats = likely / np.bincount(votes.fact, likely, minlength=facts)[votes.fact]
    return told


def _accuracy(votes: Votes, probability: Floats, sites: int, constants: WeighingConstants) -> Floats:
    """How often each site is right, on the facts that others speak about as well."""
    voters = np.bincount(votes.fact[votes.value], minlength=int(votes.fact.max()) + 1)
    counts = (voters[votes.fact[votes.value]] > 1) * votes.part
    right = np.bincount(votes.site, counts * probability[votes.value], minlength=sites)
    known = np.bincount(votes.site, counts, minlength=sites)
    guess = constants.firmness * constants.accuracy
    return np.clip((right + guess) / (known + constants.firmness), LEAST_ACCURATE, MOST_ACCURATE)


def _copies(votes: Votes, probability: Floats, sites: int, constants: WeighingConstants) -> Ints:
    """Sites that share their mistakes, by the smallest number among them."""
    copies = np.arange(sites)
    is_wrong = probability[votes.value] < 0.5
    wrong = set(zip(votes.site[is_wrong].tolist(), votes.fact[votes.value[is_wrong]].tolist(), strict=True))
    holders: dict[int, list[int]] = {}
    for value, site in zip(votes.value[is_wrong].tolist(), votes.site[is_wrong].tolist(), strict=True):
        holders.setdefault(value, []).append(site)
    shared = Counter(pair for several in holders.values() for pair in combinations(sorted(set(several)), 2))
    suspects = {pair: count for pair, count in shared.items() if count >= constants.fewest_copied}
    if not suspects:
        return copies
    known: dict[int, set[int]] = {site: set() for pair in suspects for site in pair}
    for fact, site in zip(votes.fact[votes.value].tolist(), votes.site.tolist(), strict=True):
        if site in known:
            known[site].add(fact)
    for (one, other), count in suspects.items():
        both = known[one] & known[other]
        mistakes = sum((one, fact) in wrong for fact in both) + sum((other, fact) in wrong for fact in both)
        if 2 * count >= constants.least_copied * mistakes:
            copies[copies == copies[other]] = copies[one]
    return copies
