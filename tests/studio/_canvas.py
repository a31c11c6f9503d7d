"""A person who works in the live view of the Studio, with the mouse and keys of a real browser on its canvas."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, TimeoutError, expect

from sightline.server._live_recording import LiveRecording
from sightline.server._recordings import Recordings
from sightline.sources._loop import RUNTIME
from sightline.sources.browser._elements import OutOfReach

from .._wait import wait_until
from ..server._running import Running
from ._steps import go

__all__ = ["CanvasPerson", "begin", "opened"]

WIDTH = 1280
MOVES = 8  # steps of a drag
PACE_MS = 100  # between two acts of a person, at the least
OPENS_MS = 15_000  # after which nobody waits for a box to open


def begin(page: Page, address: str) -> None:
    """Begin a recording, and wait until the page is seen."""
    go(page, "Record")
    page.get_by_label("Address to begin with").fill(address)
    page.get_by_role("button", name="Record", exact=True).click()
    opened(page)


def opened(page: Page) -> None:
    """Wait until the live browser shows its page, and takes what one does."""
    expect(page.get_by_text("Recording", exact=True)).to_be_visible()
    expect(page.locator("canvas[data-picture]")).to_be_visible()
    expect(page.get_by_text(re.compile("^Opening http"))).to_have_count(0)


class CanvasPerson:
    """Does what the person of the journeys does. Where things are in the window is looked up; all else is done by hand.

    Elements are named by their keys (`data-k`), or by an XPath.
    """

    def __init__(self, page: Page, studio: Running, files: Path) -> None:
        self.page = page
        self.studio = studio
        self.files = files

    # ------------------------------------------------------------------ the mouse

    def click(self, what: str, inside: str = "") -> None:
        """Click an element; `inside` is the path of a frame or shadow host."""
        self._click_at(*self.place(what, inside))

    def hover(self, what: str) -> None:
        """Move the mouse to an element."""
        self.page.mouse.move(*self._screen(*self.place(what)))

    def click_and_answer(self, what: str, *, accept: bool, text: str | None = None) -> None:
        """Click what opens a dialog, and answer it in the bar."""
        self.click(what)
        bar = self.page.get_by_role("form", name="Dialog of the page")
        expect(bar).to_be_visible()
        if text is not None:
            bar.get_by_label("Answer").fill(text)
        bar.get_by_role("button", name="OK" if accept else "Cancel").click()
        expect(bar).to_have_count(0)

    def drag(self, what: str, *, by: tuple[float, float] | None = None, onto: str = "") -> None:
        """Drag an element by some pixels, or onto another one."""
        x, y = self.place(what)
        to = (x + by[0], y + by[1]) if by else self.place(onto)
        if not by:
            x, y = self.place(what)
        self.page.mouse.move(*self._screen(x, y))
        self.page.mouse.down()
        for step in range(1, MOVES + 1):
            part = step / MOVES
            self.page.mouse.move(*self._screen(x + (to[0] - x) * part, y + (to[1] - y) * part))
            self.page.wait_for_timeout(30)  # as slow as a hand: the page must have seen that something is dragged
        self.page.mouse.up()

    def wheel(self, pixels: int) -> None:
        """Scroll with the wheel."""
        self.rest()
        self.page.mouse.move(*self._screen(600, 400))
        self.page.mouse.wheel(0, pixels)

    def see(self, what: str) -> None:
        """Look until an element is there."""
        wait_until(lambda: self.session.located(xpath=_path(what)))

    # ------------------------------------------------------------------ keys

    def type(self, what: str, text: str, inside: str = "") -> None:
        """Click into an input and type, one key after the other."""
        self.click(what, inside)
        for letter in text:
            self.page.keyboard.press("Enter" if letter == "\n" else letter if letter != " " else "Space")

    def press(self, *keys: str) -> None:
        """Press keys, with a look at the page before each."""
        for key in keys:
            self.rest()
            self.page.keyboard.press(key)

    # ------------------------------------------------------------------ what the system's windows do

    def select(self, what: str, *options: str) -> None:
        """Choose from a box that the Studio shows, or several from a list on the page."""
        if len(options) > 1:
            for number, option in enumerate(options):
                if number:
                    self.page.keyboard.down("Control")
                self.click(f"{_path(what)}/option[normalize-space()='{option}']")
            self.page.keyboard.up("Control")
            return
        option = self.page.get_by_role("listbox", name="Options").get_by_role("option", name=options[0], exact=True)
        wait_until(lambda: self._opens(what, option))
        option.click()
        expect(self.page.get_by_role("listbox", name="Options")).to_have_count(0)

    def _opens(self, what: str, option: Locator) -> bool:
        """Click a box, as people do again where a slow page has just moved it away from under the mouse."""
        self.click(what)
        try:
            option.wait_for(timeout=OPENS_MS)
        except TimeoutError:
            return False
        return True

    def choose_file(self, what: str, name: str) -> None:
        """Click what asks for a file, and choose one in the Studio."""
        self.click(what)
        bar = self.page.get_by_role("group", name="The page asks for a file")
        expect(bar).to_be_visible()
        bar.get_by_label("File for the page").set_input_files(self.files / name)
        expect(bar).to_have_count(0)

    def back(self) -> None:
        """Press the back button."""
        self.rest()
        before = self.live.to_json()["url"]
        self.page.get_by_role("button", name="Back", exact=True).click()
        wait_until(lambda: self.live.to_json()["url"] != before)

    def tab(self, number: int) -> None:
        """Go to another tab, where it is shown already as a rule."""
        self.rest()
        self.page.get_by_role("tablist").get_by_role("tab").nth(number).click()

    # ------------------------------------------------------------------ on the way

    @property
    def live(self) -> LiveRecording:
        """The live browser that is shown."""
        return self.studio.studio.part(Recordings).list()[-1]

    @property
    def session(self):  # type: ignore[no-untyped-def]
        """Its session."""
        found = self.live._session
        assert found is not None
        return found

    def rest(self) -> None:
        """Wait until the page is at rest and everything so far is recorded, as people wait for a page to stand still.

        What was done last must have reached the page first: no person is faster than that.
        """
        self.page.wait_for_timeout(PACE_MS)
        self.live.rest()

    def place(self, what: str, inside: str = "") -> tuple[float, float]:
        """Where an element is in the window; one that is further down is scrolled to."""
        self.rest()
        found: list[tuple[float, float]] = []
        elements = self.session._opened().tabs.current.hand.elements

        async def place() -> bool:
            try:
                found.append(await elements.place(await elements.find(inside + _path(what))))
            except OutOfReach:  # it may still come into view
                return False
            finally:
                elements.forget()
            return True

        wait_until(lambda: RUNTIME.run(place()))
        return found[-1]

    def _screen(self, x: float, y: float) -> tuple[float, float]:
        """The point of the screen where a point of the window is drawn."""
        box = self.page.get_by_test_id("live").bounding_box()
        assert box
        scale = box["width"] / WIDTH
        return box["x"] + x * scale, box["y"] + y * scale

    def _click_at(self, x: float, y: float) -> None:
        self.page.mouse.move(*self._screen(x, y))
        self.page.mouse.down()
        self.page.mouse.up()


def _path(what: str) -> str:
    return what if what.startswith("/") else f"//*[@data-k='{what}']"
