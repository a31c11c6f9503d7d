"""An interrupted collection goes on where it was: nothing that was read is lost, and nothing is read twice for long."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.jobs import Progress
from sightline.net import CrawlPolicy

from ..._server import Request, reply, serve_from_thread
from .._site import Served, served
from .test_collect import HEAD, LOAD_MORE, card, collected, names, shop

POLITE = CrawlPolicy(delay=0)


class Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


def stop_at(what: str, done: int) -> Callable[[Progress], None]:
    """Interrupts the work as soon as so much of something is done."""

    def listen(progress: Progress) -> None:
        if progress.what.startswith(what) and progress.done == done:
            raise Interrupted

    return listen


def interrupted(site: Served, journal: Path, what: str, done: int, **choices: Any) -> None:
    """Collect until so much is done."""
    with pytest.raises(Interrupted):
        collected(site, journal=journal, on_progress=stop_at(what, done), **choices)


@pytest.mark.slow
@pytest.mark.parametrize("done", [6, 9])
def test_details_that_were_read_are_not_read_again(tmp_path: Path, done: int) -> None:
    """Nor is the list; the wrapper that was learned from the first is used for the rest."""
    journal = tmp_path / "x"
    with served(shop(12)) as site:
        interrupted(site, journal, "Reading details", done, details="auto")
        before = [path for path in site.asked if path.startswith("/lens/")]
        site.asked.clear()
        found = collected(site, journal=journal, details="auto")
        whole = collected(site, details="auto")
    again = [path for path in site.asked[: 12 - done] if path.startswith("/lens/")]
    assert len(before) in (done, done + 1)  # the next one may be under way
    assert again == [f"/lens/{number}" for number in range(done + 1, 13)]
    assert found.records.to_dicts() == whole.records.to_dicts()
    assert (found.verdict, found.stop) == ("ok", whole.stop)
    assert not journal.exists()


def test_details_that_failed_are_tried_again(tmp_path: Path) -> None:
    """What failed may be there the next time."""
    journal, down = tmp_path / "x", [True]

    def answer(path: str) -> str | None:
        return None if path == "/lens/2" and down else shop(12)(path)

    with served(answer) as site:
        interrupted(site, journal, "Reading details", 9, details="auto")
        down.clear()
        found = collected(site, journal=journal, details="auto")
    assert [row["details"] for row in found.records.to_dicts()] == ["ok"] * 12


def test_other_choices_do_not_use_what_was_left(tmp_path: Path) -> None:
    """Details by another wrapper, or none, are another collection."""
    journal = tmp_path / "x"
    with served(shop(12)) as site:
        interrupted(site, journal, "Reading details", 9, details="auto")
        with pytest.raises(sl.errors.UsageError, match="was left by another collection, with other choices; remove it"):
            collected(site, journal=journal)


def test_doubts_outlive_an_interruption(tmp_path: Path) -> None:
    """What may be missing from pages that were read before is told at the end."""
    journal = tmp_path / "x"

    def answer(path: str) -> str | None:
        page = shop(31)(path)
        return page.replace(card(6), card(5)) if page and "page=2" in path else page

    with served(answer) as site:
        interrupted(site, journal, "Collecting", 3)
        found = collected(site, journal=journal)
    assert len(found.doubts) == 1
    assert "the list moved while it was read" in found.doubts[0]
    assert found.verdict == "suspicious"


@pytest.mark.slow
def test_a_line_that_was_cut_off_costs_its_page_only(tmp_path: Path) -> None:
    """What is written behind it is whole, and is read after the next interruption."""
    journal = tmp_path / "x"
    with served(shop(31)) as site:
        interrupted(site, journal, "Collecting", 3)
        journal.write_bytes(journal.read_bytes()[:-30])
        interrupted(site, journal, "Collecting", 5)
        site.asked.clear()
        found = collected(site, journal=journal)
    assert names(found) == [f"{number:03}" for number in range(1, 32)]
    assert site.asked == ["/list", *(f"/list?page={page}" for page in range(5, 8))]


@pytest.mark.slow
def test_a_list_behind_a_button_is_gone_through_again(tmp_path: Path) -> None:
    """The button is pressed as often as before, and then on to the end."""
    journal = tmp_path / "x"
    body = LOAD_MORE.replace("ALL", str([card(number) for number in range(1, 34)]))
    kept = reply(f"{HEAD}<h1>Lenses</h1>{body}".encode())
    with serve_from_thread({"/robots.txt": reply(status=404)}, otherwise=kept) as site:
        seen: list[int] = []

        def stop(progress: Progress) -> None:
            seen.append(progress.done)
            if len(seen) == 5:
                raise Interrupted

        with pytest.raises(Interrupted):
            sl.collect(site.url("/list"), policy=POLITE, journal=journal, on_progress=stop)
        found = sl.collect(site.url("/list"), policy=POLITE, journal=journal)
    assert sorted(names(found)) == [f"{number:03}" for number in range(1, 34)]
    assert (found.verdict, found.stop.kind) == ("ok", "end")


@pytest.mark.slow
@pytest.mark.parametrize("static", [True, False], ids=["static", "browser"])
def test_details_of_a_busy_site_are_waited_for(static: bool) -> None:
    """As the pages of the list are."""
    refused: list[str] = []

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        is_busy = request.path == "/lens/3" and not refused
        refused.extend(["/lens/3"] * is_busy)
        page = shop(7)(request.target)
        assert page is not None
        writer.write(reply(b"Slow down", 429, {"Retry-After": "1"}) if is_busy else reply(page.encode()))
        await writer.drain()

    with serve_from_thread({"/robots.txt": reply(status=404)}, otherwise=handle) as site:
        found = sl.collect(site.url("/list"), details="auto", static=static, policy=POLITE)
    assert refused
    assert [row["details"] for row in found.records.to_dicts()] == ["ok"] * 7
    assert found.verdict == "ok"


def test_details_of_a_site_that_stays_busy_are_not_waited_for_one_by_one() -> None:
    """Patience ends once; the rows that lack details say why, and the others are kept."""
    asked: list[str] = []

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        is_busy = request.path.startswith("/lens/") and request.path > "/lens/3"
        asked.extend([request.path] * is_busy)
        page = shop(7)(request.target)
        assert page is not None
        writer.write(reply(b"Tomorrow", 503, {"Retry-After": "86400"}) if is_busy else reply(page.encode()))
        await writer.drain()

    with serve_from_thread({"/robots.txt": reply(status=404)}, otherwise=handle) as site:
        found = sl.collect(site.url("/list"), details="auto", static=True, policy=POLITE)
    assert asked == ["/lens/4", "/lens/4", "/lens/5", "/lens/6", "/lens/7"]
    rows = found.records.to_dicts()
    assert [row["details"].partition(":")[0] for row in rows] == ["ok"] * 3 + ["failed"] * 4
    assert "asks to come back in 86,400 s" in rows[3]["details"]
    assert found.verdict == "suspicious"


def test_rows_without_links_are_kept_without_details() -> None:
    """Nothing that was collected is lost because there are no details; it is told."""

    def answer(path: str) -> str | None:
        page = shop(6)(path)
        return re.sub(r"<h3><a href=\S+>(.*?)</a></h3>", r"<h3>\1</h3>", page) if page else None

    with served(answer) as site:
        found = collected(site, details="auto")
    assert (len(found.records), found.verdict) == (6, "suspicious")
    assert found.doubts == ("no record has a link, so there are no details pages; leave `details` out",)
