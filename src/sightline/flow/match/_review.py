"""The review queue: which doubtful pair is asked about next, what an answer changes, and what is learned from it.

An answer is written down at once. Then the model is taught anew, the chances of all waiting pairs change, and pairs
whose record was decided go.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from statistics import median
from typing import Literal, TypeAlias, get_args

import numpy as np

from sightline.arrays import FloatArray, LongArray
from sightline.errors import ConflictError, UsageError
from sightline.flow.match._evidence import EVIDENCE
from sightline.flow.match._match import MatchSettings, model_of, taught_by
from sightline.flow.match._matches import Decision, Decisions, MatchReason, ReviewPair, reasons_of
from sightline.flow.match._model import MatchModel

ReviewAnswer: TypeAlias = Literal["same", "different", "new", "skip"]
"""`new` says that a record is none of the candidates; `skip` asks about it last."""

BINS = 100  # of the histogram: one for each per cent, which is as fine as a line can be drawn
_PAUSE = 120.0  # seconds; who takes longer for an answer was away
_LAST = 50  # answers by which the pace is told
_ENOUGH = 5  # answers from which on a pace can be told
_TOLD = 0.03  # of the log-odds, by which a figure moved pairs apart; what did less is not told
_MOVED = 0.005  # of a chance: what moves less is not seen as moved
_MOST_TOLD = 4
_LONGEST = 48  # characters of a text in the words of a step

# Each figure as the subject of a sentence.
_FIGURES = {
    "columns alike": "columns that agree",
    "columns differ": "columns that differ",
    "worst column": "the column that differs most",
    "ahead of other rights": "being the best candidate",
    "ahead of other lefts": "being the best record for a candidate",
    "words of all columns": "shared words anywhere",
    "letters": "similar spelling",
    "words": "shared words",
    "letters ahead of other rights": "having the most similar name",
    "letters ahead of other lefts": "a name most similar to this record's",
    "shared code": "shared model numbers",
    "codes begin alike": "model numbers that begin alike",
    "codes differ": "different model numbers",
    "numbers differ": "different numbers",
    "numbers shared": "shared numbers",
    "this catalogue": "what all pairs have in common",
}


@dataclass(frozen=True)
class ReviewStroke:
    """One answer, as it can be taken back: the decisions it wrote down, or the record that it put off."""

    words: str
    decisions: tuple[Decision, ...] = ()
    skipped: str = ""


@dataclass(frozen=True)
class ReviewProgress:
    """How far a review is; `seconds` for an answer and `left` for the rest are known after a few answers."""

    pairs: int
    decided: int
    waiting: int
    skipped: int
    records: int
    answers: int
    seconds: float | None
    left: float | None


@dataclass(frozen=True)
class WaitingPair:
    """A pair that waits for an answer, with its chance by now and what speaks for and against it."""

    found: ReviewPair
    score: float
    reasons: tuple[MatchReason, ...]
    is_skipped: bool


class ReviewQueue:
    """The doubtful pairs of a run, and the decisions about them.

    Pairs are asked about record by record, the likeliest first; a record of which a candidate was rejected stays until
    it has no other.
    """

    def __init__(
        self,
        pairs: Sequence[ReviewPair],
        decisions: Decisions,
        settings: MatchSettings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings: MatchSettings = settings or MatchSettings()
        self._pairs = list(pairs)
        self._decisions = decisions
        self._clock = clock
        self._at = {one.id: number for number, one in enumerate(self._pairs)}
        # Pairs of a version with other evidence keep the chances that they were written with.
        self._is_known = all(len(one.pair.evidence) == len(EVIDENCE) for one in self._pairs)
        width = len(EVIDENCE) if self._is_known else 0
        figures = [one.pair.evidence[:width] for one in self._pairs]
        self._evidence: FloatArray = np.array(figures, np.float64).reshape(len(figures), width)
        self._records = _numbers([one.pair.left_text for one in self._pairs])
        self._rights = _numbers([one.pair.right_text for one in self._pairs])
        self._skipped: dict[int, int] = {}
        self._focus = -1
        self._times: list[float] = []
        self._last_at: float | None = None
        self._gone_by_answers = 0
        self._made = decisions.all()
        self.done: list[ReviewStroke] = list(_strokes(self._made))
        self.undone: list[ReviewStroke] = []
        self.learned: str = ""
        self._teach()

    # ------------------------------------------------------------------ what is known

    @property
    def made(self) -> int:
        """How many decisions there are."""
        return len(self._made)

    def waiting(self, offset: int = 0, limit: int | None = None) -> list[WaitingPair]:
        """The pairs that wait, in the order in which they are asked about."""
        order = self._order[offset : None if limit is None else offset + limit]
        return [self._shown(int(at)) for at in order]

    def candidates(self, pair_id: str) -> list[WaitingPair]:
        """All pairs that wait of the record of a pair, the likeliest first."""
        record = self._records[self._number(pair_id)]
        return [self._shown(int(at)) for at in self._order if self._records[at] == record]

    @property
    def progress(self) -> ReviewProgress:
        """How far the review is."""
        waiting = int(self._is_waiting.sum())
        records = len(np.unique(self._records[self._is_waiting]))
        seconds = median(self._times[-_LAST:]) if len(self._times) >= _ENOUGH else None
        answers_for_each = len(self._times) / max(self._gone_by_answers, 1)
        expected = waiting * answers_for_each if self._gone_by_answers >= _ENOUGH else float(records)
        return ReviewProgress(
            len(self._pairs),
            len(self._pairs) - waiting,
            waiting,
            int(np.isin(self._records[self._is_waiting], list(self._skipped)).sum()),
            records,
            len(self._times),
            seconds,
            None if seconds is None else seconds * min(expected, waiting),
        )

    @property
    def histogram(self) -> list[int]:
        """How many records have their best candidate at each per cent."""
        best = self._scores[self._best]
        places = np.minimum((best * BINS + 1e-9).astype(np.int64), BINS - 1)
        counts: list[int] = np.bincount(places, minlength=BINS).tolist()
        return counts

    def above(self, line: float) -> list[ReviewPair]:
        """What accepting everything above a line would accept: the best candidate of each record, if likely enough."""
        return [self._pairs[int(at)] for at in self._best if self._scores[at] >= line - 1e-9]

    @cached_property
    def _base(self) -> MatchModel:
        return model_of(self.settings)

    @property
    def lessons(self) -> list[str]:
        """What all decisions together taught, the weightiest first."""
        return [_sentence(self._base, self._model, name) for name in self._moved(self._base, self._model)]

    # ------------------------------------------------------------------ answers

    def answer(self, pair_id: str, answer: ReviewAnswer) -> None:
        """Take the answer about a pair: write it down, teach the model, and say what was learned in `learned`."""
        if answer not in get_args(ReviewAnswer):
            raise UsageError(f"{answer!r} isn't a valid answer; give one of {', '.join(get_args(ReviewAnswer))}.")
        at = self._number(pair_id)
        if not self._is_waiting[at]:
            raise ConflictError(pair_id, "this pair was decided meanwhile; load the review again.", "")
        self._do(self._stroke(at, answer), int(self._records[at]), is_timed=True)

    def accept_above(self, line: float) -> int:
        """Accept the best candidate of each record above a line; how many.

        Nothing is learned from that, since nobody looked at them.
        """
        found = self.above(line)
        if not found:
            raise UsageError(f"No pair reaches {line:.0%}; move the line down.")
        number = secrets.token_hex(4)
        decisions = tuple(Decision(one.pair.left_text, one.pair.right_text, same=True, stroke=number) for one in found)
        words = f"accepted {len(found)} pairs from {line:.0%} on".replace("%", " %")
        self._do(ReviewStroke(words, decisions), self._focus, is_timed=False)
        return len(found)

    def undo(self) -> str:
        """Take the last answer back, whatever it wrote down; the words of it."""
        if not self.done:
            raise UsageError("There is no answer to take back.")
        last = self.done[-1]
        if last.decisions:
            self._decisions.take_back_all(last.decisions)
            del self._made[-len(last.decisions) :]
        else:
            self._skipped.pop(self._record_of(last.skipped), None)
        self.done.pop()
        self.undone.append(last)
        self._focus = self._record_of(last.skipped or last.decisions[0].left)
        self._last_at = None
        self._learn()
        return last.words

    def redo(self) -> str:
        """Give the answer again that was taken back last; the words of it."""
        if not self.undone:
            raise UsageError("There is no answer to give again.")
        again, later = self.undone[-1], self.undone[:-1]
        self._do(again, self._focus, is_timed=False)
        self.undone = later
        return again.words

    def _stroke(self, at: int, answer: ReviewAnswer) -> ReviewStroke:
        found = self._pairs[at]
        name = _short(found.pair.left_text)
        if answer == "skip":
            return ReviewStroke(f"skipped {name}", skipped=found.pair.left_text)
        if answer != "new":
            said = "accepted" if answer == "same" else "rejected"
            decision = found.pair.decision(same=answer == "same")
            return ReviewStroke(f"{said} {name} → {_short(found.pair.right_text)}", (decision,))
        own = [self._pairs[int(one)] for one in np.flatnonzero(self._is_waiting & (self._records == self._records[at]))]
        stroke = secrets.token_hex(4)
        decisions = tuple(
            Decision(one.pair.left_text, one.pair.right_text, same=False, evidence=one.pair.evidence, stroke=stroke)
            for one in own
        )
        return ReviewStroke(f"called {name} new", decisions)

    def _do(self, stroke: ReviewStroke, focus: int, *, is_timed: bool) -> None:
        before = int(self._is_waiting.sum())
        if stroke.decisions:
            self._decisions.add(*stroke.decisions)
            self._made += stroke.decisions
        else:
            record = self._record_of(stroke.skipped)
            self._skipped.pop(record, None)
            self._skipped[record] = len(self.done)
        self.done.append(stroke)
        self.undone = []
        self._focus = focus if stroke.decisions else -1
        self._learn()
        if is_timed:
            self._note_time(before - int(self._is_waiting.sum()))

    def _note_time(self, gone: int) -> None:
        now = self._clock()
        if self._last_at is not None and now - self._last_at <= _PAUSE:
            self._times.append(now - self._last_at)
            self._gone_by_answers += gone
        self._last_at = now

    # ------------------------------------------------------------------ learning

    def _learn(self) -> None:
        """Teach the model anew, and say what that changed for the pairs that wait."""
        model, scores, waited = self._model, self._scores, self._is_waiting
        self._teach()
        still = waited & self._is_waiting
        self.learned = self._told(model, scores, still)

    def _teach(self) -> None:
        latest = {(one.left, one.right): one for one in self._made}
        self._model = taught_by(self._base, latest.values())
        self._scores = self._model.chances(self._evidence) if self._is_known else self._given_scores
        accepted = {left for (left, _), one in latest.items() if one.same}
        taken = {right for (_, right), one in latest.items() if one.same}
        is_one = self.settings.assignment == "one-to-one"
        self._is_waiting = np.array(
            [
                (one.pair.left_text, one.pair.right_text) not in latest
                and one.pair.left_text not in accepted
                and not (is_one and one.pair.right_text in taken)
                for one in self._pairs
            ],
            bool,
        )
        self._sort()

    @cached_property
    def _given_scores(self) -> FloatArray:
        return np.array([one.pair.score for one in self._pairs])

    def _sort(self) -> None:
        waiting = np.flatnonzero(self._is_waiting)
        records, scores = self._records[waiting], self._scores[waiting]
        best = np.zeros(int(self._records.max(initial=-1)) + 1)
        np.maximum.at(best, records, scores)
        put_off = np.full(len(best), -1.0)
        for record, when in self._skipped.items():
            put_off[record] = when
        if 0 <= self._focus < len(best) and put_off[self._focus] < 0:
            best = best.copy()
            best[self._focus] = 2.0  # above every chance
        order = np.lexsort((-scores, records, -best[records], put_off[records]))
        self._order: LongArray = waiting[order]
        own = self._records[self._order]
        is_first = np.concatenate([[True], own[1:] != own[:-1]]) if len(own) else np.zeros(0, bool)
        self._best: LongArray = self._order[is_first]
        if self.settings.assignment == "one-to-one":
            self._best = self._one_each(self._best)

    def _one_each(self, best: LongArray) -> LongArray:
        """Of the best candidates, only one for each record of the catalogue: the likeliest."""
        likeliest = best[np.argsort(-self._scores[best], kind="stable")]
        _, first = np.unique(self._rights[likeliest], return_index=True)
        kept = set(likeliest[first].tolist())
        return np.array([at for at in best.tolist() if at in kept], np.int64)

    def _told(self, model: MatchModel, scores: FloatArray, still: "np.typing.NDArray[np.bool_]") -> str:
        """What an answer changed: which figures count otherwise, and how many waiting pairs moved because of it."""
        line = self.settings.matched
        rose = int((still & (scores < line) & (self._scores >= line)).sum())
        fell = int((still & (scores >= line) & (self._scores < line)).sum())
        up = int((still & (self._scores - scores >= _MOVED)).sum())
        down = int((still & (scores - self._scores >= _MOVED)).sum())
        if not up and not down:
            return ""
        is_up = up >= down
        figure = self._cause(model, still, is_up=is_up)
        how = "generously" if is_up else "strictly"
        why = _sentence(model, self._model, figure) if figure else f"Pairs are now judged more {how}"
        parts = [
            f"{_counted(rose, 'pair')} went above {_percent(line)}" if rose else "",
            f"{_counted(fell, 'pair')} fell below {_percent(line)}" if fell else "",
        ]
        if not rose and not fell:
            parts = [
                f"{_counted(up, 'pair')} became likelier" if up else "",
                f"{_counted(down, 'pair')} less likely" if down else "",
            ]
        return f"{why}: {', '.join(filter(None, parts))}."

    def _cause(self, before: MatchModel, still: "np.typing.NDArray[np.bool_]", *, is_up: bool) -> str | None:
        """The figure that moved most waiting pairs the way that most of them went, if one tells them apart."""
        if not self._is_known:
            return None
        change = np.array(self._model.weights) - np.array(before.weights)
        moved = self._evidence[still].mean(axis=0) * change * (1 if is_up else -1)
        moved[self._evidence[still].std(axis=0) * np.abs(change) < _TOLD / 5] = 0.0
        return EVIDENCE[int(moved.argmax())] if moved.max() > 0 else None

    def _moved(self, before: MatchModel, after: MatchModel, least: float = _TOLD) -> list[str]:
        """The figures whose weights moved pairs apart, the weightiest first; one that all have moves none apart."""
        if not self._is_known or not len(self._pairs):
            return []
        change = np.array(after.weights) - np.array(before.weights)
        effect = self._evidence.std(axis=0) * np.abs(change)
        order = np.argsort(-effect, kind="stable")
        return [EVIDENCE[at] for at in order.tolist() if effect[at] >= least][:_MOST_TOLD]

    # ------------------------------------------------------------------ helpers

    def _number(self, pair_id: str) -> int:
        if pair_id not in self._at:
            raise UsageError("There is no such pair in this review; load it again.")
        return self._at[pair_id]

    def _record_of(self, left_text: str) -> int:
        return next(
            (int(self._records[at]) for at, one in enumerate(self._pairs) if one.pair.left_text == left_text), -1
        )

    def _shown(self, at: int) -> WaitingPair:
        found = self._pairs[at]
        parts = self._model.parts(self._evidence[at]) if self._is_known else dict(found.pair.parts or {})
        put_off = int(self._records[at]) in self._skipped
        return WaitingPair(found, float(self._scores[at]), reasons_of(parts, found.pair.columns), put_off)


def _numbers(texts: Sequence[str]) -> LongArray:
    """The same number for the same text, in their order."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(text, len(known)) for text in texts], np.int64)


