"""What is a part of a record, which parts are one column, and where the title is."""

import csv
import io
from collections.abc import Sequence

import pytest

from sightline.data import ItemList
from sightline.extract.lists import ListSettings, find_lists

from ._pages import STARS, listed, prose, rendered, static

QUERY = "light"


def _best(body: str, *without: str) -> ItemList:
    return find_lists(static(body), settings=ListSettings(without=without))[0]


def _texts(found: ItemList, place: int = 0) -> list[object]:
    return [value for value in found[place].components.to_dict().values() if value is not None]


def _results(lines: Sequence[str]) -> str:
    return listed(
        [f"<h3><a href='/{star}'>{star}</a></h3>{line}" for star, line in zip(STARS, lines, strict=False)], "ul"
    )


# ------------------------------------------------------------------ inline parts


@pytest.mark.parametrize("opened", [static, rendered], ids=["static", "rendered"])
def test_a_named_date_in_front_of_a_snippet_is_a_part(opened: object) -> None:
    """It has a class of its own, once in every record; what follows is the snippet."""
    assert callable(opened)
    body = _results([f"<p><span class=date>{day + 1} May 2020</span> {prose(day)}</p>" for day in range(8)])
    found = find_lists(opened(body))[0]
    assert _texts(found, 2) == [STARS[2], "3 May 2020", prose(2)]
    assert found.columns[1].name == "date"


def test_inline_elements_beside_each_other_are_parts() -> None:
    """Marks between them are no part of either."""
    sizes = [
        f"<div><span class=pixels>{place + 20} MP</span> · <span class=weight>{place + 300} g</span></div>"
        for place in range(8)
    ]
    assert _texts(_best(_results(sizes))) == [STARS[0], "20 MP", "300 g"]
    assert _texts(_best(_results(sizes), "inline parts")) == [STARS[0], "20 MP · 300 g"]


def test_words_that_were_searched_for_are_no_parts() -> None:
    """A search engine marks them with a class, too, but always the same words, in the middle of a text."""
    lines = [f"<p>{place} kinds of <span class=hit>{QUERY}</span> are seen at {place}</p>" for place in range(8)]
    assert _texts(_best(_results(lines)), 3) == [STARS[3], f"3 kinds of {QUERY} are seen at 3"]


def test_an_element_within_a_phrase_is_no_part() -> None:
    """A volume and its page belong together, whatever the page does to the volume."""
    lines = [f"<p><span class=strong>Volume {place}</span>, page {place + 7}</p>" for place in range(8)]
    assert _texts(_best(_results(lines)), 3) == [STARS[3], "Volume 3, page 10"]


def test_a_word_that_leads_into_a_link_stays_with_it() -> None:
    """Who wrote it, and where: two parts, each with its word."""
    lines = [
        f"<p>by <a href='/u{place}'>Ann {STARS[-place]}</a> - in <a href='/s{place}'>Section {place}</a></p>"
        for place in range(1, 9)
    ]
    assert _texts(_best(_results(lines))) == [STARS[0], f"by Ann {STARS[-1]}", "- in Section 1"]


def test_records_of_one_line_are_cut_behind_the_link_that_they_begin_with() -> None:
    """The link is the title; a link within the line is not."""
    led = _best(listed([f"<a href='/{star}'>{star}</a> ({place + 1900})" for place, star in enumerate(STARS)], "ul"))
    assert (led[1].title.text, _texts(led, 1)) == ("Canopus", ["Canopus", "(1901)"])
    within = _best(
        listed([f"{place * place % 7} cups of <a href='/{star}'>{star}</a>" for place, star in enumerate(STARS)], "ul")
    )
    assert _texts(within, 1) == ["1 cups of Canopus"]


