"""What pages are not about is set aside, and nothing of it is lost."""

from typing import Any

import pytest

import sightline as sl
from sightline.extract.schemas import InduceSettings, induce_template
from sightline.extract.wrappers.templates import read_page, set_aside

from ..._templates import FOOT, learned, listed, opened

NAMES = ("Alder", "Birch", "Cedar", "Damson", "Elm", "Fir", "Gorse", "Hazel")


def _pages(part: str, count: int = 8) -> list[str]:
    """Pages about a tree each, with a part in which `{}` is its name, `{n}` its number and `{few}` one of two words."""
    return [
        f"<h1>{NAMES[number]}</h1><p>Height: {number + 3} m</p>"
        + part.replace("{}", NAMES[number])
        .replace("{n}", str(number))
        .replace("{few}", ("Write", "Read")[number % 2])
        .replace("{other}", NAMES[number - 1])
        + FOOT
        for number in range(count)
    ]


@pytest.mark.parametrize(
    "part",
    [
        "<nav><p>Go on to {other}</p></nav>",
        "<div role=navigation><b>{other} and all the others</b></div>",
        "<div><p>{}</p></div>",
        "<p><i>Used {} for sale</i></p>",
        "<p><a href=/reviews/{n}>{few} a review</a></p>",
    ],
)
def test_what_pages_are_not_about_is_set_aside(part: str) -> None:
    """Menus, repetitions of the title, texts made of it, and buttons are not fields unless asked for."""
    pages = _pages(part)
    assert learned(pages).fields == ["title", "Height"]
    everything = learned(pages, InduceSettings(all_fields=True))
    assert everything.fields == ["title", "Height", "text 1"]
    assert everything.aside == []


@pytest.mark.parametrize(
    "part",
    [
        "<div class=breadcrumb><p>{other} family</p></div>",
        "<p>Neighbour: {other}</p>",
        "<footer><p>Height above sea: {n} m</p></footer>",
        "<div><p>{other}</p></div>",
    ],
)
def test_what_may_be_data_stays(part: str) -> None:
    """Trails of categories, what has a label, and what says something of its own are fields."""
    assert len(learned(_pages(part)).fields) == 3


def test_two_labels_are_two_statements() -> None:
    """A field with another label is not a repetition, even if it has said the same so far."""
    assert learned(_pages("<p>Author: {}</p><p>Committer: {}</p>")).fields[2:] == ["Author", "Committer"]


def test_a_label_in_a_menu_is_that_of_a_link() -> None:
    """What the page itself marks as navigation is never data, whatever it says."""
    assert learned(_pages("<nav><p>Next: {other}</p></nav>")).fields == ["title", "Height"]


def test_sets_under_a_heading_about_others_are_set_aside() -> None:
    """What customers also bought is not what they look at."""
    related = "<h2>Customers also bought</h2>" + listed("<b>{other}</b> <i>{n}1 €</i>", "<b>{}s</b> <i>{n}2 €</i>")
    wrapper = learned(_pages(related))
    assert [name for name in wrapper.fields if name.startswith("Customers")] == []
    assert wrapper.aside == ["Customers also bought"]


@pytest.mark.parametrize(
    "around", ["<div class=related>{}</div>", "<nav>{}</nav>", "<div class=sidebar-share>{}</div>"]
)
def test_what_fills_the_page_is_main(around: str) -> None:
    """Whatever the element around it is called: most of what differs between the pages is there."""
    talks = "".join(
        f"<article><h3>{{}} talk {at}</h3><p>{'What {} told in hall ' * 4}{at}{{n}}</p></article>" for at in range(6)
    )
    wrapper = learned(_pages(around.format(talks)))
    assert any("." in name for name in wrapper.fields), (wrapper.fields, wrapper.aside)


def test_why_a_field_is_set_aside_is_told() -> None:
    """With a reason for each."""
    parts = "<nav><p>Go on to {other}</p></nav><p><i>Used {} for sale</i></p><div><p>{}</p></div>"
    pages = opened(*_pages(parts))
    template = induce_template(pages).template
    readings = [read_page(page, template, None, traced=True) for page in pages]
    assert set(set_aside(pages, readings).values()) == {
        "is in a menu",
        "is made of the title",
        "repeats another field",
    }


def test_nothing_is_lost() -> None:
    """What was set aside is named, read again on demand, after everything else, and kept in the file."""
    pages = _pages("<nav><p>Go on to {other}</p></nav>")
    wrapper = learned(pages)
    assert wrapper.aside == ["text 1"]
    loaded = sl.Wrapper.from_json(wrapper.to_json())
    assert loaded.aside == ["text 1"]
    record: dict[str, Any] = loaded.all_fields().read(opened(pages[2])[0]).records[0].to_dict()
    assert list(record.items())[-1] == ("text 1", "Go on to Birch")
    assert wrapper.restore("text 1").aside == []
    assert "text 1" in wrapper.restore("text 1").fields


def test_what_people_drop_stays_dropped() -> None:
    """All fields are those that were set aside, and not those that somebody did not want."""
    wrapper = learned(_pages("<nav><p>Go on to {other}</p></nav>")).drop("text 1").drop("Height")
    assert wrapper.all_fields().fields == ["title"]


def test_pages_are_always_about_something() -> None:
    """If all fields would be set aside, none is."""
    pages = [f"<nav><p>Go on to {name}</p></nav>{FOOT}" for name in NAMES]
    assert learned(pages).fields == ["text 1"]


def test_setting_fields_aside_does_not_change_the_verdict() -> None:
    """A page is recognised by all that is on it."""
    pages = _pages("<nav><p>Go on to {other}</p></nav>")
    page = opened(pages[3])[0]
    found, everything = learned(pages).read(page), learned(pages, InduceSettings(all_fields=True)).read(page)
    assert (found.verdict, found.filled, found.known) == (everything.verdict, everything.filled, everything.known)
