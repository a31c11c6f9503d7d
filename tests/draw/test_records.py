"""What a wrapper reads, as marks on the picture of a page."""

from typing import NamedTuple

from sightline.data import Origin, Record, Value
from sightline.draw import marks_of_explained, marks_of_records
from sightline.draw._picture import COLOURS
from sightline.geometry import Box


class _Text(NamedTuple):
    box: Box | None
    role: str


def _value(x: float) -> Value:
    return Value("a", origin=Origin("p", (1,), (x, 0.0, x + 9, 9.0)))


def test_marks_of_records_frame_every_value() -> None:
    """One colour a field, also of nested ones, whichever record they are in; what was seen nowhere has no mark."""
    shop = Record({"price": _value(20), "tags": (_value(30), _value(40))})
    records = [Record({"name": _value(0), "shops": (shop, shop), "code": Value("b"), "size": None})] * 2
    marks = marks_of_records(records)
    assert [mark.label for mark in marks[:7]] == ["name", *["shops.price", "shops.tags", "shops.tags"] * 2]
    assert marks[7:] == marks[:7]
    assert {mark.label: mark.kind for mark in marks} == {
        "name": "series 1",
        "shops.price": "series 2",
        "shops.tags": "series 3",
    }
    assert all(mark.hollow and not mark.badge for mark in marks)


def test_marks_of_records_are_numbered_where_colours_run_out() -> None:
    """The number on the value and in the legend tells apart what the colour does not."""
    marks = marks_of_records([Record({f"field {n}": _value(n) for n in range(1, 9)})])
    assert [mark.badge for mark in marks] == [str(number) for number in range(1, 9)]
    assert marks[6].label == "7 · field 7"
    assert marks[6].kind == marks[0].kind


def test_marks_of_explained_have_a_colour_for_each_role() -> None:
    """What calls for attention is drawn above the rest; what has no place has no mark."""
    roles = ("unknown", "field", "template", "changed", "dropped")
    texts = [_Text((0.0, 0.0, 9.0, 9.0), role) for role in roles]
    marks = marks_of_explained([*texts, _Text(None, "field")])
    assert [mark.kind for mark in marks] == ["template", "field", "dropped", "changed", "unknown"]
    assert len({COLOURS[mark.kind] for mark in marks}) == 5
