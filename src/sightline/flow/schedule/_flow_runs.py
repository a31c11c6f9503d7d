"""What a schedule of flow files does when one is due, in its own process or in that of a worker."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.errors import OutputError
from sightline.flow._addresses import scheme_of
from sightline.flow.spec import DeliverStep, Flow, QuerySource

if TYPE_CHECKING:
    from sightline.flow.run import FlowRun


@dataclass(frozen=True)
class FlowOrder:
    """A run that is to be done: of which file, with which variables, in which store, and for which due time.

    `trust` lets it run the Python code that the flow names; `lineage` and `metrics` are where these go, and `log` is
    whether standard error is a log for programs.
    """

    file: str
    store: str
    due: datetime
    variables: Mapping[str, str]
    trust: bool = False
    lineage: str = ""
    metrics: str = ""
    log: bool = False


def do_flow_run(order: FlowOrder, tell: Callable[[str], None]) -> str:
    """Do a run that is due and say in a line what came of it; one that fails is an error.

    The file is read anew, so that a change of it counts from the next run on. `tell` hears of earlier runs that were
    taken up before it.
    """
    from sightline.flow.operate import watchers_of  # with DuckDB and Arrow, which help does not need
    from sightline.flow.run import run_due

    flow = Flow.load(order.file).with_variables(order.variables)
    found = run_due(
        flow,
        order.due,
        store=order.store,
        trust=order.trust,
        watchers=watchers_of(order.lineage, order.metrics, log=order.log),
        on_taken_up=lambda earlier: tell(f"took up the run {earlier.id}: {_note(flow, earlier)}"),
    )
    if found.errors:
        raise OutputError(f"{_note(flow, found)}; it goes on with the next run.")
    return _note(flow, found)


def _note(flow: Flow, found: "FlowRun") -> str:
    if found.errors:
        return "; ".join(f"{name}: {str(error).rstrip('.')}" for name, error in found.errors.items())
    reasons = f" ({'; '.join(found.state.reasons[:3])})" if found.verdict != "ok" else ""
    steps = found.state.steps.items()
    rows = sum(state.rows for name, state in steps if isinstance(flow.steps.get(name), DeliverStep))
    return f"{found.verdict}, {rows:,} row{'s' * (rows != 1)} delivered{reasons}"


def kept_apart(flow: Flow) -> frozenset[str]:
    """What two flows must not use at once: a host, and a file that one of them delivers to or queries.

    Requests to a host are paced within a process, and DuckDB lets only one process write to a file.
    """
    from sightline.flow.run import hosts_of

    found: set[str] = set()
    for step in map(flow.filled, flow.steps.values()):
        found |= {f"host {host}" for host in hosts_of(flow, step)}
        place = step.to if isinstance(step, DeliverStep) else step.database if isinstance(step, QuerySource) else ""
        if isinstance(place, str) and place and "://" not in place:
            scheme = scheme_of(place)
            name = place[len(scheme) + 1 :] if scheme else place
            found.add(f"file {(flow.folder / Path(name.partition('#')[0]).expanduser()).resolve()}")
    return frozenset(found)
