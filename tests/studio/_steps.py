"""What people do in the Studio, by the words that they see."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

__all__ = ["check_axe", "choose", "click_text", "go", "mark", "marks", "name_field", "open_example"]


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


def click_text(tab: Page, text: str) -> None:
    """Point at a text on the picture of the page and click it, where the page's own geometry says it is."""
    tab.wait_for_url("**/teach/**page=**")
    expect(tab.get_by_test_id("page")).to_be_visible()
    page_id = tab.evaluate("() => new URLSearchParams(location.search).get('page')")
    geometry = tab.evaluate("id => fetch(`/api/pages/${id}/geometry`).then(answer => answer.json())", page_id)
    places = [place for place, said in enumerate(geometry["texts"]) if said and " ".join(said.split()) == text]
    assert places, f"there is no {text!r} on the page"
    x0, y0, x1, y1 = geometry["boxes"][4 * places[0] : 4 * places[0] + 4]
    info = tab.evaluate("id => fetch(`/api/pages/${id}`).then(answer => answer.json())", page_id)
    picture = tab.get_by_test_id("page")
    # A zoom chooser and a filmstrip lie over the page, so what is clicked is brought to the middle first.
    tab.get_by_role("region", name="Page ").evaluate(
        "(desk, share) => { desk.scrollTop = share * desk.scrollHeight - desk.clientHeight / 2 }",
        y0 / max(info["height"], 1),
    )
    box = picture.bounding_box()
    assert box
    scale = box["width"] / info["width"]
    tab.mouse.move(box["x"] + (x0 + x1) / 2 * scale, box["y"] + (y0 + y1) / 2 * scale)
    expect(mark(tab, "under")).to_have_count(1)
    tab.mouse.down()
    tab.mouse.up()


def name_field(tab: Page, name: str) -> None:
    """Name the field that a first click has made."""
    tab.get_by_label("Name of field").fill(name)
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("button", name=name, exact=True).first).to_be_visible()
