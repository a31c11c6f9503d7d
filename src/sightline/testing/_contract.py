"""The contract for every extractor, checked on any page.

An extractor is a function from a page to a list of results (tables, records, values). Run this in a test of any
extractor, here or in a plugin:

>>> from sightline.data import Value, origin_of
>>> def first_words(page):
...     return [Value(page.text_of(node), origin=origin_of(page, [node])) for node in page.with_tag("li")]
>>> check_extractor(first_words, [list_page(["one", "two"])])
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import orjson

from sightline.data import ContentPart, Origin, Result, Value
from sightline.geometry import Box
from sightline.page import Page, dumps, loads
from sightline.testing._pages import element, grid_page, list_page, page_of, shifted

__all__ = ["check_extractor"]

PageFunction = Callable[[Page], Sequence[Any]]

SHIFT = (64.0, 32.0)
SLACK = 1.0  # pixels; boxes are kept in 32 bits


def check_extractor(extract: PageFunction, pages: Iterable[Page] | None = None) -> None:
    """Check the contract on some pages (by default on a list and a grid); AssertionError says what is broken.

    The same page gives the same result; the page is not changed; an empty page gives an empty list; a saved and opened
    page gives the same; every value is a text that stands at its origin; origins lie on the page; results survive
    JSON; and when the page is moved, the origins move with it.
    """
    _check_empty(extract)
    for page in (
        pages if pages is not None else (list_page(["one", "two", "three"]), grid_page([["a", "b"], ["c", "d"]]))
    ):
        found = extract(page)
        _check_repeatable(extract, page, found)
        for value in _values(found):
            _check_origin(page, value)
        _check_json(found)
        _check_shift(extract, page, found)


def _check_empty(extract: PageFunction) -> None:
    empty = page_of(element("html", element("body")))
    found = extract(empty)
    assert isinstance(found, Sequence), f"an extractor returns a list, not {type(found).__name__}"
    assert not list(found), f"an empty page gave {len(found)} results; nothing found is an empty list"


def _check_repeatable(extract: PageFunction, page: Page, found: Sequence[Any]) -> None:
    before = page.id
    assert _plain(extract(page)) == _plain(found), "the same page gave another result the second time"
    assert loads(dumps(page)).id == before, "the page was changed by the extractor"
    assert _plain(extract(loads(dumps(page)))) == _plain(found), "the saved and opened page gave another result"


def _check_origin(page: Page, value: Value) -> None:
    origin = value.origin
    if origin is None:
        assert not value.text.strip(), f"the value {value.text!r} has no origin"
        return
    assert origin.page == page.whole_id, f"the origin of {value.text!r} is on another page"
    assert all(0 <= node < len(page) for node in origin.nodes), f"the origin of {value.text!r} names nodes off the page"
    seen = "".join(page.text_of(node) for node in origin.nodes)
    assert _bare(value.text) in _bare(seen), f"the value {value.text!r} does not stand at its origin ({seen[:80]!r})"
    assert _inside(origin.box, page), f"the origin of {value.text!r} has the box {origin.box}, off the page"


def _inside(box: Box | None, page: Page) -> bool:
    if box is None:
        return True
    if page.bounds is None:
        return False
    low, high = np.array(page.bounds[:2]) - SLACK, np.array(page.bounds[2:]) + SLACK
    return bool((np.array(box[:2]) >= low).all() and (np.array(box[2:]) <= high).all())


def _check_json(found: Sequence[Any]) -> None:
    for result in found:
        if isinstance(result, Result):
            document = result.to_json(origins=True)
            assert orjson.loads(orjson.dumps(document)) == document, f"{result!r:.60} did not survive JSON"


def _check_shift(extract: PageFunction, page: Page, found: Sequence[Any]) -> None:
    moved = [value.origin for value in _values(extract(shifted(page, *SHIFT)))]
    at_first = [value.origin for value in _values(found)]
    assert len(moved) == len(at_first), "the moved page gave another number of values"
    for one, other in zip(at_first, moved, strict=True):
        expected = None if one is None else _moved(one)
        actual = None if other is None else (other.nodes, other.box)
        same = expected is None if actual is None else expected is not None and _alike(expected, actual)
        assert same, f"the page was moved by {SHIFT} and the origin went from {one} to {other}"


def _moved(origin: Origin) -> tuple[tuple[int, ...], Box | None]:
    x, y = SHIFT
    box = origin.box
    return origin.nodes, box and (box[0] + x, box[1] + y, box[2] + x, box[3] + y)


def _alike(one: tuple[tuple[int, ...], Box | None], other: tuple[tuple[int, ...], Box | None]) -> bool:
    if one[0] != other[0] or (one[1] is None) != (other[1] is None):
        return False
    return one[1] is None or other[1] is None or bool(np.allclose(one[1], other[1], atol=SLACK))


def _bare(text: str) -> str:
    return "".join(text.split())


def _values(result: Any) -> Iterator[Value]:
    """Every value in what an extractor gave: results, values, records, or several of these."""
    if isinstance(result, Value):
        yield result
    elif isinstance(result, Result):
        yield from result.values()
    elif isinstance(result, ContentPart):
        yield result.value
    elif isinstance(result, Mapping):
        yield from _values(list(result.values()))
    elif isinstance(result, str | bytes | int | float):
        raise AssertionError(f"the result holds {result!r}, a bare {type(result).__name__} without an origin")
    elif isinstance(result, Iterable):
        for part in result:
            yield from _values(part)


def _plain(found: Sequence[Any]) -> list[tuple[str, Any]]:
    return [(value.text, value.origin) for value in _values(found)]
