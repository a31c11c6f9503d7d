"""A lesson as a list of steps: edits by hand, going back and forth, and being saved and continued."""

import orjson
import pytest

from sightline.errors import UsageError
from sightline.extract.wrappers import Condition, Lesson, LessonStep, Rule, step_from_json
from sightline.page import Page

from .._templates import listed, opened

CARDS = "".join(
    f"<div class=card><h3>Cam {n}</h3><span class=price>${n}00</span><i class=stock>{n} left</i></div>"
    for n in range(1, 6)
)
REVIEWS = "".join(f"<div class=review><b class=who>Ann {n}</b><p>Fine, {n} of 9</p></div>" for n in range(1, 5))
SHOP = f"<h1>Cameras</h1><div class=grid>{CARDS}</div><div class=reviews>{REVIEWS}</div>"
STOCK = Rule((Condition("self", "class", "stock"),))


def _page(body: str) -> Page:
    return opened(body)[0]


def _cards() -> Lesson:
    return Lesson(_page(SHOP)).want("name", "Cam 1").want("price", "$100")


def _texts(lesson: Lesson, name: str) -> list[str]:
    return [match.text for match in lesson.matches(name)]


def _again(lesson: Lesson) -> Lesson:
    """The lesson after a restart: from its JSON, on pages opened anew."""
    pages = {page.id: page for page in map(_copy, lesson.pages)}
    return Lesson.from_json(orjson.loads(orjson.dumps(lesson.to_json())), pages.__getitem__)


def _copy(page: Page) -> Page:
    from sightline.page import dumps, loads

    return loads(dumps(page))


# ------------------------------------------------------------------ edits


def test_a_renamed_field_keeps_its_rule() -> None:
    """The rule was found under the first name, and says nothing else under another."""
    lesson = _cards()
    before = lesson.pattern("price").rules
    lesson.rename("price", "cost")
    assert lesson.names == ["name", "cost"]
    assert lesson.pattern("cost").rules == before
    assert lesson.wrapper.fields == ["items", "items.name", "items.cost"]
    assert lesson.found().records.to_dicts()[0] == {"name": "Cam 1", "cost": "$100"}
    assert lesson.wrapper.profile.of("items.cost").examples[:1] == ("$100",)


def test_only_what_was_shown_counts_on_a_page() -> None:
    """A value that is like others, but not one of a list, is told so; nothing is asked about it there any more."""
    page = _page("<dl><dt>Brand<dd>Heliox<dt>Model no.<dd>HE-5<dt>Weight<dd>708 g</dl>")
    lesson = Lesson(page).want("model", "HE-5").only("model")
    assert _texts(lesson, "model") == ["HE-5"]
    assert lesson.question() is None
    assert lesson.steps[-1].words == "no other model on a page"
    assert _again(lesson).wrapper.extract(page).to_dicts() == [{"model": "HE-5"}]
    with pytest.raises(UsageError, match="no example on this page"):
        Lesson(page).want("model", "HE-5").only("model", page=_page("<p>Heliox"))


def test_a_name_that_became_free_can_be_used_again() -> None:
    """The renamed field and the new one are two, and so are their examples."""
    lesson = _cards().rename("price", "cost").want("price", "1 left")
    assert lesson.names == ["name", "cost", "price"]
    assert lesson.found().records.to_dicts()[1] == {"name": "Cam 2", "cost": "$200", "price": "2 left"}
    assert [example.text for example in lesson.examples("price")] == ["1 left"]


def test_a_field_may_have_the_name_that_records_have() -> None:
    """Then the records that examples imply have another; those of a group keep theirs."""
    lesson = _cards().want("items", "1 left")
    assert lesson.wrapper.fields == ["items 2", "items 2.name", "items 2.price", "items 2.items"]
    for named in (_cards().group(["name", "price"], "cameras"), _cards().rename("items", "cameras")):
        with pytest.raises(UsageError, match="name of the records"):
            named.want("cameras", "1 left")


def test_records_that_examples_imply_can_be_renamed() -> None:
    """They have a name, though nobody gave it."""
    lesson = _cards().rename("items", "cameras")
    assert lesson.wrapper.fields == ["cameras", "cameras.name", "cameras.price"]


def test_a_field_of_shown_records_is_renamed_by_its_full_name() -> None:
    """So is one in them that a field outside has the name of."""
    lesson = Lesson().show(_page(SHOP), records=[{"who": "Ann 1"}, {"who": "Ann 2"}], of="reviews")
    lesson.rename("reviews.who", "author").rename("reviews", "voices")
    assert lesson.wrapper.fields == ["voices", "voices.author"]


