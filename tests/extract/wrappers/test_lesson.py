"""Teaching by examples: what is learned from a few of them, what is asked, and what is refused."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson, Match, TeachSettings
from sightline.page import Page
from sightline.testing import element, page_of

from ..._effort import growth
from .._templates import listed, opened, table


def _page(body: str) -> Page:
    return opened(body)[0]


def _taught(*pages: tuple[str, dict[str, str]]) -> Lesson:
    """A lesson with one example of each field on each page."""
    lesson = Lesson()
    for body, examples in pages:
        lesson.on(_page(body))
        for name, text in examples.items():
            lesson.want(name, text)
    return lesson


def _said(lesson: Lesson, name: str, body: str | None = None) -> list[str]:
    return [match.text for match in lesson.matches(name, None if body is None else _page(body))]


def _refused(*problems: str) -> "pytest.RaisesExc[UsageError]":
    """One sentence, or two, that name what is wrong."""

    def names_all(error: UsageError) -> bool:
        return all(own in str(error) for own in problems) and "\n" not in str(error) and str(error).endswith(".")

    return pytest.raises(UsageError, check=names_all)


def camera(name: str = "EOS 5D", price: str = "$500", *, before: str = "", weight: str = "950 g") -> str:
    """A page about one camera, with labels."""
    return f"<h1>{name}</h1>{before}<p>Price: <b>{price}</b></p><p>Weight: <b>{weight}</b></p><p>Made with care</p>"


# ------------------------------------------------------------------ what a rule is about


def test_a_label_counts_more_than_a_place() -> None:
    """The value behind its label is found wherever the label stands."""
    lesson = _taught((camera(), {"price": "$500"}))
    assert _said(lesson, "price", camera(price="$7", before="<p>Colour: <b>red</b></p><p>Size: <b>small</b></p>")) == [
        "$7"
    ]


def test_a_class_counts_more_than_a_place() -> None:
    """The value of a class is found wherever it stands."""
    lesson = _taught(("<p>a</p><p class=cost>$5</p><p>b</p>", {"price": "$5"}))
    assert _said(lesson, "price", "<p>x</p><p>y</p><p>z</p><p class=cost>$9</p>") == ["$9"]


def test_what_is_called_as_the_field_counts_more() -> None:
    """Of two classes that would do the one is taken that is named as the field is."""
    body = "<p class='big price'>$5</p><p class=other>x</p>"
    lesson = _taught((body, {"price": "$5"}))
    assert _said(lesson, "price", "<p class=big>x</p><p class=price>$9</p>") == ["$9"]


def test_a_class_with_a_number_counts_less() -> None:
    """It may be of this page only."""
    lesson = _taught(("<p class='x81 cost'>$5</p><p>x</p>", {"price": "$5"}))
    assert _said(lesson, "price", "<p class='x93 cost'>$9</p><p>x</p>") == ["$9"]


def test_no_condition_is_learned_that_needs_rendering_where_another_does() -> None:
    """A class and a label are there on every page, a look is not."""
    plain, bold = {"font-size": "16px"}, {"font-size": "30px"}
    parts = [
        element("p", "Price:", box=(0, 0, 100, 20), style=plain),
        element("p", "$500", box=(120, 0, 220, 20), style=bold, class_="cost"),
        element("p", "950 g", box=(0, 40, 100, 60), style=plain),
    ]
    page = page_of(element("html", element("body", *parts, box=(0, 0, 800, 100), style=plain)))
    lesson = Lesson(page).want("price", "$500")
    assert not any(own.is_visual for own in lesson.pattern("price").rules[0].conditions)
    assert _said(lesson, "price", "<p>Price:</p><p class=cost>$9</p>") == ["$9"]


def test_no_look_is_learned_on_a_static_page() -> None:
    """There is none."""
    lesson = _taught((camera(), {"price": "$500", "name": "EOS 5D"}))
    learned = [one for name in lesson.names for rule in lesson.pattern(name).rules for one in rule.conditions]
    assert learned
    assert not any(own.is_visual for own in learned)


# ------------------------------------------------------------------ more examples


def test_what_is_rejected_is_not_taken() -> None:
    """A rule that took too much takes less, and still the rest."""
    body = listed(*(f"<b>Cam {own}</b>" for own in range(4)), "<b class=ad>Buy now</b>")
    lesson = Lesson(_page(body)).want("name", "Cam 0")
    assert "Buy now" in _said(lesson, "name")
    lesson.reject("name", "Buy now")
    assert _said(lesson, "name") == ["Cam 0", "Cam 1", "Cam 2", "Cam 3"]


def test_an_example_and_a_counterexample_leave_one() -> None:
    """Two prices that are built alike are told apart by what stands before them."""
    body = "<p>Old <b>$9</b></p><p>New <b>$5</b></p><p>Fee <b>$1</b></p>"
    lesson = Lesson(_page(body)).want("price", "$5").reject("price", "$9").reject("price", "$1")
    assert _said(lesson, "price") == ["$5"]


def test_a_second_example_takes_the_list() -> None:
    """Two values of a list are enough to know that all are meant."""
    lesson = Lesson(_page(camera() + listed("one", "two", "three", "four"))).want("part", "one").want("part", "three")
    assert _said(lesson, "part") == ["one", "two", "three", "four"]


def test_several_rules_are_learned_where_one_is_not_enough() -> None:
    """Pages that are built in two ways have one rule for each."""
    old = "<h1>A</h1><p>$1 off</p><p class=cost>$5</p><p>$2</p><p>$3</p>"
    new = "<h1>B</h1><i>$1</i><table><tr><th>Fee</th><td>$2</td></tr><tr><th>Price</th><td>$7</td></tr></table>"
    lesson = _taught((old, {"price": "$5"}), (new, {"price": "$7"}))
    pattern = lesson.pattern("price")
    assert len(pattern.rules) > 1
    assert pattern.needs_all
    assert _said(lesson, "price", old.replace("$5", "$6")) == ["$6"]
    assert _said(lesson, "price", new.replace("$7", "$8")) == ["$8"]
    assert lesson.wrapper.read(_page(new)).verdict == "ok"


MONEY = (
    "<h1>A</h1><p>$1 off</p><p class=cost>$5</p><p>$2</p><p>$3</p>",
    "<h1>B</h1><i>$1</i><table><tr><th>Fee</th><td>$2</td></tr><tr><th>Price</th><td>$5</td></tr></table>",
    "<h1>C</h1><p>From $1 to $9</p><div><b>$8</b><b>$5</b></div><p>$7</p>",
    "<h1>D</h1><dl><dt>Was</dt><dd>$9</dd><dt>Now</dt><dd>$5</dd></dl>",
)


@pytest.mark.parametrize("first", range(len(MONEY)))
@pytest.mark.parametrize("second", range(len(MONEY)))
def test_every_example_is_read_as_it_was_given(first: int, second: int) -> None:
    """Whatever is learned, on the pages of the lesson it gives the examples, or the lesson says that it cannot."""
    lesson = _taught((MONEY[first], {"price": "$5"}), (MONEY[second], {"price": "$5"}))
    assert [_said(lesson, "price", MONEY[own]) for own in (first, second)] == [["$5"], ["$5"]]


def test_pages_are_counted() -> None:
    """The pattern says on how many pages it had examples, and is checked on all of them."""
    lesson = _taught((camera(), {"price": "$500"}))
    assert lesson.pattern("price").pages == 1
    assert any("price" in note and "one page" in note for note in lesson.notes)
    lesson.on(_page(camera("D850", "$7"))).want("price", "$7")
    assert lesson.pattern("price").pages == 2
    assert lesson.notes == []
    assert lesson.wrapper.training.pages == len(lesson.wrapper.checked) == 2


def test_another_page_refines_the_pattern() -> None:
    """What holds on one page only is no part of the rule."""
    lesson = _taught(
        ("<div id=p1><b class=cost>$5</b></div>", {"price": "$5"}),
        ("<div id=p2><b class=cost>$6</b></div>", {"price": "$6"}),
    )
    assert _said(lesson, "price", "<div id=p3><b class=cost>$7</b></div>") == ["$7"]


def test_absent_values_are_not_taken() -> None:
    """A page without the value teaches what not to take."""
    offer, none = "<h1>A</h1><p><b>$5</b> <i>today</i></p>", "<h1>B</h1><p><b>Sold</b> <i>today</i></p>"
    lesson = _taught((offer, {"price": "$5"}))
    lesson.on(_page(none)).absent("price")
    assert _said(lesson, "price", none) == []
    assert _said(lesson, "price", offer) == ["$5"]
    assert lesson.pattern("price").optional


def test_undo_takes_back_what_was_said_last() -> None:
    """The lesson is as it was before."""
    lesson = _taught((camera(), {"price": "$500"}))
    before = lesson.pattern("price")
    lesson.reject("price", "950 g")
    lesson.want("name", "EOS 5D")
    assert lesson.undo().names == ["price"]
    assert lesson.undo().pattern("price") == before
    assert lesson.undo().names == []
    with _refused("undo"):
        lesson.undo()


def test_undo_takes_a_whole_page_back() -> None:
    """What was shown at once is taken back at once."""
    lesson = Lesson().show(_page(camera()), {"price": ["$500"], "name": ["EOS 5D"]})
    assert lesson.names == ["price", "name"]
    assert lesson.undo().names == []


def test_what_is_refused_leaves_no_trace() -> None:
    """A lesson goes on after a mistake, and has nothing to undo of it."""
    lesson = _taught((camera(), {"price": "$500"}))
    with _refused("nowhere"):
        lesson.want("name", "nowhere to be found")
    assert lesson.names == ["price"]
    assert lesson.undo().names == []


# ------------------------------------------------------------------ lists and records

ITEMS = {
    "li b i": ("ul", "<li><b>Cam {n}</b> <i>{n}0 €</i></li>"),
    "li.card b i": ("ul", "<li class=card><b>Cam {n}</b> <i>{n}0 €</i></li>"),
    "a.card b i": ("div", "<a class=card href=/{n}><b>Cam {n}</b> <i>{n}0 €</i></a>"),
    "div h3 span": ("div", "<div><h3>Cam {n}</h3><span>{n}0 €</span></div>"),
    "div.card h3 a span.price": (
        "div",
        "<div class=card><h3><a href=/{n}>Cam {n}</a></h3><span class=price>{n}0 €</span></div>",
    ),
    "div.card .name .price": (
        "div",
        "<div class=card><h3 class=name>Cam {n}</h3><span class=price>{n}0 €</span></div>",
    ),
    "tr td td": ("table", "<tr><td>Cam {n}</td><td>{n}0 €</td></tr>"),
    "dt dd": ("dl", "<dt>Cam {n}</dt><dd>{n}0 €</dd>"),
}
NUMBERS = range(1, 6)


def _items(form: str, numbers: Iterable[int] = NUMBERS) -> str:
    tag, item = ITEMS[form]
    inside = "".join(item.format(n=number) for number in numbers)
    return f"<h1>Shop</h1><p>Welcome to our shop</p><{tag}>{inside}</{tag}><footer>Imprint</footer>"


NAMES = [f"Cam {number}" for number in NUMBERS]
PRICES = [f"{number}0 €" for number in NUMBERS]


@pytest.mark.parametrize("form", ITEMS)
@pytest.mark.parametrize("number", [1, 3], ids=["the first", "the third"])
def test_one_item_of_a_list_takes_the_list(form: str, number: int) -> None:
    """Whoever points at one item of a list means all of them, whichever it is."""
    lesson = Lesson(_page(_items(form))).want("name", f"Cam {number}")
    assert _said(lesson, "name") == NAMES
    assert lesson.wrapper.extract(_page(_items(form, range(7, 11)))).to_dicts() == [
        {"name": f"Cam {own}"} for own in range(7, 11)
    ]


@pytest.mark.parametrize("form", ITEMS)
@pytest.mark.parametrize("number", [1, 3], ids=["the first", "the third"])
def test_two_lists_in_step_are_records(form: str, number: int) -> None:
    """Fields that repeat together are the fields of records, also on a further page."""
    lesson = Lesson(_page(_items(form))).want("name", f"Cam {number}").want("price", f"{number}0 €")
    wrapper = lesson.wrapper
    assert wrapper.fields == ["items", "items.name", "items.price"]
    assert wrapper.extract(_page(_items(form, range(7, 11)))).to_dicts() == [
        {"name": f"Cam {own}", "price": f"{own}0 €"} for own in range(7, 11)
    ]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("form", ITEMS)
def test_one_record_shows_all(form: str, count: int) -> None:
    """A record is taken with its fields, none of which is ever the record as a whole."""
    shown = [{"name": f"Cam {own}", "price": f"{own}0 €"} for own in range(1, count + 1)]
    wrapper = Lesson().show(_page(_items(form)), records=shown).wrapper
    wanted = [{"name": name, "price": price} for name, price in zip(NAMES, PRICES, strict=True)]
    assert wrapper.extract(_page(_items(form))).to_dicts() == wanted


@pytest.mark.parametrize("count", [1, 2, 3])
def test_records_of_bare_texts_are_told_apart(count: int) -> None:
    """Also where nothing but the place tells two fields apart."""
    body = "<div>" + "".join(f"<div><span>Cam {own}</span><span>text {own}</span></div>" for own in NUMBERS) + "</div>"
    shown = [{"name": f"Cam {own}", "note": f"text {own}"} for own in range(1, count + 1)]
    found = Lesson().show(_page(body), records=shown).wrapper.extract(_page(body)).to_dicts()
    assert found == [{"name": f"Cam {own}", "note": f"text {own}"} for own in NUMBERS]


def test_a_field_beside_records_is_a_field_of_the_page() -> None:
    """A heading is none of the list."""
    lesson = Lesson(_page(_items("li b i"))).want("name", "Cam 2").want("price", "20 €").want("shop", "Shop")
    (record,) = lesson.wrapper.extract(_page(_items("li b i"))).to_dicts()
    assert record["shop"] == "Shop"
    assert [own["name"] for own in record["items"]] == NAMES


def _catalogue(stock: dict[int, str]) -> str:
    return listed(
        *(
            f"<b class=name>Cam {own}</b><i class=cost>{own}0 €</i>"
            + (f"<u class=stock>{stock[own]}</u>" if own in stock else "")
            for own in NUMBERS
        )
    )


def test_records_may_lack_a_field() -> None:
    """A field that only some of the records shown have is optional, and never taken from a neighbour."""
    page = _page(_catalogue({2: "2 left", 4: "sold out"}))
    shown = [{"name": "Cam 1", "price": "10 €"}, {"name": "Cam 2", "price": "20 €", "stock": "2 left"}]
    wrapper = Lesson().show(page, records=shown).wrapper
    found = wrapper.extract(page).to_dicts()
    assert [own["name"] for own in found] == NAMES
    assert [own["price"] for own in found] == PRICES
    assert [own.get("stock") for own in found] == [None, "2 left", None, "sold out", None]
    stock = next(own for own in wrapper.rules.patterns[0].fields if own.name == "stock")  # type: ignore[attr-defined]
    assert stock.optional


def test_flat_records_reach_up_to_the_next() -> None:
    """Terms and their descriptions are records without an element of their own."""
    body = "<dl>" + "".join(f"<dt>Cam {own}</dt><dd>{own}0 €</dd><dd>{own}5 g</dd>" for own in NUMBERS) + "</dl>"
    shown = [{"name": "Cam 1", "price": "10 €", "weight": "15 g"}, {"name": "Cam 2", "price": "20 €", "weight": "25 g"}]
    wrapper = Lesson().show(_page(body), records=shown).wrapper
    assert wrapper.extract(_page(body)).to_dicts() == [
        {"name": f"Cam {own}", "price": f"{own}0 €", "weight": f"{own}5 g"} for own in NUMBERS
    ]


def test_a_table_of_rows_is_records() -> None:
    """The heading row is none of them."""
    body = table([(f"Cam {own}", f"{own}0 €") for own in NUMBERS], ["Name", "Price"])
    shown = [{"name": "Cam 1", "price": "10 €"}, {"name": "Cam 2", "price": "20 €"}]
    found = Lesson().show(_page(body), records=shown).wrapper.extract(_page(body)).to_dicts()
    assert found == [{"name": f"Cam {own}", "price": f"{own}0 €"} for own in NUMBERS]


def test_records_are_called_as_is_wished() -> None:
    """The set has the name that it was shown by."""
    page = _page(_items("li b i"))
    lesson = Lesson().show(page, {"shop": ["Shop"]}, [{"name": "Cam 1"}, {"name": "Cam 2"}], of="cameras")
    assert lesson.wrapper.fields == ["shop", "cameras", "cameras.name"]
    assert _said(lesson, "cameras.name") == NAMES


# ------------------------------------------------------------------ values that are no whole text


def test_a_part_of_a_text_is_cut_out() -> None:
    """The regular expression is printed, and only the part is read."""
    lesson = _taught(("<h1>Piano</h1><p class=by>Director: Jane Campion</p>", {"director": "Jane Campion"}))
    assert _said(lesson, "director") == ["Jane Campion"]
    assert _said(lesson, "director", "<h1>Ran</h1><p class=by>Director: Akira Kurosawa</p>") == ["Akira Kurosawa"]
    cut = lesson.pattern("director").cut
    assert cut
    assert cut in lesson.wrapper.words()


def test_a_part_is_cut_out_by_several_examples() -> None:
    """One expression fits all of them."""
    bodies = [
        (f"<p class=m>{name} ({year}) film</p>", {"year": year}) for name, year in (("Ran", "1985"), ("Ikiru", "1952"))
    ]
    lesson = _taught(*bodies)
    assert _said(lesson, "year", "<p class=m>Sanjuro (1962) film</p>") == ["1962"]


def test_a_part_that_is_not_there_is_no_value() -> None:
    """Where there is nothing to cut out, nothing is read."""
    lesson = _taught(("<p class=by>Director: Jane Campion</p>", {"director": "Jane Campion"}))
    assert _said(lesson, "director", "<p class=by>unknown</p>") == []


def test_an_image_is_taken_by_its_address() -> None:
    """An address of an attribute is an example like a text."""
    lesson = _taught(("<h1>A</h1><img class=main src='/a.png'><img src='/logo.png'>", {"image": "/a.png"}))
    assert lesson.pattern("image").take == "src"
    assert _said(lesson, "image", "<h1>B</h1><img class=main src='/b.png'><img src='/logo.png'>") == ["/b.png"]


def test_a_link_is_resolved_against_the_base() -> None:
    """Addresses are whole, by the page's address and its base element; both forms are an example."""
    base = element("head", element("base", href="/shop/"))
    body = element("body", element("a", "More", href="more.html", class_="next"), element("a", "Home", href="/"))
    page = page_of(element("html", base, body), kind="static", url="https://example.org/list/1")
    whole = "https://example.org/shop/more.html"
    for example in (whole, "more.html"):
        lesson = Lesson(page).want("next", example)
        assert lesson.pattern("next").take == "href"
        assert _said(lesson, "next") == [whole]
        assert lesson.wrapper.extract(page).to_dicts() == [{"next": whole}]


