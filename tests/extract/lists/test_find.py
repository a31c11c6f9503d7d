"""Every repeated region of a page as a list of records: what is found, how its parts are called, and in which order."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.data import ItemList, Value
from sightline.extract.lists import ListSettings, find_lists
from sightline.page import Page
from sightline.testing import check_extractor, element, grid_page, list_page, page_of, shifted

from ..._effort import growth
from ._pages import STARS, WORDS, article, listed, prose, rendered, static, texts_of, titles_of

MENU = "<nav><ul>" + "".join(f"<li><a href=/{word}>{word.title()}</a></li>" for word in WORDS[:8]) + "</ul></nav>"
RESULTS = "<div id=results>" + "".join(
    f"<div class=result><h3><a href='/r/{place}'>{star} and its neighbours</a></h3>"
    f"<p class=snippet>{prose(place)}</p></div>"
    for place, star in enumerate(STARS)
) + "</div>"  # fmt: skip


def _card(place: int, star: str) -> str:
    picture = f"<img src='img/{place}.jpg' width=40 height=40>"
    return f"<div class=card>{picture}<h3 class=name>{star}</h3><div class=price>${place}9.00</div></div>"


def _cards(first: int, last: int) -> str:
    return "".join(_card(place, STARS[place]) for place in range(first, last))


PAGES: dict[str, str] = {
    "results": f"{MENU}<h1>Results</h1>{RESULTS}",
    "cards": f"<h2>Shop</h2><div class=grid>{_cards(0, 9)}</div>",
    "article": f"<h1>Stars</h1>{article(STARS[:5])}",
    "lines": "<p>" + "<br>".join(f"{star}, {place} far" for place, star in enumerate(STARS)),
    "terms": "<dl>" + "".join(f"<dt>{star}<dd>{prose(place)}" for place, star in enumerate(STARS)) + "</dl>",
    "rows": "<table>"
    + "".join(f"<tr><td>{star}<td>{place}.5 years<td>A{place}</tr>" for place, star in enumerate(STARS))
    + "</table>",
}


def _best(body: str) -> ItemList:
    return find_lists(static(body))[0]


# ------------------------------------------------------------------ what is found


@pytest.mark.parametrize("opened", [static, rendered], ids=["static", "rendered"])
def test_search_results_come_before_the_menu(opened: object) -> None:
    """What the page was made for is first; the menu is there too, and called one."""
    found = find_lists(opened(PAGES["results"]))  # type: ignore[operator]
    assert [(one.kind, len(one)) for one in found] == [("items", 10), ("navigation", 8)]
    assert titles_of(found[0]) == [f"{star} and its neighbours" for star in STARS]
    assert found[0].caption == "Results"
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert (found[0].box is None) == (opened is static)


def test_menus_can_be_left_out() -> None:
    """Whoever wants no ways to other pages gets none."""
    found = find_lists(static(PAGES["results"]), settings=ListSettings(navigation=False))
    assert [(one.kind, len(one)) for one in found] == [("items", 10)]


def test_links_in_one_line_are_a_menu() -> None:
    """Links that follow each other with nothing but marks between them are a list, and lead elsewhere."""
    links = " | ".join(f"<a href=/{word}>{word.title()}</a>" for word in WORDS[:6])
    found = [one for one in find_lists(static(f"<p>{links}</p>{RESULTS}")) if one.kind == "navigation"]
    assert [titles_of(one) for one in found] == [[word.title() for word in WORDS[:6]]]


def test_cards_in_rows_are_one_list() -> None:
    """A grid of three rows of three cards is a list of nine."""
    rows = "".join(f"<div class=row>{_cards(row, row + 3)}</div>" for row in (0, 3, 6))
    found = _best(f"<h2>Shop</h2><div class=grid>{rows}</div>")
    assert titles_of(found) == list(STARS[:9])


def test_lists_inside_cards_are_no_lists_of_their_own() -> None:
    """The sizes in each card are parts of the card."""
    sizes = listed(["small", "middle", "large"], "ul")
    cards = "".join(f"<div class=card><p>{prose(place)}</p>{sizes}</div>" for place in range(9))
    found = find_lists(static(f"<div>{cards}</div>"))
    assert [len(one) for one in found] == [9]
    assert found[0][3].text.text.split("\n") == [prose(3), "small", "middle", "large"]


def test_comments_are_a_list() -> None:
    """A thread is one list, a comment a record, behind what is commented."""
    thread = "".join(
        f"<div class=comment><div class=author>{star} Smith</div><div class=body>{prose(place)}</div></div>"
        for place, star in enumerate(STARS[:6])
    )
    found = find_lists(static(f"{RESULTS}<section id=comments>{thread}</section>"))
    assert [len(one) for one in found][:2] == [10, 6]
    assert titles_of(found[1]) == [f"{star} Smith" for star in STARS[:6]]


def test_terms_go_with_their_descriptions() -> None:
    """One list has a record for each term, with its description in it."""
    records = [f"{star}\n{prose(place)}" for place, star in enumerate(STARS)]
    assert records in texts_of(find_lists(static(PAGES["terms"])))


def test_headings_go_with_their_texts() -> None:
    """An article with headings is a list of its sections."""
    found = _best(PAGES["article"])
    assert titles_of(found) == list(STARS[:5])
    assert [item.components.text("text") for item in found] == [prose(place, 30) for place in range(1, 6)]


def test_lines_between_breaks_are_records() -> None:
    """A break parts lines as items do."""
    assert texts_of([_best(PAGES["lines"])]) == [[f"{star}, {place} far" for place, star in enumerate(STARS)]]


def test_a_list_in_two_columns_is_one_list() -> None:
    """Columns are for the eye."""
    body = "<div class=columns>" + "".join(
        f"<ul class=column>{''.join(f'<li>{star}</li>' for star in part)}</ul>" for part in (STARS[:5], STARS[5:])
    )
    assert texts_of(find_lists(static(body))) == [list(STARS)]


def test_rows_of_a_table_are_records() -> None:
    """A row is a record, a cell a part of it."""
    found = _best(PAGES["rows"])
    assert len(found) == 10
    assert [str(value.text) for value in found[1].components.values() if isinstance(value, Value)] == [
        *("Canopus", "1.5 years", "A1"),
    ]


def test_a_page_of_pictures_has_a_list_of_pictures() -> None:
    """Pictures that repeat are records without words."""
    body = "<div>" + "".join(f"<div class=shot><img src={place}.png></div>" for place in range(6)) + "</div>"
    found = _best(body)
    assert [item.image.text for item in found if item.image] == [
        f"https://shop.example/a/{place}.png" for place in range(6)
    ]
    assert {item.text.text for item in found} == {""}


@pytest.mark.parametrize("body", ["", "<img src=x.png>", "<p>One text.</p>", "<ul></ul>", listed(["one", "two"])])
def test_where_nothing_repeats_nothing_is_found(body: str) -> None:
    """Three of a kind are needed, and a page may have none."""
    assert find_lists(static(body)) == []


def test_two_records_are_enough_when_asked_for() -> None:
    """How many make a list can be said."""
    page = static(listed(["one", "two"]))
    assert texts_of(find_lists(page, settings=ListSettings(least_records=2))) == [["one", "two"]]
    page = static(listed(STARS))
    assert len(find_lists(page, settings=ListSettings(least_records=10))) == 1
    assert find_lists(page, settings=ListSettings(least_records=11)) == []


def test_a_higher_score_can_be_asked_for() -> None:
    """What scores less is left out."""
    page = static(PAGES["results"])
    for least in (0.0, 0.5, 1.0):
        found = find_lists(page, settings=ListSettings(least_score=least, navigation=False))
        assert all(one.score >= least for one in found)
    assert find_lists(page, settings=ListSettings(least_score=1.0, navigation=False)) == []


# ------------------------------------------------------------------ parts and their names


def test_parts_are_aligned_when_a_record_lacks_one() -> None:
    """The part that is missing is None, and the others stay in their columns."""
    body = "".join(
        f"<div class=p><h4>{star}</h4>{f'<div class=brand>{WORDS[place]}</div>' if place != 3 else ''}"
        f"<div class=cost>{place} coins</div></div>"
        for place, star in enumerate(STARS)
    )
    found = _best(f"<div>{body}</div>")
    assert found[3].components.to_dict() == {"title": "Vega", "brand": None, "cost": "3 coins"}
    assert found[4].components.to_dict() == {"title": "Capella", "brand": "place", "cost": "4 coins"}


def test_parts_are_called_as_the_page_calls_them_or_by_what_they_hold() -> None:
    """Microdata, classes, labels, kinds of texts: each names a column."""
    body = "".join(
        f"<div class=p><h4>{star} star</h4><div itemprop=brand>{WORDS[place]}</div><p class=item-genre>old {place}</p>"
        f"<pre>Weight: {place} kg</pre><ul><li>2024-01-{10 + place}</li></ul><section>${place}.50</section>"
        f"<address>{7 * place}</address><h6>www.star.com/{place}</h6></div>"
        for place, star in enumerate(STARS)
    )
    found = _best(f"<div>{body}</div>")
    assert list(found[0].components) == ["title", "brand", "genre", "Weight", "date", "price", "number", "url"]


def test_names_are_all_different() -> None:
    """Two columns of one name would be one."""
    body = "".join(
        f"<li><h4>{star}</h4><p>{prose(place)}</p><div>{prose(place + 20)}</div><section>{prose(place + 40)}</section>"
        for place, star in enumerate(STARS)
    )
    assert list(_best(f"<ul>{body}</ul>")[0].components) == ["title", "text", "text 2", "text 3"]


def test_parts_do_not_hide_what_items_have_themselves() -> None:
    """A column called as the page calls a rank, a link or an image has another name."""
    body = "".join(
        f"<li><h4>{star}</h4><p itemprop=link>{prose(place)}</p><div itemprop=image>a {place}</div>"
        for place, star in enumerate(STARS)
    )
    assert list(_best(f"<ul>{body}</ul>")[0].components) == ["title", "link text", "image text"]


def test_addresses_are_whole() -> None:
    """Links are resolved against the page, whatever form they have; jumps on the page are none."""
    links = ("/root", "near", "//other.example/x", "https://whole.example/y", "?q=1", "#place", "../up")
    body = "".join(f"<li><a href='{link}'>Star {place}</a></li>" for place, link in enumerate(links))
    found = _best(f"<ul>{body}</ul>")
    assert [item.link.text for item in found if item.link] == [
        "https://shop.example/root",
        "https://shop.example/a/near",
        "https://other.example/x",
        "https://whole.example/y",
        "https://shop.example/a/b.html?q=1",
        "https://shop.example/up",
    ]


def test_an_address_that_is_none_stays_as_it_is() -> None:
    """Nothing fails on what cannot be an address."""
    found = _best(listed([f"<a href='http://[{star}'>{star}</a>" for star in STARS], "ul"))
    assert [item.link.text for item in found if item.link] == [f"http://[{star}" for star in STARS]


def test_pictures_that_load_late_have_their_address() -> None:
    """A placeholder is not the picture."""
    empty = "data:image/gif;base64,R0lGOD"
    items = [f"<img src='{empty}' data-src='/{star}.jpg'>{star}" for star in STARS]
    found = _best(listed(items, "ul"))
    assert [item.image.text for item in found if item.image] == [f"https://shop.example/{star}.jpg" for star in STARS]


def test_things_that_are_called_by_a_number_keep_their_name() -> None:
    """“Step 3” before a text counts it; a link that says “Camera 3” is the name of a thing."""
    cards = "".join(f"<li><a href=/{n}>Camera {n}</a><p>{prose(n)}</p></li>" for n in range(1, 7))
    assert [item.title.text for item in _best(f"<ul>{cards}</ul>")] == [f"Camera {n}" for n in range(1, 7)]


def test_numbers_that_count_the_records_become_ranks() -> None:
    """A column of nothing but 1, 2, 3 is no part; it is the rank."""
    body = "".join(
        f"<li><span>{place}.</span><div><a href=/{place}>{star} star</a></div><div>{prose(place, 5)}</div></li>"
        for place, star in enumerate(STARS, start=1)
    )
    found = _best(f"<ul>{body}</ul>")
    assert [item.rank for item in found] == list(range(1, 11))
    assert list(found[0].components) == ["title", "text"]
    assert found[1].title.text == "Canopus star"


def test_records_and_table_of_a_list_are_typed() -> None:
    """Each part becomes a column that knows what it holds."""
    found = _best(PAGES["cards"])
    records, table = found.records(), found.to_table()
    assert len(records) == 9
    assert records[2].text("price") == "$29.00"
    assert len(table.rows) == 10
    assert [row[0] for row in table.rows] == ["title", *STARS[:9]]
    types = {column.name: str(column.type) for column in found.columns}
    assert types["price"] == "money USD"


# ------------------------------------------------------------------ promises of every extractor


def _values(page: Page) -> list[Value]:
    """Every value of every list but addresses, which stand in no text."""
    values: list[Value] = []
    for found in find_lists(page, settings=ListSettings(least_score=0)):
        for item in found:
            parts = [
                part for field in item.components.values() for part in (field if isinstance(field, tuple) else [field])
            ]
            values += [item.title, item.text, *(part for part in parts if isinstance(part, Value))]
    return values


@pytest.mark.slow
@pytest.mark.parametrize("body", PAGES.values(), ids=PAGES.keys())
def test_extractor_keeps_the_contract(body: str) -> None:
    """Repeatable, traceable, unmoved by where the page stands, rendered or not."""
    check_extractor(_values, [static(body), rendered(body)])


def test_extractor_keeps_the_contract_on_pages_built_by_hand() -> None:
    """The pages of the suite itself, and others like them."""
    check_extractor(_values)
    check_extractor(_values, [list_page(STARS), grid_page([[star, "x", "y"] for star in STARS])])


@pytest.mark.parametrize("body", PAGES.values(), ids=PAGES.keys())
def test_a_moved_page_has_the_same_lists(body: str) -> None:
    """Texts, names and scores do not depend on where the page stands."""
    page = rendered(body)
    one, other = find_lists(page), find_lists(shifted(page, 100, 50))
    assert texts_of(one) == texts_of(other)
    assert [list(found[0].components) for found in one] == [list(found[0].components) for found in other]
    assert [round(found.score, 6) for found in one] == [round(found.score, 6) for found in other]


@pytest.mark.parametrize("body", PAGES.values(), ids=PAGES.keys())
def test_a_part_of_a_page_gives_values_of_the_whole_page(body: str) -> None:
    """Origins on a part name the nodes of the page that it was taken from."""
    whole = static(f"<p>before</p><div id=part>{body}</div>")
    part = whole.subtree(int(whole.with_tag("div")[0]))
    for value in _values(part):
        assert value.origin is not None
        assert value.origin.page == whole.id
        assert "".join(value.text.split()) in "".join("".join(map(whole.text_of, value.origin.nodes)).split())


TAGS = ("div", "p", "ul", "li", "span", "a", "b", "h2", "table", "tr", "td", "dl", "dt", "dd", "br", "img", "article")
TREES = st.recursive(
    st.sampled_from(["", " ", *STARS[:4], "1. one", "2. two", "3. three", "Price: 5 €"]),
    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=5)),
    max_leaves=25,
)


def _element(tree: object) -> object:
    if isinstance(tree, str):
        return tree
    tag, children = tree  # type: ignore[misc]
    display = "inline" if tag in ("span", "a", "b", "img", "br") else "table-cell" if tag == "td" else "block"
    style = {"display": display, "visibility": "visible"}
    return element(tag, *map(_element, children), box=(0, 0, 400, 20), style=style, href="x", class_="item title")  # type: ignore[arg-type]


def _tidy(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
@given(st.lists(TREES, max_size=6), st.sampled_from(["static", "rendered"]))
@settings(max_examples=50)
def test_any_page_is_searched(trees: list[object], kind: str) -> None:
    """Whatever stands on a page: lists come out whose items follow each other, and titles are parts of them."""
    body = element("body", *map(_element, trees), box=(0, 0, 400, 400), style={"display": "block"})  # type: ignore[arg-type]
    page = page_of(element("html", body, box=(0, 0, 400, 400), style={"display": "block"}), kind=kind)  # type: ignore[arg-type]
    for found in find_lists(page, settings=ListSettings(least_score=0, least_records=2)):
        assert len(found) >= 2
        assert 0 <= found.score <= 1
        nodes = [item.text.origin.nodes for item in found if item.text.origin]
        assert len(nodes) == len(found)
        ends = [max(int(page.end[node]) for node in own) for own in nodes]
        assert all(own[0] >= end for own, end in zip(nodes[1:], ends, strict=False))
        for item in found:
            assert _tidy(item.title.text) in _tidy(item.text.text)
        assert len({tuple(item.components) for item in found}) == 1
    check_extractor(_values, [page])
    sl.top_list(page, k=3)


# ------------------------------------------------------------------ pages that nobody should write


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 1000 + "x",
        "<ul><li>a" * 200,
        "<b>" * 500 + "x",
        "<p>" + "<br>" * 3000,
        "<p>" + "a <a href=x>b</a> " * 3000,
        "".join(f"<h2>{place}</h2>" for place in range(2000)),
        "<table>" + "<tr>" * 500 + "</table>",
        "<dl>" + "<dt>" * 500,
    ],
    ids=["deep boxes", "deep lists", "deep bold", "breaks", "links", "headings", "empty rows", "empty terms"],
)
def test_odd_pages_are_searched(body: str) -> None:
    """An answer comes, whatever stands on a page."""
    page = static(body)
    assert all(len(found) >= ListSettings().least_records for found in find_lists(page))
    top = sl.top_list(page, k=10)
    assert top is None or len(top) <= 10


@pytest.mark.parametrize(
    "row",
    ["<li>same row here</li>", "<li><a href=/x>same</a><p>row here</p></li>", "<tr><td>same</td><td>row</td></tr>"],
    ids=["lines", "records", "rows"],
)
def test_thousands_of_rows_are_read(row: str) -> None:
    """One list of all of them, with work that grows as they do."""
    tag = "table" if row.startswith("<tr") else "ul"

    def search(count: int) -> Callable[[], list[Any]]:
        page = static(f"<{tag}>{row * count}</{tag}>")
        return lambda: find_lists(page)

    assert [len(one) for one in search(10_000)()] == [10_000]
    assert growth(search, 150) < 6


# ------------------------------------------------------------------ records that lack something


def test_a_cell_with_a_link_is_the_same_column() -> None:
    """Whether or not a name leads somewhere, it is a name."""
    rows = "".join(
        f"<tr><td>{name}</td><td>{votes}</td></tr>"
        for name, votes in (("<a href='/a'>Ann Lee</a>", 3), ("Bo Chan", 2), ("<a href='/c'>Cy Dunn</a>", 1))
    )
    found = _best(f"<table><tr><th>Name</th><th>Votes</th></tr>{rows}</table>")
    assert [row["title"] for row in found.to_dicts()] == ["Ann Lee", "Bo Chan", "Cy Dunn"]


def test_fields_of_one_tag_are_told_apart_by_their_class() -> None:
    """A salary is never a place, whichever of the two is missing; and who has neither is still a record."""
    jobs = (("Cook", "Bern", "5200"), ("Baker", None, "4900"), ("Waiter", "Thun", None), ("Driver", None, None))
    body = "".join(
        f"<li class=job><h3>{title}</h3>"
        + (f"<div class=place>{place}</div>" if place else "")
        + (f"<div class=pay>{pay}</div>" if pay else "")
        + "</li>"
        for title, place, pay in jobs
    )
    found = _best(f"<ul>{body}</ul>")
    assert [(row["title"], row["place"], row["pay"]) for row in found.to_dicts()] == list(jobs)


def test_mere_marks_are_no_column() -> None:
    """Bars and points between the parts say nothing."""
    body = "".join(f"<li><a href='/{name}'>Star {name}</a><div>|</div><div>far {name}</div></li>" for name in "ABC")
    found = _best(f"<ul>{body}</ul>")
    assert [set(row.values()) & {"|"} for row in found.to_dicts()] == [set()] * 3


def test_rows_of_cards_are_no_list_beside_the_cards() -> None:
    """A grid is one list of its cards."""
    rows = "".join(
        "<div class=row style='display:flex'>"
        + "".join(
            f"<div class=card style='width:200px'><h3>Thing {row}{place}</h3><p>Words</p></div>" for place in "abc"
        )
        + "</div>"
        for row in "xyz"
    )
    assert [len(found) for found in sl.lists(sl.open(f"<title>x</title><div>{rows}</div>".encode()))] == [9]


def test_answers_to_comments_are_laid_out_flat() -> None:
    """Each with its level, and in the columns of what it answers."""
    answer = "<ul><li class='comment deep'><b>Ben</b><p>No.</p></li></ul>"
    body = "".join(
        f"<li class='comment'><b>{name}</b><p>Words of {name}.</p>{more}</li>"
        for name, more in (("Ann", answer), ("Cy", ""), ("Di", ""))
    )
    found = _best(f"<ul>{body}</ul>")
    assert [item.level for item in found] == [0, 1, 0, 0]
    assert [row["title"] for row in found.to_dicts()] == ["Ann", "Ben", "Cy", "Di"]
