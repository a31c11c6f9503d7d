"""The statements of a table: one triple for every value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.data._exports import jsonable
from sightline.data._headers import heading_path
from sightline.data._plain_python import Plain, XPath
from sightline.data._table_body import TableBody
from sightline.data._value import Value

__all__ = ["Triple", "triples_of"]

_JOINER = " / "
_VALUES = ("data", "total")
_NAMING = 3  # columns from the left in which to look for a name
_RANK = re.compile(r"[^\w]*+(?:\d{1,4}[^\w]*+)?")  # nothing is tried twice, however long a cell is


@dataclass(frozen=True, slots=True)
class Triple:
    """A value of a table in the words of its headings: subject, predicate, and the value with its origin.

    >>> Triple("EOS 5D", "Price", Value("$1,200")).object.text
    '$1,200'
    """

    subject: str
    predicate: str
    object: Value

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The triple as a plain dict; with origins its object has text, value, XPath and box.

        >>> Triple("EOS 5D", "Price", Value("$1,200")).to_json()
        {'subject': 'EOS 5D', 'predicate': 'Price', 'object': '$1,200'}
        """
        told = Plain(origins=origins, xpath=xpath).of(self.object)
        return dict(jsonable({"subject": self.subject, "predicate": self.predicate, "object": told}))


def triples_of(body: TableBody, names: Sequence[str], header_columns: int, about: str | None = None) -> list[Triple]:
    """A triple for every value that is not empty, row by row; `about` names the record where there is only one.

    Without headings on the left, the first column names the rows; if that leaves no other columns, or is empty, a row
    is named by its number.
    """
    beside = _naming(body, header_columns) if about is None else ()
    fields = [place for place in body.fields if place not in beside]
    predicates = [names[place] for place in fields]
    triples: list[Triple] = []
    for subject, line in zip(_subjects(body, beside, about), body.lines, strict=True):
        for predicate, place in zip(predicates, fields, strict=True):
            cell = line[place]
            value = cell.value
            if cell.role in _VALUES and value.text and not value.text.isspace():
                triples.append(Triple(subject, predicate, value))
    return triples


def _naming(body: TableBody, header_columns: int) -> tuple[int, ...]:
    """The columns that name the rows: headings beside them, else the first, or the next if that only ranks them."""
    fields = body.fields
    beside = tuple(place for place in fields if place < header_columns)
    if beside or len(fields) < 2:
        return beside
    columns = {place: [line[place].text.strip() for line in body.lines] for place in fields[:_NAMING]}
    if not _ranks(columns[fields[0]]):
        return fields[:1]
    named = tuple(place for place, texts in columns.items() if any(texts) and not _ranks(texts))
    return named[:1] or fields[:1]


def _ranks(texts: Sequence[str]) -> bool:
    """Whether a column holds short numbers and nothing else."""
    return any(texts) and all(_RANK.fullmatch(text) for text in texts)


def _subjects(body: TableBody, beside: Sequence[int], about: str | None) -> Iterator[str]:
    for number, (line, section) in enumerate(zip(body.lines, body.sections, strict=True), start=1):
        path = heading_path(line[place] for place in beside) or [about or str(number)]
        yield _JOINER.join([*heading_path((), section), *path])
