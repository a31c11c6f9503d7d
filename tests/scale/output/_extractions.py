"""Extractions of all kinds, made at random: nested records that follow no schema, tables, lists and texts."""

from hypothesis import strategies as st

from sightline.data import Content, ContentPart, Extraction, Item, ItemList, Origin, Record, Records, Table, Value

# Half characters, zeros and quotes are what pages have and formats stumble over.
TEXTS = st.text(st.sampled_from("ab \0\ud800\udfffé€\"'\n{}"), max_size=6)
NAMES = st.sampled_from(["name", "Name", "_row", "a.b", "a", "b", "text", "tags", "\ud800"])
ORIGINS = st.none() | st.builds(
    Origin,
    st.just("3f2a"),
    st.tuples(st.integers(0, 99)),
    st.none() | st.just((0.0, 1.0, 2.0, 3.0)),
    st.integers(1, 2),
    TEXTS,
)
VALUES = st.builds(Value, TEXTS, origin=ORIGINS)


def _nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=3).map(tuple) | st.dictionaries(NAMES, inner, max_size=3).map(Record)


FIELDS = st.recursive(st.none() | VALUES, _nested, max_leaves=6)
RECORDS = st.dictionaries(NAMES, FIELDS, max_size=5).map(Record)
TABLES = st.lists(st.lists(st.none() | TEXTS, min_size=2, max_size=2), min_size=1, max_size=4).flatmap(
    lambda rows: st.integers(0, len(rows)).map(lambda heads: Table.from_rows(rows, header_rows=heads))
)
RANKS = st.none() | st.sampled_from([3, 2**63, -(10**30)])
ITEMS = st.builds(Item, VALUES, VALUES, st.none() | VALUES, st.none() | VALUES, RANKS, RECORDS)
LISTS = st.builds(ItemList, st.lists(ITEMS, max_size=3).map(tuple), caption=st.none() | TEXTS)
PARTS = st.builds(ContentPart, VALUES)
CONTENTS = st.builds(
    Content, st.lists(PARTS, max_size=3).map(tuple), st.none() | VALUES, st.none() | VALUES, st.none() | VALUES
)


def _found(kind: str, results: st.SearchStrategy[object]) -> st.SearchStrategy[Extraction]:
    return st.lists(results, max_size=2).map(lambda some: Extraction(kind, tuple(some)))


OTHERS = st.one_of(_found("tables", TABLES), _found("lists", LISTS), _found("content", CONTENTS))
"""What extractors find that are no wrappers."""


def records_of(records: list[Record]) -> Extraction:
    """What a wrapper finds."""
    return Extraction("records", (Records(records),))
