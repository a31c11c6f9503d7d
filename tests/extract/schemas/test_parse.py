"""How a word of children is read: rows by label, runs as sets, groups by landmarks, and the rest by slots."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.schemas import (
    Alphabet,
    Leaf,
    Outline,
    Slot,
    TemplateBody,
    TemplateRow,
    outline_of,
    parse,
    pieces,
)
from sightline.extract.schemas._parse import Runs, chunks
from sightline.testing import element, page_of

SYMBOLS = st.lists(st.integers(1, 5), max_size=12)
SETS = st.frozensets(st.integers(1, 5), max_size=3)


@given(SYMBOLS, SETS, SETS)
def test_chunks_cover_what_they_may(symbols: list[int], landmarks: frozenset[int], members: frozenset[int]) -> None:
    """Each chunk begins with a landmark and goes on with members; every landmark begins one, and they never meet."""
    found = chunks(symbols, landmarks, members)
    assert [start for start, _ in found] == [place for place, symbol in enumerate(symbols) if symbol in landmarks]
    for start, stop in found:
        assert start < stop <= len(symbols)
        assert all(symbol in members and symbol not in landmarks for symbol in symbols[start + 1 : stop])
        assert stop == len(symbols) or symbols[stop] in landmarks or symbols[stop] not in members
    assert all(one[1] <= other[0] for one, other in pairwise(found))


@given(SYMBOLS, SETS, SETS, SETS, st.data())
def test_runs_cover_all_children(
    symbols: list[int], sets: frozenset[int], landmarks: frozenset[int], members: frozenset[int], data: st.DataObject
) -> None:
    """Children are cut into runs without a gap where there was none; only equal symbols are in a set together."""
    places = sorted(data.draw(st.sets(st.sampled_from(range(len(symbols))))) if symbols else [])
    contents = data.draw(st.lists(st.integers(0, 2), min_size=len(symbols), max_size=len(symbols)))
    runs = Runs(sets, landmarks, members, frozenset([1])).cut(places, symbols, contents)
    assert [place for _, start, stop in runs for place in range(start, stop)] == places
    for take, start, stop in runs:
        own = symbols[start:stop]
        assert (take == "one") <= (stop == start + 1)
        assert (take == "set") <= (len(set(own)) == 1 and own[0] in sets)
        assert (take == "group") <= (own[0] in landmarks and {*own} <= landmarks | members)


def _outlined(*symbols: str) -> tuple[Outline, list[int]]:
    """Children by tag and text: `p:Price`."""
    alphabet = Alphabet(frozenset({("p", ".old"), ("p", ".new")}))
    for text in ("Price", "Weight"):
        alphabet.share(text)
    parts = (symbol.partition(":") for symbol in symbols)
    kids = [element(tag, text or "x", element("b", "y")) for tag, _, text in parts]
    outline = outline_of(page_of(element("div", *kids), kind="static"), alphabet)
    return outline, outline.kids(0)


def _body(*slots: Slot) -> TemplateBody:
    body = TemplateBody(2, list(slots))
    body.alias = {symbol: symbol for slot in slots for symbol in slot.symbols}
    return body


def _slot(outline: Outline, tag: str, take: str = "one", present: int = 2) -> Slot:
    symbol = outline.alphabet.named(tag)
    return Slot(take, Counter({symbol: 2}), present=present, inner=Leaf(["x"]))  # type: ignore[arg-type]


def test_optional_slots_are_passed_over() -> None:
    """What is always there and was not is missing; what comes and goes is not."""
    outline, kids = _outlined("h1", "p")
    slots = [_slot(outline, "h1"), _slot(outline, "ul", present=1), _slot(outline, "p"), _slot(outline, "div")]
    parsed = parse(_body(*slots), outline, kids)
    assert parsed.parts == [(slots[0], 0, 1), (slots[2], 1, 2)]
    assert parsed.missing == (slots[3],)


def test_unknown_children_fall_to_nobody() -> None:
    """A child that no slot takes is told, and the others are read."""
    outline, kids = _outlined("h1", "aside", "p")
    slots = [_slot(outline, "h1"), _slot(outline, "p")]
    assert parse(_body(*slots), outline, kids).parts == [(slots[0], 0, 1), (None, 1, 2), (slots[1], 2, 3)]


def test_sets_take_all_their_items() -> None:
    """A run of items falls to one slot, and each item is a piece."""
    outline, kids = _outlined("h1", "li", "li", "li")
    slots = [_slot(outline, "h1"), _slot(outline, "li", "set")]
    body = _body(*slots)
    assert parse(body, outline, kids).parts == [(slots[0], 0, 1), (slots[1], 1, 4)]
    assert pieces(slots[1], body, outline, kids[1:4]) == [[kids[1]], [kids[2]], [kids[3]]]


def test_groups_are_cut_at_their_landmarks() -> None:
    """A term and its explanations are one piece."""
    outline, kids = _outlined("dt", "dd", "dd", "dt", "dd")
    slot = _slot(outline, "dt", "group")
    slot.landmarks = frozenset([outline.alphabet.named("dt")])
    slot.members = frozenset([outline.alphabet.named("dd")])
    body = _body(slot)
    body.alias |= dict.fromkeys(slot.members, outline.alphabet.named("dd"))
    assert parse(body, outline, kids).parts == [(slot, 0, 5)]
    assert pieces(slot, body, outline, kids) == [kids[:3], kids[3:]]


def test_rows_are_known_by_their_label() -> None:
    """Rows come in any order, and one that is always there and was not is missing."""
    outline, kids = _outlined("tr:Weight", "tr:Price", "p")
    note = _slot(outline, "p")
    body = _body(note)
    row = outline.alphabet.named("tr")
    body.alias[row] = row
    body.row_symbols = frozenset([row])
    labels = ("Price", "Weight", "Colour")
    body.rows = {outline.alphabet.share(label): TemplateRow(label, 2, Leaf(["x"])) for label in labels}
    price, weight, colour = body.rows.values()
    parsed = parse(body, outline, kids)
    assert parsed.parts == [(weight, 0, 1), (price, 1, 2), (note, 2, 3)]
    assert parsed.missing == (colour,)


def test_an_unknown_class_is_read_as_the_nearest() -> None:
    """An element of a class that the body has not seen is read as the known one of its tag."""
    outline, kids = _outlined("h1", "p")
    slots = [_slot(outline, "h1"), _slot(outline, "p .old")]
    assert parse(_body(*slots), outline, kids).parts == [(slots[0], 0, 1), (slots[1], 1, 2)]


def test_what_was_seen_once_may_come_twice() -> None:
    """A further child of the make of the one before is read by the same slot."""
    outline, kids = _outlined("h1", "p", "p", "div")
    slots = [_slot(outline, "h1"), _slot(outline, "p"), _slot(outline, "div")]
    found = [taker for taker, _, _ in parse(_body(*slots), outline, kids).parts]
    assert found == [slots[0], slots[1], slots[1], slots[2]]


def test_the_same_word_is_read_the_same_way() -> None:
    """Reading a word again gives the very same answer."""
    outline, kids = _outlined("h1", "p")
    body = _body(_slot(outline, "h1"), _slot(outline, "p"))
    assert parse(body, outline, kids).parts == parse(body, outline, kids).parts
