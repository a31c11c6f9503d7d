"""What people do in the Studio, by the words that they see."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

__all__ = ["check_axe", "choose", "go", "mark", "marks", "open_example"]


def go(tab: Page, screen: str) -> None:
    """Choose a screen in the rail."""
    tab.get_by_role("navigation", name="Screens").get_by_role("link", name=screen, exact=True).click()


def open_example(tab: Page, title: str) -> None:
    """Open an example from the start screen, and wait until its candidates are drawn."""
    tab.get_by_role("button", name=title).click()
    tab.wait_for_url("**/pages/**")
    expect(tab.get_by_role("list", name="Candidates")).to_be_visible()


def choose(tab: Page, candidate: str) -> None:
    """Choose a candidate and wait for its rows."""
    tab.get_by_role("list", name="Candidates").get_by_role("button", name=candidate).first.click()
    expect(tab.get_by_role("grid")).to_be_visible()


def marks(tab: Page, look: str) -> Locator:
    """What is drawn over the page in one look."""
    return tab.locator(f"rect[data-look='{look}']")


def mark(tab: Page, name: str) -> Locator:
    """One mark over the page, by its id."""
    return tab.locator(f"rect[data-mark='{name}']")


def check_axe(tab: Page) -> None:
    """Nothing on the screen keeps out people who use a keyboard or a screen reader."""
    found = Axe().run(tab, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})
    serious = [
        (one["id"], one["help"], [node["html"][:160] for node in one["nodes"]][:3])
        for one in found.response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == [], serious
