"""The default ranking: learns online which kinds of links lead to targets, and which to pages that lead to them."""

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sightline.arrays import FloatArray
from sightline.crawl.rank._ranking import FoundLink, Placed, Visit
from sightline.crawl.rank._shapes import Shapes
from sightline.crawl.rank._worth import Revealed, indices

__all__ = ["LearnedRanking", "LearnedSettings"]


@dataclass(frozen=True, kw_only=True)
class LearnedSettings:
    """The figures of the learned ranking, as bench/crawl/fit_ranking.py chose them."""

    prior: float = 2.0  # visits that the guess from similar kinds counts for
    optimism: float = 0.5  # standard deviations added to chances that few visits support
    rate: float = 0.3  # of learning
    window: int = 30  # pages over which the links revealed are averaged
    revealing: float = 1.0  # pages that the average of the same address shape counts for
    most_kinds: int = 2000
    margin: float = 0.1
    example_bonus: float = 3.0


_WEIGHTS = 1 << 14
_FIRST_GUESS = -3.0  # log-odds: about one page in twenty is a target


class _Kind:
    """What is known of the links of one kind."""

    __slots__ = ("address", "bonus", "features", "hits", "number", "place", "reveals", "tries")

    def __init__(self, number: int, address: int, features: np.ndarray, bonus: float) -> None:
        self.bonus = bonus
        self.number = number
        self.address = address
        self.features = features
        self.tries = 0.0
        self.hits = 0.0
        self.reveals = _Average()


class _Average:
    """Links of each kind that pages reveal, averaged over the last pages."""

    __slots__ = ("amounts", "pages")

    def __init__(self) -> None:
        self.pages = 0
        self.amounts: dict[int, float] = {}

    def add(self, found: Mapping[int, int], window: int) -> None:
        self.pages += 1
        share = 1 / min(self.pages, window)
        amounts = self.amounts
        for kind in amounts:
            amounts[kind] *= 1 - share
        for kind, count in found.items():
            amounts[kind] = amounts.get(kind, 0.0) + share * count
        if len(amounts) > 200:
            for kind in [kind for kind, amount in amounts.items() if amount < 0.01]:
                del amounts[kind]


