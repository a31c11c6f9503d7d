"""What fields are called: by their label, the page's own words for them, or what they hold."""

import json
from collections import Counter

import pytest

from .._templates import FOOT, learned, listed, product, read, sentence, table


def _fields(*forms: str) -> list[str]:
    """The fields of pages whose parts are these, with the number of the page in each."""
    pages = ["".join(form.replace("{}", str(number)) for form in forms) for number in range(11, 15)]
    return learned(f"<div>{page}</div>{FOOT}" for page in pages).fields


@pytest.mark.parametrize(
    "form",
    [
        "<p><b>Price:</b> {} pieces</p>",
        "<p>Price: <i>{} pieces</i></p>",
        "<div><span>Price</span><span>{} pieces</span></div>",
        "<h4>Price</h4><p>{} pieces</p>",
        "<table><tr><th>Price<td>{} pieces</table>",
        "<table><tr><td>Price *<td>{} pieces</table>",
        "<p>Price: {} pieces</p>",
    ],
)
def test_a_label_is_the_name(form: str) -> None:
    """The fixed text before a value names it, without colons and stars; so does a label in the text itself."""
    assert _fields("<h1>Thing {}</h1>", form) == ["title", "Price"]


def test_headings_of_a_table_are_names() -> None:
    """The heading row names the columns, by their place."""

    def page(number: int) -> str:
        rows = [(f"Item {number}{own}", f"{number}{own} €", f"{own} left") for own in range(number)]
        return f"<h1>Prices</h1>{table(rows, ['Name', 'Price', 'Stock'])}{FOOT}"

    wrapper = learned(map(page, (2, 3, 4, 5)))
    assert read(wrapper, page(2))[1] == {"Name": "Item 21", "Price": "21 €", "Stock": "1 left"}


def test_itemprop_is_the_name() -> None:
    """What a page marks up for machines is what it is called."""
    assert _fields("<h2 itemprop=name>Thing {}</h2>", "<p>Now <span itemprop=price>{}.50</span></p>") == [
        "name",
        "price",
    ]


def test_a_property_names_one_field_and_what_says_the_same() -> None:
    """What another page's property says is no second brand of this page; the same value again is."""

    def page(number: int) -> str:
        said = {"@type": "Product", "name": f"Lens {number}", "brand": {"@type": "Brand", "name": f"Firm {number}"}}
        script = f'<script type="application/ld+json">{json.dumps(said)}</script>'
        firm, rival = f"Firm {number}", f"Firm {(number + 2) % 4 + 11}"
        firms = f"<p><i>{firm}</i></p><div><u>{firm}</u></div><p>Rival: <q>{rival}</q></p>"
        return f"{script}<h1>Lens {number}</h1>{firms}{FOOT}"

    wrapper = learned(map(page, range(11, 15)))
    assert (wrapper.fields, wrapper.aside) == (["name", "brand", "Rival"], ["brand 2"])


def test_a_witness_is_the_name() -> None:
    """What the page's JSON-LD calls a text comes before everything else."""

    def page(number: int) -> str:
        said = {"@type": "Product", "name": f"Lens {number}", "brand": {"@type": "Brand", "name": f"Firm {number}"}}
        script = f'<script type="application/ld+json">{json.dumps(said | {"offers": {"price": 100 + number}})}</script>'
        return f"{script}<h1>Lens {number}</h1><p>Made by <b>Firm {number}</b></p><i>${100 + number}</i>{FOOT}"

    assert learned(map(page, range(4))).fields == ["name", "brand", "price"]


def test_words_of_classes_are_names() -> None:
    """A telling class names what is in it; one that only lays out does not."""
    forms = (
        "<p class='col-md-4 product-rating'>{} stars</p>",
        "<p id=maker class=left>by Firm{}</p>",
        "<b class=mb-4>x{}</b>",
    )
    assert _fields("<h1>Thing {}</h1>", *forms) == ["title", "rating", "maker", "text 1"]


def test_headings_are_titles() -> None:
    """A heading that differs is the title."""
    assert _fields("<h2>Thing {}</h2>", "<p>words and {}</p>")[0] == "title"


