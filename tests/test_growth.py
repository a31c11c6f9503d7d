"""Pages ten times as long take about ten times as long to read, whatever they are filled with."""

from collections.abc import Callable
from typing import Any

import pytest

import sightline as sl
from sightline.page import Page

from ._effort import slowdown

MOST = 20.0  # times as long for ten times as much, on a busy machine; what grows with the square takes a hundred times
PROSE = "<p>Bees dance to tell the others where the flowers are, and they do so in the dark of the hive.</p>" * 5
FILLINGS = {
    "one word": "a",
    "blanks": " ",
    "lines": " \n",
    "hard blanks": "\u00a0",
    "digits": "1",
    "numbers": "10 ",
    "commas": "1,",
    "hyphens": "a-",
    "brackets": "(",
    "marks": " | ",
    "labels": "a: ",
    "dates": "3 May 2020 ",
    "prices": "$1,000.00 ",
    "accents": "e\u0301",
    "nothing to see": "\u200b",
    "stars": "*",
}
PLACES: dict[str, str] = {
    "title": "<title>{}</title><h1>{}</h1><ol><li>Sirius<li>Vega<li>Rigel</ol>",
    "shared title": '<meta property="og:title" content="{}"><h1>3 stars</h1><ol><li>Sirius<li>Vega<li>Rigel</ol>',
    "caption": "<table><caption>{}</caption><tr><th>A<th>B<tr><td>x<td>1<tr><td>y<td>2</table>",
    "heading of a table": "<table><tr><th>{}<th>Price<tr><td>x<td>1<tr><td>y<td>2</table>",
    "cell": "<table><tr><th>A<th>Price<tr><td>x<td>{}x<tr><td>y<td>2</table>",
    "attribute": '<ul><li><a class="{}" id="{}" href="{}">x</a><li><img alt="{}">y<li style="{}">z</ul>',
    "paragraph": "<p>{}</p><h2>{}</h2>",
    "record": "<ul><li>{}x<li>{}<li>z</ul>",
    "preformatted": "<pre>{}x</pre>",
}


def static(body: str) -> Page:
    """A page with some prose before a body."""
    return sl.open(f"<html><body>{PROSE}{body}</body></html>".encode(), static=True)


def read(page: Page) -> None:
    """Everything that is read from a single page."""
    for table in sl.tables(page):
        table.triples()
        table.to_csv()
    for found in sl.lists(page):
        found.to_csv()
    sl.top_list(page)
    sl.next_page(page, url="https://example.org/list?page=2")
    sl.content(page).to_json()


