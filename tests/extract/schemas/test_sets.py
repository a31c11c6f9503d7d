"""What repeats on a page: sets of records and of values, in each other, in groups, and what is no set."""

from typing import Any

import pytest

from sightline.extract.schemas import InduceSettings

from .._templates import FOOT, learned, lenses, listed, listing, opened, product, read, table


def _values(records: list[dict[str, Any]]) -> list[list[Any]]:
    return [list(record.values()) for record in records]


def test_items_of_a_list_are_records() -> None:
    """Each item is a record, with what only some items have; a page may have one item or many."""
    wrapper = learned(listing(number, count) for number, count in enumerate((3, 1, 5, 2)))
    for count in (1, 2, 12):
        assert read(wrapper, listing(9, count)) == lenses(9, count)


def test_items_of_one_text_are_values() -> None:
    """A list of plain texts is one field with all of them."""
    pages = [f"<h1>Thing {n}</h1>{listed(*(f'Part {n}{own}' for own in range(n)))}{FOOT}" for n in (1, 2, 3, 4)]
    wrapper = learned(pages)
    (record,) = read(wrapper, f"<h1>New</h1>{listed('a', 'b', 'c', 'd', 'e')}{FOOT}")
    assert list(record.values()) == ["New", ["a", "b", "c", "d", "e"]]


def test_a_single_item_of_a_set_is_still_a_list() -> None:
    """Whoever reads the field need not ask whether there was one value or several."""
    pages = [f"<h1>Thing {n}</h1>{listed(*(f'Part {n}{own}' for own in range(n)))}{FOOT}" for n in (1, 2, 3, 4)]
    (record,) = read(learned(pages), f"<h1>New</h1>{listed('only')}{FOOT}")
    assert list(record.values()) == ["New", ["only"]]


def test_sets_stand_in_sets() -> None:
    """The sizes of each shoe are a set in the record of the shoe."""

    def page(number: int, counts: tuple[int, ...]) -> str:
        shoes = []
        for place, count in enumerate(counts):
            sizes = (f"<i>Size {number}{place}{own}</i> <u>{own} left</u>" for own in range(count))
            shoes.append(f"<b>Shoe {number}{place}</b>{listed(*sizes)}")
        return f"<h1>Shoes</h1>{listed(*shoes)}{FOOT}"

    wrapper = learned(page(number, counts) for number, counts in enumerate([(1, 2), (3,), (2, 1, 4), (2, 2)]))
    found = _values(read(wrapper, page(9, (1, 3))))
    assert [name for name, _ in found] == ["Shoe 90", "Shoe 91"]
    assert [_values(sizes) for _, sizes in found] == [
        [["Size 900", "0 left"]],
        [["Size 910", "0 left"], ["Size 911", "1 left"], ["Size 912", "2 left"]],
    ]


@pytest.mark.parametrize(
    ("first", "second", "around"), [("dt", "dd", "dl"), ("h3", "p", "div"), ("h4", "div", "section")]
)
def test_neighbours_that_take_turns_are_records(first: str, second: str, around: str) -> None:
    """A term and its explanation, or a heading and its text, are one record although no element holds them."""

    def page(number: int, count: int) -> str:
        parts = (
            f"<{first}>Term {number}{own}</{first}><{second}>Says {number}{own}</{second}>" for own in range(count)
        )
        return f"<h1>Words</h1><{around}>{''.join(parts)}</{around}>{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((2, 4, 3, 5)))
    assert _values(read(wrapper, page(9, 3))) == [[f"Term 9{own}", f"Says 9{own}"] for own in range(3)]


def test_a_constant_item_is_no_value() -> None:
    """What begins every trail of crumbs, as Home does, is no category."""

    def page(number: int, count: int) -> str:
        links = [f"<a href=/{own}>Category {number}{own}</a>" for own in range(count)]
        return f"{listed('<a href=/>Home</a>', *links)}<h1>Thing {number}</h1>{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((1, 3, 2, 4)))
    (record,) = read(wrapper, page(9, 4))
    assert [value for value in record.values() if isinstance(value, list)] == [[f"Category 9{own}" for own in range(4)]]
    assert "Home" not in str(record)


