"""The figures of a batch that its summary shows."""

from collections.abc import Sequence

import msgspec

from sightline.scale.output._audit import BatchAudit
from sightline.scale.output._facts import DocumentStatus, PartFacts

# -- what changes in the course of a batch: its shards in order, as a few steps, however many there are -------------

MOST_STEPS = 40  # as many as a line of a terminal shows beside a name and two figures

MOST_CHANGED = 6  # fields that a summary draws
LEAST_CHANGE = 0.05  # of the rows; less than that isn't news about a site
LEAST_ROWS = 20  # of a step whose share says anything
SIGMAS = 4.0  # of chance: with 40 steps and 50 fields, 2,000 differences are looked at


class SummaryStep(msgspec.Struct, frozen=True):
    """Some shards in order: their documents, how many of them are not ok, and how many rows have each field."""

    documents: int
    not_ok: int
    rows: int
    filled: tuple[int, ...]

    @property
    def not_ok_share(self) -> float:
        """The share of documents that are not ok."""
        return self.not_ok / self.documents if self.documents else 0.0

    def fill(self, place: int) -> float | None:
        """The share of rows that have a field; None where there are no rows."""
        return self.filled[place] / self.rows if self.rows else None


class StepSeries:
    """Takes the facts of shards one by one, and keeps no more than twice `MOST_STEPS` sums of them."""

    def __init__(self) -> None:
        self._steps: list[SummaryStep] = []
        self._shards, self._last = 1, 0  # of each step, and of the last one

    def add(self, facts: PartFacts) -> None:
        """Take the next shard."""
        step = SummaryStep(facts.documents, facts.documents - facts.ok, facts.rows, facts.filled)
        if self._steps and self._last < self._shards:
            self._steps[-1] = _joined(self._steps[-1], step)
            self._last += 1
            return
        if len(self._steps) == 2 * MOST_STEPS:
            self._steps = _halved(self._steps)
            self._shards *= 2
        self._steps.append(step)
        self._last = 1

    def steps(self) -> tuple[SummaryStep, ...]:
        """All shards as at most `MOST_STEPS` steps."""
        return tuple(_halved(self._steps) if len(self._steps) > MOST_STEPS else self._steps)


def _halved(steps: Sequence[SummaryStep]) -> list[SummaryStep]:
    pairs = [steps[place : place + 2] for place in range(0, len(steps), 2)]
    return [_joined(*pair) if len(pair) == 2 else pair[0] for pair in pairs]


def _joined(one: SummaryStep, two: SummaryStep) -> SummaryStep:
    return SummaryStep(
        one.documents + two.documents,
        one.not_ok + two.not_ok,
        one.rows + two.rows,
        tuple(a + b for a, b in zip(one.filled, two.filled, strict=True)),
    )


def changed_fields(steps: Sequence[SummaryStep], names: Sequence[str]) -> tuple[str, ...]:
    """The fields whose share of filled rows changes most, and by more than chance, the most changed first."""
    spread = {name: _spread(steps, place) for place, name in enumerate(names)}
    ranked = sorted((name for name in names if spread[name] > 0), key=lambda name: -spread[name])
    return tuple(ranked[:MOST_CHANGED])


def _spread(steps: Sequence[SummaryStep], place: int) -> float:
    """The difference between the highest and the lowest share of steps; 0 if chance may have made it."""
    counted = [step for step in steps if step.rows >= LEAST_ROWS]
    if len(counted) < 2:
        return 0.0
    rows = sum(step.rows for step in counted)
    mean = sum(step.filled[place] for step in counted) / rows
    low = min(counted, key=lambda step: step.filled[place] / step.rows)
    high = max(counted, key=lambda step: step.filled[place] / step.rows)
    spread = high.filled[place] / high.rows - low.filled[place] / low.rows
    chance = (mean * (1 - mean) * (1 / high.rows + 1 / low.rows)) ** 0.5
    return spread if spread >= max(LEAST_CHANGE, SIGMAS * chance) else 0.0


# -- the figures of a batch that its summary shows ------------------------------------------------------------------


class FieldFill(msgspec.Struct, frozen=True):
    """A field, and how many rows have a value in it."""

    name: str
    filled: int
    share: float


class CauseExample(msgspec.Struct, frozen=True):
    """A document that is not ok, with its first reason as it was given."""

    id: str
    source: str
    reason: str


class CauseGroup(msgspec.Struct, frozen=True):
    """Documents that are not ok for one cause, with examples; names and numbers are taken out of `reason`."""

    status: DocumentStatus
    cause: str
    reason: str
    documents: int
    examples: tuple[CauseExample, ...] = ()


class SlowDocument(msgspec.Struct, frozen=True):
    """A document that took long."""

    id: str
    source: str
    status: str
    seconds: float
    cpu_seconds: float


class BatchFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a batch, in figures and examples.

    `elapsed` is how long it ran, in seconds, with `workers`, if that is known; `stopped` says why it was stopped.
    """

    title: str = ""
    documents: int = 0
    ok: int = 0
    suspicious: int = 0
    failed: int = 0
    quarantined: int = 0
    rows: int = 0
    bytes: int = 0
    file_bytes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    elapsed: float | None = None
    workers: int | None = None
    fields: tuple[FieldFill, ...] = ()
    steps: tuple[SummaryStep, ...] = ()
    changed: tuple[str, ...] = ()
    causes: tuple[CauseGroup, ...] = ()
    other_causes: int = 0
    slowest: tuple[SlowDocument, ...] = ()
    stopped: str = ""
    audited: BatchAudit | None = None

    @property
    def not_ok(self) -> int:
        """The documents that are suspicious, failed or quarantined."""
        return self.documents - self.ok

    def share(self, status: str) -> float:
        """The share of the documents with a status."""
        return float(getattr(self, status)) / self.documents if self.documents else 0.0