def test_an_image_is_pointed_at_by_its_node() -> None:
    """An element without a text is taken by its address."""
    page = _page("<h1>A</h1><img class=main src='/a.png'>")
    node = int(page.with_tag("img")[0])
    assert _said(Lesson(page).want("image", node), "image") == ["/a.png"]
    assert _said(Lesson(page).want("image", page.node(node)), "image") == ["/a.png"]


# ------------------------------------------------------------------ pointing


def _rendered() -> Page:
    style = {"font-size": "16px"}
    parts = [
        element("p", text, box=(0, 40 * row, 200, 40 * row + 20), style=style)
        for row, text in enumerate(("One", "Two", "Three"))
    ]
    return page_of(element("html", element("body", *parts, box=(0, 0, 800, 200), style=style)))


def test_a_point_of_a_rendered_page_is_an_example() -> None:
    """What stands there is meant."""
    assert "Two" in _said(Lesson(_rendered()).want("number", (10.0, 45.0)), "number")


@pytest.mark.parametrize("point", [(10.0, 30.0), (700.0, 5.0), (-5.0, -5.0)])
def test_a_point_beside_all_texts_is_refused(point: tuple[float, float]) -> None:
    """There is nothing to be meant."""
    with _refused("there is no text"):
        Lesson(_rendered()).want("number", point)


