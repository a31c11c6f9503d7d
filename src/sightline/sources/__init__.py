"""Everything that produces pages: the browser, the HTML parser, archives; and the rules at the door."""

from sightline.net import Document, Limits, Manners
from sightline.sources._load import Loaded, Loader
from sightline.sources.browser import STYLES, Browser, BrowserSettings, find_browser
from sightline.sources.html import parse
from sightline.sources.pdf import PdfSettings, sheets_text

__all__ = [
    "STYLES",
    "Browser",
    "BrowserSettings",
    "Document",
    "Limits",
    "Loaded",
    "Loader",
    "Manners",
    "PdfSettings",
    "find_browser",
    "parse",
    "sheets_text",
]
