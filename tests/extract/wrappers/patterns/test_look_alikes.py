"""Look-alikes: what resembles the records of a page and is none makes a page doubtful, whatever its classes are."""

import pytest

import sightline as sl
from sightline.extract.wrappers import Lesson
from sightline.page import Page


def _page(body: str, *, static: bool = True) -> Page:
    return sl.open(f"<!doctype html><title>Found</title>{body}".encode(), static=static)


def _offer(number: int) -> str:
    """A product that is set apart from the others: other classes, and a line more."""
    return (
        f'<li class="offer top"><article class=hero><h3 class=big>Camera {number}</h3><p class=deal>Offer</p>'
        f"<span class=cost>{100 + number} €</span></article></li>"
    )


def _product(number: int) -> str:
    return (
        f'<li class="tile"><article class=small><h3 class=name>Camera {number}</h3>'
        f"<span class=price>{100 + number} €</span></article></li>"
    )


def shop(offers: int = 3, count: int = 16) -> str:
    """A page of results in two variants, each in a list of its own."""
    first = "".join(map(_offer, range(offers)))
    rest = "".join(map(_product, range(offers, count)))
    return f"<h1>Cameras</h1><section><ol class=a>{first}</ol></section><section><ol class=b>{rest}</ol></section>"


@pytest.mark.parametrize("static", [True, False], ids=["static", "rendered"])
def test_three_of_sixteen_are_never_ok(*, static: bool) -> None:
    """One example of a variant yields that variant: the page is doubted, and the reason says how many are left."""
    page = _page(shop(), static=static)
    wrapper = Lesson(page).want("name", "Camera 0").want("price", "100 €").wrapper
    found = wrapper.read(page)
    assert len(found.records) == 3
    assert found.verdict == "suspicious"
    told = "13 more look like them" if static else "only 3 of 16 elements that look alike are taken"
    assert any(told in problem.what for problem in found.problems)


def test_an_example_of_the_others_takes_all() -> None:
    """What the reason asks for helps: an example in each variant gives all records."""
    page = _page(shop())
    lesson = (
        Lesson(page).want("name", "Camera 0").want("price", "100 €").want("name", "Camera 5").want("price", "105 €")
    )
    assert len(lesson.wrapper.read(page).records) == 16


@pytest.mark.parametrize(
    "beside",
    [
        "<nav><ul>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(8)) + "</ul></nav>",
        "<footer><ol><li><article><h3>About us</h3></article></li></ol></footer>",
        "<p>All prices net.</p><ul><li>Free returns</li><li>Two years of warranty</li></ul>",
    ],
    ids=["navigation", "footer", "notes"],
)
def test_lists_of_other_things_are_no_look_alikes(beside: str) -> None:
    """A page that has all its records stays ok, whatever other lists are beside them."""
    page = _page(shop(offers=0) + beside)
    wrapper = Lesson(page).want("name", "Camera 0").want("price", "100 €").wrapper
    found = wrapper.read(page)
    assert (len(found.records), found.verdict) == (16, "ok")


def test_runs_that_hold_several_records_are_not_ok() -> None:
    """Where a name and the heading of its group are taught, a run up to the next group holds several names."""

    def group(number: int) -> str:
        names = "".join(f"<div class=r><h3>Name {number}{n}</h3><p>Text {number}{n}</p></div>" for n in range(4))
        return f"<ol class=g>{names}</ol><p class=gap>More</p>"

    page = _page(f"<h1>Found</h1><div id=main>{''.join(map(group, range(4)))}</div>")
    wrapper = Lesson(page).want("name", "Name 00").want("text", "Text 01").wrapper
    found = wrapper.read(page)
    assert len(found.records) < 16
    assert found.verdict != "ok"
