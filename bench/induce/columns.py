"""What was extracted from a page, as columns of compared texts: the names of unsupervised columns say nothing."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

Trail = tuple[str, ...]  # the names that lead to a value; lists add nothing to them
Columns = dict[Trail, list[str]]

UNSEEN = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD])
FRACTION_SLASH = "\u2044"
# The scorer given with the data takes a record with "text" and one of these for a value with its origin; so do we.
BESIDE_TEXT = frozenset({"value", "xpath", "box", "origin", "origins", "type"})


def key(text: str) -> str:
    """What texts are compared by: in small letters, without marks that nobody sees, and without blanks.

    Tools differ in the blank where an inline element ends.

    >>> key(" 1 ½\u200b Cups ")
    '11/2cups'
    """
    plain = unicodedata.normalize("NFKC", text).translate(UNSEEN).replace(FRACTION_SLASH, "/").lower()
    return "".join(plain.split())


def columns_of(values: object) -> Columns:
    """Every column of nested records with its texts, in order; empty texts are none.

    >>> columns_of([{"name": "A", "offer": [{"price": "1 €"}, {"price": "2 €"}], "note": None}])
    {('name',): ['a'], ('offer', 'price'): ['1€', '2€']}
    """
    found: Columns = {}
    for trail, text in _values(values, ()):
        found.setdefault(trail, []).append(text)
    return found


def record_sets(records: Sequence[object]) -> dict[Trail, list[object]]:
    """Every list that could be the records of the page: the whole, and the lists nested in it.

    >>> list(record_sets([{"offer": [{"price": "1 €"}]}]))
    [(), ('offer',)]
    """
    found: dict[Trail, list[object]] = {(): list(records)}
    _gather(records, (), found)
    return found


def _values(value: object, trail: Trail) -> Iterator[tuple[Trail, str]]:
    if isinstance(value, Mapping) and not _has_origin(value):
        for name, inner in value.items():
            yield from _values(inner, (*trail, str(name)))
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner, trail)
    elif text := _compared(value):
        yield trail, text


def _compared(value: object) -> str:
    if isinstance(value, Mapping):
        value = value["text"]
    return "" if value is None else key(str(value))


def _has_origin(value: Mapping[object, object]) -> bool:
    return "text" in value and bool(BESIDE_TEXT & value.keys())


def _gather(value: object, trail: Trail, found: dict[Trail, list[object]]) -> None:
    if isinstance(value, Mapping) and not _has_origin(value):
        for name, inner in value.items():
            here = (*trail, str(name))
            if isinstance(inner, list):
                found.setdefault(here, []).extend(inner)
            _gather(inner, here, found)
    elif isinstance(value, list | tuple):
        for inner in value:
            _gather(inner, trail, found)
