"""Teaching on pages of results: the region around the examples, its records, and what is said about a part of them."""

import pytest

from sightline.extract.wrappers import Lesson, Wrapper
from sightline.page import Page
from sightline.testing import Element, element, page_of

from .._templates import opened

COUNT = 8
PLAIN = {"display": "block", "font-size": "14px", "font-weight": "400", "color": "rgb(0, 0, 0)"}
GREY = {**PLAIN, "color": "rgb(150, 150, 150)"}


def _page(body: str) -> Page:
    return opened(body)[0]


def card(number: int, *, note: str = "") -> str:
    """A product of a shop: a rank that is its own, a name, a note on some, a price."""
    return (
        f"<div class=card data-rank={number}><h3>Camera {number}</h3>{note}<p>A fine camera of its year.</p>"
        f"<span class=price>{100 + number} €</span></div>"
    )


def shop(count: int = COUNT, *, before: str = "", after: str = "") -> str:
    """A page of results."""
    return (
        f"<h1>Cameras</h1>{before}<div class=grid>{''.join(map(card, range(count)))}</div>{after}<p>All prices net.</p>"
    )


def _lesson(body: str, **examples: str) -> Lesson:
    lesson = Lesson(_page(body))
    for name, text in examples.items():
        lesson.want(name, text)
    return lesson


def _records(wrapper: Wrapper, body: str) -> list[dict[str, object]]:
    return wrapper.extract(_page(body)).to_dicts()


# ------------------------------------------------------------------ all records


def test_two_cells_of_the_first_record_mean_all_records() -> None:
    """A name and a price in a record of a list give every record, and the page is ok."""
    lesson = _lesson(shop(), name="Camera 0", price="100 €")
    found = lesson.wrapper.read(_page(shop()))
    assert found.verdict == "ok"
    assert found.records.to_dicts() == [{"name": f"Camera {n}", "price": f"{100 + n} €"} for n in range(COUNT)]


def test_two_cells_of_a_later_record_mean_all_records() -> None:
    """Which record is pointed at does not matter."""
    lesson = _lesson(shop(), name="Camera 5", price="105 €")
    assert len(_records(lesson.wrapper, shop())) == COUNT


def test_matches_show_what_the_wrapper_will_take() -> None:
    """The preview of a field has its value in every record."""
    lesson = _lesson(shop(), name="Camera 0", price="100 €")
    assert [match.text for match in lesson.matches("name")] == [f"Camera {n}" for n in range(COUNT)]


def test_the_number_of_a_record_is_no_rule() -> None:
    """What holds in the given record alone, such as its rank, is not used; other pages of the site are read as well."""
    wrapper = _lesson(shop(), name="Camera 0", price="100 €").wrapper
    assert len(_records(wrapper, shop(20))) == 20
    assert "rank" not in wrapper.words()


def test_two_records_one_by_one() -> None:
    """A second example of each field belongs to a second record."""
    lesson = _lesson(shop(), name="Camera 0", price="100 €").want("name", "Camera 3").want("price", "103 €")
    assert len(_records(lesson.wrapper, shop())) == COUNT


def test_a_part_of_a_record_that_repeats_is_not_the_record() -> None:
    """Paragraphs within a record repeat as well, but others of them have no name."""
    cards = "".join(
        f"<div class=card><p>Date {n}</p><p>Kind {n}</p><h3>Camera {n}</h3><p>A fine camera {n}.</p></div>"
        for n in range(6)
    )
    body = f"<div class=grid>{cards}</div>"
    wrapper = _lesson(body, kind="Kind 0", name="Camera 0").wrapper
    assert len(_records(wrapper, body)) == 6


def test_a_result_apart_from_the_others_belongs_to_them() -> None:
    """The first result may be in a container of its own."""
    rest = "".join(map(card, range(1, COUNT)))
    body = f"<h1>Cameras</h1><div><div>{card(0)}</div></div><div class=grid>{rest}</div>"
    wrapper = _lesson(body, name="Camera 0", price="100 €").wrapper
    assert len(_records(wrapper, body)) == COUNT


def test_a_rejected_value_is_taken_no_longer() -> None:
    """An advertisement in the list loses its name, and the other records stay."""
    note = "<b class=ad>Sold by us</b>"
    body = f"<div class=grid>{''.join(card(n, note=note if n == 3 else '') for n in range(COUNT))}</div>"
    lesson = _lesson(body, name="Camera 0", price="100 €").reject("name", "Camera 3")
    names = [record["name"] for record in _records(lesson.wrapper, body)]
    assert "Camera 3" not in names
    assert "Camera 7" in names


# ------------------------------------------------------------------ one record


