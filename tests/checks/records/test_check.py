"""All checks together: clean runs are ok, nothing in the data is an error, and only wrong arguments are refused."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.checks import CHECKS, CheckSettings, PageRecords, check_records, profile_of_run
from sightline.data import ColumnType, FieldProfile, Origin, Profile, Record, Records, Value
from sightline.errors import UsageError

from ..._effort import growth
from ._shop import listing, products, run_of_pages, take

TRIED = settings(
    max_examples=40,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
PAGE = listing(products(6), counter="1–6 of 12")

texts = st.text(max_size=12) | st.sampled_from(("5 €", "$5", "1.234,50", "2024-05-01", "n/a", "", "NaN", "-", "1e999"))
origins = st.none() | st.builds(
    Origin,
    st.sampled_from((PAGE.id, "other")),
    st.lists(st.integers(-3, len(PAGE) + 3), max_size=3).map(tuple),
    st.sampled_from((None, (float("nan"),) * 4, (0.0, 0.0, 1.0, 1.0))),
)
values = st.builds(Value, texts, st.none(), origins)
names = st.sampled_from(("name", "price", "items", "a.b"))
fields = st.recursive(
    st.none() | values,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(names, inner, max_size=3).map(Record),
    max_leaves=8,
)
records = st.lists(st.dictionaries(names, fields, max_size=3).map(Record), max_size=6)
numbers = st.none() | st.floats() | st.integers(-5, 5)
profiles = st.builds(
    Profile,
    st.integers(0, 4),
    st.integers(0, 9),
    st.integers(0, 9),
    st.lists(
        st.builds(
            FieldProfile,
            names | st.sampled_from(("items.name", "items.price", "gone")),
            fill=st.floats(),
            least=st.integers(0, 3),
            most=st.integers(0, 3),
            type=st.sampled_from((ColumnType(), ColumnType(kind="money", currency="EUR"), ColumnType(kind="date"))),
            low=numbers,
            high=numbers,
            shortest=st.integers(0, 9),
            longest=st.integers(0, 99),
            examples=st.lists(texts, max_size=4).map(tuple),
            count=st.integers(-1, 30),
            distinct=st.integers(-1, 30),
            newest=st.none() | st.just("2024-05-01") | st.text(max_size=5),
            titled=st.none() | st.floats(),
            places=st.just(()) | st.just(("h3>a",)),
        ),
        max_size=4,
    ).map(tuple),
)


@st.composite
def runs(draw: st.DrawFn) -> list[PageRecords]:
    """Anything that could have been taken."""
    return [
        PageRecords(_records(own), draw(st.sampled_from((None, PAGE))), draw(st.sampled_from(("", "a", "b"))), verdict)
        for own, verdict in draw(
            st.lists(st.tuples(records, st.sampled_from(("ok", "suspicious", "failed"))), max_size=3)
        )
    ]


def _records(own: list[Record]) -> Records:
    return Records.trusted(own, Records([]).schema)


@TRIED
@given(runs(), st.none() | profiles, st.none() | profiles)
def test_nothing_in_the_data_is_an_error(run: list[PageRecords], profile: Profile | None, last: Profile | None) -> None:
    """Any records, any profile, with a page or without: a report, and the same one again."""
    report = check_records(run, profile, last)
    assert report == check_records(run, profile, last)
    assert {issue.check for issue in report.issues} <= set(CHECKS)
    assert report.to_json()["verdict"] in ("ok", "suspicious", "failed")


@TRIED
@given(runs())
def test_a_profile_can_be_made_of_anything(run: list[PageRecords]) -> None:
    """It survives its own JSON, and can be checked against."""
    profile = profile_of_run(run)
    assert Profile.from_json(profile.to_json()) == profile
    check_records(run, profile, profile)


@pytest.mark.slow
@TRIED
@given(st.integers(1, 6), st.integers(1, 12), st.integers(0, 500), st.data())
def test_parts_of_what_the_profile_was_made_of_are_ok(pages: int, each: int, first: int, data: st.DataObject) -> None:
    """Any pages of the good run are good."""
    run = run_of_pages(pages, each, first)
    part = data.draw(st.lists(st.sampled_from(run), min_size=1, unique_by=id))
    assert check_records(part, profile_of_run(run)).verdict == "ok"


@TRIED
@given(runs(), profiles, st.sampled_from(sorted(CHECKS)))
def test_a_check_that_is_left_out_says_nothing(run: list[PageRecords], profile: Profile, name: str) -> None:
    """Its issues are missing, and those of all others stay."""
    whole = check_records(run, profile, profile)
    rest = check_records(run, profile, profile, CheckSettings(without=(name,)))
    assert set(rest.issues) == {issue for issue in whole.issues if issue.check != name}


@pytest.mark.parametrize(
    "arguments",
    [("x.html",), (run_of_pages(1)[0],), ([Records([])],), ([], "profile"), ([], None, {}), ([], None, None, {})],
)
def test_wrong_arguments_are_refused(arguments: tuple[object, ...]) -> None:
    """An argument of a wrong type is the caller's mistake."""
    with pytest.raises(UsageError):
        check_records(*arguments)  # type: ignore[arg-type]


def test_settings_are_checked() -> None:
    """Checks to leave out exist, and bounds are kept."""
    with pytest.raises(UsageError, match="no rule 'colour'"):
        CheckSettings(without=("colour",))
    with pytest.raises(UsageError):
        CheckSettings(chance=2)


def test_checks_grow_with_the_run_alone() -> None:
    """Four times the pages are four times the work, and not the square of it."""

    def checking(pages: int) -> Callable[[], object]:
        run = [take(listing(products(5, 5 * number)), f"{number}.html") for number in range(pages)]
        profile = profile_of_run(run)
        return lambda: check_records(run, profile, profile)

    assert growth(checking, 5) < 6
