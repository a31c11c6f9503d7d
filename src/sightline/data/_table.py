"""Tables, whose rows become records, and records, which become a table: mutually dependent, so in one file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias, overload

from sightline.data._cell import Cell, Grid, Role, build_grid, without_rows
from sightline.data._column import Column, unique_names
from sightline.data._exports import Exportable, grid_html, grid_xml, jsonable, rows_html
from sightline.data._flatten import JOINER, check_fields, flat_columns, infer_schema
from sightline.data._record import Record, named_values, plain_record
from sightline.data._result import SERIES, MadeLater, Mark, Plain, XPath, box_json, late, series
from sightline.data._schema import Basic, Option, Schema, TupleOf, fitting_schema, several, single_item, typed_field
from sightline.data._table_body import (
    Heading,
    TableBody,
    Triple,
    body_of,
    flat_names,
    heading_tree,
    record_of,
    repeated_rows,
    totals_of,
    triples_of,
)
from sightline.data._value import Value
from sightline.errors import UsageError
from sightline.geometry import Box

GridKind: TypeAlias = Literal["grid", "record"]
"""What a table says: rows of the same make, or one record, as an infobox is: labels with their values."""

Evidence: TypeAlias = tuple[tuple[str, float], ...]
"""The evidence for (above 0) and against (below 0) a table being one, by name."""

# What fits on a screen beside the notebook's controls.
_SHOWN_ROWS = 20
_LONGEST_REPR = 80  # characters of names; a list of tables is one line each


@late("anchors", "header_rows", "header_columns", "caption", "language", "kind", "doubts")
@dataclass(frozen=True)
class Table(MadeLater, Exportable):
    """A table as seen, made of its cells; `cells[row][column]` is the full grid.

    Names, columns, records and exports read the rows below the headings. A table with headings only at the left is
    turned for them first (`upright`), so that headings always name columns.

    >>> table = Table.from_rows([["Name", "Price"], ["EOS 5D", "$1,200.50"]])
    >>> table.to_dicts()
    [{'Name': 'EOS 5D', 'Price': '$1,200.50'}]
    >>> table.to_dicts(typed=True)
    [{'Name': 'EOS 5D', 'Price': Decimal('1200.50')}]
    >>> len(table), table[0].text("Price"), table["Price"].values
    (1, '$1,200.50', (Decimal('1200.50'),))
    """

    result_kind: ClassVar[str] = "table"

    anchors: tuple[Cell, ...]
    header_rows: int = 0
    header_columns: int = 0
    caption: str | None = None
    box: Box | None = None
    sheet: int = 1
    score: float = 1.0
    language: str | None = None
    evidence: Evidence = field(default=(), compare=False)
    kind: GridKind = "grid"
    doubts: tuple[str, ...] = ()
    """What may have been read wrongly, and how to read it otherwise; one sentence each."""

    def __post_init__(self) -> None:
        """Build the grid immediately, so that an invalid table is rejected where it is created."""
        object.__setattr__(self, "anchors", tuple(self.anchors))
        object.__setattr__(self, "evidence", tuple(dict(self.evidence).items()))
        object.__setattr__(self, "doubts", tuple(self.doubts))
        if not 0 <= self.header_rows <= len(self.cells):
            raise UsageError(f"A table of {len(self.cells)} rows cannot have {self.header_rows} header rows.")
        if not 0 <= self.header_columns <= self.width:
            raise UsageError(f"A table of {self.width} columns cannot have {self.header_columns} header columns.")

    def __repr__(self) -> str:
        caption = f"{self.caption!r}, " if self.caption else ""
        return f"<Table {caption}{len(self)} rows of {_shortened(', '.join(self.names))}, score {self.score:.2f}>"

    def __len__(self) -> int:
        """The number of rows below the headings."""
        return len(self.columns[0].cells) if self.columns else 0

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> "Records": ...
    @overload
    def __getitem__(self, index: str) -> Column: ...
    def __getitem__(self, index: int | slice | str) -> "Record | Records | Column":
        """A row as a record, some rows, or a column by its name."""
        return self.column(index) if isinstance(index, str) else self._rows[index]

    def __iter__(self) -> Iterator[Record]:
        """The rows below the headings, as records."""
        return iter(self._rows)

    @cached_property
    def _rows(self) -> "Records":
        return self.records()

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[str | None]], *, header_rows: int = 1, **details: Any) -> "Table":
        """A table of plain texts, without spans; None is a hole.

        >>> Table.from_rows([["a"], ["1"]]).names
        ('a',)
        """
        beside = details.get("header_columns", 0)
        cells = [
            _filled(row, column, None if text is None else Value(text), _role(row < header_rows, column < beside))
            for row, line in enumerate(rows)
            for column, text in enumerate(line)
        ]
        return cls(tuple(cells), header_rows=min(header_rows, len(rows)), **details)

    @classmethod
    def from_columns(cls, columns: Sequence[Column], *, language: str | None = None) -> "Table":
        """A table with one header row; None in a column is a hole."""
        head = [Cell(0, place, value=Value(column.name), role="column header") for place, column in enumerate(columns)]
        body = [
            _filled(row, place, value, "data")
            for place, column in enumerate(columns)
            for row, value in enumerate(column.cells, start=1)
        ]
        return cls((*head, *body), header_rows=min(1, len(columns)), language=language)

    @cached_property
    def cells(self) -> Grid:
        """The full grid: a cell that spans several places is the same object in each."""
        return build_grid(self.anchors)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.cells[0]) if self.cells else 0

    @property
    def rows(self) -> list[list[str]]:
        """The texts of the full grid."""
        return [[cell.text for cell in line] for line in self.cells]

    @property
    def upright(self) -> "Table":
        """The table itself, or transposed if it has headings only on the left.

        >>> specs = Table.from_rows([["Weight", "5 kg"], ["Height", "3 cm"]], header_rows=0, header_columns=1)
        >>> specs.upright.rows
        [['Weight', 'Height'], ['5 kg', '3 cm']]
        """
        return self._turned if self.header_columns and not self.header_rows else self

    @cached_property
    def _turned(self) -> "Table":
        return self.transposed()

    def transposed(self) -> "Table":
        """The table with rows and columns exchanged."""
        cells = tuple(_turned(cell) for cell in self.anchors)
        return replace(self, anchors=cells, header_rows=self.header_columns, header_columns=self.header_rows)

    @property
    def totals(self) -> tuple[int, ...]:
        """The numbers of the rows that hold totals and no other values.

        >>> Table((Cell(0, 0, value=Value("5")), Cell(1, 0, value=Value("5"), role="total"))).totals
        (1,)
        """
        return totals_of(self.cells, self.header_rows)

    def without_totals(self) -> "Table":
        """The table without its rows of totals; a cell that reaches into one is cut.

        >>> Table((Cell(0, 0, value=Value("5")), Cell(1, 0, value=Value("5"), role="total"))).without_totals().rows
        [['5']]
        """
        totals = self.totals
        if not totals:
            return self
        kept = without_rows(self.anchors, totals)
        width = max((cell.column + cell.column_span for cell in kept), default=0)
        return replace(self, anchors=kept, header_columns=min(self.header_columns, width))

    def with_header_rows(self, count: int) -> "Table":
        """The table with the first rows as headings, whatever they were before; names, types and exports follow.

        Further rows that repeat the last of them are headings as well; all others are records again.

        >>> table = Table.from_rows([["", "2005"], ["Oslo", "7"]], header_rows=0)
        >>> table.names, table.with_header_rows(1).names
        (('column 1', 'column 2'), ('column 1', '2005'))
        >>> table.with_header_rows(3)
        Traceback (most recent call last):
        ...
        sightline.errors.UsageError: A table of 2 rows cannot have 3 header rows.
        """
        if not 0 <= count <= len(self.cells):
            raise UsageError(f"A table of {len(self.cells)} rows cannot have {count} header rows.")
        repeated = repeated_rows(self.rows, count)
        cells = tuple(
            _headed(cell, self.header_columns, cell.row < count or cell.row in repeated) for cell in self.anchors
        )
        return replace(self, anchors=cells, header_rows=count, doubts=())

    @cached_property
    def header_tree(self) -> tuple[Heading, ...]:
        """The headings over the columns, with those below them, as drawn."""
        return heading_tree(self.cells[: self.header_rows])

    @property
    def names(self) -> tuple[str, ...]:
        """One name per column of the grid: its headings joined by " / ", numbered where empty, all unique."""
        return self.column_names()

    def column_names(self, joiner: str = " / ") -> tuple[str, ...]:
        """As `names`, with another joiner."""
        table = self.upright
        return flat_names(table.cells[: table.header_rows], self._body.over, joiner)

    @cached_property
    def _body(self) -> TableBody:
        return body_of(self.upright.cells, self.upright.header_rows)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns below the headings, each with its type; None where there is a hole.

        A table with sections has one column more, the first: the section of each row. Totals have no say in the types.
        Columns that only continue the cells of the one before them, headings and all, are left out.

        >>> cells = (Cell(0, 0, value=Value("North"), role="section"), Cell(1, 0, value=Value("5")))
        >>> Table(cells).to_dicts()
        [{'section': 'North', 'column 1': '5'}]
        """
        names, body = self.names, self._body
        section = unique_names([*names, SECTION])[-1]
        parts = [(section, body.sections)] if any(body.sections) else []
        parts += [(names[place], tuple(_found(line[place]) for line in body.lines)) for place in self._own_places]
        return tuple(Column(name, cells, None, self.language, aside=body.totals) for name, cells in parts)

    @property
    def _own_places(self) -> Iterator[int]:
        """The places of columns that have cells of their own, as most have: spanning cells are said once."""
        body, table = self._body, self.upright
        rows = (*table.cells[: table.header_rows], *body.lines)
        for place in body.fields:
            before = place - 1
            if not (body.lines and before in body.fields and all(row[place] is row[before] for row in rows)):
                yield place

    def records(self) -> "Records":
        """The rows as records, with typed values and a schema."""
        columns = self.columns
        names = [column.name for column in columns]
        rows = zip(*(column.typed_cells for column in columns), strict=True)
        schema = TupleOf(tuple((column.name, _node(column)) for column in columns))
        return Records(tuple(Record(dict(zip(names, row, strict=True))) for row in rows), schema, self.language)

    def to_record(self) -> Record:
        """The table as one record: every label with its value, those below a heading of their own in a record of it.

        The first text over the whole width is the title. A label that comes twice has several values.

        >>> rows = [["Ulm", "Ulm"], ["Country", "Germany"], ["Area", "118 km²"]]
        >>> cells = [Cell(0, 0, column_span=2, value=Value("Ulm"))]
        >>> cells += [Cell(row, place, value=Value(rows[row][place])) for row in (1, 2) for place in (0, 1)]
        >>> Table(tuple(cells), header_columns=1, kind="record").to_record().to_dict()
        {'title': 'Ulm', 'Country': 'Germany', 'Area': '118 km²'}
        """
        return record_of(self.cells, self.caption)

    def triples(self) -> list[Triple]:
        """The statements of the table: for every value its subject (the row), predicate (the column) and object.

        >>> Table.from_rows([["Name", "Price"], ["EOS 5D", "$1,200"]]).triples()
        [Triple(subject='EOS 5D', predicate='Price', object=Value(text='$1,200', ...))]
        """
        is_single = self.upright is not self and len(self._body.lines) == 1
        about = self.caption or "1" if is_single else None
        return triples_of(self._body, self.names, self.upright.header_columns, about)

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None, evidence: bool = False) -> dict[str, Any]:
        """The table of the JSON contract, as plain dicts and lists; with origins each cell has its box and XPath.

        A table that is one record says so under `kind`, and doubts are under `doubts`; others have no such names.
        With `evidence` it also has the parts of its score, under a name that the contract does not have.
        """
        plain = Plain(xpath=xpath)
        document = {
            "rows": self.rows,
            "header_rows": self.header_rows,
            "header_columns": self.header_columns,
            "cells": [_cell_json(cell) | (plain.place(cell.origin) if origins else {}) for cell in self.anchors],
            "caption": self.caption,
            "box": box_json(self.box),
            "sheet": self.sheet,
            "score": self.score,
        }
        kind = {} if self.kind == "grid" else {"kind": self.kind}
        doubts = {"doubts": list(self.doubts)} if self.doubts else {}
        return dict(jsonable(document | kind | doubts | ({"evidence": dict(self.evidence)} if evidence else {})))

    @classmethod
    def from_json(cls, document: Mapping[str, Any], *, language: str | None = None) -> "Table":
        """The inverse of `to_json`; the contract holds no origins, so the cells have none.

        >>> table = Table.from_rows([["a"], ["1"]])
        >>> Table.from_json(table.to_json()) == table
        True
        """
        try:
            cells = tuple(_cell_from_json(cell) for cell in document["cells"])
            box = document["box"]
            rest = {name: document[name] for name in ("header_rows", "header_columns", "caption", "sheet", "score")}
            rest |= {"evidence": document.get("evidence", ()), "kind": document.get("kind", "grid")}
            rest |= {"doubts": document.get("doubts", ())}
            return cls(cells, box=None if box is None else _box(*box), language=language, **rest)
        except (KeyError, TypeError) as problem:
            raise UsageError(f"This is not a table of the JSON contract: {problem}.") from problem

    def values(self) -> Iterator[Value]:
        """The value of every cell."""
        return (cell.value for cell in self.anchors)

    def marks(self, number: int = 1) -> list[Mark]:  # noqa: ARG002 - tables are not numbered
        """What to draw: a frame around the table, and every cell in the colour of its role."""
        frame = [Mark(self.box, "frame", "table", hollow=True)] if self.box else []
        seen = [(cell.role, cell.origin.box) for cell in self.anchors if cell.origin and cell.role != "hole"]
        return frame + [Mark(box, role) for role, box in seen if box]

    def _html_table(self) -> str:
        """An HTML `<table>` as drawn, with spans and headings."""
        return grid_html(self.cells, self.caption)

    def to_grid_xml(self) -> str:
        """An XML document of the table as seen: every cell with its place, spans, role and box."""
        heads = {"header-rows": self.header_rows, "header-columns": self.header_columns}
        return grid_xml(self.cells, self.caption, heads, self.box)

    def _repr_html_(self) -> str:
        return grid_html(self.cells, self.caption, limit=_SHOWN_ROWS)


