"""Items and lists of them: the JSON contract, records, tables, exports."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from sightline.data import Item, ItemList, Origin, Record, Value

BOX = (1.0, 2.0, 30.0, 40.0)


def _value(text: str, node: int = 7) -> Value:
    return Value(text, origin=Origin("page", (node,), BOX))


def _item(name: str, price: str, day: str, rank: int | None = None) -> Item:
    return Item(
        title=_value(name, 3),
        text=_value(f"{name}\n{price}\n{day}", 2),
        image=_value(f"https://x.example/{name}.png", 5),
        link=_value(f"https://x.example/{name}", 4),
        rank=rank,
        components=Record({"title": _value(name, 3), "price": _value(price, 6), "since": _value(day, 8)}),
    )


CAMERAS = ItemList(
    (_item("Arden", "$1,200.00", "2024-03-14", 1), _item("Norda", "$850.50", "2023-11-02", 2)),
    promised=3,
    caption="Cameras",
    box=BOX,
    score=0.75,
    language="en",
    evidence=(("records", 1.5),),
)


def test_a_list_is_a_sequence_of_its_items() -> None:
    """Length, order, and one by its place."""
    assert len(CAMERAS) == 2
    assert [item.title.text for item in CAMERAS] == ["Arden", "Norda"]
    assert CAMERAS[1].title.text == "Norda"
    with pytest.raises(IndexError):
        CAMERAS[2]


def test_k_is_what_was_promised_or_what_there_is() -> None:
    """A list that should have three items says so; one that nobody promised has as many as it has."""
    assert CAMERAS.k == 3
    assert replace(CAMERAS, promised=None).k == 2
    assert ItemList(()).k == 0


def test_json_has_the_names_of_the_contract() -> None:
    """The keys of a list, and of its items, in their order."""
    document = CAMERAS.to_json()
    assert list(document) == ["k", "items", "box", "score", "kind", "caption"]
    assert document["items"][0] == {
        "title": "Arden",
        "text": "Arden\n$1,200.00\n2024-03-14",
        "image": "https://x.example/Arden.png",
        "link": "https://x.example/Arden",
        "rank": 1,
        "components": {"title": "Arden", "price": "$1,200.00", "since": "2024-03-14"},
    }
    assert (document["k"], document["box"], document["score"]) == (3, [1.0, 2.0, 30.0, 40.0], 0.75)
    assert (document["kind"], document["caption"]) == ("items", "Cameras")
    assert json.loads(json.dumps(document)) == document


def test_json_has_null_for_what_is_not_there() -> None:
    """An item may have no picture, link, number or parts; a list no box and no name."""
    document = ItemList((Item(Value("a"), Value("a")),)).to_json()
    assert document == {
        "k": 1,
        "items": [{"title": "a", "text": "a", "image": None, "link": None, "rank": None, "components": {}}],
        "box": None,
        "score": 1.0,
        "kind": "items",
        "caption": None,
    }


def test_json_with_origins_tells_where_everything_was_seen() -> None:
    """Each part has text, value, XPath and box; the item, its title, picture and link have their places."""
    item = CAMERAS.to_json(origins=True, xpath=lambda origin: f"/p[{origin.nodes[0]}]")["items"][0]
    assert item["components"]["price"] == {
        "text": "$1,200.00",
        "value": 1200.0,
        "xpath": "/p[6]",
        "box": [1.0, 2.0, 30.0, 40.0],
    }
    assert {name: place["xpath"] for name, place in item["origins"].items()} == {
        "item": "/p[2]",
        "title": "/p[3]",
        "image": "/p[5]",
        "link": "/p[4]",
    }


def test_json_names_the_origins_of_what_there_is() -> None:
    """No picture, no place of one."""
    item = Item(_value("a"), _value("a")).to_json(origins=True)
    assert list(item["origins"]) == ["item", "title"]


def test_json_tells_evidence_when_asked() -> None:
    """The parts of the score are beside the contract."""
    assert CAMERAS.to_json(evidence=True)["evidence"] == {"records": 1.5}
    assert "evidence" not in CAMERAS.to_json()


def test_evidence_makes_no_difference() -> None:
    """Two lists of the same items are equal, however they were judged."""
    assert replace(CAMERAS, evidence=()) == CAMERAS
    assert replace(CAMERAS, score=0.5) != CAMERAS


def test_a_record_has_the_title_first_and_addresses_last() -> None:
    """The rank is behind the title; the parts stand between them and the addresses, in their order."""
    assert list(CAMERAS[0].record) == ["title", "rank", "price", "since", "link", "image"]
    assert CAMERAS[0].record.text("rank") == "1"


def test_an_item_without_parts_has_its_title_and_text() -> None:
    """No item is an empty record."""
    assert Item(Value("a"), Value("a b")).record.to_dict() == {
        "rank": None,
        "title": "a",
        "text": "a b",
        "link": None,
        "image": None,
    }


def test_records_are_typed() -> None:
    """Money is a decimal number, a day a day, whatever the page wrote."""
    first, second = CAMERAS.records()
    price, since, rank = first["price"], second["since"], second["rank"]
    assert isinstance(price, Value)
    assert isinstance(since, Value)
    assert isinstance(rank, Value)
    assert price.value == Decimal("1200.00")
    assert str(since.value) == "2023-11-02"
    assert rank.value == 2
    assert price.origin == Origin("page", (6,), BOX)


def test_records_leave_out_what_no_item_has() -> None:
    """Columns of nothing are not handed out."""
    bare = ItemList(tuple(replace(item, rank=None, image=None) for item in CAMERAS))
    assert [list(record) for record in bare.records()] == [["title", "price", "since", "link"]] * 2


def test_records_of_different_items_have_the_same_names() -> None:
    """What one item lacks is None in its record."""
    short = Item(Value("x"), Value("x"), components=Record({"title": "x", "colour": "red"}))
    records = ItemList((CAMERAS[0], short)).records()
    assert {tuple(record) for record in records} == {("title", "rank", "price", "since", "colour", "link", "image")}
    assert records[1].text("price") is None
    assert records[0].text("colour") is None


def test_a_table_of_a_list_has_a_row_for_each_item() -> None:
    """Names above, texts below."""
    assert CAMERAS.to_table().rows == [
        ["title", "rank", "price", "since", "link", "image"],
        ["Arden", "1", "$1,200.00", "2024-03-14", "https://x.example/Arden", "https://x.example/Arden.png"],
        ["Norda", "2", "$850.50", "2023-11-02", "https://x.example/Norda", "https://x.example/Norda.png"],
    ]


def test_columns_know_their_types() -> None:
    """The parts of all items together decide what each is."""
    types = {column.name: str(column.type) for column in CAMERAS.columns}
    assert types["price"] == "money USD"
    assert types["since"] == "date"


def test_parts_of_several_texts_stay_together() -> None:
    """A part may be a list of texts."""
    item = Item(Value("a"), Value("a x y"), components=Record({"title": "a", "tags": ["x", "y"]}))
    assert item.to_json()["components"] == {"title": "a", "tags": ["x", "y"]}
    assert ItemList((item, item)).to_csv()


def test_lists_are_exported_as_their_records() -> None:
    """CSV, JSON lines, XML and HTML hold every item and every name."""
    lines = CAMERAS.to_csv().splitlines()
    assert lines[0].lstrip("\ufeff").split(",")[:4] == ["title", "rank", "price", "since"]
    assert len(lines) == 3
    documents = [json.loads(line) for line in CAMERAS.to_jsonl().splitlines()]
    assert [document["title"] for document in documents] == ["Arden", "Norda"]
    for text in (CAMERAS.to_xml(), CAMERAS.to_html()):
        assert "Arden" in text
        assert "Norda" in text


def test_exports_never_run_what_a_page_said() -> None:
    """Markup in a text is text."""
    item = Item(Value("<script>"), Value("<script>"))
    assert "<script>" not in ItemList((item,)).to_html()


def test_an_empty_list_can_be_exported() -> None:
    """Nothing is a list of nothing."""
    empty = ItemList(())
    assert len(empty.records()) == 0
    assert empty.to_json()["items"] == []
    assert isinstance(empty.to_csv(), str)
