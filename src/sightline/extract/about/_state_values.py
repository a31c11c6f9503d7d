"""What the programs of a page hold of its thing: values in their state whose keys mean a field.

Shops hand their programs the price, the code and the brand of what they show under names that nobody standardised:
`ecommerce.detail.products.0.salesPrice`, `product.detail.displayReference`, `pid`.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from sightline.extract.about._context import name_parts
from sightline.page import OwnPath, Page

MOST_VALUES = 50_000  # of all states; more are the goods of a whole shop
MOST_ALIKE = 40  # different values in one place of a list, which is of other goods then
LONGEST = 80  # characters of a value that is a price, a code or a name
DEEPEST = 40
# The concepts that a key means if it holds the field; of a code also what says that it is the product's.
CONCEPTS = {"price": "#price", "brand": "#brand", "sku": "#sku", "mpn": "#mpn"}
CODE, PRODUCT = "#number", "#product"


@dataclass(frozen=True, slots=True)
class StateValue:
    """A value in a state: its field, its text, the document and path, and what the keys above it mean."""

    field: str
    text: str
    document: int
    path: OwnPath
    key: frozenset[str]
    above: frozenset[str]
    alike: int
    """How many other values stand at the same path in all parts of a list."""


def state_values(page: Page) -> dict[str, list[StateValue]]:
    """Of each field the values that the states of a page hold under keys that mean it.

    >>> from sightline.testing import element, page_of
    >>> script = element("script", 'window.item = {"salesPrice": 4.5, "stock": 3}')
    >>> [(one.text, one.path) for one in state_values(page_of(script, kind="static"))["price"]]
    [('4.5', ('salesPrice',))]
    """
    found: dict[str, list[tuple[str, int, OwnPath]]] = defaultdict(list)
    for number, document in enumerate(page.own_data.documents):
        if document.syntax == "state":
            for path, names, text in _short_leaves(document.data):
                for name in names:
                    found[name].append((text, number, path))
    return {name: _with_neighbours(name, values) for name, values in found.items()}


def _short_leaves(data: Any) -> Iterator[tuple[OwnPath, tuple[str, ...], str]]:
    """The short texts and numbers of a state whose keys mean a field, with their paths."""
    left = MOST_VALUES
    open_ones: list[tuple[OwnPath, str, str, Any]] = [((), "", "", data)]
    while open_ones and left > 0:
        path, before, above, held = open_ones.pop()
        left -= len(held)
        for step, value in held.items() if isinstance(held, dict) else enumerate(held):
            key, over = (step, before) if isinstance(step, str) else (before, above)
            if isinstance(value, dict | list):
                if value and len(path) < DEEPEST:
                    open_ones.append(((*path, step), key, over, value))
            elif value is not None and not isinstance(value, bool) and (names := _meant(key, over)):
                text = value.strip() if isinstance(value, str) else str(value)
                if text and len(text) <= LONGEST and not text.startswith(("http", "//", "{", "<")):
                    yield (*path, step), names, text


@cache
def _meant(key: str, before: str) -> tuple[str, ...]:
    """The fields that a key means below another one."""
    own, above = set(name_parts(key)), set(name_parts(before))
    found = [name for name, concept in CONCEPTS.items() if concept in own or (concept in above and len(own) < 4)]
    if CODE in own and PRODUCT in own | above and "sku" not in found:
        found.append("sku")
    return tuple(found)


def _with_neighbours(name: str, values: list[tuple[str, int, OwnPath]]) -> list[StateValue]:
    """The values of a field, each with how many others stand in its place in other parts of a list."""
    alike: dict[Any, set[str]] = defaultdict(set)
    places = [(number, tuple(step if isinstance(step, str) else 0 for step in path)) for _, number, path in values]
    for place, (text, _, _) in zip(places, values, strict=True):
        alike[place].add(text)
    return [
        StateValue(name, text, number, path, *_concepts(path), len(alike[place]) - 1)
        for place, (text, number, path) in zip(places, values, strict=True)
        if len(alike[place]) <= MOST_ALIKE
    ]


def _concepts(path: OwnPath) -> tuple[frozenset[str], frozenset[str]]:
    """What the last key of a path means, and what those above it mean."""
    names = [step for step in path if isinstance(step, str)]
    above = (part for name in names[:-1] for part in name_parts(name))
    return frozenset(name_parts(names[-1]) if names else ()), frozenset(above)
