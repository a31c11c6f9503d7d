"""Paths into what pages carry: found by values on some pages, held against all, and safe on what strangers carry."""

import json
from collections.abc import Callable
from datetime import date
from time import process_time
from typing import Any

import pytest

import sightline as sl
from sightline.data import Value
from sightline.extract.behind import CarriedName, CarryingPage, Shown, ValuePath, carried_by, find_paths
from sightline.page import Page

DAYS = ("2024-03-05", "2024-04-01", "2025-05-02")
PEOPLE = ("Ada Byron", "Grace Hopper", "Edith Clarke")
PICTURES = ("/img/1.png", "/img/2.png", "/img/3.png")
SHOP = CarriedName("state", "window.shop")


def stated(data: Any) -> Page:
    """A page that carries a state."""
    return sl.open(f"<!doctype html><title>x</title><script>window.shop = {json.dumps(data)}</script>", static=True)


def described(data: Any) -> Page:
    """A page that describes a product."""
    said = json.dumps({"@type": "Product", **data})
    return sl.open(f"<!doctype html><title>x</title><script type=application/ld+json>{said}</script>", static=True)


def carrying(data: Any, make: Callable[[Any], Page] = described, **shown: str | tuple[str, ...]) -> CarryingPage:
    """Such a page with what it shows."""
    values: dict[str, Shown] = {
        name: Value(text) if isinstance(text, str) else tuple(map(Value, text)) for name, text in shown.items()
    }
    return CarryingPage(carried_by(make(data)), values, "https://shop.example/a", "en")


def paths_of(*pages: CarryingPage, name: str = "price") -> list[str]:
    """The paths of a field in words."""
    return [path.told for path in find_paths(pages).get(name, ())]


def test_two_pages_are_not_enough() -> None:
    """Nor is one text on three pages."""
    one, other, third = (carrying({"p": number}, price=str(number)) for number in (125, 130, 135))
    assert paths_of(one, other) == []
    assert paths_of(one, one, one) == []
    assert paths_of(one, other, third) == ["p of Product in JSON-LD"]


def test_a_state_takes_four_pages() -> None:
    """What a program needs may be something else that is often called the same: of three pages, all agree by chance."""
    pages = [carrying({"p": n * 125}, stated, price=str(n * 125)) for n in (1, 2, 3, 4)]
    assert paths_of(*pages[:3]) == []
    assert paths_of(*pages) == ["p of window.shop"]


@pytest.mark.parametrize(
    ("values", "texts", "told"),
    [
        ((12.5, 99, 7), ("€12.50", "€99.00", "€7.00"), "p of Product in JSON-LD, written “€{}”"),
        ((1250, 9900, 700), ("€12.50", "€99.00", "€7.00"), "p of Product in JSON-LD, written “€{}”"),
        (DAYS, ("5 March 2024", "1 April 2024", "2 May 2025"), "p of Product in JSON-LD"),
        (PEOPLE, [f"by {name}" for name in PEOPLE], "p of Product in JSON-LD, written “by {}”"),
        (PICTURES, [f"https://shop.example{address}" for address in PICTURES], "p of"),
    ],
)
def test_values_are_found_however_they_are_written(values: Any, texts: Any, told: str) -> None:
    """Amounts, also in cents; days, also in words; parts of texts; addresses."""
    pages = [carrying({"p": value}, price=text) for value, text in zip(values, texts, strict=True)]
    if values is DAYS:
        shown = [{"price": Value(text, date.fromisoformat(day))} for text, day in zip(texts, DAYS, strict=True)]
        pages = [page._replace(shown=one) for page, one in zip(pages, shown, strict=True)]
    (found,) = paths_of(*pages)
    assert found.startswith(told)


def test_several_values_have_a_path_through_all_elements() -> None:
    """Plain ones, and those of objects."""
    pages = [
        carrying(
            {"tags": ["red", "blue"], "by": [{"n": "Ada"}, {"n": "Bea"}]}, tags=("red", "blue"), by=("Ada", "Bea")
        ),
        carrying({"tags": ["green"], "by": [{"n": "Cy"}]}, tags=("green",), by=("Cy",)),
        carrying({"tags": ["c1", "d1"], "by": [{"n": "Di"}]}, tags=("c1", "d1"), by=("Di",)),
    ]
    assert paths_of(*pages, name="tags") == ["tags[*] of Product in JSON-LD"]
    assert paths_of(*pages, name="by") == ["by[*].n of Product in JSON-LD"]


def test_a_part_of_a_text_without_a_rule_is_no_path() -> None:
    """The brand begins every title, and says nothing of the rest."""
    pages = [carrying({"brand": "Acme"}, price="Acme One"), carrying({"brand": "Lumo"}, price="Lumo Two")]
    pages.append(carrying({"brand": "Ferro"}, price="Ferro Three"))
    assert paths_of(*pages) == []


def test_the_path_with_the_name_of_the_field_comes_first() -> None:
    """Of several that say the same."""
    pages = [carrying({"a": n * 111, "price": n * 111, "z": n * 111}, price=str(n * 111)) for n in (1, 2, 3)]
    assert paths_of(*pages)[0] == "price of Product in JSON-LD"


def test_what_refers_to_itself_takes_no_time() -> None:
    """Things in JSON-LD that all refer to all others: what they hold together is larger than memory."""
    things = [
        {"@type": "Thing", "@id": f"#{n}", "name": f"Thing {n}", "knows": [{"@id": f"#{m}"} for m in range(60)]}
        for n in range(60)
    ]
    said = f"<script type='application/ld+json'>{json.dumps({'@graph': things})}</script>"
    began = process_time()
    pages = [
        CarryingPage(carried_by(sl.open(f"<title>{n}</title>{said}", static=True)), {"x": Value(f"y{n}")}, "", "en")
        for n in range(3)
    ]
    assert find_paths(pages) == {}
    assert process_time() - began < 20


@pytest.mark.parametrize(
    "path", [(), ("it",), (0,), (5, "it"), (0, "it", "price"), (0, "it", "*"), (0, "*", "price"), ("*",)]
)
def test_a_path_to_nowhere_gives_nothing(path: tuple[str | int, ...]) -> None:
    """Whatever a file of a stranger says, and whatever the page carries."""
    for data in ({"it": {"price": 5}}, {"it": [1]}, {"it": None}, {"it": "text"}, {}):
        raw = ValuePath(SHOP, path).raw(carried_by(stated(data)))
        assert raw is None or raw in (5, [5], [1], [None], "text", ["text"], [{}], [[1]])


def test_paragraphs_are_one_text_in_the_data() -> None:
    """What a page parts into several values still says the same; one more value does not."""
    path = ValuePath(SHOP, (0, "text"))
    several = (Value("Flat boots."), Value("Chunky sole."))
    assert path.agrees(several, "Flat boots.\n\nChunky sole.", "")
    assert not path.agrees((*several, Value("New")), "Flat boots.\n\nChunky sole.", "")


def test_a_text_that_is_cut_contradicts_nothing() -> None:
    """The data goes on where the page stops; it is no other text."""
    path = ValuePath(SHOP, (0, "text"))
    assert path.agrees(Value("Flat boots with a …"), "Flat boots with a chunky sole", "")
    assert not path.agrees(Value("High boots with a …"), "Flat boots with a chunky sole", "")