def test_a_point_of_a_static_page_is_refused() -> None:
    """Nothing has a place there."""
    with _refused("not rendered"):
        Lesson(_page(camera())).want("price", (5.0, 5.0))


def test_a_node_is_an_example() -> None:
    """By its number or as itself, and the text in it just as well."""
    page = _page(camera())
    node = int(page.with_tag("b")[0])
    for example in (node, page.node(node), node + 1):
        assert _said(Lesson(page).want("price", example), "price") == ["$500"]


def test_matches_tell_where_they_stand() -> None:
    """Node, text and XPath belong together."""
    page = _page(camera())
    (match,) = Lesson(page).want("price", "$500").matches("price")
    assert match == Match(int(page.with_tag("b")[0]), "$500", page.xpath(int(page.with_tag("b")[0])))


# ------------------------------------------------------------------ questions


def test_a_question_is_about_what_hypotheses_differ_on() -> None:
    """Neither all nor none of the hypotheses take the node, and nothing was said of it yet."""
    page = _page("<h1>A</h1><p class=cost>$5</p><p class=cost>$6</p><p>$7</p>")
    lesson = Lesson(page).want("price", "$5")
    question = lesson.question("price")
    assert question is not None
    assert 0 < question.share < 1
    assert question.text != "$5"
    assert question.page is page
    assert question.name == "price"


