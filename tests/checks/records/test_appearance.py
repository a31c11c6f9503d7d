"""A value that looks unlike the others of its field is noticed; values that look alike, or mixed, are not."""

from sightline.checks import PageRecords, check_records
from sightline.data import Origin, Records, Value
from sightline.page import Page
from sightline.testing import element, page_of

BLACK, RED = {"color": "rgb(0, 0, 0)", "font-size": "16px"}, {"color": "rgb(200, 0, 0)", "font-size": "11px"}


def taken(looks: list[dict[str, str]]) -> PageRecords:
    """Records whose prices look so."""
    page: Page = page_of(
        element("html", *(element("p", f"{number},00 €", style=look) for number, look in enumerate(looks)))
    )
    nodes = page.with_tag("p").tolist()
    values = [Value(f"{number},00 €", None, Origin(page.id, (node,))) for number, node in enumerate(nodes)]
    return PageRecords(Records([{"price": value} for value in values]), page)


def test_the_odd_one_is_noticed_with_what_differs_and_its_place() -> None:
    """One value in another colour and size is noticed."""
    run = taken([BLACK] * 11 + [RED])
    (issue,) = check_records([run]).of("looks")
    assert issue.severity == "notice"
    assert issue.field == "price"
    assert "1 of 12 values look different, such as “11,00 €”" in issue.reason
    assert "usually" in issue.reason
    assert len(issue.evidence) == 1


def test_values_that_look_alike_or_mixed_are_not() -> None:
    """Values that look alike, and values of two looks, are no news."""
    assert not check_records([taken([BLACK] * 12)]).of("looks")
    assert not check_records([taken([BLACK, RED] * 6)]).of("looks")


def test_few_values_say_nothing() -> None:
    """Of four values none is usual."""
    assert not check_records([taken([BLACK] * 3 + [RED])]).of("looks")
