"""The step that finds the record of a catalogue that each row is."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from sightline.files import write_bytes
from sightline.flow._duckdb import quoted
from sightline.flow.integrate import ROW_NUMBER, Duck, numbered
from sightline.flow.match import Matches, MatchSettings, Pair, ReviewPair, ids_of, match, review_line
from sightline.flow.rows import RowBatches
from sightline.flow.run._context import StepContext, StepResult, dataset_of, keep_rows, need_columns
from sightline.flow.run._state import FlowStore
from sightline.flow.spec import Flow, MatchStep

MATCH_COLUMNS = ("match", "match_candidate", "match_text", "match_score", "match_zone", "match_why")
"""What is added to each row: the id of its partner if it is sure, the best candidate, its text, the chance, why."""
AT_ONCE = 100_000
"""Different records that are matched at once: what is told of in the figures for matching, in less than a gigabyte."""
_NUMBER = "_record"
_LEFT_OUT = ("_original", "_problem")
_SCHEMA = pa.schema(
    [
        (_NUMBER, pa.int64()),
        ("match", pa.string()),
        ("match_candidate", pa.string()),
        ("match_text", pa.string()),
        ("match_score", pa.float64()),
        ("match_zone", pa.string()),
        ("match_why", pa.string()),
    ]
)


def match_step(context: StepContext, step: MatchStep) -> StepResult:
    """Match each different record once, and give its partner to all rows that are the same."""
    rows = context.rows(step.rows)
    columns = _compared(context, step, rows.schema)
    catalogue = _catalogue(context, step)
    records = context.run.path / f".{step.name}.records.arrow"
    pairs = context.run.path / f".{step.name}.pairs.arrow"
    try:
        found = _matched(context, step, columns, catalogue, records, pairs)
        counted = context.keep(_joined(context, step, rows.schema, columns, records, pairs))
    finally:
        records.unlink(missing_ok=True)
        pairs.unlink(missing_ok=True)
    review = [one for one in found.review if not one.pair.decided]
    write_bytes(context.run.review(step.name), b"".join(map(review_line, review)))
    notes = [*found.notes, *_changed_catalogue(context, step)]
    if review:
        notes.append(f"{len(review)} pairs to review: sightline review {Path(context.flow.file).name}")
    return StepResult(counted, notes=tuple(notes), counts=found.counts)


def _compared(context: StepContext, step: MatchStep, schema: pa.Schema) -> dict[str, str]:
    """The columns of the rows that are compared, by the names that they are compared under."""
    if step.columns:
        need_columns(context, schema, step.columns.values(), step.rows, "columns")
        return dict(step.columns)
    return {
        name: name
        for name in schema.names
        if not name.startswith("_") and not name.endswith(_LEFT_OUT) and not pa.types.is_nested(schema.field(name).type)
        if name.lower() != "id"
    }


def _catalogue(context: StepContext, step: MatchStep) -> pa.Table:
    """The catalogue with the columns that are compared, and its ids."""
    rows = context.rows(step.catalogue)
    table = pa.Table.from_batches(list(rows.batches()), rows.schema)
    own = step.catalogue_id or next((name for name in table.column_names if name.lower() == "id"), "")
    if step.catalogue_id:
        need_columns(context, rows.schema, [step.catalogue_id], step.catalogue, "id")
    if step.catalogue_columns:
        need_columns(context, rows.schema, step.catalogue_columns.values(), step.catalogue, "catalogue columns")
        chosen = dict(step.catalogue_columns)
    else:
        chosen = {name: name for name in table.column_names if not name.startswith("_") and name != own}
    columns = {new: table.column(old) for new, old in chosen.items() if new.lower() != "id"}
    return pa.table({**({"id": table.column(own)} if own else {}), **columns})


class _Found:
    """What matching told, over all its parts."""

    def __init__(self) -> None:
        self.review: list[ReviewPair] = []
        self.zones: dict[str, int] = {"matched": 0, "review": 0, "new": 0}
        self.unasked = 0

    @property
    def counts(self) -> dict[str, int]:
        return dict(self.zones)

    @property
    def notes(self) -> tuple[str, ...]:
        zones = ", ".join(f"{count} {zone}" for zone, count in self.zones.items())
        more = f"; {self.unasked} more are doubtful, and too many to ask about" if self.unasked else ""
        return (f"different records: {zones}{more}",)

    def add(self, found: Matches, fields: "_Fields") -> Iterator[dict[str, Any]]:
        """Count the pairs of one part, and give the best one of each record."""
        self.unasked += found.unasked
        best: dict[str, Pair] = {}
        for pair in found:
            best.setdefault(pair.left, pair)
        # Nobody is asked about a record that has its partner already.
        doubtful = [pair for pair in found if pair.zone == "review" and best[pair.left].zone != "matched"]
        price = next((name for name, role in found.roles[0].items() if role == "price"), "")
        self.review += [ReviewPair(pair, *fields.of(pair), price) for pair in doubtful]
        for pair in best.values():
            self.zones[pair.zone] += 1
            yield {
                _NUMBER: int(pair.left),
                "match": pair.right if pair.zone == "matched" else None,
                "match_candidate": pair.right,
                "match_text": pair.right_text or None,
                "match_score": pair.score,
                "match_zone": pair.zone,
                "match_why": "; ".join(pair.why) or None,
            }


class _Fields:
    """The records of both sides as people read them."""

    def __init__(self, catalogue: pa.Table) -> None:
        self._catalogue = catalogue
        self._records: pa.Table | None = None
        names = {name: catalogue.column(name).to_pylist() for name in catalogue.column_names if name == "id"}
        ids = ids_of(names or {"": [None] * catalogue.num_rows})
        self._places = {own: place for place, own in reversed(list(enumerate(ids)))}

    def begin(self, records: pa.Table) -> None:
        """Go on with other records."""
        self._records = records
        self._first = records.column(_NUMBER)[0].as_py()

    def of(self, pair: Pair) -> tuple[dict[str, str], dict[str, str]]:
        """The fields of both records of a pair; empty ones are left out."""
        assert self._records is not None  # for the type checker
        return (
            _row_texts(self._records, int(pair.left) - self._first),
            _row_texts(self._catalogue, self._places[pair.right or ""]),
        )


def _row_texts(table: pa.Table, place: int) -> dict[str, str]:
    found = {name: table.column(name)[place].as_py() for name in table.column_names if name not in (_NUMBER, "id")}
    return {name: str(value) for name, value in found.items() if value is not None}


def _matched(
    context: StepContext, step: MatchStep, columns: Mapping[str, str], catalogue: pa.Table, records: Path, pairs: Path
) -> _Found:
    """Write the different records and their partners to two files."""
    names = ", ".join(f"CAST({quoted(old)} AS VARCHAR) AS {quoted(new)}" for new, old in columns.items())
    distinct = f"SELECT row_number() OVER () AS {_NUMBER}, * FROM (SELECT DISTINCT {names} FROM rows_of ORDER BY ALL)"
    table = {"rows_of": dataset_of(context.path_of(step.rows))}
    rows = Duck(table, context.run.path).query(distinct)
    keep_rows(records, rows.schema, rows.batches(), lambda _: None)
    settings = match_settings(step)
    decisions = decisions_of(context.flow, context.store, step)
    found, fields = _Found(), _Fields(catalogue)

    def batches() -> Iterator[pa.RecordBatch]:
        parts = Duck({"records": dataset_of(records)}, context.run.path).query(
            f"SELECT * FROM records ORDER BY {_NUMBER}"
        )
        for part in _parts(parts, None if settings.assignment == "one-to-one" else AT_ONCE):
            own = part.rename_columns(["id" if name == _NUMBER else name for name in part.column_names])
            result = match(own, catalogue, decisions=decisions, settings=settings)
            fields.begin(part)
            yield pa.RecordBatch.from_pylist(list(found.add(result, fields)), _SCHEMA)

    keep_rows(pairs, _SCHEMA, batches(), context.on_rows)
    return found


def decisions_of(flow: Flow, store: FlowStore, step: MatchStep) -> Path:
    """The file with what people decided about the pairs of a step."""
    if step.decisions:
        return flow.folder / Path(step.decisions).expanduser()
    return store.decisions / f"{step.name}.jsonl"


def match_settings(step: MatchStep) -> MatchSettings:
    """How a step matches."""
    given = {"assignment": step.assignment, "matched": step.matched, "review": step.review}
    return MatchSettings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def _parts(rows: RowBatches, most: int | None) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in rows.batches():
        waiting.append(batch)
        count += batch.num_rows
        if most is not None and count >= most:
            yield pa.Table.from_batches(waiting, rows.schema)
            waiting, count = [], 0
    if count:
        yield pa.Table.from_batches(waiting, rows.schema)


def _joined(
    context: StepContext, step: MatchStep, schema: pa.Schema, columns: Mapping[str, str], records: Path, pairs: Path
) -> RowBatches:
    """The rows with their partners, in their order."""
    tables = {
        "rows_of": numbered(context.rows(step.rows)),
        "records": dataset_of(records),
        "pairs": dataset_of(pairs),
    }
    kept = [name for name in schema.names if name not in MATCH_COLUMNS]
    same = " AND ".join(
        f"CAST(r.{quoted(old)} AS VARCHAR) IS NOT DISTINCT FROM d.{quoted(new)}" for new, old in columns.items()
    )
    own = ", ".join(f"r.{quoted(name)}" for name in kept)
    sql = (
        f"SELECT {own}, {', '.join(f'p.{name}' for name in MATCH_COLUMNS)} FROM rows_of AS r "
        f"LEFT JOIN records AS d ON {same} LEFT JOIN pairs AS p USING ({_NUMBER}) ORDER BY r.{ROW_NUMBER}"
    )
    return Duck(tables, context.run.path).query(sql)


def _changed_catalogue(context: StepContext, step: MatchStep) -> Sequence[str]:
    """What is new in the catalogue, or gone from it, since the last run."""
    last = context.store.last_finished(before=context.run.state)
    if last is None or not last.rows(step.catalogue).exists():
        return ()
    tables = {"old": dataset_of(last.rows(step.catalogue)), "new": dataset_of(context.path_of(step.catalogue))}
    names = [name for name in tables["new"].schema.names if name in tables["old"].schema.names]
    shown = ", ".join(map(quoted, names))
    duck = Duck(tables, context.run.path)
    added, gone = (
        duck.rows(f"SELECT count(*) FROM (SELECT {shown} FROM {one} EXCEPT SELECT {shown} FROM {two})")[0][0]
        for one, two in (("new", "old"), ("old", "new"))
    )
    if not added and not gone:
        return ()
    return (f"the catalogue changed since the last run: {added} rows are new or other, {gone} are gone or other",)
