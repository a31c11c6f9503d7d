"""Places: the elements and labels around values, on whole pages and on parts of them."""

from sightline.checks import ValuePlaces
from sightline.data import Origin
from sightline.testing import element, page_of

PAGE = page_of(
    element(
        "html",
        element("div", element("b", "Price :"), element("span", "5 €", class_="sum n17"), class_="row12"),
        element("p", element("a", "Shop", href="https://www.other.example/x"), element("a", "Home", href="/")),
        element("p", "A text that is much too long to be the label of anything at all"),
        element("i", "7"),
    ),
    url="https://shop.example/",
    kind="static",
)


def _node(tag: str, place: int = 0) -> int:
    return int(PAGE.with_tag(tag)[place])


def test_places_leave_numbers_out() -> None:
    """Classes that count rows are one class; a text stands where its element does."""
    places = ValuePlaces(PAGE)
    assert places.place(_node("span")) == "div.row>span.n.sum"
    assert places.place(_node("span") + 1) == places.place(_node("span"))


def test_labels_are_short_texts_before() -> None:
    """Without case and colon; a long text is no label, and before the first text there is none."""
    places = ValuePlaces(PAGE)
    assert places.label(_node("span")) == "price"
    assert places.label(_node("i")) is None
    assert places.label(_node("b")) is None


def test_hosts_tell_whether_a_link_stays() -> None:
    """An empty host is the page's own; what is no link has none."""
    places = ValuePlaces(PAGE)
    assert [places.host(_node("a", place)) for place in (0, 1)] == ["other.example", ""]
    assert places.host(_node("span")) is None


def test_origins_of_other_pages_have_no_place() -> None:
    """Numbers of another page, or beyond this one, mean nothing here."""
    places = ValuePlaces(PAGE)
    assert places.node(Origin(PAGE.id, (3,))) == 3
    assert places.nodes(Origin(PAGE.id, (-1, 3, len(PAGE)))) == [3]
    assert places.node(Origin("other", (3,))) is None
    assert places.node(None) is None


def test_origins_are_found_on_a_part_of_their_page() -> None:
    """A part has numbers of its own; what is not in it has no place there."""
    part = PAGE.subtree(_node("div"))
    places = ValuePlaces(part)
    node = places.node(Origin(PAGE.id, (_node("span"),)))
    assert node is not None
    assert part.node(node).text == "5 €"
    assert places.node(Origin(PAGE.id, (_node("i"),))) is None
