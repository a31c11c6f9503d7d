"""Kinds of text, from characters alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.signals import TextKind, text_kind

KINDS = {
    TextKind.EMPTY: ["", " ", "–", "…", "* * *", "\u00a0", "()"],
    TextKind.NUMBER: [
        "5",
        "1,200.50",
        "1.200,50",
        "1 200",
        "1’200",
        "-4",
        "−4.1 %",
        "$1,200",
        "(12)",
        "12%",
        "5 kg",
        "30°",
    ],
    TextKind.DIGITS: ["12 May 1999", "EOS 5D", "A4", "2021/22 season", "Q1 2024", "1 of 2 done"],
    TextKind.WORDS: ["Canon", "in stock", "São Paulo", "東京", "n/a", "A"],
    TextKind.PROSE: [
        "This is a sentence that nobody would take for a name or a title of anything.",
        "x" * 61,
        "1" * 61,
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts])
def test_texts_have_the_kind_that_people_see(kind: TextKind, text: str) -> None:
    """Numbers with their signs, names with digits in them, words, sentences, and nothing."""
    assert text_kind(text) is kind


@given(st.text(max_size=80))
def test_every_text_has_a_kind(text: str) -> None:
    """Any text has one, and it tells the truth: numbers and digits have a digit, empty ones have no character."""
    kind = text_kind(text)
    if kind in (TextKind.NUMBER, TextKind.DIGITS):
        assert any(character.isdigit() for character in text)
    assert (kind is TextKind.EMPTY) == (not any(map(str.isalnum, text)))


@given(st.decimals(-(10**9), 10**9, places=2, allow_nan=False), st.sampled_from(["", " %", " kg", " €"]))
def test_numbers_are_numbers(number: object, unit: str) -> None:
    """However large, with a sign or without, with a unit or without."""
    assert text_kind(f"{number:,}{unit}") is TextKind.NUMBER


def test_a_long_text_is_told_quickly() -> None:
    """No text, however long, makes the pattern wander."""
    assert text_kind("1" * 60) is TextKind.NUMBER
    assert text_kind("1 " * 30_000 + "x") is TextKind.PROSE
    assert text_kind("1," * 29 + "\u00e9") is not TextKind.NUMBER
