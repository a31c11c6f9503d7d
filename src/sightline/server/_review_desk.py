"""Open reviews: the queues of doubtful pairs that people are deciding about, one for each step that matches."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sightline.errors import SightlineError
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.match import Decisions, RecordMarks, ReviewPair, ReviewQueue, read_review, record_marks
from sightline.flow.run import RunState
from sightline.flow.spec import MatchStep
from sightline.server._caches import Cache
from sightline.server._flow_run_desk import FlowRunDesk
from sightline.server._problems import ProblemError
from sightline.server._studio import Studio

__all__ = ["OpenReview", "ReviewDesk"]

LOOKED_AT = 20  # runs in which the pairs of a step are looked for; a run that failed before it has none
CACHED_MARKS = 4_000

_Sign = tuple[int, int]


@dataclass
class OpenReview:
    """A queue that is open, and of what it was made; a change of either file by somebody else makes it anew."""

    flow: str
    step: str
    run: RunState
    queue: ReviewQueue
    path: Path
    decisions: Path
    written: _Sign
    kept: _Sign
    name: str = field(default_factory=lambda: secrets.token_hex(4))
    changes: int = 0
    _marks: Cache[str, RecordMarks] = field(default_factory=lambda: Cache(CACHED_MARKS))

    @property
    def version(self) -> str:
        """Another one after every answer."""
        return f"{self.name}-{self.changes}"

    @property
    def is_current(self) -> bool:
        """Whether nobody else has decided, and no other run was made."""
        return _sign(self.path) == self.written and _sign(self.decisions) == self.kept

    def changed(self) -> None:
        """Note that the queue has changed and written its file."""
        self.changes += 1
        self.kept = _sign(self.decisions)

    def marks(self, pair: ReviewPair) -> RecordMarks:
        """The marks of a pair, in all its texts but the prices, which are compared as amounts."""
        left, right = (
            {name: text for name, text in fields.items() if name != pair.price_field}
            for fields in (pair.left, pair.right)
        )
        return self._marks.get(pair.id, lambda: record_marks(left, right))


class ReviewDesk:
    """The reviews of a project."""

    def __init__(self, studio: Studio) -> None:
        self._runs = studio.part(FlowRunDesk)
        self._open: dict[tuple[str, str], OpenReview] = {}
        self._lock = threading.RLock()

    def all(self) -> list[OpenReview]:
        """The reviews of all flows of the project; what cannot be read is left out here, and told when it is opened."""
        found = []
        for name in self._runs.names():
            for step in self._steps(name):
                try:
                    with self.opened(name, step) as review:
                        found.append(review)
                except (ProblemError, SightlineError):
                    continue
        return found

    @contextmanager
    def opened(self, flow: str, step: str) -> Iterator[OpenReview]:
        """The review of a step of the last run; one answer is taken at a time."""
        with self._lock:
            review = self._open.get((flow, step))
            path, run = self._last(flow, step)
            if review is None or review.path != path or not review.is_current:
                review = self._open[flow, step] = self._begun(flow, step, path, run)
            yield review

    def _steps(self, name: str) -> list[str]:
        """The steps of the last run that match."""
        for state in self._runs.states(name, 1):
            flow = self._runs.flow_of(state)
            return [one.name for one in flow.steps.values() if isinstance(one, MatchStep)] if flow else []
        return []

    def _last(self, name: str, step: str) -> tuple[Path, RunState]:
        store = self._runs.store(name)
        for state in self._runs.states(name, LOOKED_AT):
            flow = self._runs.flow_of(state)
            if flow and isinstance(flow.steps.get(step), MatchStep) and store.run(state.id).review(step).exists():
                return store.run(state.id).review(step), state
        raise ProblemError("not-found", f"No run of {name} has pairs of `{step}` to review; run the flow first.")

    def _begun(self, name: str, step: str, path: Path, run: RunState) -> OpenReview:
        flow = self._runs.flow_of(run)
        own = flow.steps[step] if flow else None
        assert flow is not None  # both for the type checker: `_last` has looked
        assert isinstance(own, MatchStep)
        decisions = flow_run.decisions_of(flow, self._runs.store(name), own)
        signs = _sign(path), _sign(decisions)
        queue = ReviewQueue(read_review(path), Decisions(decisions), flow_run.match_settings(own))
        return OpenReview(name, step, run, queue, path, decisions, *signs)


def _sign(path: Path) -> _Sign:
    """By what it is seen that a file was changed."""
    try:
        known = path.stat()
    except FileNotFoundError:
        return 0, 0
    return known.st_size, known.st_mtime_ns