def test_sentences_without_spaces_are_not_cut() -> None:
    """Chinese and Japanese have sentences, too: a link in one is no part of its own."""
    lines = [
        f"<p>今日は<a href='/{place}'>玉ねぎ</a>を薄切りにして弱火で三分くらい炒めます{place}</p>" for place in range(8)
    ]
    (_, text) = _texts(_best(_results(lines)))
    assert str(text).replace(" ", "") == "今日は玉ねぎを薄切りにして弱火で三分くらい炒めます0"


def test_numbers_in_front_of_single_lines_become_ranks() -> None:
    """A number in an element of its own is not glued to the text."""
    found = _best(listed([f"<span class=no>{place}</span>{prose(place, 30)}" for place in range(1, 9)], "ul"))
    assert [item.rank for item in found] == list(range(1, 9))
    assert _texts(found) == [prose(1, 30)]


# ------------------------------------------------------------------ lines


def test_the_value_of_a_property_is_one_part() -> None:
    """Microdata says so: all text in its element, whatever lines it has."""
    steps = [f"<h3>Stage {star}</h3><p itemprop=step>Rinse {star}.<br>Then wait.</p>" for star in STARS]
    assert _texts(_best(listed(steps, "ul"))) == ["Stage Sirius", "Rinse Sirius.\nThen wait."]
    assert _texts(_best(listed(steps, "ul"), "breaks")) == ["Stage Sirius", "Rinse Sirius.", "Then wait."]


def test_an_item_of_microdata_is_not_one_part() -> None:
    """It has properties of its own, and those are the parts."""
    offers = [
        f"<h3>{star}</h3><div itemprop=offer itemscope><p itemprop=price>${place}.50</p><p itemprop=stock>few</p></div>"
        for place, star in enumerate(STARS)
    ]
    assert _best(listed(offers, "ul"))[3].components.to_dict() == {"title": "Vega", "price": "$3.50", "stock": "few"}


def test_a_link_over_two_lines_is_one_title() -> None:
    """A break within it changes how it looks, not what it is."""
    found = _best(listed([f"<a href='/{star}'><b>Alpha<br>{star}</b></a>" for star in STARS], "ul"))
    assert [item.title.text for item in found][:2] == ["Alpha Sirius", "Alpha Canopus"]
    assert len(found[0].components) == 1


def test_a_sentence_that_a_page_breaks_is_one_part() -> None:
    """It goes on in the next line; an address does not."""
    broken = [f"<p>We measured {prose(place, 9)} without<br>ever looking up, {place} times</p>" for place in range(8)]
    assert len(_texts(_best(_results(broken)))) == 2
    address = [f"<p>{place + 1} High Street<br>{place + 10_000} Springfield</p>" for place in range(8)]
    assert _texts(_best(_results(address))) == [STARS[0], "1 High Street", "10000 Springfield"]


# ------------------------------------------------------------------ columns that are one


def _offer(place: int, *prices: str) -> str:
    return f"<h3>{STARS[place]}</h3>{''.join(prices)}<p>{prose(place)}</p>"


def _price(place: int) -> str:
    return f"<div class=price>${place + 10}.00</div>"


def _sale(place: int) -> str:
    return f"<section class=saleprice>${place + 5}.00</section>"


def test_one_thing_under_two_classes_is_one_column() -> None:
    """Where some offers have a price and the others a sale price, all have a price."""
    offers = [_offer(place, _sale(place) if place % 2 else _price(place)) for place in range(8)]
    names = [column.name for column in _best(listed(offers, "ul")).columns]
    assert names == ["title", "price", "text"]
    assert len(_best(listed(offers, "ul"), "merging").columns) == 4


def test_two_things_that_one_record_has_stay_two_columns() -> None:
    """An offer with both prices says that they are not one."""
    offers = [
        _offer(place, _price(place) if place % 2 else "", _sale(place) if place % 3 else "") for place in range(8)
    ]
    found = _best(listed(offers, "ul"))
    assert len(found.columns) == 4
    assert [value is not None for value in found[5].components.to_dict().values()] == [True] * 4


