"""Alignment: the best slot for each child, in order, and slots that many sequences of children fit into."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.schemas import Alphabet, Slot
from sightline.extract.schemas._align import SlotCosts, SlotScorer, Token, _best, _best_of_many, align, fit
from sightline.signals import TextKind

from .._templates import FOOT, learned, listed, read, table

B, I, P, P_NAME, DIV = 1, 2, 3, 4, 5  # noqa: E741 - tags
ALPHABET = Alphabet(frozenset(), ["#text", "b", "i", "p", "p .name", "div"])
HOME, PRICE, WEIGHT = 1, 2, 3  # shared texts

TOKENS = st.builds(
    Token,
    st.just("one"),
    st.integers(0, 5),
    content=st.integers(0, 3),
    word=st.sampled_from(["", "price", "in"]),
    kind=st.integers(1, 4),
    make=st.frozensets(st.integers(1, 5), max_size=2),
    single=st.booleans(),
)
SEQUENCES = st.lists(TOKENS, max_size=4).map(tuple)


def _text(symbol: int, content: int = 0, kind: TextKind = TextKind.WORDS) -> Token:
    return Token("one", symbol, content, kind=int(kind), single=True)


def _slots(*sequences: tuple[Token, ...]) -> list[Slot]:
    return align(sequences, ALPHABET, frozenset())


@given(SEQUENCES, st.lists(SEQUENCES, min_size=1, max_size=3), st.data())
def test_no_assignment_in_order_is_better(
    tokens: tuple[Token, ...], known: list[tuple[Token, ...]], data: st.DataObject
) -> None:
    """The slots found are in order, none is taken twice, and their sum of scores is that of the best of all ways."""
    slots, scorer = _slots(*known)[:5], SlotScorer(ALPHABET)
    skips = data.draw(st.none() | st.lists(st.floats(-0.25, 0), min_size=len(slots), max_size=len(slots)).map(np.array))
    found = fit(tokens, slots, scorer, None if skips is None else SlotCosts.of(skips))
    taken = [slot for slot in found if slot >= 0]
    assert len(found) == len(tokens)
    assert taken == sorted(set(taken))
    if not tokens or not slots:
        assert not taken
        return
    gain = np.array(scorer.rows(tokens, slots)) - (0 if skips is None else skips)
    ways = [
        sum(gain[token, slot] for token, slot in zip(own, chosen, strict=True))
        for count in range(min(len(tokens), len(slots)) + 1)
        for own in combinations(range(len(tokens)), count)
        for chosen in combinations(range(len(slots)), count)
    ]
    assert sum(gain[token, slot] for token, slot in enumerate(found) if slot >= 0) == pytest.approx(max(ways))


@given(st.lists(SEQUENCES, min_size=1, max_size=5))
def test_every_token_gets_a_slot(sequences: list[tuple[Token, ...]]) -> None:
    """Nothing is lost: the slots were filled as often as there are tokens."""
    slots = _slots(*sequences)
    assert sum(slot.present for slot in slots) == sum(map(len, sequences))
    assert sum((slot.symbols for slot in slots), Counter()) == Counter(
        token.symbol for sequence in sequences for token in sequence
    )


@given(SEQUENCES, st.integers(1, 4))
def test_equal_sequences_fill_the_same_slots(sequence: tuple[Token, ...], times: int) -> None:
    """Pages that are made alike give one slot a child, however many pages there are."""
    slots = _slots(*[sequence] * times)
    assert [slot.present for slot in slots] == [times] * len(sequence)
    assert fit(sequence, slots, SlotScorer(ALPHABET)).count(-1) == 0


def test_what_is_missing_is_passed_over() -> None:
    """A child in the middle that some pages lack has a slot of its own, in its place."""
    slots = _slots((_text(B), _text(P), _text(DIV)), (_text(B), _text(DIV)))
    assert [(next(iter(slot.symbols)), slot.present) for slot in slots] == [(B, 2), (P, 1), (DIV, 2)]


def test_labels_hold_their_slots() -> None:
    """Two labels that stand beside each other never share a slot, even where only one of them is there."""
    price, weight = _text(P, PRICE), _text(P, WEIGHT)
    slots = _slots((price, weight), (weight,), (price,))
    assert [dict(slot.contents) for slot in slots] == [{PRICE: 2}, {WEIGHT: 2}]


def test_marks_around_a_text_do_not_matter() -> None:
    """A text that is bold on one page and plain on the other is in one slot; without the rule it is in two."""
    sequences = [(_text(B),), (_text(I),), (_text(0),)]
    assert len(align(sequences, ALPHABET, frozenset())) == 1
    assert len(align(sequences, ALPHABET, frozenset(["decorative"]))) == 3


def test_a_block_is_no_mark() -> None:
    """A paragraph and a division are different things even where each holds one text."""
    assert len(_slots((_text(P),), (_text(DIV),))) == 2


def test_classes_tell_paragraphs_apart() -> None:
    """Of two slots of one tag a child falls to the one of its own class."""
    plain, named = _text(P), _text(P_NAME)
    slots = _slots((plain, named), (plain, named))
    assert fit([named], slots, SlotScorer(ALPHABET)) == [1]
    assert fit([plain], slots, SlotScorer(ALPHABET)) == [0]


def test_kinds_tell_texts_apart() -> None:
    """Where the path is the same, a number falls to the slot of numbers."""
    word, number = _text(P), _text(P, kind=TextKind.NUMBER)
    slots = _slots((word, number), (word, number))
    assert fit([number], slots, SlotScorer(ALPHABET)) == [1]
    assert fit([word], slots, SlotScorer(ALPHABET)) == [0]


def test_what_an_element_holds_tells_it_apart() -> None:
    """Of two divisions a further one falls to the one that is made like it; without the rule, to the first."""
    one, two = (Token("one", DIV, kind=int(TextKind.WORDS), make=frozenset([own])) for own in (B, P_NAME))
    slots = _slots((one, two), (one, two))
    assert fit([two], slots, SlotScorer(ALPHABET)) == [1]
    unsure = SlotScorer(ALPHABET, without=frozenset(["make"])).rows([two], slots)
    assert unsure[0][0] == unsure[0][1]


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), min_size=1, max_size=6))
def test_short_and_long_words_are_aligned_alike(score: list[list[float]]) -> None:
    """Plain lists and arrays give the same sums to the last digit."""
    steps = [-0.25, 0.0, -0.04]
    assert _best(score, steps) == _best_of_many(score, steps)


def test_sets_are_no_single_children() -> None:
    """A run of items and a single child of the same symbol have slots of their own."""
    slots = _slots((Token("set", P), _text(P)), (Token("set", P),))
    assert [(slot.take, slot.present) for slot in slots] == [("set", 2), ("one", 1)]


def test_nothing_to_fit_is_no_error() -> None:
    """No tokens need no slots, and tokens without slots fall to none."""
    assert fit([], [Slot("one")], SlotScorer(ALPHABET)) == []
    assert fit([_text(P)], [], SlotScorer(ALPHABET)) == [-1]
    assert _slots() == []


def test_words_that_fields_share_stay_in_their_fields() -> None:
    """Elements of classes of their own are fields of their own, although other pages say the same elsewhere."""
    chosen = random.Random(1)
    said = [[chosen.choice(["yes", "no"]) for _ in range(3)] for _ in range(10)]

    def page(number: int) -> str:
        wifi, gps, nfc = said[number]
        return f"<h1>Phone {number}</h1><p class=wifi>{wifi}</p><p class=gps>{gps}</p><p class=nfc>{nfc}</p>{FOOT}"

    wrapper = learned(map(page, range(8)))
    for number, own in enumerate(said):
        wanted = {"title": f"Phone {number}"} | dict(zip(["wifi", "gps", "nfc"], own, strict=True))
        assert read(wrapper, page(number)) == [wanted]


def test_a_price_that_is_another_price_elsewhere_stays_in_its_field() -> None:
    """The price of one page may be what another page asked before; they are two fields all the same."""

    def page(number: int) -> str:
        prices = f"<b class=price>{number} €</b><i class=was>{2 * number} €</i>"
        return f"<h1>Thing {number}</h1><div>{prices}</div>{FOOT}"

    wrapper = learned(map(page, range(1, 5)))
    assert wrapper.fields == ["title", "price", "was"]
    for number in range(1, 7):
        assert read(wrapper, page(number)) == [
            {"title": f"Thing {number}", "price": f"{number} €", "was": f"{2 * number} €"}
        ]


@pytest.mark.parametrize("tag", ["p", "td", "span"])
def test_optional_neighbours_of_other_classes_are_not_mixed(tag: str) -> None:
    """Two fields that come and go beside each other, with classes of their own, are never taken for each other."""
    shop = ("10 01 11 00 01 10 01 10", "10 00 11 01", "00 01 00 01 10 10 00", "11", "01 10 11")

    def item(name: str, price: str, stock: str) -> str:
        texts = {"name": f"Lens {name}"}
        texts |= {"price": f"{name}.50 €"} if price == "1" else {}
        texts |= {"stock": f"{name} left"} if stock == "1" else {}
        return "".join(f"<{tag} class={own}>{text}</{tag}>" for own, text in texts.items())

    def page(number: int) -> str:
        items = [item(f"{number}{place}", *own) for place, own in enumerate(shop[number].split())]
        rows = "".join(f"<tr>{own}</tr>" if tag == "td" else f"<div class=item>{own}</div>" for own in items)
        return f"<h1>Lenses</h1>{f'<table>{rows}</table>' if tag == 'td' else f'<div>{rows}</div>'}{FOOT}"

    assert read(learned(map(page, range(4))), page(4)) == [
        {"name": "Lens 40", "stock": "40 left"},
        {"name": "Lens 41", "price": "41.50 €"},
        {"name": "Lens 42", "price": "42.50 €", "stock": "42 left"},
    ]


@pytest.mark.parametrize("seed", range(3))
def test_columns_of_one_vocabulary_stay_apart(seed: int) -> None:
    """Three columns of yes and no are three columns, whatever their cells happen to say."""
    chosen, heads = random.Random(seed), ["Name", "WiFi", "GPS", "NFC"]
    rows = [
        [[f"Phone {number}{place}", *(chosen.choice(["yes", "no"]) for _ in range(3))] for place in range(3 + number)]
        for number in range(6)
    ]
    pages = [f"<h1>Phones</h1>{table(own, heads)}{FOOT}" for own in rows]
    assert read(learned(pages[:5]), pages[5]) == [dict(zip(heads, row, strict=True)) for row in rows[5]]


@pytest.mark.parametrize("seed", range(3))
def test_fields_of_one_vocabulary_stay_apart_in_records(seed: int) -> None:
    """Two colours of a record, in classes of their own, are both there and in their own fields."""
    chosen, names = random.Random(seed), ["name", "color", "material"]
    rows = [
        [
            [f"Car {number}{place}", *(chosen.choice(["red", "green", "blue"]) for _ in range(2))]
            for place in range(3 + number)
        ]
        for number in range(5)
    ]
    pages = []
    for own in rows:
        items = ("".join(f"<p class={name}>{text}</p>" for name, text in zip(names, row, strict=True)) for row in own)
        pages.append(f"<h1>Cars</h1><div>{''.join(f'<div class=item>{item}</div>' for item in items)}</div>{FOOT}")
    assert read(learned(pages[:4]), pages[4]) == [dict(zip(names, row, strict=True)) for row in rows[4]]


def test_small_numbers_beside_each_other_are_both_there() -> None:
    """The two scores of a match, in elements of their own, are two fields even where they are equal."""
    chosen = random.Random(1)
    rows = [
        [
            [f"Team {number}{place}a", str(chosen.randint(0, 3)), str(chosen.randint(0, 3)), f"Team {number}{place}b"]
            for place in range(3 + number)
        ]
        for number in range(6)
    ]
    pages = []
    for own in rows:
        items = (f"<b>{home}</b> <i>{one}</i> <u>{two}</u> <em>{guest}</em>" for home, one, two, guest in own)
        pages.append(f"<h1>Round</h1>{listed(*items)}{FOOT}")
    assert [list(record.values()) for record in read(learned(pages[:5]), pages[5])] == rows[5]