@pytest.mark.parametrize(("old", "new"), [("price", "name"), ("price", ""), ("price", "a.b"), ("weight", "mass")])
def test_a_name_that_cannot_be_is_refused(old: str, new: str) -> None:
    """One that another field has, none, one with a dot; and a field that is not there."""
    lesson = _cards()
    with pytest.raises(UsageError):
        lesson.rename(old, new)
    assert len(lesson.steps) == 2


def test_a_dropped_field_is_gone_with_its_examples() -> None:
    """What is left means what it would mean alone."""
    lesson = _cards().want("stock", "1 left").drop("stock")
    assert lesson.names == ["name", "price"]
    assert lesson.wrapper.words() == _cards().wrapper.words()


def test_a_field_of_shown_records_can_be_dropped() -> None:
    """The records stay."""
    shown = [{"who": f"Ann {n}", "text": f"Fine, {n} of 9"} for n in (1, 2)]
    lesson = Lesson().show(_page(SHOP), records=shown, of="reviews").drop("reviews.text")
    assert lesson.found().records.to_dicts()[3] == {"who": "Ann 4"}


def test_dropping_implied_records_drops_their_fields() -> None:
    """Nothing else is in them."""
    assert _cards().drop("items").names == []


# ------------------------------------------------------------------ rules by hand


def test_an_edited_rule_holds_until_the_field_gets_an_example() -> None:
    """An example says more than what was written before it."""
    lesson = _cards().edit("price", [STOCK])
    assert _texts(lesson, "price")[:2] == ["1 left", "2 left"]
    assert lesson.edited == ["price"]
    assert lesson.found().records.to_dicts()[0] == {"name": "Cam 1", "price": "1 left"}
    assert lesson.question("price") is None
    assert _texts(lesson.want("name", "Cam 2"), "price")[:1] == ["1 left"]
    assert _texts(lesson.want("price", "$200"), "price")[:2] == ["$100", "$200"]
    assert lesson.edited == []


def test_the_rule_of_the_records_can_be_edited() -> None:
    """A rule for fewer of them gives fewer."""
    first = Rule((Condition("self", "class", "card"), Condition("self", "place", "1", negated=True)))
    assert [record["name"].text for record in _cards().edit("items", [first]).found().records][:1] == ["Cam 2"]


def test_an_edited_field_may_be_empty() -> None:
    """A rule that finds nothing leaves the records as they are, without the field."""
    lesson = _cards().edit("price", [Rule((Condition("self", "class", "nowhere"),))])
    assert lesson.found().records.to_dicts()[:1] == [{"name": "Cam 1", "price": None}]


def test_a_rule_by_hand_stands_in_where_none_was_found() -> None:
    """Examples that contradict each other have no rule, but people can write one."""
    lesson = Lesson(_page("<p class=a>x</p><p class=b>y</p>")).want("one", "x").want("two", "y")
    lesson.reject("one", "x")
    assert list(lesson.problems) == ["one"]
    assert lesson.draft is not None and lesson.draft.fields == ["two"]
    with pytest.raises(UsageError, match="both wanted and rejected"):
        _ = lesson.wrapper
    lesson.edit("one", [Rule((Condition("self", "class", "a"),))])
    assert lesson.problems == {}
    assert lesson.wrapper.extract(lesson.pages[0]).to_dicts() == [{"one": "x", "two": "y"}]


# ------------------------------------------------------------------ groups


def test_groups_are_learned_each_by_itself() -> None:
    """Two lists of a page, with two fields each, and a title beside them."""
    lesson = _cards().want("who", "Ann 1").want("text", "Fine, 1 of 9").want("title", "Cameras")
    lesson.group(["name", "price"], "cameras").group(["who", "text"], "reviews")
    assert lesson.wrapper.fields == [
        "title",
        "cameras",
        "cameras.name",
        "cameras.price",
        "reviews",
        "reviews.who",
        "reviews.text",
    ]
    [record] = lesson.found().records.to_dicts()
    assert record["title"] == "Cameras"
    assert record["cameras"][4] == {"name": "Cam 5", "price": "$500"}
    assert record["reviews"][3] == {"who": "Ann 4", "text": "Fine, 4 of 9"}


def test_a_group_in_a_group_gives_nested_records() -> None:
    """Shops of a product, on a page of products."""
    products = "".join(
        f"<div class=product><h2>Cam {n}</h2>"
        + "".join(f"<div class=offer><b>Shop {n}{m}</b><i>${n}{m}</i></div>" for m in range(1, 4))
        + "</div>"
        for n in range(1, 5)
    )
    lesson = Lesson(_page(products)).want("name", "Cam 1").want("shop", "Shop 11").want("price", "$11")
    lesson.group(["shop", "price"], "shops").group(["name", "shops"], "products")
    found = lesson.found().records.to_dicts()
    assert [record["name"] for record in found] == ["Cam 1", "Cam 2", "Cam 3", "Cam 4"]
    assert found[2]["shops"] == [{"shop": f"Shop 3{m}", "price": f"$3{m}"} for m in range(1, 4)]


