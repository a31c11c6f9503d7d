"""Running flows: step after step in batches, each row delivered once, whatever interrupts it."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.run._column_profiles import (
        CellPlace,
        ColumnProfile,
        SpreadOfValues,
        ValueLine,
        cell_places,
        column_profiles,
        kept_profiles,
        value_lines,
    )
    from sightline.flow.run._context import FlowEvent, FlowEventKind, RowWindows, kept_rows
    from sightline.flow.run._due import due_dates, due_on_day
    from sightline.flow.run._engine import FlowRun, run_due, run_flow
    from sightline.flow.run._flow_case import ExpectedStep, FlowCase, case_folder
    from sightline.flow.run._gate import Released, release_rows
    from sightline.flow.run._matching import decisions_of, match_settings
    from sightline.flow.run._notifying import ChangedRow, RowChanges, row_changes
    from sightline.flow.run._plan import FlowPlan, PlannedStep, plan_flow
    from sightline.flow.run._python import FlowFunction
    from sightline.flow.run._rehearsal import FlowTested, TestedStep, capture_case, run_case, shown_differences
    from sightline.flow.run._sources import hosts_of
    from sightline.flow.run._state import FlowStore, RunFolder, RunState, StepState, ToldMessage

__all__ = [
    "CellPlace",
    "ChangedRow",
    "ColumnProfile",
    "ExpectedStep",
    "FlowCase",
    "FlowEvent",
    "FlowEventKind",
    "FlowFunction",
    "FlowPlan",
    "FlowRun",
    "FlowStore",
    "FlowTested",
    "PlannedStep",
    "Released",
    "RowChanges",
    "RowWindows",
    "RunFolder",
    "RunState",
    "SpreadOfValues",
    "StepState",
    "TestedStep",
    "ToldMessage",
    "ValueLine",
    "capture_case",
    "case_folder",
    "cell_places",
    "column_profiles",
    "decisions_of",
    "due_dates",
    "due_on_day",
    "hosts_of",
    "kept_profiles",
    "kept_rows",
    "match_settings",
    "plan_flow",
    "release_rows",
    "row_changes",
    "run_case",
    "run_due",
    "run_flow",
    "shown_differences",
    "value_lines",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_notifying": "ChangedRow RowChanges row_changes",
        "_column_profiles": "ColumnProfile SpreadOfValues column_profiles kept_profiles ValueLine value_lines "
        "CellPlace cell_places",
        "_context": "FlowEvent FlowEventKind kept_rows RowWindows",
        "_due": "due_dates due_on_day",
        "_engine": "FlowRun run_flow run_due",
        "_matching": "decisions_of match_settings",
        "_plan": "FlowPlan PlannedStep plan_flow",
        "_flow_case": "ExpectedStep FlowCase case_folder",
        "_rehearsal": "FlowTested TestedStep capture_case run_case shown_differences",
        "_gate": "Released release_rows",
        "_python": "FlowFunction",
        "_sources": "hosts_of",
        "_state": "FlowStore RunFolder RunState StepState ToldMessage",
    },
)