def test_a_page_about_one_thing_is_one_record() -> None:
    """Examples outside the related products mean themselves, though a list has the same fields."""
    body = shop(before="<div class=main><h2>Tripod</h2><b class=cost>7 €</b></div>")
    found = _records(_lesson(body, name="Tripod", price="7 €").wrapper, body)
    assert found == [{"name": "Tripod", "price": "7 €"}]


def test_rows_of_a_data_sheet_are_no_records() -> None:
    """Two values in different rows are two fields of one thing, and nothing is doubted."""
    rows = "".join(f"<tr><td>Label {n}</td><td>{n} g</td></tr>" for n in range(6))
    body = f"<h1>EOS</h1><table>{rows}</table>"
    found = _lesson(body, weight="2 g", load="4 g").wrapper.read(_page(body))
    assert (found.verdict, found.records.to_dicts()) == ("ok", [{"weight": "2 g", "load": "4 g"}])


def test_blocks_that_lack_the_fields_are_no_records() -> None:
    """A page made of blocks of one kind is about one thing, if only one block has what was pointed at."""
    blocks = "<div class=block><h2>EOS 5D</h2><em>500 €</em></div>"
    blocks += "".join(f"<div class=block><p>Something else {n}</p><p>and more {n}</p></div>" for n in range(3))
    found = _records(_lesson(blocks, name="EOS 5D", price="500 €").wrapper, blocks)
    assert found == [{"name": "EOS 5D", "price": "500 €"}]


def _shown(body: str, *numbers: int) -> list[str]:
    """The names that are read where these records are shown."""
    page = _page(body)
    records = [{"name": [f"Camera {number}"], "price": [f"{100 + number} €"]} for number in numbers]
    found = Lesson().show(page, records=records).wrapper.read(page)
    assert found.verdict == "ok"
    return [str(record["name"]) for record in found.records.to_dicts()]


@pytest.mark.parametrize("numbers", [(0, 1), (3, 4), (2, 6), (6, 7)])
def test_records_shown_anywhere_mean_all_records(numbers: tuple[int, ...]) -> None:
    """Records in the middle of a list stand for it as the first ones do: those before them have the same fields."""
    assert _shown(shop(), *numbers) == [f"Camera {number}" for number in range(COUNT)]


def test_what_lacks_the_fields_before_the_first_shown_record_is_none() -> None:
    """A row of headings before the records that are shown is not read as one."""
    rows = "".join(f"<tr><td>Camera {n}</td><td>{100 + n} €</td></tr>" for n in range(COUNT))
    body = f"<h1>Cameras</h1><table><tr><th>Name</th><th>Price</th></tr>{rows}</table><p>All prices net.</p>"
    assert _shown(body, 0, 1) == [f"Camera {number}" for number in range(COUNT)]


# ------------------------------------------------------------------ lists of texts


def steps(count: int = 6) -> str:
    """A recipe with a list of steps."""
    return f"<h1>Soup</h1><h2>Method</h2><ol>{''.join(f'<li>Do thing number {n}</li>' for n in range(count))}</ol>"


@pytest.mark.parametrize("given", [("Do thing number 0",), ("Do thing number 0", "Do thing number 1")])
def test_items_of_a_list_mean_the_list(given: tuple[str, ...]) -> None:
    """One whole item, or two, stand for all items of the list."""
    lesson = Lesson(_page(steps()))
    for text in given:
        lesson.want("step", text)
    assert len(_records(lesson.wrapper, steps())) == 6


def test_a_field_with_many_values_takes_all_siblings() -> None:
    """Two items of a list beside a field of the page give all items."""
    lesson = _lesson(steps(), title="Soup").want("step", "Do thing number 0").want("step", "Do thing number 1")
    [record] = _records(lesson.wrapper, steps())
    assert record == {"title": "Soup", "step": [f"Do thing number {n}" for n in range(6)]}


# ------------------------------------------------------------------ a part is never ok


def test_one_of_many_is_doubted() -> None:
    """A field of a page about one thing that takes the first of many items is suspicious, and says why."""
    found = _lesson(steps(), title="Soup", step="Do thing number 0").wrapper.read(_page(steps()))
    assert found.verdict == "suspicious"
    assert "one of several that look alike" in found.problems[0].what


def test_one_of_many_is_confirmed_by_a_second_page() -> None:
    """Examples on two pages show that one value is meant."""
    lesson = _lesson(steps(), title="Soup", step="Do thing number 0")
    other = steps().replace("Soup", "Stew").replace("thing", "work")
    lesson.on(_page(other)).want("title", "Stew").want("step", "Do work number 0")
    assert lesson.wrapper.read(_page(steps())).verdict == "ok"


