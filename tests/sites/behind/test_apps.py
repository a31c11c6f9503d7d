"""Ten applications are collected by the data behind their pages: the same rows as in the browser, politely."""

from typing import Any

import pytest

import sightline as sl
from sightline.navigate import Collection
from sightline.net import CrawlPolicy

from .apps import APPS, BY_NAME, TOKEN, App, served

POLITE = CrawlPolicy(delay=0)
IN_BROWSER = 2  # pages that are opened to compare them


def collected(start: str, **choices: Any) -> Collection:
    """What is collected in a browser, or past it."""
    return sl.collect(start, policy=POLITE, **choices)


def rows(found: Collection) -> list[tuple[str, str]]:
    """The titles and prices that were collected."""
    return [(str(record["title"]), str(record["price"])) for record in found.records.to_dicts()]


@pytest.mark.parametrize("app", [pytest.param(app, id=app.name) for app in APPS])
def test_all_records_are_collected(app: App) -> None:
    """Each once, as the pages show them; no more pages are opened than it takes to compare two."""
    with served(app) as shop:
        found = collected(shop.start)
        opened = [one for one in found.pages if one.way != "data"]
        assert rows(found) == shop.records
        assert (found.verdict, found.doubts) == ("ok", ())
        assert found.stop.kind in ("end", "counter")
        assert (len(opened) <= IN_BROWSER) == app.by_data
        assert bool(shop.by_program) == app.by_data
        assert ("without the browser" in found.road) == app.by_data


@pytest.mark.slow
@pytest.mark.parametrize("app", [pytest.param(app, id=app.name) for app in APPS])
def test_the_browser_gives_the_same(app: App) -> None:
    """Letter by letter, in every field but those with the port of the server in them."""
    with served(app) as shop:
        fast, slow = collected(shop.start), collected(shop.start, behind=False)
        assert fast.records.to_dicts() == slow.records.to_dicts()
        assert slow.road == ""


def test_what_robots_txt_forbids_is_never_asked_for() -> None:
    """The browser may open the page, whose script asks; we do not, and say why."""
    with served(BY_NAME["forbidden"]) as shop:
        found = collected(shop.start)
        assert shop.by_program == []
    assert "robots.txt" in found.road


def test_a_token_is_sent_and_never_told() -> None:
    """The header that the script set goes along; nothing that is said has it."""
    with served(BY_NAME["token"]) as shop:
        found = collected(shop.start)
        sent = [one.headers.get("x-shop-token") for one in shop.site.requests if one.target in shop.by_program]
    assert set(sent) == {TOKEN}
    assert TOKEN not in found.road


def test_what_no_page_has_shown_is_looked_at_in_the_browser() -> None:
    """Prices above a thousand come late: their page is opened, and then the road goes on."""
    with served(BY_NAME["rest-pages"], pages=24) as shop:
        found = collected(shop.start)
        assert rows(found) == shop.records
    ways = [one.way for one in found.pages]
    assert IN_BROWSER < ways.index("data") < len(ways)


def test_no_more_pages_are_read_than_wanted() -> None:
    """The budget holds for pages that come without the browser, too."""
    with served(BY_NAME["rest-offset"]) as shop:
        found = collected(shop.start, pages=4)
        assert rows(found) == shop.records[:32]
        assert found.stop.kind == "budget"
        found = collected(shop.start, pages=5)
        assert found.stop.kind == "end"


def test_what_is_there_already_is_not_asked_for() -> None:
    """All items came with the first page, which shows some of them; nothing more is requested, and budgets hold."""
    with served(BY_NAME["at-once"]) as shop:
        found = collected(shop.start)
        assert rows(found) == shop.records
        assert (found.stop.kind, [one.way for one in found.pages]) == ("end", ["opened", "button", *["data"] * 3])
        assert shop.by_program == []
        found = collected(shop.start, pages=3)
        assert (rows(found), found.stop.kind) == (shop.records[:24], "budget")


def test_pages_that_somebody_wants_are_opened() -> None:
    """Who keeps the pages themselves gets all of them from the browser."""
    with served(BY_NAME["cursor"]) as shop:
        assert len(collected(shop.start, behind=False).pages) == 5
        assert shop.by_program == []
