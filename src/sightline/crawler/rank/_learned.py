"""The default ranking: learns online which kinds of links lead to targets, and which to pages that lead to them.

A kind is an address shape, a place shape, a text that many links share, whether the link says what targets are about
(`_shapes.py`), and whether the page with the link is a target.
What is known of a kind is how often its links led to targets, and how many new links of other kinds their pages had. A
logistic regression over the parts of all kinds guesses how kinds turn out that were never tried. Both together give the
worth of a kind, which includes what its pages lead to. A hope for kinds that were hardly tried keeps the
crawl from settling in its first nest.
"""

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np

from sightline.arrays import FloatArray, LongArray
from sightline.crawler.rank._baseline import Baseline, BaselineSettings, BaselineState
from sightline.crawler.rank._ranking import FoundLink, Placed, Shapes, ShapesState, Topic, TopicState, VisitedPage

# What following a kind of link is worth: targets for each page visited, those that it leads to included.
#
# A page that isn't a target is worth visiting if it reveals links to targets. Visiting pages that reveal others is a
# *branching bandit* (Weiss 1988): a visit of kind k brings in a target with probability q[k], and new links of kinds
# j, m[k, j] on average. The best policy follows the kind with the highest index: the highest rate of targets a visit
# that one can have by visiting such a page and then only what it leads to, for as long as that pays. So hubs are
# visited when better links run out, and no sooner.
#
# The index of k is the rate v at which a visit just pays: q[k] - v + sum of m[k, j] * gain[j](v) = 0, where gain[j](v)
# is what j brings in beyond v a visit, or 0. We compute the gains for a few rates v at once and read off where they
# cross 0.

# Rates at which gains are computed, denser near 0, where most kinds are, and near 1, where a crawl spends its time once
# it has found its way. Between two rates the value of a kind is taken to be straight, which is too much; were they far
# apart near 1, hubs would pass for better than the targets they lead to.
_RATES: FloatArray = np.sin(np.linspace(0.0, np.pi / 2, 33)) ** 2
LEVELS = len(_RATES)


@dataclass(frozen=True)
class Revealed:
    """What pages reveal: `amounts` of new links of the kinds `found`, by groups of pages.

    The pages of kind k reveal what the groups `groups[k]` do on average, mixed by `shares[k]`.
    """

    sources: LongArray
    found: LongArray
    amounts: FloatArray
    groups: LongArray
    shares: FloatArray


def indices(chances: FloatArray, revealed: Revealed, *, kept: float = 0.9, generations: int = 4) -> FloatArray:
    """The index of each kind, given the chance that a page of it is a target.

    It looks so many generations ahead (category, list, next list, page), and counts so much of the gain of each.

    A hub that reveals nine targets is worth nine targets in ten visits:

    >>> links = Revealed(np.array([0]), np.array([1]), np.array([10.0]), np.array([[0], [1], [2]]), np.ones((3, 1)))
    >>> indices(np.array([0.0, 1.0, 0.2]), links).round(2).tolist()
    [0.9, 1.0, 0.2]
    """
    own = chances[:, None] - _RATES[None, :]
    value = own
    groups = int(revealed.groups.max(initial=-1)) + 1
    flat = (revealed.sources[:, None] * LEVELS + np.arange(LEVELS)[None, :]).ravel()
    for _ in range(generations):
        gain = np.maximum(value, 0.0)
        weights = (revealed.amounts[:, None] * gain[revealed.found]).ravel()
        by_group = np.bincount(flat, weights=weights, minlength=groups * LEVELS).reshape(-1, LEVELS)
        value = own + kept * (revealed.shares[:, :, None] * by_group[revealed.groups]).sum(axis=1)
    return _crossings(value)


def _crossings(value: FloatArray) -> FloatArray:
    """Where each row of falling values crosses 0."""
    below = np.argmax(value < 0, axis=1)
    never = ~(value < 0).any(axis=1)
    upper = np.clip(below, 1, LEVELS - 1)
    rows = np.arange(len(value))
    high, low = value[rows, upper - 1], value[rows, upper]
    part = high / np.maximum(high - low, 1e-12)
    crossing: FloatArray = _RATES[upper - 1] + np.clip(part, 0, 1) * (_RATES[upper] - _RATES[upper - 1])
    return np.where(never, 1.0, np.where(below == 0, 0.0, crossing))


