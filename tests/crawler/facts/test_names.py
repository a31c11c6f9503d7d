"""Keys of names: what may be merged by its spelling, and what never may."""

import pytest

from sightline.crawler.facts._compare import attribute_key, name_key, page_subject, text_key


def _same(first: str, second: str) -> bool:
    one, other = name_key(first), name_key(second)
    return one.in_any_order == other.in_any_order or one.letters == other.letters


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Canon EOS 5D", "canon eos-5d"),
        ("Canon EOS 5D", "EOS 5D (Canon)"),
        ("Canon EOS 5D", "CANON  EOS5D [1]"),
        ("EOS 5D Mark II", "EOS 5D Mk II"),
        ("EOS 5D Mark II", "EOS 5D MkII"),
        ("EOS 5D Mark II", "EOS 5D mark 2"),
        ("Leica® M9™", "Leica M9"),
        ("Société Générale", "Societe Generale*"),
        ("Marks & Spencer", "Marks and Spencer"),
    ],
)
def test_name_key_takes_spellings_of_one_name_together(first: str, second: str) -> None:
    """Case, accents, punctuation, word order, notes and editions do not matter."""
    assert _same(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("EOS 5D", "EOS 50D"),
        ("EOS 5D", "EOS 5D Mark II"),
        ("EOS 5D Mark II", "EOS 5D Mark III"),
        ("A1 1", "A 11"),
        ("A 1.5", "A 15"),
        ("A 1.5", "A 1 5"),
        ("Galaxy S9", "Galaxy S9+"),
        ("C", "C#"),
        ("12 of 34", "34 of 12"),
        ("-5", "5"),
        ("$5", "€5"),
        ("Iphone 12", "Iphone 12 Pro"),
    ],
)
def test_name_key_keeps_different_things_apart(first: str, second: str) -> None:
    """Digits, signs and words that one of the names lacks always matter."""
    assert not _same(first, second)


def test_attribute_key_leaves_out_units_articles_and_plurals() -> None:
    """The unit of a heading belongs to its values."""
    keys = {attribute_key(heading).in_any_order for heading in ("Weight", "weight (g)", "Weight in grams", "WEIGHTS:")}
    assert len(keys) == 1
    assert attribute_key("Size of the screen") == attribute_key("size of screen")
    assert attribute_key("Height").letters != attribute_key("Weight").letters


def test_page_subject_leaves_out_the_site_and_the_kind_of_page() -> None:
    """Only parts that are known to be the site's own name are left out; all others belong to the subject."""
    assert page_subject("Review: Canon EOS 5D | Camera World", frozenset({"cameraworld"})) == "Canon EOS 5D"
    assert page_subject("Mission: Impossible 2") == "Mission Impossible 2"
    assert page_subject("Specifications") == ""


def test_text_key_never_joins_numbers() -> None:
    """A blank between two digits says something."""
    assert text_key("24–70 mm") == text_key("24 - 70mm")
    assert text_key("24 70") != text_key("2470")
    assert text_key("—") == "—"