@pytest.mark.parametrize(
    ("text", "name"), [("{} €", "price"), ("{}.5.2020", "date"), ("https://example.org/{}", "url"), ("{}", "number")]
)
def test_what_a_field_holds_is_its_name(text: str, name: str) -> None:
    """Without any other word for it, a field is called by its kind."""
    assert _fields("<h1>Thing {}</h1>", f"<p>{text}</p>") == ["title", name]


def test_names_are_unique_in_their_record() -> None:
    """Of several fields of one name all but the first have a number, and no record has a name twice."""
    forms = ("<div><p class=price>{} €</p></div>", "<ul><li class=price>1{} €</ul>", "<i class=price>2{} €</i>")
    assert _fields("<h1>Thing {}</h1>", *forms) == ["title", "price", "price 2", "price 3"]


def test_no_field_is_called_just_text() -> None:
    """What has no name has a number, so that a record never looks like a value with its type."""
    fields = _fields("<h1>Thing {}</h1>", "<p>x{}</p>", "<i>y{}</i>", "<div>z{}</div>")
    assert fields == ["title", "text 1", "text 2", "text 3"]


def test_a_sentence_is_no_label() -> None:
    """A fixed sentence before a value does not name it."""
    fields = _fields("<h1>Thing {}</h1>", f"<p>{sentence(1)} <b>x{{}}</b></p>")
    assert fields == ["title", "text 1"]


def test_a_link_is_no_label() -> None:
    """The last entry of a menu says nothing about what follows it."""
    assert _fields("<div><a href=/>Imprint</a></div>", "<p>x{}</p>") == ["text 1"]


def test_sets_are_called_by_the_heading_before_them() -> None:
    """A set has the name of its heading, its values the name of the set."""
    pages = [
        f"<h1>Thing {n}</h1><h2>Parts</h2>{listed(*(f'Part {n}{own}' for own in range(n)))}{FOOT}" for n in (2, 3, 4, 5)
    ]
    assert learned(pages).fields == ["title", "Parts"]


def test_fields_of_a_set_are_named_in_it() -> None:
    """Records in a page have names of their own, written with the name of the set."""

    def page(number: int) -> str:
        likes = (
            f"<b class=author>User {number}{own}</b> <i class=date>May {own + 1}</i>" for own in range(1 + number % 3)
        )
        return product(number, more=f"<h2>Reviews</h2>{listed(*likes)}")

    fields = learned(map(page, range(6))).records_of(None).fields
    assert [name for name in fields if "." in name and not name.startswith("more")] == [
        "Reviews.author",
        "Reviews.date",
    ]


def test_all_names_of_a_page_differ() -> None:
    """No two fields of a wrapper have one full name unless they are one field."""
    pages = [
        product(number, more=f"<p class=price>{number} €</p><b class=price>{number}0 €</b>") for number in range(4)
    ]
    counts = Counter(learned(pages).fields)
    assert max(counts.values()) == 1


def test_a_heading_row_without_a_head_names_the_columns() -> None:
    """The first row of a table does where its cells are headings, in the one body that there is."""

    def page(number: int) -> str:
        rows = "".join(f"<tr><td>Item {number}{own}<td>{number}{own} €<td>{own} left</tr>" for own in range(number + 1))
        return f"<h1>Shop {number}</h1><table><tr><th>Name<th>Price<th>Stock</tr>{rows}</table>{FOOT}"

    assert read(learned(map(page, range(1, 5))), page(5)) == [
        {"Name": f"Item 5{own}", "Price": f"5{own} €", "Stock": f"{own} left"} for own in range(6)
    ]


def test_a_paragraph_behind_a_heading_is_no_title() -> None:
    """Of a heading and the text that belongs to it only the heading is a title."""

    def page(number: int) -> str:
        terms = "".join(f"<h3>Term {number}{own}</h3><p>Meaning {number}{own}</p>" for own in range(number + 1))
        return f"<h1>Words</h1><div>{terms}</div>{FOOT}"

    assert sum("title" in name for name in learned(map(page, range(1, 5))).fields) == 1


def test_a_heading_row_of_plain_cells_names_the_columns() -> None:
    """A first row that is the same on all pages heads the table, even if its cells are made like all others."""

    def page(number: int, count: int) -> str:
        rows = [
            ("Name", "Price", "Stock"),
            *((f"Lens {number}{row}", f"{number}{row} €", f"{row} left") for row in range(count)),
        ]
        cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<h1>Shop {number}</h1><table>{cells}</table>{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((3, 5, 2)))
    assert read(wrapper, page(9, 1)) == [{"Name": "Lens 90", "Price": "90 €", "Stock": "0 left"}]