def test_fields_that_form_no_records_are_named_with_the_reason() -> None:
    """The other fields are read all the same."""
    lesson = Lesson(_page("<h1>One</h1><p class=x>Two</p><p class=y>Three</p>"))
    lesson.want("a", "One").want("b", "Two").want("c", "Three").group(["a", "b"], "pairs")
    found = lesson.found().records.to_dicts()
    assert "pairs" in lesson.problems or found[0]["pairs"] == [{"a": "One", "b": "Two"}]
    assert found[0]["c"] == "Three"
    assert lesson.question() is None or lesson.question().name in ("a", "b", "c")


def test_only_fields_with_examples_can_be_grouped() -> None:
    """A group needs something to be learned from, and a name of its own."""
    lesson = _cards()
    for names, into in ((["name", "weight"], "x"), ([], "x"), (["name", "price"], "name")):
        with pytest.raises(UsageError):
            lesson.group(names, into)


# ------------------------------------------------------------------ pages


def test_a_removed_page_takes_its_examples_with_it() -> None:
    """And comes back with them when that is undone."""
    first, second = _page(listed("<b>a</b>", "<b>b</b>", "<b>c</b>", "<b>d</b>")), _page("<p>Name: <b>x</b></p>")
    lesson = Lesson(first).add(second).want("name", "x", page=second).want("name", "a", page=first)
    assert len(lesson.pages) == 2
    lesson.remove(second)
    assert lesson.pages == [first]
    assert [example.text for example in lesson.examples("name")] == ["a"]
    assert [example.text for example in lesson.undo().examples("name")] == ["x", "a"]
    assert lesson.pages == [first, second]


def test_an_added_page_is_gone_when_that_is_undone() -> None:
    """And the last page of a lesson stays."""
    first, second = _page("<p>one</p>"), _page("<p>two</p>")
    lesson = Lesson(first).add(second)
    assert lesson.undo().pages == [first]
    assert lesson.redo().pages == [first, second]
    with pytest.raises(UsageError, match="needs a page"):
        lesson.remove(first).remove(second)


def test_a_page_that_was_only_looked_at_does_not_join() -> None:
    """Neither by a preview, nor by an example that is not on it, nor by a step that was taken back and replaced."""
    first, second, third = (_page(f"<p>Name: <b>{text}</b></p><i>{text}</i>") for text in ("one", "two", "three"))
    lesson = Lesson(first).want("name", "one")
    lesson.preview("name", "two", second)
    with pytest.raises(UsageError):
        lesson.want("name", "nowhere", page=second)
    assert lesson.pages == [first]
    lesson.want("name", "two", page=second).undo().want("name", "three", page=third)
    assert lesson.pages == [first, third]
    assert _again(lesson.want("name", "two", page=second)).wrapper.dumps() == lesson.wrapper.dumps()
    assert lesson.pages == [first, third, second]


def test_a_group_whose_examples_are_gone_is_gone() -> None:
    """They went with their page."""
    other = _page("<p>Only this</p>")
    lesson = _cards().group(["name", "price"], "cameras").add(other).remove(_cards().pages[0])
    assert lesson.draft is None
    assert lesson.notes == []


# ------------------------------------------------------------------ back and forth, and saved


def _long() -> Lesson:
    lesson = _cards().want("stock", "1 left").rename("price", "cost").edit("stock", [STOCK]).reject("name", "Cam 3")
    return lesson.undo().drop("stock").undo().group(["name", "cost", "stock"], "cameras").undo()


def test_a_saved_lesson_goes_on_where_it_was() -> None:
    """With the same steps, at the same one, and with the same rules."""
    lesson = _long()
    again = _again(lesson)
    assert again.to_json() == lesson.to_json()
    assert again.wrapper.dumps() == lesson.wrapper.dumps()
    assert again.redo().wrapper.dumps() == lesson.redo().wrapper.dumps()


def test_every_position_is_what_it_was() -> None:
    """Going back is exact, also after other steps were taken in between."""
    lesson = _cards().want("stock", "1 left")
    seen = {}
    for at in range(1, 4):
        seen[at] = lesson.go_to(at).wrapper.dumps()
    for at in (3, 1, 2):
        assert lesson.go_to(at).wrapper.dumps() == seen[at]


