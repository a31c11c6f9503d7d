"""Which key of which document gives a single value that a page shows, such as the price of its one thing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.data import Value
from sightline.extract.behind._documents import DEEPEST, MOST_VALUES, DataDocument, told_path
from sightline.extract.behind._forms import plain
from sightline.extract.behind._keys import keys_of_shown, keys_of_value
from sightline.page import OwnPath

LEAST_DIGITS = 3  # of a number that is found by itself; shorter ones are everywhere


@dataclass(frozen=True)
class ValuePlace:
    """Where a single value stands behind its page, and whether it is the same text there."""

    document: DataDocument
    path: OwnPath
    exact: bool

    @property
    def told(self) -> str:
        """The same in words."""
        return f"{told_path(self.path)} of {self.document.told}"


def match_values(
    values: Mapping[str, Value], documents: Sequence[DataDocument], *, base: str = ""
) -> dict[str, ValuePlace]:
    """For each value that is found behind the page, the place that fits it best: its text, and then its name.

    >>> from sightline.extract.behind import StatePlace
    >>> shop = DataDocument(StatePlace("state", "shop"), {"it": {"id": 7, "title": "EOS 5D", "price": 1299.0}})
    >>> values = {"name": Value("EOS 5D"), "price": Value("€1,299.00")}
    >>> {name: one.path for name, one in match_values(values, [shop]).items()}
    {'name': ('it', 'title'), 'price': ('it', 'price')}
    """
    wanted: dict[str, list[str]] = {}
    for name, value in values.items():
        for key in keys_of_shown(value):
            wanted.setdefault(key, []).append(name)
    best: dict[str, tuple[tuple[int, ...], ValuePlace]] = {}
    left = MOST_VALUES
    for document in documents:
        for path, value in _leaves(document.data, left):
            left -= 1
            for name in {name for key in keys_of_value(value, base) for name in wanted.get(key, ())}:
                rank = _rank(name, values[name].text, path, value)
                if rank[0] and (name not in best or rank > best[name][0]):
                    best[name] = rank, ValuePlace(document, path, rank[1] > 0)
    return {name: best[name][1] for name in values if name in best}


def _rank(name: str, shown: str, path: OwnPath, value: Any) -> tuple[int, ...]:
    """How well a place fits a value: whether it can be it at all, the same text, the same name, a short path."""
    exact = isinstance(value, str) and plain(value) == plain(shown)
    named = any(name.lower() in str(key).lower() for key in path[-2:])
    telling = exact or named or sum(map(str.isdigit, str(value))) >= LEAST_DIGITS
    return int(telling), int(exact), int(named), -len(path)


def _leaves(data: Any, most: int) -> list[tuple[OwnPath, Any]]:
    found: list[tuple[OwnPath, Any]] = []
    waiting: list[tuple[OwnPath, Any]] = [((), data)]
    while waiting and len(found) < most:
        path, value = waiting.pop()
        if not isinstance(value, dict | list):
            found.append((path, value))
        elif len(path) < DEEPEST:
            pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
            waiting.extend(((*path, key), inner) for key, inner in reversed(pairs))
    return found
