"""A table as one record: labels with their values, as an infobox has them."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from sightline.data._cell import Cell, Grid
from sightline.data._record import Record
from sightline.data._value import Value
from sightline.errors import UsageError

__all__ = ["record_of"]

TITLE = "title"
LABEL_ENDS = " :\u00a0"

_Pairs: TypeAlias = dict[str, list[Value]]


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
    for name, pairs in parts:
        if not pairs:
            title = title or name
            continue
        if name is None or (title is None and not fields):
            title = title or name
            _add(fields, pairs)
        else:
            own: dict[str, object] = {}
            _add(own, pairs)
            _put(fields, name.text, Record(own))
    return Record(
        ({TITLE: title} if title is not None else {}) | {k: v for k, v in fields.items() if k != TITLE or not title}
    )


def _parts(grid: Grid) -> Iterator[tuple[Value | None, _Pairs]]:
    """The text over the whole width, if any, and the labels with values below it, part by part."""
    name: Value | None = None
    pairs: _Pairs = {}
    for line in grid:
        cells = [cell for cell in dict.fromkeys(line) if cell.text.strip()]
        if _is_whole(line):
            yield name, pairs
            name, pairs = line[0].value, {}
        elif len(cells) > 1:
            label, *values = cells
            pairs.setdefault(label.text.strip(LABEL_ENDS), []).extend(cell.value for cell in values)
    yield name, pairs


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
