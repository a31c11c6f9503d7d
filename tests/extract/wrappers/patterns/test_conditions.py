"""Basic conditions: on which nodes of a page each of them holds."""

import numpy as np
import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import TESTS, WAYS, Condition, View, mask_of
from sightline.extract.wrappers.patterns._conditions import MARKS, VISUAL
from sightline.page import Page
from sightline.testing import element, page_of

BODY = """
<nav id="top"><a rel="next" href="/next">Next</a></nav>
<main class="shop page" id="main">
 <h1>EOS 5D</h1>
 <div class="offer first" data-sku="SKU-1">
  <p class="price"><b>Price:</b> <span itemprop="price">$500</span></p>
  <p><b>Weight:</b> 950 g</p>
 </div>
 <h2>Details</h2>
 <dl><dt>Sold</dt><dd>12 May 2021</dd><dt>Mail</dt><dd>shop@example.org</dd></dl>
 <table><tr><th>Part</th><th>Cost</th></tr><tr><td>Lens</td><td><i>$90</i></td></tr><tr><td>Cap</td><td>$5</td></tr></table>
 <p>Call 555-123-4567</p>
</main>
"""


def _static(body: str = BODY, head: str = "") -> Page:
    return sl.open(f"<!doctype html><html lang=en><head>{head}</head><body>{body}".encode(), static=True)


def _says(page: Page, way: str, test: str, value: str = "", *, negated: bool = False) -> list[str]:
    """What the nodes say that can be values and on which a condition holds."""
    view = View(page)
    nodes = view.candidates[mask_of(view, Condition(way, test, value, negated))[view.candidates]]
    return [view.text(node) for node in nodes.tolist()]


OFFER = "Price: $500 Weight: 950 g"
SHOP = f"EOS 5D {OFFER} Details Sold 12 May 2021 Mail shop@example.org"


@pytest.mark.parametrize(
    ("test", "value", "said"),
    [
        ("tag", "dd", ["12 May 2021", "shop@example.org"]),
        ("class", "price", ["Price: $500"]),
        ("class", "first", [OFFER]),
        ("id", "top", ["Next"]),
        ("attribute", "itemprop=price", ["$500"]),
        ("attribute", "data-sku=SKU-1", [OFFER]),
        ("has", "itemprop", ["$500"]),
        ("has", "rel", ["Next"]),
        ("starts", "href=/ne", ["Next"]),
        ("starts", "data-sku=SKU", [OFFER]),
        ("after", "price", ["$500"]),
        ("after", "Weight:", ["950 g"]),
        ("after", "sold", ["12 May 2021"]),
        ("beside", "price", ["$500"]),
        ("beside", "weight", ["950 g"]),
        ("following", "sold", ["12 May 2021"]),
        ("text", "eos5d", ["EOS 5D"]),
        ("begins", "call", ["Call 555-123-4567"]),
        ("kind", "money", ["$500", "$90", "$90", "$5"]),
        ("kind", "email", ["shop@example.org"]),
        ("column", "cost", ["$90", "$90", "$5"]),
        ("column", "part", ["Lens", "Cap"]),
    ],
)
def test_a_node_is_tested_itself(test: str, value: str, said: list[str]) -> None:
    """Each test holds on exactly the nodes that it is about."""
    assert _says(_static(), "self", test, value) == said


def test_a_date_is_a_kind() -> None:
    """Also where a few words stand around it."""
    found = _says(_static(), "self", "kind", "date")
    assert "12 May 2021" in found
    assert "950 g" not in found


def test_a_class_is_a_whole_word() -> None:
    """A part of a word of a class is no class."""
    assert _says(_static(), "self", "class", "pri") == []


@pytest.mark.parametrize(
    ("way", "test", "value", "said"),
    [
        ("parent", "tag", "dl", ["Sold", "12 May 2021", "Mail", "shop@example.org"]),
        ("parent", "class", "price", ["Price:", "$500"]),
        ("parent", "id", "top", ["Next"]),
        ("parent", "attribute", "data-sku=SKU-1", ["Price: $500", "Weight: 950 g"]),
        ("parent", "has", "data-sku", ["Price: $500", "Weight: 950 g"]),
        ("parent", "starts", "data-sku=SKU", ["Price: $500", "Weight: 950 g"]),
        ("inside", "tag", "td", ["$90"]),
        ("inside", "class", "offer", ["Price: $500", "Price:", "$500", "Weight: 950 g", "Weight:", "950 g"]),
        ("inside", "id", "top", ["Next"]),
        (
            "inside",
            "attribute",
            "data-sku=SKU-1",
            ["Price: $500", "Price:", "$500", "Weight: 950 g", "Weight:", "950 g"],
        ),
        ("inside", "has", "data-sku", ["Price: $500", "Price:", "$500", "Weight: 950 g", "Weight:", "950 g"]),
        ("inside", "starts", "class=offer", ["Price: $500", "Price:", "$500", "Weight: 950 g", "Weight:", "950 g"]),
        ("holds", "tag", "i", None),
        ("holds", "attribute", "itemprop=price", None),
        ("holds", "class", "offer", None),
    ],
)
def test_a_way_leads_to_the_witness(way: str, test: str, value: str, said: list[str] | None) -> None:
    """The element around a node, any around it, and any in it, but never the node itself."""
    found = _says(_static(), way, test, value)
    if said is None:
        own = _says(_static(), "self", test, value)
        assert found
        assert not set(found) & set(own) or test == "tag"
        assert all(any(text in outer for text in own) for outer in found)
    else:
        assert found == said


