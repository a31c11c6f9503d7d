"""The data behind a page: the answers that it fetched, and the states and descriptions that it carries."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sightline.page import OwnPath, Page, PageAnswer

# Enough for every page and answer that was looked at; a hostile one takes no longer than the largest honest one.
MOST_VALUES = 500_000
DEEPEST = 64


class StatePlace(NamedTuple):
    """Which of the states and descriptions of a page: its syntax, its name, and which of those with that name."""

    syntax: str
    name: str
    place: int = 0

    @property
    def told(self) -> str:
        """The same in words."""
        number = f" {self.place + 1}" if self.place else ""
        return f"{self.name or self.syntax}{number} in the page"


@dataclass(frozen=True)
class DataDocument:
    """One answer, or one state of the page, whose values may be those that the page shows."""

    source: PageAnswer | StatePlace
    data: Any = field(repr=False)

    @property
    def told(self) -> str:
        """Which document it is, in words."""
        return self.source.told


def documents_behind(page: Page, answers: Iterable[PageAnswer] = ()) -> list[DataDocument]:
    """All documents behind a page: the answers first, the last of them before the others.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("body", element("script", "window.shop = {id: 7}")))
    >>> [document.told for document in documents_behind(page)]
    ['window.shop in the page']
    """
    fetched = [DataDocument(answer, answer.data) for answer in answers]
    return [*reversed(fetched), *_states(page)]


def _states(page: Page) -> Iterator[DataDocument]:
    known: Counter[tuple[str, str]] = Counter()
    for document in page.own_data.documents:
        if document.syntax not in ("state", "json-ld"):
            continue
        named = (document.syntax, document.name)
        yield DataDocument(StatePlace(*named, known[named]), document.data)
        known[named] += 1


def state_at(page: Page, place: StatePlace) -> Any:
    """The data of a state of a page; None if the page has none there."""
    return next((document.data for document in _states(page) if document.source == place), None)


def value_at(data: Any, path: OwnPath) -> Any:
    """What stands at a path; None if nothing does.

    >>> value_at({"items": [{"name": "EOS"}]}, ("items", 0, "name"))
    'EOS'
    """
    for key in path:
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and -len(data) <= key < len(data):
            data = data[key]
        else:
            return None
    return data


def elements_of(found: Any) -> list[Any]:
    """The elements of an array, or of an object that is used as one: all its values are objects.

    >>> elements_of({"a": {"n": 1}, "b": {"n": 2}}), elements_of({"a": 1})
    ([{'n': 1}, {'n': 2}], [])
    """
    if isinstance(found, list):
        return found
    return list(found.values()) if is_keyed(found) else []


LEAST_KEYED = 2  # objects in one that is used as an array


def is_keyed(found: Any) -> bool:
    """Whether an object holds records by their keys, as stores of applications do."""
    return (
        isinstance(found, dict) and len(found) >= LEAST_KEYED and all(isinstance(one, dict) for one in found.values())
    )


def told_path(path: OwnPath) -> str:
    """A path as people write it.

    >>> told_path(("data", "edges", 0, "node"))
    'data.edges[0].node'
    """
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) or key == EVERY else f".{key}" if text else str(key)
    return text or "the whole answer"


EVERY = "*"  # in a path: every element of a list

MOST_LEAVES = 400  # values of one element; records have some ten, and what has more is no record
FIRST = 3  # elements of a list in a record that are looked at one by one, such as its first picture


def leaves_of(element: Any) -> dict[OwnPath, Any]:
    """The plain values in one element of an array, by the paths to them; lists of plain values under `*` as well.

    >>> leaves_of({"name": "EOS", "tags": ["a", "b"]})
    {('name',): 'EOS', ('tags', '*'): ['a', 'b'], ('tags', 0): 'a', ('tags', 1): 'b'}
    """
    found: dict[OwnPath, Any] = {}
    waiting: deque[tuple[OwnPath, Any]] = deque([((), element)])
    while waiting and len(found) < MOST_LEAVES:
        path, value = waiting.popleft()
        if isinstance(value, dict | list) and len(path) >= DEEPEST:
            continue
        if isinstance(value, dict):
            waiting.extend(((*path, key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            found.update(_in_every(path, value) if path else ())
            # An element that is a list itself is a row of a table.
            waiting.extend(((*path, place), inner) for place, inner in enumerate(value[:FIRST] if path else value))
        else:
            found[path] = value
    return found


def _in_every(path: OwnPath, values: list[Any]) -> Iterator[tuple[OwnPath, list[Any]]]:
    """What all elements of a list have: each is a plain value, or an object with some."""
    if values and all(isinstance(one, dict) for one in values):
        for key in values[0]:
            inner = [one.get(key) for one in values]
            if not any(isinstance(one, dict | list) for one in inner):
                yield (*path, EVERY, key), inner
    elif values and not any(isinstance(one, dict | list) for one in values):
        yield (*path, EVERY), values
