"""Proposes which columns of two tables are the same: by their names, types and values.

Nothing is decided here: a proposal is shown, and people write it into the flow, or let it be written.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
from rapidfuzz import fuzz

from sightline.data import infer
from sightline.flow.integrate._union import UnionMap
from sightline.flow.rows import RowBatches

__all__ = ["MappedColumn", "propose_mapping"]

SAMPLE_ROWS = 500
"""Rows of each table that are compared: enough to see what a column holds, and read in no time."""
# Not fitted: people see each proposal before it counts, so these lean to proposing too much rather than too little.
SAME_NAME = 0.8
SHARED_VALUES = 0.3
BOTH = 1.0  # of a name and values that are each a little alike
_META = "_"


@dataclass(frozen=True)
class MappedColumn:
    """A column of one table that is probably one of another, and why."""

    table: str
    column: str
    same_as: str
    score: float
    why: str


@dataclass(frozen=True)
class _Sampled:
    name: str
    kind: str
    texts: frozenset[str]


def propose_mapping(tables: Mapping[str, RowBatches]) -> tuple[UnionMap, tuple[MappedColumn, ...]]:
    """The columns of the first table, and which columns of the others are probably the same; with the reasons.

    Columns of the same name need no proposal.
    """
    first, *others = tables
    known = {column.name: column for column in _sampled(tables[first])}
    mapping: dict[str, dict[str, str]] = {name: {first: name} for name in known}
    found: list[MappedColumn] = []
    for table in others:
        columns = _sampled(tables[table])
        for column in columns:
            if column.name in known:
                mapping[column.name][table] = column.name
        free = [column for column in columns if column.name not in known]
        open_names = [name for name in mapping if table not in mapping[name]]
        for proposal in _best(table, free, [known[name] for name in open_names if name in known]):
            mapping[proposal.same_as][table] = proposal.column
            found.append(proposal)
        taken = {old for steps in mapping.values() for at, old in steps.items() if at == table}
        for column in columns:
            if column.name not in taken:
                mapping.setdefault(column.name, {})[table] = column.name
                known.setdefault(column.name, column)
    return mapping, tuple(found)


def _best(table: str, columns: Sequence[_Sampled], targets: Sequence[_Sampled]) -> list[MappedColumn]:
    """The surest pairs first; each column is taken once."""
    scored = [(*_alike(column, target), column, target) for column in columns for target in targets]
    found: list[MappedColumn] = []
    for score, why, column, target in sorted(scored, key=lambda one: -one[0]):
        if not why or any(column.name == one.column or target.name == one.same_as for one in found):
            continue
        found.append(MappedColumn(table, column.name, target.name, score, why))
    return found


def _alike(one: _Sampled, two: _Sampled) -> tuple[float, str]:
    """How alike two columns are, and why they are proposed; no reason if they are not."""
    if one.kind != two.kind and one.texts and two.texts:
        return 0.0, ""
    name = fuzz.token_sort_ratio(_words(one.name), _words(two.name)) / 100
    within = max(name, fuzz.partial_token_set_ratio(_words(one.name), _words(two.name)) / 100 - 0.1)
    least = min(len(one.texts), len(two.texts))
    shared = len(one.texts & two.texts) / least if least else 0.0
    reasons = []
    if within >= SAME_NAME:
        reasons.append("the names are alike")
    if shared >= SHARED_VALUES:
        reasons.append(f"{shared:.0%} of the values are the same")
    if not reasons and name + shared < BOTH:
        return 0.0, ""
    kind = f"both are {one.kind}" if one.kind == two.kind else "one of them is empty"
    return within + shared, "; ".join([*reasons, kind])


def _sampled(rows: RowBatches) -> list[_Sampled]:
    batches, count = [], 0
    for batch in rows.batches():
        batches.append(batch)
        count += batch.num_rows
        if count >= SAMPLE_ROWS:
            break
    table = pa.Table.from_batches(batches, rows.schema).slice(0, SAMPLE_ROWS)
    found = []
    for name in table.column_names:
        if name.startswith(_META):
            continue
        texts = [str(value) for value in table.column(name).to_pylist() if value not in (None, "")]
        kind = table.schema.field(name).type
        said = infer(texts).kind if pa.types.is_string(kind) or pa.types.is_large_string(kind) else _kind(kind)
        found.append(_Sampled(name, said, frozenset(text.casefold().strip() for text in texts)))
    return found


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "date"
    return "boolean" if pa.types.is_boolean(kind) else str(kind)


def _words(name: str) -> str:
    """The words of a name: `unitPrice` and `unit_price` have the same."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))).casefold()
