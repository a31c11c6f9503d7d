"""Patterns as JSON: the same after a round trip, edited by hand, and refused in a sentence where they are damaged."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import (
    TESTS,
    WAYS,
    Condition,
    Pattern,
    Rule,
    pattern_from_json,
    pattern_to_json,
)
from sightline.extract.wrappers.patterns._conditions import MARKS

_words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
_names = st.from_regex(r"[a-zä€_ -]{1,6}", fullmatch=True).filter(str.strip)


def _conditions(test: str) -> st.SearchStrategy[Condition]:
    ways = st.sampled_from(WAYS if test in MARKS else ("self",))
    values = st.integers(1, 40).map(str) if test == "place" else _words
    if test in ("attribute", "starts", "has", "tag", "class", "id"):
        named = st.from_regex(r"[a-z][a-z-]{0,5}", fullmatch=True)
        values = st.builds("{}={}".format, named, _words) if test in ("attribute", "starts") else named
    return st.builds(Condition, ways, st.just(test), values, st.booleans())


_rules = st.builds(
    Rule,
    st.lists(st.sampled_from(TESTS).flatmap(_conditions), max_size=3).map(tuple),
    st.sampled_from(("all", "first", "last")),
)


def _patterns(fields: st.SearchStrategy[tuple[Pattern, ...]]) -> st.SearchStrategy[Pattern]:
    flags = {name: st.booleans() for name in ("many", "optional", "joined", "flat", "dropped", "unsure", "needs_all")}
    return st.builds(
        Pattern,
        name=_names,
        rules=st.lists(_rules, min_size=1, max_size=2).map(tuple),
        take=st.sampled_from(("text", "href", "src")),
        cut=st.none() | st.sampled_from((r"(\d+)", r"Director:\s*(.+?)\s*$")),
        fields=fields,
        pages=st.integers(0, 9),
        **flags,
    )


PATTERNS = _patterns(st.lists(_patterns(st.just(())), max_size=2, unique_by=lambda own: own.name).map(tuple))


@pytest.mark.slow
@settings(max_examples=120, database=None)
@given(PATTERNS)
def test_a_pattern_is_the_same_after_json(pattern: Pattern) -> None:
    """Through a file, whatever it says."""
    assert pattern_from_json(json.loads(json.dumps(pattern_to_json(pattern)))) == pattern


@settings(max_examples=40, database=None)
@given(PATTERNS)
def test_a_pattern_does_not_hang_on_what_people_read(pattern: Pattern) -> None:
    """Words and selectors are written, but never read."""

    def plain(document: dict[str, Any]) -> dict[str, Any]:
        rules = [{key: own[key] for key in own if key in ("if", "pick")} for own in document["rules"]]
        fields = {"fields": [plain(own) for own in document["fields"]]} if "fields" in document else {}
        return document | {"rules": rules} | fields

    assert pattern_from_json(plain(pattern_to_json(pattern))) == pattern


def test_what_is_not_said_has_its_default() -> None:
    """A pattern can be written by hand in one line."""
    document = {"name": "price", "rules": [{"if": [{"way": "self", "test": "class", "value": "price"}]}]}
    assert pattern_from_json(document) == Pattern("price", (Rule((Condition("self", "class", "price"),)),))
    assert pattern_to_json(pattern_from_json(document)).keys() == {"name", "rules"}


def test_a_rule_is_told_in_all_languages() -> None:
    """In words, as XPath and as CSS, where these can say it."""
    told = pattern_to_json(Pattern("price", (Rule((Condition("self", "class", "price"),)),)))["rules"][0]
    assert told["in words"] == "the element of class “price”"
    assert told["css"] == ".price"
    assert "price" in told["xpath"]
    visual = pattern_to_json(Pattern("price", (Rule((Condition("self", "larger"),)),)))["rules"][0]
    assert visual.keys() == {"in words", "if"}


RULES = [{"if": [{"way": "self", "test": "tag", "value": "p"}]}]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"name": "price", "rules": []}, "price"),
        ({"name": "price", "rules": [{"if": [], "pick": "second"}]}, "second"),
        ({"name": "price", "rules": [{"if": [{"way": "over", "test": "tag", "value": "p"}]}]}, "over"),
        ({"name": "price", "rules": [{"if": [{"way": "self", "test": "taste", "value": "p"}]}]}, "taste"),
        ({"name": "price", "rules": [{"if": [{"way": "inside", "test": "after", "value": "p"}]}]}, "after"),
        ({"name": "price", "rules": [{"if": [{"way": "self", "test": "place", "value": "two"}]}]}, "two"),
        ({"name": "items", "rules": RULES, "fields": [{"name": "a", "rules": []}]}, "a"),
    ],
)
def test_a_damaged_pattern_is_refused(document: dict[str, Any], told: str) -> None:
    """One sentence names what is wrong."""
    with pytest.raises(UsageError) as problem:
        pattern_from_json(document)
    assert told in str(problem.value)
    assert "\n" not in str(problem.value)
