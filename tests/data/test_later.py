"""Fields that are made when they are first asked for."""

import copy
import pickle
from dataclasses import replace

import pytest

from sightline.data import Content, ContentPart, Item, ItemList, Table, Value

ITEMS = (Item(Value("EOS 5D"), Value("EOS 5D")),)


def _late() -> tuple[ItemList, list[int]]:
    calls: list[int] = []
    return ItemList.made_later(lambda: (calls.append(1), {"items": ITEMS})[1], _count=1, caption="Cameras"), calls


def test_late_items_are_made_once_and_only_when_asked_for() -> None:
    """What is known at once does not make the items."""
    found, calls = _late()
    assert (len(found), found.k, found.caption, found.kind, repr(found)[:10], calls) == (
        *(1, 1, "Cameras", "items", "<ItemList "),
        [],
    )
    assert found.items is found.items is ITEMS
    assert calls == [1]


def test_late_items_equal_others_and_can_be_copied() -> None:
    """Nobody can tell that items were made later."""
    other = ItemList(ITEMS, caption="Cameras")
    assert _late()[0] == other
    assert hash(_late()[0]) == hash(other)
    assert replace(_late()[0], caption="") == replace(other, caption="")
    assert copy.copy(_late()[0]) == other
    assert pickle.loads(pickle.dumps(_late()[0])) == other


def test_late_table_makes_all_that_it_says_together() -> None:
    """Headings come with the cells; the constructor has its defaults all the same."""
    whole = Table.from_rows([["a"], ["1"]])
    late = Table.made_later(lambda: {name: getattr(whole, name) for name in Table.late_fields}, score=0.5)
    assert (late.score, late.header_rows, late.rows) == (0.5, 1, whole.rows)
    assert Table(()).header_rows == 0
    with pytest.raises(AttributeError, match="'Table' object has no attribute 'size'"):
        late.size  # type: ignore[attr-defined]  # noqa: B018


def test_late_fields_can_be_made_one_by_one() -> None:
    """What is asked for is made, and nothing else; with the last field goes what they were made of."""
    calls: list[str] = []
    fields = {"parts": (ContentPart(Value("Bees dance.")),), "title": Value("Bees"), "byline": None, "date": None}
    fields |= {"images": (), "comments": (), "authors": ()}

    def make(name: str) -> dict[str, object]:
        calls.append(name)
        return {name: fields[name]}

    late = Content.made_later({name: lambda name=name: make(name) for name in fields}, score=0.5)
    assert (late.title, late.score, calls) == (Value("Bees"), 0.5, ["title"])
    assert late.text == "Bees dance."
    assert calls == ["title", "parts"]
    assert "_later" in vars(late)
    assert (late.byline, late.authors, late.date, late.images, late.comments) == (None, (), None, (), ())
    assert "_later" not in vars(late)
    assert late.title is fields["title"]
