"""What each kind of result draws on the picture of its page."""

from sightline.data import (
    Cell,
    Content,
    ContentPart,
    Item,
    ItemList,
    Origin,
    Record,
    Records,
    Table,
    Value,
    result_marks,
)


def _value(x: float) -> Value:
    return Value("a", origin=Origin("p", (1,), (x, 0.0, x + 9, 9.0)))


def _record(x: float, y: float) -> Item:
    value = Value("a", origin=Origin("p", (1,), (x, y, x + 40, y + 10)))
    return Item(value, value)


def test_marks_of_records_frame_every_value() -> None:
    """One colour a field, also of nested ones, whichever record they are in; what was seen nowhere has no mark."""
    shop = Record({"price": _value(20), "tags": (_value(30), _value(40))})
    records = Records([Record({"name": _value(0), "shops": (shop, shop), "code": Value("b"), "size": None})] * 2)
    marks = records.marks()
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
    marks = Records([{f"field {n}": _value(n) for n in range(1, 9)}]).marks()
    assert [mark.badge for mark in marks] == [str(number) for number in range(1, 9)]
    assert marks[6].label == "7 · field 7"
    assert marks[6].kind == marks[0].kind


def test_marks_of_content_have_a_colour_for_each_kind() -> None:
    """Headings, texts, items, cells, quotations and code differ; what was seen nowhere has no mark."""
    kinds = ("h1", "h3", "p", "li", "td", "blockquote", "pre", "figcaption")
    parts = [ContentPart(Value("a", origin=Origin("p", (1,), (0.0, 0.0, 9.0, 9.0))), kind) for kind in kinds]
    marks = Content((*parts, ContentPart(Value("b")), ContentPart(Value("c", origin=Origin("p", (2,)))))).marks()
    assert [mark.label for mark in marks] == [
        *("heading", "heading", "text", "item", "cell", "quotation", "code", "caption")
    ]
    assert len({mark.kind for mark in marks}) == 7


def test_marks_of_tables_frame_each_and_colour_its_cells() -> None:
    """A cell is marked by its role where it was seen; holes and cells without a place are not."""
    seen = Value("a", origin=Origin("p", (1,), (0.0, 0.0, 10.0, 10.0)))
    cells = (
        Cell(0, 0, value=seen, role="column header"),
        Cell(1, 0, value=Value("b")),
        Cell(2, 0, value=seen, role="hole"),
        Cell(3, 0, value=Value("c", origin=Origin("p", (2,)))),
    )
    marks = result_marks([Table(cells, 1, box=(0.0, 0.0, 20.0, 20.0)), Table(cells[1:2])])
    assert [(mark.kind, mark.hollow) for mark in marks] == [("frame", True), ("column header", False)]


def test_marks_of_lists_frame_each_and_its_records() -> None:
    """A numbered frame in a colour of its own, thin ones around the records; menus share a colour, without records."""
    items = (_record(0, 0), _record(0, 20), Item(Value("seen nowhere"), Value("seen nowhere")))
    lists = [
        ItemList(items, caption="Cameras\n and  lenses", box=(0.0, 0.0, 40.0, 30.0)),
        ItemList(items, caption="A name that " + "goes on " * 9, box=(0.0, 50.0, 40.0, 80.0)),
        ItemList(items, kind="navigation", caption="Menu", box=(0.0, 90.0, 40.0, 99.0)),
        ItemList(items[2:]),
    ]
    marks = result_marks(lists)
    assert all(mark.hollow for mark in marks)
    assert [(mark.kind, mark.badge, mark.thin) for mark in marks] == [
        *[("series 1", "1", False), ("series 1", "", True), ("series 1", "", True)],
        *[("series 2", "2", False), ("series 2", "", True), ("series 2", "", True)],
        ("navigation", "3", False),
    ]
    assert {mark.label for mark in marks[:3]} == {"1 · Cameras and lenses"}
    assert len(marks[3].label) <= 45
    assert marks[3].label.endswith("…")


def test_colours_of_lists_begin_again_when_there_are_many() -> None:
    """The number tells apart what the colour does not."""
    marks = result_marks([ItemList((), box=(0.0, 0.0, 9.0, 9.0))] * 8)
    assert [mark.badge for mark in marks] == [str(number) for number in range(1, 9)]
    assert len({mark.kind for mark in marks[:6]}) == 6
    assert marks[6].kind == marks[0].kind