def test_a_menu_is_no_data() -> None:
    """A set whose items are the same on every page belongs to the template."""
    menu = listed(*(f"<a href=/{word}>{word}</a>" for word in ("Home", "Cameras", "Lenses")))
    wrapper = learned(f"{menu}<h1>Thing {number}</h1><b>{number} €</b>{FOOT}" for number in range(4))
    assert wrapper.fields == ["title", "price"]


def test_odd_and_even_rows_are_one_set() -> None:
    """Classes that only colour every second row do not part the records."""

    def page(number: int, count: int) -> str:
        rows = "".join(
            f"<tr class={('even', 'odd')[own % 2]}><td>Item {number}{own}</td><td>{number}{own} €</td></tr>"
            for own in range(count)
        )
        return f"<h1>Prices</h1><table>{rows}</table>{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((2, 5, 3, 4)))
    assert _values(read(wrapper, page(9, 5))) == [[f"Item 9{own}", f"9{own} €"] for own in range(5)]


def test_items_of_another_class_are_items() -> None:
    """A special offer that is made like the others is one of them; without the rule it is not."""

    def page(number: int, count: int) -> str:
        items = (
            f"<div class={'special' if own == number % count else 'plain'}><h3>Item {number}{own}</h3>"
            f"<p>{number}{own} €</p><div>In stock {number}{own}</div></div>"
            for own in range(count)
        )
        return f"<h1>Prices</h1><div>{''.join(items)}</div>{FOOT}"

    pages = [page(number, count) for number, count in enumerate((3, 5, 4, 6))]
    found = read(learned(pages), page(9, 5))
    assert [next(iter(record.values())) for record in found] == [f"Item 9{own}" for own in range(5)]
    without = learned(pages, InduceSettings(without=("variants",)))
    assert without.extract(opened(pages[0])[0]).to_dicts() != learned(pages).extract(opened(pages[0])[0]).to_dicts()


@pytest.mark.parametrize(
    "form", ["<p>{}</p><p>{}</p>", "<ul><li>{}</li><li>{}</li></ul>", "<div><b>{}</b><b>{}</b></div>"]
)
def test_siblings_told_apart_by_place_are_fields(form: str) -> None:
    """Two prices that stand in the same order on every page are two fields, called by the words before them."""

    def page(number: int) -> str:
        parts = form.replace("{}", f"MSRP: ${number}5", 1).replace("{}", f"Invoice: ${number}3", 1)
        return f"<h1>Car {number}</h1>{parts}{FOOT}"

    (record,) = read(learned(map(page, range(1, 6))), page(9))
    assert record == {"title": "Car 9", "MSRP": "$95", "Invoice": "$93"}


def test_cells_of_a_table_are_fields_by_their_place() -> None:
    """The cells of a row never are a set; a cell that never changed so far is data as well."""

    def page(number: int, count: int) -> str:
        rows = [(f"Item {number}{own}", f"{number}{own} €", "new" if number < 9 else "used") for own in range(count)]
        return f"<h1>Prices</h1>{table(rows)}{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((2, 5, 3, 4)))
    assert _values(read(wrapper, page(9, 3))) == [[f"Item 9{own}", f"9{own} €", "used"] for own in range(3)]


@pytest.mark.parametrize("mark", ["b", "a", "nobr", "font", "em"])
def test_marks_do_not_split_a_column(mark: str) -> None:
    """A name that is a link in some rows, on some pages, is in one column."""

    def page(number: int, count: int) -> str:
        rows = [
            (
                f"<{mark}>Item {number}{own}</{mark}>" if (number + own) % 3 == 0 else f"Item {number}{own}",
                f"{number}{own} €",
            )
            for own in range(count)
        ]
        return f"<h1>Prices</h1>{table(rows, ['Name', 'Price'])}{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((2, 5, 3, 4)))
    wanted = [{"Name": f"Item 9{own}", "Price": f"9{own} €"} for own in range(4)]
    assert read(wrapper, page(9, 4)) == wanted