def test_one_of_many_is_doubted_by_a_loaded_wrapper() -> None:
    """The doubt is part of the wrapper file, and goes when its mark is removed."""
    text = _lesson(steps(), title="Soup", step="Do thing number 0").wrapper.dumps()
    assert Wrapper.loads(text).read(_page(steps())).verdict == "suspicious"
    assert Wrapper.loads(text.replace('"lone": true', '"lone": false')).read(_page(steps())).verdict == "ok"


def test_records_that_are_a_part_of_their_like_are_doubted() -> None:
    """A rule edited to leave out elements of the records' make is suspicious."""
    wrapper = _lesson(shop(), name="Camera 0", price="100 €").wrapper
    more = "<div class=hidden>" + "".join(f"<div class='card old'>{card(n)[27:]}" for n in range(90, 93)) + "</div>"
    text = wrapper.dumps()
    narrow = Wrapper.loads(
        text.replace(
            '{"way": "self", "test": "class", "value": "card"}', '{"way": "parent", "test": "class", "value": "grid"}'
        )
    )
    found = narrow.read(_page(shop(after=more)))
    assert len(found.records) == COUNT
    assert found.verdict == "suspicious"
    assert any("of one make" in problem.what for problem in found.problems)


def _rendered(*parts: Element) -> Page:
    body = element("body", *parts, box=(0, 0, 800, 1000), style=PLAIN)
    return page_of(element("html", body))


