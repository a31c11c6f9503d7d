"""Cutting values out of texts by regular expressions that are learned from examples."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.extract.wrappers.patterns._split import apply_cut, learn_cut


@pytest.mark.parametrize(
    ("pairs", "text", "value"),
    [
        ([("Director: Jane Campion", "Jane Campion")], "Director: Akira Kurosawa", "Akira Kurosawa"),
        ([("Ran (1985)", "1985"), ("Sanjuro (1962)", "1962")], "Ikiru (1952)", "1952"),
        ([("Price: $5 plus tax", "$5")], "Price: $12 plus tax", "$12"),
        ([("500 g", "500")], "75 g", "75"),
        (
            [("by Jane Campion, 1993", "Jane Campion"), ("by Akira Kurosawa, 1985", "Akira Kurosawa")],
            "by Yasujiro Ozu, 1953",
            "Yasujiro Ozu",
        ),
        ([("Page 1 of 20", "20"), ("Page 3 of 7", "7")], "Page 5 of 113", "113"),
        ([("ISBN 978-3", "978-3")], "ISBN 979-1", "979-1"),
    ],
)
def test_a_cut_fits_other_texts(pairs: list[tuple[str, str]], text: str, value: str) -> None:
    """What was learned from one text cuts the same out of another."""
    expression = learn_cut(pairs)
    assert expression is not None
    assert apply_cut(expression, text) == value


def test_whole_texts_need_no_cut() -> None:
    """Case and blanks aside."""
    assert learn_cut([("Jane  Campion", "jane campion")]) is None


def test_a_value_that_is_not_in_its_text_has_no_cut() -> None:
    """There is nothing to learn."""
    assert learn_cut([("Director: Jane Campion", "Akira Kurosawa")]) is None
    assert learn_cut([("a b", "b"), ("c d", "x")]) is None


def test_nothing_is_cut_out_of_another_text() -> None:
    """Where the label is missing there is no value."""
    expression = learn_cut([("Director: Jane Campion", "Jane Campion")])
    assert expression is not None
    assert apply_cut(expression, "Cast: Holly Hunter") is None


_text = st.text("abc 12.,:;()[]*+?\\$^|{}€", max_size=10)


@settings(max_examples=200, database=None)
@given(st.lists(st.tuples(_text, _text.filter(str.strip), _text), min_size=1, max_size=3))
def test_a_cut_gives_all_its_examples(parts: list[tuple[str, str, str]]) -> None:
    """Whatever is learned is an expression with one group that gives the values it was learned from."""
    pairs = [(before + value + after, value) for before, value, after in parts]
    expression = learn_cut(pairs)
    if expression is None:
        return
    assert re.compile(expression).groups == 1
    for text, value in pairs:
        assert "".join((apply_cut(expression, text) or "").split()).lower() == "".join(value.split()).lower()


def test_a_cut_of_a_long_text_does_not_go_astray() -> None:
    """An expression that tried all ways to read this text, which lacks the value, would not end."""
    expression = learn_cut([("Price: 5, new", "5"), ("Price: 7, new", "7")])
    assert expression is not None
    assert apply_cut(expression, "Price: " + "1 . 1" * 20_000) is None