@dataclass(frozen=True, kw_only=True)
class LearnedSettings:
    """The figures of the learned ranking; `python -m bench.crawl.fit_ranking` compares them with others."""

    prior: float = 2.0
    """Visits that the guess from similar kinds counts for."""
    hope: float = 0.5
    """Standard deviations that are added to the worth of a kind."""
    rate: float = 0.3
    """Of learning."""
    window: int = 30
    """Pages over which the links that pages reveal are averaged."""
    sharing: float = 1.0
    """Pages that the average over the same address shape counts for, that over the same file, and that over all."""
    kept: float = 0.2
    """What the targets that a page leads to count for beside those at hand: others may lead to them as well."""
    generations: int = 1
    """How many links ahead it looks."""
    margin: float = 0.1
    """By how much more a kind must be worth for an address to move to it."""
    example_bonus: float = 3.0
    """Log-odds added for addresses that have the shape of an example's."""
    baseline: BaselineSettings = field(default_factory=BaselineSettings)


_WEIGHTS = 1 << 14
_TOPICAL = " †"  # ends the names of kinds whose links say what targets are about
_FIRST_GUESS = -3.0  # log-odds: about one page in twenty is a target
_BIAS_RATE = 0.05
_MOST_KINDS = 2000  # of a site; choosing takes 0.1 ms then
_STEADY = 10  # kinds are judged anew after one visit for each so many kinds
# A page counts by a power of its likeness, whether it is taken for a target or not. If only targets counted, a likeness
# that is too strict would hide the way; with the first power, look-alikes lead astray. On all cases of the bench, the
# second power was a little better than the first and than half the likeness of pages that aren't taken for targets.
_SHARPNESS = 2
_REMEMBERED = 50_000  # links whose kinds are kept
_UNKNOWN = 0.5  # the worth of kinds that the crawler brings, such as the addresses of a sitemap
_MOST_AMOUNTS, _LEAST_AMOUNT, _LEAST_SCALE = 200, 0.01, 1e-6


class _Average(msgspec.Struct):
    """New links of each kind on a page, averaged over the last pages: `amounts` times `scale`.

    Adding a page makes all amounts of earlier pages smaller by the same share; only the scale needs to know.
    """

    pages: int = 0
    scale: float = 1.0
    amounts: dict[int, float] = {}

    def add(self, found: Mapping[int, int], window: int) -> None:
        self.pages += 1
        share = 1 / min(self.pages, window)
        if share == 1:
            self.amounts = {}
        else:
            self.scale *= 1 - share
        for kind, count in found.items():
            self.amounts[kind] = self.amounts.get(kind, 0.0) + share * count / self.scale
        if len(self.amounts) > _MOST_AMOUNTS or self.scale < _LEAST_SCALE:
            least = _LEAST_AMOUNT / self.scale
            self.amounts = {kind: amount * self.scale for kind, amount in self.amounts.items() if amount >= least}
            self.scale = 1.0


class _Kind(msgspec.Struct):
    """What is known of the links of one kind."""

    number: int
    address: int
    file: int
    features: list[int]
    bonus: float
    tries: int = 0
    hits: float = 0.0
    guess: float = 0.0
    worth: float = 0.0
    hope: float = 0.0
    is_early: bool = False
    reveals: _Average = msgspec.field(default_factory=_Average)


class _State(msgspec.Struct):
    kinds: dict[str, _Kind]
    addresses: dict[str, int]
    by_address: list[_Average]
    files: dict[str, int]
    by_file: list[_Average]
    everywhere: _Average
    shapes: ShapesState
    topic: TopicState
    examples: tuple[str, ...]
    weights: dict[int, tuple[float, float]]
    bias: float
    due: int
    baseline: BaselineState


