"""Rules from JSON to what a page shows are found on some records, and say so where nobody can know what is shown."""

from typing import Any

import pytest

from sightline.extract.behind import DataRule, NoWordError, ShownPart, find_rule


def rule(shown: list[ShownPart], **columns: list[Any]) -> DataRule | None:
    """The rule that is found for texts and the values of elements."""
    elements = [{(name,): column[place] for name, column in columns.items()} for place in range(len(shown))]
    return find_rule(shown, elements, "en")


def read(found: DataRule | None, **values: Any) -> ShownPart:
    """What a rule makes of one more element."""
    assert found is not None
    return found.read({(name,): value for name, value in values.items()})


@pytest.mark.parametrize(
    ("shown", "values", "other", "written"),
    [
        (["Canon", "Nikon"], ["Canon", "Nikon"], "Leica", "Leica"),
        (["€12.50", "€1,003.00"], [12.5, 1003], 2000.1, "€2,000.10"),
        (["12,50 €", "1.003,00 €"], [1250, 100300], 7, "0,07 €"),
        (["37 %", "5 %"], [0.37, 0.05], 0.5, "50 %"),
        (["5 March 2024", "17 May 2023"], ["2024-03-05", "2023-05-17"], "2024-12-01", "1 December 2024"),
        (["05.03.24", "17.05.23"], ["2024-03-05", "2023-05-17"], "2024-12-01", None),
        (["https://a.example/x/7", "https://a.example/x/12"], [7, 12], 1900, "https://a.example/x/1900"),
        (["3 left", None], [3, None], 2, "2 left"),
    ],
)
def test_values_are_written_as_pages_write_them(
    shown: list[ShownPart], values: list[Any], other: Any, written: str | None
) -> None:
    """Texts, numbers with decimals and groups, cents, shares, days, and addresses."""
    found = rule(shown, value=values)
    if written is None:
        assert found is None
    else:
        assert read(found, value=other) == written


def test_what_was_never_seen_is_not_guessed() -> None:
    """Whether a thousand has a mark is known once one was seen; so is what a status stands for."""
    found = rule(["€12.50", "€99.00"], value=[12.5, 99])
    assert read(found, value=120.5) == "€120.50"
    with pytest.raises(NoWordError, match=r"1200\.5"):
        read(found, value=1200.5)
    with pytest.raises(NoWordError, match="call us"):
        read(found, value="call us")
    found = rule(["In stock", "Sold out", "In stock", "Sold out"], stock=[True, False, True, False], id=[1, 2, 3, 4])
    assert read(found, stock=False, id=5) == "Sold out"
    with pytest.raises(NoWordError, match="'later'"):
        read(found, stock="later", id=5)


@pytest.mark.parametrize(
    "odd", [1e300, -1e300, 1e-300, 10**40, float("inf"), "1" * 5_000, "9999-99-99", "x" * 100_000, "\x00", []]
)
def test_odd_values_break_nothing(odd: Any) -> None:
    """Numbers beyond all pages, days that are none, texts without end; of a language that nobody speaks."""
    assert find_rule(["€1.00", "€2.00"], [{("a",): odd}, {("a",): odd}], "zz") is None
    found = rule(["€1.00", "€2.00"], value=[1, 2])
    assert found is not None
    with pytest.raises(NoWordError):
        read(found, value=odd or "x")


def test_two_keys_that_were_always_the_same_are_not_mistaken_for_each_other() -> None:
    """The price and the price before the sale, as long as nothing is on sale."""
    found = rule(["€12.50", "€99.00"], now=[12.5, 99], before=[12.5, 99])
    assert read(found, now=15, before=15) == "€15.00"
    with pytest.raises(NoWordError):
        read(found, now=15, before=18)


def test_several_values_in_a_text_and_several_texts_of_a_list() -> None:
    """As in “Ada, 3 answers”, and as tags are."""
    found = rule(["Ada, 3 answers", "Grace, 12 answers"], who=["Ada", "Grace"], answers=[3, 12])
    assert read(found, who="Alan", answers=40) == "Alan, 40 answers"
    tags = find_rule([("#a", "#b"), ("#c",)], [{("t", "*"): ["a", "b"]}, {("t", "*"): ["c"]}], "en")
    assert tags is not None
    assert tags.read({("t", "*"): ["x", "y", "z"]}) == ("#x", "#y", "#z")
    assert tags.read({("t", "*"): []}) is None


def test_a_label_that_some_records_have_follows_from_a_yes_or_no() -> None:
    """A number that is another one in every record passes for no label."""
    found = rule(["Sale", None, None, "Sale"], id=[1, 2, 3, 4], sale=[True, False, False, True])
    assert read(found, id=9, sale=True) == "Sale"
    assert rule(["Sale", None, None, "Sale"], id=[1, 2, 3, 4]) is None
    constant = rule(["Buy", "Buy"], id=[1, 2])
    assert constant is not None
    assert constant.is_constant
