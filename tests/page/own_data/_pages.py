"""Pages from bits of HTML."""

import json

from sightline.page import OwnData, Page
from sightline.sources.html._parse import parse


def page_from(html: str) -> Page:
    """A page without layout."""
    return parse(html)


def said(html: str) -> OwnData:
    """What a page says about itself."""
    return parse(html).own_data


def json_ld(*documents: object) -> str:
    """Blocks of JSON-LD: texts as they are, all else as JSON."""
    texts = (text if isinstance(text, str) else json.dumps(text) for text in documents)
    return "".join(f'<script type="application/ld+json">{text}</script>' for text in texts)
