"""Wrappers that were taught: what they read, how they judge it, and how they are mended, explained and kept."""

import json
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers import Lesson, Patterns
from sightline.page import Page

from ..._templates import listed, opened, table


def camera(name: str = "EOS 5D", price: str = "$500", weight: str = "950 g", more: str = "") -> str:
    """A page about one camera."""
    return (
        f"<header class=top><a href=/>Home</a></header><main class=shop><h1 class=name>{name}</h1>"
        f"<p class=line><b>Price:</b> <span class=price>{price}</span></p>"
        f"<p class=line><b>Weight:</b> <span class=weight>{weight}</span></p>{more}</main><footer>Imprint</footer>"
    )


def catalogue(*numbers: int) -> str:
    """A page with several."""
    return "<h1>Shop</h1>" + listed(*(f"<b class=name>Cam {own}</b><i class=price>${own}0</i>" for own in numbers))


def _page(body: str) -> Page:
    return opened(body)[0]


@pytest.fixture(scope="module")
def shop() -> sl.Wrapper:
    """A wrapper taught on two pages about one camera each."""
    lesson = Lesson()
    for name, price, weight in (("EOS 5D", "$500", "950 g"), ("D850", "$700", "900 g")):
        lesson.on(_page(camera(name, price, weight))).want("name", name).want("price", price).want("weight", weight)
    return sl.Wrapper.loads(lesson.wrapper.dumps())


@pytest.fixture(scope="module")
def lists() -> sl.Wrapper:
    """A wrapper for lists of cameras."""
    shown = [{"name": "Cam 1", "price": "$10"}, {"name": "Cam 2", "price": "$20"}]
    return sl.Wrapper.loads(Lesson().show(_page(catalogue(1, 2, 3, 4)), records=shown).wrapper.dumps())


SAID = {"name": "K-1", "price": "$600", "weight": "925 g"}
PAGE = camera(*SAID.values())


def _values(wrapper: sl.Wrapper, body: str = PAGE) -> dict[str, Any]:
    (record,) = wrapper.read(_page(body)).records.to_dicts()
    return record


def _read(wrapper: sl.Wrapper, body: str) -> tuple[str, str]:
    """The verdict on a page, and the reasons in one text."""
    found = wrapper.read(_page(body))
    return found.verdict, " | ".join(own.what for own in found.problems)


# ------------------------------------------------------------------ reading


