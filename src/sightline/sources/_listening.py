"""Listening to a person in a session, with blocking calls: `for event in session.listen(): …`."""

import queue
from collections.abc import Iterator
from typing import Any, Self

from sightline.sources._loop import RUNTIME
from sightline.sources.browser import TabListener, TabSession, UserEvent

__all__ = ["Listening"]


class Listening:
    """The events of a person in the tabs of a session, in order; ends when it is closed or the last tab is."""

    def __init__(self, tab: TabSession) -> None:
        self._events: queue.Queue[UserEvent | None] = queue.Queue()
        self._listener = TabListener(tab, self._tell)
        RUNTIME.run(self._listener.open())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[UserEvent]:
        while (event := self._events.get()) is not None:
            yield event
            self._events.task_done()
        self._events.task_done()

    def drained(self) -> None:
        """Wait until whoever reads the events is done with those so far."""
        self._events.join()

    def rest(self) -> None:
        """Wait until the page is at rest and everything so far was told."""
        RUNTIME.run(self._listener.rest())

    @property
    def dialog(self) -> dict[str, Any] | None:
        """The dialog that waits for the person's answer, as the browser describes it."""
        return self._listener.dialog

    def close(self) -> None:
        """Listen no longer; whoever reads the events comes to their end."""
        RUNTIME.run(self._listener.close())
        self._events.put(None)

    def _tell(self, event: UserEvent) -> None:
        self._events.put(event)
        if event.kind == "closed" and not event.tabs:
            self._events.put(None)
