"""What pages of one kind carry in their scripts, each part under a name that it has on all of them.

A page may say a thing in its second block of JSON-LD, and another page in its third: the type of the thing is what
stays. States have names of their own, and where several have one, such as the attributes of cards, they are a list.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sightline.extract.behind._documents import DEEPEST, EVERY, DataDocument, StatePlace, told_path
from sightline.page import OwnPath, Page
from sightline.page.own_data import OwnData

STATE, JSON_LD = "state", "json-ld"
# Values, objects and lists of one part that are looked through; beyond, that would take longer than to read the page.
# Things that refer to each other stand in each other, so that a small page can have more of them than memory.
MOST_CARRIED = 100_000


class CarriedName(NamedTuple):
    """What a part of a page's data is called on every page: its syntax, and the name of the state or type of the thing.

    >>> CarriedName("json-ld", "Product").told, CarriedName("state", "window.shop").told
    ('Product in JSON-LD', 'window.shop')
    """

    syntax: str
    name: str

    @property
    def told(self) -> str:
        """The same in words."""
        return f"{self.name} in JSON-LD" if self.syntax == JSON_LD else self.name or "a state of the page"


@dataclass(frozen=True)
class Carried:
    """All states or things of one name, in the order of the page, and the elements that hold them."""

    name: CarriedName
    data: Sequence[Any]
    nodes: Sequence[int]

    def node_of(self, path: OwnPath) -> int:
        """The element that holds what stands at a path, whose first step says which of the states or things."""
        return self.nodes[path[0]] if path and isinstance(path[0], int) else self.nodes[0]

    @property
    def document(self) -> DataDocument:
        """The same as a document whose arrays may be those of records."""
        return DataDocument(StatePlace(*self.name), list(self.data))


CarriedParts = Mapping[CarriedName, Carried]


def carried_by(page: Page) -> CarriedParts:
    """The data that a page carries, by names.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("body", element("script", "window.shop = {id: 7}")))
    >>> [(name.told, one.data) for name, one in carried_by(page).items()]
    [('window.shop', [{'id': 7}])]
    """
    return page.cached(_carried)


def _carried(page: Page) -> CarriedParts:
    found: dict[CarriedName, list[tuple[Any, int]]] = {}
    for name, data, node in (*_things(page.own_data), *_states(page.own_data)):
        found.setdefault(name, []).append((data, node))
    return {
        name: Carried(name, [data for data, _ in several], [node for _, node in several])
        for name, several in found.items()
    }


def _things(own: OwnData) -> Iterator[tuple[CarriedName, Any, int]]:
    """The things in JSON-LD that stand in no other one."""
    outermost: set[tuple[int, OwnPath]] = set()
    for thing in own.things():  # those within others come last
        if thing.syntax != JSON_LD or not thing.types:
            continue
        around = ((thing.document, thing.path[:depth]) for depth in range(len(thing.path)))
        if outermost.isdisjoint(around):
            outermost.add((thing.document, thing.path))
            yield CarriedName(JSON_LD, thing.types[0]), thing.data, thing.node


def _states(own: OwnData) -> Iterator[tuple[CarriedName, Any, int]]:
    for document in own.documents:
        if document.syntax == STATE:
            yield CarriedName(STATE, document.name), document.data, document.node


# JSON-LD says one value as itself or as a list of one, as its program likes: both have one path.


def carried_values(carried: Carried) -> Iterator[tuple[OwnPath, Any]]:
    """The plain values of a part with their paths, and after them the lists of plain values, under `*`.

    >>> shop = Carried(CarriedName("json-ld", "Product"), [{"offers": [{"price": 5}], "tag": ["a", "b"]}], [0])
    >>> list(carried_values(shop))
    [((0, 'offers', 'price'), 5), ((0, 'tag', '*'), ['a', 'b']), ((0, 'tag', 0), 'a'), ((0, 'tag', 1), 'b')]
    """
    alone = carried.name.syntax == JSON_LD
    waiting: list[tuple[OwnPath, Any]] = [((place,), one) for place, one in reversed(list(enumerate(carried.data)))]
    left = MOST_CARRIED
    while waiting and left > 0:
        path, value = waiting.pop()
        value = _alone(value) if alone else value
        left -= 1
        if not isinstance(value, dict | list):
            yield path, value
        elif len(path) < DEEPEST:
            if isinstance(value, list):
                yield from _in_every(path, value)
            pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
            waiting.extend(((*path, key), inner) for key, inner in reversed(pairs))


def _in_every(path: OwnPath, values: list[Any]) -> Iterator[tuple[OwnPath, list[Any]]]:
    """What all elements of a list have: each is a plain value, or an object with some."""
    if not values:
        return
    if all(isinstance(one, dict) for one in values):
        for key in values[0]:
            inner = [one.get(key) for one in values]
            if not any(isinstance(one, dict | list) for one in inner):
                yield (*path, EVERY, key), inner
    elif not any(isinstance(one, dict | list) for one in values):
        yield (*path, EVERY), values


def carried_at(carried: Carried, path: OwnPath) -> Any:
    """The value at a path of `carried_values`; None if there is none, or none that is plain."""
    found: Any = carried.data
    alone = carried.name.syntax == JSON_LD
    for step, key in enumerate(path):
        if key == EVERY:
            return _every(found, path[step + 1 :])
        found = _inside(found, key)
        found = _alone(found) if alone else found
    return None if isinstance(found, dict | list) else found


def _every(found: Any, rest: OwnPath) -> list[Any] | None:
    """The values of all elements; one by itself is a list of one."""
    if found is None:
        return None
    values = found if isinstance(found, list) else [found]
    for key in rest:
        values = [_inside(one, key) for one in values]
    return None if any(one is None or isinstance(one, dict | list) for one in values) else values


def _inside(found: Any, key: str | int) -> Any:
    if isinstance(found, dict):
        return found.get(key)
    if isinstance(found, list) and isinstance(key, int) and 0 <= key < len(found):
        return found[key]
    return None


def _alone(value: Any) -> Any:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


def told_carried(name: CarriedName, path: OwnPath) -> str:
    """A path as people read it; which of the states or things is said unless it is the first.

    >>> told_carried(CarriedName("json-ld", "Product"), (0, "offers", "price"))
    'offers.price of Product in JSON-LD'
    """
    first, rest = (path[0], path[1:]) if path and isinstance(path[0], int) else (0, path)
    number = f" {first + 1}" if first else ""
    return f"{told_path(rest)} of {name.told}{number}" if rest else f"{name.told}{number}"
