"""Whoever looks at a live browser: what is new for them, and never more than the newest."""

import threading
from collections.abc import Callable
from typing import Any

from sightline.sources import WindowPicture

__all__ = ["LiveViewer"]


class LiveViewer:
    """Whoever looks at a recording: the newest picture, and what was told since."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._picture: tuple[int, WindowPicture] | None = None
        self._told: dict[str, dict[str, Any]] = {}
        self._numbers = 0
        self.replaced = False
        self.ended = ""

    def show(self, picture: WindowPicture) -> None:
        """A new picture, in place of one that was not taken yet."""
        with self._lock:
            self._numbers += 1
            self._picture = self._numbers, picture
        self._wake()

    def tell(self, message: dict[str, Any]) -> None:
        """Tell something; the newest of each kind counts."""
        with self._lock:
            self._told.pop(message["kind"], None)
            self._told[message["kind"]] = message
        self._wake()

    def leave(self, *, replaced: bool = False, ended: str = "") -> None:
        """Tell that there is nothing more to see."""
        self.replaced, self.ended = replaced, ended
        self._wake()

    def taken(self, *, picture: bool) -> tuple[list[dict[str, Any]], tuple[int, WindowPicture] | None]:
        """What is new; the picture only if it is wanted now."""
        with self._lock:
            told, self._told = list(self._told.values()), {}
            shown = self._picture if picture else None
            if picture:
                self._picture = None
        return told, shown
