"""What is collected is a choice: the main list, the rows of the main table, or the items that a title promises."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import sightline as sl
from sightline.errors import UnreachableError, UsageError
from sightline.navigate import Collection
from sightline.net import CrawlPolicy

from .._site import Answer, Served, served
from .test_collect import HEAD, cards, next_link

POLITE = CrawlPolicy(delay=0)
STARS = ("Sirius", "Canopus", "Arcturus", "Vega", "Capella", "Rigel", "Procyon", "Betelgeuse", "Achernar", "Hadar")
SIZE = 4


def collected(site: Served, **choices: Any) -> Collection:
    """What is collected from the list of a site, without a browser unless told otherwise."""
    return sl.collect(site("/list"), **{"static": True, "policy": POLITE, **choices})


def row(number: int) -> str:
    """A star."""
    return f"<tr><td>{STARS[number % 10]} {number}</td><td>{number}.25</td><td>20{number:02}-05-17</td></tr>"


def stars(count: int, heading: str = "<tr><th>Star<th>Magnitude<th>Seen</tr>", later: str | None = None) -> Answer:
    """A table of so many stars over several pages, beside a list of lenses; `later` heads all pages but the first."""
    last = -(-count // SIZE)

    def answer(path: str) -> str | None:
        page = int(parse_qs(urlsplit(path).query).get("page", ["1"])[0])
        head = heading if page == 1 or later is None else later
        rows = "".join(map(row, range(SIZE * (page - 1) + 1, min(count, SIZE * page) + 1)))
        return f"{HEAD}{cards(1, 5)}<table>{head}{rows}</table>{next_link(page, last)}" if page <= last else None

    return answer


@pytest.mark.slow
@pytest.mark.parametrize("static", [True, False], ids=["static", "browser"])
@pytest.mark.parametrize("later", [None, ""], ids=["headed", "headed once"])
def test_the_rows_of_a_table_are_collected(static: bool, later: str | None) -> None:
    """On every page, under the names of the first one, whether the others repeat them or not."""
    with served(stars(11, later=later)) as site:
        found = collected(site, what="tables", static=static)
    assert [row["Star"] for row in found.records.to_dicts()] == [f"{STARS[n % 10]} {n}" for n in range(1, 12)]
    assert list(found.records.to_dicts()[-1]) == ["Star", "Magnitude", "Seen"]
    assert (found.verdict, found.doubts, found.stop.kind) == ("ok", (), "end")


def test_a_last_page_with_one_row_belongs_to_the_table() -> None:
    """However little looks like a table."""
    with served(stars(9)) as site:
        found = collected(site, what="tables")
    assert (len(found.records), found.verdict) == (9, "ok")


def test_other_columns_are_doubted() -> None:
    """A table with most of the columns keeps its rows, and another one is left out; both are told."""
    with served(stars(8, later="<tr><th>Star<th>Magnitude<th>First seen</tr>")) as site:
        found = collected(site, what="tables")
    assert (len(found.records), found.verdict) == (8, "suspicious")
    assert "its columns are Star, Magnitude, First seen instead of Star, Magnitude, Seen" in found.doubts[0]
    with served(stars(8, later="<tr><th>Maker<th>Costs<th>Since</tr>")) as site:
        found = collected(site, what="tables")
    assert (len(found.records), found.verdict) == (4, "suspicious")
    assert "so it is another table; its rows are left out" in found.doubts[0]


def test_rows_that_say_the_same_on_two_pages_are_told() -> None:
    """Nobody knows whether they are one or two."""

    def answer(path: str) -> str | None:
        page = stars(8)(path)
        return page.replace("</table>", f"{row(1)}</table>") if page and "page=2" in path else page

    with served(answer) as site:
        found = collected(site, what="tables")
    assert (len(found.records), found.verdict) == (8, "suspicious")
    assert "left out because the same stood on a page before: 1 row" in found.doubts[0]


def test_a_page_without_a_table_is_an_error() -> None:
    """It says what to do."""
    with served(lambda _: f"{HEAD}{cards(1, 5)}") as site, pytest.raises(UsageError, match="shows no table"):
        collected(site, what="tables")


def countdown(count: int, size: int, title: str = "{} Stars Worth a Night") -> Answer:
    """A list that its title promises, numbered, over several pages."""
    last = -(-count // size)

    def answer(path: str) -> str | None:
        page = int(parse_qs(urlsplit(path).query).get("page", ["1"])[0])
        numbers = range(size * (page - 1) + 1, min(count, size * page) + 1)
        items = "".join(
            f"<h2>{n}. {STARS[n % 10]}</h2><p>It is worth a night of watching, they say.</p>" for n in numbers
        )
        head = HEAD.replace("Lenses", title.format(count))
        return f"{head}<h1>{title.format(count)}</h1>{items}{next_link(page, last)}" if page <= last else None

    return answer


@pytest.mark.parametrize("size", [9, 3])
def test_the_items_that_a_title_promises_are_collected(size: int) -> None:
    """On one page or over several; all of them are found, so the promise is what ends it."""
    with served(countdown(9, size)) as site:
        found = collected(site, what="top")
        assert len(site.asked) == 9 // size
    assert [row["title"] for row in found.records.to_dicts()] == [STARS[n % 10] for n in range(1, 10)]
    assert [one.shown for one in found.pages] == [size] * (9 // size)
    assert (found.stop.kind, found.verdict) == ("counter", "ok")
    assert found.stop.why == "all 9 items that the title promises are found"


@pytest.mark.slow
def test_a_promise_that_is_not_kept_is_an_error() -> None:
    """It says why: there is no such list, a page of it failed, or it is longer than allowed."""
    with served(lambda _: f"{HEAD}{cards(1, 5)}") as site, pytest.raises(UsageError, match="promises no list"):
        collected(site, what="top")
    whole = countdown(9, 3)
    with (
        served(lambda path: None if "page=3" in path else whole(path)) as site,
        pytest.raises(UnreachableError, match="404"),
    ):
        collected(site, what="top")
    with served(whole) as site, pytest.raises(UsageError, match="goes on after 2 pages; raise `pages`"):
        collected(site, what="top", pages=2)


def test_choices_that_make_no_sense_are_refused() -> None:
    """In a sentence that says what to give instead."""
    with served(stars(4)) as site:
        with pytest.raises(UsageError, match="'columns' cannot be collected; give one of lists, tables, top"):
            collected(site, what="columns")
        page = sl.open(site("/list"), static=True, policy=POLITE)
        wrapper = sl.teach(page).want("star", "Canopus 1").wrapper
        with pytest.raises(UsageError, match="A wrapper says itself what is read"):
            collected(site, what="tables", wrapper=wrapper)


@pytest.mark.slow
def test_a_table_that_grows_by_a_button_repeats_no_row() -> None:
    """Its first rows are the same ones, so there is no doubt."""
    rows = [row(number) for number in range(1, 12)]
    script = f"""<button id=more>Load more</button><script>const rows = {rows!r}; let shown = 0;
function more() {{ const body = document.querySelector('tbody');
  for (const one of rows.slice(shown, shown + 4)) body.insertAdjacentHTML('beforeend', one);
  shown += 4; if (shown >= rows.length) document.getElementById('more').remove() }}
document.getElementById('more').onclick = more; more()</script>"""
    table = "<table><thead><tr><th>Star<th>Magnitude<th>Seen</thead><tbody></tbody></table>"
    with served(lambda _: f"{HEAD}<h1>Stars</h1>{table}<p style=margin:9em>All by night.</p>{script}") as site:
        found = collected(site, what="tables", static=False)
    assert (len(found.records), found.verdict, found.doubts) == (11, "ok", ())
