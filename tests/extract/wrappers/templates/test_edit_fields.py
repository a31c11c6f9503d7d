"""Mending a wrapper: fields renamed, dropped, restored, merged and split, and what a record is."""

import pytest

import sightline as sl
from sightline.errors import UsageError

from ..._templates import FOOT, learned, lenses, listed, listing, opened, product, read, rules_of


@pytest.fixture(scope="module")
def shop() -> sl.Wrapper:
    """A wrapper for pages about one thing, with values in a list."""

    def page(number: int) -> str:
        parts = listed(*(f"Part {number}{own}" for own in range(1 + number % 3)))
        return product(number, more=f"<h2>Parts</h2>{parts}")

    return sl.Wrapper.loads(learned(map(page, range(6))).dumps())


@pytest.fixture(scope="module")
def lists() -> sl.Wrapper:
    """A wrapper for lists, whose items are the records of a set called `lenses`."""
    wrapper = learned(listing(number, 3 + number) for number in range(4))
    return sl.Wrapper.loads(wrapper.rename(rules_of(wrapper).each[0], "lenses").dumps())


PAGE = product(9, more=f"<h2>Parts</h2>{listed('a', 'b')}")
SAID = {"title": "Camera 9", "Price": "99 €", "Weight": "950 g", "Parts": ["a", "b"]}


def _values(wrapper: sl.Wrapper, body: str = PAGE) -> dict[str, object]:
    (record,) = wrapper.read(opened(body)[0]).records.to_dicts()
    return record