class LearnedRanking:
    """Follows the kind of link that is worth most by what was seen so far; the same pages give the same order."""

    def __init__(self, *, examples: Sequence[str] = (), settings: LearnedSettings | None = None) -> None:
        """`examples` are addresses of pages looked for, if they are on the site."""
        self._settings = settings or LearnedSettings()
        self._examples = tuple(examples)
        self._shapes = Shapes(self._examples)
        self._topic = Topic()
        self._kinds: dict[str, _Kind] = {}
        self._addresses: dict[str, int] = {}
        self._by_address: list[_Average] = []
        self._files: dict[str, int] = {}
        self._by_file: list[_Average] = []
        self._everywhere = _Average()
        self._weights = np.zeros(_WEIGHTS)
        self._squares = np.zeros(_WEIGHTS)
        self._bias = _FIRST_GUESS
        self._features: LongArray = np.zeros((0, 0), np.int64)
        self._due = 0
        self._baseline = Baseline(self._settings.baseline)
        self._by_breadth = False
        self._known: dict[tuple[str, ...], tuple[str, _Kind]] = {}
        self._rounds = (0, 0)

    @classmethod
    def loads(cls, state: bytes) -> "LearnedRanking":
        """The ranking that `dumps` wrote down."""
        kept = msgspec.msgpack.decode(state, type=_State)
        ranking = cls(examples=kept.examples)
        ranking._shapes = Shapes(kept.examples, kept.shapes)
        ranking._topic = Topic(kept.topic)
        ranking._kinds, ranking._addresses = kept.kinds, kept.addresses
        ranking._by_address, ranking._everywhere = kept.by_address, kept.everywhere
        ranking._files, ranking._by_file = kept.files, kept.by_file
        for number, (weight, square) in kept.weights.items():
            ranking._weights[number], ranking._squares[number] = weight, square
        ranking._bias, ranking._due = kept.bias, kept.due
        ranking._baseline = Baseline(ranking._settings.baseline, kept.baseline)
        return ranking

    def dumps(self) -> bytes:
        """All that was learned, to go on after a stop."""
        used = np.flatnonzero(self._squares).tolist()
        state = _State(
            self._kinds,
            self._addresses,
            self._by_address,
            self._files,
            self._by_file,
            self._everywhere,
            self._shapes.state(),
            self._topic.state(),
            self._examples,
            {number: (float(self._weights[number]), float(self._squares[number])) for number in used},
            self._bias,
            self._due,
            self._baseline.state(),
        )
        return msgspec.msgpack.encode(state)

    def learn(self, visit: VisitedPage, links: Sequence[FoundLink]) -> None:
        """Count whether the link led to a target, and the words of the new links."""
        by_breadth, self._by_breadth = self._by_breadth, False
        found = visit.likeness**_SHARPNESS
        self._baseline.visited(visit.depth, visit.order, by_breadth=by_breadth, found=found)
        kind = self._kinds.get(visit.kind)
        if kind is not None:
            before = self._mean(kind)
            kind.tries += 1
            kind.hits += found
            self._fit(kind, found)
            kind.worth = min(1.0, max(0.0, kind.worth + self._mean(kind) - before))
            kind.hope = self._hope(kind)
        self._topic.count(visit.outline.title, is_target=visit.is_target)
        new = {link.url: link.anchor.text for link in links if link.kind is None}
        self._shapes.count_page({link.anchor.place for link in links}, new.items())
        if self._rounds != (rounds := (self._shapes.round, self._topic.round)):
            self._rounds = rounds
            self._known.clear()

    def place(self, visit: VisitedPage, links: Sequence[FoundLink]) -> Sequence[Placed | None]:
        """Each link goes to its kind; an address that waits elsewhere moves if it is worth clearly more here."""
        revealed: dict[int, int] = {}
        moved: dict[str, tuple[float, str]] = {}
        placed: list[Placed | None] = []
        source = "+" if visit.is_target else "-"
        for link in links:
            name, kind = self._kind_of(link, source)
            kind.is_early |= visit.depth == 0
            before = moved.get(link.url) or self._where(link.kind)
            worth = kind.worth + kind.hope
            if name == before[1] or worth <= before[0] * (1 + self._settings.margin):
                placed.append(None)
                continue
            if link.url not in moved:
                revealed[kind.number] = revealed.get(kind.number, 0) + 1
            moved[link.url] = (worth, name)
            placed.append(Placed(name, 0.0))
        self._reveal(visit.kind, revealed)
        return placed

    def choose(self, waiting: Mapping[str, int]) -> str | None:
        """The kind that is worth most, as long as that costs nothing against breadth-first."""
        chosen = self._best(waiting)
        kind = self._kinds.get(chosen)
        self._by_breadth = not self._baseline.is_covered(self._mean(kind) if kind else 0.0)
        return None if self._by_breadth else chosen

    def _best(self, waiting: Mapping[str, int]) -> str:
        """The kind that is worth most.

        Hope counts for less where few addresses could use what a visit teaches, but not for what a first page links to:
        lists of all pages are there.
        """
        self._due -= 1
        if self._due <= 0:
            self._judge()
            self._due = 1 + len(self._kinds) // _STEADY
        best, chosen = -1.0, ""
        kinds = self._kinds
        for name, count in waiting.items():
            kind = kinds.get(name)
            if kind is None:
                worth = _UNKNOWN
            elif kind.is_early or count > 1:
                worth = kind.worth + (kind.hope if kind.is_early else kind.hope * (1 - 1 / count))
            else:
                worth = kind.worth
            if worth > best and count:
                best, chosen = worth, name
        return chosen

    def rescored(self) -> Mapping[str, float]:
        """Nothing: addresses are judged by their kinds."""
        return {}

    def _where(self, name: str | None) -> tuple[float, str]:
        """What the kind is worth that an address waits with."""
        if name is None:
            return (-1.0, "")
        kind = self._kinds.get(name)
        return (kind.worth + kind.hope if kind else _UNKNOWN, name)

    def _kind_of(self, link: FoundLink, source: str) -> tuple[str, _Kind]:
        """The kind of a link; menus stand on each page, so what was told in this round is remembered."""
        anchor = link.anchor
        told = (link.url, anchor.text, anchor.place, anchor.rel, source)
        known = self._known.get(told)
        if known is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            known = self._known[told] = self._told(link, source)
        return known

    def _told(self, link: FoundLink, source: str) -> tuple[str, _Kind]:
        shapes, anchor = self._shapes, link.anchor
        said = "rel=next" if "next" in anchor.rel else shapes.text(anchor.text)
        topical = _TOPICAL if self._topic.is_said(f"{anchor.text} {link.url.rpartition('/')[2]}") else ""
        name = f"{shapes.address(link.url)} {source}{shapes.place(anchor.place)} {said}{topical}"
        kind = self._kinds.get(name)
        return (name, kind) if kind else self._begin(name)

    def _begin(self, name: str) -> tuple[str, _Kind]:
        name = self._coarser(name)
        if name in self._kinds:
            return name, self._kinds[name]
        address = name.partition(" ")[0]
        if address not in self._addresses:
            self._addresses[address] = len(self._addresses)
            self._by_address.append(_Average())
        file = address.rpartition("/")[2]
        if file not in self._files:
            self._files[file] = len(self._files)
            self._by_file.append(_Average())
        is_like = any(self._shapes.address(url) == address for url in self._examples)
        bonus = self._settings.example_bonus if is_like else 0.0
        kind = _Kind(len(self._kinds), self._addresses[address], self._files[file], _features(name), bonus)
        kind.guess = kind.worth = self._guess(kind)
        kind.hope = self._hope(kind)
        self._kinds[name] = kind
        return name, kind

    def _coarser(self, name: str) -> str:
        """With many kinds, the place says less; in the end it says nothing, nor does the address."""
        full = len(self._kinds) / _MOST_KINDS
        if full < 0.5:
            return name
        address, where, *_ = name.split(" ")
        if full < 0.8:
            return f"{address} {where[0]}{where.rpartition('/')[2].removeprefix(where[0])} "
        return f"{address} {where[0]} " if full < 1 else f"other {where[0]} "

    def _reveal(self, name: str, revealed: dict[int, int]) -> None:
        window = self._settings.window
        kind = self._kinds.get(name)
        self._everywhere.add(revealed, window)
        if kind is not None:
            kind.reveals.add(revealed, window)
            self._by_address[kind.address].add(revealed, window)
            self._by_file[kind.file].add(revealed, window)

    def _mean(self, kind: _Kind) -> float:
        prior = self._settings.prior
        return (kind.hits + prior * kind.guess) / (kind.tries + prior)

    def _hope(self, kind: _Kind) -> float:
        spread = max(kind.worth, _LEAST_AMOUNT) * (1 - kind.worth) / (kind.tries + self._settings.prior + 1)
        return self._settings.hope * math.sqrt(spread)

    def _guess(self, kind: _Kind) -> float:
        return float(_chance(self._bias + kind.bonus + self._weights[kind.features].sum()))

    def _fit(self, kind: _Kind, found: float) -> None:
        error = found - self._guess(kind)
        self._squares[kind.features] += error * error
        self._weights[kind.features] += self._settings.rate * error / np.sqrt(1 + self._squares[kind.features])
        self._bias += _BIAS_RATE * error

    def _judge(self) -> None:
        """The worth of all kinds, by all that was learned."""
        kinds = list(self._kinds.values())
        if not kinds:
            return
        if len(self._features) != len(kinds):
            self._features = np.array([kind.features for kind in kinds])
        bonus = np.array([kind.bonus for kind in kinds])
        guesses = _chance(self._weights[self._features].sum(axis=1) + bonus + self._bias).tolist()
        for kind, guess in zip(kinds, guesses, strict=True):
            kind.guess = guess
        settings = self._settings
        worth = indices(
            np.array([self._mean(kind) for kind in kinds]),
            self._revealed(kinds),
            kept=settings.kept,
            generations=settings.generations,
        )
        for kind, value in zip(kinds, worth.tolist(), strict=True):
            kind.worth = value
            kind.hope = self._hope(kind)

    def _revealed(self, kinds: list[_Kind]) -> Revealed:
        """What pages of each kind reveal: by themselves, and with those of their address, of their file, and all."""
        count = len(kinds)
        averages = [*(kind.reveals for kind in kinds), *self._by_address, *self._by_file, self._everywhere]
        sizes = [len(average.amounts) for average in averages]
        addresses = np.array([kind.address for kind in kinds]) + count
        files = np.array([kind.file for kind in kinds]) + count + len(self._by_address)
        pages = np.array([average.pages for average in averages])
        trust = pages / (pages + self._settings.sharing)
        own = trust[:count]
        alike = (1 - own) * trust[addresses]
        named = (1 - own - alike) * trust[files]
        return Revealed(
            sources=np.repeat(np.arange(len(averages)), sizes),
            found=np.array([kind for average in averages for kind in average.amounts], np.int64),
            amounts=np.array([amount * average.scale for average in averages for amount in average.amounts.values()]),
            groups=np.stack([np.arange(count), addresses, files, np.full(count, len(averages) - 1)], axis=1),
            shares=np.stack([own, alike, named, 1 - own - alike - named], axis=1),
        )


def _chance(odds: FloatArray) -> FloatArray:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def _features(name: str) -> list[int]:
    """The numbers of the parts of a kind, and of some parts together."""
    address, where, said = [*name.split(" ", 2), "", ""][:3]
    source, place = where[:1], where[1:]
    steps = place.split("/")
    folder, _, file = address.rpartition("/")
    parts = (
        f"source {source}",
        f"address {address}",
        f"address {address} {source}",
        f"folder {folder}",
        f"file {file}",
        f"file {file} {steps[-1]}",
        f"place {place}",
        f"place {place} {source}",
        f"step {steps[-1]}",
        f"steps {steps[-2:]}",
        f"text {said}",
        f"all {name}",
    )
    return [zlib.crc32(part.encode("utf-8", "surrogatepass")) % _WEIGHTS for part in parts]