class Records(Exportable):
    """A sequence of records and the schema that they follow; without one, it is inferred from all of them.

    The columns of every export are those of the schema, in its order, whatever the first record has.
    It has length, index, slices and iteration, but is not a `collections.abc.Sequence`: polars would take that for rows
    of objects instead of reading its Arrow stream.

    >>> found = Records([{"name": "A", "price": "5 €"}, {"name": "B"}])
    >>> print(found.schema)
    (name: text, price: money EUR?)
    >>> found.to_dicts()
    [{'name': 'A', 'price': '5 €'}, {'name': 'B', 'price': None}]
    """

    result_kind: ClassVar[str] = "records"

    def __init__(
        self, records: Iterable[Mapping[str, Any]], schema: Schema | None = None, language: str | None = None
    ) -> None:
        self._records = tuple(record if isinstance(record, Record) else Record(record) for record in records)
        self._schema = schema or infer_schema(self._records, language)
        self._language = language
        for place, record in enumerate(self._records if schema else ()):
            check_fields(record, self._schema, f"Record {place}")

    @classmethod
    def trusted(cls, records: Iterable[Record], schema: Schema, language: str | None = None) -> "Records":
        """Records known to follow this schema: they are not checked against it again."""
        made = cls.__new__(cls)
        made._records, made._schema, made._language = tuple(records), schema, language
        return made

    @property
    def schema(self) -> Schema:
        """The fields that each record may have, and their types."""
        return self._schema

    @property
    def language(self) -> str | None:
        """The language of the pages, which settles ambiguous values."""
        return self._language

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> "Records": ...

    @overload
    def __getitem__(self, index: str) -> Column: ...

    def __getitem__(self, index: int | slice | str) -> "Record | Records | Column":
        """A record, some of them, or a flat column by its name."""
        if isinstance(index, str):
            return self.column(index)
        if isinstance(index, slice):
            return Records(self._records[index], self._schema, self._language)
        return self._records[index]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Records) and (self._records, self._schema) == (other._records, other._schema)

    def __hash__(self) -> int:
        return hash((self._records, self._schema))

    def __repr__(self) -> str:
        return f"Records({len(self)} × {_shortened(str(self._schema))})"

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The flat columns: nested names joined by points, the texts of a list by "; "."""
        return flat_columns(self._records, self._schema)

    def to_table(self, *, joiner: str = JOINER, explode: str | None = None) -> "Table":
        """One flat table: nested names joined by points, the texts of a list by `joiner`.

        With `explode` there is one row for each item of the list of that name instead.

        >>> Records([{"name": "A", "maker": {"city": "Ulm"}, "tags": ["x", "y"]}]).to_table().rows
        [['name', 'maker.city', 'tags'], ['A', 'Ulm', 'x; y']]
        """
        records = self if explode is None else self.exploded(explode)
        return Table.from_columns(flat_columns(records._records, records._schema, joiner), language=self._language)

    def exploded(self, name: str) -> "Records":
        """One record for each item of the list under `name`; the other fields are repeated.

        >>> found = Records([{"shop": "A", "tags": ["x", "y"]}, {"shop": "B", "tags": []}])
        >>> found.exploded("tags").to_dicts()
        [{'shop': 'A', 'tags': 'x'}, {'shop': 'A', 'tags': 'y'}, {'shop': 'B', 'tags': None}]
        """
        if not isinstance(self._schema, TupleOf) or name not in self._schema.names:
            raise UsageError(f"There is no field {name!r} to explode in {self._schema}.")
        parts = tuple((part, single_item(node) if part == name else node) for part, node in self._schema.fields)
        records = [record.replace(**{name: item}) for record in self for item in several(record.get(name))]
        return Records(records, TupleOf(parts), self._language)

    def typed(self) -> "Records":
        """The same records with typed values, read by the types of the schema where these fit all values.

        >>> Records([{"price": "5 €"}]).typed()[0]["price"].value
        Decimal('5')
        """
        schema = fitting_schema(self._schema, self._records, self._language)
        records = [typed_field(record, schema) for record in self]
        return Records([record for record in records if isinstance(record, Record)], schema, self._language)

    def to_dicts(
        self, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> list[dict[str, Any]]:
        """All records as plain dicts, each with every name of the schema."""
        records = self.typed() if origins or typed else self
        names = dict.fromkeys(self._schema.names if isinstance(self._schema, TupleOf) else ())
        return [names | plain_record(record, Plain(typed, origins, xpath)) for record in records]

    def to_json(self, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The records of the JSON contract, as plain dicts and lists."""
        told = self.typed() if origins or typed else self
        records = told.to_dicts(origins=origins, typed=typed, xpath=xpath)
        return dict(jsonable({"schema": told.schema.to_json(), "records": records}))

    def values(self) -> Iterator[Value]:
        """Every value, however deep it is nested."""
        return (value for record in self for _, value in named_values(record))

    def marks(self, number: int = 1) -> list[Mark]:  # noqa: ARG002 - a page has its records once
        """What to draw: every value in a frame of the colour of its field, which the legend names.

        With more fields than colours, each value also carries the number of its field.
        """
        named = [pair for record in self for pair in named_values(record)]
        seen = [(name, value.origin.box) for name, value in named if value.origin and value.origin.box]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in seen), start=1)}
        numbered = len(numbers) > SERIES
        return [_field_mark(box, name, numbers[name], numbered=numbered) for name, box in seen]

    def _repr_html_(self) -> str:
        return rows_html(self.columns, limit=_SHOWN_ROWS)