def test_an_answer_changes_the_next_question() -> None:
    """What was answered is not asked again, and at last there is nothing to ask."""
    page = _page("<h1>A</h1><p class=cost>$5</p><p class=cost>$6</p><p>$7</p>")
    lesson = Lesson(page).want("price", "$5")
    asked: list[int] = []
    while (question := lesson.question("price")) is not None:
        assert question.node not in asked
        asked.append(question.node)
        lesson.reject("price", question.node)
        assert len(asked) < len(page)
    assert asked
    assert _said(lesson, "price") == ["$5"]


def test_there_is_no_question_where_all_agree() -> None:
    """One text on a page leaves nothing to ask, and neither does a lesson without examples."""
    assert Lesson(_page("<p>$5</p>")).want("price", "$5").question() is None
    assert Lesson(_page("<p>$5</p>")).question() is None


# ------------------------------------------------------------------ what is refused


def test_contradictory_examples_are_refused() -> None:
    """The text and the field are named."""
    lesson = Lesson(_page(camera())).want("price", "$500").reject("price", "$500")
    with _refused("$500", "price"):
        lesson.pattern("price")
    assert _said(lesson.undo(), "price") == ["$500"]


def test_a_value_that_is_wanted_and_absent_is_refused() -> None:
    """A page cannot have a value and none."""
    with _refused("price"):
        Lesson(_page(camera())).want("price", "$500").absent("price").pattern("price")


