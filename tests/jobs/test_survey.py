"""Everything on a page in one ranking, each region once."""

import sightline as sl
from sightline.jobs import survey

STARS = ["Sirius", "Canopus", "Arcturus", "Vega"]


def _listed(texts: list[str]) -> str:
    return "<ul>" + "".join(f"<li><a href='/{text}'>{text}</a> seen from the south</li>" for text in texts) + "</ul>"


def test_a_list_of_the_headings_of_a_table_is_a_reading_of_the_table() -> None:
    """Headings repeat as items do, and nobody wants them as data of their own."""
    page = sl.open("examples/observatory.html")
    found = {one.key: one for one in survey(page)}
    headings = next(one for one in found.values() if one.kind == "list" and one.box == (692.0, 107.0, 1240.0, 134.1875))
    assert headings.reading_of == "tables-2"
    assert survey(page).summary == "3 tables, 1 list, an article"


def test_what_the_title_promises_comes_first_and_its_list_is_the_same_region() -> None:
    """The items of “4 bright stars” are also a list, which is said, and ranked behind."""
    html = f"<title>4 bright stars</title><h1>4 bright stars</h1>{_listed(STARS)}"
    found = list(survey(sl.open(html, static=True)))
    assert found[0].kind == "top"
    assert {one.reading_of for one in found if one.kind == "list"} == {"top-1"}


def test_menus_come_last() -> None:
    """Links to other pages are no data, and are not counted."""
    menu = "<nav>" + "".join(f"<a href='/{name}'>{name}</a> " for name in ("Home", "News", "Shop", "Help")) + "</nav>"
    found = survey(sl.open(f"<title>Stars</title>{menu}<h1>Stars</h1>{_listed(STARS)}", static=True))
    assert found.summary == "1 list"
    assert [one.is_navigation for one in found] == sorted(one.is_navigation for one in found)