def test_things_of_two_names_and_kinds_stay_two_columns() -> None:
    """A place is no salary, even if no job names both."""
    jobs = [
        f"<h3>{star}</h3>"
        + (f"<div class=city>Bern {star}</div>" if place % 2 else f"<p class=salary>${place}00.00</p>")
        for place, star in enumerate(STARS)
    ]
    assert [column.name for column in _best(listed(jobs, "ul")).columns] == ["title", "city", "salary"]


# ------------------------------------------------------------------ titles


def test_the_title_is_the_first_column_wherever_it_is_on_the_page() -> None:
    """In CSV, in records and in the parts of an item; the rank comes next."""
    body = listed(
        [
            f"<div>{place}.</div><p class=date>{place} May 2020</p>"
            f"<h3><a href='/{star}'>{star}</a></h3><p>{prose(place)}</p>"
            for place, star in enumerate(STARS, start=1)
        ],
        "ul",
    )
    found = _best(body)
    assert list(found[0].components) == ["title", "date", "text"]
    header, first, *_ = csv.reader(io.StringIO(found.to_csv().lstrip("\ufeff")))
    assert header[:3] == ["title", "rank", "date"]
    assert first[:3] == ["Sirius", "1", "1 May 2020"]


def test_titles_are_filled_where_the_title_is_another_element() -> None:
    """A heading without a link, or of another level, is the title of its item as well."""
    heads = [
        f"<h3><a href='/{star}'>{star}</a></h3>" if place % 4 else f"<h5 class=plain>{star}</h5>"
        for place, star in enumerate(STARS)
    ]
    found = _best(listed([f"{head}<p>{prose(place)}</p>" for place, head in enumerate(heads)], "ul"))
    assert [item.components.text("title") for item in found] == list(STARS)
    assert [item.title.text for item in found] == list(STARS)
    assert [column.name for column in found.columns] == ["title", "text", "link"]


def test_a_title_is_not_taken_from_a_column_that_others_have_beside_it() -> None:
    """An item without a name has none; its brand is its brand."""
    cards = [
        f"{f'<h3>{star}</h3>' if place != 4 else ''}<div class=brand>Make {place}</div><p>{prose(place)}</p>"
        for place, star in enumerate(STARS)
    ]
    found = _best(listed(cards, "ul"))
    assert found[4].components.to_dict() == {"title": None, "brand": "Make 4", "text": prose(4)}


def test_a_title_alone_on_its_line_is_in_the_column_of_titles() -> None:
    """In other records something stands behind it."""
    body = listed(
        [
            f"<h3><a href='/{star}'>{star} star</a>{' (giant)' if place % 2 else ''}</h3><p>{prose(place)}</p>"
            for place, star in enumerate(STARS)
        ],
        "ul",
    )
    found = _best(body)
    assert [item.components.text("title") for item in found] == [f"{star} star" for star in STARS]
    assert sum(value == "(giant)" for item in found for value in item.components.to_dict().values()) == 5


def test_a_title_is_one_text() -> None:
    """What comes behind it in its column has a column of its own."""
    items = [
        f"<p>{star}</p>" + "".join(f"<p>{prose(line, 4)}</p>" for line in range(1 + place % 3))
        for place, star in enumerate(STARS)
    ]
    found = next(one for one in find_lists(static(listed(items, "ul"))) if len(one) == len(STARS))
    assert found[1].components.to_dict() == {"title": "Canopus", "text": [prose(0, 4), prose(1, 4)]}


def test_a_column_of_lists_is_not_the_title_if_there_is_another() -> None:
    """The name of a group comes before its members, even if they are links and it is none."""
    groups = [
        f"<div class=group>{star}</div>"
        + "".join(f"<p><a href='/{star}/{one}'>Kind {one}</a></p>" for one in range(2 + place % 3))
        for place, star in enumerate(STARS)
    ]
    found = next(one for one in find_lists(static(listed(groups, "ul"))) if len(one) == len(STARS))
    assert found[0].components.to_dict() == {"title": "Sirius", "text": ["Kind 0", "Kind 1"]}