def test_a_text_that_is_not_there_is_refused_with_the_closest() -> None:
    """Who mistypes is told what stands there."""
    with _refused("$501", "$500"):
        Lesson(_page(camera())).want("price", "$501")
    with _refused("Qwertyuiop", "nothing"):
        Lesson(_page(camera())).want("price", "Qwertyuiop")


def test_a_text_in_many_places_is_noted() -> None:
    """It is taken, but people are told that it says little."""
    lesson = Lesson(_page("<h1>A</h1>" + "<p>same</p>" * 40)).want("field", "same")
    assert any("40 places" in note and "same" in note and "field" in note for note in lesson.notes)


@pytest.mark.parametrize("body", ["", "<p></p>", "<p hidden>a</p>", "<script>a</script>"])
def test_a_page_without_texts_is_refused(body: str) -> None:
    """There is nothing to point at."""
    with _refused("no visible text"):
        Lesson(_page(body))


def test_what_is_hidden_is_no_example() -> None:
    """Neither by its text nor by its node."""
    page = _page(camera() + "<p hidden>Secret</p>")
    node = int(page.with_tag("p")[-1])
    with _refused("Secret", "visible"):
        Lesson(page).want("price", "Secret")
    for own in (node, node + 1):
        with _refused("visible", str(own)):
            Lesson(page).want("price", own)


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\u200b"])
def test_an_empty_example_is_refused(text: str) -> None:
    """It stands everywhere and nowhere."""
    with _refused("empty"):
        Lesson(_page(camera())).want("price", text)


