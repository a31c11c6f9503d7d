"""Headers, footers and page numbers: told by coming again on other sheets, and kept out of the text."""

from ._bare import bare, blocks, texts
from ._write import pdf, put

BODY = ["Text that is different", "on each of the sheets"]


def _sheet(number: int, *more: bytes) -> bytes:
    return b"".join([put(f"{BODY[0]} {number * 7}", 72, 500), put(f"{BODY[1]} {number * 7}", 72, 486), *more])


def _document(*each: list[bytes]) -> bytes:
    return pdf(*(_sheet(number, *more) for number, more in enumerate(each, start=1)))


def test_header_that_comes_again_is_one() -> None:
    """The same words in the same place of two sheets are a running header, on both of them."""
    page = bare(_document(*[[put("Annual report", 72, 760)]] * 2))
    assert texts(page, "header") == ["Annual report", "Annual report"]
    assert "Annual report" not in str(blocks(page))


def test_header_of_one_sheet_alone_is_text() -> None:
    """What stands at the top of a single sheet may be a title, and stays in the text."""
    page = bare(pdf(_sheet(1, put("Annual report", 72, 760))))
    assert not texts(page, "header")
    assert ["Annual report"] in blocks(page)


def test_numbers_in_headers_may_differ() -> None:
    """Page and chapter numbers do not make two headers different."""
    page = bare(_document(*[[put(f"Chapter {n} of the report", 72, 760)] for n in (1, 2, 3)]))
    assert texts(page, "header") == [f"Chapter {n} of the report" for n in (1, 2, 3)]


def test_page_number_at_the_edge_is_a_footer() -> None:
    """A lone number below all else is a page number, also of a single sheet; `Page 3 of 9` is one too."""
    assert texts(bare(pdf(_sheet(1, put("17", 300, 30)))), "footer") == ["17"]
    assert texts(bare(pdf(_sheet(1, put("Page 3 of 9", 300, 30)))), "footer") == ["Page 3 of 9"]


def test_number_in_the_text_is_no_page_number() -> None:
    """A number that stands among other lines stays where it is."""
    page = bare(pdf(_sheet(1, put("17", 300, 400), put("The end of it all", 72, 380))))
    assert not texts(page, "footer")
    assert ["17"] in blocks(page)


def test_what_comes_again_in_another_place_is_no_header() -> None:
    """The place counts as well as the words."""
    page = bare(_document([put("Annual report", 72, 760)], [put("Annual report", 72, 700)]))
    assert not texts(page, "header")


def test_heading_of_a_table_that_comes_again_is_no_header() -> None:
    """What comes again below something that does not is content, such as the headings of a table."""
    page = bare(
        _document(*[[put(f"Part {word}", 72, 765), put("Date and amount", 72, 740)] for word in ("one", "two")])
    )
    assert not texts(page, "header")


def test_text_between_the_edges_is_never_running() -> None:
    """The middle of sheets may say the same on all of them."""
    page = bare(pdf(*[put("The same sentence on each", 72, 400) + put("and what follows it", 72, 386)] * 3))
    assert not texts(page, "header", "footer")
    assert len(blocks(page)) == 3


def test_first_row_of_a_table_is_no_header() -> None:
    """Cells that come again in the first row of several sheets stay in the text, though nothing stands above them."""
    cells = [
        [put("Region", 72, 760), put("Total", 300, 760), put(f"{n}", 72, 746), put("12", 300, 746)] for n in (4, 5)
    ]
    assert not texts(bare(_document(*cells)), "header")


def test_titles_side_by_side_above_the_text_are_headers() -> None:
    """A header of two parts stands apart from the text."""
    page = bare(_document(*[[put("Annual report", 72, 760), put("Finance", 400, 760)]] * 2))
    assert texts(page, "header") == ["Annual report Finance"] * 2


PRINTED = [put("11/18/26, 8:54 AM", 24, 772, size=8), put("Orders of the week", 280, 772, size=8)]
PLACES = [put("https://shop.example/orders?id=7", 24, 16, size=8), put("1/1", 575, 16, size=8)]


def test_what_a_browser_prints_into_the_margins_is_no_text() -> None:
    """Date, title, address and number are apart also on a single sheet, with rows of a table close to them."""
    page = bare(pdf(_sheet(1, *PRINTED, *PLACES, put("Item", 24, 762, size=8), put("Price", 280, 762, size=8))))
    assert texts(page, "header") == ["11/18/26, 8:54 AM Orders of the week"]
    assert texts(page, "footer") == ["https://shop.example/orders?id=7 1/1"]
    assert "Orders of the week" not in str(blocks(page))
    assert "Item" in str(blocks(page))


def test_margins_of_another_browser_are_known() -> None:
    """Title and address stand above, number and date below, in the form of another country."""
    above = [put("Bestellungen", 24, 772, size=8), put("file:///C:/Temp/orders.html", 400, 772, size=8)]
    below = [put("1 von 2", 24, 16, size=8), put("18.11.2026, 08:54", 520, 16, size=8)]
    page = bare(pdf(_sheet(1, *above, *below)))
    assert texts(page, "header") and texts(page, "footer")
    assert "Bestellungen" not in str(blocks(page))


def test_date_and_time_alone_are_text() -> None:
    """A date at the top of a sheet without an address and a number at its foot may be that of a letter."""
    page = bare(pdf(_sheet(1, *PRINTED)))
    assert not texts(page, "header")
