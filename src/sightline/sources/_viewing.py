"""A session seen and worked by a person who is elsewhere, with calls from any thread."""

from collections.abc import Callable
from typing import Self

from sightline.sources._loop import RUNTIME
from sightline.sources.browser import LiveEvent, LiveFacts, LiveWindow, PointedElement, TabSession, WindowPicture

__all__ = ["Viewing"]

SIZE = (1280, 800)


class Viewing:
    """The window of a session as pictures, and the mouse and keys of whoever looks at them.

    `on_picture` and `on_change` are called from the thread of the sessions, and must return at once.
    """

    def __init__(
        self,
        tab: TabSession,
        on_picture: Callable[[WindowPicture], None],
        on_change: Callable[[], None],
        size: tuple[int, int] = SIZE,
    ) -> None:
        self._window = LiveWindow(tab, on_picture, on_change, size)
        RUNTIME.run(self._window.open())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Look no longer."""
        RUNTIME.run(self._window.close())

    @property
    def facts(self) -> LiveFacts:
        """What there is to see besides the picture."""
        return self._window.facts

    def put(self, event: LiveEvent) -> None:
        """Move the mouse, turn the wheel, press a key or type a text; returns at once."""
        RUNTIME.loop.call_soon_threadsafe(self._window.put, event)

    def drive(self, *, driven: bool) -> None:
        """Say whether the person drives, or a script does."""
        RUNTIME.loop.call_soon_threadsafe(lambda: self._window.drive(driven=driven))

    def pointed(self, x: float, y: float) -> PointedElement | None:
        """The element at a point of the window."""
        return RUNTIME.run(self._window.pointed(x, y))

    def answer_dialog(self, *, accept: bool, text: str | None = None) -> None:
        """Answer the dialog that waits."""
        RUNTIME.run(self._window.answer_dialog(accept=accept, text=text))

    def give_files(self, files: tuple[str, ...]) -> None:
        """Give the page the files that it asked for."""
        RUNTIME.run(self._window.give_files(files))

    def choose(self, option: str | None) -> None:
        """Choose an option of the box that was opened."""
        RUNTIME.run(self._window.choose(option))

    def go(self, steps: int) -> None:
        """Go back (-1), forward (1), or load the page again (0)."""
        RUNTIME.run(self._window.go(steps))

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        RUNTIME.run(self._window.resize(width, height))
