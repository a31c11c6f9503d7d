"""A run that a schedule asks for: named by the time that it was due, after what earlier runs left."""

import os
from collections.abc import Callable
from datetime import UTC, datetime

from sightline.flow.run._context import FlowEvent
from sightline.flow.run._engine import FlowRun, page_loader, run_flow
from sightline.flow.run._state import FlowStore
from sightline.flow.spec import Flow
from sightline.jobs import Cancel
from sightline.sources import Loader

__all__ = ["run_due"]


def run_due(  # noqa: PLR0913 - keywords, each of them said seldom
    flow: Flow,
    due: datetime,
    *,
    store: str | os.PathLike[str],
    loader: Callable[[bool], Loader] = page_loader,
    on_event: Callable[[FlowEvent], None] | None = None,
    on_taken_up: Callable[[FlowRun], None] = lambda _: None,
    cancel: Cancel | None = None,
) -> FlowRun:
    """Finish what earlier runs left, the oldest first, then do this one.

    Whoever asks again for the same time goes on with the same run, or sees that there is nothing left to do.
    """
    own = f"{due.astimezone(UTC):%Y%m%dT%H%M%S}-due"
    left = [run.id for run in FlowStore(store, flow.name).runs() if not run.is_finished and run.id != own]
    for run_id in left:
        found = run_flow(flow, store=store, run_id=run_id, loader=loader, on_event=on_event, cancel=cancel)
        on_taken_up(found)
    return run_flow(flow, store=store, run_id=own, loader=loader, on_event=on_event, cancel=cancel)
