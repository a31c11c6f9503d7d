"""Running flows: step after step in batches, each row delivered once, whatever interrupts it."""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.flow.run._changes import ChangedRow, RowChanges, row_changes
    from sightline.flow.run._context import FlowEvent, FlowEventKind
    from sightline.flow.run._due import run_due
    from sightline.flow.run._engine import FlowRun, run_flow
    from sightline.flow.run._plan import FlowPlan, PlannedStep, plan_flow
    from sightline.flow.run._results import kept_rows
    from sightline.flow.run._state import FlowStore, RunFolder, RunState, StepState

__all__ = [
    "ChangedRow",
    "FlowEvent",
    "FlowEventKind",
    "FlowPlan",
    "FlowRun",
    "FlowStore",
    "PlannedStep",
    "RowChanges",
    "RunFolder",
    "RunState",
    "StepState",
    "kept_rows",
    "plan_flow",
    "row_changes",
    "run_due",
    "run_flow",
]

__getattr__ = lazily(
    __name__,
    {
        "_changes": "ChangedRow RowChanges row_changes",
        "_context": "FlowEvent FlowEventKind",
        "_due": "run_due",
        "_engine": "FlowRun run_flow",
        "_plan": "FlowPlan PlannedStep plan_flow",
        "_results": "kept_rows",
        "_state": "FlowStore RunFolder RunState StepState",
    },
)