def test_the_shop_is_read(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """Before anything is mended the values are where they should be."""
    assert _values(shop) == SAID
    assert read(lists, listing(9, 3)) == lenses(9, 3)


# ------------------------------------------------------------------ rename


def test_a_field_is_renamed(shop: sl.Wrapper) -> None:
    """Its values come under the new name, in the same place."""
    wrapper = shop.rename("Price", "cost")
    assert wrapper.fields == ["cost" if name == "Price" else name for name in shop.fields]
    assert _values(wrapper) == {"cost" if name == "Price" else name: value for name, value in SAID.items()}


def test_a_set_of_values_is_renamed(shop: sl.Wrapper) -> None:
    """The set and its values have one name."""
    assert _values(shop.rename("Parts", "pieces"))["pieces"] == ["a", "b"]


def test_a_field_of_a_set_is_renamed(lists: sl.Wrapper) -> None:
    """It is named with its set, and the new name stands alone."""
    wrapper = lists.rename("lenses.title", "lens")
    assert "lenses.lens" in wrapper.fields
    assert [own["lens"] for own in read(wrapper, listing(9, 3))] == ["Lens 9-0", "Lens 9-1", "Lens 9-2"]


def test_the_set_of_records_is_renamed(lists: sl.Wrapper) -> None:
    """The items of the set are still the records."""
    wrapper = lists.rename("lenses", "products")
    assert rules_of(wrapper).each == ("products",)
    assert read(wrapper, listing(9, 3)) == lenses(9, 3)


def test_renaming_back_is_the_same_wrapper(shop: sl.Wrapper) -> None:
    """A name and its old name leave no trace."""
    assert shop.rename("Price", "cost").rename("cost", "Price").dumps() == shop.dumps()
    assert shop.rename("Price", "Price").dumps() == shop.dumps()


@pytest.mark.parametrize("name", ["", "  ", "a.b", "."])
def test_some_names_cannot_be(shop: sl.Wrapper, name: str) -> None:
    """A name is not empty and has no point in it."""
    with pytest.raises(UsageError, match="cannot be the name of a field"):
        shop.rename("Price", name)


def test_a_name_that_is_taken_is_refused(shop: sl.Wrapper) -> None:
    """Two fields of one name would be one field."""
    with pytest.raises(UsageError, match="There is already a field 'Weight'; merge the two"):
        shop.rename("Price", "Weight")


@pytest.mark.parametrize(
    ("name", "meant"), [("Prise", "Price"), ("Wieght", "Weight"), ("tittle", "title"), ("Part", "Parts")]
)
@pytest.mark.parametrize("how", ["rename", "drop", "restore", "split", "merge"])
def test_a_misspelt_name_is_refused_with_a_suggestion(shop: sl.Wrapper, how: str, name: str, meant: str) -> None:
    """Every way of mending says which name was meant."""
    others = {"rename": ("x",), "merge": ("Price" if meant != "Price" else "Weight",)}.get(how, ())
    with pytest.raises(UsageError, match=f"^There is no field '{name}'; did you mean '{meant}'\\?$"):
        getattr(shop, how)(name, *others)


def test_a_name_like_no_other_lists_the_fields(shop: sl.Wrapper) -> None:
    """Where nothing is near, all fields are told."""
    with pytest.raises(UsageError, match="the fields are title, Price, Weight"):
        shop.drop("xyzzy")


# ------------------------------------------------------------------ drop and restore


@pytest.mark.parametrize("name", ["Price", "title", "Parts"])
def test_a_dropped_field_is_not_handed_out(shop: sl.Wrapper, name: str) -> None:
    """It is gone from the fields, the schema and the records; all else is read as before."""
    wrapper = shop.drop(name)
    assert name not in wrapper.fields
    assert f"{name}:" not in str(wrapper.schema)
    assert _values(wrapper) == {own: value for own, value in SAID.items() if own != name}


def test_a_field_of_a_set_is_dropped(lists: sl.Wrapper) -> None:
    """Its records are without it."""
    wrapper = lists.drop("lenses.price")
    found = wrapper.read(opened(listing(9, 2))[0]).records.to_dicts()
    assert found == [{"title": "Lens 9-0", "stock": None}, {"title": "Lens 9-1", "stock": "1 left"}]


@pytest.mark.parametrize("name", ["Price", "title", "Parts"])
def test_a_dropped_field_can_be_restored(shop: sl.Wrapper, name: str) -> None:
    """What was dropped is still known, even from the file."""
    assert shop.drop(name).restore(name).dumps() == shop.dumps()
    assert _values(sl.Wrapper.loads(shop.drop(name).dumps()).restore(name)) == SAID


# ------------------------------------------------------------------ merge and split


def _either(number: int) -> str:
    """A page with a price in one of two places."""
    price = f"<p class=sale>{number}5 €</p>" if number % 2 else f"<i class=regular>{number}9 €</i>"
    return f"<h1>Thing {number}</h1><div>{price}<b class=code>No. A{number}</b></div>{FOOT}"


def test_alternatives_are_merged() -> None:
    """Whichever of two places a page has, its value is the one field."""
    wrapper = sl.Wrapper.loads(learned(map(_either, range(6))).dumps())
    merged = wrapper.merge("sale", "regular", into="price")
    assert [name for name in merged.fields if name in ("sale", "regular", "price")] == ["price"]
    assert [_values(merged, _either(number))["price"] for number in (8, 9)] == ["89 €", "95 €"]


def test_both_values_of_merged_fields_are_kept(shop: sl.Wrapper) -> None:
    """A page that has both gives both, in the order of the page."""
    wrapper = shop.merge("Price", "Weight", into="fact")
    assert _values(wrapper) == {"title": "Camera 9", "fact": ["99 €", "950 g"], "Parts": ["a", "b"]}


def test_merged_fields_have_the_name_of_the_first(shop: sl.Wrapper) -> None:
    """Without a new name the first one stays."""
    assert shop.merge("Price", "Weight").fields == shop.merge("Price", "Weight", into="Price").fields


def test_merged_fields_are_split_again(shop: sl.Wrapper) -> None:
    """The alternatives are numbered in their order."""
    wrapper = shop.merge("Price", "Weight", into="fact").split("fact")
    assert _values(wrapper) == {"title": "Camera 9", "fact": "99 €", "fact 2": "950 g", "Parts": ["a", "b"]}


def test_one_place_cannot_be_split(shop: sl.Wrapper) -> None:
    """A field that stands in one place has no alternatives."""
    with pytest.raises(UsageError, match="'Price' is in one place only"):
        shop.split("Price")


def test_one_field_cannot_be_merged(shop: sl.Wrapper) -> None:
    """Merging takes two."""
    with pytest.raises(UsageError, match="at least two fields"):
        shop.merge("Price")


def test_nothing_cannot_be_merged(shop: sl.Wrapper) -> None:
    """Neither can no field at all."""
    with pytest.raises(UsageError, match="at least two fields"):
        shop.merge()


def test_fields_of_different_records_cannot_be_merged(lists: sl.Wrapper) -> None:
    """A field of the page and one of its items are not one field."""
    with pytest.raises(UsageError, match="different records"):
        lists.merge("lenses", "lenses.price")


def test_a_merged_name_may_not_be_that_of_a_third(shop: sl.Wrapper) -> None:
    """What is merged does not swallow another field."""
    with pytest.raises(UsageError, match="There is already a field 'title'"):
        shop.merge("Price", "Weight", into="title")


# ------------------------------------------------------------------ what a record is


def test_a_page_can_be_one_record(lists: sl.Wrapper) -> None:
    """With None the page is the record, and its items are a field."""
    wrapper = lists.records_of(None)
    (record,) = read(wrapper, listing(9, 2))
    assert record["lenses"] == lenses(9, 2)
    assert read(wrapper.records_of("lenses"), listing(9, 2)) == lenses(9, 2)


def test_only_sets_have_records(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """The error lists the sets that there are."""
    with pytest.raises(UsageError, match=r"There is no set 'Price' on these pages; the sets are .*Parts"):
        shop.records_of("Price")
    with pytest.raises(UsageError, match=r"There is no set 'lense' on these pages; the sets are lenses\."):
        lists.records_of("lense")


# ------------------------------------------------------------------ sets in sets


def _shoes(number: int, counts: tuple[int, ...]) -> str:
    """A page of shoes with the sizes that there are of each."""
    shoes = []
    for place, count in enumerate(counts):
        sizes = (f"<i>Size {number}{place}{own}</i> <u>{own} left</u>" for own in range(count))
        shoes.append(f"<b>Shoe {number}{place}</b>{listed(*sizes)}")
    return f"<h1>Shoes {number}</h1><p class=maker>Firm {number}</p>{listed(*shoes)}{FOOT}"


def test_a_set_is_dropped_with_the_sets_in_it() -> None:
    """What is left is read and exported, whether the outer set goes or the one in it."""
    wrapper = learned(_shoes(number, counts) for number, counts in enumerate([(1, 2), (3,), (2, 1, 4), (2, 2)]))
    (name,) = rules_of(wrapper).each
    inner = max(wrapper.fields, key=lambda own: own.count(".")).rpartition(".")[0]
    (page,) = opened(_shoes(9, (1, 3)))
    whole = wrapper.records_of(None).drop(name)
    assert whole.fields == ["title", "maker"]
    assert whole.extract(page).to_csv().splitlines() == ["title,maker", "Shoes 9,Firm 9"]
    assert wrapper.drop(inner).extract(page).to_csv().splitlines()[1:] == ["Shoe 90", "Shoe 91"]
    assert wrapper.drop(inner).restore(inner).dumps() == wrapper.dumps()
