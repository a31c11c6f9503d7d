"""A small shop: pages of a list, and what a wrapper would take from them, with the places of all values."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.checks import PageRecords
from sightline.data import Origin, Record, Records, Value
from sightline.page import Page
from sightline.testing import Element, element, page_of

__all__ = ["FIELDS", "listing", "products", "run_of_pages", "take", "with_texts"]

FIELDS = ("name", "price", "stock")
NAMES = ("Canon EOS", "Nikon Z", "Pentax K", "Leica M", "Olympus Pen", "Sony Alpha", "Fuji X", "Ricoh GR")


def products(count: int, first: int = 0) -> list[tuple[str, str, str]]:
    """Products with a name, a price and the number of pieces, all different."""
    return [
        (
            f"{NAMES[number % len(NAMES)]} {number}",
            f"{200 + 7 * number}.{number % 90 + 10} €",
            f"{number % 40 + 1} left",
        )
        for number in range(first, first + count)
    ]


def listing(
    items: Sequence[tuple[str, ...]], *, counter: str = "", title: str = "Cameras", extra: Sequence[Element] = ()
) -> Page:
    """A page with a list of products; extra elements stand at the end of the list."""
    rows = [_row(item) for item in items]
    head = [element("p", counter)] if counter else []
    return page_of(
        element("html", element("body", element("h1", title), *head, element("ul", *rows, *extra, class_="products"))),
        title=title,
        url="https://shop.example/cameras",
        kind="static",
    )


def _row(item: tuple[str, ...], kind: str = "product", host: str = "") -> Element:
    name, price, stock = item
    return element(
        "li",
        element("h3", element("a", name, href=f"{host}/p/{name}")),
        element("p", price, class_="price"),
        element("p", stock, class_="stock"),
        class_=kind,
    )


def take(page: Page, source: str = "") -> PageRecords:
    """All products of a page, as a wrapper takes them."""
    names = [node for node in page.with_tag("a").tolist() if page.node(int(page.parent[node])).tag == "h3"]
    paragraphs = [page.node(node) for node in page.with_tag("p").tolist()]
    prices = [own.number for own in paragraphs if own.attributes.get("class") == "price"]
    stocks = [own.number for own in paragraphs if own.attributes.get("class") == "stock"]
    rows = zip(names, prices, stocks, strict=True)
    records = [Record({name: _value(page, node) for name, node in zip(FIELDS, row, strict=True)}) for row in rows]
    return PageRecords(Records(records), page, source)


def _value(page: Page, node: int) -> Value:
    return Value(page.text_of(node), None, Origin(page.id, (node,)))


def run_of_pages(pages: int = 4, each: int = 8, first: int = 0) -> list[PageRecords]:
    """A run of several pages, all products different."""
    return [take(listing(products(each, first + each * number)), f"page{number}.html") for number in range(pages)]


def with_texts(taken: PageRecords, change: dict[str, str]) -> PageRecords:
    """What was taken, with the texts of some fields set for all records; the places stay."""
    records = [
        record.replace(**{name: replace(record[name], text=text) for name, text in change.items()})  # type: ignore[type-var, arg-type]
        for record in taken.records
    ]
    return replace(taken, records=Records(records))