def test_what_holds_a_node_is_everything_around_it() -> None:
    """From the innermost to the outermost element that can be a value."""
    page = _static("<section><div><p>a <i>b</i></p></div><p>c</p></section>")
    assert _says(page, "holds", "tag", "i") == ["a b c", "a b", "a b"]


def test_places_are_counted_among_siblings_of_a_tag() -> None:
    """Other tags between them do not count, and the last has none of its tag behind it."""
    page = _static("<ul><li>a</li><b>x</b><li>b</li><li>c</li></ul>")
    assert _says(page, "self", "place", "2") == ["b"]
    assert _says(page, "self", "last") == ["a x b c", "x", "c"]
    assert _says(_static("<div><p>a</p></div><div><p>b</p></div>"), "parent", "place", "2") == ["b"]
    assert _says(_static("<div><p>a</p></div><div><p>b</p></div>"), "parent", "last") == ["a", "b", "b"]


def test_bare_texts_are_a_tag() -> None:
    """A text beside others is one, and so is an element that is nothing but a text."""
    page = _static("<p><b>Weight:</b> 950 g</p>")
    assert _says(page, "self", "tag", "#text") == ["Weight:", "950 g"]


@pytest.mark.parametrize(("value", "said"), [("details", ["12 May 2021"]), ("eos 5d", ["950 g"]), ("sold", [])])
def test_the_heading_above_counts(value: str, said: list[str]) -> None:
    """It is the last heading before a node, and nothing but a heading."""
    found = _says(_static(), "self", "under", value)
    assert [text for text in found if text in ("12 May 2021", "950 g")] == said


def test_a_heading_is_not_under_itself() -> None:
    """It stands under the one before it."""
    page = _static("<h2>One</h2><p>a</p><h2>Two</h2><p>b</p>")
    assert _says(page, "self", "under", "one") == ["a", "Two"]
    assert _says(page, "self", "under", "two") == ["b"]


@pytest.mark.parametrize("label", ["Price", "price:", " PRICE : ", "price*"])
def test_labels_are_compared_as_people_do(label: str) -> None:
    """Case, colon and blanks do not count."""
    assert _says(_static(), "self", "after", label) == ["$500"]


@pytest.mark.parametrize("test", ["after", "beside", "following", "under", "column", "text", "class", "said"])
def test_what_is_not_on_the_page_holds_nowhere(test: str) -> None:
    """A label, word or text that the page does not have is no reason to take anything."""
    assert _says(_static(), "self", test, "nowhere") == []
    assert _says(_static("<p>a</p>"), "self", test, "nowhere") == []


@pytest.mark.parametrize("test", ["tag", "id", "attribute", "has", "starts"])
def test_what_no_element_has_holds_nowhere(test: str) -> None:
    """An attribute, value or tag that the page does not have is no reason either."""
    value = {"attribute": "lang=xx", "starts": "nowhere=x"}.get(test, "nowhere")
    assert _says(_static(), "self", test, value) == []


def test_the_data_of_the_page_name_its_texts() -> None:
    """What JSON-LD, meta elements and title say is found where it stands on the page."""
    data = '{"@type": "Product", "name": "EOS 5D", "offers": {"price": "500"}}'
    head = f"""<script type="application/ld+json">{data}</script><meta property="og:title" content="EOS 5D">"""
    page = _static(BODY, head)
    names = View(page).published
    assert names
    for name, texts in names.items():
        keys = {"".join(text.split()).lower() for text in texts}
        assert {"".join(text.split()).lower() for text in _says(page, "self", "said", name)} <= keys
    assert "EOS 5D" in [text for name in names for text in _says(page, "self", "said", name)]


@pytest.mark.parametrize("test", [own for own in TESTS if own not in VISUAL])
def test_a_denied_condition_holds_on_all_others(test: str) -> None:
    """Every node is on one of the two sides."""
    view = View(_static())
    value = {"place": "1", "tag": "dd", "class": "price", "attribute": "itemprop=price", "column": "cost"}.get(
        test, "price"
    )
    held, denied = (mask_of(view, Condition("self", test, value, negated)) for negated in (False, True))
    assert np.array_equal(held, ~denied)


