"""The methods of the lab: each finds what its verb finds, and says what can be changed about it."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.jobs import extractor, method, methods, try_method
from sightline.page import Page
from sightline.settings import describe
from sightline.testing import grid_page

EXAMPLES = Path(__file__).parents[2] / "examples"
GRID = grid_page([["Star", "Magnitude"], ["Sirius", "-1.46"], ["Vega", "0.03"]])


@pytest.fixture(scope="module")
def page() -> Page:
    """A page with a list that its title promises."""
    return sl.open(EXAMPLES / "telescopes.html", static=True)


@pytest.mark.parametrize("name", ["top", "lists", "tables", "content"])
def test_a_method_finds_what_the_extractor_finds(page: Page, name: str) -> None:
    """A page, and a grid of cells, which has a table."""
    for one in (page, GRID):
        found = [result.to_json() for result in try_method(one, name).found]
        assert found == [result.to_json() for result in extractor(name)(one)]
    assert found or name == "top"


@pytest.mark.parametrize("name", list(methods()))
def test_every_method_says_what_it_is(name: str) -> None:
    """Rules need settings to be switched off by, and a method from a paper has neither."""
    found = method(name)
    assert found.name == name
    assert found.title and found.about
    assert (found.settings is None) == (found.paper is not None)
    switch = {declared.name for declared in describe(found.settings())} & {"without"} if found.settings else set()
    assert bool(switch) == bool(found.rules())


def test_a_rule_can_be_left_out_and_a_setting_changed() -> None:
    """What differs is the rule's doing."""
    assert len(try_method(GRID, "tables").found) == 1
    assert not try_method(GRID, "tables", without=("elements", "words", "markup")).found
    assert not try_method(GRID, "tables", settings={"least_score": 1.0}).found


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("guessing", {}, "There is no method 'guessing'; choose one of top"),
        ("tables", {"k": 3}, "cannot be asked for a number of items"),
        ("ventrec", {"without": ("words",)}, "is as its paper has it"),
        ("ventrec", {"settings": {"least_score": 1.0}}, "is as its paper has it"),
        ("tables", {"without": ("magic",)}, "There is no rule 'magic'"),
        ("tables", {"settings": {"magic": 1}}, "has no setting 'magic'; it has least_score"),
        ("tables", {"settings": {"least_score": "high"}}, "least_score of TableSettings must be a number"),
        ("structure", {}, "open a PDF"),
    ],
)
def test_what_a_method_cannot_do_is_one_sentence(page: Page, name: str, how: dict[str, object], words: str) -> None:
    """It says what to do instead."""
    with pytest.raises(UsageError, match=words):
        try_method(page, name, **how)  # type: ignore[arg-type]
