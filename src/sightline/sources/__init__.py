"""Everything that produces pages: the browser, the HTML parser, archives; and the rules at the door."""

from sightline.sources._browser import Browser
from sightline.sources._browser_settings import BrowserSettings
from sightline.sources._document import Document
from sightline.sources._find_browser import find_browser
from sightline.sources._limits import Limits, Manners
from sightline.sources._load import Loaded, Loader
from sightline.sources._static import parse
from sightline.sources._styles import STYLES
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
