"""The history of a tab: back, and the same page again."""

from sightline.errors import UsageError
from sightline.net import Limits
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._visit import BLANK, Visit

__all__ = ["go_back", "reload"]


async def go_back(tab: Tab, visit: Visit, limits: Limits) -> None:
    """Start to go to the previous page."""
    history = await tab.call("Page.getNavigationHistory")
    number = history["currentIndex"] - 1
    entries = history["entries"]
    if number < 0 or entries[number]["url"] == BLANK:
        raise UsageError("There is no page to go back to: this is the session's first page.")
    moves = visit.moves
    await tab.call("Page.navigateToHistoryEntry", {"entryId": entries[number]["id"]})
    await visit.moved(moves, limits.load_seconds)


async def reload(tab: Tab, visit: Visit, limits: Limits) -> None:
    """Start to load the page again."""
    moves = visit.moves
    await tab.call("Page.reload")
    await visit.moved(moves, limits.load_seconds)
