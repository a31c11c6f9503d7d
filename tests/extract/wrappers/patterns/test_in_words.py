"""Patterns in words: every condition can be told, and what is told says all that matters."""

import pytest

import sightline as sl
from sightline.extract.wrappers import Lesson
from sightline.extract.wrappers.patterns import (
    HOLDS_COLUMN,
    TESTS,
    WAYS,
    Condition,
    Pattern,
    Rule,
    condition_in_words,
    pattern_in_words,
    rule_in_words,
)
from sightline.extract.wrappers.patterns._conditions import MARKS

EVERY = [*((way, test) for test in TESTS for way in (WAYS if test in MARKS else ("self",))), HOLDS_COLUMN]
VALUES = {"place": "2", "attribute": "rel=next", "starts": "href=/item", "kind": "money"}
VALUES |= dict.fromkeys(("last", "larger", "sum"), "")


@pytest.mark.parametrize(("way", "test"), EVERY)
def test_every_condition_has_words(way: str, test: str) -> None:
    """They name what is asked for, and say whether it is denied."""
    value = VALUES.get(test, "marker")
    told = condition_in_words(Condition(way, test, value))
    denied = condition_in_words(Condition(way, test, value, negated=True))
    assert told
    assert denied == f"not {told}"
    for part in value.split("="):
        assert part in told
    assert "{}" not in told


def test_no_two_conditions_are_told_alike() -> None:
    """Whoever reads a rule knows which one it is."""
    told = [condition_in_words(Condition(way, test, VALUES.get(test, "marker"))) for way, test in EVERY]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("conditions", "pick", "many", "told"),
    [
        ((), "all", False, "the whole of it"),
        ((Condition("self", "tag", "tr"),), "all", True, "every `tr`"),
        (
            (Condition("self", "tag", "tr"), Condition("inside", "id", "list")),
            "all",
            True,
            "every `tr` inside an element with the id “list”",
        ),
        (
            (Condition("self", "tag", "#text"), Condition("self", "after", "price")),
            "all",
            False,
            "the text right after “price”",
        ),
        ((Condition("self", "class", "price"),), "first", False, "the first element of class “price”"),
        ((Condition("self", "class", "price"),), "last", True, "the last element of class “price”"),
        ((Condition("self", "place", "2"),), "all", False, "the element that is the 2nd of its kind there"),
        ((Condition("self", "place", "11"),), "all", False, "the element that is the 11th of its kind there"),
        ((Condition("self", "place", "23"),), "all", False, "the element that is the 23rd of its kind there"),
        ((Condition("self", "tag", "b", negated=True),), "all", False, "the element not that is a `b`"),
        (
            (Condition("self", "class", "a"), Condition("parent", "tag", "p"), Condition("holds", "tag", "b")),
            "all",
            False,
            "the element of class “a”, directly in a `p` and that holds a `b`",
        ),
    ],
)
def test_a_rule_is_a_phrase(conditions: tuple[Condition, ...], pick: str, many: bool, told: str) -> None:
    """What is taken, how many of it, and under which conditions."""
    assert rule_in_words(Rule(conditions, pick), many=many) == told


def test_a_pattern_tells_all_that_changes_what_is_read() -> None:
    """Alternatives, attributes, cuts, what is joined, and what may be away."""
    first, second = Rule((Condition("self", "class", "a"),)), Rule((Condition("self", "class", "b"),))
    told = {
        name: pattern_in_words(pattern)
        for name, pattern in {
            "alone": Pattern("x", (first,)),
            "failing": Pattern("x", (first, second)),
            "either": Pattern("x", (first, second), needs_all=True),
            "attribute": Pattern("x", (first,), take="href"),
            "cut": Pattern("x", (first,), cut=r"(\d+)"),
            "joined": Pattern("x", (first,), joined=True),
            "flat": Pattern("x", (first,), flat=True),
            "optional": Pattern("x", (first,), optional=True),
            "many": Pattern("x", (first,), many=True),
        }.items()
    }
    assert len(set(told.values())) == len(told)
    assert "failing that" in told["failing"]
    assert " or " in told["either"]
    assert "href" in told["attribute"]
    assert r"(\d+)" in told["cut"]
    assert all(own.startswith("x: ") for own in told.values())


def test_the_rows_of_a_table_are_told() -> None:
    """The sentence that documentation begins with."""
    rows = "".join(f"<tr><td>Cam {own}</td><td>{own}0 €</td></tr>" for own in range(1, 6))
    page = sl.open(f"<!doctype html><table>{rows}</table>".encode(), static=True)
    shown = [{"name": "Cam 1", "price": "10 €"}, {"name": "Cam 2", "price": "20 €"}]
    assert Lesson().show(page, records=shown).wrapper.words().startswith("items: every `tr`")
