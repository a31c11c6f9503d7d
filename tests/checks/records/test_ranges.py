"""Types, ranges and lengths: what is far from all that was good is told, what is near is not."""

import pytest

from sightline.checks import CheckSettings, PageRecords, check_records, is_far, profile_of_run
from sightline.data import FieldProfile, Records


def _details(texts: list[str], name: str = "price") -> list[PageRecords]:
    return [
        PageRecords(Records([{"name": f"Camera {own}", name: text}]), source=f"{own}.html")
        for own, text in enumerate(texts)
    ]


PRICES = [f"{100 + 13 * number} €" for number in range(12)]


@pytest.mark.parametrize(
    ("texts", "check"),
    [
        (["call us"] * 12, "types"),
        ([f"${100 + 13 * number}" for number in range(12)], "types"),
        ([f"{3 + number} €" for number in range(12)], "ranges"),
        ([f"{1000 + number} €" for number in range(12)], "ranges"),
        ([f"{-100 - number} €" for number in range(12)], "ranges"),
    ],
)
def test_other_prices_are_told(texts: list[str], check: str) -> None:
    """Text where numbers were, another currency, numbers below and above all that were."""
    found = check_records(_details(texts), profile_of_run(_details(PRICES)))
    assert found.of(check)
    assert {own.field for own in found.of(check)} == {"price"}


def test_like_prices_are_not_told() -> None:
    """Prices a little below and above the range, and one that cannot be read, are normal."""
    now = [f"{90 + 17 * number} €" for number in range(11)]
    assert check_records(_details([*now, "sold out"]), profile_of_run(_details(PRICES))).verdict == "ok"


def test_few_known_values_have_a_wide_range() -> None:
    """Of three prices nobody knows the range: twice as much is normal, twenty times as much is not."""
    profile = profile_of_run(_details(PRICES[:3]))
    assert check_records(_details([f"{250 + number} €" for number in range(12)]), profile).verdict == "ok"
    assert check_records(_details([f"{2500 + number} €" for number in range(12)]), profile).of("ranges")


def test_a_single_number_far_away_is_a_notice() -> None:
    """One wrong price among many is told and changes nothing; on a page of its own it does."""
    profile = profile_of_run(_details(PRICES))
    report = check_records(_details([*PRICES, "99999 €"]), profile)
    assert (report.verdict, report.of("ranges")[0].severity) == ("ok", "notice")
    assert check_records(_details(["99999 €"]), profile).verdict == "suspicious"
    assert check_records(_details(["99999 €"]), profile, settings=CheckSettings(far=1000)).verdict == "ok"


def test_lengths_of_texts_are_compared() -> None:
    """A description where a colour was."""
    colours = _details(["red", "blue", "green", "black", "white", "silver", "grey"], "colour")
    long = _details(
        [f"The camera number {own} has a body of metal and a very good lens." for own in range(9)], "colour"
    )
    assert check_records(long, profile_of_run(colours)).of("ranges")
    assert check_records(_details(["dark blue"] * 9, "colour"), profile_of_run(colours)).of("ranges") == ()


def test_texts_that_have_become_numbers_are_told() -> None:
    """Prices under the name of colours; words that say that there is none are no type."""
    colours = _details(["red", "blue", "green", "black", "white", "silver", "grey"], "colour")
    assert check_records(_details(PRICES, "colour"), profile_of_run(colours)).of("types")
    none = profile_of_run(_details(["none"] * 12, "travel"))
    assert check_records(_details(["10 %", "20 %", "5 %"] * 4, "travel"), none).of("types") == ()


@pytest.mark.parametrize(
    ("number", "low", "high", "far"),
    [
        (-187, -980, 0, False),
        (-99999, -980, 0, True),
        (0, 2, 9, False),
        (float("nan"), 2, 9, False),
        (5, None, None, False),
    ],
)
def test_far_numbers(number: float, low: float | None, high: float | None, far: bool) -> None:
    """Negative ranges count as positive ones do; no number is far from nothing."""
    assert is_far(number, FieldProfile("changes", low=low, high=high)) is far
