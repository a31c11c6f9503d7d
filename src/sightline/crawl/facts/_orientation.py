"""Which side of a table names the subjects: its rows, its columns, or the page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sightline.crawl.facts._names import name_key, text_key
from sightline.data import Cell, Table, infer, read_title

__all__ = ["Oriented", "oriented"]

# By how much the values along a row must be more alike than those down a column before the columns name the subjects.
# On the planted tables of `bench/crawl/facts.py` the right side leads by 0.2 or more where there are three kinds of
# attributes; below 0.05 it is noise of small tables.
CLEARLY_ALIKE = 0.1
FEWEST_TO_COMPARE = 2  # subjects side by side
FEWEST_PAIRS = 3
# The largest share of one kind among the values of pairs; a column of one attribute has nearly all of one kind.
MOST_ALIKE_PAIRS = 0.6
_KEY_HEADINGS = frozenset(
    ("", "feature", "features", "specification", "specifications", "attribute", "property", "spec")
)
_VALUE_HEADINGS = frozenset(("value", "values", "details", "detail", "description", "data", "specification", "wert"))


@dataclass(frozen=True, slots=True)
class Oriented:
    """How a table is read: its subjects are at the left, or the page is the subject of its one record."""

    table: Table
    about_page: bool = False


def oriented(table: Table, page_subject: str) -> Oriented:
    """A table turned so that every row is about one subject; one of keys and values is about the page.

    >>> specs = Table.from_rows([["Weight", "675 g"], ["Sensor", "full frame"]], header_rows=0)
    >>> oriented(specs, "EOS 5D").about_page
    True
    >>> versus = Table.from_rows([["", "EOS 5D", "D70"], ["Weight", "675 g", "700 g"], ["Price", "$900", "$800"]])
    >>> [triple.subject for triple in oriented(versus, "").table.triples()]
    ['EOS 5D', 'EOS 5D', 'D70', 'D70']
    """
    whole = table.without_totals()
    if not whole.header_rows and whole.header_columns and whole.width - whole.header_columns > 1:
        return Oriented(_with_roles(whole.transposed()))  # several records side by side, named by nothing
    if not whole.header_rows:
        is_pairs = whole.width == 2 and _are_keys(whole)
        pairs = _with_roles(replace(whole, header_columns=1)) if is_pairs else whole
        return Oriented(pairs, about_page=is_pairs or (whole.header_columns == 1 and whole.width == 2))
    if whole.width == 2 and _are_keys(whole):
        if _names_values(whole):
            return Oriented(_without_headings(whole), about_page=True)
        if _are_pairs(whole, page_subject):
            return Oriented(_with_roles(replace(whole, header_rows=0, header_columns=1)), about_page=True)
    return Oriented(_turned(whole) if _names_subjects_on_top(whole, page_subject) else whole)


def _are_keys(table: Table) -> bool:
    """Whether the first of two columns holds different names, so that each can be what the second is about."""
    keys = [row[0].strip() for row in table.rows[table.header_rows :]]
    return len(keys) > 1 and all(keys) and len({text_key(key) for key in keys}) == len(keys)


def _names_values(table: Table) -> bool:
    return text_key(table.names[1]) in _VALUE_HEADINGS


def _are_pairs(table: Table, page_subject: str) -> bool:
    """Whether a row that was taken for headings is a pair like those below it: the values are of many kinds."""
    top, values = table.rows[table.header_rows - 1][1], [row[1] for row in table.rows[table.header_rows :]]
    if table.header_rows > 1 or not top.strip() or text_key(table.rows[0][0]) in _KEY_HEADINGS:
        return False
    if name_key(top).in_any_order == name_key(page_subject).in_any_order:
        return False
    is_mixed = len(values) >= FEWEST_PAIRS and _alike([values]) <= MOST_ALIKE_PAIRS
    return is_mixed or (len(values) >= FEWEST_TO_COMPARE and _with_units([row[0] for row in table.rows]) > 1)


def _without_headings(table: Table) -> Table:
    pairs = tuple(replace(cell, row=cell.row - table.header_rows) for cell in _below(table))
    return replace(table, anchors=pairs, header_rows=0, header_columns=1)


def _below(table: Table) -> Iterator[Cell]:
    return (cell for cell in table.anchors if cell.row >= table.header_rows)


def _names_subjects_on_top(table: Table, page_subject: str) -> bool:
    """Whether the headings over the columns are the subjects, and those at the left the attributes."""
    rows = table.rows
    body = [row[1:] for row in rows[table.header_rows :]]
    tops, sides = rows[table.header_rows - 1][1:], [row[0] for row in rows[table.header_rows :]]
    if not body or not tops or not all(side.strip() for side in sides):
        return False
    units = _with_units(sides) - _with_units(tops)
    if units:
        return units > 0
    if len(tops) == 1:
        return bool(page_subject) and name_key(tops[0]).in_any_order == name_key(page_subject).in_any_order
    if len(tops) < FEWEST_TO_COMPARE or len(set(map(text_key, tops))) < len(tops):
        return False
    return _alike(body) - _alike(list(zip(*body, strict=True))) > CLEARLY_ALIKE


def _with_units(headings: Sequence[str]) -> int:
    return sum(read_title(heading).unit is not None for heading in headings)


def _alike(lines: Sequence[Sequence[str]]) -> float:
    """How alike the values of each line are: the share of the commonest kind, the mean over all lines."""
    shares = []
    for line in lines:
        kinds = Counter(_kind(text) for text in line if text.strip())
        if kinds.total() > 1:
            shares.append(max(kinds.values()) / kinds.total())
    return sum(shares) / len(shares) if shares else 0.0


@lru_cache(maxsize=8192)
def _kind(text: str) -> str:
    """What a value is by itself: a number of a unit or currency, a date, one word for a yes, or some text."""
    kind = str(infer([text]))
    if kind != "text":
        return kind
    words = "".join(character for character in text if character.isalpha())
    return f"text {any(map(str.isdigit, text))} {text_key(words) if len(words) <= len('yes') else ''}"


def _turned(table: Table) -> Table:
    """The table with its subjects at the left and its attributes on top."""
    beside = replace(table, header_columns=max(table.header_columns, 1))
    return _with_roles(beside.transposed())


def _with_roles(table: Table) -> Table:
    """Cells below headings and right of names are data, whatever they were when the table stood the other way."""
    roles = tuple(
        replace(cell, role="data")
        if cell.row >= table.header_rows and cell.column >= table.header_columns and cell.role.endswith("header")
        else cell
        for cell in table.anchors
    )
    return replace(table, anchors=roles)
