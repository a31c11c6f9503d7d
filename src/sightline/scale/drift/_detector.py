"""Notices that a wrapper no longer fits the pages: more of them are not ok than ever before, by more than chance."""

from collections import Counter, deque
from collections.abc import Mapping
from functools import cache
from math import ceil, exp, lgamma, log, log1p, sqrt

import msgspec
import numpy as np

from sightline.arrays import FloatArray
from sightline.scale.output import DocumentOutcome, reason_form

# The constants were chosen by `python -m bench.scale.drift`, which simulates steady, bursty and changing streams and
# replays redesigns of real sites; docs/scale.md has its figures. Run it again after changing one.

WINDOW = 50
"""Pages behind which those begin that are taken for usual: what changes for good is to be noticed within them."""

LEAST_BAD = 10
"""Pages that are not ok before anything is said; nobody wants to hear of fewer."""

FLOOR = 0.02
"""The least share that is taken for usual. No sample shows that less than 2 % of all pages are odd ones."""

CAUTION = 2.0
"""Standard deviations by which the share before is taken to be higher than it was seen."""

UNKNOWN = (3, 20)
"""What is assumed of a wrapper before its first page: as if 3 of 20 had not been ok."""

BURSTS = (2, 4)
"""What is assumed of odd pages before any was seen: as if 2 of 4 had been followed by another one. With 1 of 4, 5 % of
the batches that begin with bursts of four odd pages are stopped for them; with 2 of 4 none of 300 is."""

_NOT_A_PAGE = ("failed", "quarantined")


class DriftBaseline(msgspec.Struct, frozen=True, array_like=True):
    """How many pages were not ok when all was well: those of a sample, or of the batch so far.

    `followed` are those that had a next page, `repeated` those whose next page was not ok either; a sample, whose pages
    aren't neighbours, has none.
    """

    pages: int = 0
    not_ok: int = 0
    followed: int = 0
    repeated: int = 0


class Drift(msgspec.Struct, frozen=True, array_like=True):
    """A change for the worse: `not_ok` of the last `pages`, against so many before; `reason` is their most common.

    >>> print(Drift(40, 31, DriftBaseline(1000, 20), "the field “price” is missing", 28))
    31 of the last 40 pages are suspicious or failed, against 2 % before; most often: the field “price” is missing (28).
    """

    pages: int
    not_ok: int
    before: DriftBaseline
    reason: str = ""
    times: int = 0

    def __str__(self) -> str:
        """The change in one sentence."""
        share = f"{100 * self.before.not_ok / max(1, self.before.pages):.2g} %"
        against = (
            f", against {share} before" if self.before.pages >= UNKNOWN[1] else ", and hardly any were read before"
        )
        often = f"; most often: {self.reason.rstrip('.')} ({self.times})" if self.reason else ""
        return f"{self.not_ok} of the last {self.pages} pages are suspicious or failed{against}{often}."


class DriftDetector:
    """Looks at the outcomes of one worker as they come, and says when too many are not ok.

    Each page that is not ok is compared with the pages before it, for many lengths of the way back: are more of them
    not ok than chance allows, given the share before, and how often odd pages follow each other? Documents that never
    became a page, as they were damaged or not there, say nothing about a wrapper.

    >>> detector = DriftDetector(DriftBaseline(1000, 20, 20, 0))
    >>> bad = DocumentOutcome("x", "x", status="suspicious", reasons=("the field “price” is missing",), cause="page")
    >>> next(str(drift) for _ in range(50) if (drift := detector.add(bad)))
    '10 of the last 10 pages are suspicious or failed, against 2 % before; most often: the field “price” is missing ...'
    """

    def __init__(self, baseline: DriftBaseline | None = None, *, bursts: tuple[int, int] = BURSTS) -> None:
        before = baseline or DriftBaseline()
        self._bursts = bursts
        self._pages, self._not_ok = before.pages, before.not_ok
        self._followed, self._repeated = before.followed, before.repeated
        self._last: deque[bool] = deque(maxlen=LENGTHS[-1])
        self._reasons: deque[str] = deque(maxlen=LENGTHS[-1])

    @property
    def baseline(self) -> DriftBaseline:
        """The pages that later ones are compared with; another detector can begin with it."""
        return DriftBaseline(self._pages, self._not_ok, self._followed, self._repeated)

    def add(self, outcome: DocumentOutcome) -> Drift | None:
        """Look at one more outcome; what has changed, if anything has."""
        if not _is_about_the_wrapper(outcome):
            return None
        return self.see(is_ok=outcome.status == "ok", reason=outcome.reasons[0] if outcome.reasons else "")

    def see(self, *, is_ok: bool, reason: str = "") -> Drift | None:
        """As `add`, of a page of which only this is known."""
        self._last.append(not is_ok)
        if len(self._last) > WINDOW:
            self._learn(self._last[-WINDOW - 1], self._last[-WINDOW])
        if is_ok:
            return None
        self._reasons.append(reason_form(reason))
        return self._change() if len(self._reasons) >= LEAST_BAD else None

    def _learn(self, is_bad: bool, is_next_bad: bool) -> None:  # noqa: FBT001
        """Take a page for usual, since nothing has changed for so long."""
        self._pages += 1
        self._not_ok += is_bad
        self._followed += is_bad
        self._repeated += is_bad and is_next_bad

    def _change(self) -> Drift | None:
        """The longest way back on which more pages are not ok than chance allows."""
        limits = too_many(self._usual(), self._again())
        bad, found = 0, None
        for pages, is_bad in enumerate(reversed(self._last), start=1):
            bad += is_bad
            if pages in limits and bad >= max(LEAST_BAD, limits[pages]):
                found = (pages, bad)
        return self._told(*found) if found else None

    def _usual(self) -> float:
        """The share of pages that are not ok as a rule, or rather more than that."""
        assumed, of = UNKNOWN if self._pages < WINDOW else (0, 0)
        hits, total = self._not_ok + assumed, self._pages + of
        # Pages that follow each other in being odd say less than as many that stand alone.
        again = self._again()
        worth = (1 - again) / (1 + again)
        return max(FLOOR, wilson(round(hits * worth), max(1, round(total * worth)), CAUTION)[1])

    def _again(self) -> float:
        """How often a page that is not ok is followed by another one."""
        return (self._repeated + self._bursts[0]) / (self._followed + self._bursts[1])

    def _told(self, pages: int, bad: int) -> Drift:
        reason, times = Counter(list(self._reasons)[-bad:]).most_common(1)[0]
        return Drift(pages, bad, self.baseline, reason, times)


