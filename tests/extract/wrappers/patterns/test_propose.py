"""Which conditions are proposed for an example, and what they cost."""

import pytest

import sightline as sl
from sightline.extract.wrappers.patterns import TESTS, WAYS, Condition, View, mask_of
from sightline.extract.wrappers.patterns._conditions import MARKS, VISUAL
from sightline.extract.wrappers.patterns._propose import conditions_on, cost_of, is_called
from sightline.testing import element, grid_page, list_page, page_of, shop_pages


def _html(body: str) -> View:
    return View(sl.open(f"<!doctype html><html lang=en><body>{body}".encode(), static=True))


PAGES = {
    "list": View(list_page(["one", "two", "three"])),
    "grid": View(grid_page([["Name", "Price"], ["EOS", "5 €"], ["D850", "7 €"]])),
    "shop": View(shop_pages(1)[0]),
    "marks": _html("<main id=m class='a b'><h2>Facts</h2><p data-x=1><b>Price:</b> 5 €</p><ul><li>x<li>y</ul></main>"),
}


@pytest.mark.parametrize("name", PAGES)
def test_what_is_proposed_holds(name: str) -> None:
    """Every condition holds on the node that it was proposed for."""
    view = PAGES[name]
    proposed = 0
    for node in view.candidates.tolist():
        for condition, cost in conditions_on(view, node, 0, frozenset()):
            proposed += 1
            assert mask_of(view, condition)[node], (condition, view.text(node))
            assert cost >= 0
    assert proposed


@pytest.mark.parametrize("name", ["shop", "marks"])
def test_nothing_visual_is_proposed_on_a_static_page(name: str) -> None:
    """There is nothing to see."""
    view = PAGES[name]
    found = [own for node in view.candidates.tolist() for own, _ in conditions_on(view, node, 0, frozenset())]
    assert not {own.test for own in found} & set(VISUAL)


def test_looks_are_proposed_on_a_rendered_page() -> None:
    """Size and weight, and the label at the left."""
    plain, bold = {"font-size": "16px"}, {"font-size": "24px"}
    parts = [
        element("p", "Price:", box=(0, 0, 100, 20), style=plain),
        element("p", "$5", box=(120, 0, 200, 20), style=bold),
        element("p", "end", box=(0, 40, 100, 60), style=plain),
    ]
    view = View(page_of(element("html", element("body", *parts, box=(0, 0, 800, 90), style=plain), style=plain)))
    (node,) = [own for own in view.candidates.tolist() if view.text(own) == "$5"]
    tests = {own.test for own, _ in conditions_on(view, node, 0, frozenset())}
    assert {"look", "larger", "right of"} <= tests


def test_values_are_no_labels() -> None:
    """What was given as an example of another field names nothing."""
    view = _html("<p><b>EOS</b> <i>5 €</i></p>")
    (node,) = [own for own in view.candidates.tolist() if view.text(own) == "5 €"]
    assert "after" in {own.test for own, _ in conditions_on(view, node, 0, frozenset())}
    assert "after" not in {own.test for own, _ in conditions_on(view, node, 0, frozenset(["eos"]))}


@pytest.mark.parametrize("test", TESTS)
def test_every_condition_has_a_cost(test: str) -> None:
    """None is for nothing."""
    for way in WAYS if test in MARKS else ("self",):
        assert cost_of(Condition(way, test, "1")) >= 0


def test_costs_say_what_is_likely_to_hold_elsewhere() -> None:
    """Names before places, and what may be of one page only last."""
    label, mark, place = (Condition("self", *own) for own in (("after", "price"), ("class", "price"), ("place", "3")))
    assert cost_of(label) < cost_of(place)
    assert cost_of(mark) < cost_of(place)
    assert cost_of(mark) < cost_of(Condition("self", "class", "x81"))
    assert cost_of(mark) < cost_of(Condition("inside", "class", "price"))
    assert cost_of(Condition("self", "attribute", "itemprop=price")) < cost_of(
        Condition("self", "attribute", "x=price")
    )
    assert cost_of(mark) < cost_of(Condition("self", "look", "16px"))


@pytest.mark.parametrize(
    ("value", "name", "called"),
    [
        ("price", "price", True),
        ("product-price", "price", True),
        ("productPrice", "price", True),
        ("prices", "price", True),
        ("committer", "commit_date", True),
        ("weight", "price", False),
        ("a", "a price", True),
        ("pri", "price", False),
        ("", "price", False),
    ],
)
def test_a_name_is_known_in_a_mark(value: str, name: str, called: bool) -> None:
    """By whole words, or words of one root."""
    assert is_called(Condition("self", "class", value), name) is called
    assert not is_called(Condition("self", "look", value), name)