@pytest.mark.slow
@pytest.mark.parametrize("filling", FILLINGS)
@pytest.mark.parametrize("place", PLACES)
def test_long_texts_are_read_in_proportion(place: str, filling: str) -> None:
    """However long the texts of a page are, nothing in them is tried again and again."""

    def work(size: int) -> Callable[[], None]:
        text = FILLINGS[filling] * (size // len(FILLINGS[filling]))
        html = PLACES[place].replace("{}", text)
        return lambda: read(static(html))

    assert slowdown(work, 2_000) <= MOST


def _csv(page: Page) -> list[str]:
    return [table.to_csv() for table in sl.tables(page)]


MANY: dict[str, tuple[Callable[[int], str], Callable[[Page], object], int]] = {
    "tables": (lambda n: "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table>" * n, sl.tables, 110),
    "tables with captions": (
        lambda n: "<table><caption>C<tr><th>A<th>B<tr><td>1<td><a href=x>2</a></table>" * n,
        sl.tables,
        60,
    ),
    "totals": (lambda n: "<table><tr><th>A<th>B" + "<tr><td>Total<td>2" * n + "</table>", sl.tables, 600),
    "rows": (lambda n: "<table><tr><th>A<th>B" + "<tr><td>x<td>1" * n + "</table>", _csv, 800),
    "rows with sections between them": (
        lambda n: "<table><tr><th>A<th>B" + ("<tr><th colspan=2>S" + "<tr><td>x<td>1" * 9) * n + "</table>",
        _csv,
        80,
    ),
    "rows in pairs": (
        lambda n: "<table><tr><th>A<th>B" + "<tr><td rowspan=2>x<td>1<tr><td>2" * n + "</table>",
        _csv,
        300,
    ),
    "rows that span all": (
        lambda n: "<table><tr><th>A<th>B" + "<tr><td rowspan=60000>1<td>x" * n + "</table>",
        sl.tables,
        150,
    ),
    "a row above a column": (
        lambda n: "<table><tr>" + "<td>1" * n + "<tr><td>1" * n + "</table>",
        sl.tables,
        1000,
    ),
    "records with labels": (
        lambda n: "<ul>" + "".join(f"<li>Label{k}: one</li>" for k in range(n)) + "</ul>",
        sl.lists,
        500,
    ),
    "records with numbers": (
        lambda n: "<ul>" + "".join(f"<li>{k * k % 9973}. star</li>" for k in range(n)) + "</ul>",
        sl.lists,
        300,
    ),
    "headings and titles": (
        lambda n: "".join(f'<meta property="og:title" content="T{k}: u{k}"><h2>H{k}</h2>' for k in range(n)),
        sl.content,
        300,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", MANY)
def test_many_parts_are_read_in_proportion(what: str) -> None:
    """However many tables, rows, records or headings a page has, they are not each compared with all others."""
    write, find, size = MANY[what]

    def work(count: int) -> Callable[[], object]:
        page = static(write(count))
        return lambda: find(page)

    assert slowdown(work, size) <= MOST


OPENED: dict[str, str] = {
    "rows": "<tr><td>x</td><td>1</td></tr>",
    "rows without end tags": "<tr><td>x<td>1",
    "rows with attributes": '<tr class="odd"><td title="a > b">x</td><td><a href="y">1</a></td></tr>',
    "pictures": '<svg viewBox="0 0 1 1"><path d="M0"/><path d="M1"/></svg>',
}


@pytest.mark.slow
@pytest.mark.parametrize("what", OPENED)
def test_large_pages_are_opened_in_proportion(what: str) -> None:
    """However many tags a page has, those that were met before are not gone through again."""

    def work(count: int) -> Callable[[], object]:
        within = "div" if what == "pictures" else "table"
        html = f"<html><body><{within}>{OPENED[what] * count}</{within}></body></html>".encode()
        return lambda: sl.open(html, static=True)

    assert slowdown(work, 5_000) <= MOST


REPEATED: dict[str, tuple[Callable[[int], str], int]] = {
    "records": (lambda n: "<ul>" + "".join(f"<li>Star {k}</li>" for k in range(n)) + "</ul>", 200),
    "lines": (lambda n: "x<br>" * n, 200),
    "classes": (lambda n: "".join(f"<div class={_letters(k)}>x</div>" for k in range(n)), 200),
    "tags": (lambda n: "".join(f"<x-{_letters(k)}>x</x-{_letters(k)}>" for k in range(n)), 200),
}


def _letters(number: int) -> str:
    """A name of letters alone: figures in names do not tell them apart."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


@pytest.mark.slow
@pytest.mark.parametrize("what", REPEATED)
def test_wrappers_are_learned_and_read_in_proportion(what: str) -> None:
    """Learning from pages, and reading by what was learned, do not compare every child with every slot."""
    write, size = REPEATED[what]

    def work(count: int) -> Callable[[], Any]:
        pages = [static(f"<h1>{name}</h1>{write(count)}") for name in ("Night sky", "Morning sky")]
        return lambda: sl.induce(pages).read(pages[0])

    assert slowdown(work, size) <= MOST


@pytest.mark.parametrize("filling", FILLINGS)
def test_taught_wrappers_read_long_texts_in_proportion(filling: str) -> None:
    """A wrapper taught on a short page reads a long one in its time."""
    lesson = sl.teach(static("<h1>EOS 5D</h1><p>Price: <b>$500</b></p><p>In stock</p>"))
    wrapper = lesson.want("name", "EOS 5D").want("price", "$500").wrapper

    def work(size: int) -> Callable[[], Any]:
        text = FILLINGS[filling] * (size // len(FILLINGS[filling]))
        page = static(f"<h1>{text}x</h1><p>Price: <b>{text}$500</b></p><p>{text}</p>")
        return lambda: wrapper.read(page)

    assert slowdown(work, 10_000) <= MOST
