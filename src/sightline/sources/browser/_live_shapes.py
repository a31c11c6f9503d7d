"""What a viewer of a session is told: pictures, the tabs, and what waits for a person's answer."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sightline.geometry import Box

__all__ = [
    "LiveFacts",
    "LiveTab",
    "PointedElement",
    "WaitingChoice",
    "WaitingChooser",
    "WaitingDialog",
    "WindowPicture",
]


class WindowPicture(NamedTuple):
    """One picture of the window, as a JPEG, with how far the page was scrolled when it was taken."""

    jpeg: bytes
    scroll: tuple[float, float]


@dataclass(frozen=True)
class LiveTab:
    """A tab as its row of tabs shows it."""

    url: str
    title: str


@dataclass(frozen=True)
class WaitingDialog:
    """A dialog of the page that waits for an answer; `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    suggested: str = ""


@dataclass(frozen=True)
class WaitingChooser:
    """A page that wants files."""

    several: bool


@dataclass(frozen=True)
class WaitingChoice:
    """A box of options that was opened: a browser draws it in a window of its own, which no picture shows."""

    xpath: str
    box: Box
    options: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class PointedElement:
    """The element at a point of the window; `xpath` is that of the input whose label it is, if it is one."""

    xpath: str
    tag: str
    box: Box


@dataclass(frozen=True)
class LiveFacts:
    """The session as a person sees it; `gone` says why there is nothing to see any more."""

    tabs: tuple[LiveTab, ...] = ()
    tab: int = 0
    can_back: bool = False
    can_forward: bool = False
    loading: bool = False
    dialog: WaitingDialog | None = None
    chooser: WaitingChooser | None = None
    choice: WaitingChoice | None = None
    refused: str = ""
    downloads: tuple[str, ...] = field(default=())
    gone: str = ""
