"""Microformats, classic ones and those of the second version."""

from typing import Any

import pytest
from tests.page.own_data._pages import page_from, said

BASE = "<base href=https://bees.example/>"


def _data(html: str) -> list[Any]:
    return [document.data for document in said(BASE + html).documents if document.syntax == "microformats"]


@pytest.mark.parametrize(
    ("element", "name", "value"),
    [
        ("<b class=p-name>Ada</b>", "name", "Ada"),
        ("<img class=p-name alt=Ada>", "name", "Ada"),
        ("<abbr class=p-name title='Ada Lovelace'>AL</abbr>", "name", "Ada Lovelace"),
        ("<data class=p-name value=12>x</data>", "name", "12"),
        ("<a class=u-url href=/ada>x</a>", "url", "https://bees.example/ada"),
        ("<img class=u-photo src=a.png>", "photo", "https://bees.example/a.png"),
        ("<object class=u-photo data=a.svg></object>", "photo", "https://bees.example/a.svg"),
        ("<span class=u-uid>urn:1</span>", "uid", "urn:1"),
        ("<time class=dt-bday datetime=1815-12-10>then</time>", "bday", "1815-12-10"),
        ("<div class=e-note><p>one<p>two</div>", "note", "one\ntwo"),
        ("<p class=p-tel><b class=type>work</b> <i class=value>+44</i><i class=value>20</i></p>", "tel", "+4420"),
        ("<p class=dt-bday><i class=value>1815-12-10</i> at <i class=value>10:00</i></p>", "bday", "1815-12-10 10:00"),
        ("<p class=dt-bday><i class=value-title title=1815></i>long ago</p>", "bday", "1815"),
    ],
)
def test_values_by_prefix(element: str, name: str, value: str) -> None:
    """What an element says depends on the prefix of the property."""
    (item,) = _data(f"<div class=h-card><b class=p-org>x</b>{element}</div>")
    assert item[name] == [value]


@pytest.mark.parametrize(
    ("html", "item"),
    [
        ("<a class=h-card href=/ada>Ada</a>", {"name": ["Ada"], "url": ["https://bees.example/ada"]}),
        ("<img class=h-card alt=Ada src=a.png>", {"name": ["Ada"], "photo": ["https://bees.example/a.png"]}),
        ("<div class=h-card><a href=/ada>Ada</a></div>", {"name": ["Ada"], "url": ["https://bees.example/ada"]}),
        ("<div class=h-card><a href=/a>A</a><a href=/b>B</a></div>", {"name": ["AB"]}),
    ],
)
def test_what_goes_without_saying(html: str, item: dict[str, Any]) -> None:
    """The name, the address and the picture of an item that says nothing else."""
    assert _data(html) == [{"@type": ["h-card"], **item}]


def test_items_in_items() -> None:
    """As properties, or as children where they are none."""
    html = "<div class=h-entry><i class='p-author h-card'>Ada</i><i class=h-cite>x</i></div>"
    assert _data(html) == [
        {
            "@type": ["h-entry"],
            "author": [{"@type": ["h-card"], "name": ["Ada"]}],
            "children": [{"@type": ["h-cite"], "name": ["x"]}],
        }
    ]


def test_classic_recipes() -> None:
    """Under the names of the second version, and as things under those of schema.org."""
    html = (
        "<div class=hrecipe><h1 class=fn>Cake</h1><i class=ingredient>eggs</i><i class=ingredient>flour</i>"
        "<b class=duration><i class=value-title title=PT1H></i>1 hour</b><b class=preptime>5 min</b>"
        "<a rel=tag href=/x>Sweet</a><b class='author vcard'><i class=fn>Ada</i></b>"
        "<div class='review hreview-aggregate'><b class=rating><i class=average>4.5</i> of 5</b></div></div>"
    )
    page = page_from(html)
    (recipe,) = page.own_data.things("Recipe")
    assert recipe.data == {
        "@type": ["h-recipe"],
        "name": ["Cake"],
        "recipeIngredient": ["eggs", "flour"],
        "totalTime": ["PT1H"],
        "prepTime": ["5 min"],
        "keywords": ["Sweet"],
        "author": [{"@type": ["h-card"], "name": ["Ada"]}],
        "review": [{"@type": ["h-review-aggregate"], "ratingValue": ["4.5", "4.5"]}],
    }
    assert [value.value for value in recipe.values("author")] == ["Ada"]
    assert [page.node(value.node).tag for value in recipe.values("recipeIngredient")] == ["i", "i"]
    assert page.own_data.things("Person", "AggregateRating")


def test_classes_of_style_sheets_are_no_items() -> None:
    """Utility classes look like roots and properties."""
    assert not _data("<div class='h-full h-10 p-4'><b class='p-name u-full'>x</b></div>")


def test_deep_items_are_cut_off() -> None:
    """It is told, and nothing is raised."""
    own = said("<div class='h-entry p-author'>" * 400)
    assert own.gaps == ("An item of microformats is cut off 64 levels deep.",)
