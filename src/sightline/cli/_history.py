"""`sightline history`: the runs of a flow, and what changed between two of them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.table import Table as Grid
from rich.text import Text

from sightline.cli._console import output, print_json, remark
from sightline.cli._files import ExportSettings, check_suffix, write_rows
from sightline.cli._flags import argument, flag, output_file, switch
from sightline.cli._flows import VERDICT_STYLES, FlowFile, StoreFlags, run_document
from sightline.cli._sources import JsonFlags
from sightline.cli._text import clean, counted
from sightline.data import Records
from sightline.errors import UsageError
from sightline.flow.run import FlowStore, RunFolder, RunState
from sightline.flow.spec import DeliverStep, Flow

if TYPE_CHECKING:
    from sightline.flow.run import RowChanges

SHOWN = 20  # rows, or rows of each kind of change; --json and files have more


@dataclass(frozen=True, kw_only=True)
class HistoryFlags(StoreFlags, JsonFlags):
    """Which runs and rows are shown."""

    since: str | None = flag(None, help="show what changed since this run, row by row", metavar="RUN")
    step: str | None = flag(None, help="the step whose rows are meant; what is delivered if not said")
    key: tuple[str, ...] = flag((), help="the columns that tell rows apart", metavar="COLUMN")
    held: bool = switch(help="show the rows that checks held back, with the reasons")
    out: Path | None = output_file("write the rows of --step or --held to this file")


def history_command(
    file: FlowFile,
    run: Annotated[
        str | None, argument(metavar="[RUN]", help="A run by its id, or `last`; all are listed if not said.")
    ] = None,
    *,
    flags: HistoryFlags,
    written: ExportSettings,
) -> None:
    """List the runs of a flow with verdicts and counts, show one, or compare the rows of two.

    [bold]Examples[/]

      sightline history prices.flow.yaml

      sightline history prices.flow.yaml last --since 20261116T060000417-3f2a1b --step positions

      sightline history prices.flow.yaml last --held -o held.csv
    """
    flow = Flow.load(file)
    kept = flags.of(flow)
    if not kept.run_ids():
        raise UsageError(f"{flow.name} has no runs in the store {kept.folder}; run it first, or name another store.")
    if run is None and flags.since is None and not flags.held and flags.out is None:
        _list(flow, kept, json=flags.json)
        return
    chosen = _run(kept, run or "last")
    if flags.since is not None:
        _compare(flow, _run(kept, flags.since), chosen, flags)
    elif flags.held or flags.out is not None or flags.step is not None:
        _rows(flow, chosen, flags, written)
    elif flags.json:
        print_json(run_document(chosen.state))
    else:
        _show(chosen.state)


def _run(store: FlowStore, name: str) -> RunFolder:
    ids = store.run_ids()
    found = ids[-1:] if name == "last" else [one for one in ids if one.startswith(name)]
    if len(found) != 1:
        told = "several runs begin with" if found else "there is no run"
        raise UsageError(f"{told.capitalize()} {name!r}; there are {', '.join(ids[-5:])}.")
    return store.run(found[0])


def _list(flow: Flow, store: FlowStore, *, json: bool) -> None:
    runs = store.runs()
    if json:
        print_json({"runs": [run_document(run)["run"] for run in runs]})
        return
    grid = Grid("run", "due", "began", "took", "verdict", "delivered", "held", box=None)
    for column in grid.columns[:3]:
        column.no_wrap = True
    for column in grid.columns[1:3]:
        column.min_width = len("2026-11-16 06:30") if any(run.dated for run in runs) or column.header == "began" else 0
    for run in runs:
        verdict = run.verdict or "interrupted"
        delivered = [name for name, step in flow.steps.items() if isinstance(step, DeliverStep) and name in run.steps]
        rows = "\n".join(f"{name} {run.steps[name].rows:,}" for name in delivered)
        held = sum(one.held for one in run.steps.values())
        shown = verdict if run.is_complete or run.verdict is None else f"{verdict}, not finished"
        shown = f"{verdict}, abandoned" if run.abandoned else shown
        grid.add_row(
            run.id,
            f"{run.due_at:%Y-%m-%d %H:%M}" if run.dated else "",
            f"{run.when:%Y-%m-%d %H:%M}",
            _took(run),
            Text(shown, style=VERDICT_STYLES.get(verdict, "")),
            clean(rows),
            f"{held:,}" if held else "",
        )
    output.print(grid)


def _took(run: RunState) -> str:
    if not run.ended:
        return ""
    return f"{(datetime.fromisoformat(run.ended) - run.when).total_seconds():.0f} s"


def _show(run: RunState) -> None:
    grid = Grid("step", "verdict", "rows", "held", "seconds", "read", "", box=None)
    flow, now = Flow.loads(run.text, run.flow), datetime.now(UTC)
    for name, step in run.steps.items():
        told = "\n".join((*step.reasons, *step.notes))
        verdict = Text(step.verdict, style=VERDICT_STYLES[step.verdict])
        is_source = name in flow.steps and flow.steps[name].is_source
        read = step.read_ago(now) if is_source else ""
        grid.add_row(name, verdict, f"{step.rows:,}", str(step.held or ""), f"{step.seconds:.1f}", read, clean(told))
    output.print(grid)
    for told in (run.abandoned, *run.notices):
        if told:
            remark(told)
    due = f" · due {run.due_at:%Y-%m-%d %H:%M %Z}" if run.dated else ""
    output.print(f"verdict: {run.verdict or 'interrupted'} · run {run.id}{due} · began {run.began}", markup=False)


def _chosen_step(flow: Flow, step: str | None) -> str:
    """The step that is meant: the last one that is delivered, if none is named."""
    if step is not None:
        if step not in flow.steps:
            raise UsageError(f"{flow.file} has no step `{step}`; there are {', '.join(flow.steps)}.")
        return step
    delivered = [name for name, one in flow.steps.items() if isinstance(one, DeliverStep)]
    return delivered[-1] if delivered else flow.order[-1]


def _rows(flow: Flow, run: RunFolder, flags: HistoryFlags, written: ExportSettings) -> None:
    step = flags.step
    if flags.held and step is None:
        step = next((name for name, one in run.state.steps.items() if one.held), None)
        if step is None:
            output.print("No row was held back.", markup=False)
            return
    name = _chosen_step(flow, step)
    path = run.held(name) if flags.held else run.rows(flow.holder(name))
    if not path.exists():
        raise UsageError(f"The run {run.path.name} has no such rows of `{name}`; it has {', '.join(run.state.steps)}.")
    from sightline.flow.run import kept_rows  # with Arrow, which help does not need

    rows = kept_rows(path)
    found = [row for batch in rows.batches() for row in batch.to_pylist()]
    records = Records([{key: _text(value) for key, value in row.items()} for row in found])
    if flags.out:
        check_suffix(flags.out)
        write_rows(records, flags.out, written, counted(len(records), "row"))
    elif flags.json:
        print_json({"step": name, "rows": records.to_dicts()})
    else:
        _print_rows([{key: value for key, value in row.items() if _is_shown(key)} for row in found])


def _is_shown(name: str) -> bool:
    return not name.startswith("_") or name == "_held_because"


def _text(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [_text(one) for one in value]
    return {key: _text(one) for key, one in value.items()} if isinstance(value, dict) else str(value)


def _print_rows(rows: list[dict[str, Any]]) -> None:
    """The first rows, each as a block of names and values: a terminal is seldom as wide as a table."""
    if not rows:
        output.print("There are no rows.", markup=False)
        return
    for row in rows[:SHOWN]:
        grid = Grid(box=None, padding=(0, 1), show_header=False)
        grid.add_column(no_wrap=True, style="dim")
        grid.add_column(overflow="fold")
        for name, value in row.items():
            if value is not None:
                grid.add_row(Text(clean(name)), Text(clean(str(value))))
        output.print(grid)
        output.print()
    if len(rows) > SHOWN:
        remark(f"{len(rows) - SHOWN:,} more rows; -o FILE writes them all.")


def _compare(flow: Flow, old: RunFolder, new: RunFolder, flags: HistoryFlags) -> None:
    name = _chosen_step(flow, flags.step)
    holder = flow.holder(name)
    for run in (old, new):
        if not run.rows(holder).exists():
            raise UsageError(f"The run {run.path.name} has no rows of `{name}`; it stopped before.")
    from sightline.flow.run import row_changes

    wanted = list(flags.key) or _key_of(flow, name)
    changes = row_changes(old.rows(holder), new.rows(holder), wanted, new.path, _columns_of(flow, name))
    if flags.json:
        print_json({"changes": _changes_document(changes)})
        return
    output.print(f"{name}, {old.path.name} → {new.path.name}: {changes.summary}", markup=False)
    for row in changes.changed_rows[:SHOWN]:
        told = ", ".join(f"{column}: {before} → {after}" for column, (before, after) in row.values.items())
        output.print(f"  ~ {clean(', '.join(map(str, row.key)))}  {clean(told)}", markup=False)
    for sign, rows in (("+", changes.new_rows), ("-", changes.gone_rows)):
        for one in rows[:SHOWN]:
            told = ", ".join(str(one[column]) for column in (wanted or list(one)[:3]))
            output.print(f"  {sign} {clean(told)}", markup=False)
    if not wanted:
        remark("Whole rows were compared; --key COLUMN tells which rows are the same.")


def _key_of(flow: Flow, name: str) -> list[str]:
    """The key by which the rows of a step are delivered."""
    step = flow.steps[name]
    found = [step] if isinstance(step, DeliverStep) else []
    found += [one for one in flow.steps.values() if isinstance(one, DeliverStep) and one.rows == name]
    for one in found:
        if one.key_columns:  # under the names that they have before they are delivered
            return [(one.columns or {}).get(column, column) for column in one.key_columns]
    return []


def _columns_of(flow: Flow, name: str) -> list[str] | None:
    """The columns that a step delivers; all of them if it is another step."""
    step = flow.steps[name]
    return list(step.columns.values()) if isinstance(step, DeliverStep) and step.columns else None


def _changes_document(changes: "RowChanges") -> dict[str, Any]:
    return {
        "key": list(changes.key),
        "counts": {
            "new": changes.new,
            "gone": changes.gone,
            "changed": changes.changed,
            "same": changes.same,
            "unkeyed": changes.unkeyed,
        },
        "new": [_text(row) for row in changes.new_rows],
        "gone": [_text(row) for row in changes.gone_rows],
        "changed": [
            {"key": _text(list(row.key)), "values": {name: [_text(a), _text(b)] for name, (a, b) in row.values.items()}}
            for row in changes.changed_rows
        ],
    }