def test_two_constant_cells_are_no_heading_row() -> None:
    """A row whose value is the same on all pages names nothing but itself, and no other table."""
    table_of = "<table><tr><td>Affiliation</td><td>None</td></tr><tr><td>Size</td><td>{} ha</td></tr></table>"
    forms = ("<h1>School {}</h1>", table_of, "<table><tr><td>Phone</td><td>555-01{}</td></tr></table>")
    assert _fields(*forms) == ["title", "Affiliation", "Size", "Phone"]


def test_headings_name_the_cells_of_their_own_table_only() -> None:
    """What follows a table is not named by its headings."""
    headed = "<table><tr><th>Year<th>Team<th>Goals</tr><tr><td>20{}<td>Club {}<td>{}</tr></table>"
    assert _fields("<h1>Player {}</h1>", headed, "<table><tr><td>x{}<td>y{}<td>z{}</tr></table>") == [
        *("title", "Year", "Team", "Goals"),
        *("text 1", "text 2", "text 3"),
    ]


def test_a_label_in_the_cell_beats_the_heading() -> None:
    """What a text says of itself counts more than the row above it."""
    headed = "<table><tr><th>Facts<th>Score</tr><tr><td>Runtime: {} min<td>{}</tr></table>"
    assert _fields("<h1>Film {}</h1>", headed) == ["title", "Runtime", "Score"]


def test_the_class_of_a_box_names_none_of_its_fields() -> None:
    """An element with several fields is about all of them."""
    assert _fields("<h1>Thing {}</h1>", "<div class=author><p>x{}</p><p>y{}</p><p>z{}</p></div>") == [
        *("title", "text 1", "text 2", "text 3"),
    ]


def test_generated_classes_are_no_names() -> None:
    """What a machine calls an element is not what it holds."""
    forms = (
        "<p class=xg12>a{}</p>",
        "<p class=mtx3>b{}</p>",
        "<p class=oddrow>c{}</p>",
        "<p class=price>on sale {x}</p>",
    )
    assert _fields("<h1>Thing {}</h1>", *forms[:3]) == ["title", "text 1", "text 2", "text 3"]


def test_a_class_that_the_texts_belie_is_no_name() -> None:
    """A price without a digit is something else."""
    pages = [
        f"<h1>Thing {n}</h1><p class=price>{word}</p>{FOOT}" for n, word in enumerate(("new", "used", "old", "rare"))
    ]
    assert learned(pages).fields == ["title", "text 1"]


def test_a_page_has_one_title() -> None:
    """Other headings that differ are not titles, and the first link is none either."""
    forms = ("<p><a href=/{}>Kind {}</a></p>", "<h1>Thing {}</h1>", "<h3>Section x{}</h3>")
    assert _fields(*forms) == ["title", "text 1", "text 2"]


def test_a_title_differs_between_pages() -> None:
    """A team that several players share is not the title of their pages, even if the page's title has it."""

    def page(number: int) -> str:
        team = f"Team {number // 3}"
        return f"<title>Player {number} - {team} - Sports</title><h2>{team}</h2><p>Player {number}</p><p>x{number}</p>"

    wrapper = learned(map(page, range(6)))
    assert read(wrapper, page(7))[0]["title"] == "Player 7"


def test_a_title_is_on_most_pages() -> None:
    """Of two that are in the title of the page, the one that more pages have is the title."""

    def page(number: int) -> str:
        trailer = f"<h3>FILM {number}</h3>" if number % 2 else ""
        return f"<title>Film {number} reviews and more</title><p>Film {number}</p>{trailer}<p>{number} min</p>{FOOT}"

    assert read(learned(map(page, range(1, 9))), page(9))[0]["title"] == "Film 9"


def test_a_title_has_no_other_label() -> None:
    """What its own label calls a company is no title, even if it is all that the page's title says."""

    def page(number: int) -> str:
        return f"<title>Jobs - Firm {number}</title><p><b>Company:</b> <i>Firm {number}</i></p><p>x{number}</p>{FOOT}"

    assert "title" not in learned(map(page, range(4))).fields


