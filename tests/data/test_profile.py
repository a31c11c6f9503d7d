"""Profiles: what a wrapper extracted when it was good, as JSON and back."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.data import ColumnType, FieldProfile, Profile
from sightline.errors import UsageError

_names = st.text(min_size=1, max_size=8)
_texts = st.lists(st.text(max_size=12), max_size=3).map(tuple)
_numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)
_counts = st.integers(0, 10_000)
_shares = st.floats(0, 1)
_types = st.builds(
    ColumnType,
    kind=st.sampled_from(("text", "number", "money")),
    language=st.none() | st.sampled_from(("en", "de")),
    decimal=st.sampled_from((".", ",")),
)
_fields = st.builds(
    FieldProfile,
    name=_names,
    fill=_shares,
    least=_counts,
    most=_counts,
    type=_types,
    low=_numbers,
    high=_numbers,
    shortest=_counts,
    longest=_counts,
    examples=_texts,
    labels=_texts,
    looks=_texts,
    evidence=st.lists(st.tuples(_names, _names, st.text(max_size=5)), max_size=2).map(tuple),
)
_profiles = st.builds(
    Profile,
    pages=_counts,
    least=_counts,
    most=_counts,
    fields=st.lists(_fields, max_size=3).map(tuple),
    marks=_texts,
    records=st.lists(st.tuples(_names, st.dictionaries(_names, _texts, max_size=2)), max_size=2).map(tuple),
)


@settings(max_examples=60)
@given(_profiles)
def test_a_profile_is_the_same_after_json(profile: Profile) -> None:
    """Through a file, whatever is in it."""
    assert Profile.from_json(json.loads(json.dumps(profile.to_json()))) == profile


def test_an_empty_profile_knows_nothing() -> None:
    """What is not said has its default."""
    assert Profile.from_json({}) == Profile()
    assert Profile().of("price") is None


def test_a_field_is_found_by_its_name() -> None:
    """Each has one."""
    profile = Profile(fields=(FieldProfile("a"), FieldProfile("b", low=5)))
    found = profile.of("b")
    assert found is not None
    assert found.low == 5


@pytest.mark.parametrize("evidence", [[["self", "tag"]], [["self", "tag", "p", "x"]], [[]]])
def test_evidence_has_three_parts(evidence: list[list[str]]) -> None:
    """Anything else is refused in a sentence."""
    with pytest.raises(UsageError, match="evidence"):
        FieldProfile.from_json({"name": "price", "evidence": evidence})