@pytest.mark.parametrize("node", [-1, 10_000])
def test_a_node_that_is_not_there_is_refused(node: int) -> None:
    """The numbers of the nodes that are there are told."""
    with _refused(str(node), "0 to"):
        Lesson(_page(camera())).want("price", node)


def test_a_node_without_text_is_refused() -> None:
    """There is nothing to read."""
    page = _page(camera() + "<hr>")
    with _refused("no text"):
        Lesson(page).want("price", int(page.with_tag("hr")[0]))


@pytest.mark.parametrize("example", [None, 1.5, True, ["$500"], b"$500", (1.0,), (1.0, 2.0, 3.0), ("a", "b")], ids=repr)
def test_an_example_of_another_type_is_refused(example: object) -> None:
    """It is a mistake of the caller, told in a sentence."""
    with pytest.raises(UsageError):
        Lesson(_page(camera())).want("price", example)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "  ", None, 5])
def test_a_field_without_a_name_is_refused(name: object) -> None:
    """It has to be called something."""
    with _refused("name"):
        Lesson(_page(camera())).want(name, "$500")  # type: ignore[arg-type]


def test_a_name_with_a_dot_is_refused_at_once() -> None:
    """A dot parts a set from its field, so no field is called so; the lesson goes on without it."""
    lesson = Lesson(_page(camera()))
    with _refused("shop.price"):
        lesson.want("shop.price", "$500")
    assert lesson.want("price", "$500").wrapper.fields == ["price"]


