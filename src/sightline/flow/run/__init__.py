"""Running flows: step after step in batches, each row delivered once, whatever interrupts it."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.run._captures import pages_read
    from sightline.flow.run._column_origins import ColumnOrigins, columns_of_rule, columns_to_deliver
    from sightline.flow.run._column_profiles import (
        CellPlace,
        ColumnProfile,
        SpreadOfValues,
        ValueLine,
        cell_places,
        column_profiles,
        columns_of_run,
        kept_profiles,
        value_lines,
    )
    from sightline.flow.run._context import FlowEvent, FlowEventKind, RowWindows, kept_rows
    from sightline.flow.run._due import (
        DueRun,
        day_or_time,
        due_dates,
        due_meant,
        due_on_day,
        missing_dates,
        nothing_due,
        read_day,
        run_dates,
    )
    from sightline.flow.run._engine import FlowRun, run_due, run_flow
    from sightline.flow.run._flow_case import ExpectedStep, FlowCase, case_folder
    from sightline.flow.run._gate import CheckedRule, Released, checked_rules, release_rows
    from sightline.flow.run._matching import decisions_of, match_settings
    from sightline.flow.run._notifying import ChangedRow, RowChanges, row_changes
    from sightline.flow.run._places_of_run import delivery_target, watched_context
    from sightline.flow.run._plan import FlowPlan, PlannedStep, plan_flow
    from sightline.flow.run._python import FlowFunction
    from sightline.flow.run._rehearsal import FlowTested, TestedStep, capture_case, run_case, shown_differences
    from sightline.flow.run._sightings import SeenColumn, SeenValue, seen_columns
    from sightline.flow.run._sources import hosts_of
    from sightline.flow.run._sql_columns import LINEAGE_KINDS, MadeColumn, QueryColumns, UsedColumn, Way
    from sightline.flow.run._state import FlowStore, RunFolder, RunState, StepState, ToldMessage
    from sightline.flow.run._watching import RunWatcher, WatchedRun

__all__ = [
    "LINEAGE_KINDS",
    "CellPlace",
    "ChangedRow",
    "CheckedRule",
    "ColumnOrigins",
    "ColumnProfile",
    "DueRun",
    "ExpectedStep",
    "FlowCase",
    "FlowEvent",
    "FlowEventKind",
    "FlowFunction",
    "FlowPlan",
    "FlowRun",
    "FlowStore",
    "FlowTested",
    "MadeColumn",
    "PlannedStep",
    "QueryColumns",
    "Released",
    "RowChanges",
    "RowWindows",
    "RunFolder",
    "RunState",
    "RunWatcher",
    "SeenColumn",
    "SeenValue",
    "SpreadOfValues",
    "StepState",
    "TestedStep",
    "ToldMessage",
    "UsedColumn",
    "ValueLine",
    "WatchedRun",
    "Way",
    "capture_case",
    "case_folder",
    "cell_places",
    "checked_rules",
    "column_profiles",
    "columns_of_rule",
    "columns_of_run",
    "columns_to_deliver",
    "day_or_time",
    "decisions_of",
    "delivery_target",
    "due_dates",
    "due_meant",
    "due_on_day",
    "hosts_of",
    "kept_profiles",
    "kept_rows",
    "match_settings",
    "missing_dates",
    "nothing_due",
    "pages_read",
    "plan_flow",
    "read_day",
    "release_rows",
    "row_changes",
    "run_case",
    "run_dates",
    "run_due",
    "run_flow",
    "seen_columns",
    "shown_differences",
    "value_lines",
    "watched_context",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_notifying": "ChangedRow RowChanges row_changes",
        "_column_profiles": "ColumnProfile SpreadOfValues column_profiles kept_profiles ValueLine value_lines "
        "CellPlace cell_places columns_of_run",
        "_column_origins": "ColumnOrigins columns_of_rule columns_to_deliver",
        "_captures": "pages_read",
        "_places_of_run": "delivery_target watched_context",
        "_sightings": "SeenColumn SeenValue seen_columns",
        "_sources": "hosts_of",
        "_sql_columns": "LINEAGE_KINDS MadeColumn QueryColumns UsedColumn Way",
        "_context": "FlowEvent FlowEventKind kept_rows RowWindows",
        "_due": "DueRun day_or_time due_dates due_meant due_on_day missing_dates nothing_due read_day run_dates",
        "_engine": "FlowRun run_flow run_due",
        "_matching": "decisions_of match_settings",
        "_plan": "FlowPlan PlannedStep plan_flow",
        "_gate": "CheckedRule Released checked_rules release_rows",
        "_flow_case": "ExpectedStep FlowCase case_folder",
        "_rehearsal": "FlowTested TestedStep capture_case run_case shown_differences",
        "_python": "FlowFunction",
        "_state": "FlowStore RunFolder RunState StepState ToldMessage",
        "_watching": "RunWatcher WatchedRun",
    },
)