SECTION = "section"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_REPR else f"{text[: _LONGEST_REPR - 1]}…"


def _field_mark(box: Box, name: str, number: int, *, numbered: bool) -> Mark:
    if numbered:
        return Mark(box, series(number), f"{number} · {name}", hollow=True, badge=str(number))
    return Mark(box, series(number), name, hollow=True)


_TURNED: dict[Role, Role] = {"column header": "row header", "row header": "column header"}


def _role(is_over: bool, is_beside: bool) -> Role:  # noqa: FBT001 (a truth table of two facts)
    if is_over:
        return "corner" if is_beside else "column header"
    return "row header" if is_beside else "data"


def _headed(cell: Cell, header_columns: int, is_over: bool) -> Cell:  # noqa: FBT001 (as above)
    """A cell with the role that it has in or below headings; below them only what was a heading changes."""
    if cell.role == "hole" or (not is_over and cell.role not in ("column header", "corner")):
        return cell
    return replace(cell, role=_role(is_over, cell.column < header_columns))


def _filled(row: int, column: int, value: Value | None, role: Role) -> Cell:
    return Cell(row, column, role="hole") if value is None else Cell(row, column, value=value, role=role)


def _found(cell: Cell) -> Value | None:
    return None if cell.role == "hole" else cell.value


def _node(column: Column) -> Basic | Option:
    return Option(Basic(column.type)) if None in column.cells else Basic(column.type)


def _box(x0: float, y0: float, x1: float, y1: float) -> Box:
    return float(x0), float(y0), float(x1), float(y1)


def _cell_json(cell: Cell) -> dict[str, Any]:
    spans = {"row_span": cell.row_span, "column_span": cell.column_span}
    document = {"row": cell.row, "column": cell.column, **spans, "text": cell.text, "role": cell.role}
    return document | {"notes": list(cell.notes)} if cell.notes else document


def _cell_from_json(cell: Mapping[str, Any]) -> Cell:
    spans, notes = (cell["row_span"], cell["column_span"]), tuple(cell.get("notes", ()))
    return Cell(cell["row"], cell["column"], *spans, Value(cell["text"]), cell["role"], notes)


def _turned(cell: Cell) -> Cell:
    role = _TURNED.get(cell.role, cell.role)
    return Cell(cell.column, cell.row, cell.column_span, cell.row_span, cell.value, role, cell.notes)
