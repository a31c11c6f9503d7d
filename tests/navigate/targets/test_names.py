"""Elements are called what a screen reader would call them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.navigate.targets import NamedElements, same_name

FORM = b"""<!doctype html><title>Shop</title><main>
<label for=q>Search</label><input id=q>
<label>Size <select><option>S<option>M</select></label>
<input type=checkbox id=stock style="opacity: 0"><label for=stock>In stock</label>
<button><img alt="Cart" width=10 height=10 src="data:,"> Buy</button>
<a href=/2 aria-label="Next page">&gt;</a>
<input placeholder="Your mail"><input type=submit><input type=image alt=Go src="data:,">
<div role=button tabindex=0>Fold</div>
<b id=about>Notes</b><div contenteditable aria-labelledby=about>text</div>
<input type=range aria-label=Price><input type=file aria-label=Photo><h2>Cameras</h2>
<a name=place>no link</a><button hidden>hidden</button><input type=hidden name=token></main>"""


@pytest.fixture(scope="module")
def elements() -> NamedElements:
    """The elements of a form, as rendered."""
    return NamedElements(sl.open(FORM))


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("textbox", "Search"),
        ("combobox", "Size"),
        ("checkbox", "In stock"),
        ("button", "Cart Buy"),
        ("image", "Cart"),
        ("link", "Next page"),
        ("textbox", "Your mail"),
        ("button", "Submit"),
        ("button", "Go"),
        ("button", "Fold"),
        ("textbox", "Notes"),
        ("slider", "Price"),
        ("file", "Photo"),
        ("heading", "Cameras"),
    ],
)
def test_an_element_has_its_role_and_name(elements: NamedElements, role: str, name: str) -> None:
    """By label, content, alternative text, placeholder, `aria-label` and `aria-labelledby`."""
    assert [one for one in elements.all if (one.role, one.name) == (role, name)]


def test_nothing_else_has_a_role(elements: NamedElements) -> None:
    """Not what is hidden, and no anchor without an address; but a checkbox that its label stands for."""
    assert len(elements.all) == 14


def test_labels_belong_to_their_frame() -> None:
    """The same id in two frames names two things."""
    inner = "<label for=q>{}</label><input id=q>"
    frames = "".join(f'<iframe srcdoc="{inner.format(name)}"></iframe>' for name in ("First", "Second"))
    found = NamedElements(sl.open(f"<!doctype html><title>x</title>{frames}".encode()))
    assert [one.name for one in found.all if one.role == "textbox"] == ["First", "Second"]


@pytest.mark.parametrize(
    ("wanted", "name", "same"),
    [
        ("add to cart", "Add  to\ncart", True),
        ("Cart", "Add to cart", False),
        ("Cart (*)", "Cart (3)", True),
        ("*cart*", "my Cart (3)", True),
        ("a*a", "a", False),
        ("Add * to *", "Add EOS to cart", True),
        ("Add * to *", "Add EOS cart", False),
    ],
)
def test_names_are_compared_as_people_do(wanted: str, name: str, same: bool) -> None:
    """Case and blanks do not matter; a star stands for anything; a part is not the whole."""
    assert same_name(wanted, name) is same


@given(st.text(st.characters(exclude_characters="*")))
def test_every_name_is_itself(name: str) -> None:
    """Whatever a page calls something, that name finds it."""
    assert same_name(name, name)
    assert same_name("*", name)