def _is_about_the_wrapper(outcome: DocumentOutcome) -> bool:
    """Whether there was a page, which the wrapper took, doubted or refused."""
    return outcome.status not in _NOT_A_PAGE or bool(outcome.page) or outcome.cause == "VerificationError"


# How many pages may be not ok by chance, if they are so with some share, and follow each other in it.

CHANCE = 8e-7
"""Of a false alarm after any one page, at most. A quarter of it costs two more pages before a redesign is noticed."""

LENGTHS = (*range(1, 51), 60, 75, 100, 150, 200)
"""Of the ways back. Where odd pages come in bursts, fifty aren't proof."""

_SHARES, _AGAIN = 200, 20  # steps of the two figures for which limits are computed


def too_many(usual: float, again: float) -> Mapping[int, int]:
    """For each length, how many pages that are not ok are more than chance allows; one too many if all of them are not.

    `usual` is the share of pages that are not ok, `again` how often the next one of such a page is so, too. Both are
    rounded up.

    >>> limits = too_many(0.02, 0.02)
    >>> limits[5], limits[10], limits[50], too_many(0.02, 0.7)[50]
    (6, 7, 12, 45)
    """
    return _too_many(min(_SHARES, ceil(_SHARES * usual)), min(_AGAIN, ceil(_AGAIN * again)))


@cache
def _too_many(usual: int, again: int) -> dict[int, int]:
    share = usual / _SHARES
    tails = _tails(min(share, 0.999), min(max(share, again / _AGAIN), 0.999))
    # The chances of all lengths are added, which is more than the chance that any of them raises a false alarm.
    each = CHANCE / len(LENGTHS)
    return {length: int(np.argmax(tails[length] <= each)) for length in LENGTHS}


def _tails(share: float, again: float) -> dict[int, FloatArray]:
    """For each length the chance that at least 0, 1, 2 … pages are not ok: exactly, for a chain of two states.

    The chain has no longer memory than one page, and has run for ever before.
    """
    begin = share * (1 - again) / (1 - share)
    most = LENGTHS[-1] + 1
    good, bad = np.zeros(most + 1), np.zeros(most + 1)
    good[0], bad[1] = 1 - share, share
    found = {}
    for length in range(1, most):
        if length in LENGTHS:
            found[length] = np.append(np.cumsum((good + bad)[length::-1])[::-1], 0.0)
        worse = np.roll(bad * again + good * begin, 1)
        good, bad = bad * (1 - again) + good * (1 - begin), worse
    return found


# What a share of some documents says about the share of all.


def wilson(hits: int, total: int, sigmas: float = 1.96) -> tuple[float, float]:
    """The interval that holds the true share (Wilson's), by default with 95 % certainty.

    >>> low, high = wilson(20, 1000)
    >>> round(low, 3), round(high, 3), wilson(0, 0)
    (0.013, 0.031, (0.0, 1.0))
    """
    if not total:
        return 0.0, 1.0
    share, square = hits / total, sigmas * sigmas
    middle = share + square / (2 * total)
    reach = sigmas * sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def chance_of_more(least: int, total: int, share: float) -> float:
    """The chance that at least so many of all have what each has with this chance, independently.

    >>> round(chance_of_more(1, 2, 0.5), 2), chance_of_more(0, 2, 0.5)
    (0.75, 1.0)
    """
    if least <= 0:
        return 1.0
    if not 0 < share < 1:
        return float(share >= 1 and least <= total)
    return min(1.0, sum(_chance(hits, total, share) for hits in range(least, total + 1)))


def _chance(hits: int, total: int, share: float) -> float:
    ways = lgamma(total + 1) - lgamma(hits + 1) - lgamma(total - hits + 1)
    return exp(ways + hits * log(share) + (total - hits) * log1p(-share))