def test_a_heading_that_repeats_the_pages_title_is_none() -> None:
    """A heading that ends alike on all pages says what the site has, too; the thing's own name is the title."""
    end = "reviews, ratings and more"

    def page(number: int) -> str:
        return f"<title>Film {number} {end}</title><p>Film {number}</p><h1>Film {number} {end}</h1>{FOOT}"

    assert read(learned(map(page, range(1, 5))), page(6))[0]["title"] == "Film 6"


def test_links_that_say_what_to_do_have_no_label() -> None:
    """What stands beside a label may be a button."""
    forms = ("<h1>Thing {}</h1>", "<p><b>Your price:</b> <a href=/>Compare {} offers</a></p>")
    assert _fields(*forms) == ["title", "text 1"]


def test_counts_name_themselves() -> None:
    """The number of reviews in the box of a rating is not a rating."""
    forms = ("<h1>Thing {}</h1>", "<div class=rating><b>{} stars</b> <i>({} reviews)</i></div>")
    assert _fields(*forms) == ["title", "rating", "reviews"]


def test_bylines_are_not_what_the_heading_says() -> None:
    """The author of a synopsis is no synopsis."""
    forms = ("<h1>Film {}</h1>", "<div><h4>Synopsis</h4><p>by Ann Lee{}</p></div>")
    assert _fields(*forms) == ["title", "text 1"]


def test_classes_name_years_only() -> None:
    """A car of some year is no year."""
    forms = ("<h1>Thing {}</h1>", "<p class=year>20{}</p>", "<p class=years>20{} Suzuki SX4</p>")
    assert _fields(*forms) == ["title", "year", "text 1"]


def test_a_second_field_of_a_class_says_what_it_holds() -> None:
    """Of two fields in an element with a telling class, a date is not what the first one is."""
    forms = ("<h1>Thing {}</h1>", "<div class=publisher><b>House{}</b> <i>{}.5.2020</i></div>")
    assert _fields(*forms) == ["title", "publisher", "publisher date"]


def test_headings_that_span_columns_name_none() -> None:
    """A row with more cells than there are headings is not named by them, but by the headings below them."""
    heads = "<tr><th>Season<th>Goals<th>Other</tr><tr><th>Year<th>Club<th>Home<th>Away<th>Cards<th>Fouls</tr>"
    row = "<tr><td>20{}<td>Club {}<td>1{}<td>2{}<td>3{}<td>4{}</tr>"
    assert _fields("<h1>Player {}</h1>", f"<table>{heads}{row}</table>") == [
        *("title", "Year", "Club", "Home", "Away", "Cards", "Fouls"),
    ]


def test_a_text_after_a_value_does_not_name_the_next() -> None:
    """What follows a value in its element is about that value, like the unit or the kind of a price."""
    price = "<div><p><b>{} pieces</b> <span>in stock</span></p><p><b>{} more</b></p></div>"
    assert _fields("<h1>Thing {}</h1>", price) == ["title", "text 1", "text 2"]


def test_labels_that_come_before_all_values_name_none() -> None:
    """Which value belongs to which of them is not known."""
    block = "<tr><td>Contact:<br>Mail:</td><td>Ann x{}<br>y{}</td></tr>"
    fields = _fields("<h1>School {}</h1>", f"<table>{block}<tr><td>Size:</td><td>{{}} ha</td></tr></table>")
    assert fields == ["title", "text 1", "text 2", "Size"]


def test_the_label_of_a_row_names_what_follows_it() -> None:
    """If another text comes between them, the value may be about that."""
    row = "<tr><td>Students</td><td><a href=/>How do I compare?</a></td><td>x{}</td></tr>"
    fields = _fields("<h1>School {}</h1>", f"<table>{row}<tr><td>Size</td><td>{{}} ha</td></tr></table>")
    assert fields == ["title", "text 1", "Size"]


def test_a_heading_in_a_row_is_not_its_value() -> None:
    """A row that begins with two texts of one style is a heading row: neither is about what is below it."""
    heads = "<tr><td><b class=head>Country</b></td><td><b class=head>Rating</b></td></tr>"
    values = "<tr><td>Land x{}</td><td>y{}</td></tr>"
    fields = _fields("<h1>Film {}</h1>", f"<table>{heads}{values}</table>")
    assert "Country" not in fields
