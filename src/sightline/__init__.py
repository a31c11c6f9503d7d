"""Sightline turns what a person sees on a web page or in a PDF into verified, typed, traceable data.

>>> import sightline as sl
>>> page = sl.open(b"<h1>Prices</h1><p>Canon EOS 5D: 2,499", static=True)
>>> page.node(page.with_tag("h1")[0]).text
'Prices'
"""

from sightline import errors
from sightline._api import open, open_all, save
from sightline._version import __version__
from sightline.page import Node, Page
from sightline.sources import BrowserSettings, Limits, Loaded, Manners

__all__ = [
    "BrowserSettings",
    "Limits",
    "Loaded",
    "Manners",
    "Node",
    "Page",
    "__version__",
    "errors",
    "open",
    "open_all",
    "save",
]