class LearnedRanking:
    def __init__(self, settings: LearnedSettings | None = None, examples: Sequence[str] = ()) -> None:
        self._settings = settings or LearnedSettings()
        self._examples = tuple(examples)
        self._shapes = Shapes(self._examples)
        self._kinds: dict[str, _Kind] = {}
        self._names: list[str] = []
        self._addresses: dict[str, int] = {}
        self._by_address: list[_Average] = []
        self._everywhere = _Average()
        self._weights = np.zeros(_WEIGHTS)
        self._squares = np.zeros(_WEIGHTS)
        self._bias = _FIRST_GUESS
        self._index: FloatArray = np.zeros(0)
        self._chance: FloatArray = np.zeros(0)
        self._values: dict[str, float] = {}
        self._hopes: dict[str, float] = {}
        self._due = 0
        self._words = np.zeros(_WEIGHTS)

    # learn
    def learn(self, visit: Visit, links: Sequence[FoundLink]) -> None:
        kind = self._kinds.get(visit.kind)
        if kind is not None:
            kind.tries += 1
            kind.hits += visit.is_target
            self._fit(kind, visit.is_target)
        new = {link.url: link.anchor.text for link in links if link.kind is None}
        self._shapes.count_page({link.anchor.place for link in links}, new.items())

    def _fit(self, kind: _Kind, is_target: bool) -> None:
        features = kind.features
        error = is_target - self._guess(features, kind.bonus)
        self._squares[features] += error * error
        self._weights[features] += self._settings.rate * error / np.sqrt(1 + self._squares[features])
        self._bias += 0.05 * error

    def _guess(self, features: np.ndarray, bonus: float = 0.0) -> float:
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, bonus + self._bias + float(self._weights[features].sum())))))

    # place
    def place(self, visit: Visit, links: Sequence[FoundLink]) -> Sequence[Placed | None]:
        revealed: dict[int, int] = {}
        placed: list[Placed | None] = []
        bit = "+" if visit.is_target else "-"
        best: dict[str, tuple[float, str]] = {}
        values, hopes = self._values, self._hopes
        shapes = self._shapes
        for link in links:
            name = f"{shapes.address(link.url)} {bit}{shapes.place(link.anchor.place)} {self._said(link)}"
            value = values.get(name)
            if value is None:
                name = self._begin(name)
                value = values[name]
            value += hopes.get(name, 0.0)
            present = best.get(link.url)
            if present is None:
                present = (values.get(link.kind, 0.0) + hopes.get(link.kind, 0.0), link.kind) if link.kind is not None else (-1.0, "")
            if value > present[0] * (1 + self._settings.margin) and name != present[1]:
                best[link.url] = (value, name)
                placed.append(Placed(name, 0.0))
                if present[1] == link.kind or present[0] < 0:
                    number = self._kinds[name].number
                    revealed[number] = revealed.get(number, 0) + 1
            else:
                placed.append(None)
        self._reveal(visit.kind, revealed)
        return placed

    def _said(self, link: FoundLink) -> str:
        return "rel=next" if "next" in link.anchor.rel else self._shapes.text(link.anchor.text)

    def _reveal(self, name: str, revealed: dict[int, int]) -> None:
        window = self._settings.window
        kind = self._kinds.get(name)
        self._everywhere.add(revealed, window)
        if kind is not None:
            kind.reveals.add(revealed, window)
            self._by_address[kind.address].add(revealed, window)

    def _begin(self, name: str) -> str:
        if len(self._kinds) >= self._settings.most_kinds:
            name = "other"
            if name in self._kinds:
                return name
        address, rest = (name.split(" ", 1) + [""])[:2]
        if address not in self._addresses:
            self._addresses[address] = len(self._addresses)
            self._by_address.append(_Average())
        like = any(self._shapes.address(url) == address for url in self._examples)
        kind = _Kind(len(self._kinds), self._addresses[address], _features(address, rest), self._settings.example_bonus * like)
        self._kinds[name] = kind
        self._names.append(name)
        chance = self._guess(kind.features, kind.bonus)
        self._values[name] = chance
        self._hopes[name] = self._settings.optimism * math.sqrt(max(chance, 0.01) * (1 - chance) / (self._settings.prior + 1))
        return name

    # choose
    def choose(self, waiting: Mapping[str, int]) -> str:
        self._due -= 1
        if self._due <= 0:
            self._judge()
            self._due = 1 + len(self._kinds) // 40
        values, hopes = self._values, self._hopes
        best, chosen = -1.0, ""
        for kind, count in waiting.items():
            value = values.get(kind, 0.5)
            if count > 1:
                value += hopes.get(kind, 0.0) * (1 - 1 / count)
            if value > best:
                best, chosen = value, kind
        return chosen

    def _judge(self) -> None:
        settings = self._settings
        kinds = list(self._kinds.values())
        if not kinds:
            return
        sums = self._weights[np.stack([kind.features for kind in kinds])].sum(axis=1) + self._bias
        bonus = np.array([kind.bonus for kind in kinds])
        guess = 1 / (1 + np.exp(-np.clip(sums + bonus, -30, 30)))
        tries = np.array([kind.tries for kind in kinds])
        hits = np.array([kind.hits for kind in kinds])
        mean = (hits + settings.prior * guess) / (tries + settings.prior)
        index = indices(mean, self._revealed(kinds))
        spread = np.sqrt(np.maximum(index, 0.01) * (1 - index) / (tries + settings.prior + 1))
        self._values = dict(zip(self._names, index.tolist(), strict=True))
        self._hopes = dict(zip(self._names, (settings.optimism * spread).tolist(), strict=True))

    def _revealed(self, kinds: list[_Kind]) -> Revealed:
        count, shapes = len(kinds), len(self._by_address)
        averages = [kind.reveals for kind in kinds] + self._by_address + [self._everywhere]
        sources, found, amounts = [], [], []
        for row, average in enumerate(averages):
            sources += [row] * len(average.amounts)
            found += average.amounts
            amounts += average.amounts.values()
        s = self._settings.revealing
        addresses = np.array([kind.address for kind in kinds])
        pages = np.array([average.pages for average in averages])
        own = pages[:count] / (pages[:count] + s)
        shape = (1 - own) * (pages[count + addresses] / (pages[count + addresses] + s))
        groups = np.stack([np.arange(count), count + addresses, np.full(count, count + shapes)], axis=1)
        shares = np.stack([own, shape, 1 - own - shape], axis=1)
        return Revealed(np.array(sources, np.int64), np.array(found, np.int64), np.array(amounts), groups, shares)

    def rescored(self) -> Mapping[str, float]:
        return {}

    def dumps(self) -> bytes:
        return b""


def _features(address: str, rest: str) -> np.ndarray:
    where, _, said = rest.partition(" ")
    bit, place = where[:1], where[1:]
    steps = place.split("/")
    folder, _, file = address.rpartition("/")
    names = [
        f"a {address}", f"d {folder}", f"f {file}", f"p {place}", f"l {steps[-1]}", f"ll {'/'.join(steps[-2:])}",
        f"pb {place} {bit}", f"b {bit}", f"t {said}", f"fl {file} {steps[-1]}", f"ab {address} {bit}", f"x {address} {place} {said} {bit}",
    ]
    return np.array([zlib.crc32(name.encode()) % _WEIGHTS for name in names])
