"""All records of a list are collected over all its pages, each once, and why it stopped is told."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import sightline as sl
from sightline.errors import UnreachableError, UsageError
from sightline.jobs import Progress
from sightline.navigate import Collection
from sightline.net import CrawlPolicy, Limits

from .._site import Answer, Served, served

POLITE = CrawlPolicy(delay=0)
HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>Lenses</title><nav><a href=/>Home</a></nav>"
WORDS = ("light", "distant", "measured", "anybody", "bright", "become", "larger", "mirrors", "clearer", "nights")
SIZE = 5  # records on a page


def card(number: int) -> str:
    """A lens, with a link to its own page."""
    said = " ".join(WORDS[(number * step) % len(WORDS)] for step in (1, 3, 7, 9))
    return (
        f"<li class=card><h3><a href=/lens/{number}>{WORDS[number % 10].title()} lens {number:03}</a></h3>"
        f"<p class=price>{number}9.00 €</p><p class=text>It has {said}.</p></li>"
    )


def cards(first: int, last: int) -> str:
    """The lenses from one number to another."""
    return f"<h1>Lenses</h1><ul class=cards>{''.join(map(card, range(first, last + 1)))}</ul>"


def lens(number: int) -> str:
    """The page of a lens."""
    return (
        f"{HEAD}<h1>{WORDS[number % 10].title()} lens {number:03}</h1>"
        f"<table><tr><th>Weight<td>{300 + number} g<tr><th>Maker<td>Works {number % 4}</table>"
    )


def shop(count: int, pager: Callable[[int, int], str] | None = None) -> Answer:
    """A shop with so many lenses; `pager` gives what is below the list on a page, by its number and the last one."""
    last = -(-count // SIZE)

    def answer(path: str) -> str | None:
        parts = urlsplit(path)
        if parts.path.startswith("/lens/"):
            return lens(int(parts.path.rpartition("/")[2]))
        page = int(parse_qs(parts.query).get("page", ["1"])[0])
        if not 1 <= page <= last:
            return None
        below = pager(page, last) if pager else next_link(page, last)
        return f"{HEAD}{cards(SIZE * (page - 1) + 1, min(count, SIZE * page))}{below}"

    return answer


def next_link(page: int, last: int) -> str:
    """A pager with nothing but a link to the next page."""
    return f"<p class=pager><a href=/list?page={page + 1}>Next</a></p>" if page < last else "<p class=pager>The end</p>"


def numbers(page: int, last: int) -> str:
    """A pager with a number for each page."""
    each = (f"<a href=/list?page={n}>{n}</a>" if n != page else f"<b>{n}</b>" for n in range(1, last + 1))
    return f"<div class=pager>{' '.join(each)}</div>"


def collected(site: Served, **choices: Any) -> Collection:
    """What is collected from the list of a site, without a browser."""
    return sl.collect(site("/list"), static=True, policy=POLITE, **choices)


def names(found: Collection) -> list[str]:
    """The numbers of the lenses that were collected."""
    return [str(record["title"]).rpartition(" ")[2] for record in found.records.to_dicts()]


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 5, 13, 31])
@pytest.mark.parametrize("pager", [next_link, numbers])
def test_every_record_is_collected_once(count: int, pager: Callable[[int, int], str]) -> None:
    """In the order of the pages, also where the last page has too few records to be a list."""
    with served(shop(count, pager)) as site:
        found = collected(site)
    assert names(found) == [f"{number:03}" for number in range(1, count + 1)]
    assert (found.verdict, found.doubts) == ("ok", ())
    assert found.stop.kind == "end"


def test_what_the_page_counts_is_held_against_what_was_found() -> None:
    """If both agree, nothing is missing for sure; if not, it is told."""
    with served(shop(12, lambda page, last: f"{next_link(page, last)}<p>Page {page} of {last}</p>")) as site:
        assert collected(site).stop.kind == "counter"
    with served(shop(12, lambda page, last: f"{next_link(page, last)}<p>Page {page} of 9</p>")) as site:
        found = collected(site)
    assert (found.verdict, found.stop.kind) == ("suspicious", "end")
    assert found.doubts == ("the page counts 9 pages, and 3 were found",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "last_link", ["<a href=/list?page=1>Next</a>", "<a href=/list?page=3>Next</a>", "<a href=/list>Next</a>"]
)
def test_a_next_link_that_leads_back_does_not_go_round(last_link: str) -> None:
    """Pages that were seen are not read again."""
    with served(
        shop(13, lambda page, last: next_link(page, last) if page < last else f"<p class=pager>{last_link}</p>")
    ) as site:
        found = collected(site)
    assert len(found.records) == 13
    assert len(site.asked) <= 4


def test_addresses_that_differ_every_time_do_not_go_on_for_ever() -> None:
    """A site that adds a new number to every address repeats its records, and that is noticed."""
    visits = iter(range(1_000))

    def answer(path: str) -> str | None:
        del path
        number = next(visits)
        return f"{HEAD}{cards(1, SIZE)}<p class=pager><a href='/list?page={number + 2}&sid={number}'>Next</a></p>"

    with served(answer) as site:
        found = collected(site)
    assert (len(found.records), found.stop.kind, found.verdict) == (SIZE, "repeated", "ok")
    assert len(site.asked) <= 4


def test_records_that_move_while_the_list_is_read_are_told() -> None:
    """A lens that comes in front pushes one onto the next page: it is not doubled, and the doubt is told."""

    def answer(path: str) -> str | None:
        page = int(parse_qs(urlsplit(path).query).get("page", ["1"])[0])
        moved = int(page > 1)
        first = SIZE * (page - 1) + 1 - moved
        return f"{HEAD}{cards(first, first + SIZE - 1)}{next_link(page, 3)}"

    with served(answer) as site:
        found = collected(site)
    assert names(found) == [f"{number:03}" for number in range(1, 15)]
    assert found.verdict == "suspicious"
    assert "the list moved while it was read" in found.doubts[0]


def test_at_most_so_many_pages_are_read() -> None:
    """That there are more is told."""
    with served(shop(31)) as site:
        found = collected(site, pages=2)
    assert (len(found.records), found.stop.kind, found.verdict) == (2 * SIZE, "budget", "suspicious")
    assert "there are more" in found.stop.why


def test_a_page_that_fails_leaves_what_was_collected() -> None:
    """The reason is told, and the verdict is not ok."""
    with served(shop(12, lambda page, _: f"<p class=pager><a href=/list?page={page + 1}>Next</a></p>")) as site:
        found = collected(site)
    assert (len(found.records), found.stop.kind, found.verdict) == (12, "failed", "suspicious")
    assert "404" in found.stop.why


def test_details_are_joined_to_their_rows() -> None:
    """By a wrapper that is learned from the first pages; each row says what became of its page."""

    def answer(path: str) -> str | None:
        return None if path == "/lens/7" else shop(12)(path)

    with served(answer) as site:
        found = collected(site, details="auto")
    rows = found.records.to_dicts()
    assert [row["Weight"] for row in rows[:2]] == ["301 g", "302 g"]
    assert [row["details"] for row in rows].count("ok") == 11
    assert rows[6]["details"].startswith("failed: ")
    assert rows[6]["Weight"] is None
    assert "1 of 12 rows lack details" in found.doubts[-1]
    assert found.verdict == "suspicious"


def test_a_wrapper_reads_the_records() -> None:
    """Whatever else is on the pages."""
    with served(shop(13)) as site:
        page = sl.open(site("/list"), static=True, policy=POLITE)
        lesson = sl.teach(page).show(page, records=[{"lens": ["Distant lens 001"]}, {"lens": ["Measured lens 002"]}])
        found = collected(site, wrapper=lesson.wrapper)
    assert list(found.records.to_dicts()[12]) == ["lens"]


def _taught(site: Served) -> sl.Wrapper:
    page = sl.open(site("/list"), static=True, policy=POLITE)
    shown = [
        {"lens": ["Distant lens 001"], "price": ["19.00 €"]},
        {"lens": ["Measured lens 002"], "price": ["29.00 €"]},
    ]
    return sl.teach(page).show(page, records=shown).wrapper


def test_a_page_that_the_wrapper_refuses_leaves_what_was_collected() -> None:
    """It ends the walk with the reason, and nothing that was read before is lost."""

    def answer(path: str) -> str | None:
        return f"{HEAD}<h1>Sold out</h1><p>Come again.</p>" if "page=3" in path else shop(31)(path)

    with served(answer) as site:
        found = collected(site, wrapper=_taught(site))
    assert (len(found.records), found.stop.kind, found.verdict) == (2 * SIZE, "failed", "suspicious")


def test_a_page_that_the_wrapper_doubts_is_told() -> None:
    """Its records are kept, and the verdict is not ok."""

    def answer(path: str) -> str | None:
        page = shop(12)(path)
        return (
            re.sub(r"<p class=price>.*?</p>", "<p class=price>call us</p>", page) if page and "page=2" in path else page
        )

    with served(answer) as site:
        found = collected(site, wrapper=_taught(site))
    assert found.verdict == "suspicious"
    assert any("page=2" in doubt for doubt in (*found.doubts, found.stop.why))


def test_a_page_that_was_cut_is_told() -> None:
    """With the limit that cut it."""
    with served(shop(12)) as site:
        found = collected(site, limits=Limits(nodes=40))
    assert found.verdict == "suspicious"
    assert any("nodes" in doubt for doubt in found.doubts)


def test_an_interrupted_collection_goes_on_where_it_was(tmp_path: Path) -> None:
    """No page is read twice but the first, and the last that was read; in the end the journal is gone."""
    journal = tmp_path / "lenses.collecting"

    class Interrupted(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.done == 3:
            raise Interrupted

    with served(shop(31)) as site:
        with pytest.raises(Interrupted):
            collected(site, journal=journal, on_progress=stop)
        site.asked.clear()
        found = collected(site, journal=journal)
    assert names(found) == [f"{number:03}" for number in range(1, 32)]
    assert site.asked == ["/list", *(f"/list?page={page}" for page in range(3, 8))]
    assert not journal.exists()


def test_a_journal_of_something_else_is_not_touched(tmp_path: Path) -> None:
    """Neither one of another list, nor a file that is none."""
    journal = tmp_path / "x"
    journal.write_text("precious\n")
    with served(shop(6)) as site:
        with pytest.raises(UsageError, match="is not what an interrupted collection left"):
            collected(site, journal=journal)
        journal.write_text('{"collects": ["https://example.org", "lists", ""]}\n')
        assert journal.exists()
        with pytest.raises(UsageError, match=r"was left by another collection, of https://example\.org"):
            collected(site, journal=journal)
    assert journal.exists()


@pytest.mark.slow
@pytest.mark.parametrize("line", ["[1]", "{}", '{"address": 1, "way": "link", "shown": 1, "records": 5}'])
def test_a_damaged_journal_is_refused(tmp_path: Path, line: str) -> None:
    """In a sentence that says what to do; a line that was cut off is as if it had not been written."""
    journal = tmp_path / "x"
    with served(shop(6)) as site:
        journal.write_text(f'{{"collects": ["{site("/list")}", "lists", ""]}}\n{line}\n')
        with pytest.raises(UsageError, match="is damaged; remove it"):
            collected(site, journal=journal)
        journal.write_text(f'{{"collects": ["{site("/list")}", "lists", ""]}}\n{{"address": "x')
        assert len(collected(site, journal=journal).records) == 6


def test_what_is_no_list_is_an_error() -> None:
    """It says what to do."""
    with (
        served(lambda path: f"{HEAD}<p>Nothing here, {path}.") as site,
        pytest.raises(UsageError, match="shows no list"),
    ):
        collected(site)
    with served(lambda _: None) as site, pytest.raises(UnreachableError):
        collected(site)


# ------------------------------------------------------------------ in a browser

LOAD_MORE = """<ul class=cards id=all></ul><button id=more>Load more</button><script>
const all = ALL; let shown = 0;
function more() { for (const one of all.slice(shown, shown + 5)) document.getElementById('all').innerHTML += one;
  shown += 5; if (shown >= all.length) document.getElementById('more').remove() }
