"""Records of several pages as one."""

from sightline.data import Basic, ColumnType, Disjunction, Option, Records, SetOf, TupleOf, join_records

NUMBER = Basic(ColumnType(kind="number"))
TEXT = Basic()


def _records(record: dict[str, object], **fields: Basic | Option | SetOf | TupleOf | Disjunction) -> Records:
    return Records([record], TupleOf(tuple(fields.items())))


def test_join_keeps_one_schema_as_it_is() -> None:
    """Pages of one template need no compromise, and the records come in their order."""
    parts = [_records({"a": text}, a=NUMBER, b=Option(TEXT)) for text in "12"]
    joined = join_records(parts)
    assert joined.schema == parts[0].schema
    assert [record.text("a") for record in joined] == ["1", "2"]
    assert joined.to_csv() == "a,b\r\n1,\r\n2,\r\n"


def test_join_of_nothing_is_nothing() -> None:
    """No page, no record, no column."""
    assert (len(join_records([])), join_records([]).columns) == (0, ())


def test_join_has_a_place_for_everything() -> None:
    """What some lack is optional, what differs is a choice, and what is nested is joined inside."""
    one = _records(
        {"a": "1", "b": ["x"], "c": [{"d": "1"}]}, a=NUMBER, b=SetOf(TEXT), c=SetOf(TupleOf((("d", NUMBER),)))
    )
    two = _records({"a": "x", "b": "y", "c": [{"e": "2"}]}, a=TEXT, b=TEXT, c=SetOf(TupleOf((("e", TEXT),))))
    three = _records({"f": "z"}, f=Option(TEXT))
    joined = join_records([one, two, three])
    assert str(joined.schema) == "(a: [number | text]?, b: [text | {text}]?, c: {(d: number?, e: text?)}?, f: text?)"
    assert [record["f"] for record in joined.to_dicts()] == [None, None, "z"]
    assert join_records([joined, one]).schema == joined.schema


def test_join_keeps_the_language_that_all_have() -> None:
    """Pages of two languages have none in common."""
    german, french = Records([{"a": "1"}], language="de"), Records([{"a": "1"}], language="fr")
    assert join_records([german, german]).language == "de"
    assert join_records([german, french]).language is None