def test_a_further_page_is_read(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """What was taught is found on pages that nobody taught."""
    assert _values(shop) == SAID
    assert lists.extract(_page(catalogue(7, 8))).to_dicts() == [
        {"name": "Cam 7", "price": "$70"},
        {"name": "Cam 8", "price": "$80"},
    ]


def test_values_tell_where_they_stand(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """The text at the origin of a value is the value."""
    for wrapper, page in ((shop, _page(PAGE)), (lists, _page(catalogue(7, 8, 9)))):
        values = [value for record in wrapper.extract(page) for value in record.values()]
        assert values
        for value in values:
            assert value.origin.page == page.whole_id
            assert " ".join(page.text_of(value.origin.nodes[0]).split()) == value.text


def test_values_are_typed(shop: sl.Wrapper) -> None:
    """A price is money, in the schema and in the profile."""
    assert str(shop.schema).startswith("(name: text, price: money")
    assert shop.profile.of("price").type.kind == "money"  # type: ignore[union-attr]


def test_a_page_is_not_changed_by_reading(shop: sl.Wrapper) -> None:
    """The same page gives the same twice."""
    page = _page(PAGE)
    assert shop.extract(page).to_dicts() == shop.extract(page).to_dicts()


# ------------------------------------------------------------------ verdicts


def test_pages_like_the_taught_ones_are_ok(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """There is nothing to doubt."""
    for body in (camera(), camera("D850", "$700", "900 g"), PAGE):
        assert _read(shop, body) == ("ok", "")
    assert _read(lists, catalogue(1, 2, 3, 4)) == ("ok", "")
    assert _read(lists, catalogue(5, 6, 7)) == ("ok", "")


def test_a_missing_field_is_told(shop: sl.Wrapper) -> None:
    """Where a page is built otherwise and a field is not found, both are told."""
    weight = "<p><b>Weight:</b> <span class=weight>925 g</span></p>"
    body = f"<main><h1 class=name>K-1</h1><p class=cost>$600</p>{weight}</main>"
    verdict, why = _read(shop, body)
    assert verdict == "suspicious"
    assert "price" in why
    assert "missing" in why


def test_another_type_is_told(shop: sl.Wrapper) -> None:
    """“Sold out” is no price."""
    verdict, why = _read(shop, camera("K-1", "Sold out"))
    assert verdict == "suspicious"
    assert "Sold out" in why
    assert "price" in why


@pytest.mark.parametrize("price", ["$5,000,000", "-$20"])
def test_a_number_far_from_all_others_is_told(shop: sl.Wrapper, price: str) -> None:
    """Neither a price of millions nor one below nothing is like those that were taught."""
    verdict, why = _read(shop, camera("K-1", price))
    assert verdict == "suspicious"
    assert "price" in why


@pytest.mark.parametrize("price", ["$50", "$4,999"])
def test_a_number_not_too_far_is_ok(shop: sl.Wrapper, price: str) -> None:
    """Prices differ."""
    assert _read(shop, camera("K-1", price)) == ("ok", "")


def test_a_page_that_is_built_otherwise_is_told(shop: sl.Wrapper) -> None:
    """Even if all fields are found on it."""
    rows = (("Price:", "<u class=price>$600</u>"), ("Weight:", "<u class=weight>925 g</u>"))
    body = f"<h1 class=name>K-1</h1>{table(rows)}"
    assert _values(shop, body) == SAID
    verdict, why = _read(shop, body)
    assert verdict == "suspicious"
    assert "differently" in why


def test_a_text_that_is_much_longer_is_told(shop: sl.Wrapper) -> None:
    """A name of several sentences holds more than the name."""
    verdict, why = _read(shop, camera("This is a camera of which much can be told. " * 8))
    assert verdict == "suspicious"
    assert "longer" in why


def test_far_fewer_records_are_told() -> None:
    """A list of forty that has one is not what it was."""
    shown = [{"name": "Cam 1", "price": "$10"}, {"name": "Cam 2", "price": "$20"}]
    wrapper = Lesson().show(_page(catalogue(*range(1, 41))), records=shown).wrapper
    verdict, why = _read(wrapper, catalogue(1))
    assert verdict == "suspicious"
    assert "records" in why
    assert _read(wrapper, catalogue(*range(1, 25))) == ("ok", "")


def test_the_rule_of_last_resort_is_told() -> None:
    """Where the first rule finds nothing and another one does, people look."""
    document = json.loads(Lesson(_page("<p class=price>$5</p><p>x</p>")).want("price", "$5").wrapper.dumps())
    rules = [{"if": [{"way": "self", "test": test, "value": "price"}]} for test in ("class", "id")]
    document["patterns"][0]["rules"] = rules
    assert _read(sl.Wrapper.from_json(document), "<p class=price>$6</p><p>x</p>") == ("ok", "")
    verdict, why = _read(sl.Wrapper.from_json(document), "<p id=price>$6</p><p>x</p>")
    assert verdict == "suspicious"
    assert "first rule" in why


def test_a_page_with_nothing_of_it_fails(shop: sl.Wrapper) -> None:
    """Another page altogether is an error that says so."""
    body = "<article><p>Something else</p></article>"
    assert _read(shop, body)[0] == "failed"
    with pytest.raises(VerificationError, match="taught"):
        shop.extract(_page(body))


def test_an_empty_page_fails(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """Nothing is read from nothing."""
    assert _read(shop, "")[0] == _read(lists, "")[0] == "failed"


def test_a_dropped_field_is_not_missed(shop: sl.Wrapper) -> None:
    """What nobody wants can be away."""
    body = camera("K-1", "$600").replace("<span class=weight>950 g</span>", "").replace("class=line", "class=row")
    verdict, why = _read(shop.drop("weight"), body)
    assert "weight" not in why
    assert verdict != "failed"


# ------------------------------------------------------------------ mending


def test_a_field_is_renamed(shop: sl.Wrapper) -> None:
    """Its values come under the new name, with its profile."""
    wrapper = shop.rename("price", "cost")
    assert _values(wrapper) == {"name": "K-1", "cost": "$600", "weight": "925 g"}
    assert wrapper.profile.of("cost") is not None
    assert wrapper.profile.of("price") is None
    assert _read(wrapper, camera("K-1", "Sold out"))[0] == "suspicious"
    assert _values(shop) == SAID


def test_a_set_and_its_fields_are_renamed(lists: sl.Wrapper) -> None:
    """A field in a set is named by it, and the records stay."""
    wrapper = lists.rename("items.name", "model").rename("items", "cameras")
    assert wrapper.fields == ["cameras", "cameras.model", "cameras.price"]
    assert wrapper.extract(_page(catalogue(7))).to_dicts() == [{"model": "Cam 7", "price": "$70"}]
    assert wrapper.profile.of("cameras.model") is not None
    assert {name for name, _ in wrapper.profile.records} == {"cameras"}
    assert all("model" in record for _, record in wrapper.profile.records)


def test_renaming_back_is_the_same_wrapper(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """A name and its old name leave no trace."""
    assert shop.rename("price", "cost").rename("cost", "price").dumps() == shop.dumps()
    assert lists.rename("items", "cameras").rename("cameras", "items").dumps() == lists.dumps()
    assert shop.rename("price", "price").dumps() == shop.dumps()


@pytest.mark.parametrize("name", ["", "  ", "a.b", "."])
def test_some_names_cannot_be(shop: sl.Wrapper, name: str) -> None:
    """An empty one, and one with a dot."""
    with pytest.raises(UsageError):
        shop.rename("price", name)


def test_no_two_fields_have_one_name(shop: sl.Wrapper) -> None:
    """The name of another field is refused."""
    with pytest.raises(UsageError, match="weight"):
        shop.rename("price", "weight")


def test_a_field_is_dropped_and_restored(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """It is not read any more, and then it is again."""
    assert _values(shop.drop("price")) == {"name": "K-1", "weight": "925 g"}
    assert shop.drop("price").fields == ["name", "weight"]
    assert "price" not in str(shop.drop("price").schema)
    assert shop.drop("price").restore("price").dumps() == shop.dumps()
    inside = lists.drop("items.price")
    assert inside.extract(_page(catalogue(7))).to_dicts() == [{"name": "Cam 7"}]
    assert inside.restore("items.price").dumps() == lists.dumps()


def test_fields_are_merged_and_split(shop: sl.Wrapper) -> None:
    """The first of them that is there counts; split, each is a field of its own again."""
    merged = shop.merge("price", "weight", into="number")
    assert merged.fields == ["name", "number"]
    assert _values(merged) == {"name": "K-1", "number": "$600"}
    body = camera("K-1").replace("<b>Price:</b> <span class=price>$500</span>", "")
    assert _values(merged, body)["number"] == "950 g"
    split = merged.split("number")
    assert len(split.fields) == 3
    assert set(_values(split).values()) == set(SAID.values())


@pytest.mark.parametrize("name", ["cost", "name.first", "", "items"])
def test_unknown_fields_are_refused(shop: sl.Wrapper, name: str) -> None:
    """The message names what there is, for every way to mend."""
    for mend in (
        lambda: shop.rename(name, "other"),
        lambda: shop.drop(name),
        lambda: shop.restore(name),
        lambda: shop.merge("price", name),
        lambda: shop.split(name),
    ):
        with pytest.raises(UsageError, match="weight"):
            mend()


def test_what_cannot_be_merged_or_split_is_refused(shop: sl.Wrapper) -> None:
    """One field alone, a field with itself, and a field with one rule."""
    with pytest.raises(UsageError, match="two"):
        shop.merge("price")
    with pytest.raises(UsageError):
        shop.merge("price", "price")
    with pytest.raises(UsageError, match="split"):
        one = json.loads(shop.dumps())
        one["patterns"][0]["rules"] = one["patterns"][0]["rules"][:1]
        sl.Wrapper.from_json(one).split("name")
    with pytest.raises(UsageError):
        shop.merge("price", "weight", into="name")


def test_records_are_those_of_a_set() -> None:
    """Everything else on the page is dropped, and comes back."""
    page = _page(catalogue(1, 2, 3, 4))
    shown = [{"name": "Cam 1"}, {"name": "Cam 2"}]
    wrapper = Lesson().show(page, {"shop": ["Shop"]}, shown).wrapper
    assert len(wrapper.extract(page)) == 1
    records = wrapper.records_of("items")
    assert [own["name"] for own in records.extract(page).to_dicts()] == ["Cam 1", "Cam 2", "Cam 3", "Cam 4"]
    assert len(records.records_of(None).extract(page)) == 1
    with pytest.raises(UsageError, match="items"):
        wrapper.records_of("shop")
    with pytest.raises(UsageError):
        wrapper.records_of("nothing")


# ------------------------------------------------------------------ explaining


@pytest.mark.parametrize("body", [PAGE, camera("K-1", "Sold out", more="<p>New <i>and</i> good</p>"), "", "<p>x</p>"])
def test_every_text_is_explained_once(shop: sl.Wrapper, body: str) -> None:
    """All texts of the page are there, in their order."""
    page = _page(body)
    seen = [" ".join(page.strings[text].split()) for text in page.text.tolist() if text >= 0]
    assert [own.text for own in shop.explain(page)] == [text for text in seen if text]


def test_what_was_read_is_explained(shop: sl.Wrapper) -> None:
    """A value has its field and the rule that found it, everything else has none."""
    page = _page(PAGE)
    told = {own.text: own for own in shop.explain(page)}
    assert {own.field: own.text for own in told.values() if own.field} == SAID
    assert "price" in told["$600"].why
    assert told["Home"].role == "other"
    for own in told.values():
        node = page.find(own.xpath)
        assert node is not None
        assert page.text_of(node) == own.text


def test_records_are_explained(lists: sl.Wrapper) -> None:
    """Fields in records are named with their set."""
    told = [(own.text, own.field) for own in lists.explain(_page(catalogue(7)))]
    assert told == [("Shop", None), ("Cam 7", "items.name"), ("$70", "items.price")]


def test_a_judgement_says_what_accepts(shop: sl.Wrapper) -> None:
    """On a value all conditions of its rule hold."""
    judged = {own.field: own for own in shop.judge(_page(PAGE), "$600") if own.taken}
    assert list(judged) == ["price"]
    assert judged["price"].holds


def test_a_judgement_says_what_rejects(shop: sl.Wrapper) -> None:
    """On what is not taken at least one condition of every rule fails, and is told in words."""
    page = _page(PAGE)
    judged = shop.judge(page, "Imprint")
    assert {own.field for own in judged} == {"name", "price", "weight"}
    for own in judged:
        assert not own.taken
        assert own.fails
        assert all(own.fails)


def test_a_judgement_names_the_very_condition() -> None:
    """The class that a text lacks is the reason, and nothing else."""
    lesson = Lesson(_page("<p class=cost>$5</p><p>$6</p><p>$7</p>")).want("price", "$5").reject("price", "$7")
    first = lesson.wrapper.judge(_page("<p class=cost>$5</p><p>$6</p>"), "$6")[0]
    assert not first.taken
    assert any("cost" in own for own in first.fails)
    assert not any("cost" in own for own in first.holds)


def test_a_judgement_is_about_nodes_as_well(shop: sl.Wrapper) -> None:
    """By their number; what is not there is refused."""
    page = _page(PAGE)
    node = int(page.with_tag("h1")[0])
    assert {own.field for own in shop.judge(page, node) if own.taken} == {"name"}
    with pytest.raises(UsageError):
        shop.judge(page, 10_000)
    with pytest.raises(UsageError, match="nowhere"):
        shop.judge(page, "nowhere at all")


def test_a_text_outside_all_records_is_judged(lists: sl.Wrapper) -> None:
    """It is in no record, which is told."""
    judged = {own.field: own for own in lists.judge(_page(catalogue(7, 8)), "Shop")}
    assert not any(own.taken for own in judged.values())
    assert all(own.fails for own in judged.values())


# ------------------------------------------------------------------ keeping


def test_a_wrapper_is_saved_and_loaded(shop: sl.Wrapper, lists: sl.Wrapper, tmp_path: Path) -> None:
    """It reads the same, and is the same document."""
    for number, wrapper in enumerate((shop, lists)):
        again = sl.Wrapper.load(wrapper.save(tmp_path / f"{number}.json"))
        assert again.dumps() == wrapper.dumps()
        assert again.words() == wrapper.words()
    assert _values(sl.Wrapper.load(tmp_path / "0.json")) == SAID


def test_a_wrapper_is_edited_by_hand(shop: sl.Wrapper) -> None:
    """Another class in the file is another value."""
    document = json.loads(shop.dumps())
    price = next(own for own in document["patterns"] if own["name"] == "price")
    price["rules"] = [{"if": [{"way": "self", "test": "class", "value": "weight"}]}]
    edited = sl.Wrapper.from_json(document)
    assert _values(edited)["price"] == "925 g"
    assert "class “weight”" in edited.words()


def test_what_is_for_reading_only_is_not_read(shop: sl.Wrapper) -> None:
    """Words, selectors and schema may be deleted, or lie."""
    document = json.loads(shop.dumps())
    for pattern in document["patterns"]:
        for rule in pattern["rules"]:
            for name in ("in words", "xpath", "css"):
                rule.pop(name, None)
    del document["schema"]
    assert sl.Wrapper.from_json(document).dumps() == shop.dumps()


def _damaged(document: dict[str, Any], *path: str | int, value: object) -> dict[str, Any]:
    """A copy of a document with something else in one place; None takes it out."""
    copy = json.loads(json.dumps(document))
    place = copy
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("patterns",), None, "patterns"),
        (("patterns",), [], "pattern"),
        (("patterns",), "x", ""),
        (("patterns",), 5, ""),
        (("patterns",), [5], ""),
        (("patterns", 0, "name"), None, "name"),
        (("patterns", 0, "name"), "price", "price"),
        (("patterns", 0, "name"), "a.b", "a.b"),
        (("patterns", 0, "name"), "", ""),
        (("patterns", 0, "rules"), None, "rules"),
        (("patterns", 0, "rules"), [], "name"),
        (("patterns", 0, "rules", 0, "if"), None, "if"),
        (("patterns", 0, "rules", 0, "pick"), "some", "some"),
        (("patterns", 0, "rules", 0, "pick"), ["all"], ""),
        (("patterns", 0, "rules", 0, "if", 0, "way"), "above", "above"),
        (("patterns", 0, "rules", 0, "if", 0, "test"), "colour", "colour"),
        (("patterns", 0, "rules", 0, "if", 0, "test"), "place", "place"),
        (("patterns", 0, "cut"), "(", "cut"),
        (("patterns", 0, "cut"), "no group", "group"),
        (("patterns", 0, "cut"), 5, ""),
        (("patterns", 0, "pages"), "many", ""),
        (("patterns", 0, "fields"), 5, ""),
        (("profile",), 5, ""),
        (("profile", "fields"), [{}], ""),
        (("profile", "fields", 0, "colour"), "red", "colour"),
        (("profile", "fields", 0, "evidence"), [["self"]], "evidence"),
        (("profile", "fields", 0, "type"), {"kind": "x"}, ""),
        (("profile", "fields", 0, "low"), "cheap", ""),
        (("profile", "fields", 0, "longest"), "long", ""),
        (("profile", "records"), [["items"]], ""),
        (("learned",), "by magic", "by magic"),
        (("version",), 99, "99"),
    ],
    ids=str,
)
def test_a_damaged_wrapper_is_refused_when_it_is_loaded(
    shop: sl.Wrapper, path: tuple[str | int, ...], value: object, told: str
) -> None:
    """One sentence says what is wrong with it; no error waits for the first page."""
    document = _damaged(shop.to_json(), *path, value=value)
    with pytest.raises(UsageError) as problem:
        sl.Wrapper.from_json(document)
    assert told in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_file_without_a_profile_reads(shop: sl.Wrapper) -> None:
    """A wrapper that somebody wrote by hand has none, and finds the values all the same."""
    document = json.loads(shop.dumps())
    del document["profile"]
    assert _values(sl.Wrapper.from_json(document)) == SAID


def test_rules_know_their_words(shop: sl.Wrapper, lists: sl.Wrapper) -> None:
    """A line for each field, those of records with an indent."""
    assert [line.partition(":")[0] for line in shop.words().splitlines()] == ["name", "price", "weight"]
    assert [line.partition(":")[0] for line in lists.words().splitlines()] == ["items", "  name", "  price"]


def test_the_outline_has_examples(shop: sl.Wrapper) -> None:
    """People see what a field is by what it said."""
    assert "price: money" in shop.outline()
    assert "“$500”" in shop.outline()


def test_a_taught_wrapper_is_made_of_patterns(shop: sl.Wrapper) -> None:
    """All that was taught is in the records, nothing beside them."""
    assert isinstance(shop.rules, Patterns)
    assert shop.beside == []
