"""The default likeness: a page is a target if it has what all examples have and other pages of the site lack.

The profile of a page is the set of its parts (`_page_parts.py`). A set does not care whether a class has 2 methods or
200. The *core* is what the profiles of all examples share: the words that belong to one page drop out, and “Enum Class”
stays. Each part of the core weighs -log of its share among the other pages seen, so the frame of the site weighs
nothing. What counts is, for each group of parts, how much of the core a page has, and how much else, beside what one
example has that another lacks. A small fitted model makes one score of that.

Where targets begin differs from site to site. So the scores of the pages seen say where: between two clusters, where
few pages are. And somebody may be asked about a page that is in doubt.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.crawler._page_parts import BUCKETS, GROUPS, OF_GROUP, PartReader
from sightline.sources import PageOutline, read_outline


class Judgement(NamedTuple):
    """Whether a page is a target, and how much it is like one, from 0 to 1."""

    is_target: bool
    likeness: float


class Questions:
    """Asks somebody whether a page is one of those looked for, a few times at most."""

    def __init__(self, ask: Callable[[str], bool | None], most: int = 3) -> None:
        """`ask` gets the address of a page, and answers None if nobody knows."""
        self._ask = ask
        self.left = most

    def answer(self, url: str) -> bool | None:
        """What somebody said of the page, if anybody was asked."""
        if self.left <= 0:
            return None
        self.left -= 1
        return self._ask(url)


# How much pages judged to be targets count for in the background; the first pages count in full. Were it 0, a page
# taken for a target by mistake would never teach that others look like it, too. 0.02 and 0.2 did no better.
FIRST, OF_TARGETS = 20, 0.05
# Pages of the background after which older ones count half. A few dozen suffice; sites have parts.
REMEMBERED = 400

# The model, fitted by `python -m bench.crawl.fit_likeness`, which also says what makers left out of the fit get. First
# the likeness over all groups, then for each group the share of the core, then for each group what else a page has.
WEIGHTS: FloatArray = np.array(
    [
        1.45,
        *(1.08, -0.79, -0.25, 1.80, 2.23, 1.96, 4.33),
        *(-1.02, -0.55, -0.90, -0.85, -0.60, -1.65, -1.56),
    ]
)
# With one to five or more examples: with more, less of the core is there by chance. Four were not measured.
BIASES = (3.13, -1.34, -1.87, -2.35, -2.83)

# The mass of a group's core at which half of what it says is believed: about the mass of three parts that one page in
# three has. The fit hardly depends on it.
_HALF_MASS = 3.0
_ALONE = 0.3  # of the parts of a single example, those that another would lack; the mean over the sites of the bench

# Where targets begin: the score, of those near the model's own, where the fewest of the last pages are.
_VALLEY = np.linspace(-1.0, 1.5, 25)
_WIDTH = 0.3  # over which pages are counted
_PULL = 0.02  # of the model's own threshold; 0.005 lets sites without two clusters go astray
_ENOUGH, _EVERY, _SCORES = 60, 20, 400  # pages before the first valley, between two, and of which scores are kept

# What is asked about: pages whose score is so near to where targets begin. An answer moves that beyond the page by a
# little. Asking about more distant pages taught less (see the fit).
_DOUBT, _BEYOND = 0.5, 0.5
_BEFORE_ASKING = 20  # pages; the first ones look more alike than they are


class _State(msgspec.Struct):
    core: list[int]
    background: list[float]
    pages: float
    scores: list[float]
    judged: int
    valley: float
    lowest: float
    highest: float
    asked: int
    confirmed: list[list[int]]


class ProfileLikeness:
    """Recognises pages like some examples. It learns from the pages that it rejects what the whole site has."""

    def __init__(
        self, examples: Sequence[str], urls: Sequence[str] = (), *, questions: Questions | None = None
    ) -> None:
        """`examples` are the HTML of pages looked for; at least one. `urls` are the addresses of the first of them."""
        self._reader = PartReader()
        addresses = [*urls, *[""] * (len(examples) - len(urls))]
        read = [self._reader.read(text, read_outline(text), url) for text, url in zip(examples, addresses, strict=True)]
        self._start(read, questions)

    @classmethod
    def of_parts(cls, examples: Sequence[LongArray], questions: Questions | None = None) -> "ProfileLikeness":
        """From what a `PartReader` read from the examples."""
        likeness = cls.__new__(cls)
        likeness._reader = PartReader()
        likeness._start(examples, questions)
        return likeness

    def _start(self, examples: Sequence[LongArray], questions: Questions | None) -> None:
        self._look_for(examples)
        self._background: FloatArray = np.zeros(len(self._core))
        self._pages = 0.0
        self._scores: list[float] = []
        self._judged = 0
        self._valley = 0.0
        self._lowest, self._highest = -math.inf, math.inf
        self._questions = questions
        self._asked = 0
        self._confirmed: list[LongArray] = []

    def _look_for(self, examples: Sequence[LongArray]) -> None:
        self._examples = [*examples]
        self._has = np.zeros((len(examples), BUCKETS), np.bool_)
        for has, parts in zip(self._has, examples, strict=True):
            has[parts] = True
        core = self._core = np.flatnonzero(self._has.all(axis=0))
        self._group = core // OF_GROUP
        # The position of a part in the core, by its number; parts that are not of it have the position after the last.
        self._position: LongArray = np.full(BUCKETS, len(core))
        self._position[core] = np.arange(len(core))
        self._usual = self._usually_else()
        self._bias = BIASES[min(len(examples), len(BIASES)) - 1]

    def _confirm(self, parts: LongArray) -> None:
        """A page of which somebody says that it is one looked for is an example like the others."""
        before = self._core
        self._confirmed.append(parts)
        self._look_for([*self._examples, parts])
        self._background = self._background[np.searchsorted(before, self._core)]

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:
        """The judgement on a page, which then becomes part of the background."""
        return self.judge_parts(self._reader.read(text, outline, url), url)

    def judge_parts(self, parts: LongArray, url: str = "") -> Judgement:
        """The judgement on a page of which the parts are read."""
        score = self.score(parts)
        if self._is_like_all(parts):
            score = max(score, self.threshold)
        is_target = score >= self.threshold
        if (said := self._said(score, url)) is not None:
            is_target = said
            if said:
                self._confirm(parts)
        self._learn(self._present(parts), 1.0 if not is_target or self._pages < FIRST else OF_TARGETS)
        self._note(score)
        likeness = 1 / (1 + math.exp(min(30.0, self.threshold - score)))
        return Judgement(is_target, max(likeness, 0.5) if is_target else min(likeness, 0.5))

    def score(self, parts: LongArray) -> float:
        """How much a page is like the examples: above 0 on most sites if it is one of those looked for."""
        return float(WEIGHTS @ self.features(parts)) + self._bias

    def _is_like_all(self, parts: LongArray) -> bool:
        """Whether a page has all that the examples have in common, and differs from them no more than they do.

        Where every page of a site is one looked for, nothing is rare, and the score says little.
        """
        return bool(self._present(parts).all()) and bool((self._else(parts) <= 0).all())

    @property
    def threshold(self) -> float:
        """The score from which on pages are targets, by the clusters seen and by what somebody said."""
        if self._lowest > self._highest:
            return (self._lowest + self._highest) / 2
        return min(max(self._valley, self._lowest), self._highest)

    def features(self, parts: LongArray) -> FloatArray:
        """What the model sees of a page."""
        present = self._present(parts)
        weights = -np.log(np.minimum((self._background + 0.5) / (self._pages + 1), 1.0))
        mass = np.bincount(self._group, weights, len(GROUPS))
        own = np.bincount(self._group, weights * present, len(GROUPS))
        shares = own / np.maximum(mass, 1e-9)
        believed = mass / (mass + _HALF_MASS)
        overall = own.sum() / max(float(mass.sum()), 1e-9)
        return np.concatenate([[overall], believed * (shares - 0.5), self._else(parts)])

    def _present(self, parts: LongArray) -> BoolArray:
        present = np.zeros(len(self._core) + 1, np.bool_)
        present[self._position[parts]] = True
        return present[:-1]

    def _else(self, parts: LongArray) -> FloatArray:
        """For each group, the share of the parts of a page that the nearest example lacks, beyond what is usual."""
        lacked = np.min([_lacked(parts, has) for has in self._has], axis=0)
        return np.where(self._usual < 0, 0.0, lacked - self._usual)

    def _usually_else(self) -> FloatArray:
        """For each group, the share of the parts of an example that another lacks; -1 where examples have no part."""
        several = [
            _lacked(np.unique(parts), has)
            for number, parts in enumerate(self._examples)
            for other, has in enumerate(self._has)
            if number != other
        ]
        usual = np.mean(several, axis=0) if several else np.full(len(GROUPS), _ALONE)
        has_any = self._has.reshape(len(self._has), len(GROUPS), OF_GROUP).any(axis=2).all(axis=0)
        return np.where(has_any, usual, -1.0)

    def _said(self, score: float, url: str) -> bool | None:
        """What somebody says of a page in doubt; it moves where targets begin."""
        if self._questions is None or self._judged < _BEFORE_ASKING or abs(score - self.threshold) >= _DOUBT:
            return None
        left = self._questions.left
        said = self._questions.answer(url)
        self._asked += left - self._questions.left
        if said:
            self._highest = min(self._highest, score - _BEYOND)
        elif said is not None:
            self._lowest = max(self._lowest, score + _BEYOND)
        return said

    def _learn(self, present: BoolArray, weight: float) -> None:
        self._background += weight * present
        self._pages += weight
        if self._pages >= REMEMBERED:
            self._background /= 2
            self._pages /= 2

    def _note(self, score: float) -> None:
        self._scores.append(score)
        del self._scores[:-_SCORES]
        self._judged += 1
        if self._judged >= _ENOUGH and self._judged % _EVERY == 0:
            near = np.exp(-0.5 * ((np.array(self._scores)[:, None] - _VALLEY) / _WIDTH) ** 2).mean(axis=0)
            self._valley = float(_VALLEY[np.argmin(near + _PULL * _VALLEY**2)])

    def dumps(self) -> bytes:
        """What was learned, to go on after a stop."""
        state = _State(
            self._core.tolist(),
            self._background.tolist(),
            self._pages,
            self._scores,
            self._judged,
            self._valley,
            self._lowest,
            self._highest,
            self._asked,
            [parts.tolist() for parts in self._confirmed],
        )
        return msgspec.msgpack.encode(state)

    def resume(self, state: bytes) -> None:
        """Go on with what `dumps` wrote down.

        With more examples than before, the core is a part of what it was. With others, it may have parts that nobody
        counted; the background then begins anew, because they would pass for rare.
        """
        kept = msgspec.msgpack.decode(state, type=_State)
        self._asked = kept.asked
        if self._questions is not None:
            self._questions.left -= kept.asked
        for parts in kept.confirmed:
            self._confirm(np.array(parts, np.int64))
        core = np.array(kept.core, np.int64)
        if not np.isin(self._core, core).all():
            return
        self._background = np.array(kept.background)[np.searchsorted(core, self._core)]
        self._pages = kept.pages
        if len(core) == len(self._core):
            self._scores, self._judged, self._valley = kept.scores, kept.judged, kept.valley
            self._lowest, self._highest = kept.lowest, kept.highest


def _lacked(parts: LongArray, has: BoolArray) -> FloatArray:
    """For each group, the share of some parts that an example lacks."""
    group = parts // OF_GROUP
    counts = np.bincount(group, minlength=len(GROUPS))
    return np.bincount(group[~has[parts]], minlength=len(GROUPS)) / np.maximum(counts, 1)
