"""Records as rows of a flow: their values as texts, and beside them where they come from and whether to trust them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from sightline.data import Origin, Record, Records, Value, Verdict
from sightline.flow.rows import RowBatches

SOURCE, VERDICT, REASONS, ORIGINS = "_source", "_verdict", "_reasons", "_origins"
META_COLUMNS = (SOURCE, VERDICT, REASONS, ORIGINS)
"""Columns beside those of the records: where they come from, and whether to trust them."""

_BATCH = 4096  # records made into rows at once; each has many Python objects


@dataclass(frozen=True)
class SourcedRecords:
    """The records of one page or document, and what was said about them."""

    records: Records
    source: str
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()


def rows_of_records(parts: Sequence[SourcedRecords]) -> RowBatches:
    """All records as rows; what is a list anywhere is a list everywhere, and nested records have names with points."""
    kinds: dict[str, pa.DataType] = {}
    for part in parts:
        for record in part.records:
            for name, value in _flat(record):
                kinds[name] = _wider(kinds.get(name), _kind(value))
    names = {name: name if not name.startswith("_") else f"field{name}" for name in kinds}
    own = [pa.field(names[name], _written_type(kind)) for name, kind in kinds.items()]
    schema = pa.schema([*own, *(pa.field(name, pa.string()) for name in META_COLUMNS)])

    def batches() -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, Any]] = []
        for part in parts:
            for record in part.records:
                rows.append(_row(record, part, names, schema))
                if len(rows) == _BATCH:
                    yield pa.RecordBatch.from_pylist(rows, schema)
                    rows = []
        yield pa.RecordBatch.from_pylist(rows, schema)

    return RowBatches(schema, batches)


def _row(record: Record, part: SourcedRecords, names: dict[str, str], schema: pa.Schema) -> dict[str, Any]:
    row: dict[str, Any] = {}
    origins: dict[str, Any] = {}
    for name, value in _flat(record):
        new = names[name]
        row[new] = _as(value, schema.field(new).type)
        if isinstance(value, Value) and value.origin:
            origins[new] = _origin(value.origin)
    reasons = "; ".join(part.reasons) or None
    return row | {
        SOURCE: part.source,
        VERDICT: part.verdict,
        REASONS: reasons,
        ORIGINS: orjson.dumps(origins).decode() if origins else None,
    }


def _flat(record: Record, prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, field in record.items():
        if isinstance(field, Record):
            yield from _flat(field, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def _kind(value: Any) -> Any:
    """The form of a field: a text, a list of texts, or a list of records by their fields; None if it says nothing."""
    if value is None:
        return None
    if isinstance(value, Value):
        return pa.string()
    inner: dict[str, None] = {}
    for one in value:
        if isinstance(one, Record):
            inner.update(dict.fromkeys(name for name, _ in _flat(one)))
    return pa.list_(pa.struct([(name, pa.string()) for name in inner])) if inner else pa.list_(pa.string())


def _wider(one: Any, two: Any) -> Any:
    if one is None or two is None or one == two:
        return two if one is None else one
    lists = [kind for kind in (one, two) if pa.types.is_list(kind)]
    structs = [kind for kind in lists if pa.types.is_struct(kind.value_type)]
    if not structs:
        return pa.list_(pa.string())
    names = dict.fromkeys(part.name for kind in structs for part in kind.value_type)
    if len(structs) < 2:
        names.setdefault("text")
    return pa.list_(pa.struct([(name, pa.string()) for name in names]))


def _written_type(kind: Any) -> pa.DataType:
    return pa.string() if kind is None else kind


def _as(value: Any, kind: pa.DataType) -> Any:
    if value is None:
        return None
    if not pa.types.is_list(kind):
        return value.text
    values = value if isinstance(value, tuple) else (value,)
    if pa.types.is_struct(kind.value_type):
        return [
            {name: _text(part) for name, part in _flat(one)} if isinstance(one, Record) else {"text": _text(one)}
            for one in values
        ]
    return [_text(one) for one in values]


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, Value):
        return None if value is None else value.text
    plain = [_text(one) if not isinstance(one, Record) else one.to_dict() for one in value]
    return orjson.dumps(plain).decode()


def _origin(origin: Origin) -> dict[str, Any]:
    box = None if origin.box is None else [round(float(edge), 1) for edge in origin.box]
    return {"page": origin.page, "nodes": list(origin.nodes), "box": box, "sheet": origin.sheet}
