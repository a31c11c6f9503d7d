"""Everything that produces pages: the browser, the HTML parser, PDFs and archives."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.sources._captured import CapturedPages, CapturedVisit
    from sightline.sources._load import WEB_SCHEMES, Loaded, Loader, Loading, SourceOpener
    from sightline.sources._session import Listening, Session, SessionFrame, SiteAnswer, Viewing
    from sightline.sources.browser import (
        STYLES,
        AnswerSettings,
        Browser,
        BrowserSettings,
        Download,
        ElementFacts,
        KeyStroke,
        LiveEvent,
        LiveFacts,
        MouseMotion,
        PointedElement,
        SessionSettings,
        TypedText,
        UserEvent,
        WheelTurn,
        WindowPicture,
        find_browser,
    )
    from sightline.sources.html import Anchor, PageOutline, decode, parse, read_outline
    from sightline.sources.pdf import PdfSettings, sheets_text

__all__ = [
    "STYLES",
    "WEB_SCHEMES",
    "Anchor",
    "AnswerSettings",
    "Browser",
    "BrowserSettings",
    "CapturedPages",
    "CapturedVisit",
    "Download",
    "ElementFacts",
    "KeyStroke",
    "Listening",
    "LiveEvent",
    "LiveFacts",
    "Loaded",
    "Loader",
    "Loading",
    "MouseMotion",
    "PageOutline",
    "PdfSettings",
    "PointedElement",
    "Session",
    "SessionFrame",
    "SessionSettings",
    "SiteAnswer",
    "SourceOpener",
    "TypedText",
    "UserEvent",
    "Viewing",
    "WheelTurn",
    "WindowPicture",
    "decode",
    "find_browser",
    "parse",
    "read_outline",
    "sheets_text",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_captured": "CapturedPages CapturedVisit",
        "_load": "Loaded Loader Loading SourceOpener WEB_SCHEMES",
        "_session": "Session SiteAnswer Listening Viewing SessionFrame",
        "browser": (
            "STYLES AnswerSettings Browser BrowserSettings Download ElementFacts KeyStroke LiveEvent LiveFacts "
            "MouseMotion PointedElement SessionSettings TypedText UserEvent WheelTurn WindowPicture find_browser"
        ),
        "html": "Anchor PageOutline decode parse read_outline",
        "pdf": "PdfSettings sheets_text",
    },
)
