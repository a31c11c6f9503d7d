"""Which columns of its tables each column of a query comes from, read off DuckDB's own tree of the query.

What the tree does not tell, such as the columns of a function that reads a file, is said to be unknown with the reason,
and never guessed. `QueryColumns.of` is the way in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

import orjson

from sightline.flow._duckdb import open_duckdb
from sightline.flow.spec import bound_sql

Way: TypeAlias = Literal["same", "computed", "aggregated"]
"""What becomes of a value: it stays as it is, is computed with, or is one of many in a sum, count or the like."""

LINEAGE_KINDS: Mapping[Way, str] = {"same": "IDENTITY", "computed": "TRANSFORMATION", "aggregated": "AGGREGATION"}
"""What OpenLineage calls that, the weakest first."""

Tree: TypeAlias = Mapping[str, Any]
_WAYS = tuple(LINEAGE_KINDS)
_LAMBDAS = ("transform", "filter", "reduce", "apply")  # at the end of the names of functions that take a lambda
_ROUNDS = 10  # of a recursive query, until no column comes from more than in the round before


@dataclass(frozen=True, order=True)
class UsedColumn:
    """A column of a table that a query reads, and what becomes of its values."""

    table: str
    column: str
    way: Way = "same"

    def used(self, way: Way) -> "UsedColumn":
        """The same column where more becomes of its values."""
        return replace(self, way=_WAYS[max(_WAYS.index(self.way), _WAYS.index(way))])


@dataclass(frozen=True)
class MadeColumn:
    """A column that a query makes: its name if the query gives it one, what it comes from, or why nobody can tell."""

    name: str
    used: frozenset[UsedColumn] = frozenset()
    doubt: str = ""


@dataclass(frozen=True)
class QueryColumns:
    """The columns of a query, and what decides about its rows: filters, joins, groups and orders.

    Columns that are not listed are those of the table `rest`, under their own names; if there is none, `doubt` says why
    they cannot be told.

    >>> found = QueryColumns.of("SELECT upper(a) AS b FROM t WHERE c > 1", {"t": ("a", "c")})
    >>> found.columns[0].used, [one.column for one in found.rows]
    (frozenset({UsedColumn(table='t', column='a', way='computed')}), ['c'])
    """

    columns: tuple[MadeColumn, ...] = ()
    rest: str = ""
    doubt: str = ""
    rows: frozenset[UsedColumn] = frozenset()

    @classmethod
    def of(cls, sql: str, tables: Mapping[str, Sequence[str] | None] | None = None) -> "QueryColumns":
        """The columns of a query over some tables with their columns, None where these are not known.

        Without `tables`, all tables that the query names are taken as they are.
        """
        import duckdb

        try:
            node = _tree(bound_sql(sql, lambda _: "''"))
            return _Reader(tables).query(node, _Scope())
        except duckdb.Error:
            return cls(doubt="the query cannot be read by DuckDB")
        except _Unknown as problem:
            return cls(doubt=str(problem))

    def column(self, name: str) -> MadeColumn:
        """What a column comes from."""
        for one in self.columns:
            if one.name.casefold() == name.casefold():
                return one
        if self.rest:
            return MadeColumn(name, frozenset({UsedColumn(self.rest, name)}))
        return MadeColumn(name, doubt=self.doubt or f"the query has no column `{name}`")

    def named(self, names: Sequence[str]) -> dict[str, MadeColumn]:
        """What each column of the result comes from; those that DuckDB named itself are told by their places."""
        if not self.rest and not self.doubt and len(self.columns) == len(names):
            return dict(zip(names, self.columns, strict=True))
        return {name: self.column(name) for name in names}

    def has(self, name: str) -> bool:
        """Whether a column is listed."""
        return any(one.name.casefold() == name.casefold() for one in self.columns)


class _Unknown(Exception):
    """Something cannot be told from the tree."""


@dataclass(frozen=True)
class _Scope:
    """What names mean at some place of a query: tables by their names, columns made before, and what is around."""

    tables: tuple[tuple[str, QueryColumns], ...] = ()
    made: tuple[MadeColumn, ...] = ()
    bound: frozenset[str] = frozenset()
    hidden: frozenset[tuple[str, str]] = frozenset()
    """Columns that `*` has once, since two tables are joined by them: table and column."""
    outer: "_Scope | None" = None
    queries: Mapping[str, QueryColumns] | None = None
    """Queries with names, WITH."""

    def query(self, name: str) -> QueryColumns | None:
        """The query of that name, here or around."""
        found = (self.queries or {}).get(name.casefold())
        return found if found is not None or self.outer is None else self.outer.query(name)

    def column(self, names: Sequence[str]) -> frozenset[UsedColumn]:
        """What a name of a column means, with the tables, schemas or structures before and behind its points."""
        if names[0].casefold() in self.bound:
            return frozenset()
        owners = {table.casefold(): columns for table, columns in self.tables}
        for place in range(min(len(names) - 1, 3)):
            if (owner := owners.get(names[place].casefold())) is not None:
                return _inside(owner.column(names[place + 1]), len(names) > place + 2)
        is_part = len(names) > 1
        known = [columns.column(names[0]) for _, columns in self.tables if columns.has(names[0])]
        if known:  # of several, they are joined by it, or the query would not run
            return frozenset().union(*(_inside(one, is_part) for one in known))
        unknown = [columns for _, columns in self.tables if columns.rest or columns.doubt]
        if unknown:
            if len(unknown) > 1 or any(one.name.casefold() == names[0].casefold() for one in self.made):
                raise _Unknown(f"nobody can tell which table `{names[0]}` is of")
            return _inside(unknown[0].column(names[0]), is_part)
        for one in self.made:
            if one.name.casefold() == names[0].casefold():
                return _inside(one, is_part)
        if self.outer is not None:
            return self.outer.column(names)
        raise _Unknown(f"nobody can tell what `{'.'.join(names)}` is")


def _inside(column: MadeColumn, is_part: bool) -> frozenset[UsedColumn]:  # noqa: FBT001 - of a private function
    if column.doubt:
        raise _Unknown(column.doubt)
    return frozenset(one.used("computed") for one in column.used) if is_part else column.used


# ---------------------------------------------------------------------- the tree


@lru_cache(maxsize=200)
def _tree(sql: str) -> Tree:
    with open_duckdb() as connection:
        (text,) = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    found = orjson.loads(text)
    if found.get("error") or len(found.get("statements", ())) != 1:
        raise _Unknown("the query is of a kind whose columns DuckDB does not tell")
    node: Tree = found["statements"][0]["node"]
    return node


@cache
def _aggregates() -> frozenset[str]:
    with open_duckdb() as connection:
        asked = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'"
        return frozenset(name for (name,) in connection.execute(asked).fetchall())


class _Reader:
    """Reads the tree of one query; DuckDB 1 and 2 call some of its parts by different names."""

    def __init__(self, tables: Mapping[str, Sequence[str] | None] | None) -> None:
        self._tables = None if tables is None else {name.casefold(): (name, own) for name, own in tables.items()}

    def query(self, node: Tree, around: _Scope) -> QueryColumns:
        """The columns of a query, whatever it is made of."""
        scope = self._with_queries(node, around)
        match node["type"]:
            case "SELECT_NODE":
                return self._select(node, scope)
            case "SET_OPERATION_NODE":
                return self._joined(node, scope)
            case "RECURSIVE_CTE_NODE":
                return self._recursive(node, scope)
            case "CTE_NODE":
                own = self._aliased(self.query(node["query"], scope), node.get("aliases") or ())
                name = node.get("cte_name") or node["ctename"]
                return self.query(node["child"], _Scope(outer=scope, queries={name.casefold(): own}))
        raise _Unknown(f"the query has a part of the kind {node['type'].lower().removesuffix('_node')}")

    def _with_queries(self, node: Tree, around: _Scope) -> _Scope:
        scope = around
        for one in (node.get("cte_map") or {}).get("map") or ():
            value = one["value"]
            inner = value.get("query_node") or value["query"]["node"]
            try:
                own = self._aliased(self.query(inner, scope), value.get("aliases") or ())
            except _Unknown as problem:
                own = QueryColumns(doubt=str(problem))
            scope = _Scope(outer=scope, queries={one["key"].casefold(): own})
        return scope

    def _aliased(self, found: QueryColumns, names: Sequence[str]) -> QueryColumns:
        if not names:
            return found
        if found.rest or found.doubt or len(names) > len(found.columns):
            return QueryColumns(doubt="its columns have other names, and nobody can tell which is which")
        renamed = [replace(one, name=name) for one, name in zip(found.columns, names, strict=False)]
        return replace(found, columns=(*renamed, *found.columns[len(names) :]))

    def _joined(self, node: Tree, scope: _Scope) -> QueryColumns:
        """UNION, EXCEPT and INTERSECT."""
        parts = node.get("children") or [node["left"], node["right"]]
        found = [self.query(part, scope) for part in parts]
        rows = frozenset[UsedColumn]().union(*(one.rows for one in found))
        if node["setop_type"] in ("EXCEPT", "INTERSECT"):
            others = frozenset(used for one in found[1:] for column in one.columns for used in column.used)
            return replace(found[0], rows=rows | others)
        whole = found[0]
        for one in found[1:]:
            whole = _by_name(whole, one) if node["setop_type"] == "UNION_BY_NAME" else _by_place(whole, one)
        return replace(whole, rows=rows)

    def _recursive(self, node: Tree, scope: _Scope) -> QueryColumns:
        found = self.query(node["left"], scope)
        for _ in range(_ROUNDS):
            again = _Scope(outer=scope, queries={node["cte_name"].casefold(): found})
            more = _by_place(found, self.query(node["right"], again))
            if more == found:
                break
            found = more
        return found

    # SELECT … FROM … WHERE …

    def _select(self, node: Tree, around: _Scope) -> QueryColumns:
        scope, rows = self._from(node["from_table"], around)
        made: list[MadeColumn] = []
        rest, doubt = "", ""
        for item in node["select_list"]:
            if item["class"] != "STAR":
                made.append(self._item(item, replace(scope, made=tuple(made))))
                continue
            columns, own_rest, own_doubt = self._star(item, scope)
            made += columns
            doubt = doubt or own_doubt or ("two tables whose columns are not known" if rest and own_rest else "")
            rest = rest or own_rest
        inside = replace(scope, made=tuple(made))
        deciding = [node.get(key) for key in ("where_clause", "group_expressions", "having", "qualify", "modifiers")]
        used = rows.union(*(self._lenient(one, inside) for one in deciding if one))
        return QueryColumns(tuple(made), "" if doubt else rest, doubt, used)

    def _item(self, item: Tree, scope: _Scope) -> MadeColumn:
        name = item.get("alias") or (item["column_names"][-1] if item["class"] == "COLUMN_REF" else "")
        try:
            return MadeColumn(name, self.used(item, scope))
        except _Unknown as problem:
            return MadeColumn(name, doubt=str(problem))

    def _star(self, item: Tree, scope: _Scope) -> tuple[list[MadeColumn], str, str]:
        """The columns that `*` stands for, the table whose columns are not known one by one, or why nobody can tell."""
        if item.get("columns") or item.get("expr") or item.get("rename_list"):
            raise _Unknown("the query chooses columns by a pattern or renames them within `*`")
        of = str(item.get("relation_name") or "").casefold()
        left_out = {
            _last(one).casefold() for key in ("exclude_list", "qualified_exclude_list") for one in item.get(key) or ()
        }
        replaced = {one["key"].casefold(): one["value"] for one in item.get("replace_list") or ()}
        found: list[MadeColumn] = []
        rest, doubt = "", ""
        for name, columns in scope.tables:
            if of and name.casefold() != of:
                continue
            for one in columns.columns:
                own = one.name.casefold()
                if own in left_out or (not of and (name.casefold(), own) in scope.hidden):
                    continue
                found.append(replace(self._item(replaced[own], scope), name=one.name) if own in replaced else one)
            doubt = (
                doubt or columns.doubt or ("two tables whose columns are not known" if rest and columns.rest else "")
            )
            rest = rest or columns.rest
        return found, rest, doubt

    # FROM

    def _from(self, node: Tree, around: _Scope) -> tuple[_Scope, frozenset[UsedColumn]]:
        """The tables that are read, and what decides which rows of them there are."""
        if node["type"] == "JOIN":
            return self._join(node, around)
        if node["type"] == "EMPTY":
            return _Scope(outer=around), frozenset()
        name, found = self._table(node, around)
        found = self._aliased(found, node.get("column_name_alias") or ())
        return _Scope(((node.get("alias") or name, replace(found, rows=frozenset())),), outer=around), found.rows

    def _table(self, node: Tree, around: _Scope) -> tuple[str, QueryColumns]:
        match node["type"]:
            case "BASE_TABLE":
                return self._base_table(node, around)
            case "SUBQUERY":
                return "", self.query(node["subquery"]["node"], around)
            case "EXPRESSION_LIST":
                width = len(node["values"][0]) if node["values"] else 0
                return "", QueryColumns(tuple(MadeColumn(f"col{place}") for place in range(width)))
            case "TABLE_FUNCTION":
                function = node["function"]
                if function["function_name"] == "unnest":
                    used = frozenset(one.used("computed") for one in self.used(function, around))
                    return "unnest", QueryColumns((MadeColumn("unnest", used),))
                said = f"the columns of `{function['function_name']}` are none of a table that is known"
                return function["function_name"], QueryColumns(doubt=said)
        raise _Unknown(f"the query has a part of the kind {node['type'].lower()}")

    def _base_table(self, node: Tree, around: _Scope) -> tuple[str, QueryColumns]:
        name = node["table_name"]
        if (own := around.query(name)) is not None:
            return name, own
        if self._tables is None:
            path = (node.get("qualified_name") or {}).get("path") or [node.get("schema_name") or "", name]
            return name, QueryColumns(rest=".".join(filter(None, path)))
        if name.casefold() not in self._tables:
            return name, QueryColumns(doubt=f"`{name}` is none of the tables that are known")
        table, columns = self._tables[name.casefold()]
        if columns is None:
            return name, QueryColumns(rest=table)
        return name, QueryColumns(tuple(MadeColumn(one, frozenset({UsedColumn(table, one)})) for one in columns))

    def _join(self, node: Tree, around: _Scope) -> tuple[_Scope, frozenset[UsedColumn]]:
        left, left_rows = self._from(node["left"], around)
        beside = replace(left, outer=around)  # what is on the right may name what is on the left
        right, right_rows = self._from(node["right"], beside)
        shared = list(node.get("using_columns") or ())
        if node.get("ref_type") == "NATURAL":
            mine = {one.name.casefold() for _, columns in left.tables for one in columns.columns}
            shared = [one.name for _, columns in right.tables for one in columns.columns if one.name.casefold() in mine]
        hidden = {(name.casefold(), one.casefold()) for name, _ in right.tables for one in shared}
        both = _Scope((*left.tables, *right.tables), hidden=left.hidden | right.hidden | hidden, outer=around)
        rows = left_rows | right_rows | self._lenient(node.get("condition"), both)
        rows = rows.union(*(self._lenient({"class": "COLUMN_REF", "column_names": [one]}, both) for one in shared))
        return (left if node.get("join_type") in ("SEMI", "ANTI") else both), rows

    # expressions

    def used(self, tree: Any, scope: _Scope) -> frozenset[UsedColumn]:
        """All columns that an expression depends on."""
        return frozenset(self._walk(tree, scope, whole=True))

    def _lenient(self, tree: Any, scope: _Scope) -> frozenset[UsedColumn]:
        """The columns that something depends on, as far as they can be told: places and names of the result cannot."""
        found: set[UsedColumn] = set()
        try:
            found |= self.used(tree, scope)
        except _Unknown:
            parts = tree if isinstance(tree, list) else tree.values() if tree.get("class") != "SUBQUERY" else ()
            found = found.union(*(self._lenient(part, scope) for part in parts if isinstance(part, dict | list)))
        return frozenset(UsedColumn(one.table, one.column) for one in found)

    def _walk(self, tree: Any, scope: _Scope, *, whole: bool = False) -> Iterator[UsedColumn]:
        if isinstance(tree, list):
            for one in tree:
                yield from self._walk(one, scope)
            return
        if not isinstance(tree, dict):
            return
        match tree.get("class"):
            case "COLUMN_REF":
                found = scope.column(tree["column_names"])
                yield from found if whole else (one.used("computed") for one in found)
            case "SUBQUERY":
                yield from self._subquery(tree, scope)
            case "LAMBDA":
                yield from self._lambda(tree, scope)
            case "STAR" | "POSITIONAL_REFERENCE" | "PARAMETER":
                raise _Unknown("the query names columns within an expression by `*`, by their place or by a pattern")
            case _:
                yield from self._parts(tree, scope)

    def _parts(self, tree: Tree, scope: _Scope) -> Iterator[UsedColumn]:
        """The columns of the parts of an expression; those of sums and the like are of many rows."""
        name = str(tree.get("function_name") or "")
        many = tree.get("class") == "WINDOW" or (tree.get("class") == "FUNCTION" and name in _aggregates())
        if many and name in ("count", "count_star"):
            tree = {key: [] if _is_star(value) else value for key, value in tree.items()}
        way: Way = "aggregated" if many else "computed"
        inside = replace(scope, bound=scope.bound | {"\0lambda"}) if name.endswith(_LAMBDAS) else scope
        for key, value in tree.items():
            if not key.startswith("query_location"):
                yield from (one.used(way) for one in self._walk(value, inside))

    def _subquery(self, tree: Tree, scope: _Scope) -> Iterator[UsedColumn]:
        found = self.query(tree["subquery"]["node"], _Scope(outer=scope))
        if tree.get("subquery_type") != "EXISTS":
            if found.doubt or found.rest:
                raise _Unknown(found.doubt or f"the columns of `{found.rest}` are not known")
            for one in found.columns:
                yield from (used.used("computed") for used in _inside(one, is_part=True))
        yield from (one.used("computed") for one in found.rows)
        yield from self._walk(tree.get("child"), scope)

    def _lambda(self, tree: Tree, scope: _Scope) -> Iterator[UsedColumn]:
        """A lambda, or the arrow of JSON, which is written in the same way."""
        if "\0lambda" not in scope.bound:
            yield from self._walk([tree["lhs"], tree["expr"]], scope)
            return
        names = {one["column_names"][-1].casefold() for one in _references(tree["lhs"])}
        yield from self._walk(tree["expr"], replace(scope, bound=scope.bound | names))


def _references(tree: Any) -> Iterator[Tree]:
    if isinstance(tree, dict) and tree.get("class") == "COLUMN_REF":
        yield tree
        return
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _references(part)


def _is_star(value: Any) -> bool:
    """Whether the only argument of a function is `*`."""
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], dict):
        return False
    only = value[0].get("expression", value[0])
    return isinstance(only, dict) and only.get("class") == "STAR"


def _last(name: Any) -> str:
    """The name of a column that is left out, which newer trees write with its table."""
    if isinstance(name, dict):
        return str(name.get("column") or (name.get("column_names") or name.get("path") or [""])[-1])
    return str(name)


def _by_place(one: QueryColumns, two: QueryColumns) -> QueryColumns:
    if one.rest or two.rest or one.doubt or two.doubt or len(one.columns) != len(two.columns):
        known = one.rest and one.rest == two.rest and not one.columns and not two.columns
        return one if known else QueryColumns(doubt="two queries are put together whose columns are not known")
    return replace(one, columns=tuple(_both(a, b) for a, b in zip(one.columns, two.columns, strict=True)))


def _by_name(one: QueryColumns, two: QueryColumns) -> QueryColumns:
    if one.rest or two.rest or one.doubt or two.doubt:
        return QueryColumns(doubt="two queries are put together whose columns are not known")
    both = [_both(a, two.column(a.name)) if two.has(a.name) else a for a in one.columns]
    return replace(one, columns=(*both, *(b for b in two.columns if not one.has(b.name))))


def _both(one: MadeColumn, two: MadeColumn) -> MadeColumn:
    return MadeColumn(one.name, one.used | two.used, one.doubt or two.doubt)