def test_commas_and_words_between_links_are_no_values() -> None:
    """The authors of a paper are all there is in its line."""

    def page(number: int, count: int) -> str:
        links = [f"<a href=/{own}>Author {number}{own}</a>" for own in range(count)]
        line = ", ".join(links[:-1]) + (" and " if count > 1 else "") + links[-1]
        return f"<h1>Paper {number}</h1><p class=authors>{line}</p>{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((2, 3, 1, 4)))
    assert read(wrapper, page(9, 5)) == [{"title": "Paper 9", "authors": [f"Author 9{own}" for own in range(5)]}]


def test_a_dash_alone_in_a_cell_is_a_value() -> None:
    """No price is what the page says, and the cells behind it stay in their columns."""

    def page(number: int, count: int) -> str:
        rows = [(f"Item {number}{own}", "-" if own % 2 else f"{number}{own} €", f"{own}5 g") for own in range(count)]
        return f"<h1>Prices</h1>{table(rows, ['Name', 'Price', 'Weight'])}{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((2, 5, 3, 4)))
    assert read(wrapper, page(9, 2)) == [
        {"Name": "Item 90", "Price": "90 €", "Weight": "05 g"},
        {"Name": "Item 91", "Price": "-", "Weight": "15 g"},
    ]


@pytest.mark.parametrize("head", ["<thead>{}</thead>", "{}"], ids=["in a head", "in the body"])
def test_cells_keep_their_column_behind_an_empty_one(head: str) -> None:
    """An empty cell moves none of those behind it, and each has the name of the heading of its column."""
    names = ("Name", "Price", "Stock", "Note")

    def cells(number: int, place: int) -> tuple[str, ...]:
        price = f"{number}{place} €" if (number + place) % 3 else ""
        stock = f"{place} left" if (number + place) % 4 != 1 else ""
        return f"Item {number}{place}", price, stock, f"Note {number}{place}"

    def page(number: int, count: int) -> str:
        top = head.replace("{}", f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>")
        rows = ("".join(f"<td>{cell}</td>" for cell in cells(number, place)) for place in range(count))
        return f"<h1>Prices</h1><table>{top}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{FOOT}"

    wrapper = learned(page(number, count) for number, count in enumerate((3, 5, 4, 6)))
    assert read(wrapper, page(9, 6)) == [
        {name: cell for name, cell in zip(names, cells(9, place), strict=True) if cell} for place in range(6)
    ]


@pytest.mark.parametrize("entry", ["<a href=/{0}>{0}</a>", "<a href=/{0}>{0}</a> <i>All {0} of today</i>"])
def test_a_menu_is_no_field_beside_other_data(entry: str) -> None:
    """Beside a list of records, or a page about one thing, a menu of values or of records is none of the fields."""
    menu = listed(*(entry.format(word) for word in ("Cameras", "Lenses", "Bags")))
    lists = learned(menu + listing(number, 3 + number) for number in range(4)).records_of(None)
    (record,) = read(lists, menu + listing(9, 2))
    assert list(record.values()) == [lenses(9, 2)]
    assert len(lists.fields) == 4
    assert learned(menu + product(number) for number in range(4)).fields == ["title", "Price", "Weight"]


def test_few_records_with_empty_cells_are_records() -> None:
    """Tables of one to three rows are no fields by their place, though a price is missing here and there."""
    shop = ((0, 1), (1,), (1, 1, 1), (0, 1))

    def page(number: int) -> str:
        rows = (
            f"<td class=name>Lens {number}{place}</td><td class=price>{f'{number}{place} €' if priced else ''}</td>"
            for place, priced in enumerate(shop[number])
        )
        return f"<h1>All</h1><table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{FOOT}"

    assert "name 2" not in learned(map(page, range(4))).fields
