"""What one page states: whose rows, columns or page the subject is, and where each value was seen."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.crawler.facts import PageStatements, state

from ._pages import HEAD, pairs_html, pairs_page, table_page


def _told(page: sl.Page) -> set[tuple[str, str, str]]:
    return {(one.subject, one.attribute, one.value.text) for one in state(page).statements}


def test_state_reads_a_row_for_each_subject() -> None:
    """The first column names the rows; empty cells state nothing."""
    rows = [["Camera", "Weight", "Price"], ["EOS 5D", "675 g", "$900"], ["D70", "700 g", ""], ["D80", "701 g", "$800"]]
    assert _told(table_page("a.example", rows)) == {
        ("EOS 5D", "Weight", "675 g"),
        ("EOS 5D", "Price", "$900"),
        ("D70", "Weight", "700 g"),
        ("D80", "Weight", "701 g"),
        ("D80", "Price", "$800"),
    }


def test_state_turns_a_comparison() -> None:
    """Products side by side: values along a row are of one kind, or the headings at the left have units."""
    rows = [["", "EOS 5D", "D70"], ["Weight", "675 g", "700 g"], ["Price", "$900", "$800"], ["Screen", '3.0"', '2.7"']]
    assert ("D70", "Price", "$800") in _told(table_page("a.example", rows))
    rows = [["", "EOS 5D", "D70"], ["Weight (g)", "675", "700"], ["Width (mm)", "152", "140"], ["Shots", "800", "600"]]
    assert ("D70", "Width (mm)", "140") in _told(table_page("a.example", rows))


def test_state_reads_brand_and_model_as_one_name() -> None:
    """By their headings, and else where the first column alone does not tell the rows apart."""
    rows = [
        ["Brand", "Model", "Weight"],
        ["Canon", "EOS 5D", "675 g"],
        ["Nikon", "D70", "700 g"],
        ["Sony", "A7", "1 kg"],
    ]
    assert _told(table_page("a.example", rows)) == {
        ("Canon EOS 5D", "Weight", "675 g"),
        ("Nikon D70", "Weight", "700 g"),
        ("Sony A7", "Weight", "1 kg"),
    }
    rows = [
        ["Who", "Which", "Weight"],
        ["Canon", "EOS 5D", "675 g"],
        ["Canon", "EOS 6D", "770 g"],
        ["Sony", "A7", "1 kg"],
    ]
    assert ("Canon EOS 6D", "Weight", "770 g") in _told(table_page("a.example", rows))


def test_state_sets_rows_of_one_name_aside() -> None:
    """Two rows of one name, told apart by nothing: a fact about either would be a guess, so both are only counted."""
    for texts in (["675 g", "810 g", "700 g", "668 g"], ["440 shots", "450 shots", "300 shots", "310 shots"]):
        rows = [["Camera", "Value"], *zip(("EOS 5D", "EOS 5D", "D70", "D80"), texts, strict=True)]
        found = state(table_page("a.example", [*map(list, rows)]))
        assert {one.subject for one in found.statements} == {"D70", "D80"}
        assert found.set_aside == 2


@pytest.mark.parametrize("tag", ["th", "td"])
def test_state_reads_pairs_about_the_page(tag: str) -> None:
    """Keys and values, with marked headings or without, are about what the main heading says."""
    pairs = {"Battery": "800 shots", "Weight": "675 g", "Sensor": "full frame", "Price": "$900", "Wi-Fi": "no"}
    page = sl.open(pairs_html("EOS 5D", pairs, tag=tag), url="https://a.example/", static=True)
    assert _told(page) == {("EOS 5D", name, value) for name, value in pairs.items()}


def test_state_reads_definition_lists() -> None:
    """A list of terms and definitions is a table of keys and values."""
    html = f"{HEAD.format('en', 'x')}<h1>EOS 5D</h1><dl><dt>Weight<dd>675 g<dt>Mount<dd>EF<dd>EF-S</dl>"
    assert _told(sl.open(html, static=True)) == {("EOS 5D", "Weight", "675 g"), ("EOS 5D", "Mount", "EF")}


def test_state_reads_headings_over_pairs() -> None:
    """`Feature` and `Value` over two columns name no subject; the name of the page over the second one does."""
    rows = [["Feature", "Value"], ["Weight", "675 g"], ["Mount", "EF"], ["Price", "$900"]]
    assert ("EOS 5D", "Weight", "675 g") in _told(table_page("a.example", rows, title="EOS 5D"))
    rows[0] = ["Feature", "EOS 5D"]
    assert ("EOS 5D", "Weight", "675 g") in _told(table_page("a.example", rows, title="EOS 5D"))


def test_state_takes_captions_where_a_page_is_about_several_things() -> None:
    """Tables with the same attributes are about different things: their captions."""
    one = "<table><caption>{}</caption><tr><th>Weight<td>{} g<tr><th>Mount<td>EF<tr><th>Price<td>$900</table>"
    both = f"{one.format('Alpha', 5)}<p>And another.</p>{one.format('Beta', 6)}"
    html = f"{HEAD.format('en', 'x')}<h1>Our cameras</h1>{both}"
    assert {("Alpha", "Weight", "5 g"), ("Beta", "Weight", "6 g")} <= _told(sl.open(html, static=True))


LAMP = "Brass lamp “Mira”"


def _lamp(parts: str, heading: str = "Brass lamp “Mira” at Lamps & Co: buy now") -> PageStatements:
    """The page of a lamp with more tables, and more in its heading than its name."""
    html = (Path(__file__).parents[3] / "examples" / "lamp.html").read_text()
    told = html.replace("<h1>Brass lamp “Mira”</h1>", f"<h1>{heading}</h1>").replace("</dl>", f"</dl>{parts}")
    return state(sl.open(told.encode(), url="https://lamps.example/mira", static=True))


def test_a_page_about_one_thing_states_of_it_by_its_name() -> None:
    """Where it is sold, and what can be done there, stands in its heading and is no part of its name."""
    found = {(one.subject, one.attribute, one.value.text) for one in _lamp("").statements}
    assert (LAMP, "Item no.", "BL-1042") in found
    assert {subject for subject, *_ in found} == {LAMP}


def test_sections_of_the_table_of_a_thing_are_about_the_thing() -> None:
    """What two sections call alike is told apart by their captions; a part with a number of its own is a subject."""
    table = "<table><caption>{}</caption><tr><th>Type<td>{}<tr><th>Weight<td>{} g<tr><th>Made in<td>Ghent</table>"
    parts = [("Shade", "linen", 120), ("Foot", "brass", 900), ("Bulb E27-4", "LED", 40)]
    told = _lamp("<p>And more.</p>".join(table.format(*part) for part in parts))
    found = {(one.subject, one.attribute, one.value.text) for one in told.statements}
    assert {(LAMP, "Shade Type", "linen"), (LAMP, "Foot Type", "brass")} <= found
    assert ("Bulb E27-4", "Type", "LED") in found


def test_the_first_pair_of_a_thing_is_no_heading() -> None:
    """Where its value has a digit; a heading over both columns is the title of the table."""
    rows = "<tr><td>Washing<td>by hand<tr><td>Made of<td>linen"
    number = f"<table><thead><tr><th>Model<th>L-204/B</thead>{rows}</table>"
    titled = f"<table><thead><tr><th colspan=2>General features</thead>{rows}</table>"
    for table in (number, titled):
        found = {(one.subject, one.attribute, one.value.text) for one in _lamp(table).statements}
        assert {(LAMP, "Washing", "by hand"), (LAMP, "Made of", "linen")} <= found
    assert (LAMP, "Model", "L-204/B") in {
        (one.subject, one.attribute, one.value.text) for one in _lamp(number).statements
    }


def test_the_sizes_of_a_thing_are_set_aside() -> None:
    """A row that is called “XS” or “39.5” is about no thing of that name; one that names another thing is."""
    head = "<thead><tr><th>Size<th>Width<th>Height</thead>"
    sizes = f"<table>{head}<tr><td>XS<td>20 cm<td>30 cm<tr><td>39.5<td>25 cm<td>35 cm</table>"
    found = _lamp(sizes)
    assert found.set_aside == 4
    assert {one.subject for one in found.statements} == {LAMP}
    others = sizes.replace("XS", "Lamp Vega").replace("39.5", "Lamp Lyra").replace("Size", "Model")
    assert {one.subject for one in _lamp(others).statements} == {LAMP, "Lamp Vega", "Lamp Lyra"}


def test_state_keeps_the_place_of_every_value() -> None:
    """The XPath leads to the cell on the page, and the address is the page's own."""
    page = pairs_page("a.example", "EOS 5D", {"Weight": "675 g", "Mount": "EF"})
    found = state(page)
    assert found.address == "https://a.example/item"
    assert found.page == page.id
    for one in found.statements:
        assert one.xpath
        node = page.find(one.xpath)
        assert node is not None
        assert page.node(node).text == one.value.text


def test_state_takes_the_address_that_a_saved_page_calls_its_own() -> None:
    """Without an address the folder stands for the site."""
    html = pairs_html("EOS 5D", {"Weight": "675 g", "Mount": "EF"})
    saved = sl.open(f"<link rel=canonical href=https://www.a.example/5d>{html}", static=True)
    assert (state(saved).address, state(saved).site) == ("https://www.a.example/5d", "a.example")
    assert state(sl.open(html, static=True), "pages/5d.html").site == "pages"


def test_state_of_a_page_without_tables_is_empty() -> None:
    """Nothing found is not an error."""
    found = state(sl.open("<p>Nothing but prose.", static=True))
    assert (found.statements, found.set_aside) == ((), 0)
