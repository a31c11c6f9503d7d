"""Who looks on while flows run: the log, the metrics and the lineage are told when a run begins, goes on and ends."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType

from sightline.errors import SightlineError
from sightline.flow.run._context import FlowEvent
from sightline.flow.run._state import FlowStore, RunFolder, RunState
from sightline.flow.spec import Flow


@dataclass(frozen=True)
class WatchedRun:
    """A run as it stands: its flow with the variables of this run, the store, its folder, and what became of it."""

    flow: Flow
    store: FlowStore
    folder: RunFolder
    state: RunState


class RunWatcher:
    """Is told what happens to runs; what it has to complain of becomes a notice of the run, and never a failure.

    Each of its methods may be left as it is. None of them is called twice at once for one run.
    """

    def begun(self, run: WatchedRun) -> Sequence[str]:  # noqa: ARG002 - for those who want it
        """Called before the first step, also when a run is taken up again; returns notices."""
        return ()

    def happened(self, run: WatchedRun, event: FlowEvent) -> None:
        """Called with each event of a step, without secrets."""

    def ended(self, run: WatchedRun) -> Sequence[str]:  # noqa: ARG002 - for those who want it
        """Called when all has been done that could be done, and people were told; returns notices."""
        return ()

    def stopped(self, run: WatchedRun) -> None:
        """Called instead of `ended` if the run was interrupted."""


class RunWatch:
    """Tells the watchers of one run; what they return is kept with the run. Used as a context manager."""

    def __init__(self, watchers: Iterable[RunWatcher], flow: Flow, store: FlowStore, folder: RunFolder) -> None:
        self._watchers = tuple(watchers)
        self._run = WatchedRun(flow, store, folder, folder.state)
        self._notices: list[str] = []
        self._has_ended = False

    def telling(self, listener: Callable[[FlowEvent], None] | None) -> Callable[[FlowEvent], None] | None:
        """A listener to the events of the run that hands them to the watchers as well."""
        if not self._watchers:
            return listener

        def listen(event: FlowEvent) -> None:
            for watcher in self._watchers:
                watcher.happened(self._run, event)
            if listener is not None:
                listener(event)

        return listen

    def __enter__(self) -> "RunWatch":
        for watcher in self._watchers:
            self._notices += _said(watcher.begun, self._run)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._has_ended:
            return
        stopped = replace(self._run, state=self._run.folder.state)
        for watcher in self._watchers:
            watcher.stopped(stopped)

    def ended(self, state: RunState) -> RunState:
        """Tell that the run is over; returns its state with the notices, as it was kept."""
        self._has_ended = True
        told = self._with_notices(state)
        for watcher in self._watchers:  # each knows the notices of those before it
            self._notices += _said(watcher.ended, replace(self._run, state=told))
            told = self._with_notices(state)
        return state if told == state else self._run.folder.write(told)

    def _with_notices(self, state: RunState) -> RunState:
        return replace(state, notices=tuple(dict.fromkeys((*state.notices, *self._notices))))


def _said(tell: Callable[[WatchedRun], Sequence[str]], run: WatchedRun) -> Sequence[str]:
    try:
        return tell(run)
    except SightlineError as problem:
        return (problem.message,)
