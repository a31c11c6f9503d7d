"""A table as one record: labels with their values, as an infobox has them."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from sightline.data._cell import Cell, Grid
from sightline.data._record import Record
from sightline.data._value import Value
from sightline.errors import UsageError

__all__ = ["record_of"]

TITLE = "title"
TEXT = "text"  # what stands neither beside a label nor over a part: the caption of a picture, for instance
LABEL_ENDS = " :\u00a0"

_Pairs: TypeAlias = dict[str, list[Value | None]]


def record_of(grid: Grid, caption: str | None = None) -> Record:
    """The labels of a grid with their values; texts over its whole width are its title and the names of its parts.

    >>> record_of(((Cell(0, 0, value=Value("Weight:")), Cell(0, 1, value=Value("5 kg"))),)).to_dict()
    {'Weight': '5 kg'}
    """
    parts = list(_parts(grid))
    if not any(pairs for _, pairs in parts):
        raise UsageError("This table has no labels with values beside them, so it is no record; use its rows.")
    title = Value(caption) if caption else None
    fields: dict[str, object] = {}
    for heading, pairs in parts:
        if not pairs:
            if title is None:
                title = heading
            elif heading is not None:
                _put(fields, TEXT, heading)
            continue
        if heading is None or (title is None and not fields):
            title = title or heading
            _add(fields, pairs)
        else:
            own: dict[str, object] = {}
            _add(own, pairs)
            _put(fields, heading.text, Record(own))
    if title is None:
        return Record(fields)
    named: dict[str, object] = {TITLE: title}
    for name, value in fields.items():
        for one in value if isinstance(value, list) else [value]:
            _put(named, name, one)
    return Record(named)


def _parts(grid: Grid) -> Iterator[tuple[Value | None, _Pairs]]:
    """The text over the whole width, if any, and the labels with values below it, part by part."""
    name: Value | None = None
    pairs: _Pairs = {}
    for line in grid:
        cells = [cell for cell in dict.fromkeys(line) if cell.text.strip()]
        if _is_whole(line):
            yield name, pairs
            name, pairs = line[0].value, {}
        elif cells:
            label, values = _label_and_values(line, cells)
            pairs.setdefault(label, []).extend(values)
    yield name, pairs


def _label_and_values(line: Sequence[Cell], cells: Sequence[Cell]) -> tuple[str, list[Value | None]]:
    """The label of a row and what stands beside it; a label alone has no value, and a text alone is a text."""
    if cells[0] is not line[0]:
        return TEXT, [cell.value for cell in cells]
    label, *values = cells
    return label.text.strip(LABEL_ENDS), [cell.value for cell in values] or [None]


def _is_whole(line: Sequence[Cell]) -> bool:
    return bool(line) and bool(line[0].text.strip()) and all(cell is line[0] for cell in line)


def _add(fields: dict[str, object], pairs: _Pairs) -> None:
    for label, values in pairs.items():
        for value in values:
            _put(fields, label, value)


def _put(fields: dict[str, object], name: str, value: object) -> None:
    """A field more; one that is there already becomes a list."""
    if name not in fields:
        fields[name] = value
    else:
        before = fields[name]
        fields[name] = [*before, value] if isinstance(before, list) else [before, value]
