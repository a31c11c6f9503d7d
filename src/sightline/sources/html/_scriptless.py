"""Saved pages whose scripts show nothing here: their version for readers without scripts is better.

A script that cannot reach its server, or finds itself at another address, may leave an empty page, or none at all.
The original content is still there, often in a `noscript` element.
"""

import numpy as np

from sightline.net import Limits
from sightline.page import ABSENT, Page
from sightline.sources.html._parse import parse

__all__ = ["PLAIN", "shows_more"]

# Of the 210 pages of the content benchmark eight show less than this; a menu and a notice have about 30 words.
FEW_WORDS = 50
LEAST_MARKUP = 1_000  # characters of markup with FEW_WORDS in it; most pages have some for counting their visitors
MUCH_MORE = 5  # times as many words; less is a notice to turn on JavaScript
PLAIN = "The page's scripts showed nothing here, so it was captured as readers without scripts see it."


def shows_more(text: str, page: Page, limits: Limits) -> bool:
    """Whether a document that shows next to nothing would show much more without its scripts.

    >>> text = "<body><noscript><p>" + "some words " * 100 + "</noscript>"
    >>> shows_more(text, parse(text), Limits())
    True
    """
    if len(page.words) >= FEW_WORDS or (page.kind == "static" and set_aside(page) < LEAST_MARKUP):
        return False
    shown = len(page.words) or words_of(page)
    if shown >= FEW_WORDS:
        return False
    plain = parse(text, url=page.url, limits=limits, scripting=False)
    return words_of(plain) >= max(FEW_WORDS, MUCH_MORE * shown)


def set_aside(page: Page) -> int:
    """How many characters a page has in `noscript`: all that a parser could show without scripts."""
    if page.tag_id("noscript") == ABSENT:  # as on most pages
        return 0
    apart = page.with_tag("noscript")
    texts = page.text[np.minimum(apart + 1, len(page) - 1)]
    return sum(len(page.strings[text]) for text in texts.tolist() if text >= 0)


def words_of(page: Page) -> int:
    """How many words of a page without layout are visible."""
    return len(page.text_of(0).split()) if len(page) else 0