def _cell(place: int, kind: str, name: str, note: str, width: float = 200) -> Element:
    """A card of a kind: a name, and a note in grey below it."""
    top, left = 100 + 60 * (place // 3), 10 + 220 * (place % 3)
    above, below = ((left, top + shift, left + width, top + shift + 20) for shift in (0, 20))
    name_tag, note_tag = ("b", "i") if kind == "result" else ("em", "u")
    inside = (
        element(name_tag, name, box=above, style=PLAIN, **{"class": f"{kind}-name"}),
        element(note_tag, note, box=below, style=GREY, **{"class": f"{kind}-note"}),
    )
    return element("li", *inside, box=(left, top, left + width, top + 40), style=PLAIN, **{"class": kind})


def _grid(others: int, width: float = 200) -> Page:
    """A grid of results, of which some are of another kind."""
    results = [_cell(place, "result", f"Camera {place}", f"{place + 2} days ago") for place in range(9)]
    sponsored = [_cell(place, "advert", f"Offer {place}", "Sponsored", width) for place in range(9, 9 + others)]
    cards = element("ul", *results[:4], *sponsored, *results[4:], box=(10, 100, 650, 400), style=PLAIN)
    title = element("h1", "News", box=(10, 10, 600, 50), style=PLAIN)
    return _rendered(title, cards)


@pytest.mark.parametrize(
    ("others", "width", "verdict"), [(0, 200, "ok"), (3, 200, "suspicious"), (1, 200, "ok"), (3, 120, "suspicious")]
)
def test_records_that_are_a_part_of_what_looks_alike_are_doubted(others: int, width: float, verdict: str) -> None:
    """Several elements between the records that are built alike, whatever their classes and wherever they are seen."""
    page = _grid(others, width)
    lesson = Lesson(page).want("name", "Camera 0").want("age", "2 days ago")
    found = lesson.wrapper.read(page)
    assert len(found.records) == 9
    assert found.verdict == verdict
    told = "only 9 of 12 elements that look alike are taken; “Offer 9 Sponsored” is not"
    if width != 200:  # then they are counted by what they are made of
        told = "9 are taken, and 3 more look like them, such as “Offer 9 Sponsored”; "
        told += "to have these as well, give an example of one"
    assert [problem.what for problem in found.problems] == ([f"“items”: {told}"] if verdict == "suspicious" else [])


def test_the_first_of_a_list_below_its_heading_is_one_of_many() -> None:
    """A label above a whole list says only that an item is the first, so it stands for all."""
    texts = [f"Take {name}" for name in ("flour", "two eggs", "some milk", "salt", "sugar")]
    items = [
        element("li", text, box=(20, 100 + 20 * row, 300, 120 + 20 * row), style=PLAIN)
        for row, text in enumerate(texts)
    ]
    heading = element("h2", "Ingredients", box=(20, 70, 300, 95), style={**PLAIN, "font-size": "20px"})
    page = _rendered(heading, element("ul", *items, box=(20, 100, 300, 200), style=PLAIN))
    found = Lesson(page).want("item", texts[0]).wrapper.read(page)
    assert [record["item"] for record in found.records.to_dicts()] == texts


def test_a_value_below_the_head_of_its_column_is_not_one_of_many() -> None:
    """Where each of several alike has a label of its own above it, the label says which is meant."""
    names = ("Weight", "Load", "Height", "Width", "Depth")
    rows = [
        element(
            "tr",
            *[_box(tag, text, row, column) for column, text in enumerate(texts)],
            box=(0, row * 20, 600, row * 20 + 20),
            style=PLAIN,
        )
        for row, (tag, texts) in enumerate((("th", names), ("td", ("2 g", "4 g", "6 cm", "8 cm", "9 cm"))))
    ]
    table = element("table", element("tbody", *rows), box=(0, 0, 600, 40), style=PLAIN)
    page = _rendered(table, element("p", "That was all of it.", box=(0, 60, 600, 80), style=PLAIN))
    found = Lesson(page).want("weight", "2 g").want("height", "6 cm").wrapper.read(page)
    assert found.records.to_dicts() == [{"weight": "2 g", "height": "6 cm"}]
    assert found.verdict == "ok"


def _box(tag: str, text: str, row: int, column: int) -> Element:
    return element(tag, text, box=(column * 100, row * 20, column * 100 + 90, row * 20 + 20), style=PLAIN)


def test_items_that_are_different_fields_are_not_a_list() -> None:
    """Where two fields are shown as two items of one list, the items are different things, each with one value."""
    body = f"<h1>Invoice</h1><ul>{''.join(f'<li>{text}</li>' for text in ('40 €', '9 €', '49 €', '2022', '7'))}</ul>"
    (record,) = _records(_lesson(body, net="40 €", total="49 €").wrapper, body)
    assert record == {"net": "40 €", "total": "49 €"}


def test_examples_in_lists_of_different_make_are_not_ok() -> None:
    """Where the rule for two records leaves one of them out, the page is suspicious; the lesson names the example."""
    offers = "".join(f"<div class=offer><b>Offer {n}</b> <i>{n + 5} €</i></div>" for n in range(5))
    results = "".join(f"<li><h4><a href=/{n}>Result {n}</a></h4><p><cite>host{n}.org</cite></p></li>" for n in range(8))
    page = _page(f"<h1>Found</h1><section>{offers}</section><ol class=results>{results}</ol>")
    lesson = (
        Lesson(page).want("title", "Offer 1").want("more", "6 €").want("title", "Result 2").want("more", "host2.org")
    )
    assert lesson.wrapper.read(page).verdict == "suspicious"
    assert "“items.title” does not take its example “Offer 1”." in lesson.notes


def test_an_example_that_is_several_values_is_taken() -> None:
    """Two authors given as one text, which the page has as two elements joined by a comma, are not missed."""
    books = "".join(f"<li><h3>Book {n}</h3><i>Ann {n}</i>, <i>Ben {n}</i></li>" for n in range(6))
    body = f"<h1>Books</h1><ul>{books}</ul><p>All of them.</p>"
    lesson = _lesson(body, title="Book 0", authors="Ann 0, Ben 0")
    assert not any("does not take" in note for note in lesson.notes)
    assert lesson.wrapper.read(_page(body)).verdict == "ok"


# ------------------------------------------------------------------ one text


def test_the_title_of_one_result_means_all_titles() -> None:
    """A single example in a list of results stands for the list, whether it is a whole item or a part of one."""
    found = _records(_lesson(shop(), name="Camera 3").wrapper, shop())
    assert [record["name"] for record in found] == [f"Camera {n}" for n in range(COUNT)]


def test_an_item_of_a_short_list_means_the_list() -> None:
    """Three steps are a list as well."""
    steps = "".join(f"<li>{text}</li>" for text in ("Wash the leeks.", "Boil them well.", "Serve them hot."))
    body = f"<h1>Soup</h1><p>Easy and quick.</p><h2>Method</h2><ol>{steps}</ol>"
    assert len(_records(_lesson(body, step="Wash the leeks.").wrapper, body)) == 3


@pytest.mark.parametrize("text", ["Tripod", "7 g"])
def test_a_value_that_is_alone_stays_alone(text: str) -> None:
    """The name of a thing, and a labelled value of its data sheet, mean themselves, though the page has lists."""
    rows = "".join(f"<tr><th>Label {n}:</th><td>{n} g</td></tr>" for n in range(6, 10))
    body = shop(before=f"<div class=main><h2>Tripod</h2><table>{rows}</table></div>")
    assert _records(_lesson(body, value=text).wrapper, body) == [{"value": text}]


def test_more_examples_that_take_less_are_told() -> None:
    """Where two examples together take fewer values than the first alone, the notes ask about it."""
    items = "".join(f"<li class={'a' if n < 6 else 'b'}><i>Item {n}</i></li>" for n in range(7))
    body = f"<h1>Items</h1><ul>{items}</ul><div><i>Item 90</i><i>Item 91</i></div>"
    lesson = _lesson(body, item="Item 0")
    before = len(lesson.matches("item"))
    assert not any("together only" in note for note in lesson.notes)
    lesson.want("item", "Item 90")
    after = len(lesson.matches("item"))
    assert any("together only" in note for note in lesson.notes) == (after < before)
