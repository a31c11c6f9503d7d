"""Where the columns of a step come from: from which columns of the steps before, and in the end of the sources.

This is the one place that knows what each step calls its columns. The Studio asks it where a value was seen, and the
lineage which columns of the sources a delivered column depends on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sightline.flow._duckdb import quoted
from sightline.flow.integrate import full_mapping
from sightline.flow.run._matching import MATCH_COLUMNS
from sightline.flow.run._sql_columns import MadeColumn, QueryColumns, UsedColumn, Way
from sightline.flow.spec import (
    DeduplicateStep,
    DeliverStep,
    Flow,
    FlowCheckStep,
    FlowStep,
    JoinStep,
    MatchStep,
    NestStep,
    NormaliseStep,
    PythonStep,
    SqlStep,
    UnionStep,
    UnnestStep,
)

ColumnsOf: TypeAlias = Callable[[str], Sequence[str] | None]
"""The names of the columns of a step; None if they are not known."""

Deciding: TypeAlias = Literal["JOIN", "FILTER", "GROUP_BY", ""]
"""How a column decides about rows, in the words of OpenLineage; nothing where that is not told."""

_PROBLEM = "_problem"  # behind the name of a column that is normalised: why its value could not be read


def column_before(flow: Flow, name: str, column: str, columns_of: ColumnsOf) -> MadeColumn:
    """From which columns of the steps before a column of a step comes; the tables that it names are steps."""
    step = flow.steps[name]
    match step:
        case UnionStep():
            return _united(step, column, columns_of)
        case JoinStep():
            return _joined(step, column, columns_of)
        case NormaliseStep():
            return _normalised(step, column, columns_of)
        case MatchStep():
            return _matched(step, column)
        case NestStep():
            return _nested(step, column, columns_of)
        case UnnestStep():
            known = columns_of(step.rows)
            is_part = column == step.column or (known is not None and column not in known)
            own = UsedColumn(step.rows, step.column, "computed") if is_part else UsedColumn(step.rows, column)
            return _made(column, own)
        case SqlStep():
            return (
                query_columns(step, columns_of)
                .named(columns_of(name) or (column,))
                .get(column, MadeColumn(column, doubt=f"the query has no column `{column}`"))
            )
        case PythonStep():
            return MadeColumn(column, doubt="nobody can tell what a function of Python makes of its rows")
    return _made(column, *(UsedColumn(one, column) for one in step.inputs))


def names_before(flow: Flow, name: str, column: str, columns_of: ColumnsOf) -> Iterator[tuple[str, str]]:
    """The steps whose values a column shows as they are or normalised, and what it is called there.

    What a query computes was seen on no page; what normalising makes was, in the column that it is made from.
    """
    step = flow.steps[name]
    if isinstance(step, NormaliseStep):
        yield step.rows, _normalised_from(step, column)[0]
    elif isinstance(step, PythonStep):  # if it hands on where its rows were seen, it does so by their names
        yield from ((one, column) for one in step.inputs)
    elif not isinstance(step, MatchStep) or column not in MATCH_COLUMNS:
        found = column_before(flow, name, column, columns_of)
        whole = isinstance(step, SqlStep)
        yield from ((one.table, one.column) for one in sorted(found.used) if one.way == "same" or not whole)


def query_columns(step: SqlStep, columns_of: ColumnsOf) -> QueryColumns:
    """The columns of a query over steps."""
    return QueryColumns.of(step.sql, {table: columns_of(table) for table in step.tables})


def _made(name: str, *used: UsedColumn) -> MadeColumn:
    return MadeColumn(name, frozenset(used))


def _united(step: UnionStep, column: str, columns_of: ColumnsOf) -> MadeColumn:
    if column == step.label:
        return _made(column)
    known = {one: tuple(columns_of(one) or ()) for one in step.steps}
    if all(known.values()):
        places = full_mapping(known, step.columns).get(column, {})
        return _made(column, *(UsedColumn(one, old) for one, old in places.items()))
    given = (step.columns or {}).get(column, {})
    return _made(column, *(UsedColumn(one, given.get(one, column)) for one in step.steps))


def _joined(step: JoinStep, column: str, columns_of: ColumnsOf) -> MadeColumn:
    left, right = step.steps[0], step.steps[-1]
    names, others = columns_of(left), columns_of(right)
    if names is None or others is None:
        return _made(column, UsedColumn(left, column), UsedColumn(right, column.removesuffix(f"_{right}")))
    if column in names:
        partner = step.same.get(column) if step.how == "full" else None
        return _made(column, UsedColumn(left, column), *([UsedColumn(right, partner)] if partner else []))
    own = column if column in others else column.removesuffix(f"_{right}")
    return _made(column, UsedColumn(right, own))


def _normalised_from(step: NormaliseStep, column: str) -> tuple[str, Way, set[str]]:
    """The column that a column is made from, by all that is done one after the other, and what else takes part."""
    way: Way = "same"
    beside: set[str] = set()
    for one in reversed(step.columns):
        settings = one.settings
        if column == settings.new_name or column == f"{settings.new_name}{_PROBLEM}":
            column, way = settings.column, "computed"
            beside |= set(one.beside.values())
        elif column == settings.original_name:
            column = settings.column
    return column, way, beside


def _normalised(step: NormaliseStep, column: str, columns_of: ColumnsOf) -> MadeColumn:
    own, way, beside = _normalised_from(step, column)
    known = columns_of(step.rows) or ()
    others = [UsedColumn(step.rows, one, "computed") for one in beside if one in known]
    return _made(column, UsedColumn(step.rows, own, way), *others)


def _matched(step: MatchStep, column: str) -> MadeColumn:
    if column not in MATCH_COLUMNS:
        return _made(column, UsedColumn(step.rows, column))
    if step.columns is None or step.catalogue_columns is None or not step.catalogue_id:
        return MadeColumn(column, doubt="which columns are compared is left to the match; name them, and its `id`")
    compared = [UsedColumn(step.rows, one, "computed") for one in step.columns]
    asked = [UsedColumn(step.catalogue, one, "computed") for one in (step.catalogue_id, *step.catalogue_columns)]
    return _made(column, *compared, *asked)


def _nested(step: NestStep, column: str, columns_of: ColumnsOf) -> MadeColumn:
    if column != step.into:
        return _made(column, UsedColumn(step.rows, column))
    known = columns_of(step.rows)
    if known is None:
        return MadeColumn(column, doubt=f"the columns of `{step.rows}` are not known")
    packed = [one for one in known if one not in step.by and not one.startswith("_")]
    return _made(column, *(UsedColumn(step.rows, one, "aggregated") for one in packed))


# ---------------------------------------------------------------------- down to the sources


def columns_to_deliver(step: FlowStep, known: Iterable[str]) -> Mapping[str, str]:
    """What a delivery calls each column, and what it is called in the rows that it takes, whose columns are `known`.

    Any other step gives its rows as they are; names that begin with `_` are of flows alone.
    """
    named = step.columns if isinstance(step, DeliverStep) else None
    return named or {name: name for name in known if not name.startswith("_")}


@dataclass(frozen=True, order=True)
class DecidingColumn:
    """A column of a source that decides which rows there are, and how."""

    step: str
    column: str
    how: Deciding = ""


@dataclass
class ColumnOrigins:
    """Which columns of the sources the columns of steps come from; each is followed back once."""

    flow: Flow
    columns_of: ColumnsOf
    _known: dict[tuple[str, str], MadeColumn] = field(default_factory=dict)

    def of(self, step: str, column: str) -> MadeColumn:
        """What a column of a step comes from in the end: the tables that it names are sources."""
        place = step, column
        if place not in self._known:
            self._known[place] = self._followed(step, column)
        return self._known[place]

    def _followed(self, step: str, column: str) -> MadeColumn:
        if self.flow.steps[step].is_source and not isinstance(self.flow.steps[step], PythonStep):
            return _made(column, UsedColumn(step, column))
        before = column_before(self.flow, step, column, self.columns_of)
        used: set[UsedColumn] = set()
        doubts = [f"`{step}`: {before.doubt}"] if before.doubt else []
        for one in before.used:
            earlier = self.of(one.table, one.column)
            used |= {source.used(one.way) for source in earlier.used}
            doubts += [earlier.doubt] if earlier.doubt else []
        return MadeColumn(column, frozenset(used), "; ".join(dict.fromkeys(doubts)))

    def deciding(self, step: str) -> set[DecidingColumn]:
        """The columns of the sources that decide which rows a step has, in it and in all steps before."""
        found: set[DecidingColumn] = set()
        for name in self.flow.upstream(step):
            for how, used in _deciding(self.flow.steps[name], self.columns_of):
                sources = self.of(used.table, used.column).used
                found |= {DecidingColumn(one.table, one.column, how) for one in sources}
        return found


def _deciding(step: FlowStep, columns_of: ColumnsOf) -> Iterable[tuple[Deciding, UsedColumn]]:
    match step:
        case JoinStep():
            yield from (("JOIN", UsedColumn(step.steps[0], one)) for one in step.same)
            yield from (("JOIN", UsedColumn(step.steps[-1], one)) for one in step.same.values())
        case DeduplicateStep():
            ordered = [step.order] if step.order else []
            yield from (("GROUP_BY", UsedColumn(step.rows, one)) for one in (*step.by, *ordered))
        case NestStep():
            yield from (("GROUP_BY", UsedColumn(step.rows, one)) for one in step.by)
        case FlowCheckStep():
            named = [*(step.need or ()), *(step.unique or ())]
            yield from (("FILTER", UsedColumn(step.rows, one)) for one in named)
            yield from (("FILTER", one) for one in columns_of_rule(step, columns_of))
        case SqlStep():
            yield from (("", one) for one in query_columns(step, columns_of).rows)


def columns_of_rule(step: FlowCheckStep, columns_of: ColumnsOf, *names: str) -> list[UsedColumn]:
    """The columns that the rules of a check ask about, or those of some rules."""
    rules: Mapping[str, str] = step.rules or {}
    asked = [f"({rule}\n)" for name, rule in rules.items() if not names or name in names]
    sql = f"SELECT 1 FROM {quoted(step.rows)} WHERE {' AND '.join(asked)}"
    return sorted(QueryColumns.of(sql, {step.rows: columns_of(step.rows)}).rows) if asked else []
