"""The array that gives the records of a page is found among much else, by values, and in little time."""

from itertools import repeat
from typing import Any

from sightline.data import Record, Records, Value
from sightline.extract.behind import ArrayMatch, DataDocument, documents_behind, match_rows, shown_rows
from sightline.page import PageAnswer, PageRequest
from sightline.testing import element, page_of


def answer(data: Any, url: str = "https://a.example/api") -> DataDocument:
    """A document that a page has fetched."""
    return DataDocument(PageAnswer(PageRequest(url), data), data)


def rows(count: int) -> Records:
    """Records as a page shows them."""
    return Records(
        [
            Record({"title": f"Lens {n}", "price": f"€{n * 3}.50", "kind": ("prime", "zoom")[n % 2]})
            for n in range(count)
        ]
    )


def items(count: int) -> list[dict[str, Any]]:
    """The same as a program knows them."""
    return [
        {"id": 900 + n, "name": f"Lens {n}", "price": n * 3 + 0.5, "kind": ("prime", "zoom")[n % 2]}
        for n in range(count)
    ]


def match(records: Records, *documents: DataDocument) -> ArrayMatch | None:
    """The array that gives some records."""
    return match_rows([shown_rows(records)], documents)[0]


def test_the_array_and_its_keys_are_found_among_others() -> None:
    """However deep it is, and whatever stands beside it; a menu with the same words is another array."""
    data = {"menu": [{"t": f"Lens {n}"} for n in range(3)], "data": {"hits": [{"node": one} for one in items(9)]}}
    found = match(rows(9), answer({"other": [1, 2, 3]}), answer(data))
    assert found is not None
    assert (found.path, found.length, found.in_order, found.missing) == (("data", "hits"), 9, True, ())
    assert {name: one.told for name, one in found.fields.items()} == {
        "title": "{node.name}",
        "price": "€{node.price}",
        "kind": "{node.kind}",
    }
    assert found.share == 1


def test_records_in_another_order_and_objects_by_their_keys() -> None:
    """Stores of applications keep records by number, and pages sort them."""
    data = {"byId": {str(one["id"]): one for one in reversed(items(9))}}
    found = match(rows(9), answer(data))
    assert found is not None
    assert found.path == ("byId",)
    assert found.places == tuple(range(8, -1, -1))
    assert not found.in_order
    assert found.rules is not None


def test_a_field_that_is_written_otherwise_is_told_but_has_no_rule() -> None:
    """The day is the same, and what a page makes of its hours nobody knows."""
    texts = ["5 March 2024", "17 May 2023", "2 June 2024"]
    records = Records(
        [Record({"title": f"Talk {n}", "day": Value(text), "room": f"R{n * 17}"}) for n, text in enumerate(texts)]
    ).typed()
    days = ["2024-03-05T19:30:00Z", "2023-05-17T09:00:00Z", "2024-06-02T08:00:00Z"]
    found = match(records, answer([{"t": f"Talk {n}", "at": day} for n, day in enumerate(days)]))
    assert found is not None
    assert (found.fields["day"].path, found.fields["day"].rule, found.missing) == (("at",), None, ("room",))
    assert found.rules is None
    assert 0.6 < found.share < 0.7


def test_states_of_the_page_count_as_well() -> None:
    """Each by its name, and by its number where several share one."""
    script = element("script", "window.shop = {list: [1, 2]}; window.shop = {list: [3]}")
    found = documents_behind(page_of(element("body", script)))
    assert [one.told for one in found] == ["window.shop in the page", "window.shop 2 in the page"]


def test_nothing_is_made_up_where_nothing_fits() -> None:
    """No document, none that fits, and records without a text."""
    assert match(rows(5)) is None
    assert match(rows(5), answer([{"name": "Boat"}, {"name": "Ship"}])) is None
    assert match(Records([Record({"title": None})]), answer(items(3))) is None


def test_hostile_documents_cost_little() -> None:
    """Deep, wide, endless and repeated ones, hundreds of them, and texts that are all the same."""
    deep: Any = "Lens 1"
    for _ in repeat(None, 900):
        deep = [deep]
    same = [{"name": "Lens 1"}] * 50_000
    shared: list[Any] = items(9)
    for _ in repeat(None, 20):  # each level twice: a million values, if they were all looked at
        shared = [shared, shared]
    documents = [answer(deep), answer(same), answer(shared), *map(answer, [{"a": [{"b": n}]} for n in range(500)])]
    found = match(rows(9), *documents, answer({"items": items(9)}))
    assert found is None or found.path[-1:] == ("items",) or found.length == 9


def test_large_lists_are_matched_in_one_pass() -> None:
    """Some thousand records and a document with some ten thousand values."""
    found = match(rows(3_000), answer({"items": items(3_000)}))
    assert found is not None
    assert found.in_order
    assert found.share == 1
