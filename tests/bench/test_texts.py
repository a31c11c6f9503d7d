"""What the scores call the same text."""

import pytest
from bench.texts import cell_key, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Total", " TOTAL: "),
        ("ﬁve ²", "five 2"),
        ("New York", "New\u00a0 York"),
        ("Name [1]", "Name"),
        ("Name[note 2]", "Name [ a ]"),
        ("so\u00adlar\u200b", "solar"),
        ("U.S.", "U.S"),
        ("(1 200)", "1200"),
    ],
)
def test_same_cells(one: str, other: str) -> None:
    """Case, form of characters, white space, footnote marks and punctuation at the ends make no difference."""
    assert cell_key(one) == cell_key(other)


@pytest.mark.parametrize(("one", "other"), [("1.5", "15"), ("-", "–"), ("[1234]", ""), ("a-b", "ab"), ("x", "")])
def test_different_cells(one: str, other: str) -> None:
    """Punctuation inside a text does, and so does a text of punctuation alone."""
    assert cell_key(one) != cell_key(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seats: 1,000", ("seats", "1000")),
        ("1,00,0", ("1,00,0",)),
        ("3.90 and 3.00", ("3.9", "and", "3")),
        ("007 0", ("7", "0")),
        ("01:05 PM", ("1:5",)),
        ("5 pm", ("5", "pm")),
        ("1:05 am pm", ("1:5", "pm")),
        ("snake_case", ("snake", "case")),
        ("", ()),
    ],
)
def test_words(text: str, expected: tuple[str, ...]) -> None:
    """Numbers have one spelling; `am` and `pm` go after a clock time only."""
    assert words(text) == expected
