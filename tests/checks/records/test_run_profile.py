"""The profile of a run: what later runs are held against, and that wrappers of both kinds carry it."""

import pytest

from sightline.checks import PageRecords, number_of, profile_of_run, text_profile
from sightline.data import FieldProfile, Profile, Records
from sightline.extract.wrappers import Lesson, induce
from sightline.testing import shop_pages

from ._shop import run_of_pages


def test_profile_tells_counts_ranges_and_places() -> None:
    """Numbers have a range and a middle, values a place, records a number; some of them are remembered."""
    profile = profile_of_run(run_of_pages(2, 8))
    price, name = profile.of("price"), profile.of("name")
    assert (profile.pages, profile.least, profile.most) == (2, 8, 8)
    assert price is not None
    assert name is not None
    assert (price.low, price.high, price.count, price.distinct) == (200.1, 305.25, 16, 16)
    assert price.low < (price.middle or 0) < price.high
    assert (price.places, name.places) == (("li.product>p.price",), ("h3>a",))
    assert (name.low, name.titled) == (None, 0.0)
    assert profile.records[0][1]["name"] == ("Canon EOS 0",)


def test_profile_names_the_set_that_the_records_are_of() -> None:
    """As wrappers do; checks find the fields again."""
    profile = profile_of_run([PageRecords(Records([{"name": "A"}]))], each="items")
    assert [own.name for own in profile.fields] == ["items.name"]
    assert profile.records[0][0] == "items"


def test_profile_tells_the_newest_date() -> None:
    """Dates have no range of numbers; the latest is kept as ISO has it."""
    told = text_profile(["2024-05-01", "2024-06-02", "soon", "2023-01-01", "2024-02-02"], "en")
    assert (told["newest"], told["low"], told["high"]) == ("2024-06-02", None, None)
    assert text_profile([], None)["newest"] is None


def test_wrappers_carry_ranges_however_they_were_learned() -> None:
    """Both kinds of rules have the same yardsticks, and keep them in their file."""
    pages = shop_pages(4)
    lesson = Lesson(pages[0]).want("Price", "100 €")
    for wrapper in (induce(pages), lesson.wrapper):
        own = type(wrapper).loads(wrapper.dumps()).profile.of("Price")
        assert own is not None
        assert (own.low, own.places, own.type.kind) == (100.0, ("tr>td",), "money")
        assert own.count >= 1


def test_profiles_of_older_files_are_read() -> None:
    """What was not known then is unknown, and nothing else."""
    new = {"count", "distinct", "middle", "newest", "titled", "places"}
    document = Profile(fields=(FieldProfile("price", low=5.0, high=9.0, count=4, places=("td",)),)).to_json()
    [told] = document["fields"]
    document["fields"] = [{name: value for name, value in told.items() if name not in new}]
    assert Profile.from_json(document).fields == (FieldProfile("price", low=5.0, high=9.0),)


@pytest.mark.parametrize("value", [None, True, "5", float("nan"), float("inf"), 10**400])
def test_what_is_no_number_is_none(value: object) -> None:
    """Only finite numbers have a range."""
    assert number_of(value) is None