def _strokes(made: Iterable[Decision]) -> Iterator[ReviewStroke]:
    """The answers of a file, as far as it tells which decisions were one."""
    for stroke, group in groupby(enumerate(made), key=lambda one: one[1].stroke or str(one[0])):
        own = tuple(decision for _, decision in group)
        first = own[0]
        if len(own) == 1 and not first.stroke:
            said = "accepted" if first.same else "rejected"
            yield ReviewStroke(f"{said} {_short(first.left)} → {_short(first.right)}", own)
        elif first.same:
            yield ReviewStroke(f"accepted {len(own)} pairs at once", own)
        else:
            assert stroke
            yield ReviewStroke(f"called {_short(first.left)} new", own)


def _sentence(before: MatchModel, after: MatchModel, figure: str) -> str:
    """What became of the weight of a figure.

    >>> size = len(EVIDENCE)
    >>> before, after = (MatchModel((weight,) * size, (0.0,) * size, (1.0,) * size, 0.0) for weight in (1.0, 2.0))
    >>> _sentence(before, after, "shared code")
    'Shared model numbers now count more'
    """
    at = EVIDENCE.index(figure)
    old, new = before.weights[at], after.weights[at]
    name = _FIGURES[figure]
    subject = name[0].upper() + name[1:]
    is_single = name.startswith(("similar", "being", "having", "a ", "the ", "what "))
    grows = abs(new) > abs(old)
    if new < 0 or (old < 0 and not grows):
        verb = "speaks" if is_single else "speak"
        return f"{subject} now {verb} {'more' if grows else 'less'} against a pair"
    verb = "counts" if is_single else "count"
    return f"{subject} now {verb} {'more' if grows else 'less'}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