def test_an_example_given_after_an_undo_is_not_taken_for_the_one_before() -> None:
    """Whatever was learned from the one that was taken back is forgotten."""
    lesson = Lesson(_page("<p class=a>x</p><p class=b>y</p><p class=c>z</p>"))
    for text in "xyzzyx":
        assert _texts(lesson.want("one", text), "one") == [text]
        lesson.undo()


def test_a_step_after_an_undo_cuts_what_was_undone() -> None:
    """There is one history, not a tree."""
    lesson = _cards().undo().want("stock", "1 left")
    assert [step.words for step in lesson.steps] == ["name: “Cam 1”", "stock: “1 left”"]
    with pytest.raises(UsageError, match="nothing to do again"):
        lesson.redo()


def test_steps_are_told_in_words() -> None:
    """As a list of what was done shows them."""
    lesson = _cards().reject("name", "Cameras").absent("weight").rename("price", "Price").drop("Price")
    lesson.group(["name"], "cameras").edit("name", [STOCK])
    assert [step.words for step in lesson.steps] == [
        "name: “Cam 1”",
        "price: “$100”",
        "rejected “Cameras” as name",
        "no weight on a page",
        "renamed price → Price",
        "dropped Price",
        "grouped name as cameras",
        "edited the rule of name",
    ]


def test_nodes_and_points_are_saved_as_they_were_given() -> None:
    """A node's number holds for a page of the same id."""
    lesson = Lesson(_page(SHOP))
    node = lesson.want("name", "Cam 1").matches("name")[0].node
    lesson.undo().want("name", node)
    assert lesson.steps[0] == LessonStep("want", lesson.pages[0].id, "name", node, said="Cam 1")
    assert _again(lesson).matches("name") == lesson.matches("name")
    assert step_from_json({"action": "want", "field": "a", "point": [3, 4]}).point == (3.0, 4.0)


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"format": "sightline wrapper", "version": 1},
        {"format": "sightline lesson", "version": 2, "at": 0},
        {"format": "sightline lesson", "version": 1, "at": 1},
        {"format": "sightline lesson", "version": 1, "at": 0, "steps": [{"action": "jump"}]},
        {"format": "sightline lesson", "version": 1, "at": 0, "steps": [{"action": "want", "node": -1}]},
        {"format": "sightline lesson", "version": 1, "at": 1, "steps": [{"action": "want", "field": "a"}]},
    ],
)
def test_what_is_not_a_lesson_is_refused(document: object) -> None:
    """In one sentence."""
    with pytest.raises(UsageError) as refused:
        Lesson.from_json(document, lambda _: _page(SHOP))
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


# ------------------------------------------------------------------ what an example, or a condition, would do


def test_a_preview_shows_what_an_example_would_give_and_changes_nothing() -> None:
    """The matches and the rule are those that the example then has."""
    lesson = _cards()
    before = lesson.to_json()
    preview = lesson.preview("stock", "1 left")
    assert lesson.to_json() == before
    assert lesson.names == ["name", "price"]
    assert lesson.want("stock", "1 left").matches("stock") == preview.matches
    assert preview.words in lesson.wrapper.words()


def test_a_preview_of_what_is_not_there_is_an_error() -> None:
    """As giving it would be."""
    with pytest.raises(UsageError, match="not on the page"):
        _cards().preview("stock", "sold out")


def test_completions_hold_for_the_examples() -> None:
    """Each with the number of its matches in the records; what only some examples have comes last."""
    lesson = _cards().want("price", "$200")
    offered = {completion.words: completion for completion in lesson.completions("price")}
    assert offered["of class “price”"].matches == 5
    assert offered["of class “price”"].keeps_examples
    assert offered["that is money"].keeps_examples
    kept = [completion.keeps_examples for completion in lesson.completions("price")]
    assert kept == sorted(kept, reverse=True)
    assert {completion.words for completion in lesson.completions("price", query="CLASS pri")} == {"of class “price”"}


def test_what_was_rejected_offers_what_it_has_and_the_examples_lack() -> None:
    """As a condition that must not hold."""
    body = listed(*(f"<b>Cam {own}</b>" for own in range(4)), "<b class=ad>Buy now</b>")
    lesson = Lesson(_page(body)).want("name", "Cam 0").reject("name", "Buy now")
    assert Condition("self", "class", "ad", negated=True) in [
        completion.condition for completion in lesson.completions("name")
    ]


def test_completions_of_records_are_about_their_elements() -> None:
    """Those that are matched stand for examples, as nobody gave any."""
    assert "of class “card”" in {completion.words for completion in _cards().completions("items")}
    with pytest.raises(UsageError, match="no field"):
        _cards().completions("weight")
