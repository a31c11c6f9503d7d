"""What a page says about how much there is: "Page 2 of 17", "Seite 2 von 17", "1–20 of 340 results", "2/17"."""

import re
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Counter", "counter_in"]

LONGEST = 120  # characters of a text that counts
OF = r"(?:of|von|de|di|sur|van|av|af|z|ze|из|із|от|από|/|／|共|中|in total|total)"
NUMBER = r"\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+|\d+"
PAGE = (
    r"(?:page|seite|página|pagina|pág|sida|side|sivu|strona|stránka|oldal|страница|стр|сторінка|σελίδα|sayfa|halaman"
    r"|trang|ページ|页|頁|쪽)"
)
TO = r"(?:-|–|—|to|bis|à|a|al|до)"
ABOUT = r"(?:about |over |ca\. |etwa )?"
_PAGES = re.compile(rf"{PAGE}\.?\s*:?\s*({NUMBER})\s*{OF}\s*({NUMBER})", re.IGNORECASE)
_BARE = re.compile(rf"({NUMBER})\s*[/／]\s*({NUMBER})")
_RANGE = re.compile(rf"({NUMBER})\s*{TO}\s*({NUMBER})\s*\(?{OF}\s*{ABOUT}({NUMBER})", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"\d\D+\d")  # the least that counts; most texts are left aside by it
_BLANKS = re.compile(r"\s+")


class Counter(NamedTuple):
    """What is counted: the page and how many there are, or the last record shown and how many there are."""

    page: int | None = None
    pages: int | None = None
    shown: int | None = None
    records: int | None = None
    text: str = ""


def counter_in(texts: Iterable[str]) -> Counter | None:
    """The first text that counts pages or records.

    >>> counter_in(["Cameras", "Page 2 of 17"])
    Counter(page=2, pages=17, shown=None, records=None, text='Page 2 of 17')
    >>> counter_in(["1–20 of 1,340 results"]).records
    1340
    """
    for text in texts:
        said = _BLANKS.sub(" ", text).strip()
        if len(said) > LONGEST or not _TWO_NUMBERS.search(said):
            continue
        if found := _RANGE.search(said):
            first, last, total = map(_plain, found.groups())
            if first <= last <= total:
                return Counter(shown=last, records=total, text=said)
        if found := _PAGES.search(said) or _BARE.fullmatch(said):
            page, pages = map(_plain, found.groups())
            if 1 <= page <= pages and pages > 1:
                return Counter(page=page, pages=pages, text=said)
    return None


def _plain(text: str) -> int:
    return int(re.sub(r"\D", "", text))
