"""Pages rendered by Chromium, Chrome or Edge, driven over the DevTools pipe."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.sources.browser._actions import (
        KEYS,
        Action,
        Back,
        Check,
        Click,
        Drag,
        Fill,
        Hover,
        Press,
        Reload,
        Scroll,
        Select,
        Upload,
        UserEvent,
    )
    from sightline.sources.browser._browser import Browser
    from sightline.sources.browser._downloads import Download
    from sightline.sources.browser._elements import ElementFacts, ElementQuery
    from sightline.sources.browser._listen import TabListener
    from sightline.sources.browser._live_hand import KeyStroke, LiveEvent, MouseMotion, TypedText, WheelTurn
    from sightline.sources.browser._live_window import LiveFacts, LiveWindow, PointedElement, WindowPicture
    from sightline.sources.browser._process import find_browser
    from sightline.sources.browser._settings import AnswerSettings, BrowserSettings, SessionFiles, SessionSettings
    from sightline.sources.browser._snapshot import STYLES
    from sightline.sources.browser._tab import Dialog, DialogAnswer
    from sightline.sources.browser._tab_session import TabSession, tab_session
    from sightline.sources.browser._visit import IsPrinted

__all__ = [
    "KEYS",
    "STYLES",
    "Action",
    "AnswerSettings",
    "Back",
    "Browser",
    "BrowserSettings",
    "Check",
    "Click",
    "Dialog",
    "DialogAnswer",
    "Download",
    "Drag",
    "ElementFacts",
    "ElementQuery",
    "Fill",
    "Hover",
    "IsPrinted",
    "KeyStroke",
    "LiveEvent",
    "LiveFacts",
    "LiveWindow",
    "MouseMotion",
    "PointedElement",
    "Press",
    "Reload",
    "Scroll",
    "Select",
    "SessionFiles",
    "SessionSettings",
    "TabListener",
    "TabSession",
    "TypedText",
    "Upload",
    "UserEvent",
    "WheelTurn",
    "WindowPicture",
    "find_browser",
    "tab_session",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_actions": "KEYS Action Back Check Click Drag Fill Hover Press Reload Scroll Select Upload UserEvent",
        "_browser": "Browser",
        "_tab": "Dialog DialogAnswer",
        "_downloads": "Download",
        "_process": "find_browser",
        "_visit": "IsPrinted",
        "_listen": "TabListener",
        "_live_hand": "KeyStroke LiveEvent MouseMotion TypedText WheelTurn",
        "_live_window": "LiveWindow LiveFacts PointedElement WindowPicture",
        "_elements": "ElementFacts ElementQuery",
        "_settings": "AnswerSettings BrowserSettings SessionFiles SessionSettings",
        "_snapshot": "STYLES",
        "_tab_session": "TabSession tab_session",
    },
)
