"""The contract suite finds every kind of broken extractor; a suite that accepts anything would be worth nothing."""

from collections.abc import Sequence
from itertools import count

import pytest

from sightline.data import Origin, Table, Value
from sightline.page import Page
from sightline.testing import check_extractor, grid_page, list_page, shifted


def _texts(page: Page) -> list[Value]:
    nodes = [int(node) for node in page.with_tag("li", "td")]
    return [
        Value(page.text_of(node), origin=Origin(page.whole_id, (int(page.numbers[node]),), page.node(node).box))
        for node in nodes
    ]


def test_contract_accepts_a_good_extractor() -> None:
    """An extractor that keeps the contract passes on the pages of the suite and on others."""
    check_extractor(_texts)
    check_extractor(_texts, [list_page(["x"]), grid_page([["a"], ["b"]])])


_calls = count()


def _random(page: Page) -> Sequence[Value]:
    return [*_texts(page)[: next(_calls) % 2]]


def _invents(page: Page) -> Sequence[Value]:
    return [Value("invented", origin=value.origin) for value in _texts(page)]


def _no_origin(page: Page) -> Sequence[Value]:
    return [Value(value.text) for value in _texts(page)]


def _off_the_page(page: Page) -> Sequence[Value]:
    return [
        Value(value.text, origin=Origin(page.id, value.origin.nodes, (0, 0, 9e6, 9e6)))
        for value in _texts(page)
        if value.origin
    ]


def _wrong_node(page: Page) -> Sequence[Value]:
    return [Value(value.text, origin=Origin(page.id, (10**6,), None)) for value in _texts(page)]


def _fixed_box(page: Page) -> Sequence[Value]:
    return [
        Value(value.text, origin=Origin(page.id, value.origin.nodes, (1, 1, 2, 2)))
        for value in _texts(page)
        if value.origin
    ]


def _other_page(page: Page) -> Sequence[Value]:
    return [Value(value.text, origin=Origin("elsewhere", (0,), None)) for value in _texts(page)]


def _never_empty(_: Page) -> Sequence[Value]:
    return [Value("")]


def _none(_: Page) -> Sequence[Value]:
    return None  # type: ignore[return-value]


def _bare_texts(page: Page) -> Sequence[object]:
    return [{"text": value.text} for value in _texts(page)]


@pytest.mark.parametrize(
    ("extract", "words"),
    [
        (_bare_texts, "without an origin"),
        (_random, "another result"),
        (_invents, "does not stand at its origin"),
        (_no_origin, "has no origin"),
        (_off_the_page, "off the page"),
        (_wrong_node, "names nodes off the page"),
        (_fixed_box, "was moved"),
        (_other_page, "another page"),
        (_never_empty, "an empty page"),
        (_none, "returns a list"),
    ],
)
def test_contract_finds_what_is_broken(extract: object, words: str) -> None:
    """Each way of breaking the contract is named in the assertion."""
    with pytest.raises(AssertionError, match=words):
        check_extractor(extract)  # type: ignore[arg-type]


def test_contract_takes_tables() -> None:
    """Tables are looked through cell by cell."""

    def tables(page: Page) -> list[Table]:
        cells = _texts(page)
        return [Table.from_rows([[value.text for value in cells]])] if cells else []

    with pytest.raises(AssertionError, match="has no origin"):
        check_extractor(tables)


def test_shifted_moves_everything() -> None:
    """Boxes and words of a shifted page stand elsewhere by the same amount; its texts are the same."""
    page = list_page(["one"])
    moved = shifted(page, 10, 20)
    assert moved.node(0).box == (10.0, 20.0, 1290.0, 1044.0)
    assert (moved.words.box - page.words.box == [10, 20, 10, 20]).all()
    assert moved.text_of() == page.text_of()
