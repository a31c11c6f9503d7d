"""A target is one place, or a report of what is there instead."""

import pytest

import sightline as sl
from sightline.navigate.targets import NamedElements, Target, find_named, find_target, nothing_found, remember, too_many

PAGE = """<!doctype html><title>Shop</title>
<form><h2>Find</h2><label>Search <input name=q></label><button class=go id=find>Search</button></form>
<ul><li>EOS <button>Buy</button><li>Z8 <button>Buy</button></ul>
<form><h2>Newsletter</h2><label>Mail <input name=mail></label><button id=subscribe>Subscribe</button></form>
<p>Only <b>today</b></p><a href=/all><button>All cameras</button></a>"""


def elements_of(html: str) -> NamedElements:
    """The elements of a page, as rendered."""
    return NamedElements(sl.open(html.encode()))


@pytest.fixture(scope="module")
def elements() -> NamedElements:
    """The elements of the page above."""
    return elements_of(PAGE)


def tag_at(elements: NamedElements, node: int | None) -> str:
    """The tag of what was found, with its id."""
    assert node is not None
    found = elements.page.node(node)
    return f"{found.tag}#{found.attributes.get('id', found.attributes.get('name', ''))}"


@pytest.mark.parametrize(
    ("target", "tag"),
    [
        (Target(kind="button", name="search"), "button#find"),
        (Target(kind="anything", name="Search", number=2), "button#find"),
        (Target(kind="label", name="Mail"), "input#mail"),
        (Target(kind="text", name="today"), "b#"),
        (Target(kind="button", name="Buy", number=2), "button#"),
        (Target(kind="anything", name="All cameras"), "button#"),
    ],
)
def test_what_is_there_once_is_found(elements: NamedElements, target: Target, tag: str) -> None:
    """By role, label or text, and the innermost of what has one name."""
    assert tag_at(elements, find_target(elements, target).one) == tag


def test_what_is_there_twice_is_reported(elements: NamedElements) -> None:
    """With where it is, and how to say which one is meant."""
    target = Target(kind="button", name="Buy")
    found = find_target(elements, target)
    assert found.one is None
    assert "2 times" in too_many(elements, found.nodes)
    assert "or `number`" in too_many(elements, found.nodes)


def test_what_is_missing_is_reported_with_what_comes_close(elements: NamedElements) -> None:
    """A typo is told from something that is not there at all."""
    assert "“Search”" in nothing_found(elements, Target(kind="button", name="Serch"))
    assert "sliders" in nothing_found(elements, Target(kind="slider", name="Price"))


def test_a_place_limits_the_search(elements: NamedElements) -> None:
    """To the nodes of it."""
    item = int(elements.page.with_tag("li")[1])
    found = find_target(elements, Target(kind="button", name="Buy"), (item, int(elements.page.end[item])))
    assert found.one is not None
    assert elements.page.text_of(int(elements.page.parent[found.one])).startswith("Z8")


REDESIGNED = """<!doctype html><title>Shop</title><div class=x1><nav><a href=/>Start</a></nav>
<section><h2>Find</h2><div><input name=q aria-label=Search></div>
<div><button class=k7 id=find>Find it</button></div></section>
<section><h2>Newsletter</h2><label>Mail <input name=mail></label>
<button id=subscribe class=k7>Subscribe</button></section></div>"""


def test_a_reworded_button_is_found_by_memory(elements: NamedElements) -> None:
    """If it clearly is the one, and the way is told."""
    button = find_target(elements, Target(kind="button", name="Search")).one
    assert button is not None
    target = Target(kind="button", name="Search", memory=remember(elements, button))
    after = elements_of(REDESIGNED)
    found = find_target(after, target)
    assert tag_at(after, found.one) == "button#find"
    assert found.how.startswith("memory")


def test_what_is_gone_is_not_replaced_by_something_alike(elements: NamedElements) -> None:
    """Another button is not clicked instead."""
    button = find_target(elements, Target(kind="button", name="Search")).one
    assert button is not None
    target = Target(kind="button", name="Search", memory=remember(elements, button))
    after = elements_of(REDESIGNED.replace("<button class=k7 id=find>Find it</button>", ""))
    assert find_target(after, target).one is None


def test_twins_are_told_apart_by_memory(elements: NamedElements) -> None:
    """Buttons with one name, by what stands around them; if nothing tells them apart, by nothing."""
    buttons = find_target(elements, Target(kind="button", name="Buy")).nodes
    memory = remember(elements, buttons[0])
    found = find_target(elements, Target(kind="button", name="Buy", memory=memory))
    assert found.one in (None, buttons[0])


def test_number_that_another_element_took_over_is_a_doubt() -> None:
    """Where a list was sorted anew, what is remembered speaks for another one, so nothing is chosen."""
    names = ("Arden", "Bellis", "Corvo", "Dunlin", "Egret")
    rows = [f"<li><a href=/{name}>{name}</a> <button>Add</button>" for name in names]
    before, after = (
        NamedElements(sl.open(f"<title>x</title><ul>{''.join(one)}</ul>", static=True)) for one in (rows, rows[::-1])
    )
    first = find_named(before, Target(kind="button", name="Add"))[0]
    target = Target(kind="button", name="Add", number=1, memory=remember(before, first))
    assert find_target(before, target).one == first
    assert find_target(after, target).one is None