# ------------------------------------------------------------------ how pages look

PLAIN = {"font-size": "16px", "font-weight": "400", "color": "rgb(0, 0, 0)"}
BOLD = {"font-size": "20px", "font-weight": "700", "color": "rgb(200, 0, 0)"}


def _rendered() -> Page:
    """Two labels in a column with their values to the right, and a price below a heading."""
    parts = [
        element("div", "Price", box=(0, 0, 100, 20), style=PLAIN),
        element("div", "$500", box=(200, 0, 300, 20), style=BOLD),
        element("div", "Weight", box=(0, 40, 100, 60), style=PLAIN),
        element("div", "950 g", box=(200, 40, 300, 60), style=PLAIN),
        element("div", "Colour", box=(0, 80, 100, 100), style=PLAIN),
        element("div", "black", box=(200, 80, 300, 100), style=PLAIN),
    ]
    body = element(
        "body", element("section", *parts, box=(0, 0, 800, 200), style=PLAIN), box=(0, 0, 800, 200), style=PLAIN
    )
    return page_of(element("html", body, box=(0, 0, 800, 200), style=PLAIN))


@pytest.mark.parametrize(
    ("test", "value", "said"),
    [
        ("look", "20px 700 rgb(200, 0, 0)", ["$500"]),
        ("larger", "", ["$500"]),
        ("right of", "price", ["$500"]),
        ("right of", "Weight:", ["950 g"]),
        ("below", "price", ["Weight"]),
        ("below", "weight", ["Colour"]),
        ("in row of", "weight", ["950 g"]),
        ("in row of", "$500", ["Price"]),
        ("in column of", "price", ["Weight", "Colour"]),
        ("in column of", "$500", ["950 g", "black"]),
    ],
)
def test_a_rendered_page_is_tested_by_its_looks(test: str, value: str, said: list[str]) -> None:
    """Size, weight and colour, and what stands beside and below a label."""
    own = [text for text in _says(_rendered(), "self", test, value) if not text.startswith("Price ")]
    assert own == said


@pytest.mark.parametrize("test", ["right of", "below", "in row of", "in column of"])
def test_nothing_stands_beyond_the_last_text(test: str) -> None:
    """At the right and lower end of the page there is nothing more, and a label that is not there leads nowhere."""
    assert _says(_rendered(), "self", test, "black") == (["Colour"] if test == "in row of" else [])
    assert _says(_rendered(), "self", test, "nowhere") == []


@pytest.mark.parametrize("test", VISUAL)
@pytest.mark.parametrize("value", ["price", "", "16px"])
def test_nothing_looks_like_anything_on_a_static_page(test: str, value: str) -> None:
    """Without a browser no node has a place or a look."""
    assert _says(_static(), "self", test, value) == []


# ------------------------------------------------------------------ what cannot be said


@pytest.mark.parametrize(
    ("way", "test", "value", "told"),
    [
        ("above", "tag", "p", "above"),
        ("", "tag", "p", "''"),
        ("self", "colour", "red", "colour"),
        ("inside", "after", "price", "after"),
        ("parent", "kind", "money", "kind"),
        ("holds", "look", "x", "look"),
        ("self", "place", "first", "first"),
        ("self", "place", "", "''"),
        ("self", "place", "-1", "-1"),
        ("self", "place", "0", "0"),
        ("self", "place", "²", "²"),
    ],
)
def test_what_cannot_be_tested_is_refused(way: str, test: str, value: str, told: str) -> None:
    """One sentence names what is wrong."""
    with pytest.raises(UsageError) as problem:
        Condition(way, test, value)
    assert told in str(problem.value)
    assert str(problem.value).endswith(".")
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("test", TESTS)
def test_every_test_has_a_way(test: str) -> None:
    """Marks are tested by every way, all others on the node itself."""
    view = View(_static())
    for way in WAYS if test in MARKS else ("self",):
        assert mask_of(view, Condition(way, test, "1")).shape == (len(view.page),)


def test_a_condition_is_tested_once_a_page() -> None:
    """The second time it is remembered."""
    view = View(_static())
    assert mask_of(view, Condition("self", "tag", "p")) is mask_of(view, Condition("self", "tag", "p"))


def test_a_condition_is_told_in_short() -> None:
    """For messages and sorting."""
    assert str(Condition("inside", "class", "a", negated=True)) == "not inside class a"
    assert str(Condition("self", "last")) == "self last"
    assert Condition("self", "look", "x").is_visual
    assert not Condition("self", "class", "x").is_visual
