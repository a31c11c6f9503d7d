"""What a wrapper reads as marks: a frame around every value, or around every text by what it was read as."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from sightline.data import Field, Record, Value
from sightline.draw._picture import SERIES, Mark
from sightline.geometry import Box

__all__ = ["Read", "marks_of_explained", "marks_of_records"]


class Read(Protocol):
    """A text of a page and what it was read as; what `Wrapper.explain` gives is this."""

    @property
    def box(self) -> Box | None:
        """Where it stands."""

    @property
    def role(self) -> str:
        """`field`, `template`, `changed`, `dropped` or `unknown`."""


def marks_of_records(records: Iterable[Record]) -> list[Mark]:
    """What to draw of records: every value in a frame of the colour of its field, which the legend names.

    Where there are more fields than colours, each value has the number of its field as well.

    >>> from sightline.data import Origin
    >>> marks_of_records([Record({"price": Value("5 €", origin=Origin("p", (7,), (0, 0, 9, 9)))})])
    [Mark(box=(0, 0, 9, 9), kind='series 1', label='price', hollow=True, thin=False, badge='')]
    """
    found = [pair for record in records for pair in _values(record, "")]
    seen = [(name, value.origin.box) for name, value in found if value.origin and value.origin.box]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in seen), start=1)}
    numbered = len(numbers) > len(SERIES)
    return [_mark(box, name, numbers[name], numbered=numbered) for name, box in seen]


def marks_of_explained(texts: Iterable[Read]) -> list[Mark]:
    """What to draw of a page that was read by a wrapper: every text in the colour of what it was read as.

    What calls for attention is drawn last, above the rest.
    """
    marks = [Mark(one.box, one.role) for one in texts if one.box]
    return sorted(marks, key=lambda mark: _ATTENTION.get(mark.kind, 0))


_ATTENTION = {"template": -1, "other": -1, "changed": 1, "unknown": 2}


def _mark(box: Box, name: str, number: int, *, numbered: bool) -> Mark:
    colour = SERIES[(number - 1) % len(SERIES)]
    if numbered:
        return Mark(box, colour, f"{number} · {name}", hollow=True, badge=str(number))
    return Mark(box, colour, name, hollow=True)


def _values(field: Field, name: str) -> Iterator[tuple[str, Value]]:
    """Every value with its name; nested names are joined by points."""
    if isinstance(field, Value):
        yield name, field
    elif isinstance(field, Record):
        for part, inner in field.items():
            yield from _values(inner, f"{name}.{part}" if name else part)
    elif field is not None:
        for item in field:
            yield from _values(item, name)
