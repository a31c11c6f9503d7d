"""Kinds of values that a condition can ask for."""

import pytest

from sightline.extract.wrappers.patterns._expression import kinds_of


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("money", ["$5", "$1,200.50", "12 €", "EUR 12", "1.299,00 €", "£3.50", "CHF 20", "US$ 99", "(5 €)"]),
        ("date", ["12 May 1999", "2021-05-12", "12.05.2021", "5/12/21", "May 12, 2021", "12. März 2021", "Sept 3"]),
        ("phone", ["555-123-4567", "+43 664 588-0112", "(555) 123-4567", "Tel: 555-123-4567"]),
        ("email", ["a@example.org", "first.last+tag@mail.example.com"]),
        ("number", ["5", "1,200", "-3.5", "12 %", "1 000"]),
    ],
)
def test_a_kind_is_known_by_its_form(kind: str, texts: list[str]) -> None:
    """All the usual ways to write it."""
    assert [text for text in texts if kind not in kinds_of(text)] == []


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("money", ["5", "five dollars", "Canon EOS 5D", "save $5 on all cameras", ""]),
        ("date", ["12", "May", "maybe 5", "Canon", "marching 5", ""]),
        ("phone", ["5", "12 May 1999", "Canon", ""]),
        ("email", ["a at example.org", "@example", ""]),
        ("number", ["EOS 5D", "$5", "12 May", "", "%"]),
    ],
)
def test_other_texts_are_of_no_such_kind(kind: str, texts: list[str]) -> None:
    """A number in a text makes it no number."""
    assert [text for text in texts if kind in kinds_of(text)] == []


def test_long_texts_are_of_no_kind() -> None:
    """They only mention a price or a date."""
    assert kinds_of("On 12 May 1999 we sold the first of many cameras to the first of many customers") == []


@pytest.mark.parametrize("text", ["1 " * 30, "1,1,1." * 10, "+1-" * 20, "a@" * 30, "-" * 60, "$" * 60])
def test_no_text_leads_astray(text: str) -> None:
    """An expression that tried all ways to read these would not end while anybody waits."""
    assert isinstance(kinds_of(text[:60]), list)
