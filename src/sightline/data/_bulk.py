"""Many frozen objects at once, made from columns."""

from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import Any, TypeVar

__all__ = ["filled"]

_Made = TypeVar("_Made")


def filled(kind: type[_Made], columns: dict[str, Sequence[Any]], **same: Any) -> list[_Made]:
    """One object of a frozen class with slots for each row of some columns; `same` are the fields that all share.

    Every slot is filled for all objects in one call, which takes a third of the time of calling the class for each. The
    class does not check what it gets, so only values that are known to be right may be given.

    >>> from sightline.data._origin import Origin
    >>> filled(Origin, {"nodes": [(1,), (2,)]}, page="3f2a", box=None, sheet=1, original="")
    [Origin(page='3f2a', nodes=(1,), ...), Origin(page='3f2a', nodes=(2,), ...)]
    """
    slots, count = kind.__slots__, _length(columns)  # type: ignore[attr-defined]
    if {*slots} != {*columns, *same}:
        raise TypeError(f"{kind.__name__} has the fields {', '.join(slots)}, not {', '.join([*columns, *same])}.")
    made = list(map(object.__new__, repeat(kind, count)))
    for name in slots:
        column = columns[name] if name in columns else repeat(same[name], count)
        deque(map(getattr(kind, name).__set__, made, column), maxlen=0)
    return made


def _length(columns: dict[str, Sequence[Any]]) -> int:
    lengths: set[int] = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise TypeError(f"The columns are of different lengths: {sorted(lengths)}.")
    return lengths.pop()
