"""Words broken at the end of a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._broken_words import SOFT_HYPHEN, BrokenWords

from ...sources.pdf._write import lattice, pdf, put
from ._made import written
from ._sheets import grid, opened, outline, prose


def _broken(*known: str) -> BrokenWords:
    words, _ = written(known)
    return BrokenWords(words)


@pytest.mark.parametrize(
    ("known", "broken", "rest", "expected"),
    [
        ("telescope.", "(tele-", "scope,", f"(tele{SOFT_HYPHEN}"),
        ("well-known", "well-", "known", "well-"),
        ("other", "tele-", "scope", "tele?"),
        ("X42", "X42-", "BK", "X42-"),
        ("years", "1998-", "2004", "1998-"),
        ("name", "Corrie-", "Hill", "Corrie-"),
        ("dash", "-", "which", None),
        ("dash", "end", "which", None),
        ("dash", "end.-", "which", None),
        ("dash", "pre-", "(and post-)", None),
    ],
)
def test_document_tells_whether_the_hyphen_stays(known: str, broken: str, rest: str, expected: str | None) -> None:
    """What stands unbroken elsewhere decides; numbers and capitals keep their hyphen; a dash breaks nothing."""
    assert _broken(known).before_break(broken, rest, otherwise="?") == expected


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_nothing_but_the_hyphen_changes(broken: str, rest: str) -> None:
    """Whatever the texts, all that stands before the hyphen is kept."""
    found = _broken(rest).before_break(broken, rest, otherwise=SOFT_HYPHEN)
    assert found in (None, broken, broken[:-1] + SOFT_HYPHEN)


def test_broken_words_of_a_document_are_read_whole() -> None:
    """In text and in cells: a number of goods, a compound that stands elsewhere, and a word."""
    lines = ("The mount X42-", "BK is a low-", "cost one for every tele-", "scope and, as a low-cost part, for yours.")
    cells = put("Mount X42-", 80, 500, size=10) + put("BK", 80, 488, size=10) + put("12", 250, 500, size=10)
    cells += put("Tube", 80, 470, size=10) + put("7", 250, 470, size=10)
    content = prose(lines=lines) + cells + lattice([70, 240, 300], [512, 484, 456])
    page = opened(content=pdf(content))
    assert outline(page)[0] == (
        "p", "The mount X42-BK is a low-cost one for every telescope and, as a low-cost part, for yours."
    )  # fmt: skip
    assert grid(page) == [["Mount X42-BK", "12"], ["Tube", "7"]]