document.getElementById('more').onclick = more; more() </script>"""
SCROLLED = """<ul class=cards id=all></ul><script>
const all = ALL; let shown = 0;
function more() { for (const one of all.slice(shown, shown + 5)) document.getElementById('all').innerHTML += one;
  shown += 5 }
addEventListener('scroll', () => { if (innerHeight + scrollY >= document.documentElement.scrollHeight - 50) more() });
more(); more(); more(); more() </script>"""


@pytest.mark.slow
@pytest.mark.parametrize(("page", "way"), [(LOAD_MORE, "button"), (SCROLLED, "scroll")])
def test_lists_that_grow_by_scripts_are_collected(page: str, way: str) -> None:
    """By pressing a button, and by scrolling; both end when nothing more comes."""
    body = page.replace("ALL", str([card(number) for number in range(1, 34)]))
    with served(lambda _: f"{HEAD}<h1>Lenses</h1>{body}") as site:
        found = sl.collect(site("/list"), policy=POLITE)
    assert sorted(names(found)) == [f"{number:03}" for number in range(1, 34)]
    assert {one.way for one in found.pages} == {"opened", way}
    assert found.verdict == "ok"


@pytest.mark.slow
def test_a_list_in_a_box_is_scrolled() -> None:
    """Where the box is scrolled by itself, and rows come as its end is reached."""
    boxed = SCROLLED.replace("<ul", "<ul style='height:300px;overflow-y:auto'").replace(
        "addEventListener('scroll', () => { if (innerHeight + scrollY >= document.documentElement.scrollHeight - 50)",
        "const box = document.getElementById('all');"
        "box.addEventListener('scroll', () => { if (box.clientHeight + box.scrollTop >= box.scrollHeight - 150)",
    )
    body = boxed.replace("ALL", str([card(number) for number in range(1, 34)]))
    with served(lambda _: f"{HEAD}<h1>Lenses</h1>{body}") as site:
        found = sl.collect(site("/list"), policy=POLITE)
    assert sorted(names(found)) == [f"{number:03}" for number in range(1, 34)]
    assert (found.verdict, found.stop.kind) == ("ok", "end")


def test_parts_without_records_do_not_end_a_strip() -> None:
    """Months in which nothing happened may be many."""
    full = (1, 2, 9)

    def answer(path: str) -> str | None:
        here = int(path.rpartition("/")[2]) if path != "/list" else 1
        strip = (f"<b>2024-{n:02}</b>" if n == here else f"<a href=/list/{n}>2024-{n:02}</a>" for n in range(1, 13))
        first = 5 * full.index(here) + 1 if here in full else 0
        return f"{HEAD}<p>{' '.join(strip)}</p>{cards(first, first + 4) if first else '<p>Nothing.</p>'}"

    with served(answer) as site:
        found = collected(site)
    assert names(found) == [f"{number:03}" for number in range(1, 16)]
    assert (found.verdict, found.stop.kind) == ("ok", "end")
    assert len(site.asked) == 13  # the first month has two addresses


@pytest.mark.slow
def test_a_list_that_scrolls_on_beyond_the_most_pages_is_told() -> None:
    """Whether there is more is only known by scrolling, and part of a list is never called ok."""
    body = SCROLLED.replace("ALL", str([card(number) for number in range(1, 34)]))
    with served(lambda _: f"{HEAD}<h1>Lenses</h1>{body}") as site:
        found = sl.collect(site("/list"), policy=POLITE, pages=2)
        assert (found.stop.kind, found.verdict) == ("budget", "suspicious")
        assert 20 <= len(found.records) < 33
        whole = sl.collect(site("/list"), policy=POLITE)
        exact = sl.collect(site("/list"), policy=POLITE, pages=len(whole.pages))
    assert (exact.stop.kind, exact.verdict, len(exact.records)) == ("end", "ok", 33)