@pytest.mark.parametrize("name", ["weight", "price.old", "price."])
def test_an_unknown_field_is_refused(name: str) -> None:
    """There is nothing to tell of it."""
    lesson = Lesson(_page(camera())).want("price", "$500")
    for ask in (lesson.pattern, lesson.matches, lesson.question):
        with _refused(name):
            ask(name)


def test_a_lesson_needs_a_page_and_an_example() -> None:
    """Without them there is nothing to learn from."""
    with _refused("page"):
        Lesson().want("price", "$500")
    with _refused("example"):
        _ = Lesson(_page(camera())).wrapper
    with _refused("page"):
        Lesson("https://example.org")  # type: ignore[arg-type]
    with _refused("price"):
        _ = Lesson(_page(camera())).reject("price", "$500").wrapper
    with _refused("price"):
        _ = Lesson(_page(camera())).absent("price").wrapper


# ------------------------------------------------------------------ the wrapper


def test_the_pages_of_a_lesson_are_read_well() -> None:
    """What was taught is what is read, and the wrapper says that all is well."""
    lesson = _taught(
        (camera(), {"name": "EOS 5D", "price": "$500"}), (camera("D850", "$7"), {"name": "D850", "price": "$7"})
    )
    wrapper = lesson.wrapper
    assert [own.verdict for own in wrapper.checked] == ["ok", "ok"]
    assert wrapper.extract(_page(camera("K-1", "$8"))).to_dicts() == [{"name": "K-1", "price": "$8"}]
    assert wrapper.extract(_page(camera())).to_dicts() == [{"name": "EOS 5D", "price": "$500"}]


def test_a_whole_page_is_shown_at_once() -> None:
    """A field that is not shown on a page is not on it."""
    lesson = Lesson().show(_page(camera()), {"name": ["EOS 5D"], "price": ["$500"]})
    lesson.show(_page(camera("D850", "ask us")), {"name": ["D850"]})
    assert lesson.pattern("price").optional
    assert _said(lesson, "price", camera("K-1", "$9")) == ["$9"]
    assert _said(lesson, "price", camera("D850", "ask us")) == []


def test_the_order_of_examples_does_not_matter() -> None:
    """The same examples make the same wrapper."""
    names = ("price", "$500"), ("name", "EOS 5D"), ("weight", "950 g")
    made = []
    for order in (names, names[::-1]):
        lesson = Lesson(_page(camera()))
        for name, text in order:
            lesson.want(name, text)
        made.append({own: lesson.pattern(own) for own in lesson.names})
    assert made[0] == made[1]


def test_fewer_conditions_can_be_asked_for() -> None:
    """The setting bounds every rule."""
    body = "<p>Old <b>$9</b></p><p>New <b>$5</b></p><p>Fee <b>$1</b></p>"
    lesson = Lesson(_page(body), settings=TeachSettings(conditions=1)).want("price", "$5")
    assert all(len(rule.conditions) == 1 for rule in lesson.pattern("price").rules)


def test_teach_is_a_lesson() -> None:
    """The public face begins one."""
    assert sl.teach(_page(camera())).want("price", "$500").wrapper.fields == ["price"]


def test_teaching_grows_with_the_page_alone() -> None:
    """An example on a page of nine thousand nodes is understood, and four times the nodes are four times the work."""

    def lesson(count: int) -> Callable[[], list[Any]]:
        page = _page(listed(*(f"<b class=name>Cam {own}</b><i>{own} €</i>" for own in range(count))))
        return lambda: list(Lesson(page).want("name", f"Cam {count // 2}").matches("name"))

    assert len(lesson(1800)()) == 1800
    assert growth(lesson, 100) < 6
